"""``plot_tree``: one tree of a forest in the style of the paper.

A split node is a table with a column for each class: its centroid on the selected features. From
the bottom of a column, a band in the colour of the class leads to the child node; its width is the
share of rows that are nearest to that centroid. Boxes are as large as their measured text
(:mod:`pycdf.plots.node_box`), and :mod:`pycdf.plots.tree_picture` arranges them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pycdf.explain.arguments import whole
from pycdf.explain.evidence import split_evidence
from pycdf.explain.fitted import Classes, Fit, Rows, feature_names, model_of
from pycdf.forest.summary import leaf_note, other_rules_text
from pycdf.plots.nodes import Node, read_tree
from pycdf.plots.style import check_axes, class_look, new_axes, shorten_all
from pycdf.support.wording import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = 24  # maximum characters of a feature name
_MANY = 200  # boxes above which a depth is not tried
_WIDE = 45 * 72.0  # points; a wider picture is unreadable


def plot_tree(
    fit: Fit,
    tree: int = 0,
    *,
    max_features: int | None = 8,
    decimals: int | None = None,
    max_depth: int | None = None,
    X: Rows | None = None,
    y: Classes | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw one tree with its features, class centroids, branches and leaves.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    tree : int, default=0
        The number of the tree, counted from 0.
    max_features : int or None, default=8
        How many features to list per node, the best first; the others are counted. None lists all.
    decimals : int or None, default=None
        Number of decimals of the centroids. None uses, for each feature, as many as are needed to
        distinguish its classes.
    max_depth : int or None, default=None
        Nodes below this depth are folded. None folds those that would make the picture wider than
        45 inches.
    X, y : array-like or None, default=None
        The training rows and their labels, in their original order. If they are given, each feature
        is shown with its adjusted p-value; the notes of :func:`pycdf.explain.split_evidence` say
        how far it can be trusted.
    ax : matplotlib Axes or None, default=None
        The axes to draw on; the drawing, including its text, is scaled to fit. None makes a figure
        as large as the tree needs.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.plots import plot_tree
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> ax = plot_tree(fit, 2)
    >>> ax.get_title(loc="left")
    'Tree 2 of 10: 174 bootstrap rows'
    """
    model = model_of(fit)
    tree = whole(tree, "tree", 0, model.forest.n_trees - 1, ", a tree of the forest")
    most = None if max_features is None else whole(max_features, "max_features", 1)
    if decimals is not None:
        decimals = whole(decimals, "decimals", 0, 15)
    if max_depth is not None:
        max_depth = whole(max_depth, "max_depth", 0)
    check_axes(ax)
    from pycdf.plots.tree_picture import TreePicture  # imports matplotlib

    forest, look = model.forest, class_look(model.classes)
    nodes = read_tree(forest, tree, look.order)
    used = sorted({feature for node in nodes for feature in node.features})
    names = shorten_all(feature_names(fit)[used].tolist(), _NAME)
    sample = "bootstrap" if model.options["bootstrap"] else "training"
    title = f"Tree {tree} of {forest.n_trees:,}: {plural(nodes[0].rows, f'{sample} row')}"
    if rules := other_rules_text(model.options):
        title += f" ({rules})"
    p_values = _p_values(fit, tree, X, y)
    for depth in _depths(nodes, max_depth):
        picture = TreePicture(
            [node for node in nodes if node.depth <= depth],
            look, dict(zip(used, names, strict=True)), most, decimals, title, p_values,
            model.scaling is not None, leaf_note(model.options),
        )  # fmt: skip
        if max_depth is not None or picture.width <= _WIDE:
            break
    ax = new_axes(ax, picture.inches())
    picture.draw(ax)
    return ax


def _p_values(
    fit: Fit, tree: int, X: Rows | None, y: Classes | None
) -> dict[tuple[int, int], float]:
    """The adjusted p-values by node and rank; empty without the training rows."""
    if X is None and y is None:
        return {}
    if X is None or y is None:
        raise TypeError("X and y belong together: pass both for p-values, or neither.")
    found = split_evidence(fit, X, y, tree)
    keys = zip(found["node"].tolist(), found["rank"].tolist(), strict=True)
    return dict(zip(keys, found["p_adjusted"].tolist(), strict=True))


def _depths(nodes: Sequence[Node], max_depth: int | None) -> list[int]:
    """The depths to which the tree may be drawn, in the order of trying."""
    if max_depth is not None:
        return [max_depth]
    depths = [node.depth for node in nodes]
    levels = range(1, max(depths) + 1)
    few = [level for level in levels if sum(depth <= level for depth in depths) <= _MANY]
    return few[::-1] or [min(1, max(depths))]
