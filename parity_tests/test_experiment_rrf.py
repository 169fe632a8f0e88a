"""RRF in its Rscript process gives what RRF gives in this process."""

import numpy as np
import pytest

from pycdf.experiment import rrf
from pycdf.experiment.fitting import run_split
from pycdf.experiment.methods import find
from pycdf.experiment.rrf import RError, RRFClassifier
from pycdf.experiment.splits import split, split_seed
from pycdf.experiment.tuning import folds

from .tally import TALLY
from .test_experiment_splits import AT_HAND, SEED, paper_set

R_RRF = """
set.seed({seed})
fit <- RRF::RRF(x[inside, ], factor(y[inside]){more})
predicted <- as.character(predict(fit, x[left, ]))
votes <- unclass(predict(fit, x[left, ], type = "vote", norm.votes = FALSE))
"""


def ask_r(r, inside, left, seed, more=""):
    r["inside"], r["left"] = r._vector(inside + 1), r._vector(left + 1)
    r.run(R_RRF.format(seed=seed, more=more))
    return np.array(r.value("predicted")), r.value("votes")


@pytest.fixture(scope="module", autouse=True)
def rrf_is_there(comparator):
    comparator("RRF")
    assert rrf.missing() is None, rrf.missing()


@pytest.mark.parametrize(
    ("settings", "more"),
    [
        ({}, ""),
        ({"ntree": 60, "nodesize": 5}, ", ntree = 60, nodesize = 5"),
        ({"ntree": 61, "maxnodes": 4, "mtry": 7}, ", ntree = 61, maxnodes = 4, mtry = 7"),
        ({"ntree": 10, "coefReg": 0.5}, ", ntree = 10, coefReg = 0.5"),
        ({"ntree": 10, "flagReg": 0}, ", ntree = 10, flagReg = 0"),
    ],
)
@pytest.mark.parametrize("name", [name for name in ("D5", "D8", "D9") if name in AT_HAND])
def test_predictions_and_votes(r, name, settings, more):
    """Four classes and two, also with so few trees that R breaks ties at random."""
    X, y = paper_set(name)
    train, test = split(len(y), SEED, 1)
    r["x"], r["y"] = r.matrix(X), r.labels(y)
    predicted, votes = ask_r(r, train, test, 5, more)
    model = RRFClassifier(seed=5, **settings).fit(X[train], y[train])
    same = np.array_equal(model.predict(X[test]), predicted)
    same = same and np.array_equal(
        model.predict_proba(X[test]), votes / votes.sum(axis=1, keepdims=True)
    )
    assert TALLY.compare("experiment: RRF's forests", same)


def test_the_folds_of_tuning(r):
    """One process grows the forests of all candidates and folds, each from the same seed."""
    X, y = paper_set("D5")
    X = X[:, :40]
    train, _ = split(len(y), SEED, 1)
    candidates = [{"ntree": 20}, {"ntree": 30, "nodesize": 5}]
    parts = folds(y[train], 2)
    predict = rrf.predict_folds(find("rrf").make)
    ours = list(predict(candidates, X[train], y[train], parts, 2))
    r["x"], r["y"] = r.matrix(X), r.labels(y)
    for chosen, answers in zip(candidates, ours, strict=True):
        more = "".join(f", {name} = {value}" for name, value in chosen.items())
        for (inside, left), answer in zip(parts, answers, strict=True):
            theirs, _ = ask_r(r, train[inside], train[left], 2, more)
            assert TALLY.compare("experiment: RRF's predictions in folds", answer == theirs)


def test_a_tuned_split():
    X, y = paper_set("D5")
    train, test = split(len(y), SEED, 1)
    method = find("rrf(ntree=20)")
    done = run_split(method, X[:, :30], y, train, test, split_seed(SEED, 1), tuned=True)
    assert set(done["parameters"]) == {"nodesize", "maxnodes"}
    assert set(done["predictions"]) <= set(y)
    assert np.allclose(done["probabilities"].sum(axis=1), 1)


def test_what_r_says_when_it_stops_reaches_the_user():
    X, y = paper_set("D5")
    model = RRFClassifier(ntree=5, coefReg=2.0).fit(X[::2, :20], y[::2])
    with pytest.raises(RError, match="R stopped: coefReg can not be greater than 1"):
        model.predict(X[1::2, :20])


def test_what_r_warns_of_reaches_the_user():
    X, y = paper_set("D5")
    model = RRFClassifier(ntree=5, maxnodes=1000, seed=1).fit(X[::2, :20], y[::2])
    with pytest.warns(UserWarning, match="R: maxnodes exceeds its max value"):
        model.predict(X[1::2, :20])


def test_r_runs_no_profile_and_finds_the_users_library(r, tmp_path, monkeypatch):
    """An .Rprofile is not run, here or at home; a library named in the user's .Renviron is found,
    also if R_ENVIRON or R_ENVIRON_USER says that the file is elsewhere."""
    r.run('library_of_rrf <- dirname(find.package("RRF"))')
    library = r.value("library_of_rrf")[0]
    here, home = tmp_path / "here", tmp_path / "home"
    for folder, marker in ((here, "ran-here"), (home, "ran-home")):
        folder.mkdir()
        (folder / ".Rprofile").write_text(f'file.create("{tmp_path / marker}")\n')
        (folder / ".RData").write_text("not a workspace")
    (here / ".Renviron").write_text(f"R_LIBS={tmp_path}\nR_LIBS_USER={tmp_path}\n")
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(home))
    for name in ("PYCDF_R_LIBRARY", "R_LIBS", "R_LIBS_USER"):
        monkeypatch.delenv(name, raising=False)
    X, y = paper_set("D5")
    for name, path in [
        (None, home / ".Renviron"),
        ("R_ENVIRON_USER", tmp_path / "user"),
        ("R_ENVIRON", tmp_path / "site"),
    ]:
        path.write_text(f"R_LIBS_USER={library}\n")
        if name is not None:
            monkeypatch.setenv(name, str(path))
        assert len(RRFClassifier(ntree=2, seed=1).fit(X, y).predict(X)) == len(y)
        assert set(rrf.versions()) == {"R", "RRF"}
        path.unlink()
        if name is not None:
            monkeypatch.delenv(name)
    assert not (tmp_path / "ran-here").exists()
    assert not (tmp_path / "ran-home").exists()
