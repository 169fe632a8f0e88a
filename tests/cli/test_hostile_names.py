"""Names from files cannot act on the terminal, fake a message, or run in a spreadsheet."""

import os
import sys
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hostile_names import CLASSES, COLUMNS, TITLE, acting, write_hostile
from programs import new_process, pycdf_ok, pycdf_run

pytest.importorskip("pyarrow")

MANY = """
import sys
from pycdf.cli.main import main
for line in sys.stdin.read().split("\\f"):
    try:
        main(line.split("\\v"))
    except SystemExit as ended:
        print("[ exit", ended.code, "]")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    write_hostile(folder / f"t{TITLE}.parquet")
    table = str(folder / f"t{TITLE}.parquet")
    pycdf_ok("train", table, "-y", "Y", "--id", "who", "-o", folder / "m.cdf", "--ntrees", 9,
             "--seed", 1)  # fmt: skip
    return folder


def on_terminal(commands):
    """What a terminal gets from some commands, which run in one process."""
    import pty

    main, side = pty.openpty()
    given, feed = os.pipe()
    os.write(feed, "\f".join("\v".join(map(str, one)) for one in commands).encode())
    os.close(feed)
    child = os.posix_spawn(
        sys.executable, [sys.executable, "-c", MANY], new_process(COLUMNS="200"),
        file_actions=[(os.POSIX_SPAWN_DUP2, given, 0), (os.POSIX_SPAWN_DUP2, side, 1),
                      (os.POSIX_SPAWN_DUP2, side, 2)],
    )  # fmt: skip
    os.close(given)
    os.close(side)
    written = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        written += part
    os.close(main)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return written.decode()


@pytest.mark.endurance
@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_nothing_acts_on_a_terminal(folder):
    """Every command that prints names, notes, tables or errors."""
    table, model = folder / f"t{TITLE}.parquet", folder / "m.cdf"
    commands = [
        ["importance", model],
        ["describe", model],
        ["describe", model, "--json"],
        ["predict", model, table, "-y", "Y"],
        ["predict", model, table, "--id", "who"],
        ["predict", model, table, "-y", TITLE],
        ["run", table, table, "-y", "Y", "--seed", "1", "--ntrees", "3"],
        ["cv", table, "-y", "Y", "--folds", "2", "--ntrees", "3", "--seed", "1"],
        ["compare", table, table, "--quick", "--splits", "1", "-o", folder / f"out{TITLE}",
         "--methods", f"knn,my{TITLE}=knn(n_neighbors=3),bad{TITLE}=knn(n_neighbors=99)"],
        ["compare", table, "--methods", f"sklearn.{TITLE}", "-o", folder / "none"],
        ["train", f"no{TITLE}.csv", "-y", "Y", "-o", folder / "n.cdf"],
        ["train", table, "-y", "Y", "--drop", TITLE, "-o", folder / "n.cdf"],
        ["plot", "tree", model, "-o", folder / f"x{TITLE}.nope"],
        [f"co{TITLE}mmand"],
        ["predict", model, table, f"--op{TITLE}"],
    ]  # fmt: skip
    seen = on_terminal(commands)
    assert acting(seen) == ""
    codes = [int(line.split()[2]) for line in seen.splitlines() if line.startswith("[ exit")]
    assert codes == [0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 1, 2, 2, 2, 2]
    assert "\npycdf: a fake line" not in seen.replace("\r", "")
    assert "\npycdf: cured" not in seen.replace("\r", "")
    assert r"\x1b]0;owned\x07a" in seen
    assert r"well\npycdf: cured\x01" in seen
    for path in [*(folder / f"out{TITLE}").glob("*.svg")]:
        ElementTree.parse(path)
    for name in ("report.md", "accuracy.tex"):
        assert acting((folder / f"out{TITLE}" / name).read_text(encoding="utf-8")) == ""


def test_files_keep_the_true_text(folder):
    table, out = folder / f"t{TITLE}.parquet", folder / "out.csv"
    pycdf_ok("predict", folder / "m.cdf", table, "--id", "who", "-o", out)
    read = pd.read_csv(out, keep_default_na=False)
    assert set(read["prediction"]) <= set(CLASSES)
    assert read.columns.tolist() == ["who", "prediction", *(f"prob_{one}" for one in CLASSES)]
    assert read["who"][0] == f"-P0{TITLE}"
    pycdf_ok("importance", folder / "m.cdf", "-o", out)
    assert set(pd.read_csv(out)["feature"]) == set(COLUMNS)


@pytest.mark.parametrize("kind", ["tree", "importance", "coselection", "centroids"])
def test_pictures_are_well_formed(folder, kind):
    path = folder / f"{kind}.svg"
    pycdf_ok("plot", kind, folder / "m.cdf", "-o", path)
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert acting(path.read_text(encoding="utf-8")).strip("\t") == ""


def test_formulas_are_escaped_if_asked(tmp_path):
    """Text cells and headers; numbers stay numbers, also in columns of text."""
    random = np.random.default_rng(3)
    rows = 30
    frame = pd.DataFrame(random.normal(size=(rows, 3)), columns=["=cmd|x", "+a", "b"])
    frame["Y"] = np.array(["=1+1", "-2.5", "@SUM(A1)"])[np.arange(rows) % 3]
    frame["who"] = ["-P", "-3", "+1e5", "\t=1", "x=1", "- 4"] * 5
    frame.to_csv(tmp_path / "t.csv", index=False)
    options = ("-y", "Y", "--id", "who", "--ntrees", 5, "--seed", 1)
    plain = pycdf_ok("run", tmp_path / "t.csv", tmp_path / "t.csv", *options).stdout
    escaped = pycdf_ok(
        "run", tmp_path / "t.csv", tmp_path / "t.csv", *options, "--escape-formulas"
    ).stdout
    assert plain.splitlines()[0] == "who,prediction,prob_=1+1,prob_-2.5,prob_@SUM(A1)"
    lines = [line.split(",") for line in escaped.splitlines()]
    assert lines[0] == ["who", "prediction", "prob_=1+1", "prob_-2.5", "prob_@SUM(A1)"]
    assert [line[0] for line in lines[1:7]] == ["'-P", "-3", "+1e5", "'\t=1", "x=1", "'- 4"]
    assert {line[1] for line in lines[1:]} == {"'=1+1", "-2.5", "'@SUM(A1)"}
    assert [line.split(",")[2:] for line in plain.splitlines()] == [line[2:] for line in lines]

    pycdf_ok("train", tmp_path / "t.csv", *options, "-o", tmp_path / "m.cdf")
    pycdf_ok("predict", tmp_path / "m.cdf", tmp_path / "t.csv", "--id", "who",
             "--escape-formulas", "-o", tmp_path / "p.csv")  # fmt: skip
    assert (tmp_path / "p.csv").read_text() == escaped
    listed = pycdf_ok("importance", tmp_path / "m.cdf", "--escape-formulas").stdout
    assert {line.split(",")[0] for line in listed.splitlines()} == {
        "feature",
        "'=cmd|x",
        "'+a",
        "b",
    }
    pycdf_ok("cv", tmp_path / "t.csv", *options, "--folds", 2, "--escape-formulas",
             "--predictions", tmp_path / "cv.tsv")  # fmt: skip
    read = pd.read_csv(tmp_path / "cv.tsv", sep="\t", dtype=str)
    assert set(read["label"]) == {"'=1+1", "-2.5", "'@SUM(A1)"}

    for command in (
        ["run", tmp_path / "t.csv", tmp_path / "t.csv", *options, "-o", tmp_path / "x.parquet"],
        ["importance", tmp_path / "m.cdf", "-o", tmp_path / "x.pq"],
    ):
        refused = pycdf_run(*command, "--escape-formulas")
        assert refused.exit_code == 2
        assert "--escape-formulas is for CSV and TSV: leave it out for Parquet." in refused.stderr
    assert not list(tmp_path.glob("x.*"))
