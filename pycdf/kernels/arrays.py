"""Read-only views of arrays, for kernels.

numba compiles a kernel again for read-only arrays. If all arrays are read-only, it compiles only
once, and a caller's own data, including memory maps, can be passed without a copy.
"""

from typing import Any, TypeVar

import numpy.typing as npt

Array = TypeVar("Array", bound=npt.NDArray[Any])


def read_only(array: Array) -> Array:
    """A view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
