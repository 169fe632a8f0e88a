"""The whole experiment: the same for any number of processes, resumed, never stopped by a part."""

import glob
import json
import os
import shutil
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

from pycdf import CDF, InputWarning, RStream
from pycdf.experiment.compare import compare
from pycdf.experiment.comparison import Comparison
from pycdf.experiment.methods import SETS, find, find_all
from pycdf.validation import accuracy, kappa

pytestmark = pytest.mark.usefixtures("pictures")

SMALL = "small=cdf(ntrees=10)"
METHODS = (SMALL, "cart", "knn")


def table(n=30, p=6, classes=2, shift=1.5, seed=5):
    y = np.array([f"c{j % classes}" for j in range(n)])
    X = np.random.default_rng(seed).normal(size=(n, p))
    X[:, 0] += shift * (y == "c0")
    return X, y


DATA = {"one": table(), "two": table(24, 5, 3, seed=6)}


def run(output=None, data=DATA, methods=METHODS, splits=3, **more) -> Comparison:
    return compare(data, methods, splits, quick=True, output=output, **more)


def contents(folder):
    """Every file whose bytes must not depend on how the work was done."""
    late = ("records.jsonl", "timings.csv")
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name not in late}


def test_every_number_is_that_of_the_plain_calls():
    """R's splits, R's CDF with the split's seed, and scikit-learn on the same rows."""
    got = run().results.set_index(["data", "method", "split"])
    assert len(got) == 2 * 3 * 3
    for name, (X, y) in DATA.items():
        n = len(X)
        for i in (1, 2, 3):
            train = RStream(1 + i).sample(n, int(0.7 * n))
            test = np.setdiff1d(np.arange(n), train)
            fit = CDF(X[train], y[train], X[test], ntrees=10, seed=1 + i)
            row = got.loc[(name, "small", i)]
            assert row["accuracy"] == accuracy(y[test], fit.predictions)
            assert row["kappa"] == kappa(y[test], fit.predictions)
            assert (row["train"], row["test"]) == (len(train), len(test))
            other = KNeighborsClassifier().fit(X[train], y[train]).predict(X[test])
            assert got.loc[(name, "knn", i), "accuracy"] == accuracy(y[test], other)


@pytest.mark.endurance
@pytest.mark.parametrize("pictures", ["drawn"], indirect=True)
def test_any_number_of_processes_and_any_backend_write_the_same_bytes(tmp_path):
    run(tmp_path / "one")
    run(tmp_path / "two", n_jobs=2)
    with joblib.parallel_config(backend="threading", n_jobs=3):
        run(tmp_path / "three")
    first = contents(tmp_path / "one")
    assert sorted(first) == [
        "accuracy-boxes.svg", "accuracy.tex", "auc.tex", "differences.csv", "kappa-boxes.svg",
        "kappa.tex", "manifest.json",
        "report.md", "results.csv",
    ]  # fmt: skip
    assert contents(tmp_path / "two") == first
    assert contents(tmp_path / "three") == first


