"""``plot_tree``: one tree of a forest as the paper draws it.

In go a fit and the number of a tree; out come matplotlib Axes. A node that is split is a table: a
column for each class with its centroid on the selected features. From the foot of a column a band
in the class's colour, as wide as the share of rows that are nearest to that centroid, leads to the
node where they go. Boxes are as large as their measured text (:mod:`pycdf.plots.node_box`) and stand
where :mod:`pycdf.plots.tree_picture` puts them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pycdf.explain.arguments import whole
from pycdf.explain.evidence import split_evidence
from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.plots.nodes import Node, read_tree
from pycdf.plots.style import check_axes, class_look, new_axes, shorten_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = 24  # characters of a feature's name
_MANY = 200  # boxes that are worth a try
_WIDE = 45 * 72.0  # points: a wider picture is no longer read


def plot_tree(
    fit: Fit,
    tree: int = 0,
    *,
    max_features: int | None = 8,
    decimals: int | None = None,
    max_depth: int | None = None,
    X: Any = None,
    y: Any = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw one tree: its nodes' features and class centroids, its branches and its leaves.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
    tree : int, default=0
        Which tree, counted from 0.
    max_features : int or None, default=8
        How many features a node lists, the best first; the rest are counted. None lists all.
    decimals : int or None, default=None
        Decimals of the centroids; None takes for each feature as many as tell its classes apart.
    max_depth : int or None, default=None
        Nodes below this depth are folded; None folds what would make the picture
        wider than 45 inches.
    X, y : the rows and labels of training, in their order, or None
        With them each feature has its adjusted p-value (:func:`pycdf.explain.split_evidence`, whose
        notes tell how far it can be trusted).
    ax : matplotlib Axes or None, default=None
        Where to draw; the drawing, text too, is scaled to fit. None makes a figure that is as large
        as the tree needs.

    Returns
    -------
    matplotlib Axes
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
    sample = "bootstrap" if model.options.get("bootstrap", True) else "training"
    title = f"Tree {tree} of {forest.n_trees:,}: {nodes[0].rows:,} {sample} rows"
    p_values = _p_values(fit, tree, X, y)
    for depth in _depths(nodes, max_depth):
        picture = TreePicture(
            [node for node in nodes if node.depth <= depth],
            look, dict(zip(used, names, strict=True)), most, decimals, title, p_values,
        )  # fmt: skip
        if max_depth is not None or picture.width <= _WIDE:
            break
    ax = new_axes(ax, picture.inches())
    picture.draw(ax)
    return ax


def _p_values(fit: Fit, tree: int, X: Any, y: Any) -> dict[tuple[int, int], float]:
    """The adjusted p-value of each feature, by node and rank; none without the training rows."""
    if X is None and y is None:
        return {}
    if X is None or y is None:
        raise TypeError("X and y go together: pass both for p-values, or neither.")
    found = split_evidence(fit, X, y, tree)
    places = zip(found["node"].tolist(), found["rank"].tolist(), strict=True)
    return dict(zip(places, found["p_adjusted"].tolist(), strict=True))


def _depths(nodes: Sequence[Node], max_depth: int | None) -> list[int]:
    """The depths to which the tree may be drawn, the one to try first ahead."""
    if max_depth is not None:
        return [max_depth]
    depths = [node.depth for node in nodes]
    levels = range(1, max(depths) + 1)
    few = [level for level in levels if sum(depth <= level for depth in depths) <= _MANY]
    return few[::-1] or [min(1, max(depths))]
