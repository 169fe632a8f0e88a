"""Kernels are compiled in fewer steps than numba's, and compute what Python computes."""

import operator

import numba
import numpy as np
import pytest

from pycdf.kernels.compile import entry, inlined, inner
from pycdf.kernels.linking import EntryLibrary, PartLibrary
from pycdf.kernels.pipeline import KernelTyping


def ranges(out):
    """Loops forwards, backwards, in steps, and not at all."""
    n = 0
    for start, stop, step in ((0, 3, 1), (7, 2, -2), (3, 3, 1), (5, 2, 1), (2, 5, -1)):
        for i in range(start, stop, step):
            out[n] = i
            n += 1
    for i in range(2):
        for j in range(i, 2):
            out[n] = 10 * i + j
            n += 1
    return n


def last_of_a_loop(values):
    """What a loop leaves behind, after some rounds and after none."""
    i = -1
    last = 0.0
    for i in range(values.size):
        last = values[i]
    for _ in range(0):
        last = np.nan
    return i + last


def sometimes_assigned(values):
    """A variable that not all ways assign."""
    sign = 1 if values[0] > 0.0 else -1
    total = 0.0
    for i in range(values.size):
        if i % 2 == 1:
            before = values[i - 1]
            total += before * sign
        sign = -sign
    return total


def counted_from_the_end(values):
    """Negative literals."""
    values[-2] = 7.0
    return values[-1] + values[-2] + values[0]


def two_axes(table):
    """Elements of a matrix, of a row, and with an unsigned index."""
    row = table[np.uint32(1)]
    table[1, 2] = 5.0
    table[0, -1] = 6.0
    return table[1, 0] + 10 * row[2] + 100 * table[np.uint8(0), np.int16(1)] + table[-1, 0]


def elements_that_are_not_side_by_side(table):
    """Elements of a column, of every other column, and of the transposed matrix."""
    column, others, turned = table[:, 1], table[:, ::2], table.T
    column[1] = 50.0
    others[0, 1] = 20.0
    turned[0, 1] = 30.0
    return column[0] + 10 * column[1] + 100 * others[1, 1] + 1000 * turned[2, 1] + others[1, 0]


def truths(flags, out):
    """Elements that are true or false, and numbers that become so."""
    out[0] = flags[1]
    out[1] = flags[0] + flags[1]
    flags[0] = out[1] > 0
    return flags[0]


def narrow_numbers(small, wide):
    """Numbers of other types are converted when they are stored."""
    small[0] = 2.75
    small[1] = wide[0]
    wide[1] = small[1] / 2
    return small[0] + wide[1]


def extremes(values):
    """The first of two that are not ordered wins; whole numbers and others mix."""
    largest = smallest = values[0]
    for i in range(1, values.size):
        largest = max(largest, values[i])
        smallest = min(values[i], smallest)
    return max(largest, 2) + min(3, smallest, 1.5)


def powers(values):
    """Exponents that are known, and one that is not."""
    return values[0] ** 2 + values[1] ** -1 + 2 ** int(values[2])


NAN = np.nan
CASES = [
    (ranges, np.zeros(20, np.int64)),
    (last_of_a_loop, np.array([2.0, 3.0])),
    (last_of_a_loop, np.empty(0)),
    (sometimes_assigned, np.array([1.0, 2.0, 4.0, 8.0])),
    (sometimes_assigned, np.array([-1.0, 2.0, 4.0])),
    (counted_from_the_end, np.arange(4.0)),
    (two_axes, np.arange(6.0).reshape(2, 3)),
    (elements_that_are_not_side_by_side, np.arange(8.0).reshape(2, 4)),
    (truths, np.array([False, True]), np.zeros(2, np.int32)),
    (narrow_numbers, np.zeros(2, np.int32), np.array([7.9, 0.0])),
    (extremes, np.array([1.0, NAN, 5.0])),
    (extremes, np.array([NAN, 1.0, 5.0])),
    (extremes, np.array([-4.0, 0.5])),
    (powers, np.array([3.0, 4.0, 5.0])),
]


def uncached(kernel):
    """An entry that is compiled anew: the key of the cache does not depend on tests."""
    kernel._cache.disable()
    return kernel


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_a_kernel_computes_what_python_computes(case):
    function, *arguments = case
    results = []
    for run in (function, uncached(entry(function))):
        given = [argument.copy() for argument in arguments]
        results.append((run(*given), given))
    np.testing.assert_equal(results[1], results[0])


def test_types_of_operators_are_remembered_once_they_are_known():
    remembered = KernelTyping._known
    uncached(entry(lambda x, y: x - y * x))(np.float32(1), np.int16(2))
    by_function = {
        (getattr(key[0], "typing_key", key[0]), *map(str, key[1:])): str(one.return_type)
        for key, one in remembered.items()
    }
    assert by_function[operator.mul, "int16", "float32"] == "float32"
    assert by_function[operator.sub, "float32", "float32"] == "float32"
    assert all(one.return_type.is_precise() for one in remembered.values())


@inner
def _twice(x):
    return 2 * x


@inlined
def _thrice(x):
    return x + _twice(x)


def test_only_entries_become_machine_code():
    @uncached
    @entry
    def five_times(x):
        return _twice(x) + _thrice(x)

    assert five_times(2) == 10
    (part,) = {type(result.library) for result in _twice.overloads.values()}
    assert part is PartLibrary
    (result,) = five_times.overloads.values()
    assert isinstance(result.library, EntryLibrary)
    names = [function.name for function in result.library.get_defined_functions()]
    assert len(names) == 2  # the entry, and what Python calls
    assert all("five_times" in name for name in names)


def test_a_function_that_numba_compiles_can_call_a_kernel():
    assert numba.njit(lambda x: _twice(x) + 1)(4) == 9


@pytest.mark.parametrize("setting", ["BOUNDSCHECK", "DEBUGINFO_DEFAULT"])
def test_numba_compiles_in_its_own_way_for_debugging(setting, monkeypatch):
    monkeypatch.setattr(numba.config, setting, 1)

    @inner
    def element(values, i):
        return values[i]

    @uncached
    @entry
    def read(values, i):
        return element(values, i)

    assert read(np.arange(3.0), -1) == 2.0  # kernels do not count from the end
    assert not isinstance(next(iter(read.overloads.values())).library, EntryLibrary)
    if setting == "BOUNDSCHECK":
        with pytest.raises(IndexError):
            read(np.arange(3.0), 3)


def test_a_kernel_that_allocates_says_so():
    def sum_of_ones(n):
        return np.ones(n).sum() + _twice(n)

    with pytest.raises(numba.core.errors.NumbaError, match="array passed into the function"):
        uncached(entry(sum_of_ones))(3)
    assert uncached(entry(allocates=True)(sum_of_ones))(3) == 9.0


def test_an_error_says_where_it_is():
    @numba.extending.intrinsic
    def broken(typing, x):
        def generate(context, builder, signature, arguments):
            raise NotImplementedError("not written yet")

        return x(x), generate

    @uncached
    @entry
    def use(x):
        return broken(x)

    with pytest.raises(NotImplementedError) as caught:
        use(1)
    assert "test_pipeline.py" in caught.value.__notes__[0]