@pytest.mark.endurance
def test_dask_gives_the_same_numbers(tmp_path):
    distributed = pytest.importorskip("distributed")
    run(tmp_path / "one")
    with (
        distributed.LocalCluster(
            processes=False, n_workers=1, threads_per_worker=2, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        run(tmp_path / "two")
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


@pytest.mark.endurance
def test_a_run_that_was_cut_off_anywhere_goes_on_to_the_same_end(tmp_path):
    whole = tmp_path / "whole"
    run(whole)
    lines = (whole / "records.jsonl").read_bytes()
    for cut in (0, 1, len(lines) // 2, len(lines) - 1):
        again = tmp_path / str(cut)
        again.mkdir()
        shutil.copy(whole / "manifest.json", again)
        (again / "records.jsonl").write_bytes(lines[:cut])
        run(again)
        assert contents(again) == contents(whole)
        kept = lines[:cut].count(b"\n")
        assert (again / "records.jsonl").read_bytes().splitlines()[:kept] == (
            lines.splitlines()[:kept]
        )


def test_what_is_done_is_not_done_again(tmp_path):
    run(tmp_path)
    lines = (tmp_path / "records.jsonl").read_bytes()
    first = json.loads(lines.splitlines()[0])
    first["measures"]["accuracy"] = 0.125  # no run would give this
    changed = lines.replace(lines.splitlines()[0], json.dumps(first).encode())
    (tmp_path / "records.jsonl").write_bytes(changed)
    assert run(tmp_path).results["accuracy"].iloc[0] == 0.125
    assert (tmp_path / "records.jsonl").read_bytes() == changed


@pytest.mark.endurance
def test_more_splits_methods_and_data_may_join(tmp_path):
    run(tmp_path, {"one": DATA["one"]}, (SMALL,), splits=2)
    before = (tmp_path / "records.jsonl").read_bytes()
    joined = run(tmp_path)
    assert (tmp_path / "records.jsonl").read_bytes().startswith(before)
    pd.testing.assert_frame_equal(joined.results, run().results)
    made = json.loads((tmp_path / "manifest.json").read_text())
    assert list(made["data"]) == ["one", "two"]
    fewer = run(tmp_path, {"one": DATA["one"]}, (SMALL,), splits=1)
    assert len(fewer.results) == 1
    assert json.loads((tmp_path / "manifest.json").read_text()) == made


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 2}, "seed is 2 and was 1"),
        ({"quick": False}, "tuned is True and was False"),
        ({"methods": ("small=cdf(ntrees=11)",)}, "small: ntrees is 11 and was 10"),
        ({"methods": ("small=cart",)}, "the method 'small' has changed"),
        (
            {"data": {"one": table(seed=7)}},
            "the numbers or labels of the data set 'one' have changed",
        ),
        ({"data": {"one": table(20)}}, "(it is 20 x 6 and was 30 x 6)"),
    ],
)
def test_another_run_is_refused_with_what_differs(tmp_path, change, told):
    given = {"data": {"one": DATA["one"]}, "methods": (SMALL,), "splits": 1, "quick": True}
    compare(**given, output=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ValueError, match="has results of a different run") as caught:
        compare(**(given | change), output=tmp_path)
    assert told in str(caught.value)
    assert "Choose another folder" in str(caught.value)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_another_version_is_refused(tmp_path):
    run(tmp_path, splits=1)
    path = tmp_path / "manifest.json"
    made = json.loads(path.read_text())
    made["versions"]["numpy"] = "0.1"
    path.write_text(json.dumps(made))
    with pytest.raises(ValueError, match=f"numpy is '{np.__version__}' and was '0.1'"):
        run(tmp_path, splits=1)
    made["versions"]["numpy"] = np.__version__
    del made["methods"]["cart"]["parameters"]["max_depth"]  # as if an older cart had none
    path.write_text(json.dumps(made))
    with pytest.raises(ValueError, match="cart: only one of the two runs has 'max_depth'"):
        run(tmp_path, splits=1)
    path.write_text("{")
    with pytest.raises(ValueError, match="is damaged"):
        run(tmp_path, splits=1)
    path.unlink()
    with pytest.raises(ValueError, match="has results but no manifest"):
        run(tmp_path, splits=1)


class Fails:
    """A classifier that fails on some data."""

    def __init__(self, limit=6):
        self.limit = limit

    def fit(self, X, y):
        if X.shape[1] >= self.limit:
            raise RuntimeError("too many columns\nfor me")
        self.first = y[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.first)


def test_a_method_that_fails_is_reported_and_the_rest_goes_on(tmp_path):
    got = run(tmp_path, methods=(SMALL, ("fails", Fails())))
    assert len(got.results) == 3 * 3  # two on "small", one on "fails"
    assert got.failures[["data", "method"]].drop_duplicates().to_numpy().tolist() == [
        ["one", "fails"]
    ]
    assert got.failures["split"].tolist() == [1, 2, 3]
    assert got.failures["message"].iloc[0] == "RuntimeError: too many columns\nfor me"
    text = (tmp_path / "report.md").read_text()
    assert "- one / fails, 3 splits: RuntimeError: too many columns for me\n" in text
    assert len(pd.read_csv(tmp_path / "failures.csv")) == 3
    assert got.table().means.isna().to_numpy().tolist() == [[False, True], [False, False]]
    assert got.results["log_loss"].isna().tolist() == [False] * 3 + [False] * 3 + [True] * 3


class Dies(Fails):
    """A classifier that takes its process with it, as one that runs out of memory does."""

    def fit(self, X, y):
        os._exit(3)


