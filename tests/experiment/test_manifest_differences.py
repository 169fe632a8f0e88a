"""Which runs may go on in a folder, and what the others are told."""

import copy
import json

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from pycdf.experiment import manifest
from pycdf.experiment.data import DataSet
from pycdf.experiment.designs import Design
from pycdf.experiment.manifest import check_format, describe, differences, joined, keep, versions
from pycdf.experiment.methods import METHODS, Method

OLD = {
    "format": 2, "pycdf": "1.0", "seed": 1, "tuned": False, "split_rule": "sample()", "splits": 5,
    "versions": {"numpy": "2.0", "xgboost": "3.0"},
    "data": {"one": {"rows": 9, "columns": 2, "sha256": "ab"},
             "two": {"rows": 7, "columns": 2, "sha256": "cd"}},
    "methods": {"knn": {"estimator": "sklearn.KNN", "parameters": {"p": 2, "k": 5}},
                "svm": {"estimator": "sklearn.SVC", "parameters": {"C": 1}, "scaling": "by sd"}},
}  # fmt: skip


def changed(**parts):
    """The same run, with some parts changed: ``data__one__rows=3``."""
    new = copy.deepcopy(OLD)
    for path, value in parts.items():
        *way, last = path.split("__")
        at = new
        for one in way:
            at = at[one]
        if value is None:
            del at[last]
        else:
            at[last] = value
    return new


SCALED = {"estimator": "sklearn.KNN", "parameters": {"p": 2, "k": 5}, "scaling": "by sd"}


@pytest.mark.parametrize(
    ("parts", "reasons"),
    [
        ({}, []),
        ({"splits": 9, "data__two": None, "methods__svm": None, "versions__xgboost": None}, []),
        ({"data__new": {"sha256": "x"}, "methods__new": {}, "versions__lightgbm": "4.0"}, []),
        ({"pycdf": "1.1"}, ["pycdf is '1.1' and was '1.0'"]),
        ({"seed": 2, "tuned": True}, ["seed is 2 and was 1", "tuned is True and was False"]),
        ({"split_rule": "folds"}, ["split_rule is 'folds' and was 'sample()'"]),
        ({"versions__numpy": "2.1"}, ["numpy is '2.1' and was '2.0'"]),
        ({"data__one__sha256": "x"},
         ["the numbers or labels of the data set 'one' have changed"]),
        ({"data__one__sha256": "x", "data__one__rows": 8},
         ["the numbers or labels of the data set 'one' have changed (it is 8 x 2 and was 9 x 2)"]),
        ({"methods__knn__parameters__k": 3}, ["knn: k is 3 and was 5"]),
        ({"methods__knn__parameters__k": 3, "methods__knn__parameters__q": 1},
         ["knn: k is 3 and was 5", "knn: only one of the two runs has 'q'"]),
        ({"methods__knn__parameters__p": None}, ["knn: only one of the two runs has 'p'"]),
        ({"methods__knn": SCALED}, ["knn is scaled and was not"]),
        ({"methods__svm__scaling": None}, ["svm is not scaled and was"]),
        ({"methods__svm__estimator": "other"}, ["the method 'svm' has changed"]),
        ({"methods__svm__tuning": [{"C": 1}]}, ["the method 'svm' has changed"]),
    ],
)  # fmt: skip
def test_what_has_changed_is_told(parts, reasons, tmp_path):
    new = changed(**parts)
    assert differences(OLD, new) == reasons
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(OLD))
    if reasons:
        with pytest.raises(ValueError, match="has results of a different run: ") as refused:
            keep(new, path, started=True)
        assert f"different run: {'; '.join(reasons)}. Choose another folder" in str(refused.value)
        assert json.loads(path.read_text()) == OLD
    else:
        keep(new, path, started=True)
        assert json.loads(path.read_text()) == joined(OLD, new)
    keep(new, path, started=False)
    assert json.loads(path.read_text()) == new


@pytest.mark.parametrize(("count", "end"), [(5, "c4 is 1 and was 0."), (7, "; and 2 more.")])
def test_of_many_changes_five_are_told(count, end, tmp_path):
    before, after = ({f"c{i}": value for i in range(count)} for value in (0, 1))
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(changed(versions=before)))
    with pytest.raises(ValueError, match="different run") as refused:
        keep(changed(versions=after), path, started=True)
    told = str(refused.value).partition(" Choose another folder")[0]
    assert told.endswith(end)
    assert told.count(" is 1 and was 0") == 5


def test_a_folder_has_what_both_runs_have():
    new = changed(splits=3, data__two=None, methods__svm=None, versions__numpy=None)
    whole = joined(OLD, new)
    assert whole == OLD
    assert joined(OLD, changed(splits=8))["splits"] == 8
    more = joined(new, changed(data__three={}, methods__cart={}, versions__r="4.2"))
    assert list(more["data"]) == ["one", "two", "three"]
    assert {*more["methods"]} == {"knn", "svm", "cart"}
    assert more["versions"] == OLD["versions"] | {"r": "4.2"}


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"versions": 1}'])
def test_a_damaged_manifest_is_told_and_kept(text, tmp_path):
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="is damaged: choose another folder"):
        keep(OLD, path, started=True)
    assert path.read_text() == text
    path.unlink()
    with pytest.raises(ValueError, match=r"has results but no manifest\.json, which describes"):
        keep(OLD, path, started=True)
    assert not path.exists()


