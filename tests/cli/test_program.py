"""How a command ends: its exit code, and what is on stderr."""

import errno
import os
import sys
from contextlib import contextmanager

import click
import pytest
from click.testing import CliRunner
from programs import python_ok

from pycdf.cli.option_names import as_option
from pycdf.cli.program import Program
from pycdf.support.options import UNSAID, option


@contextmanager
def kept_stdout():
    """Put the file behind stdout back in the end."""
    kept = os.dup(1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def end_of(problem=None, answer=None):
    """The result of a program whose only command raises a problem or returns an answer."""

    @click.command()
    def one():
        if problem is not None:
            raise problem
        return answer() if callable(answer) else answer

    with kept_stdout():
        result = CliRunner().invoke(Program(name="pycdf", commands={"one": one}), ["one"])
        to_nowhere = os.fstat(1).st_rdev == os.stat(os.devnull).st_rdev
        problems = os.fstat(2).st_rdev == os.stat(os.devnull).st_rdev
    assert not problems
    return result.exit_code, result.stdout, result.stderr, to_nowhere


@pytest.mark.parametrize(
    ("problem", "code", "told"),
    [
        (click.UsageError("no"), 2, "pycdf one: no\nTry 'pycdf one --help'.\n"),
        (click.ClickException("no"), 1, "pycdf: no\n"),
        (click.Abort(), 130, "\n"),
        (KeyboardInterrupt(), 130, "\n\n"),  # one of them is click's
        (ValueError("no"), 1, "pycdf: no\n"),
        (TypeError("no"), 1, "pycdf: no\n"),
        (OSError("no"), 1, "pycdf: no\n"),
        (OSError(errno.EACCES, "no"), 1, "pycdf: no\n"),
        (OSError(errno.EACCES, "no", "here"), 1, "pycdf: here: no\n"),
        (OSError(errno.ENOSPC, "full", "here"), 1, "pycdf: here: full\n"),
    ],
)
def test_a_problem_is_a_line_and_an_exit_code(problem, code, told):
    assert end_of(problem) == (code, "", told, False)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG, errno.EDQUOT])
def test_a_full_disk_without_a_name_is_behind_stdout(number):
    assert end_of(OSError(number, "full")) == (1, "", "pycdf: stdout: full\n", True)


@pytest.mark.parametrize(("answer", "code"), [(None, 0), (0, 0), (1, 1), ("text", 0)])
def test_a_number_that_a_command_returns_is_the_exit_code(answer, code):
    assert end_of(answer=answer) == (code, "", "", False)


class Unwritable:
    """A stream that has a problem with its last lines, once."""

    def __init__(self, stream, problem):
        self.stream, self.problems = stream, [problem]

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def flush(self):
        if self.problems:
            raise self.problems.pop()


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (OSError(errno.ENOSPC, "full"), "pycdf: stdout: full\n"),
        (BrokenPipeError(errno.EPIPE, "broken"), ""),  # the reader has gone: nobody to speak to
    ],
)
def test_a_problem_with_the_last_lines_counts(problem, told, monkeypatch):
    def replace_stdout():
        monkeypatch.setattr(sys, "stdout", Unwritable(sys.stdout, problem))

    assert end_of(answer=replace_stdout) == (1, "", told, True)


def test_the_report_gets_the_words_as_typed(monkeypatch, capsys):
    @click.command(context_settings={"ignore_unknown_options": True})
    @click.argument("words", nargs=-1)
    @click.pass_context
    def one(context, words):
        click.echo(context.find_root().obj)

    program = Program(name="pycdf", commands={"one": one})
    for arguments in (None, ["one", "-y", "a b"]):
        monkeypatch.setattr("sys.argv", ["pycdf", "one", "-y", "a b"])
        with pytest.raises(SystemExit):
            program.main(arguments)
        assert capsys.readouterr().out == "['one', '-y', 'a b']\n"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("out_of_bag", True, "--data"),
        ("out_of_bag", False, "--test"),
        ("label", "a b", "-y 'a b'"),
        ("n_jobs", 2, "--jobs 2"),
        ("many_classes", True, "--many-classes"),
        ("many_classes", False, "no --many-classes"),
        ("decimal", None, "no --decimal"),
        ("drop", UNSAID, "--drop"),
        ("sep", "\t", r"--sep '\t'"),
    ],
)
def test_messages_of_functions_name_options_of_commands(name, value, shown):
    assert as_option(name, value) == shown

    @click.command()
    def one():
        click.echo(option(name, value))

    result = CliRunner().invoke(Program(name="pycdf", commands={"one": one}), ["one"])
    assert result.stdout == f"{shown}\n"


def test_imports_of_a_command_are_no_work_for_the_garbage_collector():
    code = """
import gc
from pycdf.cli.program import work_of
pauses = []
gc.callbacks.append(lambda phase, about: pauses.append(phase))
work_of("forest")
during, gc.callbacks[:] = list(pauses), []
frozen = gc.get_freeze_count()
gc.unfreeze()
work_of("forest")  # nothing to import
print(during, frozen > 100_000, gc.get_freeze_count(), gc.isenabled())
try:
    work_of("nothing")
except ImportError:
    print(gc.isenabled())
"""
    assert python_ok("-c", code) == "[] True 0 True\nTrue\n"
