"""Run calls in threads so that an interrupt always ends them, and never leaves a lock behind.

An interrupt can reach the main thread between taking a lock of :mod:`threading` and the ``with``
block that releases it. The threads that need this lock then wait for ever; the futures of
:mod:`concurrent.futures` have such locks, and so has the start of a thread. Here the main thread
shares only queues and a deque with the others, whose operations cannot be interrupted midway, and
leaves it to another thread, which gets no interrupts, to start them.
"""

import _thread
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

_WAIT = 0.1  # seconds; Windows notices an interrupt only between waits
_NOT_STARTED = -1  # in place of the index of a call


def run_in_threads(
    calls: Sequence[Callable[[], Any]],
    jobs: int,
    store: Callable[[int, Any], None] = lambda index, answer: None,
    stop: Callable[[], None] = lambda: None,
) -> None:
    """Run all calls, ``jobs`` at a time; ``store`` receives the index and result of each, in order.

    After an error or an interrupt, ``stop`` asks the running calls to finish, and we wait for them.
    """
    if jobs == 1:
        for index, call in enumerate(calls):
            store(index, call())
        return
    left = deque(range(len(calls)))
    finished: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    def work() -> None:
        while True:
            try:
                index = left.popleft()
            except IndexError:
                return
            try:
                finished.put((index, calls[index](), None))
            except BaseException as error:
                finished.put((index, None, error))

    threads = [Thread(target=work) for _ in range(jobs)]
    started: SimpleQueue[None] = SimpleQueue()

    def start() -> None:
        try:
            for thread in threads:
                thread.start()
        except RuntimeError as error:  # the system has no more threads
            finished.put((_NOT_STARTED, None, error))
        started.put(None)

    results: dict[int, tuple[Any, BaseException | None]] = {}
    _thread.start_new_thread(start, ())
    try:
        for index in range(len(calls)):
            while index not in results:
                try:
                    number, answer, error = finished.get(timeout=_WAIT)
                except Empty:
                    continue
                if number == _NOT_STARTED and error is not None:
                    raise error
                results[number] = (answer, error)
            answer, error = results.pop(index)
            if error is not None:
                raise error
            store(index, answer)
    except BaseException:
        left.clear()
        stop()
        raise
    finally:
        started.get()
        for thread in threads:
            if thread.is_alive():
                thread.join()
