"""After `pycdf warmup` no command compiles anything."""

import re

import pytest
from darwin_files import write_darwin
from programs import python_ok, python_run

SESSION = """
import sys
from numba.core import event
from pycdf.cli.main import main

class Compiled(event.Listener):
    def on_start(self, event):
        print("compiled", event.data["dispatcher"].py_func.__qualname__, event.data["args"])
    def on_end(self, event):
        pass

event.register("numba:compile", Compiled())
for command in (
    "train train.csv -y Y --id patient -o model.cdf --seed 1 --ntrees 20",
    "predict model.cdf train.csv -o predictions.csv",
    "report model.cdf -o report.html --data train.csv -y Y --id patient",
    "plot tree model.cdf -o tree.svg",
    "plot chance model.cdf -o chance.svg --data train.csv -y Y --id patient",
    "cv train.csv -y Y --id patient --folds 2 --ntrees 5 --seed 1 -o cv.csv",
):
    try:
        main(command.split())
    except SystemExit as end:
        print(command.split()[0], end.code or 0)
"""


@pytest.mark.endurance
def test_after_warmup_a_session_compiles_nothing(tmp_path):
    first = python_ok("-m", "pycdf", "warmup", variables={"PYCDF_QUIET": "1"})
    assert re.fullmatch(
        r"pycdf: (\d+ of \d+ kernels compiled in \d+\.\d s|"
        r"all \d+ kernels were compiled already): \S.*\n",
        first,
    )
    again = python_run("-m", "pycdf", "warmup", variables={"PYCDF_QUIET": ""})
    assert re.fullmatch(r"pycdf: all \d+ kernels were compiled already: .*\n", again.stdout)
    assert again.stderr == ""
    write_darwin(tmp_path, 120)
    shown = python_ok("-c", SESSION, cwd=tmp_path)
    commands = ["train", "predict", "report", "plot", "plot", "cv"]
    assert shown.splitlines() == [f"{command} 0" for command in commands]


@pytest.mark.endurance
def test_without_a_compiler_there_is_nothing_to_do():
    done = python_run("-m", "pycdf", "warmup", variables={"NUMBA_DISABLE_JIT": "1"})
    assert done.returncode == 1
    assert done.stderr == "pycdf: nothing to compile: numba is switched off or not installed.\n"
