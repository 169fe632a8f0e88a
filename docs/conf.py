"""Configuration of Sphinx, which builds the site (``nox -s docs``) without network access."""

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "tools"))  # the extensions below

import elsewhere  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

import pycdf  # noqa: E402

project = "pycdf"
author = "The pycdf contributors"
release = version = pycdf.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "elsewhere",
    "formulas",
    "pictures",
]
exclude_patterns = ["tools"]
root_doc = "index"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3  # headings have the same anchors as on code hosting sites
html_math_renderer = "outlines"

autodoc_typehints = "none"  # the docstrings state the types
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_preprocess_types = True
napoleon_type_aliases = elsewhere.ALIASES
nitpicky = True  # a name that nothing defines is a warning,
nitpick_ignore_regex = [  # but not the words around names in the type of a parameter
    (
        "py:class",
        r".*[^\w.].*|\d.*|AnnData|collection|default|function|iterable|number|sequence|shape|these",
    ),
    ("py:class", "shape|these|uint32"),
    ("py:obj", "True|False"),
]

html_theme = "furo"
html_title = f"pycdf {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False

# The sidebar. It is not in index.md, which code hosting sites show unchanged.
CHAPTERS = {
    "Guides": [
        "tutorial",
        "for-r-users",
        "estimator",
        "imbalance",
        "gallery",
        "command-line",
        "model-files",
        "compare",
        "experiment",
    ],
    "Background": ["algorithm", "laboratory", "parity", "differences", "performance", "scaling"],
    "Reference": ["api", "commands", "changelog", "versioning"],
    "Contributing": ["architecture"],
}


def add_sidebar(_: Sphinx, page: str, source: list[str]) -> None:
    """Add the tables of contents to the first page, and to a page that has a folder of pages."""
    chapters = dict(CHAPTERS) if page == root_doc else {}
    if below := sorted((HERE / page).glob("*.md")):
        chapters[""] = [f"{page}/{one.stem}" for one in below]
    for caption, pages in chapters.items():
        option = f":caption: {caption}\n" if caption else ""
        lines = "\n".join(pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n{option}\n{lines}\n```\n"


def break_long_names(_: Sphinx, page: str, template: str, context: Any, doctree: Any) -> None:
    """Allow line breaks in long names in tables, so that other columns are not squeezed."""
    context["body"] = re.sub(
        r'<span class="pre">([\w./]{20,}::\w+)</span>',
        lambda found: "<span>" + re.sub(r"/|::|_", r"\g<0><wbr>", found[1]) + "</span>",
        context.get("body", ""),
    )


ATTRIBUTES: dict[str, list[str]] = {}


def keep_attribute(_: Sphinx, what: str, name: str, thing: Any, how: Any, lines: list[str]) -> None:
    """Napoleon mistakes the text before a colon in an attribute's docstring for its type..."""
    if what in ("attribute", "property"):
        ATTRIBUTES[name] = lines.copy()


def give_back(_: Sphinx, what: str, name: str, thing: Any, how: Any, lines: list[str]) -> None:
    """... so the original docstring is restored."""
    lines[:] = ATTRIBUTES.pop(name, lines)


def plain_help(_: Sphinx, __: Any, lines: list[str]) -> None:
    """Mark up help texts, which are plain text: examples as code, options as they are typed."""
    marked = []
    for line in lines:
        if line.startswith("|   "):
            marked.append(f"   {line[4:]}")
            continue
        text = re.sub(r"(?<![\w-])--[a-z][a-z-]*", r"``\g<0>``", line.replace("*", "\\*"))
        # A line that click must not join introduces the ones below it.
        marked += ["", f"{text[2:]}:", ""] if text.startswith("| ") else [text]
    lines[:] = marked


def setup(app: Sphinx) -> None:
    """Entry point for Sphinx."""
    app.connect("sphinx-click-process-description", plain_help)
    app.connect("source-read", add_sidebar)
    app.connect("html-page-context", break_long_names)
    app.connect("autodoc-process-docstring", keep_attribute, priority=400)
    app.connect("autodoc-process-docstring", give_back, priority=600)
