"""Methods that the paper does not compare CDF with, but that are usual for such data.

As in :mod:`pycdf.experiment.classifiers`, each function takes a seed and parameters by name.
"""

from importlib import import_module, metadata
from typing import Any

from pycdf.experiment.centroids import DiagonalLDA, ShrunkenCentroids
from pycdf.experiment.classifiers import state
from pycdf.experiment.tuning import grid

# The largest first: of equally good ones, the one with the fewest features is chosen
NSC_GRID = grid(shrinkage=tuple(round(1 - i / 30, 4) for i in range(1, 31)))
LSVM_GRID = grid(C=(1.0, 0.01, 0.0001))
ENET_GRID = grid(C=(1.0, 0.1, 10.0))
ET_GRID = grid(max_features=("sqrt", 0.1), min_samples_leaf=(1, 5))
LGBM_GRID = grid(n_estimators=(100, 50), min_child_samples=(5, 2))


def nsc(seed: int, **parameters: Any) -> Any:
    """Nearest shrunken centroids."""
    return ShrunkenCentroids(**parameters)


def dlda(seed: int, **parameters: Any) -> Any:
    """Diagonal linear discriminant analysis."""
    return DiagonalLDA(**parameters)


def lsvm(seed: int, **parameters: Any) -> Any:
    """A support vector machine with a linear kernel."""
    from sklearn.svm import SVC

    return SVC(random_state=state(seed), **({"kernel": "linear"} | parameters))


def enet(seed: int, **parameters: Any) -> Any:
    """Logistic regression with an elastic net penalty, half of it the lasso's."""
    import sklearn
    from sklearn.linear_model import LogisticRegression

    usual: dict[str, Any] = {"solver": "saga", "l1_ratio": 0.5, "max_iter": 300, "tol": 1e-3}
    if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8):
        usual["penalty"] = "elasticnet"  # from 1.8 on, l1_ratio says it
    return LogisticRegression(random_state=state(seed), **(usual | parameters))


def et(seed: int, **parameters: Any) -> Any:
    """Extremely randomized trees."""
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(random_state=state(seed), **({"n_estimators": 500} | parameters))


def oblique(seed: int, **parameters: Any) -> Any:
    """A forest of trees that split at sums of features (SPORF)."""
    from treeple import ObliqueRandomForestClassifier

    usual = {"n_estimators": 500}
    return ObliqueRandomForestClassifier(random_state=state(seed), **(usual | parameters))


def lgbm(seed: int, **parameters: Any) -> Any:
    """Boosted trees of LightGBM; leaves have 5 rows or more.

    With LightGBM's default, 20, a training set of less than 40 rows cannot be split at all.
    """
    from lightgbm import LGBMClassifier

    usual = {"min_child_samples": 5, "n_jobs": 1, "verbose": -1, "deterministic": True}
    return LGBMClassifier(random_state=seed % 2**31, **(usual | parameters))


def first_rounds(model: Any, n: int, X: Any) -> Any:
    """Predict with the first ``n`` rounds of LightGBM."""
    return model.predict(X, num_iteration=n)


def no_lightgbm() -> str | None:
    """Why LightGBM is unavailable, or None if it can run."""
    return _missing("lightgbm")


def no_treeple() -> str | None:
    """Why oblique forests are unavailable, or None if they can run."""
    return _missing("treeple")


def _missing(package: str) -> str | None:
    """Why a package cannot be imported; one that is compiled for another scikit-learn cannot."""
    try:
        import_module(package)
    except ModuleNotFoundError:
        return f"{package} is not installed: pip install {package}."
    except Exception as error:
        sklearn = metadata.version("scikit-learn")
        return f"{package} does not work with scikit-learn {sklearn}: {error}."
    return None
