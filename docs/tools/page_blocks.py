"""Read the code blocks of a Markdown page, and run blocks of Python.

A page is read into :class:`Block` objects, in order. Four things are recognised:

- a fence, with its language;
- an HTML comment that begins with ``hidden python`` or ``hidden r``: code that readers need not
  see, such as data used in place of theirs; it runs in its place among the blocks;
- a comment ``needs PACKAGE`` or ``not run: REASON`` right above a fence;
- a fence of ``text`` right below a block: what that block shows.
"""

import ast
import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_OPENING = re.compile(r"(?P<indent> *)(?P<fence>```+|~~~+)(?P<language>.*)")
_HIDDEN = re.compile(r"<!-- hidden (?P<language>python|r)$")
_REMARK = re.compile(r"<!-- (?P<kind>needs|not run:) (?P<text>.+) -->$")


@dataclass(frozen=True)
class Block:
    """One fence or hidden comment."""

    page: Path
    line: int
    """The number of its first line of code, from 1."""
    language: str
    text: str
    hidden: bool = False
    needs: str | None = None
    """A package that the block uses and pycdf's tests do not install."""
    not_run: str | None = None
    """Why no test runs the block."""
    shows: str | None = None
    """What it prints, and the value of its last line."""

    @property
    def name(self) -> str:
        """Where the block is, for messages."""
        return f"{self.page.name}:{self.line}"


def read_blocks(page: Path) -> list[Block]:
    """All blocks of a page. Raises ValueError if a block has no end."""
    blocks: list[Block] = []
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
    remark: dict[str, str] = {}
    directly_below = False  # only blanks since the last block
    for number, line in lines:
        if opening := _OPENING.fullmatch(line):
            language = opening["language"].strip()
            text = _until(lines, opening["fence"], len(opening["indent"]), f"{page.name}:{number}")
            if language == "text" and directly_below and blocks and not blocks[-1].shows:
                blocks[-1] = Block(**{**vars(blocks[-1]), "shows": text})
            else:
                blocks.append(Block(page, number + 1, language, text, **remark))
            directly_below, remark = True, {}
        elif hidden := _HIDDEN.match(line):
            text = _until(lines, "-->", 0, f"{page.name}:{number}")
            blocks.append(Block(page, number + 1, hidden["language"], text, hidden=True))
            directly_below = False
        elif found := _REMARK.match(line):
            key = "needs" if found["kind"] == "needs" else "not_run"
            remark = {key: found["text"]}
        elif line.strip():
            directly_below, remark = False, {}
    return blocks


def _until(lines: Iterator[tuple[int, str]], end: str, indent: int, where: str) -> str:
    found = []
    for _, line in lines:
        if line.strip() == end:
            return "\n".join(found) + "\n"
        found.append(line[min(indent, len(line) - len(line.lstrip())) :])
    raise ValueError(f"{where}: the block has no end")


def run_python(block: Block, namespace: dict[str, Any]) -> str:
    """Run a block; return what it printed, then the value of its last line, as a notebook would.

    Errors name the page and its line.
    """
    tree = ast.parse(block.text, block.page.name)
    ast.increment_lineno(tree, block.line - 1)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, str(block.page), "exec"), namespace)
        if isinstance(last, ast.Expr):
            code = compile(ast.Expression(last.value), str(block.page), "eval")
            value = eval(code, namespace)
            if value is not None:
                print(repr(value))
    return printed.getvalue()
