"""Links from the reference to other projects' documentation.

Sphinx's intersphinx looks addresses up in inventories that it downloads. This site is built without
network access, and few names need it, so they are listed here.
"""

from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

PYTHON = "https://docs.python.org/3/library/"
NUMPY = "https://numpy.org/doc/stable/reference/"
PANDAS = "https://pandas.pydata.org/docs/reference/api/"

ADDRESSES = {
    **{name: f"{PYTHON}functions.html#{name}" for name in ("bool", "float", "int")},
    **{name: f"{PYTHON}stdtypes.html#{name}" for name in ("bytes", "dict", "list", "str", "tuple")},
    **{
        name: f"{PYTHON}exceptions.html#{name}"
        for name in ("KeyError", "TypeError", "UserWarning", "ValueError")
    },
    "None": f"{PYTHON}constants.html#None",
    "os.PathLike": f"{PYTHON}os.html#os.PathLike",
    "pathlib.Path": f"{PYTHON}pathlib.html#pathlib.Path",
    "numpy.ndarray": f"{NUMPY}generated/numpy.ndarray.html",
    "numpy.random.RandomState": f"{NUMPY}random/legacy.html#numpy.random.RandomState",
    **{f"pandas.{name}": f"{PANDAS}pandas.{name}.html" for name in ("DataFrame", "Series")},
    "matplotlib.axes.Axes": "https://matplotlib.org/stable/api/_as_gen/matplotlib.axes.Axes.html",
    "array-like": "https://scikit-learn.org/stable/glossary.html#term-array-like",
}
# What docstrings call these, and words in them that are no names.
ALIASES = {
    "DataFrame": ":class:`pandas.DataFrame`",
    "Series": ":class:`pandas.Series`",
    "ndarray": ":class:`numpy.ndarray`",
    "RandomState": ":class:`numpy.random.RandomState`",
    "Axes": ":class:`matplotlib.axes.Axes`",
    "Path": ":class:`pathlib.Path`",
    "path-like": ":class:`path-like <os.PathLike>`",
    "array-like": ":class:`array-like`",
    "CDFClassifier": ":class:`pycdf.CDFClassifier`",
    "CDFResult": ":class:`pycdf.CDFResult`",
    "RStream": ":class:`pycdf.RStream`",
    "Comparison": ":class:`pycdf.Comparison`",
    "Note": ":class:`pycdf.Note`",
    "Model": ":class:`pycdf.forest.model.Model`",
    "Stability": ":class:`pycdf.explain.Stability`",
}


def link(_: Sphinx, __: Any, node: pending_xref, text: nodes.TextElement) -> nodes.reference | None:
    """Make a link of a name that no page of this site defines, if its address is known."""
    address = ADDRESSES.get(node["reftarget"])
    if address is None:
        return None
    return nodes.reference("", "", text, internal=False, refuri=address)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("missing-reference", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
