"""Calls in threads: answers in order, and every thread ended, whatever fails."""

import threading
import time

from pycdf.support import threads
from pycdf.support.threads import run_in_threads


def ended(call):
    """What a call raises, or None; it must not wait for ever."""
    raised = []

    def run():
        try:
            call()
            raised.append(None)
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    return raised[0]


def test_a_slow_call_is_waited_for():
    """Longer than the main thread waits at a time."""
    stored = {}
    calls = [lambda: time.sleep(0.25) or "slow", lambda: "quick"]
    assert ended(lambda: run_in_threads(calls, 2, stored.__setitem__)) is None
    assert list(stored.items()) == [(0, "slow"), (1, "quick")]


def test_answers_before_an_error_are_stored():
    """As if the calls had run one after the other."""
    failed = threading.Event()

    def first():
        assert failed.wait(10)
        time.sleep(0.05)  # the error is there by now
        return "first"

    def fail(text):
        failed.set()
        raise ZeroDivisionError(text)

    calls = [first, lambda: fail("second"), lambda: fail("third")]
    for jobs in (1, 2, 3):
        stored = []
        if jobs == 1:
            failed.set()
        error = ended(
            lambda jobs=jobs, stored=stored: run_in_threads(
                calls, jobs, lambda _, answer: stored.append(answer)
            )
        )
        assert isinstance(error, ZeroDivisionError)
        assert str(error) == "second"
        assert stored == ["first"]


def test_all_threads_have_ended_when_it_returns(monkeypatch):
    """Also those that start only after the work is done."""
    begun = []

    class Slow(threading.Thread):
        def start(self):
            time.sleep(0.05)
            super().start()
            begun.append(self)

    monkeypatch.setattr(threads, "Thread", Slow)
    assert ended(lambda: run_in_threads([lambda: None] * 2, 3)) is None
    assert len(begun) == 3
    assert not any(thread.is_alive() for thread in begun)


def test_no_more_threads(monkeypatch):
    """The system refuses the second one: its error is raised, and the first one ends."""
    begun, stopped = [], threading.Event()

    class Scarce(threading.Thread):
        def start(self):
            if begun:
                raise RuntimeError("can't start new thread")
            begun.append(self)
            super().start()

    monkeypatch.setattr(threads, "Thread", Scarce)
    calls = [lambda: stopped.wait(10)] * 3
    error = ended(lambda: run_in_threads(calls, 2, stop=stopped.set))
    assert isinstance(error, RuntimeError)
    assert str(error) == "can't start new thread"
    assert not begun[0].is_alive()