@pytest.mark.endurance
def test_a_process_that_dies_is_told_and_what_is_done_stays(tmp_path):
    run(tmp_path, methods=(SMALL,))
    before = (tmp_path / "records.jsonl").read_bytes()
    with pytest.raises(ValueError, match=r"a worker process died after \d+ fits"):
        run(tmp_path, methods=(SMALL, ("dies", Dies())), n_jobs=2)
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_what_failed_is_tried_again_and_an_answer_stays(tmp_path):
    run(tmp_path, methods=(("fails", Fails()),))
    path = tmp_path / "manifest.json"
    path.write_text(path.read_text().replace('"limit": 6', '"limit": 9'))
    again = run(tmp_path, methods=(("fails", Fails(9)),))
    assert len(again.failures) == 0
    assert len(again.results) == 6
    assert (tmp_path / "records.jsonl").read_text().count('"one"') == 6


def test_an_unavailable_method_is_listed_with_the_reason(tmp_path):
    gone = replace(find("cart"), name="gone", missing=lambda: "R is missing: install it.")
    got = run(tmp_path, methods=(SMALL, gone))
    assert list(got.methods) == ["small"]
    row = got.failures.iloc[0]
    assert (row["data"], row["method"]) == ("", "gone")
    assert pd.isna(row["split"])
    assert row["message"] == "unavailable: R is missing: install it."
    assert "- gone: unavailable: R is missing" in (tmp_path / "report.md").read_text()


def test_a_training_part_with_one_class_is_reported_for_every_method(tmp_path):
    X = table(12)[0]
    y = np.array(["rare", *["common"] * 11])
    got = run(tmp_path, {"rare": (X, y)}, splits=4)
    alone = [i for i in range(1, 5) if 0 not in RStream(1 + i).sample(12, 8)]
    assert alone  # the seed was chosen so that there are some
    assert len(alone) < 4
    for method in ("small", "cart", "knn"):
        assert got.failures.loc[got.failures["method"] == method, "split"].tolist() == alone
    assert got.failures["message"].str.contains("of the class 'common'").all()
    assert not got.table().fewer.to_numpy().any()
    before = (tmp_path / "records.jsonl").read_bytes()
    run(tmp_path, {"rare": (X, y)}, splits=4)
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_a_bad_data_set_does_not_stop_the_others(tmp_path):
    (tmp_path / "bad.csv").write_text("a,Y\n1,x\n2\n")
    pd.DataFrame(DATA["one"][0]).assign(Y=DATA["one"][1]).to_csv(tmp_path / "ok.csv", index=False)
    got = run(data=[tmp_path / "bad.csv", tmp_path / "ok.csv", tmp_path / "none.csv"], splits=1)
    assert got.data == ("ok",)
    assert got.failures["data"].tolist() == ["bad", "none"]
    assert got.failures["message"].iloc[0] == (
        f"{tmp_path / 'bad.csv'}: line 3 has 1 cell and the header 2, and it is the last line: is "
        "the file incomplete?"
    )
    assert (
        got.results["accuracy"].tolist()
        == run(data={"ok": DATA["one"]}, splits=1).results["accuracy"].tolist()
    )


def test_what_is_no_pair_is_told():
    got = run(data={"ok": DATA["one"], "x": DATA["one"][0]}, methods=("cart",), splits=1)
    assert got.failures["message"].tolist() == [
        "it is of type ndarray: pass a pair (X, y), or a path."
    ]


def test_no_data_is_darwin():
    got = compare(methods=("cart",), splits=1, quick=True)
    assert got.data == ("darwin",)
    assert got.paper["darwin"].id == "D5"
    assert got.checked["verdict"].tolist() == ["too few splits"] * 2


def test_rows_and_columns_that_no_method_can_use_are_told():
    X, y = DATA["one"]
    frame = pd.DataFrame(X).assign(text="x")
    labels = [None, *y[1:]]
    with pytest.warns(InputWarning) as told:
        got = run(data={"one": (frame, labels)}, splits=1)
    assert [str(one.message) for one in told] == [
        "one: left out 1 row without a label",
        "one: left out 1 column without any number ('text'); encode text as numbers first if it "
        "matters",
    ]
    assert got.manifest["data"]["one"]["rows"] == 29
    assert got.manifest["data"]["one"]["columns"] == 6


