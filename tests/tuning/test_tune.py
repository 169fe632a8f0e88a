"""The search for settings: what it tries, what it finds, and what it says about it."""

import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.metrics import cohen_kappa_score

import pycdf
from pycdf import CDFClassifier, RStream, load, tune
from pycdf.cli.main import main
from pycdf.plots.tuning import plot_search
from pycdf.tuning import halving, search
from pycdf.tuning.halving import sizes_of_rounds, trees_of_rounds
from pycdf.tuning.space import default_space, draw_settings, r_settings, read_space
from pycdf.tuning.tuned import Nested
from pycdf.validation import stratified_folds


def data(n=60, p=10, seed=1, scale=1.0):
    random = np.random.default_rng(seed)
    y = np.array(["a", "b"])[random.permutation(np.arange(n) % 2)]
    X = random.normal(size=(n, p))
    X[:, 0] += 1.5 * (y == "b")
    X[:, 1] *= scale
    return X, y


SPACE = {"depth": [1, 3], "distance": ["euclidean", "standardized"], "k": [2, 4]}


@pytest.fixture
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


def test_what_is_tried_by_default():
    assert default_space(100) == {
        "k": [9, 4, 18],
        "mtry": [20, 10, 40, 80],
        "depth": [3, 1, 5, 10],
        "mnode": [3, 10],
        "distance": ["euclidean", "standardized", "manhattan", "cosine"],
        "feature_score": ["css", "welch", "f", "auc"],
        "class_weight": [None, "balanced"],
    }
    few = default_space(3)  # at least 1, at most all columns
    assert (few["k"], few["mtry"]) == ([2, 1, 3], [1, 2, 3])
    default = CDFClassifier()
    for name in ("depth", "mnode", "class_weight", "distance", "feature_score"):
        assert r_settings(100)[name] == getattr(default, name)


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ({"k": [3], "distance": ["cosine", "near"]}, "distance='near': pass 'euclidean'"),
        ({"depth": [1, 2, -1]}, "depth=-1: pass"),
    ],
)
def test_every_value_is_checked_before_any_forest_grows(space, message):
    with pytest.raises(ValueError, match=message):
        read_space(space, 10)


def test_up_to_four_times_as_many_combinations_are_all_listed():
    """So that the search finds those that there are; of more, they are drawn one by one."""
    space = {"depth": [1, 2], "mnode": [5, 6, 7, 8]}
    every = [{"depth": i, "mnode": j} for i in (1, 2) for j in (5, 6, 7, 8)]
    order = RStream(1).sample_int(8).tolist()
    for most in (2, 3):
        drawn = draw_settings(space, most, 10, RStream(1))
        assert drawn == [r_settings(10), *(r_settings(10) | every[i] for i in order[: most - 1])]
    for larger in (
        {"depth": [1, 2, 4], "mnode": [5, 6, 7]},
        {"mnode": [4, 5, 6, 7, 8, 9, 10, 11, 12]},
    ):
        twin = RStream(1)
        chosen = {
            name: values[twin.sample_int(len(values), 1)[0]] for name, values in larger.items()
        }
        assert draw_settings(larger, 2, 10, RStream(1)) == [r_settings(10), r_settings(10) | chosen]


def test_the_search_for_other_combinations_ends():
    stream, twin = RStream(1), RStream(1)
    assert len(draw_settings({"depth": [1] * 13}, 3, 10, stream)) == 2
    for _ in range(60):  # 20 for each that is wanted
        twin.sample_int(13, 1)
    assert stream.uniform(1) == twin.uniform(1)


def test_rounds():
    assert trees_of_rounds(500) == [18, 55, 166, 500]
    assert sizes_of_rounds(100) == [100, 34, 12, 4]
    assert sizes_of_rounds(2) == [2, 2, 2, 2]
    assert trees_of_rounds(100) == [9, 11, 33, 100]  # so that nearly all rows are out of bag
    assert trees_of_rounds(2) == [2, 2, 2, 2]


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


def test_what_all_forests_share_does_not_change_them():
    X, y = data()
    space = {"feature_score": ["welch", "f", "auc"], "mtry": [8], "class_weight": ["balanced"]}
    table = tune(X, y, space=space, budget=4, nested=0, ntrees=20, seed=5, n_jobs=2).table
    assert len(table) == 4
    for _, line in table.iterrows():
        again = CDFClassifier(
            ntrees=line["trees"], seed=5, streams="per_tree", oob_score=True,
            **{name: line[name] for name in space},
        ).fit(X, y)  # fmt: skip
        assert again.oob_score_ == line["oob_accuracy"]


