"""``CDFClassifier``: the forest of ``CDF()`` as a scikit-learn estimator.

Rows and labels must be clean by scikit-learn's rules (:mod:`pycdf.inputs.sklearn_rules` checks
them); :mod:`pycdf.forest.training` grows the forest. The model numbers its classes in order of
first appearance, as R does; ``classes_`` and all columns of classes are sorted, as scikit-learn
requires.
"""

import warnings
from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from pycdf.base_r.collation import Collation
from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.stream import RStream
from pycdf.fitted_forest import FittedForest
from pycdf.forest.growing import Streams
from pycdf.forest.model import Model
from pycdf.forest.training import add_trees, grow_model, read_form, starting_stream
from pycdf.inputs.checks import check_parameters, is_whole, parameters_in_use
from pycdf.inputs.class_weights import ClassWeight, weights_by_label
from pycdf.inputs.foreign_names import explains_foreign_names
from pycdf.inputs.kinds import LabelList, Table
from pycdf.inputs.laboratory import R_RULES, Distance, Score, Vote
from pycdf.inputs.sklearn_rules import read_training
from pycdf.support.progress import ProgressBar

Floats = npt.NDArray[np.float64]
Spread = Literal["sample", "population"]


class CDFClassifier(FittedForest):
    """Centroid decision forest: R's ``CDF::CDF`` as a scikit-learn classifier.

    The same rows, labels, parameters and seed give the same forest as :func:`pycdf.CDF`, and
    therefore as R. NaN in ``X`` is a missing value.

    Parameters
    ----------
    ntrees : int, default=500
        Number of trees.
    depth : int, default=3
        Number of levels of splits. With 0 every tree is a single leaf.
    mnode : int, default=3
        Size of the smallest node that is split, in rows.
    k : int, float or None, default=None
        Number of features selected in a node. None is R's default ``round(2 * log(p))`` for the p
        columns of X. A float in (0, 1] is a share of these columns, rounded down but at least 1:
        1.0 is all of them, and 1 is one.
    mtry : int, float or None, default=None
        Number of features drawn in a node, from which the k are selected. None is R's default
        ``round(0.2 * p)``. A float is a share of the columns, as for k.
    seed : int, RStream or None, default=None
        An int has the effect of R's ``set.seed``: every fit gives the same forest. An
        :class:`pycdf.RStream` is used from its current position and left where R's stream would be,
        so that a second fit gives a different forest; a clone of the estimator gets a copy of the
        stream. None uses ``random_state`` or, if that is None too, fresh randomness;
        ``model_.seed`` holds the seed that was used.
    collation : {"icu", "C"}, default="icu"
        How labels sort when the vote of a leaf is tied: as R does in most locales, or by code
        point.
    spread : {"sample", "population"}, default="sample"
        The standard deviation in the class separability score: that of the R package (divide by
        n - 1) or that of the paper (divide by n).
    streams : {"r", "per_tree"}, default="r"
        Source of randomness: R's single stream, on which trees are grown one after the other, or
        one stream per tree (:func:`pycdf.tree_seed`), so that trees can be grown in parallel. The
        latter gives a different forest from R's, with the same accuracy.
    bootstrap : bool, default=True
        Whether a tree is grown on a bootstrap sample, as in R, or on all rows. ``ntrees=1`` without
        a bootstrap is the paper's single centroid decision tree.
    class_weight : {"balanced"}, dict or None, default=None
        How a bootstrap sample is drawn. None draws from all rows, as R does. Otherwise a sample has
        a fixed number of rows of each class, in proportion to the size of the class times its
        weight: the same number of all with "balanced", or by the weights of a dict from labels to
        numbers (1 for a label that it does not have). The total is the number of training rows.
    distance : str or function, default="euclidean"
        The distance from a row to a centroid: R's "euclidean", or "standardized", "manhattan",
        "cosine", a registered name or a function of your own (:mod:`pycdf.laboratory`).
    feature_score : str or function, default="css"
        The score by which features are selected: R's class separability score "css", or "welch",
        "f", "auc", a registered name or a function of your own.
    redundancy : float, default=0.0
        The part of its score, 0 (as in R) to 1, that a feature loses by correlation with another
        one that the node has selected already.
    vote : {"hard", "soft"}, default="hard"
        Whether a tree votes for the class of a leaf, as in R, or with the shares of its classes.
    n_jobs : int or None, default=None
        Number of cores for prediction, and with ``streams="per_tree"`` also for growing; -1 uses
        all cores. None means one, or the setting of ``joblib.parallel_config``. The result does not
        depend on it.
    oob_score : bool, default=False
        Whether to estimate the accuracy from out-of-bag votes, those of the trees that did not draw
        a row.
    warm_start : bool, default=False
        Whether ``fit`` adds trees to an existing forest, up to ``ntrees``. The result is the same
        as growing all trees at once. Data and other parameters must not change.
    progress : bool, default=False
        Whether a long fit shows the trees done and the time left, in a terminal or a notebook.
    random_state : int, RandomState or None, default=None
        scikit-learn's name for the source of randomness, which its meta-estimators set. It is used
        if ``seed`` is None: an int is a seed, and a RandomState draws one in every fit.
    scale : bool, default=False
        Whether columns are standardised: the mean of the training rows is subtracted, and the
        difference divided by their standard deviation, as R's ``scale()`` does. Rows to predict are
        scaled by the same numbers, which ``model_.scaling`` has. Missing values stay missing and do
        not count. Without it, columns with large numbers decide the distances.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    n_features_in_ : int
        Number of columns in the training data.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns. Only defined if all of them are strings.
    model_ : pycdf.forest.model.Model
        The forest, with the classes in order of appearance, the columns that it uses (``kept``) and
        the parameters in use.
    oob_score_ : float
        Accuracy of the out-of-bag votes on the training rows that have any. Only with
        ``oob_score=True``. It and the votes are saved with the model.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Shares of the out-of-bag votes; NaN for rows that every tree drew. Only with
        ``oob_score=True``.

    See Also
    --------
    pycdf.CDF : Train and predict in one call, with the inputs cleaned as R does.

    Notes
    -----
    A tie among the trees' votes goes to the class that appeared first in training, as in R, and a
    tie in a leaf to the label that sorts first. ``predict_proba`` gives the losers of a tie one
    unit in the last place less than the winner, so that its maximum is the prediction.

    ``fit`` has no ``sample_weight``: the method does not define weights, and a row of weight 2
    could not be equivalent to a repeated row, since the bootstrap draws as many rows as there are.

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

    @explains_foreign_names
    def __init__(
        self,
        ntrees: int = 500,
        depth: int = 3,
        mnode: int = 3,
        k: int | float | None = None,
        mtry: int | float | None = None,
        seed: int | RStream | None = None,
        *,
        collation: Collation = "icu",
        spread: Spread = "sample",
        streams: Streams = "r",
        bootstrap: bool = True,
        class_weight: ClassWeight = None,
        distance: Distance = "euclidean",
        feature_score: Score = "css",
        redundancy: float = 0.0,
        vote: Vote = "hard",
        n_jobs: int | None = None,
        oob_score: bool = False,
        warm_start: bool = False,
        progress: bool = False,
        random_state: int | np.random.RandomState | None = None,
        scale: bool = False,
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
        self.class_weight = class_weight
        self.distance = distance
        self.feature_score = feature_score
        self.redundancy = redundancy
        self.vote = vote
        self.n_jobs = n_jobs
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.progress = progress
        self.random_state = random_state
        self.scale = scale

    @classmethod
    def from_model(cls, model: Model) -> Self:
        """Make a fitted estimator from a model, such as one read from a file.

        Parameters
        ----------
        model : pycdf.forest.model.Model
            The model of a :class:`pycdf.CDFResult` or of another estimator.

        Returns
        -------
        CDFClassifier
            A fitted estimator whose k and mtry are the numbers in use. With ``warm_start=True`` it
            can add trees.

        Examples
        --------
        >>> from pycdf import CDF, CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDF(X, y, X[:1], ntrees=10, seed=1)
        >>> CDFClassifier.from_model(fit.model_)
        CDFClassifier(k=12, mtry=90, ntrees=10, seed=1)
        """
        parameters: dict[str, Any] = {**model.parameters}
        estimator = cls(
            **parameters,
            seed=model.seed,
            collation=model.options["collation"],
            spread="sample" if model.options["ddof"] else "population",
            streams=model.options["streams"],
            bootstrap=model.options["bootstrap"],
            class_weight=weights_by_label(model.options["class_weight"], model.classes),
            **{name: model.options[name] for name in R_RULES},
            oob_score=model.out_of_bag is not None,
            scale=model.options["scale"],
        )
        estimator.set_model(model)
        estimator.n_features_in_ = model.n_features
        if model.feature_names is not None:
            estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
        return estimator

    def fit(self, X: Table, y: LabelList) -> Self:
        """Grow the forest, or with ``warm_start=True`` add trees to it.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Training rows. NaN is a missing value; infinity raises an error. Columns that do not
            vary are ignored. A NumPy array of integers that fit in 32 bits is treated as R's
            integer matrix, as in ``CDF()``.
        y : array-like of shape (n_rows,)
            Labels of at least two classes, none of them missing or blank.

        Returns
        -------
        self : CDFClassifier
            The fitted estimator.

        Examples
        --------
        >>> from pycdf import CDFClassifier, load_darwin
        >>> X, y = load_darwin()
        >>> fit = CDFClassifier(ntrees=10, seed=1, oob_score=True).fit(X, y)
        >>> round(fit.oob_score_, 3)
        0.827
        """
        values = self.get_params(deep=False)
        check_parameters(values)
        adding = self.warm_start and hasattr(self, "model_")
        data = read_training(self, X, y, not adding, self.n_jobs, bool(self.scale))
        used = parameters_in_use(values, data.n_features, len(data.kept))
        form = read_form(values, data.classes)
        with ProgressBar(self.progress) as bar:
            if adding:
                self._check_seed()
                model = add_trees(self.model_, data, used, form, self.n_jobs, bar)
            else:
                stream = starting_stream(self._starting_seed(), self.streams)
                model = grow_model(data, used, form, stream, self.n_jobs, bar)
        if adding and model is self.model_:
            text = f"the forest already has {used['ntrees']} trees: raise ntrees to add some."
            warnings.warn(text, UserWarning, stacklevel=2)
        if self.oob_score:
            judged = model.judge_out_of_bag(data.columns, data.codes, self.n_jobs)
            model = replace(model, out_of_bag=judged)
        self.set_model(model)
        return self

    def _starting_seed(self) -> int | RStream | None:
        """The seed of a new forest; None for fresh randomness."""
        if self.seed is None and isinstance(self.random_state, np.random.RandomState):
            return int(self.random_state.randint(LARGEST_INTEGER))
        return self.random_state if self.seed is None else self.seed  # type: ignore[return-value]

    def _check_seed(self) -> None:
        """Refuse another seed: a warm start continues the forest's own stream."""
        began = self.model_.seed
        name = "random_state" if self.seed is None else "seed"
        seed = getattr(self, name)
        if is_whole(seed) and seed != began:
            raise ValueError(
                f"{name}={seed}, but the forest started from {began}: warm_start=True continues "
                f"its stream. Pass {name}={began} or None, or set warm_start=False."
            )
