"""`pycdf plot`, as a user meets it: a model file in, a picture out."""

import re
import sys
from pathlib import Path

import pandas as pd
import pytest
from darwin_files import FEATURES, write_darwin
from programs import pycdf_ok, pycdf_run

from pycdf import CDFClassifier, load, plots
from pycdf.cli.plot import KINDS
from pycdf.files.tables.reading import read_data

pytest.importorskip("matplotlib")

from matplotlib import pyplot

from pycdf.cli.option_names import as_option
from pycdf.plots.files import picture_bytes
from pycdf.support.options import spelled_by

ROWS = ("--data", "train.csv", "-y", "Y", "--id", "patient")
OTHERS = ("--test", "test.csv", "-y", "Y", "--id", "patient")
QUICK = {"chance": ("--repeats", 2), "stability": ("--repeats", 2), "parameters": ("--repeats", 1)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """train.csv and test.csv of DARWIN's first 20 columns, and a model of the first."""
    folder = tmp_path_factory.mktemp("plots")
    train = write_darwin(folder, 60)[:60]
    CDFClassifier(ntrees=100, seed=1).fit(train[FEATURES], train["Y"]).save(folder / "m.cdf")
    return folder


@pytest.fixture(autouse=True)
def _there(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYCDF_QUIET", "1")  # a kernel may have to be compiled first
    pyplot.close("all")  # figures that other tests have left


def read(name):
    frame = read_data(name)
    return frame[FEATURES], frame["Y"]


# ---- pictures ------------------------------------------------------------------------------------


@pytest.mark.endurance
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_a_picture_and_leaves_no_figure(kind):
    rows = ROWS if KINDS[kind].rows and KINDS[kind].needed else ()
    result = pycdf_ok("plot", kind, "m.cdf", "-o", f"{kind}.svg", *rows, *QUICK.get(kind, ()))
    assert result.stdout == ""
    first, *others = result.stderr.splitlines()
    assert first == f"pycdf: {kind}.svg: {KINDS[kind].shows}"
    # The model has twenty columns: its nodes select whatever they draw.
    chance = "pycdf: note: How often a feature was selected is pure chance here: "
    told = [chance] if kind in ("importance", "coselection", "chance", "stability") else []
    assert [line[: len(chance)] for line in others] == told
    assert Path(f"{kind}.svg").read_bytes().startswith(b"<?xml")
    assert pyplot.get_fignums() == []


@pytest.mark.endurance
@pytest.mark.parametrize(
    ("kind", "draw"),
    [
        ("tree", lambda m, X, y: plots.plot_tree(m, X=X, y=y)),
        ("importance", lambda m, *_: plots.plot_importance(m)),
        ("centroids", lambda m, X, y: plots.plot_centroids(m, X=X, y=y)),
        ("confusion", lambda m, X, y: plots.plot_confusion(m, X, y, out_of_bag=True)),
        ("proximity", lambda m, X, y: plots.plot_proximity(m, X, y, out_of_bag=True)),
        ("permutation", lambda m, X, y: plots.plot_permutation(m, X, y, seed=1)),
        ("trees", lambda m, X, y: plots.plot_tree_curve(m, X, y)),
    ],
)
def test_the_picture_is_that_of_the_function(kind, draw):
    wanted = picture_bytes(draw(load("m.cdf"), *read("train.csv")), "svg")
    rows = ROWS if KINDS[kind].rows else ()
    pycdf_ok("plot", kind, "m.cdf", "-o", "one.svg", *rows)
    assert Path("one.svg").read_bytes() == wanted


def test_other_rows_are_judged_by_all_trees():
    pycdf_ok("plot", "confusion", "m.cdf", "-o", "test.svg", *OTHERS)
    wanted = picture_bytes(plots.plot_confusion(load("m.cdf"), *read("test.csv")), "svg")
    assert Path("test.svg").read_bytes() == wanted
    pycdf_ok("plot", "trees", "m.cdf", "-o", "both.svg", *ROWS, *OTHERS[:2])
    axes = plots.plot_tree_curve(load("m.cdf"), *read("train.csv"), *read("test.csv"))
    assert Path("both.svg").read_bytes() == picture_bytes(axes, "svg")


@pytest.mark.endurance
def test_options_reach_the_picture():
    model = load("m.cdf")
    pycdf_ok("plot", "importance", "m.cdf", "-o", "top.svg", "--top", 3)
    assert Path("top.svg").read_bytes() == picture_bytes(plots.plot_importance(model, 3), "svg")
    pycdf_ok("plot", "tree", "m.cdf", "-o", "tree7.svg", "--tree", 7, "--top", 2)
    wanted = picture_bytes(plots.plot_tree(model, 7, max_features=2), "svg")
    assert Path("tree7.svg").read_bytes() == wanted
    pycdf_ok("plot", "tree", "m.cdf", "-o", "root.svg", "--max-depth", 1)
    with spelled_by(as_option):
        ax = plots.plot_tree(model, max_depth=1)
    hint = "Nodes below depth 1 are folded; --max-depth 2 shows more."
    assert hint in [text.get_text() for text in ax.texts]
    assert Path("root.svg").read_bytes() == picture_bytes(ax, "svg")
    for seed in (1, 2):
        pycdf_ok("plot", "permutation", "m.cdf", "-o", f"s{seed}.svg", *ROWS, "--seed", seed)
    assert Path("s1.svg").read_bytes() != Path("s2.svg").read_bytes()


@pytest.mark.parametrize(
    ("form", "begin"), [("png", b"\x89PNG"), ("PDF", b"%PDF"), ("svg", b"<?xml")]
)
def test_the_name_tells_the_format(form, begin):
    pycdf_ok("plot", "importance", "m.cdf", "-o", f"p.{form}")
    assert Path(f"p.{form}").read_bytes().startswith(begin)


def test_dots_per_inch():
    sizes = []
    for dpi in (50, 100):
        pycdf_ok("plot", "importance", "m.cdf", "-o", "p.png", "--dpi", dpi)
        sizes.append(pyplot.imread("p.png").shape[0])
    assert sizes[1] == pytest.approx(2 * sizes[0], abs=1)


def test_rows_without_a_label_are_left_out_and_stdin_is_read():
    frame = read_data("train.csv")
    extra = pd.concat([frame.iloc[:7], frame.iloc[:1].assign(Y=None), frame.iloc[7:]])
    text = extra.to_csv(index=False)
    pycdf_ok("plot", "confusion", "m.cdf", "-o", "a.svg", "--data", "-", *ROWS[2:], stdin=text)
    pycdf_ok("plot", "confusion", "m.cdf", "-o", "b.svg", *ROWS)
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()


def test_few_trees_draw_the_map_all_the_same():
    X, y = read("train.csv")
    CDFClassifier(ntrees=3, seed=1).fit(X, y).save("few.cdf")
    result = pycdf_ok("plot", "proximity", "few.cdf", "-o", "few.svg", *ROWS)
    assert "note: too few trees for out-of-bag proximities" in result.stderr


def test_forests_are_grown_from_all_that_a_model_has():
    """A text column that CDF() leaves out must not stop a kind that grows forests."""
    frame = read_data("train.csv").assign(same=1, colour="red")
    frame.to_csv("dirty.csv", index=False)
    arguments = ("dirty.csv", "-y", "Y", "--id", "patient")
    pycdf_ok("train", *arguments, "-o", "dirty.cdf", "--ntrees", 30, "--seed", 1)
    result = pycdf_ok("plot", "stability", "dirty.cdf", "-o", "s.svg", "--data", *arguments)
    assert "Warning" not in result.stderr


@pytest.mark.parametrize("kind", ["importance", "tree", "centroids"])
def test_what_the_font_lacks_is_told_in_a_line(kind):
    X, y = read("train.csv")
    odd = X.rename(columns={name: f"\U000f1234 {name}" for name in X.columns})
    CDFClassifier(ntrees=60, k=2, mtry=15, seed=1).fit(odd, y).save("odd.cdf")
    told = pycdf_ok("plot", kind, "odd.cdf", "-o", "odd.svg").stderr.splitlines()
    assert len(told) == 2
    assert told[0].startswith("pycdf: note: the font lacks 1 character")


# ---- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("plot", "picture", "m.cdf", "-o", "no.svg"), 2, "'picture' is not one of 'tree'"),
        (("plot", "tree", "m.cdf"), 2, "Missing option '-o'"),
        (("plot", "tree", "m.cdf", "-o", "a.doc"), 2, "such as .svg, .png or .pdf"),
        (("plot", "tree", "m.cdf", "-o", "a.pgf"), 2, "such as .svg, .png or .pdf"),
        (("plot", "trees", "m.cdf", "-o", "no.svg", "--max-depth", 1, *ROWS), 2,
         "trees does not use --max-depth"),
        (("plot", "tree", "m.cdf", "-o", "a"), 2, "such as .svg, .png or .pdf"),
        (("plot", "tree", "m.cdf", "-o", "no/a.svg"), 1, "no: there is no such folder"),
        (("plot", "tree", "none.cdf", "-o", "no.svg"), 1, "none.cdf: No such file"),
        (("plot", "tree", "m.cdf", "-o", "no.svg", "--tree", 100), 1, "--tree 100: pass a whole"),
        (("plot", "tree", "m.cdf", "-o", "no.svg", "--seed", 1), 2, "tree does not use --seed"),
        (("plot", "tree", "m.cdf", "-o", "no.svg", *OTHERS), 2, "tree does not use --test"),
        (("plot", "chance", "m.cdf", "-o", "no.svg", *OTHERS), 2, "chance does not use --test"),
        (("plot", "chance", "m.cdf", "-o", "no.svg"), 2, "chance needs rows besides the model: "
         "add -y LABEL and --data train.csv, the training rows."),
        (("plot", "confusion", "m.cdf", "-o", "no.svg"), 2, "or --test test.csv, other rows."),
        (("plot", "confusion", "m.cdf", "-o", "no.svg", *ROWS, *OTHERS[:2]), 2,
         "--data or --test, not both: pass one"),
        (("plot", "proximity", "m.cdf", "-o", "no.svg", *ROWS[:2]), 2, "--data needs -y"),
        (("plot", "tree", "m.cdf", "-o", "no.svg", "-y", "Y"), 2, "need rows to read"),
        (("plot", "trees", "m.cdf", "-o", "no.svg", "--data", "-", "--test", "-", "-y", "Y"), 2,
         "cannot both be stdin"),
        (("plot", "confusion", "m.cdf", "-o", "no.svg", "--data", "test.csv", *ROWS[2:]), 2,
         "test.csv has 114 labelled rows, but the model was trained on 60: --data must be the "
         "training rows (other rows go to --test)."),
        (("plot", "confusion", "m.cdf", "-o", "no.svg", *ROWS[:2], "-y", "y"), 2,
         "no column 'y': did you mean 'Y'?"),
    ],
)  # fmt: skip
def test_errors_are_a_line_and_an_exit_code(arguments, code, message):
    result = pycdf_run(*arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) <= 2
    assert not Path("no.svg").exists()


