"""All measures of importance side by side."""

import numpy as np
import pandas as pd

from pycdf.base_r.stream import RStream
from pycdf.explain.arguments import check_pair
from pycdf.explain.fitted import Classes, Fit, Rows, feature_names, model_of
from pycdf.explain.permutation import measured_losses
from pycdf.forest import voting
from pycdf.forest.contributions import model_contributions
from pycdf.forest.scale_notes import scale_note
from pycdf.forest.selection_notes import selection_note
from pycdf.support.options import in_python


def importance_table(
    fit: Fit,
    X: Rows | None = None,
    y: Classes | None = None,
    *,
    n_repeats: int = 5,
    seed: int | RStream | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> pd.DataFrame:
    """List what features contribute, how often they were selected, and what shuffling them costs.

    Parameters
    ----------
    fit : CDFClassifier, CDFResult or Model
        A fitted forest.
    X : DataFrame, array-like or None, default=None
        The training rows, in their original order, for permutation importance.
    y : array-like or None, default=None
        The labels of the training rows.
    n_repeats : int, default=5
        How often each feature is shuffled in each tree.
    seed : int, RStream or None, default=None
        Seed of the shuffles, or the stream to draw them from. None starts from fresh randomness.
    n_jobs : int or None, default=None
        Number of cores, as in :func:`permutation_importance`.
    progress : bool, default=False
        Whether to show the trees done and the time left, in a terminal or a notebook.

    Returns
    -------
    DataFrame
        One row per feature of the forest, the one that contributes most first, indexed by
        ``feature``, with the columns ``contribution`` (:func:`contribution_table`), ``selection``
        (:func:`selection_table`, R's ``feature_importance``) and, if X and y are given,
        ``permutation`` with its 95 % interval from ``low`` to ``high``
        (:func:`permutation_importance`). If the forest's distance is not a sum over features,
        ``contribution`` is NaN, and the table is sorted by permutation or selection.
        ``attrs["notes"]`` has what is to be known before reading it, as a list of texts: when
        selections are chance (:func:`selection_note`), and when a few columns decide because their
        numbers are large (:func:`scale_note`).

    See Also
    --------
    selection_note : Says when selections are chance.
    scale_note : Says when columns with large numbers decide.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.explain import importance_table
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> importance_table(fit, X, y, seed=1).head(3).round(3)
             contribution  selection  permutation    low   high
    feature
    x89             0.103      0.011       -0.002 -0.014  0.010
    x253            0.087      0.010        0.022  0.012  0.033
    x108            0.072      0.008        0.020  0.009  0.030
    """
    check_pair(X, y)
    model = model_of(fit)
    names = pd.Index(feature_names(fit), name="feature")
    measures = {
        "contribution": np.nan if (shares := model_contributions(model)) is None else shares,
        "selection": voting.importance(model.forest, len(names)),
    }
    table = pd.DataFrame(measures, index=names)
    if X is not None and y is not None:
        losses = measured_losses(
            fit, X, y, n_repeats=n_repeats, seed=seed, n_jobs=n_jobs, progress=progress
        )
        table[["permutation", "low", "high"]] = losses[["importance", "low", "high"]].to_numpy()
    first = "permutation" if "permutation" in table else "selection"
    first = first if shares is None else "contribution"
    table = table.sort_values(first, ascending=False, kind="stable")
    notes = (selection_note(model, not in_python()), scale_note(model, names.tolist()))
    table.attrs["notes"] = [note for note in notes if note is not None]
    return table
