"""HTML for reports: text, names, tables, folded parts, figures, and the page around them.

All text is escaped, and a Content-Security-Policy forbids whatever would leave the page. A page is
one file that contains its styles and pictures, and has no scripts.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

from pycdf.plots.style import shorten
from pycdf.support.wording import visible

_STYLE = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
_LONGEST = 48  # characters of a name; longer ones are shortened and whole in their tooltip
# A name may break after these, besides at spaces.
_BREAKS = re.compile(r"(?<=[_./:;,|+-])(?=\w)")


class Html(str):
    """A string that is already HTML, and so is not escaped again."""


def html(text: Any) -> Html:
    """Escape a text, also what XML does not allow; HTML is returned unchanged."""
    if isinstance(text, Html):
        return text
    return Html(escape("\n".join(visible(line) for line in str(text).split("\n"))))


def join(parts: Iterable[Html]) -> Html:
    """Join pieces of HTML, one per line; empty ones are left out."""
    return Html("\n".join(part for part in parts if part))


def name(label: Any, most: int = _LONGEST) -> Html:
    """The name of a class, feature or sample: it breaks at word ends and after punctuation."""
    whole, short = shorten(label, 10**6), shorten(label, most)
    text = Html("<wbr>".join(html(part) for part in _BREAKS.split(short)))
    return text if short == whole else Html(f'<span title="{html(whole)}">{text}</span>')


def paragraph(text: Any, kind: str = "") -> Html:
    """A paragraph; ``kind`` is its CSS class."""
    return Html(f'<p class="{kind}">{html(text)}</p>' if kind else f"<p>{html(text)}</p>")


def listing(lines: Iterable[Any]) -> Html:
    """A bulleted list."""
    return Html("<ul>\n" + "\n".join(f"<li>{html(line)}</li>" for line in lines) + "\n</ul>")


def heading(text: Any) -> Html:
    """A heading within a section."""
    return Html(f"<h3>{html(text)}</h3>")


def folded(summary: Any, content: Html) -> Html:
    """A part that opens when its summary is clicked."""
    return Html(f"<details>\n<summary>{html(summary)}</summary>\n{content}\n</details>")


def side_by_side(parts: Iterable[Html]) -> Html:
    """Figures beside each other where there is space."""
    return Html(f'<div class="beside">\n{join(parts)}\n</div>')


def plain_text(text: str, label: str) -> Html:
    """Preformatted text, which can be scrolled with the keyboard; ``label`` names it."""
    return Html(f'<pre tabindex="0" role="region" aria-label="{html(label)}">{html(text)}</pre>')


class Cell(NamedTuple):
    """A cell of a table with a CSS class, and the opacity of its ``shade``, from 0 to 1."""

    content: Any
    kind: str = ""
    shade: float = 0.0


def table(
    caption: Any,
    rows: Iterable[Sequence[Any]],
    head: Sequence[Any] = (),
    numbers: int = 0,
    kind: str = "",
) -> Html:
    """A table whose first column is a header and whose last ``numbers`` columns are numbers.

    Its caption is outside of the box in which a wide table scrolls.
    """
    body = "\n".join(_row(cells, numbers) for cells in rows)
    top = f"<thead>{_row(head, numbers, header=True)}</thead>\n" if head else ""
    return Html(
        f'<figure class="table">\n<figcaption>{html(caption)}</figcaption>\n'
        f'<div class="scroll"><table{_of_kind(kind)}>\n{top}'
        f"<tbody>\n{body}\n</tbody>\n</table></div>\n</figure>"
    )


def _row(cells: Sequence[Any], numbers: int, header: bool = False) -> str:
    line = []
    for at, cell in enumerate(cells):
        content, kind, shade = cell if isinstance(cell, Cell) else Cell(cell)
        if at >= len(cells) - numbers:
            kind = f"number {kind}".rstrip()
        tag = "th" if header or at == 0 else "td"
        scope = f' scope="{"col" if header else "row"}"' if tag == "th" else ""
        shaded = f' style="--shade:{shade:.2f}"' if shade else ""
        line.append(f"<{tag}{scope}{_of_kind(kind)}{shaded}>{html(content)}</{tag}>")
    return f"<tr>{''.join(line)}</tr>"


def _of_kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def figure(picture: Html, caption: Any, kind: str = "") -> Html:
    """A picture in a box in which it scrolls if it is too wide, with a caption below."""
    return Html(
        f'<figure{_of_kind(kind)}>\n<div class="picture">{picture}</div>\n'
        f"<figcaption>{html(caption)}</figcaption>\n</figure>"
    )


def page(title: str, lead: Html, sections: Sequence[tuple[str, str, Html]], foot: Any) -> str:
    """The whole page: a title, a line below it, the sections, and a footer.

    A section has a short name for the contents, a heading, and its content.
    """
    links = join(
        Html(f'<li><a href="#part{i}">{html(short)}</a></li>')
        for i, (short, _, _) in enumerate(sections, 1)
    )
    body = join(
        Html(
            f'<section aria-labelledby="part{i}">\n<h2 id="part{i}">{html(heading)}</h2>\n'
            f"{content}\n</section>"
        )
        for i, (_, heading, content) in enumerate(sections, 1)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html(title)}</title>
<link rel="icon" href="data:,">
<style>
{_STYLE}</style>
</head>
<body>
<header>
<h1>{name(title, 200)}</h1>
{paragraph(lead, "lead")}
</header>
<nav aria-label="Contents"><ul>
{links}
</ul></nav>
<main>
{body}
</main>
<footer>{html(foot)}</footer>
</body>
</html>
"""