def with_a_rare_class():
    """Three classes; in a fold without the rare one, the others have other numbers."""
    X, y = data(n=45, seed=4)
    y[[0, 20]] = "r"
    return X, y


@pytest.mark.parametrize(("X", "y"), [data(), with_a_rare_class()], ids=["two", "three"])
def test_the_honest_figure_is_that_of_searches_without_the_rows(X, y):
    """By hand: fold after fold, with the settings that won there, and with R's."""
    given = {"space": SPACE, "budget": 8, "ntrees": 27, "seed": 5, "measure": "kappa"}
    honest = tune(X, y, nested=3, **given).nested
    assert len(honest.by_fold) == 3
    assert honest.rows == len(X)
    stream = RStream(5)
    codes = pd.factorize(y)[0].astype(np.int32)  # in order of appearance, as in R
    draw_settings(read_space(SPACE, 10), 8, 10, stream)
    fold = stratified_folds(codes, 3, stream)
    answers = np.empty((2, len(X)), dtype=y.dtype)
    for part in range(3):
        inside, line = fold != part, honest.by_fold.iloc[part]
        won = {name: line[name] for name in r_settings(10)}
        for i, (settings, score) in enumerate(
            ((won, line["tuned"]), (r_settings(10), line["default"]))
        ):
            fit = CDFClassifier(ntrees=27, seed=5, streams="per_tree", **settings)
            answers[i, ~inside] = fit.fit(X[inside], y[inside]).predict(X[~inside])
            assert score == pytest.approx(cohen_kappa_score(y[~inside], answers[i, ~inside]))
        searched = tune(X[inside], y[inside], nested=0, **given).table.iloc[0]
        assert {name: searched[name] for name in SPACE} == {name: line[name] for name in SPACE}
    right = answers == y
    assert honest.tuned == pytest.approx(cohen_kappa_score(y, answers[0]))
    assert honest.default == pytest.approx(cohen_kappa_score(y, answers[1]))
    assert honest.better == (right[0] & ~right[1]).sum()
    assert honest.worse == (right[1] & ~right[0]).sum() > 0


def test_a_fold_must_leave_two_classes():
    X, y = data(n=20)
    y[:] = "a"
    y[3] = "b"
    with pytest.raises(
        ValueError, match=r"^10 training rows of a fold are of only one class: pass nested=0, or"
    ):
        tune(X, y, space=SPACE, budget=2, nested=2, ntrees=3, seed=1)


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
    assert not any("not seen" in one for one in best.plot().get_legend_handles_labels()[1])


def test_seconds_are_kept(monkeypatch):
    now = iter(range(10_000))
    monkeypatch.setattr(halving.time, "monotonic", lambda: next(now))
    X, y = data()
    some = tune(X, y, seconds=30, nested=0, ntrees=9, seed=1, n_jobs=1)
    assert 8 <= len(some.table) < 200


