"""The progress bar: where and when it appears, what it says, and that it goes.

tests/project/test_notebook.py has the bar in a notebook.
"""

import io
import os
import re
import select
import struct
import sys
import threading
import time
import types
import warnings

import pytest

from pycdf.support.progress import ProgressBar, duration


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def put_on(monkeypatch):
    """Call it in the test itself: pytest has its own stderr from the setup to the call."""

    def put(stderr):
        monkeypatch.setattr(sys, "stderr", stderr)
        return stderr

    return put


def test_the_bar_shows_what_is_done_and_the_time_left(put_on):
    terminal = put_on(Terminal())
    times = iter([60.0, 60.1, 62.0, 64.0])  # the first tree had to wait for the kernels
    with ProgressBar(clock=lambda: next(times)) as bar:
        bar(100, 500)  # from an earlier fit
        bar(110, 500)
        assert terminal.getvalue() == ""
        bar(200, 500)
        last = terminal.getvalue().split("\r")[-1]
        # 100 trees in two seconds: 300 more take six
        assert re.fullmatch(r" 40%\|.+\| 200/500 \[00:02<00:0[56], (4|5)\d\.\d+ trees/s\]", last)
        bar(500, 500)
    shown = terminal.getvalue()
    assert shown.endswith("\r")
    assert shown.split("\r")[-2].strip() == ""  # the line is wiped out


def test_the_bar_says_what_is_at_work_at_once_if_it_need_not_wait(put_on):
    terminal = put_on(Terminal())
    with ProgressBar(unit="fits", clock=lambda: 10.0, delay=0.0) as bar:
        bar(0, 20, "colon, RRF")
        assert terminal.getvalue().split("\r")[-1].startswith("colon, RRF:   0%|")
        bar(1, 20, "colon, SVM")
        assert terminal.getvalue().split("\r")[-1].startswith("colon, SVM:   5%|")


def test_the_bar_appears_after_half_a_second(put_on):
    terminal = put_on(Terminal())
    times = iter([10.0, 10.4999, 10.5])
    with ProgressBar(unit="fits", clock=lambda: next(times)) as bar:
        bar(0, 1_000)
        bar(1, 1_000)
        assert terminal.getvalue() == ""
        bar(10, 1_000)
        assert " 10/1000 [00:00<" in terminal.getvalue()
        assert "fits/s]" in terminal.getvalue()


def test_every_step_is_drawn_if_they_are_slow(put_on):
    terminal = put_on(Terminal())
    with ProgressBar(delay=0.0) as bar:
        for done in range(4):
            bar(done, 9)
            time.sleep(0.11)  # tqdm draws ten times a second at most
    assert re.findall(r"\| (\d)/9 ", terminal.getvalue()) == ["0", "1", "2", "3"]


def test_a_short_fit_shows_nothing_and_loads_nothing(put_on, monkeypatch):
    terminal = put_on(Terminal())
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with ProgressBar() as bar:
        bar(1, 2)
        bar(2, 2)
    assert terminal.getvalue() == ""


def test_a_bar_leaves_warnings_and_locks_of_others_alone(put_on, monkeypatch):
    import tqdm.auto
    import tqdm.std

    class Auto(types.ModuleType):
        """As in a notebook without ipywidgets."""

        @property
        def tqdm(self):
            warnings.warn("IProgress not found", UserWarning, stacklevel=2)
            return tqdm.std.tqdm

    locks = []
    monkeypatch.setitem(sys.modules, "tqdm.auto", Auto("tqdm.auto"))
    monkeypatch.delattr(tqdm.std.tqdm, "_lock", raising=False)
    monkeypatch.setattr(tqdm.std, "TqdmDefaultWriteLock", lambda: locks.append(1))
    terminal = put_on(Terminal())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        with ProgressBar(delay=0.0) as bar:
            bar(1, 2)
        assert list(warnings.filters) == before
    assert "1/2" in terminal.getvalue()
    assert locks == []  # tqdm's own one starts a process


def test_the_bar_stays_in_a_notebook(put_on, monkeypatch):
    """On stdout, since text on stderr looks like an error there."""
    import tqdm.auto  # noqa: F401

    shell = types.SimpleNamespace(kernel=None)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    stderr, stdout = put_on(io.StringIO()), io.StringIO()
    monkeypatch.setattr(sys, "stdout", stdout)
    slow_work(ProgressBar())
    assert stderr.getvalue() == ""
    assert stdout.getvalue().split("\r")[-1].startswith("100%|")
    assert "5/5" in stdout.getvalue().split("\r")[-1]
    del shell.kernel  # IPython in a pipe
    written = stdout.getvalue()
    slow_work(ProgressBar())
    assert (stdout.getvalue(), stderr.getvalue()) == (written, "")


def slow_work(bar, pause=0.0):
    times = iter(range(5))
    bar._clock = lambda: next(times)
    with bar:
        for done in range(1, 6):
            bar(done, 5)
            time.sleep(pause)


def test_no_bar_unless_it_is_wanted_on_a_terminal(put_on):
    terminal = put_on(Terminal())
    slow_work(ProgressBar(False))
    assert terminal.getvalue() == ""
    pipe = put_on(io.StringIO())
    slow_work(ProgressBar())
    assert pipe.getvalue() == ""
    put_on(None)  # as in pythonw
    slow_work(ProgressBar())


def resize(terminal, width):
    import fcntl
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))


def read_all(terminal):
    written = b""
    while select.select([terminal], [], [], 0)[0]:
        try:
            written += os.read(terminal, 65536)
        except OSError:  # Linux says so at the end
            break
    return written.decode()


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("width", [40, 120])
def test_the_bar_fits_into_a_real_terminal(put_on, width):
    main, side = os.openpty()
    resize(side, width)
    threads = threading.active_count()
    with open(side, "w") as stderr:
        put_on(stderr)
        slow_work(ProgressBar(), pause=0.11)  # it is redrawn ten times a second
    written = read_all(main)
    os.close(main)
    lines = written.split("\r")
    assert max(map(len, lines)) < width
    assert "\n" not in written
    assert any(line.startswith("100%|") for line in lines)
    assert lines[-2].strip() == ""
    assert threading.active_count() == threads  # tqdm starts no thread of its own


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_the_bar_follows_a_terminal_that_is_made_narrower(put_on):
    main, side = os.openpty()
    with open(side, "w") as stderr:
        put_on(stderr)
        resize(side, 120)
        with ProgressBar(delay=0.0) as bar:
            bar(1, 3)
            assert 60 < max(map(len, read_all(main).split("\r"))) < 120
            resize(side, 50)
            time.sleep(0.11)
            bar(2, 3)
            assert len(read_all(main).split("\r")[-1].rstrip()) < 50
    os.close(main)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-3, "0 s"), (0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (60, "1 min 00 s"),
     (185, "3 min 05 s"), (3599, "59 min 59 s"), (3600, "1 h 00 min"), (3661, "1 h 01 min"),
     (7800, "2 h 10 min")],
)  # fmt: skip
def test_durations(seconds, text):
    assert duration(seconds) == text
