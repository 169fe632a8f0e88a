"""How often a forest selected each feature, and whether that says anything."""

import pandas as pd

from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.forest import selection_notes, voting


def selection_table(fit: Fit) -> pd.Series:
    """Compute each feature's share of all selections: R's ``feature_importance``, sorted.

    With few columns it is pure chance: see :func:`selection_note`. What the features contribute to
    the decisions is in :func:`contribution_table`.

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


def selection_note(fit: Fit, *, command_line: bool = False) -> str | None:
    """Say when the number of times that features were selected is chance.

    Nodes draw ``mtry`` features at random and select the ``k`` best. With up to 37 columns R's
    default k is not less than its default mtry: nodes then select all that they draw, and R's
    ``feature_importance`` only says what was drawn.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    command_line : bool, default=False
        Whether the text names options of the command line (``--k 3``) instead of parameters.

    Returns
    -------
    str or None
        What to know before reading anything into the selections, and what to do about it: that no
        feature was selected; that all of the counts, or most of their variance, are chance; or that
        half of the splits or more could not score any feature. None if nothing of this is the case.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import selection_note
    >>> X, y = load_darwin()
    >>> selection_note(CDFClassifier(ntrees=50, seed=1).fit(X, y)) is None
    True
    >>> few = CDFClassifier(ntrees=50, seed=1).fit(X.iloc[:, :30], y)
    >>> selection_note(few).split(":")[0]
    'How often a feature was selected is pure chance here'
    """
    return selection_notes.selection_note(model_of(fit), command_line)
