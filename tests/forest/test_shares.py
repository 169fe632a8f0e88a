"""Probabilities: votes over trees, divided as R's rowMeans() does, in 80 bits and then rounded."""

import numpy as np
import pytest
from long_doubles import NUMPY_HAS_80_BITS

from pycdf import CDF
from pycdf.forest.voting import vote_shares

# R 4.2.2: rowMeans(matrix(rep(c(TRUE, FALSE), c(votes, ntrees - votes)), 1))
BY_R = {
    (656, 2067): "0x1.44fc291e57ef2p-2",  # the nearest double to 656/2067 ends in ...ef3
    (115, 2051): "0x1.cb53c097c7156p-5",
    (1999, 2055): "0x1.f20c355158d24p-1",
    (1, 3): "0x1.5555555555555p-2",
}


@pytest.mark.parametrize(("votes", "ntrees"), BY_R)
def test_a_share_has_r_s_bits(votes, ntrees):
    counted = np.array([[votes, ntrees - votes]])
    assert vote_shares(counted, ntrees)[0, 0].hex() == BY_R[votes, ntrees]


@pytest.mark.skipif(not NUMPY_HAS_80_BITS, reason="numpy has no 80-bit numbers here")
@pytest.mark.parametrize("ntrees", [1, 500, 2047, 2048, 2049, 2051, 2067, 5001, 10_007])
def test_all_shares_are_those_of_80_bits(ntrees):
    votes = np.arange(ntrees + 1)
    long = (votes.astype(np.longdouble) / np.longdouble(ntrees)).astype(np.float64)
    assert vote_shares(votes[:, np.newaxis], ntrees)[:, 0].tolist() == long.tolist()


def test_probabilities_of_a_forest_of_2067_trees():
    X = np.random.default_rng(1).normal(size=(12, 9))
    fit = CDF(X, list("aaaabbbbcccc"), X[:2], ntrees=2067, depth=0, seed=132)
    assert (fit.votes[0] == 1).sum() == 656
    assert fit.probabilities.loc[0, "b"].hex() == BY_R[656, 2067]
    assert fit.model.predict_proba(X[:1])[0, 1].hex() == BY_R[656, 2067]
