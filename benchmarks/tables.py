"""Write and read result files (CSV), and the facts about a run (about.json).

Every row of a file has the same fields. Numbers are written so that they are read back unchanged.
"""

import csv
import json
import os
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

Row = Mapping[str, object]


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Write rows of equal fields; nothing is written if there are none."""
    rows = list(rows)
    if not rows:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _cell(value) for name, value in row.items()})


def read_csv(path: Path) -> list[dict[str, str]]:
    """The rows of a file as text; none if there is no such file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _cell(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value


def update_about(folder: Path, **facts: object) -> None:
    """Add facts about a run to about.json; those of its other parts are kept."""
    path = folder / "about.json"
    about = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(about | facts, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def machine() -> dict[str, object]:
    """What the numbers depend on and may be published: kind of processor, system, versions."""
    return {
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "pandas": version("pandas"),
        "numba": version("numba"),
        "llvmlite": version("llvmlite"),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return f"{line.partition(':')[2].strip()}, {os.cpu_count()} cores"
    return platform.processor() or platform.machine()
