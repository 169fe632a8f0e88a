"""A stream for each tree: the seeds, the same forest however it is grown, and trees alone."""

import numpy as np
import pandas as pd
import pytest
from same_forest import assert_same_forest
from sklearn.base import clone

import pycdf
from pycdf import CDF, CDFClassifier, RStream, load_darwin, tree_seed
from pycdf.base_r.seeds import tree_seeds
from pycdf.forest import growing as growth

X, Y = load_darwin()
SMALL = {"ntrees": 40, "depth": 2, "seed": 5}


def per_tree(**changes):
    return CDFClassifier(**{**SMALL, "streams": "per_tree", **changes})


# ---- seeds ---------------------------------------------------------------------------------------


def test_the_seed_of_a_tree_is_the_documented_hash():
    def mixed(x):
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
            x = ((x ^ (x >> shift)) * factor) % 2**32
        return x

    for seed, tree in ((0, 0), (1, 0), (1, 499), (-7, 3), (2**31 - 1, 10**6), (-(2**31 - 1), 0)):
        x = mixed((seed * 0x9E3779B1 + tree) % 2**32)
        assert tree_seed(seed, tree) % 2**32 == x
    assert tree_seed(1, 0) == tree_seeds(1, 0, 1).view(np.int32)[0]


def test_seeds_of_a_forest_go_on_over_the_end_of_the_ring():
    start = -pow(0x9E3779B1, -1, 2**32) * 5 % 2**32  # the place of tree 0 is 5 before the end
    seed = start - 2**32 if start >= 2**31 else start
    whole = tree_seeds(seed, 0, 10)
    assert len(set(whole.tolist())) == 10
    assert [tree_seed(seed, tree) % 2**32 for tree in range(10)] == whole.tolist()
    assert tree_seeds(seed, 7, 3).tolist() == whole[7:].tolist()


def test_no_tree_has_rs_na_for_a_seed():
    # the place from which the mix leads to R's NA, hence the seed of which it is tree 0
    seed = 0xE8D54490 * pow(0x9E3779B1, -1, 2**32) % 2**32
    assert tree_seed(seed - 2**32 if seed >= 2**31 else seed, 0) == 0xCC4B4124 - 2**32
    # and the place that leads to the same seed is out of a forest's reach
    assert abs(0xE8D54490 - 0x80000000) > 10**9


def test_neighbouring_seeds_share_no_tree():
    seeds = np.concatenate([tree_seeds(seed, 0, 5_000) for seed in range(-50, 50)])
    assert len(np.unique(seeds)) == len(seeds)
    # as documented: how near two forests come on the ring
    for apart, trees in ((1_000, 1_900_000), (10_000, 341_000)):
        steps = np.arange(1, apart, dtype=np.uint64) * np.uint64(0x9E3779B1) % np.uint64(2**32)
        assert min(steps.min(), 2**32 - steps.max()) > trees


def test_tree_seed_refuses_what_is_no_tree():
    with pytest.raises(ValueError, match="tree must be at least 0"):
        tree_seed(1, -1)
    with pytest.raises(TypeError, match="tree must be a whole number"):
        tree_seed(1, 0.5)
    with pytest.raises(ValueError, match="seed='x' is not a seed"):
        tree_seed("x", 1)


# ---- the same forest -----------------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
@pytest.mark.parametrize("pieces", [1, 8, 100])
def test_any_number_of_jobs_and_pieces_gives_the_same_forest(n_jobs, pieces, monkeypatch):
    alone = per_tree(n_jobs=1).fit(X, Y)
    monkeypatch.setattr(growth, "_PIECES_PER_JOB", pieces)
    many = per_tree(n_jobs=n_jobs).fit(X, Y)
    assert_same_forest(alone.model_.forest, many.model_.forest)


def test_any_batch_size_gives_the_same_forest(monkeypatch):
    usual = per_tree().fit(X, Y)
    monkeypatch.setattr(growth, "_CALL_SECONDS", 0.0)  # one tree a call
    assert_same_forest(usual.model_.forest, per_tree().fit(X, Y).model_.forest)


def test_each_tree_can_be_rebuilt_alone():
    forest = CDF(X, Y, X, streams="per_tree", **SMALL)
    for tree in (0, 1, 17, 39):
        alone = CDF(X, Y, X, ntrees=1, depth=2, seed=tree_seed(5, tree))
        for whole, part in ((forest.trees, alone.trees), (forest.centroids, alone.centroids)):
            mine = whole[whole["tree"] == tree].drop(columns="tree").reset_index(drop=True)
            pd.testing.assert_frame_equal(mine, part.drop(columns="tree"), check_exact=True)
        np.testing.assert_array_equal(forest.votes[:, tree], alone.votes[:, 0])


