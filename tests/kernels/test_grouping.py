"""The rows of a node by class, and the class that a leaf votes for."""

import numpy as np
import pytest
from numba import njit

from pycdf.kernels.grouping import group_by_class, leaf_class, new_class_rows


@njit
def leaf_of(rows, codes, classes, tie_rank):
    found = group_by_class(rows, codes, classes)
    return leaf_class(classes, found, tie_rank)


@pytest.mark.parametrize(
    ("codes", "tie_rank", "wanted"),
    [
        ([0, 1, 1], [0, 1], 1),
        ([1, 0, 1, 0], [0, 1], 0),
        ([1, 0, 1, 0], [1, 0], 1),
        # Labels that sort alike: the one that appears first in the node
        ([1, 0, 1, 0], [0, 0], 1),
        ([0, 1, 1, 0], [0, 0], 0),
        ([2, 1, 0, 0, 1, 2], [1, 0, 0], 2),
        ([0, 2, 1, 1, 0, 2], [1, 0, 0], 2),
        # No leaf votes for a class of rank -1
        ([0, 0, 1], [-1, 0], 1),
        ([0, 0, 0], [-1, 0], 0),
    ],
)
def test_the_class_of_a_leaf(codes, tie_rank, wanted):
    codes, tie_rank = np.array(codes, np.int32), np.array(tie_rank, np.int32)
    rows = np.arange(len(codes), dtype=np.int32)
    assert leaf_of(rows, codes, new_class_rows(len(codes), len(tie_rank)), tie_rank) == wanted
