"""scikit-learn's own checks of estimators, as tests."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks


def all_checks(*estimators):
    """A decorator for a test of ``(estimator, check)``."""
    mark = parametrize_with_checks(list(estimators)).mark
    # A list, because older scikit-learn makes a generator and newer pytest will not take one.
    return pytest.mark.parametrize(mark.args[0], list(mark.args[1]), **mark.kwargs)