def test_it_is_another_forest_than_with_rs_stream():
    one, other = per_tree().fit(X, Y), per_tree(streams="r").fit(X, Y)
    assert not np.array_equal(one.model_.forest.inbag, other.model_.forest.inbag)


def test_the_function_and_the_estimator_agree():
    fit = CDF(X, Y, X, streams="per_tree", n_jobs=2, **SMALL)
    assert_same_forest(fit.forest, per_tree().fit(X, Y).model_.forest)


def test_a_warm_start_adds_the_same_trees(tmp_path):
    whole = per_tree().fit(X, Y)
    part = per_tree(ntrees=15).fit(X, Y)
    part.save(tmp_path / "m.cdf")
    again = pycdf.load(tmp_path / "m.cdf")
    assert again.streams == "per_tree"
    for model in (part, again):
        model.set_params(ntrees=40, warm_start=True).fit(X, Y)
        assert_same_forest(whole.model_.forest, model.model_.forest)
    with pytest.raises(ValueError, match="streams is 'r' and was 'per_tree' before"):
        part.set_params(ntrees=50, streams="r").fit(X, Y)


def test_a_stream_that_is_given_draws_the_seed():
    stream = RStream(9)
    first = per_tree(seed=stream).fit(X, Y)
    second = per_tree(seed=stream).fit(X, Y)
    drawn = RStream(9)
    for model in (first, second):
        assert model.model_.seed == drawn.sample(2**31 - 1, 1)[0]
        assert_same_forest(
            model.model_.forest, per_tree(seed=model.model_.seed).fit(X, Y).model_.forest
        )
    np.testing.assert_array_equal(stream.uniform(3), drawn.uniform(3))


def test_without_a_seed_the_seed_is_told():
    model = per_tree(seed=None).fit(X, Y)
    again = per_tree(seed=model.model_.seed).fit(X, Y)
    assert_same_forest(model.model_.forest, again.model_.forest)


# ---- one tree on all rows ------------------------------------------------------------------------


def test_without_a_bootstrap_a_tree_sees_each_row_once():
    tree = CDFClassifier(ntrees=1, bootstrap=False, seed=1).fit(X, Y)
    forest = tree.model_.forest
    assert (forest.inbag == 1).all()
    assert forest.rows[0] == len(X)
    counts = [int((label == Y).sum()) for label in tree.model_.classes]
    assert forest.counts[0].tolist() == counts


def test_without_a_bootstrap_and_with_all_features_nothing_is_random(tmp_path):
    one, other = (
        CDFClassifier(ntrees=1, bootstrap=False, mtry=X.shape[1], seed=seed).fit(X, Y)
        for seed in (1, 2)
    )
    assert_same_forest(one.model_.forest, other.model_.forest)
    one.save(tmp_path / "tree.cdf")
    assert pycdf.load(tmp_path / "tree.cdf").bootstrap is False
    assert clone(one).bootstrap is False


def test_without_a_bootstrap_no_row_is_out_of_the_bag():
    with pytest.raises(ValueError, match="oob_score=True needs bootstrap=True"):
        CDFClassifier(bootstrap=False, oob_score=True).fit(X, Y)


# ---- refusals ------------------------------------------------------------------------------------


def test_wrong_choices_are_refused_by_name():
    with pytest.raises(ValueError, match="streams='R': pass 'r' or 'per_tree'"):
        per_tree(streams="R").fit(X, Y)
    with pytest.raises(ValueError, match="streams='R': pass 'r' or 'per_tree'"):
        CDF(X, Y, X, streams="R")
    with pytest.raises(ValueError, match="collation='en': pass 'icu' or 'C'"):
        CDF(X, Y, X, collation="en")
    for n_jobs in (0, 1.5, "2"):
        with pytest.raises(ValueError, match=r"n_jobs=.*: pass a number of cores, or -1 for all"):
            per_tree(n_jobs=n_jobs).fit(X, Y)
        with pytest.raises(ValueError, match=r"n_jobs=.*: pass a number of cores, or -1 for all"):
            CDF(X, Y, X, n_jobs=n_jobs)
        model = per_tree(ntrees=2).fit(X, Y).set_params(n_jobs=n_jobs)
        with pytest.raises(ValueError, match=r"n_jobs=.*: pass a number of cores, or -1 for all"):
            model.predict(X)


@pytest.mark.parametrize("n_jobs", [-2, np.int64(2), 100])
@pytest.mark.parametrize("streams", ["r", "per_tree"])
def test_numbers_of_jobs_as_joblib_knows_them(streams, n_jobs):
    alone = per_tree(ntrees=12, streams=streams).fit(X, Y)
    many = per_tree(ntrees=12, streams=streams, n_jobs=n_jobs).fit(X, Y)
    assert_same_forest(alone.model_.forest, many.model_.forest)
    np.testing.assert_array_equal(alone.predict_proba(X), many.predict_proba(X))
