"""The measures of `pycdf cv`, against those of scikit-learn."""

from itertools import cycle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from darwin_files import write_darwin
from programs import pycdf_ok
from scipy import stats
from sklearn import metrics

from pycdf.base_r.stream import RStream
from pycdf.validation import accuracy, auc, interval, measures, shuffled_folds, stratified_folds

RNG = np.random.default_rng(5)
NUMBERS = ["all_rows", "mean", "sd", "low", "high"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cv")
    frame = write_darwin(folder, 120)[:90]
    frame = frame.assign(Y=np.array(["a", "b", "c"])[np.arange(90) % 3])
    frame.to_csv(folder / "three.csv", index=False)
    return folder


def expected(true, found, shares, classes):
    """scikit-learn's figures; the AUC one against the rest."""
    with np.errstate(invalid="ignore"):
        result = {
            ("accuracy", ""): metrics.accuracy_score(true, found),
            ("balanced_accuracy", ""): metrics.balanced_accuracy_score(true, found),
            ("kappa", ""): metrics.cohen_kappa_score(true, found),
        }
    for at, label in enumerate(classes):
        result["sensitivity", label] = metrics.recall_score(true == label, found == label)
        result["specificity", label] = metrics.recall_score(true != label, found != label)
        result["auc", label] = metrics.roc_auc_score(true == label, shares[:, at])
    result["auc", ""] = (
        metrics.roc_auc_score(true, shares, multi_class="ovr", average="macro", labels=classes)
        if len(classes) > 2
        else metrics.roc_auc_score(true == classes[1], shares[:, 1])
    )
    return result


@pytest.mark.parametrize(("name", "classes"), [("train.csv", "HP"), ("three.csv", "abc")])
def test_the_table_has_the_figures_of_scikit_learn(folder, monkeypatch, name, classes):
    monkeypatch.chdir(folder)
    done = pycdf_ok(
        "cv", name, "-y", "Y", "--id", "patient", "--folds", 4, "--repeats", 2, "--ntrees", 10,
        "--seed", 3, "-o", "m.csv", "--predictions", "p.csv", "--confusion", "c.csv",
    )  # fmt: skip
    table = pd.read_csv("m.csv", keep_default_na=False).set_index(["measure", "class"])
    rows = pd.read_csv("p.csv")
    classes = list(classes)

    def figures(part):
        true, found = part["label"].to_numpy(), part["prediction"].to_numpy()
        return expected(true, found, part[[f"prob_{one}" for one in classes]].to_numpy(), classes)

    by_repeat = [figures(part) for _, part in rows.groupby("repeat")]
    by_fold = [figures(part) for _, part in rows.groupby(["repeat", "fold"])]
    assert len(by_fold) == 8
    compared = 0
    for key in by_repeat[0]:
        values = np.array([one[key] for one in by_fold])
        half = stats.t.ppf(0.975, 7) * values.std(ddof=1) * np.sqrt(1 / 8 + 1 / 3)
        least = -1 if key[0] == "kappa" else 0
        wanted = [
            np.mean([one[key] for one in by_repeat]), values.mean(), values.std(ddof=1),
            max(least, values.mean() - half), min(1, values.mean() + half),
        ]  # fmt: skip
        got = [float(table.loc[key, column]) for column in NUMBERS]
        assert got == pytest.approx(wanted, abs=1e-12), key
        assert int(table.loc[key, "folds"]) == 8
        compared += 1
    assert compared == len(table) == 4 + 3 * len(classes)
    matrix = metrics.confusion_matrix(rows["label"], rows["prediction"], labels=classes)
    shown = pd.DataFrame(matrix, index=classes, columns=classes)
    assert Path("c.csv").read_text() == shown.rename_axis("true").to_csv()
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"pycdf: {len(classes)} classes: ")
    assert lines[1] == "pycdf: confusion matrix over 2 repeats, true classes in rows:"
    assert [line.split()[1:] for line in lines[4:-1]] == [
        [str(count) for count in row] for row in matrix
    ]
    accuracy = table.loc[("accuracy", "")]
    assert lines[-1].startswith(
        f"pycdf: accuracy {float(accuracy['all_rows']):.4f} ({float(accuracy['low']):.3f} to "
        f"{float(accuracy['high']):.3f}), balanced accuracy "
    )
    assert lines[-1].endswith("; in brackets 95 % intervals over 8 folds")