def test_rows_in_another_order_are_noticed():
    frame = read_data("train.csv")
    frame[::-1].to_csv("turned.csv", index=False)
    result = pycdf_run(
        "plot", "confusion", "m.cdf", "-o", "no.svg", "--data", "turned.csv", *ROWS[2:]
    )
    assert result.exit_code == 1
    assert "in their original order" in result.stderr


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not there
    result = pycdf_run("plot", "tree", "m.cdf", "-o", "no.svg")
    assert result.exit_code == 1
    assert "pip install matplotlib." in result.stderr


def test_a_tree_on_all_rows_has_none_to_be_judged_by():
    X, y = read("train.csv")
    CDFClassifier(ntrees=1, bootstrap=False, seed=1).fit(X, y).save("one.cdf")
    result = pycdf_run("plot", "confusion", "one.cdf", "-o", "no.svg", *ROWS)
    assert result.exit_code == 1
    assert "no tree left out any training row" in result.stderr
    pycdf_ok("plot", "stability", "one.cdf", "-o", "one.svg", *ROWS, "--repeats", 2, "--top", 2)
    pycdf_ok("plot", "confusion", "one.cdf", "-o", "one.svg", *OTHERS)


# ---- help ----------------------------------------------------------------------------------------


def test_help_has_an_example():
    text = pycdf_ok("plot", "--help").stdout
    assert "Example" in text
    assert "pycdf plot" in text


def test_help_lists_the_kinds_and_their_needs():
    lines = pycdf_ok("plot", "--help").stdout.splitlines()
    for name, kind in KINDS.items():
        (line,) = [line for line in lines if re.match(rf"    {name} ", line)]
        assert kind.shows in line
        assert ("--data" in line) == ("data" in kind.rows)
        assert ("--test" in line) == ("test" in kind.rows)
        assert ("[--data]" in line) == bool(kind.rows and not kind.needed)
    assert max(map(len, lines)) <= 80
