"""``CDFClassifier``: the same forest as ``CDF()``, as a scikit-learn estimator.

In go rows and labels that are clean by scikit-learn's rules (:mod:`pycdf.inputs.sklearn_rules` refuses the rest);
:mod:`pycdf.forest.training` grows the forest; out come answers for new rows. Inside, classes are numbered
in their order of appearance, as in R; :attr:`CDFClassifier.classes_` and everything in columns of
classes are sorted, as scikit-learn wants them.
"""

import os
import warnings
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from pycdf.base_r.collation import Collation
from pycdf.base_r.stream import RStream
from pycdf.fitted_forest import FittedForest
from pycdf.forest import voting
from pycdf.forest.growing import Streams
from pycdf.forest.model import Model
from pycdf.forest.training import add_trees, grow_model, read_form, starting_stream
from pycdf.forest.voting import out_of_bag_votes, shares, sorted_codes
from pycdf.inputs.checks import check_parameters, parameters_in_use
from pycdf.inputs.prepare import TrainingData
from pycdf.inputs.sklearn_rules import read_training
from pycdf.support.progress import ProgressBar

Floats = npt.NDArray[np.float64]
Spread = Literal["sample", "population"]


class CDFClassifier(FittedForest):
    """Centroid decision forest: R's ``CDF::CDF`` as a scikit-learn classifier.

    The same rows, labels, parameters and seed give the same forest as :func:`pycdf.CDF`, and so as
    R. NaN in ``X`` is a missing value.

    Parameters
    ----------
    ntrees : int, default=500
        Number of trees.
    depth : int, default=3
        Levels of splits; 0 makes every tree one leaf.
    mnode : int, default=3
        The smallest node that is split.
    k : int, default=None
        Features selected in a node. None is R's ``round(2 * log(p))`` of the p columns of X.
    mtry : int, default=None
        Features drawn in a node, among which the k are selected. None is R's ``round(0.2 * p)``.
    seed : int, RStream or None, default=None
        A whole number is R's ``set.seed``: every fit gives the same forest. An
        :class:`pycdf.RStream` goes on where it stands and is left where R's would be, so that a
        second fit gives another forest; a clone gets a copy of it. None is fresh randomness;
        ``model_.seed`` then tells the seed.
    collation : {"icu", "C"}, default="icu"
        How labels sort where a leaf's vote is tied: as R does in most locales, or by code point.
    spread : {"sample", "population"}, default="sample"
        The standard deviation in the class separability score: the R package's (divide by n - 1),
        or the paper's (divide by n).
    streams : {"r", "per_tree"}, default="r"
        Where randomness comes from: R's one stream, on which trees are grown one after the other,
        or a stream for each tree (:func:`pycdf.tree_seed`), so that they can be grown in parallel.
        The latter is another forest than R's, of the same accuracy.
    bootstrap : bool, default=True
        Whether a tree is grown on a bootstrap sample, as in R, or on all rows: with ``ntrees=1``
        that is the paper's single centroid decision tree.
    n_jobs : int, default=None
        Cores for prediction, and with ``streams="per_tree"`` for growing; -1 is all of them. None
        is one, or what ``joblib.parallel_config`` says. Answers are the same for any number.
    oob_score : bool, default=False
        Whether to estimate the accuracy from the trees that did not draw a row.
    warm_start : bool, default=False
        Whether ``fit`` adds trees to those that are there, up to ``ntrees``. The result is the same
        as if all were grown at once. Data and other parameters must be the same.
    progress : bool, default=False
        Whether a long fit shows trees done and time left, on stderr if that is a terminal.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns in training.
    feature_names_in_ : ndarray of strings
        Their names, where all of them are strings.
    model_ : pycdf.forest.model.Model
        The forest, with the classes in order of appearance, the columns it uses (``kept``) and the
        parameters in use.
    oob_score_ : float
        Accuracy on the training rows by out-of-bag votes, over rows that have any; only with
        ``oob_score=True``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Shares of the out-of-bag votes; NaN for rows that every tree drew; only with
        ``oob_score=True``.

    See Also
    --------
    pycdf.CDF : R's one call, with R's cleaning of the inputs.

    Notes
    -----
    A tie among the trees' votes goes to the class that came first in training, as in R, and a tie
    in a leaf to the label that sorts first. ``predict_proba`` gives the losers of a tie one unit in
    the last place less than the winner, so that its maximum is the prediction.

    ``fit`` takes no ``sample_weight``: the method has none, and a row of weight 2 could not be the
    same as a row given twice, since the bootstrap draws as many rows as there are.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> X, y = load_darwin()
    >>> model = CDFClassifier(ntrees=50, seed=2025).fit(X[::2], y[::2])
    >>> round(model.score(X[1::2], y[1::2]), 3)
    0.874
    """

    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    oob_score_: float
    oob_decision_function_: Floats

    def __init__(
        self,
        ntrees: int = 500,
        depth: int = 3,
        mnode: int = 3,
        k: int | None = None,
        mtry: int | None = None,
        seed: int | RStream | None = None,
        *,
        collation: Collation = "icu",
        spread: Spread = "sample",
        streams: Streams = "r",
        bootstrap: bool = True,
        n_jobs: int | None = None,
        oob_score: bool = False,
        warm_start: bool = False,
        progress: bool = False,
    ) -> None:
        self.ntrees = ntrees
        self.depth = depth
        self.mnode = mnode
        self.k = k
        self.mtry = mtry
        self.seed = seed
        self.collation = collation
        self.spread = spread
        self.streams = streams
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.progress = progress

    @classmethod
    def from_model(cls, model: Model) -> Self:
        """The fitted estimator of a model, such as one that was read from a file.

        Parameters
        ----------
        model : pycdf.forest.model.Model

        Returns
        -------
        CDFClassifier
            Its k and mtry are the numbers in use; with ``warm_start=True`` it can grow on.
        """
        parameters: dict[str, Any] = {**model.parameters}
        estimator = cls(
            **parameters,
            seed=model.seed,
            collation=model.options["collation"],
            spread="sample" if model.options["ddof"] else "population",
            streams=model.options["streams"],
            bootstrap=model.options["bootstrap"],
        )
        estimator.set_model(model)
        estimator.n_features_in_ = model.n_features
        if model.feature_names is not None:
            estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
        return estimator

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the forest; with ``warm_start=True``, grow on.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Numbers; NaN is missing, infinity is refused. Columns without variation play no part.
            A NumPy array of whole numbers of 32 bits is R's integer matrix, as in ``CDF()``.
        y : array-like of shape (n_rows,)
            Labels of two classes or more; none may be missing or blank.

        Returns
        -------
        self
        """
        values = self.get_params(deep=False)
        check_parameters(values)
        going_on = self.warm_start and hasattr(self, "model_")
        data = read_training(self, X, y, not going_on, self.n_jobs)
        used = parameters_in_use(values, data.n_features, len(data.kept))
        form = read_form(values)
        with ProgressBar() as bar:
            report = bar if self.progress else None
            if going_on:
                self._check_seed()
                model = add_trees(self.model_, data, used, form, self.n_jobs, report)
            else:
                stream = starting_stream(self.seed, self.streams)
                model = grow_model(data, used, form, stream, self.n_jobs, report)
        if going_on and model is self.model_:
            text = f"all {used['ntrees']} trees are there: raise ntrees to add some."
            warnings.warn(text, UserWarning, stacklevel=2)
        self.set_model(model)
        if self.oob_score:
            self._score_out_of_bag(data)
        return self

    # ---- inside ----------------------------------------------------------------------------------

    def _check_seed(self) -> None:
        """A warm start goes on with the forest's own stream: another seed would be ignored."""
        began = self.model_.seed
        if self.seed is not None and not isinstance(self.seed, RStream) and self.seed != began:
            raise ValueError(
                f"seed={self.seed}, and the forest began with {began}: with warm_start=True its "
                f"stream goes on. Pass seed={began} or None, or set warm_start=False."
            )

    def _score_out_of_bag(self, data: TrainingData) -> None:
        counted = out_of_bag_votes(self.model_.forest, data.columns, self.n_jobs)
        self.oob_decision_function_ = shares(counted)[:, sorted_codes(self.model_.classes)]
        voted = counted.any(axis=1)
        right = voting.winners(counted) == data.codes
        self.oob_score_ = float(right[voted].mean()) if voted.any() else float("nan")


def load(path: str | os.PathLike[str]) -> CDFClassifier:
    """Read a model that :meth:`CDFClassifier.save` wrote; the estimator is fitted.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    CDFClassifier
    """
    from pycdf.files.model import load_model

    return CDFClassifier.from_model(load_model(path))
