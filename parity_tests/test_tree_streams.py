"""Forests with a stream for each tree: R grows each of these trees alone, from the tree's seed."""

from dataclasses import replace

import numpy as np
import pytest

from pycdf import tree_seed

from .cases import named_cases
from .check import compare, fit

TREES = 6


def same_tree(table, tree, alone):
    mine = table[table["tree"] == tree].drop(columns="tree").reset_index(drop=True)
    return mine.equals(alone.drop(columns="tree"))


@pytest.mark.parametrize("case", named_cases()[::3], ids=lambda case: case.name)
def test_r_grows_each_tree_alone(r, case):
    seed = int(case.settings["seed"])
    whole = fit(case, ntrees=TREES, streams="per_tree", n_jobs=2)
    votes = []
    for tree in range(TREES):
        settings = {**case.settings, "ntrees": 1, "seed": tree_seed(seed, tree)}
        alone = replace(case, settings=settings)
        theirs = compare("trees with a stream of their own", r, alone)
        ours = fit(alone)
        assert same_tree(whole.trees, tree, ours.trees)
        assert same_tree(whole.centroids, tree, ours.centroids)
        votes.append(theirs.votes)
    np.testing.assert_array_equal(whole.votes, np.concatenate(votes, axis=1))
