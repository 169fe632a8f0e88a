"""The progress bar: when it appears, what it says, and that it goes."""

import io
import sys

import pytest

from pycdf.support import progress
from pycdf.support.progress import ProgressBar, bar_line, duration


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_shows_trees_done_and_time_left():
    times = iter([60.0, 60.1, 62.0, 64.0])  # the first tree had to wait for the kernels
    terminal = Terminal()
    with ProgressBar(terminal, clock=lambda: next(times)) as bar:
        bar(100, 500)  # most of them from an earlier fit
        bar(110, 500)
        assert terminal.getvalue() == ""
        bar(200, 500)
        assert terminal.getvalue() == "\r[#########...............] 200 of 500 trees, 6 s left"
        bar(500, 500)
    shown = terminal.getvalue()
    assert "[########################] 500 of 500 trees, 0 s left" in shown
    assert shown.endswith("\r")
    assert shown.split("\r")[-2].strip() == ""


def test_no_bar_in_a_pipe():
    times = iter([0.0, 5.0])
    pipe = io.StringIO()
    with ProgressBar(pipe, clock=lambda: next(times)) as bar:
        bar(1, 500)
        bar(100, 500)
    assert pipe.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59.4, "59 s"), (185, "3 min 05 s"), (7800, "2 h 10 min")]
)
def test_durations(seconds, text):
    assert duration(seconds) == text
    assert bar_line(1, 2, seconds).endswith(f"1 of 2 trees, {text} left")


def test_a_bar_appears_after_half_a_second_and_is_wiped_out():
    times = iter([10.0, 10.4999, 10.5, 11.0])
    terminal = Terminal()
    with ProgressBar(terminal, clock=lambda: next(times), unit="fits") as bar:
        bar(0, 1_000)
        bar(1, 1_000)
        assert terminal.getvalue() == ""
        bar(10, 1_000)
        first = "[........................] 10 of 1,000 fits, 50 s left"
        assert terminal.getvalue() == f"\r{first}"
        bar(1_000, 1_000)
    last = "[########################] 1,000 of 1,000 fits, 0 s left"
    blanks = " " * len(last)
    assert terminal.getvalue() == f"\r{first}\r{last.ljust(len(first))}\r{blanks}\r"


def test_a_shorter_line_covers_a_longer_one():
    times = iter([0.0, 600.0, 601.0])
    terminal = Terminal()
    with ProgressBar(terminal, clock=lambda: next(times)) as bar:
        bar(0, 9)
        bar(1, 9)
        bar(9, 9)
    _, first, second, _, _ = terminal.getvalue().split("\r")
    assert first.endswith("1 of 9 trees, 1 h 20 min left")
    assert second.rstrip().endswith("9 of 9 trees, 0 s left")
    assert len(second) == len(first)


def test_a_bar_that_never_appeared_writes_nothing():
    terminal = Terminal()
    with ProgressBar(terminal) as bar:
        bar(1, 2)
    assert terminal.getvalue() == ""


def test_the_bar_is_on_stderr_if_there_is_one(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    bar = ProgressBar(clock=iter([0.0, 1.0]).__next__)
    bar(0, 2)
    bar(1, 2)
    assert terminal.getvalue() == "\r[############............] 1 of 2 trees, 1 s left"
    monkeypatch.setattr(sys, "stderr", None)
    with ProgressBar(clock=iter([0.0, 1.0]).__next__) as bar:  # as in pythonw
        bar(0, 2)
        bar(1, 2)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-3, "0 s"), (59.6, "1 min 00 s"), (60, "1 min 00 s"), (3599, "59 min 59 s"),
     (3600, "1 h 00 min"), (3661, "1 h 01 min")],
)  # fmt: skip
def test_durations_at_the_edges(seconds, text):
    assert progress.duration(seconds) == text
