"""What a comparison is asked to do: mistakes are told before anything is written, none is lost."""

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

from pycdf.experiment.compare import compare
from pycdf.experiment.data import read_sets, stem
from pycdf.experiment.methods import find_all

RNG = np.random.default_rng(6)
Y = np.array(["x", "y"] * 10)
X = RNG.normal(size=(20, 3)) + (Y == "x")[:, np.newaxis]


def test_files_of_the_same_name_that_cannot_be_read_are_all_told(tmp_path):
    for folder in "abc":
        (tmp_path / folder).mkdir()
    (tmp_path / "a" / "one.csv").write_text("u,Y\n1\n")
    (tmp_path / "b" / "one.csv").write_text("u,Y\n1,2,3\n")
    found = read_sets([tmp_path / folder / "one.csv" for folder in "abc"])
    missing = str(tmp_path / "c" / "one.csv")
    assert list(found.failures) == ["one", str(tmp_path / "b" / "one.csv"), missing]
    assert found.failures[missing] == f"{missing}: No such file or directory"


def test_of_two_tables_of_one_name_the_second_is_told_by_its_path(tmp_path):
    for folder in "ab":
        (tmp_path / folder).mkdir()
        pd.DataFrame(X).assign(Y=Y).to_csv(tmp_path / folder / "one.csv", index=False)
    paths = [tmp_path / folder / "one.csv" for folder in "ab"]
    found = read_sets(paths)
    assert [one.source for one in found.sets] == [str(paths[0])]
    assert found.failures == {str(paths[1]): "two data sets are called 'one': rename a file."}


def test_a_file_that_is_named_twice_is_used_once(tmp_path):
    pd.DataFrame(X).assign(Y=Y).to_csv(tmp_path / "one.csv", index=False)
    found = read_sets([tmp_path, tmp_path / "one.csv"])
    assert [one.name for one in found.sets] == ["one"]
    assert found.failures == {}
    assert found.notes == [f"{tmp_path / 'one.csv'} is given twice: it is used once"]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("colon.csv.gz", "colon"), ("Colon.CSV", "Colon"), ("a.b.TSV.GZ", "a.b"), ("x.pq", "x"),
        ("plain", "plain"), ("notes.txt", "notes.txt"),
    ],
)  # fmt: skip
def test_a_data_set_is_called_as_its_file_without_the_endings(file, name):
    assert stem(Path(file)) == name


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"splits": 2.5}, "splits=2.5: pass a whole number of at least 1."),
        ({"splits": True}, "splits=True: pass a whole number"),
        ({"seed": None}, "seed=None: pass a whole number from -2147483647 to 2147483645."),
        (
            {"seed": 2**31 - 2},
            "uses R's set.seed(seed + i), which accepts no more than 2147483647.",
        ),
        ({"n_jobs": 0}, "n_jobs=0: pass a number of cores"),
        ({"methods": None}, "methods is None: pass names or estimators"),
        ({"methods": [SVC(), SVC()]}, "two methods are called 'SVC': rename one"),
        ({"data": 3}, "data is of type int: pass paths of files or folders, or tables by name"),
        ({"data": pd.DataFrame(X)}, "data is of type DataFrame: pass paths of files or folders"),
        ({"data": []}, "data is empty: pass paths"),
        ({"data": {}}, "data is empty: pass paths"),
    ],
)
def test_mistakes_are_told_before_anything_is_written(tmp_path, given, told):
    usual = {"data": {"one": (X, Y)}, "methods": "cart", "splits": 2, "quick": True}
    with pytest.raises((ValueError, TypeError)) as caught:
        compare(**(usual | given), output=tmp_path / "out")
    assert told in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_numbers_of_numpy_are_numbers(tmp_path):
    got = compare({"one": (X, Y)}, "cart", np.int64(2), np.int64(3), quick=True)
    assert (got.manifest["splits"], got.manifest["seed"]) == (2, 3)
    assert type(got.manifest["splits"]) is int


def test_one_estimator_or_a_class_is_a_method():
    assert [one.name for one in find_all(SVC(C=2))] == ["SVC"]
    own, again = find_all([("mine", SVC), SVC])
    assert (own.name, again.name) == ("mine", "SVC")
    assert own.make(5).random_state == 5


def test_what_is_asked_of_a_comparison_is_told_kindly():
    done = compare({"one": (X, Y)}, "svm", 1, quick=True)
    with pytest.raises(ValueError, match="no measure 'accurracy': pass one of accuracy, kappa"):
        done.table("accurracy")
    with pytest.raises(ValueError, match="no method has a log_loss: there is nothing to compare"):
        done.paired("log_loss")


@pytest.mark.parametrize(("classes", "told"), [(20, True), (11, True), (10, False)])
def test_labels_that_hardly_repeat_are_told(classes, told):
    labels = np.resize(np.arange(classes) / 7, 20).astype(str)
    found = read_sets({"one": (X, labels)})
    note = f"one: {classes} classes in 20 rows: are the labels numeric measurements? These "
    assert found.notes == [note + "methods predict classes"] * told


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such file names")
def test_a_file_name_that_is_not_utf_8(tmp_path, pictures):
    """Its bytes become lone surrogates in Python, which no UTF-8 file can hold."""
    file = tmp_path / os.fsdecode(b"caf\xe9.csv")
    rows = "".join(f"{i % 7},{i % 3},{'ab'[i % 2]}\n" for i in range(20))
    file.write_text("u,v,Y\n" + rows)
    for _ in range(2):  # the second run reads what the first one wrote
        done = compare([file], ["knn"], 2, quick=True, output=tmp_path / "out")
        assert done.results["data"].tolist() == 2 * [r"caf\udce9"]
    for name in ("report.md", "results.csv", "manifest.json", "records.jsonl"):
        assert r"udce9" in (tmp_path / "out" / name).read_text(encoding="utf-8"), name
