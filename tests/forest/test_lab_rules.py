"""Kernels for other distances and scores than R's."""

import numpy as np
import pytest

from pycdf.forest.lab_rules import growing, sending
from pycdf.forest.sorted_columns import sorted_columns
from pycdf.kernels.compile import PLAIN_PYTHON

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="about compiled kernels")


def largest(row, centroid, spread):
    return np.abs(row - centroid).max()


def gap(values, starts):
    return values[starts[1]] - values[0]


@pytest.mark.endurance
@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ({"distance": "manhattan"}, [True, True]),
        ({"distance": "manhattan", "feature_score": gap}, [False, True]),
        ({"distance": largest}, [False, False]),
    ],
    ids=["built in", "own score", "own distance"],
)
def test_kernels_with_a_function_of_your_own_are_not_kept_on_disk(rules, kept):
    """No later process would notice that the function is another one."""
    from pycdf.kernels.code_cache import KernelCache

    options = {"feature_score": "css", "redundancy": 0.0, **rules}
    kernels = growing(options).kernel(), sending(options, np.ones(1)).kernel()
    assert [isinstance(kernel._cache, KernelCache) for kernel in kernels] == kept


@pytest.mark.parametrize(
    ("rows", "needed", "columns"), [(4096, True, 2), (4097, True, 0), (5, False, 0), (5, True, 2)]
)
def test_columns_are_sorted_if_it_is_needed_and_pays(rows, needed, columns):
    """Of many rows, nodes are small parts, and sort their own."""
    order = sorted_columns(np.zeros((2, rows)), needed)
    assert order.lines.shape == (columns, rows)
