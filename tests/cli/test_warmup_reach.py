"""`pycdf warmup` loads every kernel, for all types of arguments that later calls have.

The calls come in the same process, so that kernels that other tests have left on disk do not count.
"""

import json
import re
import warnings
from types import SimpleNamespace

import pytest
from programs import pycdf_ok, pycdf_run, python_run

from pycdf.cli import run_warmup
from pycdf.kernels import cache_folder

SESSION = """
import importlib, json, pkgutil, sys, warnings
import numpy as np
import pycdf.kernels
from pycdf import CDF, CDFClassifier, RStream, explain
from pycdf.cli.main import main
from pycdf.files.tables.reading import read_data

try:
    main(["warmup"])
except SystemExit as end:
    assert not end.code
entries = {}
for module in pkgutil.iter_modules(pycdf.kernels.__path__, "pycdf.kernels."):
    for value in vars(importlib.import_module(module.name)).values():
        if type(getattr(value, "_cache", None)).__name__ == "KernelCache":
            entries[value.py_func.__qualname__] = value

def loaded():
    return {f"{name} {one}" for name, entry in entries.items() for one in entry.signatures}

before = loaded()
warnings.simplefilter("ignore")
rng = np.random.default_rng(5)
for stream in (RStream(3), RStream(3, "Rounding")):
    stream.uniform(5), stream.rnorm(5), stream.sample_int(10**8, 3)
    for replace in (False, True):
        stream.sample_int(10, 3, replace=replace)
        for n in (5, 300):
            stream.sample_int(n, 3, replace=replace, prob=np.full(n, 1 / n))
for n, labels in ((15, np.array(list("ab"))), (30, np.array(list("abc"))), (140, np.arange(2))):
    X, y = rng.normal(size=(n, 6)).round(2), labels[np.arange(n) % len(labels)]
    X[0, 0], X[:, 5] = np.nan, 1.0
    for stream in (7, RStream(7, "Rounding")):
        explain.split_evidence(CDF(X, y, X, ntrees=3, seed=stream), X, y)
    for weights in (None, "balanced"):
        for rules in ({"distance": "cosine", "vote": "soft"}, {"scale": True}, {}):
            grown = CDFClassifier(ntrees=9, seed=2, class_weight=weights, oob_score=True, **rules)
            grown.fit(X, y).predict(X)
        explain.split_evidence(grown, X, y)
        explain.permutation_importance(grown, X, y)
    explain.split_evidence(CDFClassifier(ntrees=2, seed=2, bootstrap=False).fit(X, y), X, y)
read_data(sys.argv[1])
unused = [name for name, entry in entries.items() if not entry.signatures]
print(json.dumps({"unused": unused, "later": sorted(loaded() - before), "all": len(before)}))
"""


@pytest.mark.endurance
def test_later_calls_find_every_kernel_loaded(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b,c\n1.5,x,2\n2.5,y,\n")
    done = python_run("-c", SESSION, table, variables={"PYCDF_QUIET": ""}, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.sub(r"pycdf: compil.*\n", "", done.stderr) == ""
    told, kernels = done.stdout.splitlines()
    found = json.loads(kernels)
    assert (found["unused"], found["later"]) == ([], [])
    assert int(re.findall(r"\d+(?= kernels)", told)[0]) == found["all"]


@pytest.mark.parametrize(
    ("misses", "hits", "told"),
    [
        ([0, 0], [2, 1], "all 3 kernels were compiled already: here"),
        ([1, 2], [0, 4], r"3 of 7 kernels compiled in \d\d?\.\d s: here"),
    ],
)
def test_it_says_how_many_kernels_it_has_compiled(misses, hits, told, monkeypatch):
    def stats(missed, hit):
        counts = SimpleNamespace(cache_misses={"one": missed}, cache_hits={"one": hit, "two": 0})
        return SimpleNamespace(stats=counts)

    kernels = [stats(*pair) for pair in zip(misses, hits, strict=True)]
    monkeypatch.setattr(run_warmup, "_kernels", lambda: kernels)
    monkeypatch.setattr(run_warmup, "PLAIN_PYTHON", False)
    monkeypatch.setattr(cache_folder, "cache_folder", lambda: "here")

    def calls():
        warnings.warn("made-up data", UserWarning, stacklevel=1)

    monkeypatch.setattr(run_warmup, "_call_all", calls)
    filters = list(warnings.filters)
    done = pycdf_ok("warmup")
    assert re.fullmatch(rf"pycdf: {told}\n", done.stdout)
    assert done.stderr == ""
    assert warnings.filters == filters


def test_without_a_folder_or_a_compiler_there_is_nothing_to_do(monkeypatch):
    monkeypatch.setattr(run_warmup, "_call_all", lambda: pytest.fail("it compiles in vain"))
    monkeypatch.setattr(run_warmup, "PLAIN_PYTHON", False)
    monkeypatch.setattr(cache_folder, "cache_folder", lambda: None)
    refused = pycdf_run("warmup")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == (
        "pycdf: no cache folder is writable: set NUMBA_CACHE_DIR to a folder of your own.\n"
    )
    monkeypatch.setattr(run_warmup, "PLAIN_PYTHON", True)
    refused = pycdf_run("warmup")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "pycdf: nothing to compile: numba is switched off or not installed.\n"
