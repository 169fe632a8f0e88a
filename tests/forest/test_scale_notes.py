"""When columns with large numbers decide, and what is said about it."""

import numpy as np
import pandas as pd
import pytest
from random_rows import random_rows
from sklearn.datasets import load_breast_cancer, load_iris

from pycdf import CDF, CDFClassifier, load_darwin
from pycdf.cli.option_names import as_option
from pycdf.explain import importance_table, scale_note, selection_note
from pycdf.forest.contributions import contributions, deciding_ratio
from pycdf.support.options import spelled_by


def fit(X, y, **parameters):
    return CDFClassifier(**{"ntrees": 60, "seed": 2, **parameters}).fit(X, y)


def unequal(factors, n=90, p=40):
    X, y = random_rows(n, p, 3, missing=0, constant=None)
    return X * np.resize(factors, p), y


def test_units_that_differ_by_orders_of_magnitude():
    X, y = unequal([1.0, 1.0, 1.0, 1e5])
    text = scale_note(fit(X, y))
    assert text.startswith(
        "The scales of the columns differ by orders of magnitude, and columns with large numbers "
        "decide: where nodes split, the classes are about "
    )
    named = text.split("Columns ")[1].split(" make up half of what all 40 columns contribute.")[0]
    assert {int(one) % 4 for one in named.split(" and ")[0].split(", ")} == {3}
    assert text.endswith(
        "To give all columns the same scale, fit with scale=True, or put a scaler before the "
        "forest in a pipeline; the accuracy may rise or fall."
    )
    with spelled_by(as_option):
        assert scale_note(fit(X, y)).endswith(
            "To give all columns the same scale, train with --scale; the accuracy may rise or fall."
        )


def test_the_remedy_removes_the_note():
    X, y = unequal([1.0, 1.0, 1.0, 1e5])
    assert scale_note(fit(X, y, scale=True)) is None
    assert scale_note(fit((X - X.mean(axis=0)) / X.std(axis=0), y)) is None


@pytest.mark.parametrize("factors", [[1.0], [1.0, 2.0, 3.0, 5.0], [0.2, 1.0, 5.0]])
def test_columns_of_similar_scales(factors):
    assert scale_note(fit(*unequal(factors))) is None


def test_one_good_column_among_noise_is_no_matter_of_scale():
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 20))
    X[:, 0] += 5 * y
    assert scale_note(fit(X, y)) is None


def test_log_normal_columns_as_of_gene_expression():
    rng = np.random.default_rng(2)
    y = np.arange(60) % 2
    X = rng.lognormal(rng.normal(5, 1.2, 2000), 0.5, (60, 2000))
    X[:, :100] *= 1 + 0.5 * y[:, np.newaxis]
    assert scale_note(fit(X, y)) is None


def test_known_data():
    assert scale_note(fit(*load_iris(return_X_y=True))) is None
    cancer = load_breast_cancer(as_frame=True)
    text = scale_note(fit(cancer.data, cancer.target))
    assert "Columns 'worst area', 'mean area', " in text
    X, y = load_darwin()
    assert scale_note(fit(X, y)) is not None


def test_names_of_a_result_and_of_a_model():
    X, y = unequal([1.0, 1.0, 1.0, 1e6])
    X = pd.DataFrame(X, columns=range(100, 140))  # names that only the result of CDF() keeps
    result = CDF(X, y, X, ntrees=20, seed=1)
    theirs, positions = (
        [int(one) for one in note.split("Columns ")[1].split(" and ")[0].split(", ")]
        for note in (scale_note(result), scale_note(result.model_))
    )
    assert theirs == [100 + one for one in positions]


def test_a_single_column_makes_up_half():
    X, y = unequal([1.0] * 39 + [1e9])
    X = np.column_stack([X[:, :3], X[:, 0] * 1e6])
    text = scale_note(fit(X, y, k=4, mtry=4))
    assert ". Column 3 makes up half of what all 4 columns contribute." in text


def test_how_many_columns_make_up_half_and_how_far_apart_they_are():
    X, y = unequal([1.0, 1.0, 1.0, 1e5])
    model = fit(X, y)
    forest = model.model_.forest
    ratio = float(f"{deciding_ratio(forest):.1e}")  # two digits
    text = scale_note(model)
    assert f" the classes are about {ratio:,.0f} times as far apart on the columns " in text
    shares = contributions(forest, 40)
    order = np.argsort(-shares).tolist()
    half = next(n for n in range(1, 41) if shares[order[:n]].sum() >= 0.5)
    first = ", ".join(map(str, order[:3]))
    assert f" Columns {first} and {half - 3} more make up half of what all 40 columns " in text


def test_forests_in_which_nothing_decides():
    X, y = random_rows(20, 5, 2)
    assert scale_note(fit(X, y, depth=0)) is None


def test_the_table_of_importance_has_the_notes():
    X, y = unequal([1.0, 1.0, 1.0, 1e5], p=20)
    model = fit(X, y)
    notes = [selection_note(model), scale_note(model)]
    assert None not in notes
    assert importance_table(model).attrs["notes"] == notes
    assert importance_table(fit(X, y, scale=True, k=2, mtry=10)).attrs["notes"] == []


def test_a_single_split_of_two_rows_counts():
    """It decreases the impurity by 1, as little as any split."""
    fit = CDFClassifier(ntrees=1, depth=1, mnode=2, k=2, mtry=2, bootstrap=False, seed=1)
    forest = fit.fit([[0.0, 0.0], [1.0, 8.0]], ["a", "b"]).model_.forest
    assert forest.n_nodes == 3
    shares = np.array([1, 64]) / 65  # of the squared distance
    logarithms = np.log([1.0, 8.0])
    assert deciding_ratio(forest) == pytest.approx(np.exp(shares @ logarithms - logarithms.mean()))


@pytest.mark.parametrize(("ratio", "told"), [(29.9, False), (30.0, True), (float("nan"), False)])
def test_thirty_times_as_far_apart_is_too_far(ratio, told, monkeypatch):
    monkeypatch.setattr("pycdf.forest.scale_notes.deciding_ratio", lambda forest: ratio)
    X, y = unequal([1.0])
    assert (scale_note(fit(X, y, ntrees=3)) is not None) == told
