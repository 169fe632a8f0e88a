"""A process that finds its kernels in the cache loads machine code, not the compiler's rules."""

import pytest
from programs import python_run

from pycdf.kernels.compile import PLAIN_PYTHON

pytestmark = [
    pytest.mark.endurance,  # caches are cold here
    pytest.mark.skipif(PLAIN_PYTHON, reason="about compiled kernels"),
]

FOREST = """
import sys
import numpy as np
from pycdf import CDF
x = np.arange(60.0).reshape(12, 5) ** 2 % 7
CDF(x, [0, 1, 2] * 4, x, ntrees=4, seed=1)
print(*(name for name in ("scipy.linalg", "numba.np.linalg") if name in sys.modules))
"""


def test_a_forest_from_cached_kernels_imports_no_rules_of_numba(tmp_path):
    variables = {"NUMBA_CACHE_DIR": str(tmp_path), "PYCDF_QUIET": "1"}
    compiled = python_run("-c", FOREST, variables=variables)
    assert compiled.stdout.split() != [], compiled.stderr  # what compiling needs
    loaded = python_run("-c", FOREST, variables=variables)
    assert loaded.returncode == 0, loaded.stderr
    assert loaded.stdout.split() == []


def test_a_kernel_that_allocates_is_loaded_with_numbas_memory_management(tmp_path):
    code = "from pycdf import RStream; print(RStream(1).sample(10, 3).tolist())"
    variables = {"NUMBA_CACHE_DIR": str(tmp_path), "PYCDF_QUIET": "1"}
    first, second = (python_run("-c", code, variables=variables) for _ in range(2))
    assert first.stdout == second.stdout != "", second.stderr
