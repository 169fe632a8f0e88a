"""One new process of the start-up measurement: `python -m benchmarks.probe KIND`.

It prints one line of JSON. The kinds:

    dependencies   seconds to import numpy, pandas and numba
    package        seconds to import CDF from pycdf
    call           seconds of the first and the second default call on DARWIN, after the imports
    compile        the same, and where the compiler spent its time
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from time import process_time
from typing import Any

PHASES = {
    "nopython_type_inference": "typing",
    "native_lowering": "lowering",
    "kernel_part_lowering": "lowering",
    "kernel_entry_lowering": "lowering",
    "inline_inlinables": "inlining",
    "inline_overloads": "inlining",
    "inline_closure_likes": "inlining",
}


class Stopwatch:
    """Time spent in nested spans, each moment counted once: for the innermost span.

    A span has a kernel (empty: that of the span around it) and a phase.
    """

    def __init__(self) -> None:
        self.spent: dict[tuple[str, str, str], float] = defaultdict(float)
        self._spans: list[tuple[str, str, str]] = []
        self._since = process_time()

    def start(self, kernel: str, phase: str) -> None:
        """Open a span; the outermost kernel is the entry for which the others are compiled."""
        self._charge()
        entry, around = self._spans[-1][:2] if self._spans else (kernel, kernel)
        self._spans.append((entry, kernel or around, phase))

    def end(self) -> None:
        """Close the innermost span."""
        self._charge()
        self._spans.pop()

    def _charge(self) -> None:
        now = process_time()
        if self._spans:
            self.spent[self._spans[-1]] += now - self._since
        self._since = now


def watch_compiler(watch: Stopwatch) -> None:
    """Start and stop spans on numba's events and on the steps of its code library."""
    from numba.core import codegen, event

    from pycdf.kernels.code_cache import KernelCache
    from pycdf.kernels.linking import EntryLibrary, PartLibrary

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            if event.kind == "numba:compile":
                watch.start(event.data["dispatcher"].py_func.__qualname__, "other")
            else:
                name = event.data["name"].split(" ")[0]
                watch.start("", PHASES.get(name, "other"))

        def on_end(self, event: Any) -> None:
            watch.end()

    for kind in ("numba:compile", "numba:run_pass"):
        event.register(kind, Listener())

    def span(owner: type, name: str, phase: str) -> None:
        inside: Callable[..., Any] = getattr(owner, name)

        def timed(*arguments: Any, **named: Any) -> Any:
            watch.start("", phase)
            try:
                return inside(*arguments, **named)
            finally:
                watch.end()

        setattr(owner, name, timed)

    for library in (codegen.CPUCodeLibrary, PartLibrary, EntryLibrary):
        span(library, "finalize", "LLVM")
    span(codegen.CPUCodeLibrary, "add_ir_module", "LLVM")
    span(codegen.JITCodeLibrary, "_finalize_specific", "machine code")
    span(KernelCache, "save_overload", "cache file")


def import_dependencies() -> dict[str, Any]:
    """What pycdf imports, without pycdf."""
    begin = process_time()
    import numba  # noqa: F401
    import numpy  # noqa: F401
    import pandas  # noqa: F401

    return {"seconds": process_time() - begin}


def import_package() -> dict[str, Any]:
    """CDF() from pycdf, and everything it imports."""
    begin = process_time()
    from pycdf import CDF  # noqa: F401

    return {"seconds": process_time() - begin}


def calls(watch: Stopwatch | None = None) -> dict[str, Any]:
    """The default call twice: the extra time of the first is preparation."""
    imported = import_package()["seconds"]
    import pycdf

    X, y = (part.to_numpy() for part in pycdf.load_darwin())
    if watch is not None:
        watch_compiler(watch)
    taken = []
    for _ in range(2):
        begin = process_time()
        pycdf.CDF(X[:121], y[:121], X[121:], seed=1)
        taken.append(process_time() - begin)
    return {"import": imported, "first": taken[0], "second": taken[1]}


def compile_and_call() -> dict[str, Any]:
    """The calls with a record of the compiler's time: entry, kernel, phase, seconds."""
    watch = Stopwatch()
    answer = calls(watch)
    return answer | {"spent": [[*key, seconds] for key, seconds in watch.spent.items()]}


KINDS: dict[str, Callable[[], dict[str, Any]]] = {
    "dependencies": import_dependencies,
    "package": import_package,
    "call": calls,
    "compile": compile_and_call,
}

if __name__ == "__main__":
    print(json.dumps(KINDS[sys.argv[1]]()))
