"""Instructions that the compiler does not generate by itself, most of them for vectors.

:func:`moments` serves the screen: sums over the rows of one class, in blocks of single-precision
numbers. The compiler's own vector loop would take 32 numbers at a time, more than a class of a
small data set has, and leave the rest to a scalar tail.

The ``lane_`` functions serve the exact scores: R's sums run row by row, each rounded, so one sum
cannot be split, but LANES features can be summed side by side, one per lane, each in its own order.

:func:`bits_of` and :func:`double_of` reinterpret the bits of a double as an integer, and back.

:mod:`pycdf.kernels.simd_plain` defines what each function does, and is used when kernels run as
plain Python; :mod:`pycdf.kernels.simd_llvm` generates machine code for it.
"""

from typing import Any

from pycdf.kernels.compile import PLAIN_PYTHON

_written: Any
if PLAIN_PYTHON:
    from pycdf.kernels import simd_plain as _written
else:
    from pycdf.kernels import simd_llvm as _written

bits_of = _written.bits_of
double_of = _written.double_of
moments = _written.moments
headers = _written.headers
prefetch = _written.prefetch
lane_sums = _written.lane_sums
lane_differences = _written.lane_differences
lane_squares = _written.lane_squares
