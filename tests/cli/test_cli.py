"""The command line, as a user meets it: files in, files out, notes and errors on stderr."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from darwin_files import FEATURES, write_darwin
from programs import heavy_imports, pycdf_ok, pycdf_run, python_run

import pycdf
from pycdf import CDF
from pycdf.base_r.stream import RStream
from pycdf.explain import contribution_table
from pycdf.files.tables.options import ReadOptions
from pycdf.files.tables.reading import read_data
from pycdf.validation import kappa, stratified_folds


@pytest.fixture
def darwin(tmp_path, monkeypatch):
    """train.csv and test.csv of DARWIN's first 20 columns, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    return write_darwin(tmp_path, 120)


TRAIN = ("train", "train.csv", "-y", "Y", "--id", "patient", "--ntrees", 20, "--seed", 1)


# ---- the jobs ------------------------------------------------------------------------------------


def test_train_and_predict_give_what_cdf_gives(darwin):
    result = pycdf_ok(*TRAIN, "-o", "m.cdf")
    assert result.stdout == ""
    assert "seed 1" in result.stderr
    pycdf_ok("predict", "m.cdf", "test.csv", "--id", "patient", "-o", "p.csv")
    got = pd.read_csv("p.csv")
    train, test = darwin[:120], darwin[120:]
    fit = CDF(train[FEATURES], train["Y"], test[FEATURES], ntrees=20, seed=1)
    assert got["patient"].tolist() == test["patient"].tolist()
    assert got["prediction"].tolist() == fit.predictions.tolist()
    assert got.columns.tolist() == ["patient", "prediction", *(f"prob_{c}" for c in fit.classes)]
    for label in fit.classes:
        assert got[f"prob_{label}"].tolist() == fit.probabilities[label].tolist()


def test_run_gives_the_same_in_one_call(darwin):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    two_steps = pycdf_ok("predict", "m.cdf", "test.csv", "--id", "patient", "-y", "Y")
    one_call = pycdf_ok(
        "run", "train.csv", "test.csv", "-y", "Y", "--id", "patient", "--ntrees", 20, "--seed", 1
    )
    assert one_call.stdout == two_steps.stdout
    told = [line for line in one_call.stderr.splitlines() if "accuracy" in line]
    assert told == [line for line in two_steps.stderr.splitlines() if "accuracy" in line]
    assert len(told) == 1


def test_columns_are_found_by_name_and_rows_are_numbered(darwin):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    straight = pycdf_ok("predict", "m.cdf", "test.csv").stdout
    assert straight.splitlines()[:2][0].startswith("row,prediction,prob_")
    assert straight.splitlines()[1].startswith("1,")
    frame = darwin[120:]
    frame[frame.columns[::-1]].to_csv("turned.csv", index=False)
    turned = pycdf_ok("predict", "m.cdf", "turned.csv")
    assert turned.stdout == straight
    assert (
        "note: turned.csv has 2 columns that the model does not have: 'Y', 'patient'"
        in turned.stderr
    )
    only = pycdf_ok("predict", "m.cdf", "test.csv", "--labels-only").stdout
    assert only.splitlines()[0] == "row,prediction"


@pytest.mark.parametrize("form", ["csv.gz", "tsv", "parquet"])
def test_every_form_of_table_goes_in_and_out(darwin, form):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    wanted = pycdf_ok("predict", "m.cdf", "test.csv", "--id", "patient").stdout
    frame = darwin[120:]
    if form == "parquet":
        frame.to_parquet("t.parquet", index=False)
    else:
        frame.to_csv(f"t.{form}", index=False, sep="\t" if form == "tsv" else ",")
    pycdf_ok("predict", "m.cdf", f"t.{form}", "--id", "patient", "-o", f"p.{form}")
    if form == "parquet":
        got = pd.read_parquet("p.parquet").to_csv(index=False, lineterminator="\n")
    elif form == "tsv":
        got = Path("p.tsv").read_text().replace("\t", ",")
    else:
        got = gzip.decompress(Path("p.csv.gz").read_bytes()).decode()
    assert got == wanted


