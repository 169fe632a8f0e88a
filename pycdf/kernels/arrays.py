"""Views that cannot be written to, for kernels.

numba compiles a kernel anew for arrays that are read-only. Given nothing else, it needs to do so
but once, and takes the caller's own data, memory maps among them, as they are.
"""

from typing import Any, TypeVar

import numpy.typing as npt

Array = TypeVar("Array", bound=npt.NDArray[Any])


def read_only(array: Array) -> Array:
    """The same numbers, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
