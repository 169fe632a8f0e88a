"""RRF without R: what is told where R is missing, and what crosses to a stand-in for Rscript.

parity_tests compares it with R's package RRF.
"""

import os
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from pycdf.experiment import rrf
from pycdf.experiment.methods import METHODS
from pycdf.experiment.rrf import Job, RError, RRFClassifier, run_jobs

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a POSIX script")

ANSWER = """
import sys
from pathlib import Path
import numpy as np
assert sys.argv[1] == "--vanilla"
data = Path(sys.argv[3]).read_bytes()
place = 0
def take(kind, n):
    global place
    values = np.frombuffer(data, kind, n, place)
    place += values.nbytes
    return values
n, p, jobs = take("<i4", 3)
x = take("<f8", n * p).reshape(p, n).T
y = take("<i4", n)
with open(sys.argv[4], "wb") as out:
    for _ in range(jobs):
        seed, inside, left = take("<i4", 3)
        given = take("<f8", 6)
        inside, left = take("<i4", inside) - 1, take("<i4", left) - 1
        classes = np.unique(y[inside])
        # Votes that tell what arrived: nearest row by the first column, and seed, settings, sums
        near = [y[inside][np.abs(x[inside, 0] - x[i, 0]).argmin()] for i in left]
        out.write(np.array(near, "<i4").tobytes())
        told = seed + np.nansum(given) + x[left].sum(axis=1)
        votes = np.array([told + c for c in classes])
        out.write(votes.astype("<f8").tobytes())
assert place == len(data)
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """An Rscript that runs a script in Python; call it with what it should do."""

    def put(script):
        (tmp_path / "script.py").write_text(script)
        program = tmp_path / "Rscript"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path}/script.py" "$@"\n')
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        rrf.missing.cache_clear()

    yield put
    rrf.missing.cache_clear()


@pytest.fixture
def no_r(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    rrf.missing.cache_clear()
    yield
    rrf.missing.cache_clear()


def some_rows(n=12, p=3):
    random = np.random.default_rng(2)
    return random.normal(size=(n, p)), np.array(list("abc"))[np.arange(n) % 3]


def test_without_r_the_reason_is_told(no_r):
    assert METHODS["rrf"].unavailable().startswith("Rscript was not found. Install R")
    X, y = some_rows()
    with pytest.raises(RError, match="Rscript was not found"):
        RRFClassifier().fit(X, y).predict(X)


def test_without_the_package_the_reason_is_told(stand_in):
    stand_in("print('4.2.2', end='')")
    assert METHODS["rrf"].unavailable() == (
        'R has no package RRF: run install.packages("RRF") in R, or name its library in R_LIBS '
        "(pycdf runs R with --vanilla, so an .Rprofile is not read)."
    )
    stand_in("print('4.2.2 1.9.4', end='')")
    assert METHODS["rrf"].unavailable() is None
    assert rrf.versions() == {"R": "4.2.2", "RRF": "1.9.4"}
    stand_in("raise SystemExit('R is ill')")
    assert METHODS["rrf"].unavailable() == "R stopped: R is ill"


def test_r_starts_without_the_files_of_the_folder(stand_in):
    """As --vanilla: an .Rprofile in the folder would be run, an .RData loaded."""
    stand_in("import sys; print(*sys.argv[1:])")
    X, y = some_rows()
    with pytest.raises(RError, match=r"^R wrote 0 bytes instead of 336\.$"):
        RRFClassifier().fit(X, y).predict(X)
    assert rrf.run_r(["a", "b"], 60).split() == ["--vanilla", str(rrf.SCRIPT), "a", "b"]


def test_the_libraries_of_the_environment_reach_r(stand_in, monkeypatch):
    stand_in("import os; print(os.environ.get('R_LIBS', 'none'))")
    for given, expected in [
        ({}, "none"),
        ({"R_LIBS": "/b"}, "/b"),
        ({"PYCDF_R_LIBRARY": "/a"}, "/a"),
        ({"PYCDF_R_LIBRARY": "/a", "R_LIBS": "/b"}, "/a:/b"),
    ]:
        for name in ("PYCDF_R_LIBRARY", "R_LIBS"):
            monkeypatch.delenv(name, raising=False)
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        assert rrf.run_r([], 60).strip() == expected


def test_nobody_else_can_read_what_crosses(stand_in, tmp_path, monkeypatch):
    """Folder and both files, whatever the umask allows."""
    monkeypatch.setenv("MODES", str(tmp_path / "modes"))
    seen = (
        "\nimport os"
        "\npaths = [os.path.dirname(sys.argv[3]), sys.argv[3], sys.argv[4]]"
        "\nmodes = [oct(os.stat(path).st_mode & 0o777) for path in paths]"
        "\nopen(os.environ['MODES'], 'w').write(' '.join(modes))\n"
    )
    stand_in(ANSWER + seen)
    X, y = some_rows()
    before = os.umask(0)
    try:
        RRFClassifier().fit(X, y).predict(X)
    finally:
        os.umask(before)
    assert (tmp_path / "modes").read_text() == "0o700 0o600 0o600"


def test_what_crosses_and_comes_back(stand_in):
    stand_in(ANSWER)
    X, y = some_rows()
    codes = np.unique(y, return_inverse=True)[1]
    usual = dict.fromkeys(rrf.SETTINGS)
    jobs = [
        Job(7, usual | {"ntree": 20, "coefReg": 0.5}, np.arange(9), np.arange(9, 12)),
        Job(-3, usual, np.flatnonzero(codes != 1), np.array([4])),  # a class is not there
    ]
    (first, votes), (second, fewer) = run_jobs(X, codes, jobs, 60)
    near = [codes[np.abs(X[:9, 0] - X[i, 0]).argmin()] for i in range(9, 12)]
    assert first.tolist() == near
    expected = 7 + 20.5 + X[9:].sum(axis=1)[:, np.newaxis] + np.array([1, 2, 3])
    assert np.allclose(votes, expected, rtol=1e-14)
    assert second[0] in (0, 2)
    assert np.allclose(fewer, -3 + X[4].sum() + np.array([[1, 3]]), rtol=1e-14)


@pytest.mark.endurance
def test_r_is_asked_once_for_predictions_and_probabilities(stand_in, tmp_path):
    stand_in(ANSWER + f"\nopen({str(tmp_path / 'calls')!r}, 'a').write('x')\n")
    X, y = some_rows()
    model = RRFClassifier(seed=1).fit(X, y)
    assert np.array_equal(model.predict(X), y)  # each row is its own nearest
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (tmp_path / "calls").read_text() == "x"
    few = X[:4].copy()
    model.predict(few)
    assert (tmp_path / "calls").read_text() == "xx"
    few[:] = X[4:8]
    assert np.array_equal(model.predict(few), y[4:8])
    assert (tmp_path / "calls").read_text() == "xxx"
    model.fit(X, y[::-1]).predict(few)  # trained anew: the answers at hand are not its own
    assert (tmp_path / "calls").read_text() == "xxxx"


def test_what_r_says_is_told(stand_in):
    X, y = some_rows()
    stand_in("import sys; sys.exit('NA not permitted in predictors')")
    with pytest.raises(RError, match="R stopped: NA not permitted in predictors"):
        RRFClassifier().fit(X, y).predict(X)
    stand_in("raise SystemExit(4)")
    with pytest.raises(RError, match="R stopped: exit status 4, no message"):
        RRFClassifier().fit(X, y).predict(X)
    stand_in("import sys; print('odd', file=sys.stderr)\n" + ANSWER)
    with pytest.warns(UserWarning, match="^R: odd$"):
        RRFClassifier().fit(X, y).predict(X)


def test_r_is_stopped_in_the_end(stand_in):
    X, y = some_rows()
    stand_in("import time; time.sleep(60)")
    with pytest.raises(RError, match=r"R did not finish in 0.2 seconds: increase timeout"):
        RRFClassifier(timeout=0.2).fit(X, y).predict(X)


def test_missing_values_are_refused_before_r_is_asked(no_r):
    X, y = some_rows()
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        RRFClassifier().fit(X, y)


def test_measurements_are_no_labels(no_r):
    X, _ = some_rows()
    with pytest.raises(ValueError, match="Unknown label type"):
        RRFClassifier().fit(X, np.linspace(0.1, 2.3, len(X)))


def test_the_script_is_beside_the_module():
    assert rrf.SCRIPT.is_file()


# ---- with a function in place of R ---------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """How R is called, and with which time limits; classes are those of the nearest rows."""
    calls = []

    def answer(arguments, timeout, folder=None):
        calls.append((timeout, folder))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["", "--vanilla", "", *arguments])
            exec(ANSWER, {})
        return ""

    monkeypatch.setattr(rrf, "run_r", answer)
    return calls


def test_one_process_grows_the_forests_of_all_candidates_and_folds(asked):
    X, y = some_rows(30)
    parts = [(np.flatnonzero(np.arange(30) % 3 != i), np.flatnonzero(np.arange(30) % 3 == i))
             for i in range(3)]  # fmt: skip
    predict = rrf.predict_folds(lambda seed, **given: RRFClassifier(seed=seed, timeout=2, **given))
    answers = list(predict([{"ntree": 5}, {"ntree": 6}], X, y, parts, 4))
    assert len(asked) == 1
    assert asked[0][0] == 12  # six forests, two seconds each
    assert [len(one) for one in answers] == [3, 3]
    for by_fold in answers:
        for found, (inside, left) in zip(by_fold, parts, strict=True):
            near = [inside[np.abs(X[inside, 0] - X[i, 0]).argmin()] for i in left]
            assert found.tolist() == y[near].tolist()


def test_a_forest_has_500_trees_and_an_hour(asked, tmp_path):
    X, y = some_rows()
    model = RRFClassifier(seed=3).fit(X, y)
    assert model.settings() == dict.fromkeys(rrf.SETTINGS) | {"ntree": 500}
    scratch = rrf.SCRATCH.set(tmp_path)
    try:
        shares = model.predict_proba(X)
    finally:
        rrf.SCRATCH.reset(scratch)
    assert asked[0][0] == 3600
    assert asked[0][1].startswith(str(tmp_path))
    told = 3 + 500 + X.sum(axis=1)[:, np.newaxis] + np.array([1, 2, 3])
    assert np.allclose(shares, told / told.sum(axis=1, keepdims=True))
    with pytest.raises(ValueError, match="y has only one class: RRF needs rows of two classes"):
        RRFClassifier().fit(X, np.full(12, "a"))
    assert RRFClassifier(seed=1).fit(X, np.where(y == "a", "a", "b")).classes_.tolist() == [*"ab"]


def test_an_answer_of_another_size_is_refused(monkeypatch):
    X, y = some_rows()
    monkeypatch.setattr(rrf, "run_r", lambda *_: "")
    with pytest.raises(RError, match="R wrote 0 bytes instead of 336"):
        RRFClassifier().fit(X, y).predict(X)  # 12 rows: a code, and 3 votes


def done(stdout="", stderr="", code=0):
    def run(command, **given):
        run.given = {"command": command, **given}
        return SimpleNamespace(stdout=stdout, stderr=stderr, returncode=code)

    return run


def test_how_r_is_run(monkeypatch):
    monkeypatch.setattr(rrf.shutil, "which", lambda name: f"/r/{name}")
    for name in ("PYCDF_R_LIBRARY", "R_LIBS", "R_ENVIRON_USER", "TMPDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("R_ENVIRON", "/e")
    run = done("answer", "odd\nodd\nodder")
    monkeypatch.setattr(rrf.subprocess, "run", run)
    with pytest.warns(UserWarning, match="R: odd") as told:
        assert rrf.run_r(["a", "b"], 5) == "answer"
    assert [str(one.message) for one in told] == ["R: odd", "R: odder"]
    assert {one.filename for one in told} == {__file__}
    assert run.given["command"] == ["/r/Rscript", "--vanilla", str(rrf.SCRIPT), "a", "b"]
    assert (run.given["timeout"], run.given["umask"]) == (5, 0o077)
    assert run.given["env"]["PYCDF_R_ENVIRON"] == "/e"
    assert not {"PYCDF_R_ENVIRON_USER", "R_LIBS", "TMPDIR"} & {*run.given["env"]}
    monkeypatch.setenv("R_LIBS", "/one")
    monkeypatch.setenv("PYCDF_R_LIBRARY", "/two")
    with pytest.warns(UserWarning, match="R: odd"):
        rrf.run_r([], 5, "/folder")
    assert run.given["env"]["R_LIBS"] == f"/two{os.pathsep}/one"
    assert run.given["env"]["TMPDIR"] == "/folder"


@pytest.mark.parametrize(
    ("stdout", "found"),
    [("4.2.2 1.9.4\n", {"R": "4.2.2", "RRF": "1.9.4"}), ("4.2.2\n", {"R": "4.2.2"})],
)
def test_versions_are_asked_for_in_silence(stdout, found, monkeypatch):
    monkeypatch.setattr(rrf.shutil, "which", str)
    run = done(stdout, "R says hello")
    monkeypatch.setattr(rrf.subprocess, "run", run)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        filters = list(warnings.filters)
        assert rrf.versions() == found
        assert warnings.filters == filters
    assert run.given["timeout"] == 60
    rrf.missing.cache_clear()
    reason = rrf.missing()
    rrf.missing.cache_clear()
    assert (reason is None) == ("RRF" in found)
    assert reason is None or reason.startswith("R has no package RRF: run install.packages")
