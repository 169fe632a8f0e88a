"""The vector instructions of :mod:`pycdf.kernels.simd`, written out for numba's compiler, LLVM.

Each function is an intrinsic: numba calls it with the types of the arguments, and gets back a
signature and a function that generates the instructions.
"""

from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from pycdf.kernels.simd_sizes import BLOCK, FOUR, LANES

_CACHE_LINE = 16  # float32 numbers
_FLOATS = ir.VectorType(ir.FloatType(), BLOCK)
_FOUR_FLOATS = ir.VectorType(ir.FloatType(), FOUR)
_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_LOOSE = ("reassoc", "contract")  # a sum in any order, products fused into it


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The address of an array's data."""
    return cgutils.create_struct_proxy(kind)(context, builder, array).data


def _vector_at(builder: Any, base: Any, offset: Any, vector: Any) -> Any:
    """The address of a vector inside an array of numbers."""
    return builder.bitcast(builder.gep(base, [offset]), vector.as_pointer())


def _load(builder: Any, base: Any, offset: Any, vector: Any, align: int) -> Any:
    loaded = builder.load(_vector_at(builder, base, offset, vector))
    loaded.align = align  # of a single number: rows and features begin anywhere
    return loaded


def _moments(
    typing: Any, values: Any, starts: Any, weights: Any, blocks: Any, first: Any, last: Any,
    sums: Any, squares: Any, position: Any,
) -> Any:  # fmt: skip
    signature = types.void(values, starts, weights, blocks, first, last, sums, squares, position)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        data, begins, scale, listed, sums, squares = (
            _data(context, builder, kinds[i], arguments[i]) for i in (0, 1, 2, 3, 6, 7)
        )
        first, last, position = arguments[4], arguments[5], arguments[8]
        lines = _lines(builder, data, begins)
        zero = ir.Constant(_FLOATS, [0.0] * BLOCK)
        totals = [cgutils.alloca_once_value(builder, zero) for _ in range(2 * FOUR)]

        def add(total: Any, term: Any) -> None:
            builder.store(builder.fadd(builder.load(total), term, flags=_LOOSE), total)

        for total in totals:
            builder.store(zero, total)
        with cgutils.for_range_slice(builder, first, last, first.type(1)) as (i, _):
            block = builder.load(builder.gep(listed, [i]))
            weight = _load(builder, scale, block, _FLOATS, 4)
            for f, line in enumerate(lines):
                value = _load(builder, line, block, _FLOATS, 4)
                # Not to be fused into the first sum: adders are idle, multipliers are not.
                weighted = builder.fmul(value, weight)
                add(totals[f], weighted)
                add(totals[FOUR + f], builder.fmul(weighted, value, flags=_LOOSE))
        folded = _fold(builder, [builder.load(total) for total in totals])
        for target, lanes in ((sums, range(FOUR)), (squares, range(FOUR, 2 * FOUR))):
            part = builder.shuffle_vector(folded, zero, _numbers(lanes))
            _store_four(builder, part, target, position)
        return context.get_dummy_value()

    return signature, generate


def _lines(builder: Any, data: Any, begins: Any) -> list[Any]:
    """The addresses of FOUR lines of an array, which begin where `begins` says."""
    number = ir.IntType(64)
    return [
        builder.gep(data, [builder.load(builder.gep(begins, [number(f)]))]) for f in range(FOUR)
    ]


def _store_four(builder: Any, numbers: Any, target: Any, position: Any) -> None:
    stored = builder.store(numbers, _vector_at(builder, target, position, _FOUR_FLOATS))
    stored.align = 4


def _numbers(lanes: Iterable[int]) -> Any:
    lanes = list(lanes)
    return ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes)


