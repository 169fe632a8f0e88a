"""How Sphinx makes the site of these pages: ``nox -s docs``. Nothing is fetched from a network."""

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "tools"))  # the extensions below

from sphinx.application import Sphinx  # noqa: E402

import pycdf  # noqa: E402

project = "pycdf"
author = "The pycdf contributors"
release = version = pycdf.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "formulas",
    "pictures",
]
exclude_patterns = ["tools"]
root_doc = "index"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3  # headings can be linked as on hosts of code
html_math_renderer = "outlines"

autodoc_typehints = "none"  # the docstrings say what goes in and what comes out
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"pycdf {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False

# The sidebar. It is not in index.md, which hosts of code show as it stands.
CHAPTERS = {
    "Use": ["for-r-users", "estimator", "gallery", "command-line", "model-files", "experiment"],
    "Know": ["algorithm", "parity", "differences", "performance", "scaling"],
    "Look up": ["api", "versioning"],
    "Contribute": ["architecture"],
}


def add_sidebar(_: Sphinx, page: str, source: list[str]) -> None:
    """Give the first page its tables of contents."""
    if page == root_doc:
        for caption, pages in CHAPTERS.items():
            lines = "\n".join(pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def break_long_names(_: Sphinx, page: str, template: str, context: Any, doctree: Any) -> None:
    """Let long names in tables break, so that they do not squeeze their neighbours."""
    context["body"] = re.sub(
        r'<span class="pre">([\w./]{20,}::\w+)</span>',
        lambda found: "<span>" + re.sub(r"/|::|_", r"\g<0><wbr>", found[1]) + "</span>",
        context.get("body", ""),
    )


ATTRIBUTES: dict[str, list[str]] = {}


def keep_attribute(_: Sphinx, what: str, name: str, thing: Any, how: Any, lines: list[str]) -> None:
    """Napoleon takes what stands before a colon in an attribute's docstring for its type..."""
    if what in ("attribute", "property"):
        ATTRIBUTES[name] = lines.copy()


def give_back(_: Sphinx, what: str, name: str, thing: Any, how: Any, lines: list[str]) -> None:
    """... so the docstring is put back as it was."""
    lines[:] = ATTRIBUTES.pop(name, lines)


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", add_sidebar)
    app.connect("html-page-context", break_long_names)
    app.connect("autodoc-process-docstring", keep_attribute, priority=400)
    app.connect("autodoc-process-docstring", give_back, priority=600)