def test_a_parquet_file_is_predicted_in_parts(darwin, monkeypatch):
    from pycdf.cli import table_input as commands
    from pycdf.files.tables import parquet as datafiles

    pycdf_ok(*TRAIN, "-o", "m.cdf")
    frame = darwin[50:]
    frame.to_csv("t.csv", index=False)
    frame.assign(more=1.0).to_parquet("t.parquet", index=False, row_group_size=50)
    by = ("-y", "Y", "--id", "patient")
    wanted = pycdf_ok("predict", "m.cdf", "t.csv", *by)
    read = []

    def watched(*arguments):
        for part in datafiles.parquet_parts(*arguments):
            read.append(part.shape)
            yield part

    monkeypatch.setattr(datafiles, "_CELLS", 1)  # 64 rows
    monkeypatch.setattr(commands, "parquet_parts", watched)
    found = pycdf_ok("predict", "m.cdf", "t.parquet", *by, "--jobs", "2")
    assert found.stdout == wanted.stdout
    told = wanted.stderr.replace("t.csv", "t.parquet").splitlines()
    assert found.stderr.splitlines()[1:] == told  # the accuracy, and that of training rows
    assert len(told) == 2
    assert (
        found.stderr.count("note: t.parquet has 1 column that the model does not have: 'more'") == 1
    )
    assert sum(rows for rows, _ in read) == len(frame)
    assert len(read) > 1
    assert {columns for _, columns in read} == {22}  # the features, the label and the id
    read.clear()
    frame.assign(x5=frame["x5"].astype(str)).to_parquet("text.parquet", index=False)
    assert pycdf_ok("predict", "m.cdf", "text.parquet", *by).stdout == wanted.stdout
    assert read == []  # how a column of text is read depends on all of its rows


def test_a_column_is_empty_only_if_it_is_so_in_all_parts(darwin, monkeypatch):
    from pycdf.files.tables import parquet as datafiles

    pycdf_ok(*TRAIN, "-o", "m.cdf")
    frame = darwin.assign(x5=np.nan)
    frame.iloc[:100, frame.columns.get_loc("x6")] = np.nan
    frame.drop(columns="Y").to_parquet("t.parquet", index=False, row_group_size=50)
    monkeypatch.setattr(datafiles, "_CELLS", 1)  # 64 rows
    found = pycdf_ok("predict", "m.cdf", "t.parquet", "--id", "patient")
    assert found.stderr == (
        "pycdf: note: 1 column that the model uses is empty in t.parquet: 'x5'.\n"
    )


@pytest.mark.parametrize("column", [0.5, "text"])  # read in parts, or whole
def test_a_parquet_file_without_rows_is_refused(darwin, column):
    pycdf_ok("train", "train.csv", "--label", "Y", "--drop", "patient", "-o", "m.cdf")
    frame = read_data("test.csv").drop(columns=["patient", "Y"])
    frame.assign(air_time1=column)[:0].to_parquet("t.parquet", index=False)
    found = pycdf_run("predict", "m.cdf", "t.parquet")
    assert found.exit_code == 1
    assert "t.parquet: the table has no rows." in found.stderr


def test_a_parquet_file_with_text_among_its_features_is_read_whole(darwin):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    frame = darwin[120:]
    feature = next(name for name in frame.columns if name not in ("Y", "patient"))
    frame = frame.astype({feature: str})
    frame.to_parquet("t.parquet", index=False)
    frame.to_csv("t.csv", index=False)
    wanted = pycdf_ok("predict", "m.cdf", "t.csv", "--id", "patient").stdout
    assert pycdf_ok("predict", "m.cdf", "t.parquet", "--id", "patient").stdout == wanted


def test_trees_with_streams_of_their_own(darwin):
    pycdf_ok(*TRAIN, "-o", "one.cdf", "--streams", "per_tree")
    pycdf_ok(*TRAIN, "-o", "two.cdf", "--streams", "per_tree", "--jobs", "2")
    pycdf_ok(*TRAIN, "-o", "r.cdf")
    answers = [
        pycdf_ok("predict", f"{name}.cdf", "test.csv").stdout for name in ("one", "two", "r")
    ]
    assert answers[0] == answers[1] != answers[2]
    assert "streams=per_tree" in pycdf_ok("describe", "two.cdf").stdout