def test_missing_cells_are_told_and_only_the_methods_that_know_none_fail():
    X = DATA["one"][0].copy()
    X[:, 1] = np.where(np.arange(30) % 7 == 0, np.nan, X[:, 1])
    with pytest.warns(InputWarning, match=r"one: 5 missing cells; CDF accepts missing values"):
        got = run(data={"one": (X, DATA["one"][1])}, splits=2)
    assert set(got.failures["method"]) == {"knn"}
    assert got.failures["message"].str.contains("NaN").all()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"splits": 0}, "splits=0: pass a whole number of at least 1."),
        ({"methods": ()}, "methods is empty: pass at least one, such as cdf."),
        ({"methods": ("cart", "cart")}, "two methods are called 'cart'"),
        (
            {"data": [DATA["one"]]},
            "data contains an item of type tuple: pass paths of files or folders, or tables",
        ),
    ],
)
def test_mistakes_are_told_kindly(given, told):
    with pytest.raises((ValueError, TypeError), match=told.replace(".", r"\.")):
        run(**given)


def test_methods_may_be_one_text():
    names = [one.name for one in find_all("cdf, a=sklearn.svm.SVC(C=1, kernel='rbf'),cart")]
    assert names == ["cdf", "a", "cart"]


def test_the_comparison_prints_its_means():
    done = run(splits=1)
    title, data, more, header, *lines = repr(done).splitlines()
    assert title == "Comparison of 3 methods on 2 data sets, 1 split, seed 1, not tuned"
    assert data.split() == ["data", *", ".join(done.data).split()]
    assert "done.paired" in more
    assert header.split() == ["method", "accuracy", "kappa", "wins"]
    means = {measure: done.table(measure).means.mean() for measure in ("accuracy", "kappa")}
    for line, title in zip(lines, done.methods.values(), strict=True):
        *name, accuracy, kappa, wins = line.split()
        assert " ".join(name) == title
        assert float(accuracy) == pytest.approx(means["accuracy"][title], abs=5.1e-4)
        assert float(kappa) == pytest.approx(means["kappa"][title], abs=5.1e-4)
        assert int(wins) == done.table().wins[title]
    assert done._repr_html_().count("<tr>") == 2 + 4


def test_tables_and_tests_print_themselves():
    done = run(splits=2)
    table = repr(done.table()).splitlines()
    assert table[:2] == ["Accuracy: means over the splits", "  *  the best of its row"]
    assert table[2].split() == ["data", "set", *done.methods.values()]
    assert [line.split()[0] for line in table[3:]] == [*done.data, "Average", "Wins"]
    assert sum(line.count("*") for line in table[3:-2]) == done.table().best.to_numpy().sum()
    paired = done.paired()
    lines = repr(paired).splitlines()
    assert lines[0] == "Paired comparison of 3 methods on 2 data sets"
    assert [line.split()[0] for line in lines[1:5]] == ["Friedman", "Nemenyi", "Wilcoxon", "Method"]
    ranks = [line.split()[1] for line in lines[5:]]
    assert ranks == [f"{rank:.2f}" for rank in sorted(paired.mean_ranks)]
    assert "<table>" in paired._repr_html_()


class Compiles(KNeighborsClassifier):
    """Warns in the first fit of a process, in which others compile."""

    compiled = False

    def fit(self, X, y):
        if not Compiles.compiled:
            warnings.warn("compiling", RuntimeWarning, stacklevel=2)
            Compiles.compiled = True
        return super().fit(X, y)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.endurance)])
def test_times_are_those_of_fitting_not_of_compiling(jobs):
    """The first fit of a process is not the one that is timed, and whose warnings are kept."""
    Compiles.compiled = False
    got = run(methods=[(f"compiles {jobs}", Compiles())], splits=2, n_jobs=jobs)
    assert len(got.seconds) == 4
    assert len(got.warnings) == 0
    assert Compiles.compiled == (jobs == 1)
    assert got.seconds[["fit", "predict"]].min().min() > 0


