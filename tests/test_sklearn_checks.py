"""scikit-learn's own checks of an estimator, all of them."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pycdf import CDFClassifier

CHECKS = parametrize_with_checks(
    [
        CDFClassifier(seed=0, ntrees=25),
        CDFClassifier(seed=0, ntrees=10, spread="population", collation="C", oob_score=True),
    ]
).mark


# A list, because older scikit-learn makes a generator and newer pytest will not take one.
@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)
