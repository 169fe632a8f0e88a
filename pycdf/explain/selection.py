"""How often a forest selected each feature."""

import pandas as pd

from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.forest import voting


def selection_table(fit: Fit) -> pd.Series:
    """The share of all selections of each feature, most first: R's ``feature_importance``."""
    forest = model_of(fit).forest
    names = feature_names(fit)
    shares = pd.Series(voting.importance(forest, len(names)), index=names, name="importance")
    return shares.sort_values(ascending=False, kind="stable")
