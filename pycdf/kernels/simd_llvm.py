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

from pycdf.kernels.simd_sizes import BLOCK, FOUR, LANES, RUN

_CACHE_LINE = 16  # float32 numbers
_FLOATS = ir.VectorType(ir.FloatType(), BLOCK)
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
        one, run = ir.Constant(first.type, 1), ir.Constant(first.type, RUN)
        lines = [
            builder.gep(data, [builder.load(builder.gep(begins, [first.type(f)]))])
            for f in range(FOUR)
        ]
        zero = ir.Constant(_FLOATS, [0.0] * BLOCK)
        totals = [cgutils.alloca_once_value(builder, zero) for _ in range(2 * FOUR)]
        runs = [cgutils.alloca_once_value(builder, zero) for _ in range(2 * FOUR)]

        def add(total: Any, term: Any) -> None:
            builder.store(builder.fadd(builder.load(total), term, flags=_LOOSE), total)

        for total in totals:
            builder.store(zero, total)
        with cgutils.for_range_slice(builder, first, last, run) as (begin, _):
            for total in runs:
                builder.store(zero, total)
            end = builder.add(begin, run)
            end = builder.select(builder.icmp_signed("<", end, last), end, last)
            with cgutils.for_range_slice(builder, begin, end, one) as (i, _):
                block = builder.load(builder.gep(listed, [i]))
                weight = _load(builder, scale, block, _FLOATS, 4)
                for f, line in enumerate(lines):
                    value = _load(builder, line, block, _FLOATS, 4)
                    weighted = builder.fmul(value, weight, flags=_LOOSE)
                    add(runs[f], weighted)
                    add(runs[FOUR + f], builder.fmul(weighted, value, flags=_LOOSE))
            for total, part in zip(totals, runs, strict=True):
                add(total, builder.load(part))
        folded = _fold(builder, [builder.load(total) for total in totals])
        half = ir.VectorType(ir.FloatType(), FOUR)
        for target, lanes in ((sums, range(FOUR)), (squares, range(FOUR, 2 * FOUR))):
            part = builder.shuffle_vector(folded, zero, _numbers(lanes))
            stored = builder.store(part, _vector_at(builder, target, position, half))
            stored.align = 4
        return context.get_dummy_value()

    return signature, generate


def _numbers(lanes: Iterable[int]) -> Any:
    lanes = list(lanes)
    return ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes)


def _fold(builder: Any, vectors: list[Any]) -> Any:
    """Add up the lanes of each of BLOCK vectors: one vector of their BLOCK sums."""
    width = BLOCK
    while len(vectors) > 1:
        # each vector holds groups of `width` lanes; halve every group, two vectors into one
        width //= 2
        low = [lane for lane in range(2 * BLOCK) if lane // width % 2 == 0]
        high = [lane for lane in range(2 * BLOCK) if lane // width % 2 == 1]
        vectors = [
            builder.fadd(
                builder.shuffle_vector(a, b, _numbers(low)),
                builder.shuffle_vector(a, b, _numbers(high)),
                flags=_LOOSE,
            )
            for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


moments: Any = intrinsic(_moments)


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
