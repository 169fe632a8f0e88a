"""Vector instructions that the compiler does not find by itself.

:func:`moments` serves the screen: sums over the rows of one class, in blocks of :data:`LANES`
single-precision numbers. The compiler's own vector loop would take 32 numbers at a time, more than
a class of a small data set has, and leave the rest to a scalar tail.

The ``lane_`` functions serve the exact scores: R's sums run row by row, each rounded, so one sum
cannot be split, but :data:`LANES` features can go side by side, one to a lane, each in its own
order.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8
RUN = (
    32  # blocks that are added up before their sum joins the total: shorter chains, smaller errors
)

_FLOATS = ir.VectorType(ir.FloatType(), LANES)
_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_LOOSE = ("reassoc", "contract")  # a sum in any order, products fused into it


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Where an array's numbers are."""
    return cgutils.create_struct_proxy(kind)(context, builder, array).data


def _vector_at(builder: Any, base: Any, offset: Any, vector: Any) -> Any:
    """The place of a vector inside an array of numbers."""
    return builder.bitcast(builder.gep(base, [offset]), vector.as_pointer())


def _load(builder: Any, base: Any, offset: Any, vector: Any, align: int) -> Any:
    loaded = builder.load(_vector_at(builder, base, offset, vector))
    loaded.align = align  # of a single number: rows and features begin anywhere
    return loaded


def _moments(
    typing: Any, values: Any, start: Any, weights: Any, blocks: Any, first: Any, last: Any
) -> Any:
    """Weighted sum and weighted sum of squares over some blocks, both single precision.

    ``values[start + LANES * b + i]`` has the weight ``weights[LANES * b + i]``, for b in
    ``blocks[first:last]`` and all lanes i. ``values`` and ``weights`` are float32 arrays,
    ``blocks`` is int32.
    """
    signature = types.UniTuple(types.float32, 2)(values, start, weights, blocks, first, last)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        data, scale, listed = (_data(context, builder, kinds[i], arguments[i]) for i in (0, 2, 3))
        start, first, last = (
            context.cast(builder, arguments[i], kinds[i], types.intp) for i in (1, 4, 5)
        )
        zero = ir.Constant(_FLOATS, [0.0] * LANES)
        sums, squares, sum_run, square_run = (
            cgutils.alloca_once_value(builder, zero) for _ in range(4)
        )
        lanes, one, run = (ir.Constant(first.type, n) for n in (LANES, 1, RUN))

        def add(total: Any, term: Any) -> None:
            builder.store(builder.fadd(builder.load(total), term, flags=_LOOSE), total)

        with cgutils.for_range_slice(builder, first, last, run) as (begin, _):
            builder.store(zero, sum_run)
            builder.store(zero, square_run)
            end = builder.add(begin, run)
            end = builder.select(builder.icmp_signed("<", end, last), end, last)
            with cgutils.for_range_slice(builder, begin, end, one) as (i, _):
                block = builder.sext(builder.load(builder.gep(listed, [i])), first.type)
                offset = builder.mul(block, lanes)
                value = _load(builder, data, builder.add(start, offset), _FLOATS, 4)
                weight = _load(builder, scale, offset, _FLOATS, 4)
                weighted = builder.fmul(value, weight, flags=_LOOSE)
                add(sum_run, weighted)
                add(square_run, builder.fmul(weighted, value, flags=_LOOSE))
            add(sums, builder.load(sum_run))
            add(squares, builder.load(square_run))

        kind = ir.FunctionType(_FLOATS.element, [_FLOATS.element, _FLOATS])
        add_up = cgutils.get_or_insert_function(
            builder.module, kind, f"llvm.vector.reduce.fadd.v{LANES}f32"
        )
        totals = [
            builder.call(
                add_up, [ir.Constant(_FLOATS.element, 0.0), builder.load(lanes)], fastmath=_LOOSE
            )
            for lanes in (sums, squares)
        ]
        return context.make_tuple(builder, signature.return_type, totals)

    return signature, generate


moments: Any = intrinsic(_moments)


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
                place = ir.Constant(count.type, number * LANES)
                stored = builder.store(
                    builder.load(total), _vector_at(builder, result, place, _DOUBLES)
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
    for size in (after, builder.fneg(after)):
        larger = builder.fcmp_ordered(">", size, largest)
        largest = builder.select(larger, size, largest)
    return [after, builder.fadd(lost, rest), largest]


def _apart_step(builder: Any, row: Any, given: Any, sums: list[Any]) -> list[Any]:
    return [builder.fadd(sums[0], builder.fsub(row, given))]


def _square_step(builder: Any, row: Any, given: Any, sums: list[Any]) -> list[Any]:
    apart = builder.fsub(row, given)
    return [builder.fadd(sums[0], builder.fmul(apart, apart))]


lane_sums: Any = intrinsic(_lane_loop(_sum_step, 3))
"""Per lane: the sum of the rows, what its roundings lost, the largest partial sum."""
lane_apart: Any = intrinsic(_lane_loop(_apart_step, 1))
"""Per lane: the sum of row - given."""
lane_squares: Any = intrinsic(_lane_loop(_square_step, 1))
"""Per lane: the sum of (row - given)^2."""