def test_no_cores_are_refused(darwin):
    refused = pycdf_run("predict", "m.cdf", "test.csv", "--jobs", "0")
    assert refused.exit_code == 2
    assert "there must be at least one: pass 1 or more, or -1 for all cores." in refused.stderr


def test_a_pipe_goes_in_and_out(darwin):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    wanted = pycdf_ok("predict", "m.cdf", "test.csv").stdout
    for content in (Path("test.csv").read_bytes(), gzip.compress(Path("test.csv").read_bytes())):
        assert pycdf_ok("predict", "m.cdf", "-", stdin=content).stdout == wanted


def test_describe(darwin):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    text = pycdf_ok("describe", "m.cdf").stdout
    for words in ("2: ", "120 rows, 20 columns", "ntrees=20, depth=3", "seed        1"):
        assert words in text
    told = json.loads(pycdf_ok("describe", "m.cdf", "--json").stdout)
    assert told["trees"] == 20
    # Twenty columns: selections are chance, and what decides is shown instead.
    assert told["selection_note"].startswith("How often a feature was selected is pure chance")
    assert told["selection_note"] in " ".join(text.split())
    most = contribution_table(pycdf.load("m.cdf")).head(5)
    assert told["contribute_most"] == most.to_dict()
    for name, share in most.items():
        assert f"{name} ({share:.2%})" in text
    assert sorted(told["classes"]) == ["H", "P"]


def test_cross_validation_follows_the_lines_of_r(darwin):
    options = ("--folds", 3, "--repeats", 2, "--ntrees", 5, "--seed", 4, "--id", "patient")
    pycdf_ok("cv", "train.csv", "-y", "Y", *options, "--predictions", "p.csv", "--by-fold", "f.csv")
    train = darwin[:120].reset_index(drop=True)
    X, y = train[FEATURES], train["Y"].to_numpy(dtype=object)
    stream = RStream(4)
    lines = []
    shares = []
    for repeat in (1, 2):
        # docs/command-line.md has these in R
        fold = np.zeros(len(y), dtype=int)
        dealt = 0
        for label in dict.fromkeys(y):
            rows = np.flatnonzero(y == label)[stream.sample((y == label).sum())]
            fold[rows] = (dealt + np.arange(len(rows))) % 3
            dealt += len(rows)
        for part in range(3):
            out = fold == part
            fit = CDF(X[~out], y[~out], X[out], ntrees=5, seed=stream)
            right = float((fit.predictions == y[out]).mean())
            chance = kappa(y[out].tolist(), fit.predictions.tolist())
            lines.append(f"{repeat},{part + 1},{out.sum()},{right!r},{chance!r}")
            rows = train["patient"][out].tolist()
            shares += zip(
                [repeat] * len(rows), rows, fit.predictions, fit.probabilities["H"], strict=True
            )
    found = Path("f.csv").read_text().splitlines()
    assert found[0] == "repeat,fold,rows,accuracy,kappa,balanced_accuracy,auc"
    assert [",".join(line.split(",")[:5]) for line in found[1:]] == lines
    assert len(lines) == 6
    kept = pd.read_csv("p.csv")
    assert kept.columns.tolist() == [
        "patient", "repeat", "fold", "label", "prediction", "prob_P", "prob_H",
    ]  # fmt: skip
    got = zip(kept["repeat"], kept["patient"], kept["prediction"], kept["prob_H"], strict=True)
    assert sorted(got) == sorted(shares)
    assert len(shares) == 240


def test_folds_are_balanced():
    codes = np.array([0] * 11 + [1] * 4 + [2], dtype=np.int32)
    fold = stratified_folds(codes, 5, RStream(1))
    assert set(np.bincount(fold)) == {3, 4}
    assert set(np.bincount(fold[codes == 0])) == {2, 3}


def test_kappa_is_cohens():
    assert kappa(list("aabb"), list("aabb")) == 1.0
    assert kappa(list("aabb"), list("abab")) == 0.0
    assert kappa(list("aab"), list("abb")) == pytest.approx(0.4)
    assert np.isnan(kappa(["a"], ["a"]))


