"""A progress bar for long work: how many trees or fits are done, and the time left.

It is a single line on stderr, redrawn in place, and shown only if stderr is a terminal: pipes, logs
and notebooks see nothing.
"""

import sys
import time
from collections.abc import Callable
from typing import TextIO

Report = Callable[[int, int], None]
"""A callback for long work, called with the number done and the total."""

_WIDTH = 24
_DELAY = 0.5  # seconds before the bar appears, so that a short fit shows nothing


class ProgressBar:
    """Call it with the number done and the total; leaving its ``with`` block clears the line.

    ``unit`` says what is counted. The time left is estimated from the first call on: the time
    before that went into loading the kernels and growing the first tree, and trees of an earlier
    fit took no time at all.
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
        if self._shown and now - began >= _DELAY:
            left = (now - began) / max(done - before, 1) * (total - done)
            self._write(bar_line(done, total, left, self._unit))

    def _write(self, line: str) -> None:
        self._file.write("\r" + line.ljust(self._length))
        self._file.flush()
        self._length = len(line)


def bar_line(done: int, total: int, left: float, unit: str = "trees") -> str:
    """The bar as text; ``left`` is in seconds."""
    filled = _WIDTH * done // total
    bar = "#" * filled + "." * (_WIDTH - filled)
    unit = unit.removesuffix("s") if total == 1 else unit
    return f"[{bar}] {done:,} of {total:,} {unit}, {duration(left)} left"


def duration(seconds: float) -> str:
    """A duration in words: ``8 s``, ``3 min 05 s``, ``2 h 10 min``."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"
