"""Columns are standardised as R's ``scale()`` does it, to the last bit."""

import numpy as np
import pytest

from pycdf import RStream
from pycdf.inputs.prepare import training_data
from pycdf.inputs.scaling import Scaling, measured_scaling, standardise
from pycdf.inputs.transpose import varying_columns

# R 4.2.2: set.seed(seed); x <- runif(10); x <- x * x * x; s <- scale(matrix(x)), and the same with
# x[5] <- NA: center, scale and the first two values, by sprintf("%a"). Plain sums of doubles give
# other last bits of the mean (seed 2) and of the standard deviation (seed 5).
R_SCALE = {
    (2, False): (
        "0x1.3b0bf80e85677p-2",
        "0x1.546dbb632f1ebp-2",
        "-0x1.d017e77940e59p-1",
        "0x1.de8519b38f6afp-4",
    ),
    (2, True): (
        "0x1.fcc646b209e3p-3",
        "0x1.2a4cce65b1208p-2",
        "-0x1.a9857425c3c85p-1",
        "0x1.58c1990ff8fb1p-2",
    ),
    (5, False): (
        "0x1.3545a30bd9a7ap-2",
        "0x1.503b65a2b48d9p-2",
        "-0x1.ca6e8d0392a73p-1",
        "0x1.eb94584ea4f79p-5",
    ),
    (5, True): (
        "0x1.57815348f1a5cp-2",
        "0x1.51a35ad9e1122p-2",
        "-0x1.fc6f374b73ce4p-1",
        "-0x1.550e29451589dp-5",
    ),
}


@pytest.mark.parametrize(("seed", "missing"), R_SCALE)
def test_rs_answers(seed, missing):
    x = RStream(seed).uniform(10)
    x = x * x * x
    if missing:
        x[4] = np.nan
    columns = np.array([x, 2 * x])
    scaling = standardise(columns)
    found = [scaling.means[0], scaling.spreads[0], *columns[0, :2]]
    assert [float(one) for one in found] == [float.fromhex(t) for t in R_SCALE[seed, missing]]
    assert scaling.means[1] == 2 * scaling.means[0]
    assert np.array_equal(columns[0], columns[1], equal_nan=True)
    assert np.isnan(columns[0, 4]) == missing


def test_columns_without_values_and_with_one():
    nan = np.nan
    scaling = measured_scaling(np.array([[nan, nan], [3.0, nan], [3.0, 5.0]]))
    assert np.array_equal(scaling.means, [nan, 3.0, 4.0], equal_nan=True)
    assert np.array_equal(scaling.spreads, [nan, 0.0, np.sqrt(2.0)], equal_nan=True)


def test_there_and_back():
    scaling = Scaling(np.array([1.0, -2.0]), np.array([2.0, 4.0]))
    rows = np.array([[3.0, 6.0], [1.0, np.inf]])
    scaling.scale_rows(rows)
    assert rows.tolist() == [[1.0, 2.0], [0.0, np.inf]]
    assert scaling.in_own_units(rows.T).T.tolist() == [[3.0, 6.0], [1.0, np.inf]]
    assert scaling.take(np.array([1])).means.tolist() == [-2.0]
    assert scaling.same_as(Scaling(scaling.means.copy(), scaling.spreads.copy()))
    assert not scaling.same_as(Scaling(scaling.means, scaling.spreads + 1))
    assert not scaling.same_as(Scaling(scaling.means + 1, scaling.spreads))


def test_extreme_numbers_are_infinite_without_a_warning():
    scaling = Scaling(np.array([-1e308, 0.0]), np.array([1.0, 1e-10]))
    rows = np.array([[1.7e308, 1e300]])
    scaling.scale_rows(rows)
    assert rows.tolist() == [[np.inf, np.inf]]


def test_training_data():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20, 5)) * [1, 1e6, 1e-6, 1, 1] + [0, 1e9, 0, 0, 7]
    X[:, 3] = 0.1  # of which the mean of 20 is not exactly 0.1 in doubles
    X[3, 0] = np.nan
    given = np.asfortranarray(X)  # whose transpose the kernels could read as it is
    before = given.copy()
    codes = np.arange(20, dtype=np.int32) % 2
    plain = training_data(given, codes, np.array([0, 1]), ("0", "1"), None, True)
    data = training_data(given, codes, np.array([0, 1]), ("0", "1"), None, True, scale=True)
    assert np.array_equal(given, before, equal_nan=True)
    assert plain.scaling is None
    assert plain.integer
    assert not data.integer  # R's scale() returns doubles
    # The rule of integer matrices is less exact: only the scaled column is seen to be constant.
    assert plain.kept.tolist() == [0, 1, 2, 3, 4]
    assert data.kept.tolist() == [0, 1, 2, 4]
    assert np.nanmean(data.columns, axis=1) == pytest.approx(np.zeros(4), abs=1e-9)
    assert np.nanstd(data.columns, axis=1, ddof=1) == pytest.approx(np.ones(4))
    assert data.spreads == pytest.approx(np.ones(4))
    assert data.scaling.means == pytest.approx(np.nanmean(X, axis=0)[data.kept])


def test_columns_too_small_for_a_standard_deviation():
    codes = np.arange(4, dtype=np.int32) % 2
    X = np.array([[1e-170, 1.0], [2e-170, 2.0], [3e-170, 4.0], [5e-170, 8.0]])
    data = training_data(X, codes, np.array([0, 1]), ("0", "1"), None, False, scale=True)
    assert data.kept.tolist() == [1]
    with pytest.raises(ValueError, match="X has no usable column among its 1"):
        training_data(X[:, :1], codes, np.array([0, 1]), ("0", "1"), None, False, scale=True)


def test_scaled_columns_have_the_spreads_of_doubles():
    """R's scale() returns doubles, whose standard deviations are rounded otherwise."""
    X = np.random.default_rng(2).integers(0, 1000, size=(30, 40)).astype(np.float64)
    codes = np.arange(30, dtype=np.int32) % 2
    data = training_data(X, codes, np.array([0, 1]), ("0", "1"), None, True, scale=True)
    assert np.array_equal(data.spreads, varying_columns(data.columns, False)[0])
    assert not np.array_equal(data.spreads, varying_columns(data.columns, True)[0])
