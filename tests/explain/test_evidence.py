"""Scores and rank tests of splits, against trees that are walked in plain Python."""

import math

import numpy as np
import pandas as pd
import pytest
from r_ties import max_col

from pycdf import CDF, CDFClassifier, RStream, load_darwin
from pycdf.base_r.seeds import tree_seed
from pycdf.explain.evidence import split_evidence
from pycdf.explain.fitted import model_of, read_codes
from pycdf.explain.permutation_tests import permutation_p_values
from pycdf.explain.rank_tests import rank_test

ROUNDING = 1e-12  # the reference has few roundings, and none if all values are the same


def data(kind):
    rng = np.random.default_rng(11)
    y = rng.permutation(np.arange(60) % (2 if kind == "two classes" else 3))
    X = rng.normal(size=(60, 20)) + 0.4 * y[:, np.newaxis]
    if kind.startswith("tied"):  # rows between two centroids, by the dozen
        X = rng.integers(0, 3, size=(60, 20)).astype(float)
    if kind == "missing":
        X[rng.random(X.shape) < 0.4] = np.nan
    if kind == "integer":
        X = rng.integers(-50, 50, size=(60, 20), dtype=np.int64)
    return X, np.array(["a", "b", "c"])[y]


KINDS = {
    "two classes": {},
    "three classes": {"depth": 4},
    "tied": {"k": 1},
    "missing": {"k": 2},
    "integer": {"spread": "population"},
    "no choice": {"mtry": 20},
    "all rows": {"bootstrap": False},
    "tied, on all rows": {"bootstrap": False, "k": 1, "mtry": 15},
    "tied, each tree on its own stream": {"streams": "per_tree", "k": 1},
}


@pytest.fixture(scope="module", params=KINDS)
def case(request):
    X, y = data(request.param)
    fit = CDFClassifier(ntrees=15, seed=7, **KINDS[request.param]).fit(X, y)
    return fit, X, y


def walk(model, X, stream):
    """The rows of every node, in order, from the stream and the forest's splits alone."""
    forest = model.forest
    found = {}

    def visit(node, rows):
        found[node] = rows
        if forest.leaf[node] >= 0:
            return
        if model.parameters["mtry"] < X.shape[1]:
            stream.sample(X.shape[1], model.parameters["mtry"])
        links = slice(forest.class_start[node], forest.class_start[node + 1])
        features = forest.features[forest.feature_start[node] : forest.feature_start[node + 1]]
        start, stop = forest.centroid_start[node : node + 2]
        centroids = forest.centroids[start:stop].reshape(-1, len(features))
        branches = [[] for _ in centroids]
        for row in rows:
            distances = [float(np.nansum((X[row, features] - one) ** 2)) for one in centroids]
            branches[max_col(distances, stream)].append(row)
        for branch, child in zip(branches, forest.children[links], strict=True):
            assert (child >= 0) == (len(branch) > 0)
            if branch:
                visit(root + child, branch)

    for tree, root in enumerate(forest.tree_start[:-1]):
        if model.options["streams"] == "per_tree":
            stream = RStream(tree_seed(model.seed, tree))
        rows = np.arange(len(X))
        if model.options["bootstrap"]:
            rows = stream.sample(len(X), len(X), replace=True)
        visit(root, rows.tolist())
    return found


def separability(values, codes, ddof):
    """The class separability score, as the paper writes it."""
    classes = [values[codes == code] for code in np.unique(codes)]
    classes = [mean_and_sd(present[~np.isnan(present)].tolist(), ddof) for present in classes]
    total = 0.0
    for i, one in enumerate(classes):
        for other in classes[i + 1 :]:
            if one and other:
                total += abs(one[0] - other[0]) / (one[1] + other[1] + 1e-7)
    return total * 2 / (len(classes) * (len(classes) - 1))


def mean_and_sd(values, ddof):
    """Mean and standard deviation by correctly rounded sums; None if there are too few values."""
    if len(values) <= ddof:
        return None
    apart = [value - values[0] for value in values]  # 0 for values that are all the same
    mean = math.fsum(apart) / len(apart)
    squares = math.fsum((value - mean) ** 2 for value in apart)
    return values[0] + mean, math.sqrt(squares / (len(apart) - ddof))


