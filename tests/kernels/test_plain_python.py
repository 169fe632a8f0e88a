"""The kernels as plain Python: R's answers once more, and the vector instructions one by one."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from programs import python_run

from pycdf import CDF
from pycdf.kernels import simd, simd_plain
from pycdf.kernels.compile import PLAIN_PYTHON
from pycdf.kernels.simd_sizes import BLOCK, FOUR, LANES, RUN

HERE = Path(__file__).parents[1]
# R's recorded answers, all but the longest; splits followed again; ties; numbers in text
SLOW = "darwin or 10000000"
# Left to `nox -s coverage`, which asks for everything: they take a third of the time.
LATER = () if os.environ.get("PYCDF_PLAIN_PYTHON") == "all" else (
    "integer", "tied, on all rows", "tied, each tree on its own stream",
)  # fmt: skip
AGAIN = (
    "forest/test_golden.py",
    "explain/test_evidence.py::test_every_line_of_the_table",
    "explain/test_evidence.py::test_a_stream_that_was_handed_on",
    "cli/test_cli.py::test_numbers_are_those_that_r_reads",
)

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="compares with compiled kernels")


def test_recorded_answers_of_r():
    """All forests, scores and draws of tests/golden but two, bit for bit; a warning is an error."""
    table = "tests/explain/test_evidence.py::test_every_line_of_the_table"
    left_out = [f"--deselect={table}[{case}]" for case in LATER]
    pytest_again = ("-m", "pytest", "-q", "-k", f"not ({SLOW})", *left_out, *AGAIN)
    done = python_run(*pytest_again, cwd=HERE, variables={"NUMBA_DISABLE_JIT": "1"})
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 170, done.stdout


FOREST = """
import sys
{first}
import numpy as np
from pycdf import CDF
from pycdf.kernels.compile import PLAIN_PYTHON
assert PLAIN_PYTHON
x = np.arange(60.0).reshape(12, 5) ** 2 % 7
print(CDF(x, [0, 1, 2] * 4, x, ntrees=4, seed=1).votes.tolist())
"""


@pytest.mark.parametrize(
    ("first", "variables", "said"),
    [
        ("", {"NUMBA_DISABLE_JIT": "1"}, ""),
        ("sys.modules['numba'] = None", {}, "pycdf: numba is not installed"),
        ("sys.modules['numba'] = None", {"PYCDF_QUIET": "1"}, ""),
    ],
    ids=["switched off", "not installed", "not installed, quiet"],
)
def test_numba_is_not_needed(first, variables, said):
    x = np.arange(60.0).reshape(12, 5) ** 2 % 7
    compiled = CDF(x, [0, 1, 2] * 4, x, ntrees=4, seed=1)
    code = FOREST.format(first=first)
    done = python_run("-W", "error", "-c", code, variables={"PYCDF_QUIET": ""} | variables)
    assert done.stdout == f"{compiled.votes.tolist()}\n", done.stderr
    assert done.stderr.startswith(said) if said else done.stderr == ""


@njit
def lane_sums(values, count, given, out):
    simd.lane_sums(values, count, given, out)


@njit
def lane_differences(values, count, given, out):
    simd.lane_differences(values, count, given, out)


@njit
def lane_squares(values, count, given, out):
    simd.lane_squares(values, count, given, out)


@njit
def moments(values, starts, weights, blocks, first, last, sums, squares, position):
    simd.moments(values, starts, weights, blocks, first, last, sums, squares, position)


@pytest.mark.parametrize(
    ("compiled", "plain"),
    [
        (lane_sums, simd_plain.lane_sums),
        (lane_differences, simd_plain.lane_differences),
        (lane_squares, simd_plain.lane_squares),
    ],
)
def test_exact_sums_have_the_same_bits(compiled, plain):
    rng = np.random.default_rng(3)
    for count in (0, 1, 2, 3, 50, 200):
        size = count * LANES
        values = rng.standard_normal(size) * 10.0 ** rng.integers(-20, 20, size)
        given = rng.standard_normal(LANES)
        ours, reference = np.full((2, 3 * LANES), 7.0)
        compiled(values, count, given, ours)
        plain(values, count, given, reference)
        np.testing.assert_array_equal(ours.view(np.int64), reference.view(np.int64))


def test_sums_of_the_screen_are_within_their_bound():
    rng = np.random.default_rng(4)
    for n_blocks in (1, 5, RUN + 1, 3 * RUN + 7):
        width = 2 * n_blocks * BLOCK
        values = rng.standard_normal(FOUR * width).astype(np.float32)
        weights = rng.integers(0, 4, width).astype(np.float32)
        starts = rng.permutation(FOUR) * width
        blocks = rng.permutation(2 * n_blocks)[:n_blocks] * BLOCK
        given = (values, starts, weights, blocks, 1, n_blocks)
        sums = np.zeros((2, 2, 2, FOUR), dtype=np.float32)  # plain and compiled, of x and of x^2
        for function, (one, two) in zip((simd_plain.moments, moments), sums, strict=True):
            function(*given, one, two, FOUR)
        rows = (blocks[1:, np.newaxis] + np.arange(BLOCK)).ravel()
        x, w = values.reshape(FOUR, width)[starts // width][:, rows].astype(float), weights[rows]
        c = min(n_blocks, RUN) + n_blocks // RUN + 8  # as in pycdf.kernels.screen_bounds
        for one, two in sums:
            assert (one[0] == 0).all()
            assert (two[0] == 0).all()
            assert (abs(one[1] - x @ w) <= c * 2.0**-24 * (abs(x) @ w)).all()
            assert (abs(two[1] - x**2 @ w) <= c * 2.0**-24 * (x**2 @ w)).all()