@pytest.mark.parametrize(
    ("text", "refused"),
    [('{"format": 2}', False), ("{}", True), ('{"format": 3}', True), ("[]", False), ("", False)],
)
def test_records_of_other_versions(text, refused, tmp_path):
    (tmp_path / "manifest.json").write_text(text)
    if refused:
        with pytest.raises(ValueError, match="has results of another version of pycdf"):
            check_format(tmp_path)
    else:
        check_format(tmp_path)
    check_format(tmp_path / "none")


def test_the_file_is_for_people_too():
    made = manifest.text({"a": {"ü": 1, "name": "caf\udce9"}})
    assert made == '{\n "a": {\n  "ü": 1,\n  "name": "caf\\udce9"\n }\n}\n'.encode()


class Odd(KNeighborsClassifier):
    """Has a parameter of any kind."""

    def __init__(self, n_neighbors=5, value=None):
        super().__init__(n_neighbors)
        self.value = value


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, None), (True, True), (3, 3), ("a", "a"), (0.5, 0.5), (np.float64(0.5), 0.5),
        (float("nan"), "nan"), (float("inf"), "inf"), (-float("inf"), "-inf"),
        ((1, np.int64(2), None), [1, 2, None]), ({1: (2.0, float("nan"))}, {"1": [2.0, "nan"]}),
        (1 + 2j, "(1+2j)"), (len, "<built-in function len>"),
        (lambda: 0, "builtins.function"),
    ],
)  # fmt: skip
def test_parameters_survive_json(value, kept):
    entry = describe(Method("odd", "Odd one", lambda seed: Odd(value=value)), tuned=True)
    assert entry["parameters"]["value"] == kept
    assert entry["parameters"]["n_neighbors"] == 5
    assert entry["estimator"] == f"{__name__}.Odd"
    assert (entry["title"], entry["tuning"]) == ("Odd one", [])
    assert json.loads(json.dumps(entry)) == entry
    assert "scaling" not in entry
    assert "needs" not in entry


def test_what_a_method_does_and_needs():
    assert describe(METHODS["knn"], tuned=False).keys() == {"title", "estimator", "parameters"}
    tuned = describe(METHODS["knn"], tuned=True)
    assert tuned["tuning"] == [{"n_neighbors": k} for k in (5, 1, 3, 7, 9, 11, 15)]
    always = describe(METHODS["nsc"], tuned=False)
    assert len(always["tuning"]) == 30
    assert "scaling" in describe(METHODS["lsvm"], tuned=False)
    wrapped = Method("w", "W", lambda seed: Wrapper(), needs="a library")
    entry = describe(wrapped, tuned=False)
    assert entry["estimator"] == "sklearn.neighbors._classification.KNeighborsClassifier"
    assert entry["needs"] == "a library"
    bare = describe(Method("b", "B", lambda seed: Bare()), tuned=False)
    assert bare["parameters"] == {"a": 1}


class Wrapper:
    """Not an estimator of scikit-learn, but it has one."""

    def __init__(self):
        self.estimator = KNeighborsClassifier()


class Bare:
    """No estimator of scikit-learn at all."""

    def __init__(self):
        self.a = 1


def test_the_whole_manifest(monkeypatch):
    one = DataSet(
        "one", np.ones((4, 2)), np.array([*"abab"]), "t.csv", "y", ("id",), np.array([*"gghh"])
    )
    two = DataSet("two", np.ones((4, 1)), np.array([*"aabb"]))
    design = Design(True, "g", 5)
    made = manifest.build(
        [one, two], [METHODS["knn"]], seed=7, splits=10, quick=True, design=design
    )
    assert (made["seed"], made["splits"], made["tuned"]) == (7, 10, False)
    assert (made["splitting"], made["split_rule"]) == (design.words, design.rule)
    assert made["format"] == 2
    assert made["data"] == {
        "one": {
            "rows": 4, "columns": 2, "classes": {"a": 2, "b": 2}, "sha256": one.checksum,
            "source": "t.csv", "label": "y", "dropped": ["id"], "groups": 2,
        },
        "two": {
            "rows": 4, "columns": 1, "classes": {"a": 2, "b": 2}, "sha256": two.checksum,
            "source": "", "label": "",
        },
    }  # fmt: skip
    assert "tuning" not in made["methods"]["knn"]
    slow = manifest.build([two], [METHODS["knn"]], seed=1, splits=1, quick=False)
    assert slow["tuned"] is True
    assert "tuning" in slow["methods"]["knn"]
    assert "R" not in slow["versions"]
    monkeypatch.setattr(manifest.rrf, "versions", lambda: {"R": "4.2.2"})
    ours = Method("r", "R", lambda seed: KNeighborsClassifier(), missing=manifest.rrf.missing)
    both = manifest.build([two], [METHODS["knn"], ours], seed=1, splits=1, quick=True)
    assert both["versions"]["R"] == "4.2.2"
    assert {*versions([])} == {"python", "numpy", "scipy", "scikit-learn", "numba"}