def test_folds_groups_and_strata(tmp_path):
    X, y = DATA["one"]
    frame = pd.DataFrame(X).assign(patient=np.arange(30) // 2 % 9)
    given = {"data": {"one": (frame, y)}, "methods": ("cart",), "quick": True}
    done = compare(**given, groups="patient", folds=3, repeats=2, output=tmp_path)
    assert done.results["split"].tolist() == [1, 2, 3, 4, 5, 6]
    assert done.results["test"][:3].sum() == done.results["test"][3:].sum() == 30
    assert done.manifest["data"]["one"]["groups"] == 9
    assert done.manifest["data"]["one"]["columns"] == 6
    with pytest.raises(ValueError, match=r"split_rule is .* and was 'set\.seed"):
        compare(**given, groups="patient", splits=6, output=tmp_path)
    even = compare(**given | {"data": DATA}, stratify=True, splits=4).results
    assert even.groupby("data")[["train", "test"]].nunique().to_numpy().tolist() == [[1, 1]] * 2


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("patent", "X of one has no column 'patent': did you mean 'patient'?"),
        ("holes", "X of one: 2 cells of the groups 'holes' are missing: every row needs a group."),
        ("same", "one: 1 group cannot be divided into training and test rows."),
    ],
)
def test_groups_that_cannot_be_used_are_told(column, told):
    X, y = DATA["one"]
    frame = pd.DataFrame(X, columns=[*"abcdef"]).assign(patient=1, same=1)
    if column == "holes":
        frame["holes"] = [None, None, *range(28)]
    data = {"one": (frame, y), "two": DATA["two"], "three": (frame, y[:2])}
    failed = compare(data, "cart", 1, quick=True, groups=column).failures
    messages = failed.set_index("data")["message"]
    assert messages["one"] == told
    assert messages["two"] == f"X of two has no column names: pass a DataFrame with {column!r}."


def test_sets_of_methods_by_name():
    assert [one.name for one in find_all("cdf,rivals")] == ["cdf", *SETS["rivals"]]
    assert [one.name for one in find_all(["paper"])] == list(SETS["paper"])


def test_shrunken_centroids_are_tuned_even_if_others_are_not():
    done = run(methods=("nsc", "knn"), splits=1)
    chosen = done.results.set_index(["data", "method"])["parameters"]
    assert "shrinkage" in chosen["one", "nsc"]
    assert chosen["one", "knn"] == ""
    assert len(done.manifest["methods"]["nsc"]["tuning"]) == 30


def test_results_of_a_version_with_other_records_are_refused(tmp_path):
    run(tmp_path, splits=1)
    path = tmp_path / "manifest.json"
    path.write_text(path.read_text().replace('"format": 2', '"format": 1'))
    line = '{"data": "one", "method": "small", "split": 1, "status": "done", "seconds": 0.5}\n'
    (tmp_path / "records.jsonl").write_text(2 * line)
    with pytest.raises(ValueError, match=r"has results of another version of pycdf") as caught:
        run(tmp_path, splits=1)
    assert str(caught.value).endswith("choose another folder for this run.")
    assert (tmp_path / "records.jsonl").read_text() == 2 * line


class Modes(KNeighborsClassifier):
    """Reports, as a warning, who may read the matrices while the work is done."""

    def fit(self, X, y):
        [folder] = map(Path, glob.glob(os.environ["MATRICES"]))
        modes = {oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
        warnings.warn(f"{oct(folder.stat().st_mode & 0o777)} {modes}", UserWarning, stacklevel=2)
        return super().fit(X, y)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
@pytest.mark.parametrize("kept", [False, True])
def test_nobody_else_can_read_the_data(tmp_path, monkeypatch, kept):
    """Neither in the temporary folder nor in the output folder, whatever the umask allows."""
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    output = tmp_path / "out" if kept else None
    pattern = "out/.matrices" if kept else "place/pycdf-*"
    monkeypatch.setenv("MATRICES", str(tmp_path / pattern))
    before = os.umask(0)
    try:
        done = run(output, methods=[Modes()], splits=1)
    finally:
        os.umask(before)
    assert not len(done.failures), done.failures["message"].tolist()
    assert done.warnings["message"].tolist() == 2 * ["UserWarning: 0o700 {'0o600'}"]
    assert not list(tmp_path.glob(pattern))
    if kept:  # the results are ordinary files
        modes = {path.name: oct(path.stat().st_mode & 0o777) for path in output.iterdir()}
        assert set(modes.values()) == {"0o666"}, modes
        assert {"results.csv", "report.md", "records.jsonl"} <= set(modes)
