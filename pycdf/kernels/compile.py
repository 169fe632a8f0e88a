"""Decorators for kernels: compiled by numba, or run as plain Python.

``entry`` is for a function that Python calls: it releases the GIL, and its machine code is kept on
disk (:mod:`pycdf.kernels.code_cache`). ``inner`` is for a function that only other kernels call:
its code becomes part of theirs. ``inlined`` is for a short inner function that is copied into its
callers before types are inferred, where a call would cost time.

Kernels also run as plain Python, with the same results but hundreds of times slower: with
NUMBA_DISABLE_JIT=1, to step through them in a debugger or to measure coverage, and if numba is
not installed. They must therefore be valid Python with the same arithmetic: numpy's scalars wrap
around and divide by zero as machine numbers do, and vector instructions have a counterpart in numpy
(:mod:`pycdf.kernels.simd`).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, overload

import numpy as np

from .notices import tell

try:
    import numba
except ImportError:
    PLAIN_PYTHON = True
    tell("numba is not installed, so all forests grow slowly ...")
else:
    PLAIN_PYTHON = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]

# numba infers a kernel's types for each kind of argument, so kernels have no annotations.
Kernel: TypeAlias = Callable[..., Any]


@overload
def entry(function: Kernel, /) -> Kernel: ...
@overload
def entry(**options: Any) -> Callable[[Kernel], Kernel]: ...
def entry(function: Kernel | None = None, /, **options: Any) -> Kernel | Callable[[Kernel], Kernel]:
    """Compile a kernel that Python calls: it releases the GIL and is cached on disk.

    One that creates arrays or sets says so: ``@entry(allocates=True)``. One that calls a user's own
    function, whose changes no cache would notice, is compiled in each process:
    ``@entry(kept=False)``.
    """
    if function is None:
        return lambda function: _entry(function, options)
    return _entry(function, options)


@overload
def inner(function: Kernel, /) -> Kernel: ...
@overload
def inner(**options: Any) -> Callable[[Kernel], Kernel]: ...
def inner(function: Kernel | None = None, /, **options: Any) -> Kernel | Callable[[Kernel], Kernel]:
    """Compile a kernel that only kernels call; it is cached as a part of its callers."""
    if function is None:
        return lambda function: _inner(function, options)
    return _inner(function, options)


def inlined(function: Kernel) -> Kernel:
    """Copy a kernel into each of its callers: for short ones, that is faster than a call."""
    return _inner(function, {"inline": "always"})


def usual(function: Kernel) -> Kernel:
    """Compile a user's own function in numba's usual way: it may do whatever numba can compile."""
    if PLAIN_PYTHON:
        return function
    kernel: Kernel = numba.njit(error_model="numpy")(function)
    return kernel


def _entry(function: Kernel, options: dict[str, Any]) -> Kernel:
    if PLAIN_PYTHON:
        return _interpreted(function)
    from .code_cache import compile_and_keep, compile_here

    allocates = options.pop("allocates", False)
    keeping = compile_and_keep if options.pop("kept", True) else compile_here
    kernel: Kernel = keeping(
        function,
        {
            "nogil": True,
            "error_model": "numpy",
            "no_cfunc_wrapper": True,
            "_nrt": allocates,  # whether references to arrays are counted
            **({} if allocates else _pipeline("EntryCompiler")),
            **options,
        },
    )
    return kernel


def _inner(function: Kernel, options: dict[str, Any]) -> Kernel:
    if PLAIN_PYTHON:
        return function
    # Only kernels call it, so it needs no wrappers for Python and C. And it allocates nothing (an
    # entry does that), so it need not count references, which took a fifth of the time. numba
    # refuses an allocation in it.
    options = {
        "error_model": "numpy",
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "_nrt": False,
        **_pipeline("PartCompiler"),
        **options,
    }
    kernel: Kernel = numba.njit(**options)(function)
    return kernel


def _pipeline(name: str) -> dict[str, Any]:
    """The option that chooses pycdf's own compiler pipeline; numba's own one is for debugging."""
    settings: Any = numba.config
    if settings.DEBUGINFO_DEFAULT or settings.BOUNDSCHECK:
        return {}
    from . import pipeline

    return {"pipeline_class": getattr(pipeline, name)}


def _interpreted(function: Kernel) -> Kernel:
    """Run an entry in plain Python, without numpy's warnings about overflow and zero division."""

    @wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return run