def test_every_line_of_the_table(case):
    fit, X, y = case
    model = model_of(fit)
    forest = model.forest
    X = X.astype(float)
    codes = read_codes(model, y)
    rows_of = walk(model, X, RStream(7))
    table = split_evidence(fit, *case[1:])
    assert len(table) == len(forest.features)
    line = iter(table.itertuples())
    for tree, (root, end) in enumerate(
        zip(forest.tree_start[:-1], forest.tree_start[1:], strict=True)
    ):
        for node in range(root, end):
            if forest.leaf[node] >= 0:
                continue
            rows = np.array(rows_of[node])
            distinct = np.unique(rows)
            order = list(dict.fromkeys(codes[rows].tolist()))  # R's: as the classes appear
            groups = np.array([order.index(code) for code in codes[distinct]])
            features = forest.features[forest.feature_start[node] : forest.feature_start[node + 1]]
            for rank, feature in enumerate(features):
                told = next(line)
                assert (told.tree, told.node, told.depth) == (tree, node - root, forest.depth[node])
                assert (told.rank, told.feature) == (rank, feature)
                assert (told.rows, told.distinct_rows) == (len(rows), len(distinct))
                score = separability(X[rows, feature], codes[rows], model.options["ddof"])
                assert told.score == pytest.approx(score, rel=ROUNDING, abs=1e-12)
                test = rank_test(X[distinct, feature][:, np.newaxis], groups)
                np.testing.assert_array_equal(
                    [told.statistic, told.p_value], [test.statistic[0], test.p_value[0]]
                )
                assert told.candidates == model.parameters["mtry"]
                by_permutation = permutation_p_values(
                    X[distinct, feature][:, np.newaxis], groups, test
                )[0]
                adjusted = min(by_permutation * told.candidates, 1.0)
                np.testing.assert_array_equal(
                    [told.p_permutation, told.p_adjusted], [by_permutation, adjusted]
                )
                expected = (
                    "Kruskal-Wallis rank sum test"
                    if len(order) > 2
                    else "Wilcoxon rank sum exact test"
                    if test.exact[0]
                    else "Wilcoxon rank sum test with continuity correction"
                )
                assert told.test == expected
    assert next(line, None) is None  # each line was compared


def test_scores_fall_from_rank_to_rank(case):
    """In order of selection: this holds to the last bit only for the very scores that chose."""
    table = split_evidence(*case)
    assert len(table) > 15
    for _, node in table.groupby(["tree", "node"]):
        assert (np.diff(node["score"]) <= 0).all()


def test_every_form_of_a_fit_gives_the_same():
    X, y = load_darwin()
    result = CDF(X, y, X[:1], ntrees=3, seed=2)
    estimator = CDFClassifier(ntrees=3, seed=2).fit(X, y)
    table = split_evidence(result, X, y)
    assert set(table["feature"]) <= set(X.columns)
    for fit in (estimator, estimator.model_, result.model):
        pd.testing.assert_frame_equal(split_evidence(fit, X, y), table)


def test_some_trees():
    X, y = data("three classes")
    fit = CDFClassifier(ntrees=5, seed=1).fit(X, y)
    every = split_evidence(fit, X, y)
    one = split_evidence(fit, X, y, 3)
    pd.testing.assert_frame_equal(one, every[every["tree"] == 3].reset_index(drop=True))
    several = split_evidence(fit, X, y, [3, 1])
    assert several["tree"].unique().tolist() == [3, 1]
    with pytest.raises(ValueError, match="from 0 to 4, a tree of the forest"):
        split_evidence(fit, X, y, 5)


def test_trees_of_one_leaf():
    X, y = data("two classes")
    table = split_evidence(CDFClassifier(ntrees=2, depth=0, seed=1).fit(X, y), X, y)
    assert len(table) == 0
    assert table.columns.tolist() == [
        "tree", "node", "depth", "rank", "feature", "score", "rows", "distinct_rows", "test",
        "statistic", "p_value", "p_permutation", "candidates", "p_adjusted",
    ]  # fmt: skip


def test_a_forest_that_grew_on():
    X, y = data("tied")
    fit = CDFClassifier(ntrees=3, k=1, seed=1, warm_start=True).fit(X, y)
    fit.set_params(ntrees=8).fit(X, y)
    whole = CDFClassifier(ntrees=8, k=1, seed=1).fit(X, y)
    pd.testing.assert_frame_equal(split_evidence(fit, X, y), split_evidence(whole, X, y))


