"""Draw the gallery's pictures by running the code that the gallery shows.

The Python blocks of docs/gallery.md run in order, in one namespace. An image below a block is the
figure of the axes that the block assigns to ``ax``, or of several in ``axes``. Each picture
contains a hash of the code that drew it, so that a test can detect outdated pictures. The build of
the site runs this; to run it yourself: ``python docs/tools/pictures.py``.
"""

import hashlib
import re
from pathlib import Path
from typing import Any

from page_blocks import Block, read_blocks, run_python

PAGE = Path(__file__).parents[1] / "gallery.md"
_IMAGE = re.compile(r"!\[[^\]]*\]\((?P<path>pictures/[\w-]+\.(?:png|svg))\)")
_STAMP = re.compile(rb"lines [0-9a-f]{64}")


def pictures(page: Path = PAGE) -> dict[str, list[Block]]:
    """Each picture of the page, and the blocks that precede it."""
    blocks = [block for block in read_blocks(page) if block.language == "python"]
    lines = page.read_text(encoding="utf-8").splitlines()
    found = {}
    for number, line in enumerate(lines, start=1):
        if image := _IMAGE.search(line):
            found[image["path"]] = [block for block in blocks if block.line < number]
    return found


def stamp(blocks: list[Block]) -> str:
    """The mark of a picture: a hash of all code that led to it."""
    text = "\n".join(block.text for block in blocks)
    return f"lines {hashlib.sha256(text.encode()).hexdigest()}"


def stamp_of(picture: Path) -> str | None:
    """The mark in a picture file."""
    found = _STAMP.search(picture.read_bytes())
    return found[0].decode() if found else None


def make(page: Path = PAGE) -> list[Path]:
    """Run the page and write its pictures."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    namespace: dict[str, Any] = {}
    done = 0
    made = []
    with mpl.rc_context({"svg.hashsalt": "pycdf", "savefig.dpi": 110}):
        for path, blocks in pictures(page).items():
            for block in blocks[done:]:
                run_python(block, namespace)
            done = len(blocks)
            target = page.parent / path
            target.parent.mkdir(exist_ok=True)
            # Popped, so that a block that draws nothing is noticed.
            ax = namespace.pop("ax") if "ax" in namespace else namespace.pop("axes")[0]
            _save(ax.figure, target, stamp(blocks))
            plt.close("all")
            made.append(target)
    return made


def _save(figure: Any, target: Path, text: str) -> None:
    """The same bytes for the same figure: no date, no version."""
    known = {"Date": None} if target.suffix == ".svg" else {"Software": None}
    figure.savefig(target, bbox_inches="tight", metadata={**known, "Description": text})


def setup(app: Any) -> dict[str, bool]:
    """Make the pictures when the site is built."""
    app.connect("builder-inited", lambda _: make())
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    for path in make():
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} kB")
