"""scikit-learn's own checks of an estimator, all of them."""

from estimator_checks import all_checks

from pycdf import CDFClassifier


@all_checks(
    CDFClassifier(seed=0, ntrees=25),
    CDFClassifier(seed=0, ntrees=10, spread="population", collation="C", oob_score=True),
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)
