"""A progress bar for long work, drawn by tqdm: how many trees or fits are done, and the time left.

It is shown in a terminal, where it disappears with the end of the work, and in a notebook, where it
stays; pipes and logs get nothing. tqdm is imported when a bar appears.
"""

import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

Report = Callable[[int, int], None]
"""A callback for long work, called with the number done and the total."""

_DELAY = 0.5  # seconds before the bar appears, so that a short fit shows nothing


class ProgressBar:
    """Call it with the number done and the total; leaving its ``with`` block ends the bar.

    Nothing is shown unless it is ``wanted``. ``unit`` says what is counted, and the bar appears
    half a second after the first call, or ``delay`` seconds. The rate is estimated from the first
    call on: the time before that went into loading the kernels and growing the first tree, and
    trees of an earlier fit took no time at all.
    """

    def __init__(
        self,
        wanted: bool = True,
        unit: str = "trees",
        clock: Callable[[], float] = time.monotonic,
        delay: float | None = None,
    ) -> None:
        self._unit = unit
        self._delay = _DELAY if delay is None else delay
        self._clock = clock
        self._in_notebook = _has_kernel()
        in_terminal = sys.stderr is not None and sys.stderr.isatty()  # pythonw has no stderr
        self._shown = wanted and (self._in_notebook or in_terminal)
        self._first: tuple[float, int] | None = None
        self._bar: Any = None

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def __call__(self, done: int, total: int, at_work: str = "") -> None:
        """Show that ``done`` of ``total`` are done, and what is at work."""
        if not self._shown:
            return
        now = self._clock()
        if self._first is None:
            self._first = (now, done)
        began, before = self._first
        if self._bar is None and now - began >= self._delay:
            self._bar = _tqdm()(
                total=total,
                initial=before,
                unit=f" {self._unit}",
                dynamic_ncols=True,
                miniters=1,
                leave=self._in_notebook,
                # Without ipywidgets the bar is text; what is on stderr looks like an error there.
                file=sys.stdout if self._in_notebook else sys.stderr,
            )
            self._bar.start_t -= now - began
            self._bar.last_print_t = self._bar.start_t
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            if at_work:
                self._bar.set_description_str(at_work)


def _has_kernel() -> bool:
    """Whether the code runs in a notebook, or in another front end of Jupyter."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return hasattr(shell, "kernel")


def _tqdm() -> type[Any]:
    """tqdm's bar for this terminal or notebook."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets, tqdm warns and draws text
        from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0  # no thread that redraws the bar: updates come often enough

    Bar.set_lock(threading.RLock())  # tqdm's own lock is for processes, and starts one to track it
    return Bar


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
