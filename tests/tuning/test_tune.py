"""The search for settings: what it tries, what it finds, and what it says about it."""

import numpy as np
import pytest
from click.testing import CliRunner

import pycdf
from pycdf import CDFClassifier, RStream, load, tune
from pycdf.cli.main import main
from pycdf.tuning.halving import sizes_of_rounds, trees_of_rounds
from pycdf.tuning.space import default_space, draw_settings, r_settings, read_space


def data(n=60, p=10, seed=1, scale=1.0):
    random = np.random.default_rng(seed)
    y = np.array(["a", "b"])[random.permutation(np.arange(n) % 2)]
    X = random.normal(size=(n, p))
    X[:, 0] += 1.5 * (y == "b")
    X[:, 1] *= scale
    return X, y


SPACE = {"depth": [1, 3], "distance": ["euclidean", "standardized"], "k": [2, 4]}


@pytest.fixture(scope="module")
def found():
    return tune(*data(), space=SPACE, budget=8, nested=3, ntrees=27, seed=5)


def test_rs_defaults_come_first_and_nothing_twice():
    space = default_space(100)
    assert r_settings(100).items() >= {name: values[0] for name, values in space.items()}.items()
    drawn = draw_settings(space, 50, 100, RStream(1))
    assert drawn[0] == r_settings(100)
    assert len(drawn) == 50
    assert all(drawn.count(one) == 1 for one in drawn)
    few = draw_settings(SPACE, 50, 100, RStream(1))
    assert len(few) == 9  # R's k is not in the space
    assert few != draw_settings(SPACE, 50, 100, RStream(2))


def test_rounds():
    assert trees_of_rounds(500) == [55, 166, 500]
    assert sizes_of_rounds(100) == [100, 34, 12]
    assert sizes_of_rounds(2) == [2, 2, 2]
    assert trees_of_rounds(2) == [1, 1, 2]


def test_the_table(found):
    table = found.table
    assert table.columns.tolist() == [*SPACE, "trees", "oob_accuracy", "r_default"]
    assert len(table) == 8
    assert table["trees"].is_monotonic_decreasing
    assert table.loc[table["r_default"], "trees"].tolist() == [27]
    for _, part in table.groupby("trees"):
        assert part["oob_accuracy"].is_monotonic_decreasing
    assert found.score == table["oob_accuracy"].iloc[0]


def test_the_estimator_is_the_best_forest_on_all_rows(found):
    X, y = data()
    best = found.table.iloc[0]
    again = CDFClassifier(
        ntrees=27, seed=5, streams="per_tree", oob_score=True, mtry=2,
        **{name: best[name] for name in SPACE},
    ).fit(X, y)  # fmt: skip
    assert np.array_equal(found.estimator.predict_proba(X), again.predict_proba(X))
    assert again.oob_score_ == found.score


def test_the_honest_figure_is_that_of_searches_without_the_rows(found):
    X, y = data()
    honest = found.nested
    assert len(honest.by_fold) == 3
    assert honest.rows == len(X)
    # by hand: fold after fold, with the settings that won there
    from pycdf.validation import stratified_folds

    stream = RStream(5)
    codes = (y != y[0]).astype(np.int32)
    draw_settings(read_space(SPACE, 10), 8, 10, stream)
    fold = stratified_folds(codes, 3, stream)
    right = []
    for part in range(3):
        inside, line = fold != part, honest.by_fold.iloc[part]
        fit = CDFClassifier(
            ntrees=27, seed=5, streams="per_tree",
            **{name: line[name] for name in r_settings(10)},
        ).fit(X[inside], y[inside])  # fmt: skip
        right += (fit.predict(X[~inside]) == y[~inside]).tolist()
        searched = tune(
            X[inside], y[inside], space=SPACE, budget=8, nested=0, ntrees=27, seed=5
        ).table.iloc[0]
        assert {name: searched[name] for name in SPACE} == {name: line[name] for name in SPACE}
    assert honest.tuned == np.mean(right)


def test_the_same_answer_for_any_number_of_jobs(found):
    alone = tune(*data(), space=SPACE, budget=8, nested=3, ntrees=27, seed=5, n_jobs=1)
    assert alone.table.equals(found.table)
    assert alone.nested.by_fold.equals(found.nested.by_fold)


def test_kappa_and_a_column_of_another_scale():
    X, y = data(scale=1000.0)
    best = tune(X, y, space=SPACE, budget=8, nested=0, ntrees=27, seed=1, measure="kappa")
    assert best.table["distance"].iloc[0] == "standardized"
    assert best.score > best.default_score
    assert best.nested is None
    assert "unknown: nested=5 measures it" in repr(best)


def test_seconds_are_kept(monkeypatch):
    from pycdf.tuning import halving

    now = iter(range(10_000))
    monkeypatch.setattr(halving.time, "monotonic", lambda: next(now))
    X, y = data()
    some = tune(X, y, seconds=30, nested=0, ntrees=9, seed=1, n_jobs=1)
    assert 8 <= len(some.table) < 200


def test_what_it_shows(found):
    text = repr(found)
    assert "too good, because the best of many was chosen" in text
    assert "on rows that the search did not see" in text
    ax = found.plot()
    labels = ax.get_legend_handles_labels()[1]
    assert labels[-1].startswith("R's defaults, on rows not seen")
    assert ax.get_ylabel() == "accuracy"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"space": {"seed": [1]}}, "space has 'seed': a search can try values of k, mtry"),
        ({"space": {"k": []}}, r"space\['k'\] is empty"),
        ({"space": {"distance": "cosine"}}, r"space\['distance'\] is 'cosine': pass a list"),
        ({"space": {"distance": ["near"]}}, "distance='near': pass 'euclidean'"),
        ({"measure": "auc"}, "measure='auc': pass 'accuracy', 'kappa'"),
        ({"nested": 1}, "nested=1: pass at least 2 folds"),
        ({"seconds": 0}, "seconds=0: pass a number above 0"),
        ({"budget": 1}, "budget"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        tune(*data(), **options)


def test_the_command(tmp_path):
    X, y = data(n=40, p=6)
    table = tmp_path / "data.csv"
    names = [f"x{j}" for j in range(6)]
    lines = [",".join([*names, "y"])]
    lines += [",".join([*map(str, row), label]) for row, label in zip(X.tolist(), y, strict=True)]
    table.write_text("\n".join(lines))
    model, picture, out = tmp_path / "best.cdf", tmp_path / "tune.png", tmp_path / "table.csv"
    done = CliRunner().invoke(
        main,
        ["tune", str(table), "-y", "y", "--budget", "6", "--nested", "2", "--ntrees", "9", "--seed",
         "3", "--model", str(model), "--picture", str(picture), "-o", str(out)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "on rows that the search did not see" in done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")
    written = pycdf.read_table(out)
    assert len(written) == 6
    features = pycdf.read_table(table).drop(columns="y")
    assert load(model).predict(features).shape == (40,)
