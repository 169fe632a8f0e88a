"""The parity suite's rpy2 fits the R that is there."""

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "r_reference" / "choose_rpy2.py"
requirements = runpy.run_path(str(SCRIPT))["requirements"]


@pytest.mark.parametrize("r_version", ["4.5.0", "4.5.1", "4.10.0", "5.0.0", "4.6"])
def test_an_r_that_has_what_the_newest_wants(r_version):
    assert requirements(r_version) == ["rpy2>=3.6.4", "rpy2-rinterface>=3.6.6"]


@pytest.mark.parametrize("r_version", ["4.2.2", "4.3.3", "4.4.3", "3.6.3", "4.2.2\n"])
def test_an_older_r_gets_the_last_rpy2_that_loads_with_it(r_version):
    assert requirements(r_version) == ["rpy2==3.5.17"]


@pytest.mark.parametrize("r_version", ["", "R version 4.2.2", "4", "4.x.1"])
def test_what_is_no_version_is_refused(r_version):
    with pytest.raises(ValueError, match="not a version of R"):
        requirements(r_version)
