"""Formulas of the pages as SVG, drawn by matplotlib when the site is built.

The pages contain TeX between dollar signs, which code hosting sites render themselves. Here it
becomes SVG inside the page, in the colour of the text; no script, font or network is needed.
"""

import html
import io
import re
from typing import Any

from docutils import nodes
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from sphinx.application import Sphinx

POINTS_PER_EM = 10  # TextPath is asked for this size, so a tenth of its numbers are ems
_PARSER = MathTextParser("path")
_FONT = FontProperties(math_fontfamily="stix", size=POINTS_PER_EM)


def svg(tex: str, display: bool) -> str:
    """One formula, aligned with the baseline of the text."""
    source = f"${tex}$"
    width, height, depth, *_ = _PARSER.parse(source, dpi=72, prop=_FONT)
    outline = TextPath((0, 0), source, prop=_FONT, usetex=False)
    box = outline.get_extents()
    left, right = min(0.0, box.x0), max(width, box.x1)
    low, high = min(-depth, box.y0), max(height - depth, box.y1)
    em = POINTS_PER_EM
    style = f"width:{(right - left) / em:.3f}em;height:{(high - low) / em:.3f}em"
    if not display:
        style += f";vertical-align:{low / em:.3f}em"
    return (
        f'<svg class="formula" role="img" aria-label="{html.escape(tex)}" '
        f'viewBox="{left:.2f} {-high:.2f} {right - left:.2f} {high - low:.2f}" style="{style}">'
        f'<path fill="currentColor" d="{_path_data(outline)}"/></svg>'
    )


def _path_data(outline: Path) -> str:
    """SVG's commands for an outline; its y grows downwards."""
    letter = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
    out = io.StringIO()
    for points, code in outline.iter_segments(curves=True, simplify=False):
        if code == Path.CLOSEPOLY:
            out.write("Z")
            continue
        pairs = points.reshape(-1, 2)
        out.write(letter[code] + " ".join(f"{x:.2f} {-y:.2f}" for x, y in pairs))
    return out.getvalue()


def _one_line(node: nodes.Element) -> str:
    return re.sub(r"\s+", " ", node.astext()).strip()


def _inline(self: Any, node: nodes.Element) -> None:
    self.body.append(svg(_one_line(node), display=False))
    raise nodes.SkipNode


def _block(self: Any, node: nodes.Element) -> None:
    self.body.append(f'<div class="formula">{svg(_one_line(node), display=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register this as Sphinx's renderer of formulas."""
    app.add_html_math_renderer("outlines", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
