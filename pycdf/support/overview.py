"""What an object shows of itself at a prompt and in a notebook: a title, facts and a table.

An :class:`Overview` is written as text for ``repr()`` and as HTML for notebooks. The HTML has no
colours or fonts of its own, so that it follows the notebook's theme, and names in it are escaped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from pycdf.support.wording import brief, visible

_WIDTH = 88  # characters of a list of names
_ROWS = 30  # rows of a table; those in the middle of a longer one are left out
_LINE = 100  # characters of a table's lines; columns that do not fit are left out
_LEFT = ' style="text-align: left"'  # notebooks align the cells of a table to the right


@dataclass(frozen=True)
class Overview:
    """A title, facts by name (one text or several lines each), and a table as rows of cells."""

    title: str
    facts: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    header: Sequence[str] = ()
    """Titles of the table's columns; the first column names the rows."""
    rows: Sequence[Sequence[str]] = ()

    def text(self) -> str:
        """Lines of text, with the values of the facts below each other."""
        lines = [visible(self.title)]
        width = max(map(len, self.facts), default=0)
        for name, value in self.facts.items():
            for at, line in enumerate(_lines(value)):
                lines.append(f"  {'' if at else name:{width}}  {visible(line)}".rstrip())
        if self.rows:
            lines += _table_lines([self.header, *_shown(self.rows)])
        return "\n".join(lines)

    def html(self) -> str:
        """The same as a small HTML table."""
        parts = [f"<div><p><strong>{_html(self.title)}</strong></p>"]
        if self.facts:
            parts.append("<table><tbody>")
            for name, value in self.facts.items():
                cell = "<br>".join(map(_html, _lines(value)))
                parts.append(
                    f'<tr><th scope="row"{_LEFT}>{_html(name)}</th><td{_LEFT}>{cell}</td></tr>'
                )
            parts.append("</tbody></table>")
        if self.rows:
            first, *others = self.header
            head = f'<th scope="col"{_LEFT}>{_html(first)}</th>'
            head += "".join(f'<th scope="col">{_html(one)}</th>' for one in others)
            parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>")
            for first, *others in _shown(self.rows):
                cells = "".join(f"<td>{_html(one)}</td>" for one in others)
                parts.append(f'<tr><th scope="row"{_LEFT}>{_html(first)}</th>{cells}</tr>')
            parts.append("</tbody></table>")
        return "".join([*parts, "</div>"])


class Overviewed:
    """A class whose objects show an overview instead of all their values."""

    def _overview(self) -> Overview:
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._overview().text()

    def _repr_html_(self) -> str:
        return self._overview().html()


def some(names: Sequence[object], width: int = _WIDTH) -> str:
    """As many names as fit into a line, and how many more there are: ``a, b and 9 more``."""
    shown: list[str] = []
    length = 0
    for name in names:
        text = brief(name)
        length += len(text) + 2
        if shown and length > width:
            return f"{', '.join(shown)} and {len(names) - len(shown):,} more"
        shown.append(text)
    return ", ".join(shown)


def _lines(value: str | Sequence[str]) -> Sequence[str]:
    return [value] if isinstance(value, str) else value


def _html(text: str) -> str:
    return escape(visible(text))


def _shown(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The rows, without those in the middle if they are too many."""
    if len(rows) <= _ROWS:
        return list(rows)
    half = _ROWS // 2
    return [*rows[:half], ["..."] * len(rows[0]), *rows[-half:]]


def _table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as aligned lines, with the first column on the left and the others on the right.

    Columns that do not fit are left out.
    """
    aligned: list[list[str]] = []
    length = 0
    for column in zip(*rows, strict=True):
        cells = [visible(cell) for cell in column]
        width = max(map(len, cells))
        length += width + 2
        if aligned and length > _LINE:
            aligned.append(["..."] * len(rows))
            break
        aligned.append([cell.rjust(width) if aligned else cell.ljust(width) for cell in cells])
    return ["  ".join(line).rstrip() for line in zip(*aligned, strict=True)]
