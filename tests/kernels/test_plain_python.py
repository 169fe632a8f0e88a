"""The kernels as plain Python: R's answers once more."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from programs import python_run

from pycdf import CDF
from pycdf.kernels.compile import PLAIN_PYTHON

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
    "kernels/test_parse_cells.py::test_numbers_are_those_that_r_reads",
    "kernels/test_rank_sum_tails.py::test_p_values_are_close_to_the_exact_ones[binary]",
    "kernels/test_rank_sum_tails.py::test_at_the_ends_of_the_range",
    "explain/test_permutation.py::test_as_defined[6-parameters2]",
    *(
        f"explain/test_permutation.py::test_every_vote_is_that_of_the_shuffled_row[{kind}]"
        for kind in ("ties, three classes-deep", "values far from 0-", "squares overflow-")
    ),
    "explain/test_permutation_tests.py::test_exact_tests_of_two_groups_are_kept",
    "inputs/test_scaling.py",
    "test_class_weight.py::test_a_tree_is_grown_on_the_sample_of_each_class",
    "test_laboratory.py::test_forests_are_those_of_plain_python",
    "test_laboratory.py::test_ties_are_broken_by_the_same_draws",
    "test_laboratory.py::test_soft_votes_are_the_shares_of_the_leaves",
    "files/test_tables.py",
)

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="compares with compiled kernels")


@pytest.mark.endurance
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


@pytest.mark.endurance
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
