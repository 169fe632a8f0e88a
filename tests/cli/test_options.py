"""Options of commands: defaults are those of the functions, and --help shows them."""

import inspect
import re

import click
import pytest
from darwin_files import write_darwin
from programs import pycdf_ok, pycdf_run

from pycdf import CDF
from pycdf.classifier import CDFClassifier
from pycdf.cli.main import main
from pycdf.cli.plot import KINDS
from pycdf.forest.model import Model


def options_of(command):
    return {one.name: one for one in main.commands[command].params if isinstance(one, click.Option)}


@pytest.mark.parametrize("command", ["train", "run", "cv"])
def test_a_forest_has_the_defaults_of_the_function(command):
    wanted = {
        name: one.default
        for function in (CDF, CDFClassifier)
        for name, one in inspect.signature(function).parameters.items()
    }
    options = {name: one for name, one in options_of(command).items() if not one.is_flag}
    found = {name: one.default for name, one in options.items() if name in wanted}
    compared = {"ntrees", "depth", "mnode", "k", "mtry", "seed", "collation", "streams"}
    if command == "train":
        compared |= {"distance", "feature_score", "redundancy", "vote"}
    assert {*found} == compared
    unset = {name for name in found if not isinstance(found[name], (str, int, float))}
    assert unset <= {"k", "mtry", "seed"}
    assert {name: found[name] for name in compared - unset} == {
        name: wanted[name] for name in compared - unset
    }
    assert options_of(command)["jobs"].default == 1


def test_help_shows_what_holds_by_default():
    compared = 0
    for name in main.commands:
        context = click.Context(main.commands[name])
        for one in options_of(name).values():
            value = one.default
            if not isinstance(value, (str, int, float)) or value in ("", "-", False):
                continue
            shown = "stratify" if value is True else value
            assert f"[default: {shown}" in one.get_help_record(context)[1], (name, one.name)
            compared += 1
    assert compared >= 30


@pytest.mark.parametrize("redundancy", [-0.1, 1.1])
def test_a_share_is_between_0_and_1(redundancy):
    refused = pycdf_run("train", "t.csv", "-y", "Y", "-o", "m", "--redundancy", redundancy)
    assert refused.exit_code == 2
    assert "is not in the range 0.0<=x<=1.0" in refused.stderr.replace("0<=x<=1", "0.0<=x<=1.0")


def test_slow_pictures_are_marked():
    text = pycdf_ok("plot", "--help").stdout
    marked = {name for name in KINDS if re.search(rf"(?m)^ +{name} .*\*", text)}
    assert marked == {"chance", "stability", "parameters"}


def test_every_command_is_there():
    words = "compare completion cv demo describe importance plot predict report run train tune"
    assert sorted(main.commands) == [*words.split(), "warmup"]


def test_cores_are_those_that_were_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_darwin(tmp_path, 40)
    table = ("train.csv", "-y", "Y", "--id", "patient", "--ntrees", 4, "--seed", 1)
    pycdf_ok("train", *table, "--redundancy", "0.5", "-o", "m.cdf")
    told, votes = [], Model.votes

    def watched(model, rows, n_jobs=None, **more):
        told.append(n_jobs)
        return votes(model, rows, n_jobs, **more)

    monkeypatch.setattr(Model, "votes", watched)
    pycdf_ok("predict", "m.cdf", "test.csv", "--id", "patient", "--jobs", 2, "-o", "p.csv")
    pycdf_ok("predict", "m.cdf", "test.csv", "--id", "patient", "-o", "p.csv")
    assert told == [2, 1]
