"""Pictures of a fitted forest, drawn with matplotlib (``pip install matplotlib``).

Every function accepts a fitted :class:`pycdf.CDFClassifier`, the result of :func:`pycdf.CDF` or a
model and, if the plot needs them, rows and labels. It draws on the axes passed as ``ax``, or on a
new figure of suitable size, and returns the axes. matplotlib is imported when the first plot is
drawn.
"""

from typing import TYPE_CHECKING

from pycdf.support.lazy import attach

if TYPE_CHECKING:
    from pycdf.plots.centroids import plot_centroids
    from pycdf.plots.confusion import plot_confusion
    from pycdf.plots.coselection import plot_coselection
    from pycdf.plots.curves import plot_parameter_curves, plot_tree_curve
    from pycdf.plots.importance import plot_chance, plot_importance, plot_permutation
    from pycdf.plots.probabilities import plot_probabilities
    from pycdf.plots.proximity import plot_proximity
    from pycdf.plots.stability import plot_stability
    from pycdf.plots.tree import plot_tree

__all__ = [
    "plot_centroids",
    "plot_chance",
    "plot_confusion",
    "plot_coselection",
    "plot_importance",
    "plot_parameter_curves",
    "plot_permutation",
    "plot_probabilities",
    "plot_proximity",
    "plot_stability",
    "plot_tree",
    "plot_tree_curve",
]

# A type checker would accept any name if it saw __getattr__.
if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "centroids": ("plot_centroids",),
            "confusion": ("plot_confusion",),
            "coselection": ("plot_coselection",),
            "curves": ("plot_parameter_curves", "plot_tree_curve"),
            "importance": ("plot_chance", "plot_importance", "plot_permutation"),
            "probabilities": ("plot_probabilities",),
            "proximity": ("plot_proximity",),
            "stability": ("plot_stability",),
            "tree": ("plot_tree",),
        },
    )
