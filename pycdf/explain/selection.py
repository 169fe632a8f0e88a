"""How often a forest selected each feature."""

import pandas as pd

from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.forest import voting


def selection_table(fit: Fit) -> pd.Series:
    """Compute each feature's share of all selections: R's ``feature_importance``, sorted.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.

    Returns
    -------
    Series
        The shares, the largest first, indexed by the names of the features.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import selection_table
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> selection_table(fit).head(3).round(3).to_dict()
    {'x271': 0.014, 'x408': 0.013, 'x89': 0.011}
    """
    forest = model_of(fit).forest
    names = feature_names(fit)
    shares = pd.Series(voting.importance(forest, len(names)), index=names, name="importance")
    return shares.sort_values(ascending=False, kind="stable")
