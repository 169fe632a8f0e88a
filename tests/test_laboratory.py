"""Other distances, scores and votes than R's, against a forest in plain Python."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from same_forest import assert_same_forest
from sklearn.base import clone
from slow_forest import DISTANCES, SCORES, Settings, grow_slowly, hard_vote, soft_vote

from pycdf import CDF, CDFClassifier, ModelFileError, explain, html_report, laboratory, load
from pycdf.cli.main import main
from pycdf.forest import growing
from pycdf.inputs import laboratory as rules
from pycdf.plots import plot_centroids, plot_importance, plot_tree

NTREES = 3
# R sums means in 80 bits, and plain Python in 64: they differ in the last digits.
SAME_MEAN = 1e-12


def table(n_classes=2, n=40, p=12, seed=1, gaps=0.0, whole=False):
    """Rows whose classes differ a little in some of the columns, and their labels."""
    random = np.random.default_rng(seed)
    y = random.permutation(np.arange(n) % n_classes)
    X = random.normal(size=(n, p)) * np.exp(random.normal(size=p)) + random.normal(size=p)
    X[:, ::3] += y[:, None] * 0.8
    X[:, 1] = X[:, 0] + 0.05 * random.normal(size=n)  # two that are alike
    if whole:
        X = np.round(X)
    X[random.random(X.shape) < gaps] = np.nan
    return X, y


def estimator(**options):
    return CDFClassifier(ntrees=NTREES, depth=3, mnode=3, k=4, mtry=8, seed=7, **options)


def slow_trees(fit, X, distance="euclidean", feature_score="css", redundancy=0.0, **_):
    settings = Settings(3, 3, 4, 8, distance, feature_score, redundancy)
    codes = {label: code for code, label in enumerate(fit.model_.classes.tolist())}
    return settings, codes, lambda y: grow_slowly(
        X.tolist(), [codes[one] for one in y], np.argsort(np.argsort(fit.model_.classes)).tolist(),
        NTREES, 7, settings,
    )  # fmt: skip


def assert_same_trees(model, trees):
    forest = model.forest
    assert np.diff(forest.tree_start).tolist() == [len(nodes) for nodes in trees]
    for at, node in enumerate(itertools.chain.from_iterable(trees)):
        assert forest.leaf[at] == node.leaf
        assert {c: n for c, n in enumerate(forest.counts[at].tolist()) if n} == node.counts
        features = slice(*forest.feature_start[at : at + 2])
        assert forest.features[features].tolist() == node.features
        links = slice(*forest.class_start[at : at + 2])
        assert forest.node_classes[links].tolist() == list(node.centroids)
        assert [child >= 0 for child in forest.children[links]] == [
            c in node.children for c in node.centroids
        ]
        centroids = forest.centroids[slice(*forest.centroid_start[at : at + 2])]
        expected = [value for centroid in node.centroids.values() for value in centroid]
        assert np.allclose(centroids, expected, rtol=SAME_MEAN, atol=SAME_MEAN, equal_nan=True)
        if model.spreads is not None:
            assert model.spreads[features].tolist() == node.spreads


CASES = [
    {"distance": distance, "feature_score": score, "redundancy": redundancy}
    for distance, score, redundancy in itertools.product(DISTANCES, SCORES, (0.0, 0.7))
    if (distance, score, redundancy) != ("euclidean", "css", 0.0)
]


@pytest.mark.parametrize("options", CASES, ids=lambda case: "-".join(map(str, case.values())))
@pytest.mark.parametrize("kind", ["two", "three", "gaps"])
def test_forests_are_those_of_plain_python(options, kind):
    X, y = table(2 if kind == "two" else 3, gaps=0.1 if kind == "gaps" else 0.0)
    fit = estimator(**options).fit(X, y)
    settings, codes, grow = slow_trees(fit, X, **options)
    trees = grow(y)
    assert_same_trees(fit.model_, trees)
    new, _ = table(3, n=25, seed=5, gaps=0.1 if kind == "gaps" else 0.0)
    votes = [hard_vote(row, trees, settings, len(codes)) for row in new.tolist()]
    assert fit.model_.votes(new).tolist() == votes


@pytest.mark.parametrize("distance", ["standardized", "manhattan", "cosine"])
@pytest.mark.parametrize("feature_score", ["welch", "f", "auc"])
def test_ties_are_broken_by_the_same_draws(distance, feature_score):
    X, y = table(3, whole=True, seed=3)
    fit = estimator(distance=distance, feature_score=feature_score).fit(X, y)
    _, _, grow = slow_trees(fit, X, distance, feature_score)
    assert_same_trees(fit.model_, grow(y))


@pytest.mark.parametrize("most_rows", [4096, 0])
def test_the_auc_of_many_rows_is_found_by_sorting_once_or_in_each_node(most_rows, monkeypatch):
    monkeypatch.setattr("pycdf.forest.sorted_columns.MOST_ROWS", most_rows)
    X, y = table(3, n=400, p=10, whole=True)
    fit = CDFClassifier(ntrees=1, depth=1, k=10, mtry=10, seed=7, feature_score="auc").fit(X, y)
    settings = Settings(1, 3, 10, 10, "euclidean", "auc", 0.0)
    codes = {label: code for code, label in enumerate(fit.model_.classes.tolist())}
    trees = grow_slowly(X.tolist(), [codes[one] for one in y], [0, 1, 2], 1, 7, settings)
    assert fit.model_.forest.features.tolist() == trees[0][0].features


@pytest.mark.parametrize("feature_score", ["css", "welch", "f", "auc"])
def test_columns_are_sorted_for_the_score_that_compares_rows(feature_score, monkeypatch):
    sort, lines = growing.sorted_columns, []

    def spied(columns, needed):
        order = sort(columns, needed)
        lines.append(len(order.lines))
        return order

    monkeypatch.setattr(growing, "sorted_columns", spied)
    X, y = table()
    CDFClassifier(ntrees=3, seed=7, feature_score=feature_score, distance="cosine").fit(X, y)
    assert lines == [X.shape[1] if feature_score == "auc" else 0]


@pytest.mark.parametrize("distance", ["euclidean", "cosine"])
def test_soft_votes_are_the_shares_of_the_leaves(distance):
    X, y = table(3)
    fit = estimator(distance=distance, vote="soft").fit(X, y)
    hard = estimator(distance=distance).fit(X, y)
    assert_same_forest(fit.model_.forest, hard.model_.forest)
    settings, codes, grow = slow_trees(fit, X, distance)
    trees = grow(y)
    expected = np.array([soft_vote(row, trees, settings, len(codes)) for row in X.tolist()])
    assert np.array_equal(fit.model_.votes(X), expected)
    order = [codes[label] for label in fit.classes_.tolist()]
    assert np.allclose(fit.predict_proba(X), expected[:, order] / NTREES, rtol=1e-12)
    assert (fit.predict(X) == fit.model_.classes[expected.argmax(axis=1)]).all()


def test_soft_votes_out_of_bag_are_those_of_the_trees_that_left_a_row_out():
    X, y = table(3)
    fit = estimator(vote="soft", oob_score=True, n_jobs=2).fit(X, y)
    nodes, outside = fit.model_.end_nodes(X), fit.model_.forest.inbag.T == 0
    shares = fit.model_.forest.counts / fit.model_.forest.rows[:, None]
    expected = np.array([shares[nodes[i][outside[i]]].sum(axis=0) for i in range(len(X))])
    found = fit.model_.out_of_bag_votes(np.ascontiguousarray(X.T))
    assert np.allclose(found, expected, rtol=1e-12)
    voted = outside.any(axis=1)
    assert fit.oob_score_ == (fit.model_.classes[expected.argmax(axis=1)] == y)[voted].mean()


def test_defaults_are_rs():
    X, y = table()
    assert_same_forest(estimator().fit(X, y).model_.forest, CDF(
        X, y.astype(str), X, ntrees=NTREES, k=4, mtry=8, seed=7).forest)  # fmt: skip


@pytest.mark.parametrize(
    "options", [{"distance": "manhattan"}, {"feature_score": "f", "vote": "soft"}]
)
def test_warm_starts_and_streams_of_their_own(options):
    X, y = table(3)
    at_once = CDFClassifier(ntrees=9, k=4, seed=1, **options).fit(X, y)
    later = CDFClassifier(ntrees=4, k=4, seed=1, warm_start=True, **options).fit(X, y)
    later.set_params(ntrees=9).fit(X, y)
    assert_same_forest(later.model_.forest, at_once.model_.forest)
    assert np.array_equal(later.predict_proba(X), at_once.predict_proba(X))
    with pytest.raises(ValueError, match=r"redundancy is 0\.5 and was 0\.0 before"):
        later.set_params(redundancy=0.5, ntrees=10).fit(X, y)
    alone = CDFClassifier(ntrees=9, k=4, seed=1, streams="per_tree", **options).fit(X, y)
    many = clone(alone).set_params(n_jobs=2).fit(X, y)
    assert_same_forest(alone.model_.forest, many.model_.forest)
    assert np.array_equal(alone.predict_proba(X), many.predict_proba(X))


# ---- functions of your own ----------------------------------------------------------------------


@pytest.mark.endurance
def test_canberra_in_ten_lines(tmp_path, monkeypatch):
    monkeypatch.setitem(rules._registered, "distance", {})

    # the ten lines of docs/laboratory.md
    def canberra(row, centroid, spread):
        total = 0.0
        for j in range(len(row)):
            size = abs(row[j]) + abs(centroid[j])
            if size > 0:
                total += abs(row[j] - centroid[j]) / size
        return total

    laboratory.register_distance("canberra", canberra)
    # ----
    X, y = table(3)
    fit = estimator(distance="canberra").fit(X, y)
    DISTANCES["canberra"] = lambda row, centroid, spread: canberra(row, centroid, spread)
    _, _, grow = slow_trees(fit, X, "canberra")
    assert_same_trees(fit.model_, grow(y))
    path = tmp_path / "model.cdf"
    fit.save(path)
    assert np.array_equal(load(path).predict_proba(X), fit.predict_proba(X))
    given = estimator(distance=canberra).fit(X, y)
    assert given.model_.options["distance"] == "canberra"
    del rules._registered["distance"]["canberra"]
    del DISTANCES["canberra"]
    with pytest.raises(
        ModelFileError, match=r"register_distance\(name, function\) before you load"
    ):
        load(path)
    with pytest.raises(ValueError, match="distance 'canberra' is not known here"):
        fit.predict(X)


@pytest.mark.endurance
def test_a_function_without_a_name_grows_but_is_not_saved(tmp_path):
    def medians(values, starts):
        return abs(np.median(values[: starts[1]]) - np.median(values[starts[1] :]))

    X, y = table()
    fit = estimator(feature_score=medians).fit(X, y)
    root = fit.model_.forest.features[: fit.model_.forest.feature_start[1]]
    drawn = np.repeat(np.arange(len(X)), fit.model_.forest.inbag[0])
    apart = [
        abs(np.median(X[drawn][y[drawn] == 0, j]) - np.median(X[drawn][y[drawn] == 1, j]))
        for j in root
    ]
    assert apart == sorted(apart, reverse=True)
    assert (
        explain.export_text(fit).splitlines()[2] == "This forest is not R's: feature_score=medians"
    )
    with pytest.raises(
        ValueError, match="the model's feature_score is a function, which a model file can"
    ):
        fit.save(tmp_path / "model.cdf")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"distance": "manhatten"}, r"distance='manhatten': pass 'euclidean', 'standardized'"),
        ({"feature_score": None}, r"feature_score=None: pass 'css', 'welch', 'f', 'auc'"),
        ({"distance": lambda row: 0.0}, "it must take \\(row, centroid, spread\\) and return"),
        ({"redundancy": 2}, "redundancy=2: pass a number from 0"),
        ({"redundancy": True}, "redundancy=True: pass a number from 0"),
        ({"vote": "softly"}, "vote='softly': pass 'hard' or 'soft'"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        estimator(**options).fit(*table())


@pytest.mark.parametrize("name", ["cosine", "css", "Mine", "", "a" * 41])
def test_names_that_are_refused(name):
    kind = laboratory.register_feature_score if name == "css" else laboratory.register_distance
    with pytest.raises(
        ValueError, match=r"is a (distance|feature_score) of pycdf|cannot be the name"
    ):
        kind(name, lambda row, centroid, spread: 0.0)


def test_what_numba_cannot_compile_is_refused():
    def unknown(row, centroid, spread):
        return float(str(row[0]))

    with pytest.raises(ValueError, match="numba cannot compile this function"):
        estimator(distance=unknown).fit(*table())


# ---- files, text, pictures, explanations --------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"distance": "standardized"},
        {"feature_score": "welch"},
        {"vote": "soft"},
        {"redundancy": 0.5},
    ],
)
def test_model_files(tmp_path, options):
    X, y = table(3)
    fit = estimator(**options).fit(X, y)
    path = tmp_path / "model.cdf"
    fit.save(path)
    again = load(path)
    assert {name: again.get_params()[name] for name in options} == options
    assert_same_forest(again.model_.forest, fit.model_.forest)
    assert np.array_equal(again.predict_proba(X), fit.predict_proba(X))
    again.set_params(warm_start=True, ntrees=NTREES + 1).fit(X, y)
    assert again.model_.forest.n_trees == NTREES + 1


@pytest.mark.parametrize("options", [{"distance": "manhattan"}, {"vote": "soft"}])
def test_scaled_columns_and_votes_out_of_bag(tmp_path, options):
    X, y = table(3)
    X[:, 2] *= 1000
    fit = estimator(scale=True, oob_score=True, **options).fit(X, y)
    by_hand = estimator(oob_score=True, **options).fit((X - X.mean(0)) / X.std(0, ddof=1), y)
    assert np.array_equal(fit.model_.forest.features, by_hand.model_.forest.features)
    assert np.allclose(
        fit.predict_proba(X), by_hand.predict_proba((X - X.mean(0)) / X.std(0, ddof=1))
    )
    assert fit.oob_score_ == by_hand.oob_score_
    fit.save(tmp_path / "model.cdf")
    again = load(tmp_path / "model.cdf")
    assert np.array_equal(again.predict_proba(X), fit.predict_proba(X))
    if "vote" in options:  # soft votes are not saved
        assert not hasattr(again, "oob_score_")
    else:
        assert again.oob_score_ == fit.oob_score_
    assert len(explain.scaling_table(fit, X, y)) == 2


def test_contribution_follows_the_distance():
    X, y = table()
    X[:, 0] *= 1000  # it decides everything, unless features are divided by their spreads
    names = {
        distance: explain.contribution_table(
            CDFClassifier(ntrees=20, seed=1, mtry=8, k=6, distance=distance).fit(X, y)
        )
        for distance in ("euclidean", "manhattan", "standardized")
    }
    assert names["euclidean"].iloc[0] > 0.6 > names["standardized"].iloc[0]
    assert names["euclidean"].iloc[0] > names["manhattan"].iloc[0]
    for shares in names.values():
        assert np.isclose(shares.sum(), 1.0)
    cosine = estimator(distance="cosine").fit(X, y)
    with pytest.raises(ValueError, match="'cosine' is not a sum over features"):
        explain.contribution_table(cosine)
    assert explain.importance_table(cosine)["contribution"].isna().all()


def test_shares_of_standardized_and_manhattan_distances():
    from pycdf.forest.contributions import absolute_shares, distance_shares

    X, y = table(3)
    for distance in ("standardized", "manhattan"):
        model = estimator(distance=distance).fit(X, y).model_
        forest = model.forest
        squared = distance == "standardized"
        found = (
            distance_shares(forest, node_spreads=model.spreads)
            if squared
            else absolute_shares(forest)
        )
        for node in np.flatnonzero(forest.leaf < 0):
            part = slice(*forest.feature_start[node : node + 2])
            codes = forest.node_classes[slice(*forest.class_start[node : node + 2])]
            centroids = forest.centroids[slice(*forest.centroid_start[node : node + 2])]
            centroids = centroids.reshape(len(codes), -1)
            total = 0.0
            for a, b in itertools.combinations(range(len(codes)), 2):
                apart = np.abs(centroids[a] - centroids[b])
                apart = (apart / model.spreads[part]) ** 2 if squared else apart
                total = (
                    total + apart * forest.counts[node, codes[a]] * forest.counts[node, codes[b]]
                )
            assert np.allclose(found[part], total / total.sum())


def test_permutation_importance_sends_rows_by_the_distance():
    X, y = table(n=60)
    fit = CDFClassifier(ntrees=20, seed=1, k=4, mtry=8, distance="manhattan").fit(X, y)
    found = explain.permutation_importance(fit, X, y, n_repeats=3, seed=4)
    assert found.equals(explain.permutation_importance(fit, X, y, n_repeats=3, seed=4, n_jobs=2))
    # the same shuffles, with all rows predicted anew
    from pycdf import RStream

    stream, forest = RStream(4), fit.model_.forest
    lost = np.zeros((3, X.shape[1]))
    for tree in range(20):
        outside = np.flatnonzero(forest.inbag[tree] == 0)
        starts = forest.feature_start[forest.tree_start[tree : tree + 2]]
        right = (fit.votes(X[outside])[:, tree] == y[outside]).sum()
        for feature in np.unique(forest.features[slice(*starts)]):
            for repeat in range(3):
                shuffled = X[outside].copy()
                order = np.argsort(stream.uniform(len(outside)), kind="stable")
                shuffled[:, feature] = shuffled[order, feature]
                now = (fit.votes(shuffled)[:, tree] == y[outside]).sum()
                lost[repeat, feature] += (right - now) / len(outside)
    expected = lost.mean(axis=0) / 20
    assert np.allclose(found["importance"][list(range(X.shape[1]))], expected)


def test_evidence_needs_rs_distance_and_has_no_score_of_another_kind():
    X, y = table()
    with pytest.raises(ValueError, match="can be found again only for distance='euclidean'"):
        explain.split_evidence(estimator(distance="manhattan").fit(X, y), X, y)
    found = explain.split_evidence(estimator(feature_score="auc").fit(X, y), X, y)
    assert found["score"].isna().all()
    assert found["p_adjusted"].notna().all()


@pytest.mark.parametrize(
    "options",
    [{"distance": "cosine", "vote": "soft"}, {"distance": "standardized", "feature_score": "f"}],
)
def test_text_pictures_and_the_report_say_what_is_not_rs(options):
    X, y = table(3)
    fit = estimator(**options).fit(X, y)
    text = ", ".join(f"{name}={value}" for name, value in options.items())
    assert f"This forest is not R's: {text}" in explain.export_text(fit)
    assert plot_tree(fit).get_title(loc="left").endswith(f"({text})")
    page = str(html_report(fit, X=X, y=y))
    assert f"This forest is not R&#x27;s: {text}." in page or f"is not R's: {text}." in page
    soft = "A leaf votes for every class"
    notes = [note.get_text() for note in plot_tree(fit).texts]
    for shown in (explain.export_text(fit), " ".join(notes), page):
        assert (soft in shown) == ("vote" in options)
    assert len(explain.row_table(fit, X, y, out_of_bag=True)) <= len(X)
    assert explain.tree_curve(fit, X, y)["oob_error"].notna().any()
    assert explain.proximity(fit, X).shape == (len(X), len(X))
    assert explain.selection_chance(fit, X, y, n_repeats=2, seed=1)["selected"].sum() > 0


def test_the_last_point_of_a_curve_is_the_accuracy_of_soft_votes():
    X, y = table(3)
    fit = estimator(vote="soft").fit(X, y)
    new, labels = table(3, seed=9)
    curve = explain.tree_curve(fit, X_test=new, y_test=labels)
    assert curve["accuracy"].iloc[-1] == (fit.predict(new) == labels).mean()


def test_a_file_of_the_first_version_with_such_models():
    """tests/data/model_laboratory.cdf was written when model files first had other rules."""
    X, y = table(3, n=24, p=6)
    kept = load(Path(__file__).parent / "data" / "model_laboratory.cdf")
    options = {"distance": "standardized", "feature_score": "f", "redundancy": 0.25, "vote": "soft"}
    assert {name: kept.get_params()[name] for name in options} == options
    fit = estimator(**options).set_params(mtry=4, k=2).fit(X, y)
    assert_same_forest(kept.model_.forest, fit.model_.forest)
    assert np.array_equal(kept.predict_proba(X), fit.predict_proba(X))


def test_a_damaged_spread_is_refused(tmp_path):
    from pycdf.files import model as files

    fit = estimator(distance="manhattan").fit(*table())
    model = replace(fit.model_, spreads=np.zeros_like(fit.model_.spreads))
    with pytest.raises(ModelFileError, match="spreads contains a number that is not positive"):
        files.save_model(model, tmp_path / "model.cdf")


def test_the_command_trains_such_forests(tmp_path):
    X, y = table()
    data, model = tmp_path / "data.csv", tmp_path / "model.cdf"
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    frame.assign(y=np.array(["a", "b"])[y]).to_csv(data, index=False)
    arguments = ["train", str(data), "-y", "y", "-o", str(model), "--ntrees", "5", "--seed", "1"]
    done = CliRunner().invoke(main, [*arguments, "--distance", "cosine", "--score", "welch"])
    assert done.exit_code == 0, done.output
    assert "distance=cosine, feature_score=welch" in done.stderr
    fit = CDFClassifier(ntrees=5, seed=1, distance="cosine", feature_score="welch").fit(frame, y)
    assert np.array_equal(load(model).predict_proba(frame), fit.predict_proba(frame))
    assert "distance=cosine" in CliRunner().invoke(main, ["describe", str(model)]).output
    refused = CliRunner().invoke(main, [*arguments, "--distance", "near"])
    assert refused.exit_code != 0
    assert "'near'" in refused.output


def test_pictures_of_what_decides_without_contributions(tmp_path):
    fit = estimator(distance="cosine").fit(*table())
    assert plot_centroids(fit).get_ylabel() == "features by selection"
    assert plot_importance(fit, by="selection").get_xlabel().startswith("share")
    for refused in (
        lambda: plot_importance(fit),
        lambda: explain.class_profiles(fit, by="contribution"),
    ):
        with pytest.raises(ValueError, match="is not a sum over features"):
            refused()
    fit.save(tmp_path / "model.cdf")
    described = CliRunner().invoke(main, ["describe", str(tmp_path / "model.cdf")])
    assert "unknown: the distance is not a sum over features" in described.output
    listed = CliRunner().invoke(main, ["importance", str(tmp_path / "model.cdf")])
    assert listed.exit_code == 0, listed.output


def test_the_names_that_can_be_passed_are_listed():
    assert laboratory.distances()[:4] == ("euclidean", "standardized", "manhattan", "cosine")
    assert laboratory.feature_scores()[:4] == ("css", "welch", "f", "auc")
    choices = {
        one.name: tuple(getattr(one.type, "choices", ())) for one in main.commands["train"].params
    }
    assert choices["distance"] == laboratory.distances()[:4]
    assert choices["feature_score"] == laboratory.feature_scores()[:4]