def test_measures_of_random_rows():
    compared = 0
    for n, k in [(200, 2), (50, 3), (30, 5)]:
        codes, found = RNG.integers(0, k, n), RNG.integers(0, k, n)
        codes[:k] = np.arange(k)
        shares = RNG.integers(0, 6, (n, k)) / 5  # many ties
        wanted = {
            ("accuracy", -1): metrics.accuracy_score(codes, found),
            ("balanced_accuracy", -1): metrics.balanced_accuracy_score(codes, found),
            ("kappa", -1): metrics.cohen_kappa_score(codes, found),
        }
        for code in range(k):
            wanted["auc", code] = metrics.roc_auc_score(codes == code, shares[:, code])
            wanted["sensitivity", code] = metrics.recall_score(codes == code, found == code)
            wanted["specificity", code] = metrics.recall_score(codes != code, found != code)
        wanted["auc", -1] = np.mean([wanted["auc", code] for code in range(k)])
        got = measures(codes, found, shares)
        assert got.keys() == wanted.keys()
        for key, value in wanted.items():
            assert got[key] == pytest.approx(value, abs=1e-12), key
            compared += 1
    assert compared == 3 * 4 + 3 * (2 + 3 + 5)


def test_what_is_undefined_is_nan():
    one_class = measures(np.array([0, 0]), np.array([0, 1]), np.array([[0.9, 0.1], [0.4, 0.6]]))
    undefined = {key for key, value in one_class.items() if np.isnan(value)}
    assert undefined == {("specificity", 0), ("sensitivity", 1), ("auc", 0), ("auc", 1),
                         ("auc", -1)}  # fmt: skip
    assert one_class["balanced_accuracy", -1] == 0.5
    assert np.isnan(auc(np.array([True, True]), np.array([0.1, 0.2])))
    one_row = measures(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([[1.0, 0.0]] * 3))
    assert one_row["sensitivity", 1] == one_row["specificity", 0] == 1.0
    with pytest.raises(ValueError, match="shorter than"):
        accuracy(["a", "b"], ["a"])
    assert interval([np.nan, 0.5], "auc", 0.1)[0] == 0.5
    assert interval([0.5, np.nan, 0.7], "auc", 0.1).folds == 2
    assert interval([1.0, 0.2], "accuracy", 0.5)[2:] == (0.0, 1.0, 2)
    assert interval([-1.0, 0.2], "kappa", 0.5)[2:] == (-1.0, 1.0, 2)


def test_classes_are_dealt_out_one_after_the_other():
    codes = np.array([1, 0, 2, 0, 0, 1, 0, 2, 0, 1, 0, 2, 0, 1], dtype=np.int32)
    stream, folds = RStream(1), cycle(range(3))
    dealt = {}
    for code in range(3):
        rows = np.flatnonzero(codes == code)
        dealt |= {int(rows[i]): next(folds) for i in stream.sample(len(rows))}
    found = stratified_folds(codes, 3, RStream(1)).tolist()
    assert found == [dealt[row] for row in range(14)]


def test_folds_without_strata():
    codes = np.array([0] * 20 + [1] * 3, dtype=np.int32)
    fold = shuffled_folds(codes, 4, RStream(1))
    assert sorted(np.bincount(fold)) == [5, 6, 6, 6]
    again = np.empty(23, dtype=int)
    again[RStream(1).sample(23)] = np.arange(23) % 4
    assert fold.tolist() == again.tolist()


def test_rows_without_a_label_or_a_value_do_not_count(folder, monkeypatch):
    monkeypatch.chdir(folder)
    lines = Path("train.csv").read_text().splitlines()
    some = [*lines[:41], "," * 20 + "empty,H", lines[41].rpartition(",")[0] + ","]
    Path("some.csv").write_text("\n".join(some))
    options = ("-y", "Y", "--id", "patient", "--folds", 2, "--ntrees", 3, "--seed", 1)
    done = pycdf_ok("cv", "some.csv", *options, "--predictions", "p.csv", "--no-stratify")
    rows = pd.read_csv("p.csv")
    last = rows.iloc[-1]
    assert (len(rows), last["patient"], last["label"]) == (41, "empty", "H")
    assert last[["prediction", "prob_H", "prob_P"]].isna().all()
    notes = [line for line in done.stderr.splitlines() if "note: " in line]
    unlabelled = some[-1].split(",")[20]
    assert notes == [
        "pycdf: note: 1 row of some.csv has no label in column 'Y' and is left out: row 42 "
        f"({unlabelled}).",
        "pycdf: note: 1 row of some.csv has no value in any column: row 41 (empty). It is used in "
        "training, as in R, and does not count (--allow-empty counts it).",
    ]
    counted = pycdf_ok("cv", "some.csv", *options, "--predictions", "p.csv", "--allow-empty")
    assert pd.read_csv("p.csv")["prediction"].notna().all()
    assert "does not count" not in counted.stderr
