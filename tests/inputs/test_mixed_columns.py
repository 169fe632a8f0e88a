"""Columns of numbers and of categories: Gower's distance by an encoding."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from pycdf import CDFClassifier, GowerEncoder


def table(n=60, seed=1):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": random.integers(20, 80, n),
            "kind": pd.Categorical(random.choice(["x", "y", "z"], n)),
            "weight": random.normal(70, 10, n),
            "sex": random.choice(["f", "m"], n),
            "smokes": random.random(n) < 0.3,
        }
    )


def gower(one, other, ranges):
    """Gower's distance, column by column."""
    total = 0.0
    for name in one.index:
        if name in ranges:
            total += abs(one[name] - other[name]) / ranges[name]
        else:
            total += one[name] != other[name]
    return total


def test_the_manhattan_distance_of_encoded_rows_is_gowers():
    X = table()
    encoded = GowerEncoder().fit_transform(X).to_numpy()
    ranges = {name: float(np.ptp(X[name])) for name in ("age", "weight")}
    for i in range(0, 60, 7):
        for j in range(0, 60, 11):
            expected = gower(X.iloc[i], X.iloc[j], ranges)
            assert np.isclose(np.abs(encoded[i] - encoded[j]).sum(), expected)


def test_a_forest_learns_from_a_category_alone():
    X = table(n=90)
    y = np.where(X["kind"] == "z", "yes", "no")
    model = make_pipeline(
        GowerEncoder(), CDFClassifier(ntrees=50, mtry=0.5, k=2, distance="manhattan", seed=1)
    ).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.95


def test_missing_values_and_new_categories():
    X = table()
    X["sex"] = X["sex"].astype(object)
    X.loc[0, "sex"] = None
    X.loc[1, "weight"] = np.nan
    encoder = GowerEncoder().fit(X)
    encoded = encoder.transform(X)
    assert encoded.columns.tolist() == encoder.get_feature_names_out().tolist()
    assert encoded.loc[0, ["sex=f", "sex=m"]].isna().all()
    assert np.isnan(encoded.loc[1, "weight"])
    new = X[2:3].assign(kind="w")
    assert encoder.transform(new)[["kind=x", "kind=y", "kind=z"]].to_numpy().tolist() == [[0, 0, 0]]


def test_positions_and_numbers_as_categories():
    X = np.array([[1, 5.0], [2, 6.0], [1, 9.0]])
    encoded = GowerEncoder(categorical=[0]).fit_transform(X)
    assert encoded.columns.tolist() == ["0=1.0", "0=2.0", "1"]
    assert encoded["1"].tolist() == [1.25, 1.5, 2.25]


def test_what_is_refused():
    X = table()
    with pytest.raises(ValueError, match="categorical has 'height', and X no such column"):
        GowerEncoder(["height"]).fit(X)
    with pytest.raises(ValueError, match="X does not have 'age'"):
        GowerEncoder().fit(X).transform(X.drop(columns="age"))
    with pytest.raises(ValueError, match="column 'sex' is not one of numbers"):
        GowerEncoder(["kind"]).fit(X)


def test_columns_without_a_range_stay_as_they_are():
    nan = np.nan
    X = pd.DataFrame({"same": [3.0, 3.0], "none": [nan, nan], "far": [1.0, np.inf]})
    encoder = GowerEncoder().fit(X)
    assert encoder.ranges_ == {"same": 1.0, "none": 1.0, "far": 1.0}
    pd.testing.assert_frame_equal(encoder.transform(X), X)
    assert encoder.n_features_in_ == 3


def test_which_columns_hold_categories():
    X = pd.DataFrame(
        {
            "codes": pd.Categorical([1, 2, 1]),
            "flag": pd.array([True, True, False], dtype="boolean"),
            "mixed": pd.Series(["a", 1, None], dtype=object),
            "numbers": pd.Series([1, 2.5, None], dtype=object),
        }
    )
    encoder = GowerEncoder().fit(X)
    assert encoder.categories_ == {"codes": [1, 2], "flag": [False, True], "mixed": [1, "a"]}
    assert encoder.ranges_ == {"numbers": 1.5}
    assert encoder.transform(X)["flag=True"].tolist() == [0.5, 0.5, 0.0]


def test_an_encoder_must_be_fitted_first():
    for ask in (lambda one: one.transform(table()), lambda one: one.get_feature_names_out()):
        with pytest.raises(NotFittedError):
            ask(GowerEncoder())


def test_tables_that_cannot_be_encoded():
    with pytest.raises(ValueError, match="X has columns of the same name: rename them"):
        GowerEncoder().fit(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(ValueError, match="categorical has 'p', 'q', and X no such columns"):
        GowerEncoder(["p", "q"]).fit(table())


@pytest.mark.parametrize(
    "cells",
    [
        pd.array([True, None, False], dtype="boolean"),
        pd.array(["f", None, "m"], dtype="string"),
        pd.Categorical(["f", None, "m"]),
    ],
    ids=["boolean", "string", "categories"],
)
def test_missing_values_of_types_that_have_their_own(cells):
    found = GowerEncoder().fit_transform(pd.DataFrame({"a": cells}))
    assert found.isna().to_numpy().tolist() == [[False] * 2, [True] * 2, [False] * 2]
    assert sorted(found.iloc[0]) == sorted(found.iloc[2]) == [0.0, 0.5]
