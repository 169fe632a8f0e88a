"""What each feature contributes to the distances by which rows are sent."""

import pandas as pd

from pycdf.explain.fitted import Fit, feature_names, model_of
from pycdf.forest.contributions import model_contributions
from pycdf.support.wording import shown


def contribution_table(fit: Fit) -> pd.Series:
    """Compute what each feature contributes to the distances that decide.

    The squared distance between two class centroids of a node is a sum over the node's features. A
    feature contributes its share of that sum; nodes count as much as they separate the classes
    (decrease of Gini impurity), and pairs of classes by their rows. It needs no rows and no random
    numbers: everything is in the forest. With ``distance="standardized"`` the features are divided
    by their spreads in the node, and with "manhattan" the differences are not squared; other
    distances are not such sums, and raise an error.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.

    Returns
    -------
    Series
        The shares, the largest first, indexed by the names of the features. They sum to 1, or are
        all 0 if no split separates anything.

    Notes
    -----
    :func:`selection_table` counts selections, whatever they decide: a column with large numbers
    that is selected rarely may outweigh all others. Contribution shows what decides, not whether
    the decisions are right on new rows; :func:`permutation_importance` does, and needs the training
    rows. Features that carry the same information share their contribution.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import contribution_table
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> contribution_table(fit).head(3).round(3).to_dict()
    {'x89': 0.103, 'x253': 0.087, 'x108': 0.072}
    """
    names = feature_names(fit)
    model = model_of(fit)
    shares = model_contributions(model)
    if shares is None:
        raise ValueError(
            f"the distance {shown(model.options['distance'])} is not a sum over features, so no "
            "feature has a part of its own: see permutation_importance, which needs the training "
            "rows, or selection_table."
        )
    table = pd.Series(shares, index=names, name="contribution")
    return table.sort_values(ascending=False, kind="stable")
