"""The measures of `pycdf cv`, against those of scikit-learn."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from darwin_files import write_darwin
from programs import pycdf_ok
from scipy import stats
from sklearn import metrics

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
