"""HTML for reports: paragraphs, tables, pictures, and the page around them.

All text is escaped. A page is one file that contains its styles and pictures, and has no scripts.
"""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from pycdf.plots.files import picture_bytes
from pycdf.support.wording import visible

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1c1c1c; --soft: #595959; --line: #d0d0d0;
  --card: #f6f7f9; --link: #0b5394; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #15181c; --ink: #e8e8e8; --soft: #b4b4b4; --line: #43484f; --card: #1e2329;
    --link: #8ec5ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
header, nav, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
h1 { margin: 1.5rem 0 .25rem; font-size: 1.7rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.25rem; border-bottom: 1px solid var(--line); }
h1, h2, td, th, p { overflow-wrap: anywhere; }
.lead { margin-top: 0; color: var(--soft); }
a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; }
table { border-collapse: collapse; margin: 1rem 0; min-width: min(100%, 26rem);
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .25rem; }
th, td { padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; font-weight: normal; }
thead th, th[scope=row] { font-weight: 600; }
th[scope=row] { min-width: 6.5rem; }
.number { text-align: right; white-space: nowrap; }
figure { margin: 1rem 0; }
figcaption, .limits { color: var(--soft); font-size: .95rem; max-width: 46rem; }
.scroll { overflow-x: auto; background: #fff; border: 1px solid var(--line); border-radius: 6px;
  padding: .5rem; margin-bottom: .5rem; }
.scroll img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
.wide img { max-width: none; }
.table { overflow-x: auto; }
pre { overflow: auto; max-height: 32rem; margin: 1rem 0; padding: .75rem; border-radius: 6px;
  background: var(--card); border: 1px solid var(--line);
  font: 13px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
footer { margin: 3rem auto 2rem; color: var(--soft); font-size: .9rem; }
@media print {
  :root { --ground: #fff; --ink: #000; --soft: #444; --line: #bbb; --card: #fff; }
  nav { display: none; }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  .scroll img { width: auto; max-width: 100%; max-height: 20cm; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
"""

_MOST_WIDE = 12.0  # inches; a wider picture keeps its size and scrolls


class Html(str):
    """A string that is already HTML, and so is not escaped again."""


def html(text: Any) -> Html:
    """Escape a text, also what XML does not allow; HTML is returned unchanged."""
    if isinstance(text, Html):
        return text
    return Html(escape("\n".join(visible(line) for line in str(text).split("\n"))))


def join(parts: Iterable[Html]) -> Html:
    """Join pieces of HTML, one per line."""
    return Html("\n".join(parts))


def paragraph(text: Any, kind: str = "") -> Html:
    """A paragraph; ``kind`` is its CSS class."""
    return Html(f'<p class="{kind}">{html(text)}</p>' if kind else f"<p>{html(text)}</p>")


def plain_text(text: str, name: str) -> Html:
    """Preformatted text, which can be scrolled with the keyboard; ``name`` is its label."""
    return Html(f'<pre tabindex="0" role="region" aria-label="{html(name)}">{html(text)}</pre>')


def table(
    caption: str, rows: Iterable[Sequence[Any]], head: Sequence[str] = (), numbers: int = 0
) -> Html:
    """A table whose first column is a header and whose last ``numbers`` columns are numbers."""
    lines = []
    for cells in rows:
        first, *others = cells
        texts = len(others) - numbers
        line = [f'<th scope="row">{html(first)}</th>']
        line += [f"<td>{html(cell)}</td>" for cell in others[:texts]]
        line += [f'<td class="number">{html(cell)}</td>' for cell in others[texts:]]
        lines.append(f"<tr>{''.join(line)}</tr>")
    top = ""
    if head:
        text = [f'<th scope="col">{html(one)}</th>' for one in head[: len(head) - numbers]]
        text += [f'<th scope="col" class="number">{html(one)}</th>'
                 for one in head[len(head) - numbers :]]  # fmt: skip
        top = f"<thead><tr>{''.join(text)}</tr></thead>\n"
    body = "\n".join(lines)
    return Html(
        f'<div class="table"><table>\n<caption>{html(caption)}</caption>\n{top}'
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def picture(axes: Any, alt: str, caption: str) -> Html:
    """A figure with its alternative text and a caption.

    The picture is an ``img`` with a ``data:`` URL, in which no script can run, whatever the names
    in the picture contain.
    """
    width, height = np.ravel(axes)[0].figure.get_size_inches()
    content = base64.b64encode(picture_bytes(axes)).decode()
    wide = width > _MOST_WIDE
    scrolled = f' tabindex="0" role="region" aria-label="{html(alt)}"' if wide else ""
    return Html(
        f'<figure>\n<div class="scroll{" wide" if wide else ""}"{scrolled}>'
        f'<img alt="{html(alt)}" width="{width * 96:.0f}" height="{height * 96:.0f}" '
        f'style="min-width: min({width * 96:.0f}px, 36rem)" '
        f'src="data:image/svg+xml;base64,{content}"></div>\n'
        f"<figcaption>{html(caption)}</figcaption>\n</figure>"
    )


def page(title: str, lead: str, sections: Sequence[tuple[str, Html]], foot: str) -> str:
    """The whole page: a title, a line below it, the sections with their headings, and a footer."""
    links = join(
        Html(f'<li><a href="#part{i}">{html(heading)}</a></li>')
        for i, (heading, _) in enumerate(sections)
    )
    body = join(
        Html(
            f'<section aria-labelledby="part{i}">\n<h2 id="part{i}">{html(heading)}</h2>\n'
            f"{content}\n</section>"
        )
        for i, (heading, content) in enumerate(sections)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html(title)}</title>
<link rel="icon" href="data:,">
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>{html(title)}</h1>
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
