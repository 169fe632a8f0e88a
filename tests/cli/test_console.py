"""What commands print where: notes once on stderr, tables for people on a terminal."""

import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pycdf.cli import console, output, picture_output, run_plots
from pycdf.cli.run_plots import PlotInputs


class Told(UserWarning):
    """A warning with a note, as those of the inputs."""

    def __init__(self, text, note=None):
        super().__init__(text)
        if note is not None:
            self.note = note


def warn_all():
    for warning in (
        Told("one", "first"),
        Told("one", "first"),
        Told("two", "silent"),
        Told("bare"),
    ):
        warnings.warn(warning, stacklevel=2)


def test_warnings_are_notes_and_each_is_printed_once(capsys):
    filters = list(warnings.filters)
    shown = warnings.showwarning
    with console.kept_notes() as kept, console.warnings_as_notes():
        warn_all()
    assert kept == ["one", "two", "bare"]
    assert capsys.readouterr() == ("", "".join(f"pycdf: note: {one}\n" for one in kept))
    assert (list(warnings.filters), warnings.showwarning) == (filters, shown)
    console.say_note("later")
    assert kept == ["one", "two", "bare"]


def test_notes_are_translated_or_left_out(capsys):
    with console.warnings_as_notes(lambda note: None if note == "silent" else f"<{note}>"):
        warn_all()
    assert capsys.readouterr().err == "pycdf: note: <first>\npycdf: note: bare\n"


def test_other_warnings_take_their_usual_way(capsys):
    seen = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, category, *_, **__: seen.append(category)
        with console.warnings_as_notes():
            warnings.warn("old", DeprecationWarning, stacklevel=2)
            warnings.warn("new", UserWarning, stacklevel=2)
    assert seen == [DeprecationWarning]
    assert capsys.readouterr().err == "pycdf: note: new\n"


def test_control_characters_are_visible(capsys):
    console.say("a\x1b[31mb")
    assert "\x1b" not in capsys.readouterr().err


@pytest.fixture
def terminal(monkeypatch):
    """Whether stdout is a terminal: call it with the answer."""

    def be(answer):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: answer, raising=False)

    return be


TABLE = pd.DataFrame({"n\x1bame": ["=a\x1b", None], "x": [1.5, 2.0]})


def test_a_terminal_gets_an_aligned_table(terminal, capsys, tmp_path):
    terminal(True)
    output.show_table(TABLE, "-")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "\x1b" not in "".join(lines)
    assert lines[0].split()[1] == "x"
    assert lines[1].split()[-1] == "1.5"
    assert "," not in lines[1]
    output.write_table(TABLE, "-")
    text = capsys.readouterr().out
    assert "\x1b" not in text
    assert text.splitlines()[1].endswith(",1.5")
    output.show_table(TABLE, str(tmp_path / "t.csv"))
    assert (tmp_path / "t.csv").read_text().startswith("n\x1bame,x\n=a\x1b,1.5\n")
    assert capsys.readouterr().out == ""


def test_a_pipe_gets_the_true_text(terminal, capsys):
    terminal(False)
    for write in (output.show_table, output.write_table):
        write(TABLE, "-")
        assert capsys.readouterr().out == "n\x1bame,x\n=a\x1b,1.5\n,2.0\n"
        write(TABLE, "-", True)
        assert capsys.readouterr().out.splitlines()[1].startswith("'=a")


@pytest.mark.parametrize(
    ("name", "escape", "refused"),
    [("a.parquet", True, True), ("a.PQ", True, True), ("a.csv", True, False),
     ("a.parquet", False, False)],
)  # fmt: skip
def test_parquet_has_no_formulas(name, escape, refused):
    if refused:
        with pytest.raises(Exception, match="is for CSV and TSV: leave it out for Parquet"):
            output.check_escaping(name, escape)
    else:
        output.check_escaping(name, escape)


# ---- what pictures are drawn from ----------------------------------------------------------------


def inputs(features=(), **options):
    model = SimpleNamespace(forest=SimpleNamespace(features=np.array(features)))
    return PlotInputs(model, None, None, options)


@pytest.mark.parametrize(
    ("used", "options", "compared"),
    [(1, {}, 1), (2, {}, 1), (3, {}, 2), (21, {}, 20), (22, {}, 20), (30, {}, 20),
     (30, {"top": 5}, 5), (4, {"top": 5}, 3), (30, {"top": 1}, 1)],
)  # fmt: skip
def test_how_many_features_seeds_are_compared_by(used, options, compared):
    assert run_plots._features_to_compare(inputs([*range(used)] * 2, **options)) == compared


def test_only_options_that_were_given_are_arguments():
    given = inputs(top=3, seed=1)
    assert given.chosen(max_features="top", tree="tree", seed="seed") == {
        "max_features": 3,
        "seed": 1,
    }


def test_pictures_never_open_a_window(monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    used = []
    monkeypatch.setattr(matplotlib, "use", used.append)
    assert picture_output.picture_format("a/b.SVG") == "svg"
    assert used == ["Agg"]
    with pytest.raises(Exception, match=r"b\.txt: the name must end with a picture format"):
        picture_output.picture_format("b.txt")


@pytest.mark.parametrize(("together", "told"), [(True, False), (False, True)])
def test_few_trees_are_told(together, told, monkeypatch, capsys):
    monkeypatch.setattr(run_plots, "left_out_together", lambda _: together)
    rows = SimpleNamespace(X="X", y="y")
    given = PlotInputs(inputs().model, rows, None, {})
    wanted = {"X": "X", "y": "y", "out_of_bag": not told}
    assert run_plots._evaluated_on_map(given) == wanted
    assert ("too few trees" in capsys.readouterr().err) == told
    other = PlotInputs(inputs().model, None, rows, {})
    assert run_plots._evaluated_on_map(other) == wanted | {"out_of_bag": False}
    assert capsys.readouterr().err == ""
