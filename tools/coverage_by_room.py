"""Print how many lines and branches of each room the tests reach, from ``coverage json``.

    python tools/coverage_by_room.py build/coverage.json [--floors]

With ``--floors`` it fails when a room has fallen below its floor: about one percent of the lines
and two of the branches less than was measured, because processors and moments of interrupts
differ. Raise a floor when tests have raised what is measured.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path, PurePosixPath

# Percent of lines and of branches; datasets has no branches
FLOORS: dict[str, tuple[int, int]] = {
    "base_r": (98, 97), "cli": (98, 96), "datasets": (100, 0), "experiment": (98, 97),
    "explain": (98, 96), "files": (98, 96), "forest": (98, 96), "inputs": (98, 97),
    "kernels": (94, 89), "plots": (98, 96), "report": (98, 95), "support": (97, 94),
    "top": (98, 94), "tuning": (98, 97),
}  # fmt: skip


def room_of(file: str) -> str:
    """The folder of pycdf that a file is in; "top" for modules that are in none."""
    parts = PurePosixPath(file.replace("\\", "/")).parts
    below = parts[len(parts) - parts[::-1].index("pycdf") :]
    return below[0] if len(below) > 1 else "top"


def shares(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, tuple[float, float]]:
    """Percent of lines and of branches that were reached, by room."""
    keys = ("covered_lines", "num_statements", "covered_branches", "num_branches")
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for file, found in files.items():
        for i, key in enumerate(keys):
            counts[room_of(file)][i] += found["summary"][key]
    return {
        room: (100 * lines / max(1, all_lines), 100 * branches / max(1, all_branches))
        for room, (lines, all_lines, branches, all_branches) in sorted(counts.items())
    }


def main() -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--floors", action="store_true", help="fail below the floors")
    options = parser.parse_args()
    found = shares(json.loads(options.file.read_text(encoding="utf-8"))["files"])
    print(f"{'room':11}{'lines':>8}{'branches':>10}")
    for room, (lines, branches) in found.items():
        print(f"{room:11}{lines:7.1f}%{branches:9.1f}%")
    low = [
        f"{room}: {share:.1f} % of {what}, and at least {floor} % are expected"
        for room, floors in FLOORS.items()
        for what, share, floor in zip(
            ("lines", "branches"), found.get(room, (0, 0)), floors, strict=True
        )
        if share < floor
    ]
    if options.floors:
        print(*low, sep="\n", file=sys.stderr)
    return int(options.floors and bool(low))


if __name__ == "__main__":
    sys.exit(main())
