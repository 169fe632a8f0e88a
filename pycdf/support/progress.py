"""A progress bar for long work: trees or fits done, time left.

In go counts, such as the trees that :func:`pycdf.forest.arrays.grow_forest` reports; out goes one line on
stderr, written over again, and only if stderr is a terminal: pipes, logs and notebooks stay silent.
"""

import sys
import time
from collections.abc import Callable
from typing import TextIO

Report = Callable[[int, int], None]
"""What a long fit calls with the trees done and the trees in all."""

_WIDTH = 24
_BEFORE_FIRST = 0.5  # seconds: a short fit shows nothing


class ProgressBar:
    """Call it with what is done and what is in all; leave its ``with`` block to clear the line.

    ``unit`` says what is counted. Speed is counted from the first call on: what comes before it is
    not growing trees, but loading the kernels, the first tree, and trees of an earlier fit.
    """

    def __init__(
        self,
        file: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        unit: str = "trees",
    ) -> None:
        self._unit = unit
        self._file = sys.stderr if file is None else file
        self._shown = self._file is not None and self._file.isatty()  # pythonw has no stderr
        self._clock = clock
        self._first: tuple[float, int] | None = None
        self._length = 0

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._length:
            self._write("")
            self._file.write("\r")
            self._file.flush()

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done."""
        now = self._clock()
        if self._first is None:
            self._first = (now, done)
        began, before = self._first
        if self._shown and now - began >= _BEFORE_FIRST:
            left = (now - began) / max(done - before, 1) * (total - done)
            self._write(bar_line(done, total, left, self._unit))

    def _write(self, line: str) -> None:
        self._file.write("\r" + line.ljust(self._length))
        self._file.flush()
        self._length = len(line)


def bar_line(done: int, total: int, left: float, unit: str = "trees") -> str:
    """The bar as text; ``left`` in seconds."""
    filled = _WIDTH * done // total
    bar = "#" * filled + "." * (_WIDTH - filled)
    return f"[{bar}] {done:,} of {total:,} {unit}, {duration(left)} left"


def duration(seconds: float) -> str:
    """``8 s``, ``3 min 05 s``, ``2 h 10 min``."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"
