"""Numbers about a fitted forest: its splits, features and rows, as tables and text.

Every function accepts a fitted :class:`pycdf.CDFClassifier`, the result of :func:`pycdf.CDF` or a
model, and returns arrays, DataFrames or text. :mod:`pycdf.plots` draws them.
"""

from typing import TYPE_CHECKING

from pycdf.support.lazy import attach

if TYPE_CHECKING:
    from pycdf.explain.chance import selection_chance
    from pycdf.explain.column_scales import scale_note, scaling_table
    from pycdf.explain.confusion_matrix import confusion
    from pycdf.explain.contribution import contribution_table
    from pycdf.explain.curves import parameter_curves
    from pycdf.explain.evidence import split_evidence
    from pycdf.explain.importance import importance_table
    from pycdf.explain.leaves import embedding, proximity
    from pycdf.explain.pairs import coselected_pairs, coselection
    from pycdf.explain.permutation import permutation_importance
    from pycdf.explain.probabilities import calibration, roc
    from pycdf.explain.profiles import Profiles, class_profiles
    from pycdf.explain.quality import performance
    from pycdf.explain.row_answers import row_table
    from pycdf.explain.seeds import Stability, stability
    from pycdf.explain.selection import selection_note, selection_table
    from pycdf.explain.text import export_text
    from pycdf.explain.tree_curves import tree_curve

__all__ = [
    "Profiles",
    "Stability",
    "calibration",
    "class_profiles",
    "confusion",
    "contribution_table",
    "coselected_pairs",
    "coselection",
    "embedding",
    "export_text",
    "importance_table",
    "parameter_curves",
    "performance",
    "permutation_importance",
    "proximity",
    "roc",
    "row_table",
    "scale_note",
    "scaling_table",
    "selection_chance",
    "selection_note",
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
            "column_scales": ("scale_note", "scaling_table"),
            "confusion_matrix": ("confusion",),
            "contribution": ("contribution_table",),
            "curves": ("parameter_curves",),
            "evidence": ("split_evidence",),
            "importance": ("importance_table",),
            "leaves": ("embedding", "proximity"),
            "pairs": ("coselected_pairs", "coselection"),
            "permutation": ("permutation_importance",),
            "probabilities": ("calibration", "roc"),
            "profiles": ("Profiles", "class_profiles"),
            "quality": ("performance",),
            "row_answers": ("row_table",),
            "seeds": ("Stability", "stability"),
            "selection": ("selection_note", "selection_table"),
            "text": ("export_text",),
            "tree_curves": ("tree_curve",),
        },
    )