def test_what_it_shows(found):
    text = repr(found)
    assert "too good, because the best of many was chosen" in text
    assert "on rows that the search did not see" in text
    best = found.table.iloc[0]
    assert f"depth={best['depth']}, distance={best['distance']}, k={best['k']}" in text
    assert 0 < found.seconds < 600
    assert f"Tuned: 8 forests tried in {found.seconds:.1f} s, seed 5" in text
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
        ({"seconds": -1.0}, "seconds=-1.0: pass a number above 0"),
        ({"seconds": "9"}, "seconds='9': pass a number above 0"),
        ({"space": {"k": 5}}, r"space\['k'\] is 5: pass a list of values to try"),
        ({"nested": -1}, "nested=-1: pass a whole number from 0 to 60, the number of rows"),
        ({"nested": 61}, "nested=61: pass a whole number from 0 to 60"),
        ({"ntrees": 0}, "ntrees=0: pass a whole number of at least 1"),
        ({"n_jobs": 0}, "n_jobs=0: pass a number of cores"),
        ({"seed": 2**31}, "seed=2147483648: pass a whole number from -2147483647 to 2147483647"),
        ({"seed": -(2**31)}, "seed=-2147483648: pass a whole number from -2147483647"),
        ({"budget": 1}, "budget=1: pass a whole number of at least 2"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        tune(*data(), **options)


def test_defaults_are_those_that_the_docstring_states(monkeypatch):
    stated = dict(re.findall(r"^ *(\w+) : .*default=(.+)$", tune.__doc__, re.MULTILINE))
    monkeypatch.setattr(search, "search_settings", lambda data, **options: options)
    assert stated == {name: repr(value).replace("'", '"') for name, value in tune(*data()).items()}


@pytest.mark.parametrize(
    ("budget", "seconds", "most"),
    [(None, None, 100), (None, 0.5, 10_000), (2, None, 2), (7, 30, 7)],
)
def test_how_many_settings_are_drawn(monkeypatch, budget, seconds, most):
    class EnoughError(Exception):
        pass

    def draw(values, asked_for, n_features, stream):
        raise EnoughError(asked_for, n_features)

    monkeypatch.setattr(search, "draw_settings", draw)
    with pytest.raises(EnoughError) as caught:
        tune(*data(), budget=budget, seconds=seconds)
    assert caught.value.args == (most, 10)


def test_the_seconds_are_shared_by_all_searches(monkeypatch):
    """That on all rows, and those in the folds."""
    shares = []

    def halve(one, candidates, ntrees, n_jobs, seconds, report):
        shares.append(seconds)
        return halving.halve(one, candidates, ntrees, n_jobs, None, report)

    monkeypatch.setattr(search, "halve", halve)
    tune(*data(), space=SPACE, budget=2, seconds=30, nested=2, ntrees=3, seed=1)
    assert shares == [10.0] * 3
    shares.clear()
    tune(*data(), space=SPACE, budget=2, seconds=30, nested=0, ntrees=3, seed=1)
    tune(*data(), space=SPACE, budget=2, nested=0, ntrees=3, seed=1)
    assert shares == [30.0, None]


def test_the_bar_counts_all_forests(monkeypatch):
    told = []

    class Bar:
        def __init__(self, wanted, unit):
            assert (wanted, unit) == (True, "forests")

        def __enter__(self):
            return lambda done, total: told.append((done, total))

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(search, "ProgressBar", Bar)
    tune(*data(), space=SPACE, budget=2, nested=2, ntrees=3, seed=1, progress=True)
    # two settings in four rounds, R's defaults once more in each; on all rows and in two folds
    assert told == [(done, 36) for done in range(1, 25)]


def test_without_a_seed_one_is_drawn():
    given = {"space": SPACE | {"class_weight": [None, "balanced"]}, "budget": 6, "nested": 0}
    one, other = (tune(*data(), ntrees=9, **given) for _ in range(2))
    assert one.seed != other.seed
    assert tune(*data(), ntrees=9, seed=one.seed, **given).table.equals(one.table)
    assert set(one.table["class_weight"]) == {None, "balanced"}  # pandas would make it NaN
    best = one.table.iloc[0]
    assert all(getattr(one.estimator, name) == best[name] for name in given["space"])
    assert one.default_score == one.table.loc[one.table["r_default"], "oob_accuracy"].item()
    for seed in (2**31 - 1, -(2**31 - 1)):
        assert tune(*data(), ntrees=1, seed=seed, **given | {"budget": 2}).seed == seed


@pytest.mark.parametrize(
    ("better", "worse", "verdict"),
    [
        (0, 0, "no difference"),
        (1, 0, "a difference that may well be chance (p = 1.00)"),
        (3, 3, "a difference that may well be chance (p = 1.00)"),
        (5, 0, "a difference that may well be chance (p = 0.06)"),
        (6, 0, "better, by more than chance (p = 0.031)"),
        (1, 9, "worse, by more than chance (p = 0.021)"),
    ],
)
def test_the_verdict(better, worse, verdict):
    tuned = 0.5 + (better - worse) / 1_000
    honest = Nested("balanced_accuracy", tuned, 0.5, None, better, worse, 1_000)
    assert honest.sentence() == (
        f"balanced accuracy on rows that the search did not see: {tuned:.3f} tuned, 0.500 with R's "
        f"defaults. Of 1,000 rows, {better} are right only if tuned and {worse} only by default: "
        f"{verdict}."
    )


def test_axes_that_are_none_are_refused():
    with pytest.raises(TypeError, match="ax is int: pass one matplotlib Axes"):
        plot_search(pd.DataFrame(), "accuracy", None, ax=3)


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
    assert ".estimator" not in done.stderr, "there are no attributes on the command line"
    assert picture.read_bytes().startswith(b"\x89PNG")
    written = pycdf.read_table(out)
    assert len(written) == 6
    features = pycdf.read_table(table).drop(columns="y")
    assert load(model).predict(features).shape == (40,)
    short = ["tune", str(table), "-y", "y", "--budget", "2", "--nested", "0", "--ntrees", "9"]
    assert "honestly    unknown: --nested 5 measures it" in CliRunner().invoke(main, short).stderr