# ---- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("train", "train.csv", "-y", "y", "-o", "m"), 2, "no column 'y': did you mean 'Y'?"),
        (("train", "train.csv", "-y", "Patient ", "-o", "m"), 2, "did you mean 'patient'?"),
        (("train", "train.csv", "-y", "diagnosis", "-o", "m"), 2, "it has x1, x2, x3, ..., "),
        (("train", "train.csv", "-o", "m"), 2, "Missing option '-y'"),
        (("train", "train.csv", "-y", "Y", "-o", "m", "--ntrees", "many"), 2, "'many'"),
        (("train", "none.csv", "-y", "Y", "-o", "m"), 1, "none.csv: No such file"),
        (("train", "train.csv", "-y", "Y", "-o", "no/m"), 1, "no: there is no such folder"),
        (("train", "train.csv", "-y", "Y", "-o", "m", "--sep", "::"), 2, "--sep ::: pass one"),
        (("train", "train.csv", "-y", "x1;x2", "-o", "m", "--sep", ";"), 2, "no column"),
        (("describe", "train.csv"), 1, "train.csv is not a valid pycdf model file"),
        (("predict", "none.cdf", "test.csv"), 1, "none.cdf: No such file"),
        (("run", "-", "-", "-y", "Y"), 2, "cannot both be stdin"),
        (("cv", "train.csv", "-y", "Y", "--folds", "1"), 2, "--folds"),
        (("cv", "train.csv", "-y", "Y", "--folds", "121"), 2, "there are only 120 labelled rows"),
        (("trian",), 2, "No such command 'trian'"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("darwin")
def test_errors_are_a_line_and_an_exit_code(arguments, code, message):
    result = pycdf_run(*arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) <= 2
    assert "Traceback" not in result.stderr


def test_a_missing_column_of_the_model(darwin):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    darwin[120:].rename(columns={"x3": "X_3"}).to_csv("other.csv", index=False)
    result = pycdf_run("predict", "m.cdf", "other.csv")
    assert result.exit_code == 1
    assert "other.csv has no column 'x3': did you mean 'X_3'?" in result.stderr


def test_what_was_done_to_the_inputs_is_told_in_a_line(darwin):
    darwin[:120].assign(same=1).to_csv("same.csv", index=False)
    result = pycdf_ok("train", "same.csv", "-y", "Y", "-o", "m.cdf", "--ntrees", 2, "--seed", 1)
    assert result.stderr.splitlines()[:3] == [
        "pycdf: note: 1 column of same.csv holds text and is left out: 'patient'. Encode what "
        "matters as numbers, name ids with --id, and leave out the rest with --drop.",
        "pycdf: 2 classes: P (54), H (66)",
        "pycdf: note: 1 column of same.csv does not vary, or has no usable numbers, and is left "
        "out: 'same'.",
    ]


def test_dropped_columns(darwin):
    drop = ("--drop", "patient", "--drop", "x1")
    pycdf_ok("train", "train.csv", "-y", "Y", "-o", "m.cdf", "--ntrees", 2, *drop)
    assert pycdf.load("m.cdf").feature_names_in_.tolist() == [f"x{j}" for j in range(2, 21)]


def test_without_a_seed_it_is_told(darwin):
    result = pycdf_ok("run", "train.csv", "test.csv", "-y", "Y", "--id", "patient", "--ntrees", 2)
    seed = result.stderr.split("seed ")[1].split()[0]
    again = pycdf_ok(
        "run", "train.csv", "test.csv", "-y", "Y", "--id", "patient", "--ntrees", 2, "--seed", seed
    )
    assert again.stdout == result.stdout


# ---- as a program --------------------------------------------------------------------------------


def program(*arguments, **more):
    return python_run("-m", "pycdf", *arguments, variables={"PYCDF_QUIET": "1"}, **more)


def test_help_has_examples():
    done = program("--help")
    assert done.returncode == 0
    assert "Examples:" in done.stdout


def test_the_program_imports_no_large_library():
    large = [
        "joblib", "matplotlib", "numba", "numpy", "pandas", "polars", "pyarrow", "scipy", "sklearn",
    ]  # fmt: skip
    assert heavy_imports(large) == []
    assert heavy_imports(large, "pycdf.validation") != []  # so the list is not empty by itself


@pytest.mark.parametrize(
    "command", ["train", "predict", "run", "cv", "importance", "describe", "completion"]
)
def test_every_command_has_help_with_an_example(command):
    text = pycdf_ok(command, "--help").stdout
    assert "Example" in text
    assert f"pycdf {command}" in text


@pytest.mark.endurance
def test_a_pipe_is_silent_and_may_close(darwin):
    pycdf_ok(*TRAIN, "-o", "m.cdf")
    done = program("predict", "m.cdf", "test.csv", "--id", "patient")
    assert done.returncode == 0
    assert done.stderr == "pycdf: note: test.csv has 1 column that the model does not have: 'Y'.\n"
    assert len(done.stdout.splitlines()) == 55
    reader, writer = os.pipe()
    os.close(reader)
    closed = program(
        "predict", "m.cdf", "test.csv", "--id", "patient",
        capture_output=False, stdout=writer, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(writer)
    assert closed.returncode == 1
    assert "Traceback" not in closed.stderr
    assert "Exception" not in closed.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    assert "_PYCDF_COMPLETE" in pycdf_ok("completion", shell).stdout


def test_completion_completes():
    asked = {"_PYCDF_COMPLETE": "bash_complete", "COMP_WORDS": "pycdf tr", "COMP_CWORD": "1"}
    code = "from pycdf.cli.main import main; main(prog_name='pycdf')"
    done = python_run("-c", code, variables=asked)
    assert done.stdout == "plain,train\n", done.stderr


# ---- tables --------------------------------------------------------------------------------------


def table(text, tmp_path, name="t.csv", as_text=(), **options):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_data(str(tmp_path / name), as_text, ReadOptions(**options))


def test_columns_are_typed_as_by_read_csv(tmp_path):
    frame = table(
        'a,b,c,d,e,"f, g",label\n'
        '1,NA,TRUE,x,0x1A,"say ""hi""",01\n'
        '\n'
        ' 2.5 ,,F,NA,Inf,"two\nlines",NA\n'
        '1e-400,-7,NA,,NaN,,02\n',
        tmp_path,
        as_text=["label"],
    )  # fmt: skip
    assert frame.columns.tolist() == ["a", "b", "c", "d", "e", "f, g", "label"]
    assert frame["a"].tolist() == [1.0, 2.5, 0.0]
    assert repr(frame["b"].tolist()) == "[nan, nan, -7.0]"
    assert repr(frame["c"].tolist()) == "[1.0, 0.0, nan]"
    assert frame["d"].tolist() == ["x", None, ""]
    assert repr(frame["e"].tolist()) == "[26.0, inf, nan]"
    assert frame["f, g"].tolist() == ['say "hi"', "two\nlines", ""]
    assert frame["label"].tolist() == ["01", None, "02"]
    assert frame.index.tolist() == [1, 2, 3]


def test_row_names_as_r_writes_them(tmp_path):
    by_write_csv = table('"","a","b"\n"r1",1,2\n"r2",3,4\n', tmp_path)
    by_write_table = table('"a" "b"\n"r1" 1 2\n"r2" 3 4\n', tmp_path, sep=" ")
    for frame in (by_write_csv, by_write_table):
        assert frame.index.tolist() == ["r1", "r2"]
        assert frame.columns.tolist() == ["a", "b"]
        assert frame["b"].tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("text", "sep"), [("a;b\n1;2\n", None), ("a\tb\n1\t2\n", None), ("a|b\n1|2\n", "|")]
)
def test_separators(text, sep, tmp_path):
    assert table("\ufeff" + text, tmp_path, sep=sep).to_numpy().tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n", "no rows below a header"),
        (b"a,b\n1,2\n1\n", "line 3 has 1 cell and the header 2"),
        (b"\x1f\x8bno", "t.csv"),
        (b"PAR1no", "damaged Parquet"),
    ],
)
def test_what_is_no_table(content, message, tmp_path):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"t\.csv") as caught:
        read_data(str(tmp_path / "t.csv"))
    assert message in str(caught.value)


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ValueError, match="pip install pyarrow"):
        read_data(str(tmp_path / "t.parquet"))