def _fold(builder: Any, vectors: list[Any]) -> Any:
    """Add up the lanes of each of BLOCK vectors: one vector of their BLOCK sums."""
    bits = BLOCK.bit_length() - 1
    vectors = [vectors[int(f"{i:0{bits}b}"[::-1], 2)] for i in range(BLOCK)]
    width = BLOCK
    while len(vectors) > 1:
        # In every group of `width` lanes, the first half is for vector a, the second for b. Each
        # lane stays where it is and gets its partner from the other half: one shuffle, not two.
        width //= 2
        stay = [lane + BLOCK * (lane // width % 2) for lane in range(BLOCK)]
        partner = [(lane ^ width) + BLOCK * (lane // width % 2) for lane in range(BLOCK)]
        vectors = [
            builder.fadd(
                builder.shuffle_vector(a, b, _numbers(stay)),
                builder.shuffle_vector(a, b, _numbers(partner)),
                flags=_LOOSE,
            )
            for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


moments: Any = intrinsic(_moments)


def _headers(typing: Any, values: Any, starts: Any, out: Any, size: Any, position: Any) -> Any:
    signature = types.void(values, starts, out, size, position)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        data, begins, out = (_data(context, builder, kinds[i], arguments[i]) for i in range(3))
        size, position = (context.cast(builder, arguments[i], kinds[i], types.intp) for i in (3, 4))
        a, b, c, d = (
            _load(builder, line, size.type(0), _FOUR_FLOATS, 4)
            for line in _lines(builder, data, begins)
        )
        for pair in ((0, FOUR), (2, FOUR + 2)):  # transpose four vectors of four
            lanes = _numbers([pair[0], pair[1], pair[0] + 1, pair[1] + 1])
            ab, cd = builder.shuffle_vector(a, b, lanes), builder.shuffle_vector(c, d, lanes)
            for lanes in ((0, 1, 4, 5), (2, 3, 6, 7)):
                row = builder.shuffle_vector(ab, cd, _numbers(lanes))
                _store_four(builder, row, out, position)
                position = builder.add(position, size)
        return context.get_dummy_value()

    return signature, generate


headers: Any = intrinsic(_headers)


def _reinterpreted(kind: Any) -> Callable[..., Any]:
    """An intrinsic ``f(x)``: the same bits as another type of 64 bits."""

    def typed(typing: Any, x: Any) -> Any:
        given = types.int64 if kind is types.float64 else types.float64

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], context.get_value_type(kind))

        return kind(given), generate

    return typed


bits_of: Any = intrinsic(_reinterpreted(types.int64))
double_of: Any = intrinsic(_reinterpreted(types.float64))


def _prefetch(typing: Any, values: Any, start: Any, size: Any) -> Any:
    signature = types.void(values, start, size)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        data = _data(context, builder, kinds[0], arguments[0])
        start, size = (context.cast(builder, arguments[i], kinds[i], types.intp) for i in (1, 2))
        pointer, number = ir.PointerType(ir.IntType(8)), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        line = ir.Constant(start.type, _CACHE_LINE)
        end = builder.add(start, size)
        with cgutils.for_range_slice(builder, start, end, line) as (i, _):
            address = builder.bitcast(builder.gep(data, [i]), pointer)
            builder.call(ask, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return signature, generate


prefetch: Any = intrinsic(_prefetch)


def _lane_loop(step: Callable[..., list[Any]], n_sums: int) -> Callable[..., Any]:
    """An intrinsic ``f(values, count, given, out)``: a running vector sum per lane.

    For each row i < count, ``step(builder, row, given, sums)`` turns the sums so far into the next
    ones; row and given are vectors. The sums are left in ``out``, lane by lane, one after the
    other.
    """

    def typed(typing: Any, values: Any, count: Any, given: Any, out: Any) -> Any:
        signature = types.void(values, count, given, out)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = signature.args
            data, known, result = (
                _data(context, builder, kinds[i], arguments[i]) for i in (0, 2, 3)
            )
            count = context.cast(builder, arguments[1], kinds[1], types.intp)
            none, one, lanes = (ir.Constant(count.type, n) for n in (0, 1, LANES))
            given = _load(builder, known, none, _DOUBLES, 8)
            zero = ir.Constant(_DOUBLES, [0.0] * LANES)
            sums = [cgutils.alloca_once_value(builder, zero) for _ in range(n_sums)]
            for total in sums:
                builder.store(zero, total)
            with cgutils.for_range_slice(builder, none, count, one) as (i, _):
                row = _load(builder, data, builder.mul(i, lanes), _DOUBLES, 8)
                after = step(builder, row, given, [builder.load(total) for total in sums])
                for total, value in zip(sums, after, strict=True):
                    builder.store(value, total)
            for number, total in enumerate(sums):
                position = ir.Constant(count.type, number * LANES)
                stored = builder.store(
                    builder.load(total), _vector_at(builder, result, position, _DOUBLES)
                )
                stored.align = 8
            return context.get_dummy_value()

        return signature, generate

    return typed


def _sum_step(builder: Any, row: Any, given: Any, sums: list[Any]) -> list[Any]:
    total, lost, largest = sums
    after = builder.fadd(total, row)
    part = builder.fsub(after, total)
    rest = builder.fadd(builder.fsub(total, builder.fsub(after, part)), builder.fsub(row, part))
    kind = ir.FunctionType(_DOUBLES, [_DOUBLES])
    magnitude = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fabs.v{LANES}f64")
    size = builder.call(magnitude, [after])
    largest = builder.select(builder.fcmp_ordered(">", size, largest), size, largest)
    return [after, builder.fadd(lost, rest), largest]


def _difference_step(builder: Any, row: Any, given: Any, sums: list[Any]) -> list[Any]:
    return [builder.fadd(sums[0], builder.fsub(row, given))]


def _square_step(builder: Any, row: Any, given: Any, sums: list[Any]) -> list[Any]:
    difference = builder.fsub(row, given)
    return [builder.fadd(sums[0], builder.fmul(difference, difference))]


lane_sums: Any = intrinsic(_lane_loop(_sum_step, 3))
lane_differences: Any = intrinsic(_lane_loop(_difference_step, 1))
lane_squares: Any = intrinsic(_lane_loop(_square_step, 1))
