"""Other libraries' names for a forest's parameters, answered with ours.

Users of scikit-learn type ``n_estimators``, users of randomForest ``nodesize``. Python would only
say that the argument is unexpected.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_OURS = {
    "ntree": "ntrees",
    "n_estimators": "ntrees",
    "n_trees": "ntrees",
    "num_trees": "ntrees",
    "max_depth": "depth",
    "maxdepth": "depth",
    "max_features": "mtry",
    "min_samples_split": "mnode",
    "min_node_size": "mnode",
    "nodesize": "mnode",
    "metric": "distance",
    "score": "feature_score",
}
_NONE_OF_OURS = {
    "criterion": "features are selected by the class separability score",
    "max_samples": "a bootstrap sample has as many rows as the training data",
    "min_samples_leaf": "leaves can be of any size; mnode is the smallest node that is split",
    "sample_weight": "rows have no weights; CDFClassifier has class_weight",
}


def hint(name: str) -> str | None:
    """What to use instead of an argument of another library; None for any other name."""
    if name in _OURS:
        return f"use {_OURS[name]}"
    return _NONE_OF_OURS.get(name)


def explains_foreign_names(function: Callable[P, R]) -> Callable[P, R]:
    """Raise a ``TypeError`` that names our argument if a caller uses another library's."""

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        for name in named:
            if instead := hint(name):
                raise TypeError(f"there is no argument {name!r} here: {instead}.")
        return function(*arguments, **named)

    return call
