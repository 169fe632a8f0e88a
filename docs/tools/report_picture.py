"""Take the picture of a report's first screen for docs/command-line.md, with Debian's chromium.

Run it when the look of the report has changed: ``python docs/tools/report_picture.py``.
"""

import subprocess
import tempfile
from pathlib import Path

from pycdf import CDFClassifier, html_report, load_darwin

PICTURE = Path(__file__).parents[1] / "_static" / "report.png"


def make() -> Path:
    """Write the picture."""
    X, y = load_darwin()
    fit = CDFClassifier(seed=2025).fit(X, y)
    page = html_report(fit, X, y, title="Alzheimer's disease from handwriting", date="2025-01-01")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        path.write_text(page, encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=760,520"]
        subprocess.run(["chromium", *options, f"--user-data-dir={folder}/profile",
                        f"--screenshot={PICTURE}", path.as_uri()],
                       check=True, stderr=subprocess.DEVNULL)  # fmt: skip
    return PICTURE


if __name__ == "__main__":
    print(f"{make().name}: {PICTURE.stat().st_size / 1024:.0f} kB")