# ---- streams that cannot be drawn from again -----------------------------------------------------


def later_stream():
    stream = RStream(7)
    stream.uniform(3)
    return stream


def test_a_stream_that_was_handed_on():
    """Without ties nothing is lost: the tests are the same as from what each tree drew."""
    X, y = data("two classes")
    fit = CDFClassifier(ntrees=10, seed=later_stream()).fit(X, y)
    table = split_evidence(fit, X, y)
    model = model_of(fit)
    nodes = fit.apply(X)
    assert table["p_value"].notna().all()
    assert (table["depth"] > 0).sum() > 10
    for line in table[table["depth"] > 0].itertuples():
        inside = [line.node]
        for node in range(line.node + 1, nodes[:, line.tree].max() + 1):
            parent = model.forest.parent[model.forest.tree_start[line.tree] + node]
            inside += [node] * (parent in inside)
        here = np.isin(nodes[:, line.tree], inside) & (model.forest.inbag[line.tree] > 0)
        assert line.distinct_rows == here.sum()
        first = model.forest.node_classes[
            model.forest.class_start[model.forest.tree_start[line.tree] + line.node]
        ]
        groups = (y[here] != model.classes[first]).astype(int)
        test = rank_test(X[here][:, [line.feature]], groups)
        assert (line.statistic, line.p_value) == (test.statistic[0], test.p_value[0])


def test_means_may_differ_in_their_last_bits():
    """Of numbers of very different sizes, summed in another order than that of the draws."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 20)) * 10.0 ** rng.uniform(-4, 4, (60, 20))
    y = np.arange(60) % 2
    fit = CDFClassifier(ntrees=15, k=5, mtry=10, seed=later_stream()).fit(X, y)
    table = split_evidence(fit, X, y)
    assert (table["depth"] > 0).sum() > 10
    assert (table["distinct_rows"] > 0).all()


def test_rows_that_chance_sent_are_told():
    X, y = data("tied")
    fit = CDFClassifier(ntrees=15, k=1, seed=later_stream()).fit(X, y)
    with pytest.warns(UserWarning, match=r"rows of \d+ nodes of \d+ are not known.*NaN") as told:
        table = split_evidence(fit, X, y)
    assert told[0].filename == __file__
    unknown = table["distinct_rows"] == 0
    assert table.loc[unknown, ["score", "statistic", "p_value", "p_adjusted"]].isna().all(axis=None)
    assert table.loc[unknown, "test"].isna().all()
    assert table.loc[unknown, "depth"].min() > 0
    assert table.loc[~unknown, "score"].notna().all()
    model = model_of(fit)
    rows_of = walk(model, X, later_stream())
    assert unknown.any()
    assert (~unknown).sum() > 100
    for line in table[~unknown].itertuples():
        rows = rows_of[model.forest.tree_start[line.tree] + line.node]
        distinct = np.unique(rows)
        assert line.distinct_rows == len(distinct)
        order = list(dict.fromkeys(y[rows]))
        groups = np.array([order.index(label) for label in y[distinct]])
        test = rank_test(X[distinct][:, [line.feature]], groups)
        assert line.p_value == pytest.approx(test.p_value[0], rel=ROUNDING, nan_ok=True)


# ---- rows that are not those of training ---------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X * 2,
        lambda X: X + 1e-6,
        lambda X: X[:, ::-1],
        lambda X: np.random.default_rng(1).normal(size=X.shape),
        lambda X: X.astype(np.float32),
    ],
)
def test_other_values_are_refused(change):
    X, y = data("two classes")
    fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    with pytest.raises(ValueError, match="X is not what the forest was grown on: its class means"):
        split_evidence(fit, change(X), y)


def test_the_same_rows_in_another_order_are_refused():
    X, y = data("two classes")
    fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    swapped = np.arange(60)
    a = np.flatnonzero(y == "a")
    swapped[a] = a[::-1]
    with pytest.raises(ValueError, match="X is not what the forest was grown on"):
        split_evidence(fit, X[swapped], y)
    with pytest.raises(ValueError, match="a different label in y than in training"):
        split_evidence(fit, X[::-1], y[::-1])
