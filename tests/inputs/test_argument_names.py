"""Arguments of CDF() by shortened names, as R matches them; R's own answers are in parity_tests."""

import inspect
import re

import numpy as np
import pytest

from pycdf import CDF, load_darwin
from pycdf.inputs.argument_names import matches_names_as_r

X, y = load_darwin()
X, y = X.iloc[::4, :20], y[::4]


def test_the_beginning_of_a_name_is_enough():
    whole = CDF(X, y, X, ntrees=5, depth=2, seed=1)
    for fit in (
        CDF(X, y, X, ntree=5, d=2, s=1),
        CDF(X, y=y, xte=X, nt=5, dep=2, seed=1),
        CDF(y, xtrain=X, x=X, n=5, d=2, se=1),  # with xtrain taken, x can only be xtest
    ):
        assert fit.parameters == whole.parameters
        assert np.array_equal(fit.forest.centroids, whole.forest.centroids)


def test_the_signature_is_still_its_own():
    names = list(inspect.signature(CDF).parameters)
    assert names[:4] == ["xtrain", "ytrain", "xtest", "ntrees"]
    assert CDF.__doc__.startswith("Train a centroid decision forest")


def test_names_of_a_function_that_is_not_ours_yet():
    @matches_names_as_r
    def add(first, second=2, *, scaled=1):
        return (first + second) * scaled

    assert add(1) == add(fi=1, second=2) == 3
    assert add(1, s=5, scaled=10) == 60  # s is second: scaled has to be written whole
    with pytest.raises(TypeError, match=r"add\(\) has no argument 'sca'"):
        add(1, sca=10)


REFUSED = {
    "'m' could be mnode or mtry of CDF(): write the whole name.": ((X, y, X), {"m": 3}),
    "'x' could be xtrain or xtest of CDF(): write the whole name.": ((y,), {"x": X}),
    "'ntree' and 'nt' are both ntrees of CDF(): pass one.": ((X, y, X), {"ntree": 3, "nt": 3}),
    "CDF() has no argument 'n_estimators': use ntrees.": ((X, y, X), {"n_estimators": 3}),
    "CDF() has no argument 'max_depth': use depth.": ((X, y, X), {"max_depth": 3}),
    "CDF() has no argument 'max_features': use mtry.": ((X, y, X), {"max_features": 3}),
    "CDF() has no argument 'min_samples_split': use mnode.": ((X, y, X), {"min_samples_split": 3}),
    "CDF() has no argument 'random_state': use seed.": ((X, y, X), {"random_state": 3}),
    "CDF() has no argument 'X_test': did you mean xtest?": ((X, y), {"X_test": X}),
    "CDF() has no argument 'colla': did you mean collation?": ((X, y, X), {"colla": "C"}),
    "CDF() has no argument 'zzz': it has xtrain, ytrain, xtest, ntrees, depth, mnode, k, mtry, "
    "seed, collation, streams, n_jobs, progress, scale.": ((X, y, X), {"zzz": 1}),
    "CDF() takes 9 arguments without a name at most; 1 are named and 9 are not.": (
        (X, y, X, 5, 3, 3, 2, 2, 1), {"xtrain": X},
    ),
    "CDF() missing 1 required positional argument: 'xtest'": ((X, y), {}),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_a_name_that_is_refused(message):
    arguments, named = REFUSED[message]
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        CDF(*arguments, **named)


def test_all_arguments_without_a_name():
    fit = CDF(X, y, X, 5, 2, 3, 2, 4, 1)
    assert fit.parameters == CDF(X, y, X, mt=4, k=2, mn=3, de=2, nt=5, se=1).parameters
