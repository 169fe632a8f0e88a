"""`python -m pycdf` prints what R prints for the lines that it shows."""

import sys

import pytest

from pycdf.__main__ import run

# R 4.2.2, CDF 0.1.0, matrixStats 1.5.0, LC_ALL=C.UTF-8
ACCURACY = "0.8490566"
IMPORTANCE = {
    "x111": "0.009850803",
    "x270": "0.009595766",
    "x444": "0.009595766",
    "x253": "0.009149452",
    "x120": "0.008798776",
}


def run_to_the_end():
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code in (0, None)


def test_the_main_job_prints_rs_numbers(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pycdf"])
    run_to_the_end()
    words = capsys.readouterr().out.split()
    assert words[words.index("accuracy") + 1] == ACCURACY
    start = words.index("features", words.index("accuracy")) + 1
    assert words[start : start + 10] == [word for pair in IMPORTANCE.items() for word in pair]


def test_the_seed_shown_is_the_seed_used(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pycdf", "--seed", "-7"])
    run_to_the_end()
    out = capsys.readouterr().out
    assert "seed -7" in out
    assert "set.seed(-7)" in out


def test_help_does_not_run_the_job(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pycdf", "--help"])
    run_to_the_end()
    shown = capsys.readouterr().out
    assert shown.startswith("Usage: ")
    assert "top features" not in shown
