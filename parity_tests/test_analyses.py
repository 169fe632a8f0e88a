"""Analyses of a forest, compared with R code that gives the same."""

import numpy as np
import pytest

from pycdf import CDFClassifier, load_darwin
from pycdf.explain.chance import adjusted
from pycdf.explain.curves import parameter_curves
from pycdf.explain.leaves import embedding, proximity

from .compare import bits
from .tally import TALLY

BH = 'p.adjust(p_values, "BH")'
EIGENVECTORS = 1e-9  # R's LAPACK and numpy's round differently; coordinates are about 1

SPLIT = """
split_accuracy <- function(X, y, seed, ...) {
  n <- nrow(X)
  set.seed(seed)
  tr <- sample(n, floor(0.7 * n))
  mean(CDF::CDF(X[tr, ], y[tr], X[-tr, ], ...)$predictions == y[-tr])
}
"""


def test_benjamini_hochberg(r):
    rng = np.random.default_rng(4)
    for n in (1, 2, 10, 6033):
        for digits in (2, 17):  # with many ties, and with none
            p = np.round(rng.random(n) ** 3, digits)
            r["p_values"] = r._vector(p)
            assert TALLY.compare("adjusted p-values", bits(adjusted(p)) == bits(r.value(BH)))


@pytest.mark.parametrize("out_of_bag", [False, True])
def test_scaling(r, out_of_bag):
    """R's cmdscale() of the same distances, whose axes may point the other way."""
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=100, seed=1).fit(X, y)
    r["shares"] = r.matrix(proximity(fit, X, out_of_bag=out_of_bag))
    theirs = r.value("cmdscale(sqrt(1 - shares), k = 2)")
    theirs *= np.sign(theirs[np.abs(theirs).argmax(axis=0), [0, 1]])
    ours = embedding(fit, X, out_of_bag=out_of_bag)
    close = (np.abs(ours - theirs) <= EIGENVECTORS).all(axis=1)
    assert TALLY.compare("rows in the plane", close), np.abs(ours - theirs).max()


def test_parameter_curves(r):
    """Each point of each curve is what R gives for the split; the trees at some of their points."""
    X, y = load_darwin()
    found = parameter_curves(
        X, y, mtry_shares=(0.05, 0.5), ks=(2, 20), splits=1, seed=11, ntrees=15, depth=2
    )
    r.run(SPLIT)
    shared = (r.matrix(X), r.labels(y), r._number(11))
    asked = found[(found["parameter"] != "ntrees") | found["value"].isin([1, 2, 8, 15])]
    assert len(asked) == 4 + 2 + 2
    for line in asked.itertuples():
        settings = {"ntrees": 15, "depth": 2, line.parameter: line.value}
        given = {name: r._number(value) for name, value in settings.items()}
        theirs = r.python(r.call("split_accuracy", *shared, **given))[0]
        assert TALLY.compare("points of curves", line.accuracy == theirs), line
