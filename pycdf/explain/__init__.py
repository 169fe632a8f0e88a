"""Numbers about a fitted forest: its splits, features and rows, as tables and text.

Every function accepts a fitted :class:`pycdf.CDFClassifier`, the result of :func:`pycdf.CDF` or a
model, and returns arrays, DataFrames or text. :mod:`pycdf.plots` draws them.
"""

from typing import TYPE_CHECKING

from pycdf.support.lazy import attach

if TYPE_CHECKING:
    from pycdf.explain.chance import selection_chance
    from pycdf.explain.confusion_matrix import confusion
    from pycdf.explain.curves import parameter_curves, tree_curve
    from pycdf.explain.evidence import split_evidence
    from pycdf.explain.leaves import embedding, proximity
    from pycdf.explain.pairs import coselected_pairs, coselection
    from pycdf.explain.permutation import permutation_importance
    from pycdf.explain.profiles import Profiles, class_profiles
    from pycdf.explain.seeds import Stability, stability
    from pycdf.explain.selection import selection_table
    from pycdf.explain.text import export_text

__all__ = [
    "Profiles",
    "Stability",
    "class_profiles",
    "confusion",
    "coselected_pairs",
    "coselection",
    "embedding",
    "export_text",
    "parameter_curves",
    "permutation_importance",
    "proximity",
    "selection_chance",
    "selection_table",
    "split_evidence",
    "stability",
    "tree_curve",
]

# A type checker would accept any name if it saw __getattr__.
if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(
        __name__,
        {
            "chance": ("selection_chance",),
            "confusion_matrix": ("confusion",),
            "curves": ("parameter_curves", "tree_curve"),
            "evidence": ("split_evidence",),
            "leaves": ("embedding", "proximity"),
            "pairs": ("coselected_pairs", "coselection"),
            "permutation": ("permutation_importance",),
            "profiles": ("Profiles", "class_profiles"),
            "seeds": ("Stability", "stability"),
            "selection": ("selection_table",),
            "text": ("export_text",),
        },
    )
