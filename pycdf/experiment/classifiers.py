"""The paper's methods as estimators: how to build each one, and the grid for its tuning.

Each function takes a seed and parameters by name, and returns an estimator with ``fit`` and
``predict``. The paper names the parameters that were tuned (trees, depth and leaf size; neighbours;
kernel and its parameters) but not the values that were tried. The grids here are small, and each
starts with the library's defaults, except that forests have 500 trees, as in CDF. RRF has no depth
parameter; its number of leaves is tuned instead. No method scales the features, as the paper's
figures suggest.
"""

from importlib.util import find_spec
from typing import Any

import numpy as np

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.experiment.tuning import Floats, Labels, grid

CART_GRID = grid(max_depth=(None, 3, 5), min_samples_leaf=(1, 3, 5))
RF_GRID = grid(n_estimators=(500, 100), max_depth=(None, 4), min_samples_leaf=(1, 5))
RRF_GRID = grid(ntree=(500, 100), nodesize=(1, 5), maxnodes=(None, 8))
XGB_GRID = grid(n_estimators=(100, 50), max_depth=(6, 3), min_child_weight=(1, 2))
KNN_GRID = grid(n_neighbors=(5, 1, 3, 7, 9, 11, 15))
RKNN_GRID = grid(k=(1, 3, 5, 7, 9, 11, 15))
SVM_GRID = (
    *grid(kernel=("rbf",), C=(1.0, 10.0, 100.0), gamma=("scale", "auto")),
    *grid(kernel=("linear",), C=(1.0, 0.01, 100.0)),
    *grid(kernel=("poly",), C=(1.0, 100.0), degree=(2, 3)),
    *grid(kernel=("sigmoid",), C=(1.0, 100.0)),
)


def cdf(seed: int, **parameters: Any) -> Any:
    """The centroid decision forest; its defaults are the paper's parameters."""
    from pycdf.classifier import CDFClassifier

    return CDFClassifier(seed=seed, **parameters)


def cart(seed: int, **parameters: Any) -> Any:
    """A single classification tree."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=state(seed), **parameters)


def rf(seed: int, **parameters: Any) -> Any:
    """A random forest."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(random_state=state(seed), **({"n_estimators": 500} | parameters))


def rrf(seed: int, **parameters: Any) -> Any:
    """A regularized random forest, in R."""
    from pycdf.experiment.rrf import RRFClassifier

    return RRFClassifier(seed=seed, **parameters)


def rknn(seed: int, **parameters: Any) -> Any:
    """Random k nearest neighbours."""
    from pycdf.experiment.random_knn import RandomKNNClassifier

    return RandomKNNClassifier(seed=seed, **parameters)


def first_trees(model: Any, n: int, X: Floats) -> Labels:
    """Predict with the first ``n`` trees of a random forest; the others are discarded."""
    model.estimators_ = model.estimators_[:n]
    return np.asarray(model.predict(X))


def knn(seed: int, **parameters: Any) -> Any:
    """The k nearest neighbours."""
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(algorithm="brute", **parameters)


def svm(seed: int, **parameters: Any) -> Any:
    """A support vector machine.

    The iterations are limited, because on unscaled features a linear kernel may run for hours
    without converging.
    """
    from sklearn.svm import SVC

    return SVC(random_state=state(seed), **({"max_iter": 100_000} | parameters))


def xgb(seed: int, **parameters: Any) -> Any:
    """Boosted trees."""
    from xgboost import XGBClassifier

    return CodedLabels(
        XGBClassifier(n_jobs=1, verbosity=0, random_state=seed % LARGEST_INTEGER, **parameters)
    )


def first_rounds(model: "CodedLabels", n: int, X: Floats) -> Labels:
    """Predict with the first ``n`` rounds of boosting."""
    return model.predict(X, iteration_range=(0, n))


def no_xgboost() -> str | None:
    """Why boosted trees are unavailable, or None if they can run."""
    if find_spec("xgboost") is None:
        return "xgboost is not installed: pip install xgboost."
    return None


class CodedLabels:
    """Wrap a classifier that accepts only the labels 0, 1, 2 and so on, to accept any labels."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Floats, y: Labels) -> "CodedLabels":
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.estimator.fit(X, codes)
        return self

    def predict(self, X: Floats, **how: Any) -> Labels:
        codes = np.asarray(self.estimator.predict(X, **how), dtype=np.intp)
        return np.asarray(self.classes_[codes])

    def predict_proba(self, X: Floats) -> Floats:
        return np.asarray(self.estimator.predict_proba(X), dtype=np.float64)


def state(seed: int) -> int:
    """A seed of R as a ``random_state`` of scikit-learn, which must not be negative."""
    return seed % 2**32
