"""Read-only views, for kernels.

numba compiles a kernel anew for arrays that are read-only. If it is given no others, it compiles
only once, and a caller's own data, memory maps among them, can be passed as they are.
"""

from typing import Any, TypeVar

import numpy.typing as npt

Array = TypeVar("Array", bound=npt.NDArray[Any])


def read_only(array: Array) -> Array:
    """A view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
