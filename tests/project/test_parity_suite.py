"""What of the parity suite can be tested without R: its counts and its messages."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "parity_tests"
Tally = runpy.run_path(str(FOLDER / "tally.py"))["Tally"]
SETUP = runpy.run_path(str(FOLDER / "r_setup.py"))
FACTS = {
    "date": "2026-01-02",
    "commit": "abc",
    "system": "Debian",
    "versions": {"R": "4.5.0"},
    "packages": {"CDF": {"version": "0.1.0", "path": "/library"}},
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An R with its own library folder."""
    for name in ("lib/libR.so", "library/base/DESCRIPTION"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Package: base\nVersion: 4.6.1\n")
    monkeypatch.setenv("R_HOME", str(tmp_path))
    return tmp_path


def test_equal_and_different_are_counted_one_by_one(tmp_path):
    tally = Tally()
    assert not tally.compare("scores", np.array([True, False, True]))
    assert tally.compare("scores", [True])
    assert tally.compare("forests", np.bool_(True))
    tally.count("forests", False, 2)
    tally.not_compared["rknn"] = "does not compile on R 4.7.0 (error: x)"
    lines = "\n".join(tally.lines(FACTS))
    assert "scores          4 compared, 1 different" in lines
    assert "forests         3 compared, 2 different" in lines
    assert "CDF 0.1.0 in /library" in lines
    assert "not compared: rknn does not compile on R 4.7.0 (error: x)" in lines
    tally.write(tmp_path / "summary.json", FACTS)
    written = json.loads((tmp_path / "summary.json").read_text("utf-8"))
    assert written["kinds"]["scores"] == {"compared": 4, "different": 1}


@pytest.mark.parametrize("outcome", [1, "equal", [0.0, 1.0], None])
def test_an_outcome_is_a_boolean(outcome):
    with pytest.raises(TypeError, match="outcomes of comparisons are booleans, not"):
        Tally().compare("scores", outcome)


def test_an_r_with_a_blas_of_its_own(home):
    error = OSError("libRblas.so: cannot open shared object file: No such file or directory")
    assert f"export LD_LIBRARY_PATH={home / 'lib'}:" in SETUP["why_no_session"](error)


def test_an_rpy2_for_another_r(home):
    error = OSError("libR.so: undefined symbol: R_getVar")
    assert "does not fit" in SETUP["why_no_session"](error)
    assert "R_getVar" in SETUP["why_no_session"](error)


def test_an_r_without_a_shared_library(home):
    (home / "lib" / "libR.so").unlink()
    assert "--enable-R-shlib" in SETUP["why_no_session"](OSError("not found"))


def test_the_library_of_another_r_is_noticed(home):
    SETUP["check_loaded_r"](str(home), "4.6.1")
    with pytest.raises(SETUP["RIsMissing"], match=r"library of R 4\.5\.0, but .* is 4\.6\.1"):
        SETUP["check_loaded_r"](str(home), "4.5.0")


def test_the_cause_that_install_r_noted_is_repeated(tmp_path, monkeypatch):
    monkeypatch.setenv("PYCDF_R_LIBRARY", str(tmp_path))
    assert SETUP["why_not_installed"]("rknn") is None
    (tmp_path / "not-installed.txt").write_text("rknn does not compile (error: x)\n")
    assert SETUP["why_not_installed"]("rknn") == "does not compile (error: x)"
    assert SETUP["why_not_installed"]("RRF") is None


def test_the_switch_has_two_positions(monkeypatch):
    monkeypatch.delenv("PYCDF_COMPARATORS", raising=False)
    assert SETUP["comparators_wanted"]() == "try"
    monkeypatch.setenv("PYCDF_COMPARATORS", "perhaps")
    with pytest.raises(
        ValueError, match=r'PYCDF_COMPARATORS is either "must" or "try", not .perhaps.'
    ):
        SETUP["comparators_wanted"]()
