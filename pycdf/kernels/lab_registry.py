"""Join the functions of a registry into one kernel, which a number chooses from.

So one kernel, compiled once, grows trees with each of the built-in distances and scores.
"""

from collections.abc import Mapping

from pycdf.kernels.compile import Kernel, inner


def one_of(functions: Mapping[str, Kernel]) -> Kernel:
    """A kernel whose first argument is the number of a function, from 1 on; the rest is for it."""
    kernels = list(functions.values())
    joined = _last(kernels[-1])
    for number in range(len(kernels) - 1, 0, -1):
        joined = _either(number, kernels[number - 1], joined)
    return joined


def _last(function: Kernel) -> Kernel:
    @inner
    def last(number, *arguments):
        return function(*arguments)

    return last


def _either(number_of_first: int, first: Kernel, others: Kernel) -> Kernel:
    @inner
    def either(number, *arguments):
        if number == number_of_first:
            return first(*arguments)
        return others(number, *arguments)

    return either
