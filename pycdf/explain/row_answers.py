"""The answer of a forest for each labelled row: the wrong ones first, then the least sure."""

import numpy as np
import pandas as pd

from pycdf.explain.fitted import Classes, Fit, Rows
from pycdf.explain.row_votes import RowVotes, row_votes


def row_table(fit: Fit, X: Rows, y: Classes, *, out_of_bag: bool = False) -> pd.DataFrame:
    """List labelled rows with their votes: the wrong ones first, then the least sure.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame or array-like of shape (n_rows, n_features)
        Rows with the columns of the training data.
    y : array-like of shape (n_rows,)
        The labels of the rows.
    out_of_bag : bool, default=False
        Whether X are the training rows in their original order, to be predicted only by the trees
        that did not draw them. Rows that all trees drew are then left out.

    Returns
    -------
    DataFrame
        Indexed by ``row``, the position in X: ``true`` and ``predicted`` class; ``right``;
        ``share``, that of the votes for the predicted class; ``lead``, this share minus the largest
        of the other classes; ``trees`` that voted. Wrong predictions come first, those that most
        trees agree on at the top; then the right ones, with the smallest lead first.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import row_table
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X[::2], y[::2])
    >>> row_table(fit, X[1::2], y[1::2]).head(3)
        true predicted  right  share  lead  trees
    row
    3      P         H  False    0.9   0.8     10
    20     P         H  False    0.9   0.8     10
    21     P         H  False    0.9   0.8     10
    """
    return row_table_of(row_votes(fit, X, y, out_of_bag=out_of_bag))


def row_table_of(judged: RowVotes) -> pd.DataFrame:
    """The table of :func:`row_table`, from votes."""
    found, every = judged.found, np.arange(len(judged.codes))
    others = judged.votes.copy()
    others[every, found] = -1
    trees = np.rint(judged.votes.sum(axis=1)).astype(np.int64)  # soft votes are sums of shares
    own, next_one = judged.votes[every, found], others.max(axis=1)
    right = found == judged.codes
    table = pd.DataFrame(
        {
            "true": judged.classes[judged.codes],
            "predicted": judged.classes[found],
            "right": right,
            "share": own / trees,
            "lead": (own - next_one) / trees,
            "trees": trees,
        },
        index=pd.Index(judged.rows, name="row"),
    )
    return table.iloc[np.lexsort((every, np.where(right, 1, -1) * table["lead"], right))]
