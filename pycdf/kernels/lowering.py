"""Translate a kernel to LLVM's language with far fewer instructions than numba writes.

numba's way suits any Python program: a variable has a memory cell, even if it is assigned once; an
array is copied to a cell before an element is read, and a negative index counts from the end; a
loop over a range is an iterator with a counter of its own. LLVM removes nearly all of that again,
but writing it and removing it takes half of the time that a kernel takes to compile.

Kernels are simpler. They allocate nothing (so nothing is counted or freed), and they index arrays
without gaps, with numbers that are not negative unless they are literals. For these cases
:class:`KernelLower` writes what is left in the end; all others are numba's.
"""

import operator
from collections import Counter
from typing import Any

from llvmlite import ir as llvm
from numba.core import ir
from numba.core import types as numba_types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.lowering import Lower

types: Any = numba_types  # its stubs do not say what a type has
SCALARS = (types.Number, types.Boolean)


class KernelLower(Lower):
    """numba's translation of one function, with shorter code for what kernels do most."""

    def _find_singly_assigned_variable(self) -> None:
        # numba keeps only those variables out of memory that are used in one block.
        self._singly_assigned_vars = assigned_once_before_use(self.func_ir.blocks)
        self._blk_local_varmap: dict[str, Any] = {}

    def lower_block(self, block: Any) -> None:
        """Translate a block; numba would prepare an error message for each statement."""
        for statement in block.body:
            self.loc = statement.loc
            try:
                self.lower_inst(statement)
            except Exception as error:
                error.add_note(f"This is about {statement}, {self.loc}.")
                raise

    def lower_inst(self, inst: Any) -> None:
        """Translate a statement."""
        if isinstance(inst, ir.Assign):
            name = inst.target.name
            self.storevar(self.lower_assign(self.typeof(name), inst), name)
        elif isinstance(inst, ir.StaticSetItem) and self._is_array(inst.target, inst.index):
            signature = self.fndesc.calltypes[inst]
            self.lower_setitem(inst.target, inst.index_var, inst.value, signature)
        else:
            super().lower_inst(inst)

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        """Assign to a variable; its old value needs no care."""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        """Reserve memory for a variable, which need not be zero before it is assigned."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(lltype, name=name)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Translate an expression."""
        if expr.op in ("getiter", "iternext") and _is_signed_range(self.typeof(expr.value.name)):
            step = self._begin_range if expr.op == "getiter" else self._next_of_range
            return step(self.loadvar(expr.value.name), self.context.get_value_type(resty))
        if expr.op == "static_getitem" and self._is_array(expr.value, expr.index):
            signature = self.fndesc.calltypes[expr]
            return self.lower_getitem(resty, expr, expr.value, expr.index_var, signature)
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Translate an operator; numba would resolve its types three more times."""
        sides = [expr.lhs.name, expr.rhs.name]
        if op is operator.pow or not all(isinstance(self.typeof(side), SCALARS) for side in sides):
            return super().lower_binop(resty, expr, op)
        typing = self.context.typing_context
        kind = typing.resolve_value_type(op)
        signature = typing.resolve_function_type(kind, self.fndesc.calltypes[expr].args, {})
        values = [
            self.context.cast(self.builder, self.loadvar(side), self.typeof(side), wanted)
            for side, wanted in zip(sides, signature.args, strict=True)
        ]
        result = self.context.get_function(kind, signature)(self.builder, values)
        return self.context.cast(self.builder, result, signature.return_type, resty)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """Read an element of an array, or anything else that has elements."""
        address = self._address(value.name, index.name)
        if address is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        kind = self.typeof(value.name).dtype
        element = self.context.unpack_value(self.builder, kind, address)
        return self.context.cast(self.builder, element, kind, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Write an element of an array, or of anything else that has elements."""
        given = self.typeof(value_var.name)
        address = None
        if isinstance(given, SCALARS):
            address = self._address(target_var.name, index_var.name)
        if address is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        kind = self.typeof(target_var.name).dtype
        value = self.context.cast(self.builder, self.loadvar(value_var.name), given, kind)
        return self.context.pack_value(self.builder, kind, value, address)

    def lower_call(self, resty: Any, expr: Any) -> Any:
        """Translate a call."""
        signature = self.fndesc.calltypes[expr]
        kind = signature.return_type
        extreme = is_min_or_max(self.typeof(expr.func.name)) and isinstance(kind, SCALARS)
        if not extreme and not (_is_signed_range(kind) and kind == resty):
            return super().lower_call(resty, expr)
        given = [
            self.context.cast(self.builder, self.loadvar(part.name), self.typeof(part.name), wanted)
            for part, wanted in zip(expr.args, signature.args, strict=True)
        ]
        if extreme:
            sign = operator.gt if self.typeof(expr.func.name).typing_key is max else operator.lt
            result = self._extreme(sign, given, kind)
            return self.context.cast(self.builder, result, kind, resty)
        return self._range(given, resty)

    def _extreme(self, sign: Any, values: list[Any], kind: Any) -> Any:
        """The largest or smallest value; like Python, the first one if it is not a number."""
        compare = self.context.get_function(sign, types.boolean(kind, kind))
        best = values[0]
        for value in values[1:]:
            best = self.builder.select(compare(self.builder, (value, best)), value, best)
        return best

    def _range(self, given: list[Any], resty: Any) -> Any:
        """A range: its start, its stop and its step."""
        number = given[0].type
        start, stop, step = {
            1: [number(0), *given, number(1)],
            2: [*given, number(1)],
            3: given,
        }[len(given)]
        return self._struct(self.context.get_value_type(resty), [start, stop, step])

    def _begin_range(self, state: Any, lltype: Any) -> Any:
        """The iterator of a range: where its next number is kept, its end and its step."""
        start, stop, step = (self.builder.extract_value(state, i) for i in range(3))
        with self.builder.goto_entry_block():
            cell = self.builder.alloca(start.type)
        self.builder.store(start, cell)
        return self._struct(lltype, [cell, stop, step, cell])

    def _next_of_range(self, iterator: Any, lltype: Any) -> Any:
        """The next number of a range, and whether there is one."""
        cell, stop, step = (self.builder.extract_value(iterator, i) for i in range(3))
        number = self.builder.load(cell)
        self.builder.store(self.builder.add(number, step, flags=["nsw"]), cell)
        before, after = (self.builder.icmp_signed(sign, number, stop) for sign in "<>")
        forwards = self.builder.icmp_signed(">", step, step.type(0))
        return self._struct(lltype, [number, self.builder.select(forwards, before, after)])

    def _struct(self, lltype: Any, values: list[Any]) -> Any:
        result = lltype(llvm.Undefined)
        for i, value in enumerate(values):
            result = self.builder.insert_value(result, value, i)
        return result

    def _is_array(self, variable: Any, index: Any) -> bool:
        """Whether a variable is an array, and the index a number."""
        return isinstance(self.typeof(variable.name), types.Array) and isinstance(index, int)

    def _address(self, array: str, index: str) -> Any:
        """Where an element of an array is; None if it is not one number in an array of numbers."""
        kind, place = self.typeof(array), self.typeof(index)
        if not (isinstance(kind, types.Array) and kind.layout == "C" and kind.aligned):
            return None
        places = tuple(place) if isinstance(place, types.BaseTuple) else (place,)
        if len(places) != kind.ndim or not all(map(_counts_from_start, places)):
            return None
        build, value, where = self.builder, self.loadvar(array), self.loadvar(index)
        parts = (
            [build.extract_value(where, i) for i in range(kind.ndim)]
            if isinstance(place, types.BaseTuple)
            else [where]
        )
        fields = self.context.data_model_manager[kind]
        data = build.extract_value(value, fields.get_field_position("data"))
        shape = fields.get_field_position("shape")
        position = None
        for axis, (part, integer) in enumerate(zip(parts, places, strict=True)):
            number = self.context.cast(build, part, integer, types.intp)
            if position is None:
                position = number
            else:
                size = build.extract_value(value, [shape, axis])
                begin = build.mul(position, size, flags=["nsw"])
                position = build.add(begin, number, flags=["nsw"])
        return build.gep(data, [position], inbounds=True)


def is_min_or_max(kind: Any) -> bool:
    """Whether a type, or what it is the type of, is the function min or max."""
    return getattr(kind, "typing_key", kind) in (min, max)


def _counts_from_start(kind: Any) -> bool:
    """Whether a type is that of an index which is an integer, and not a negative literal."""
    literal = isinstance(kind, types.IntegerLiteral)
    return isinstance(kind, types.Integer) and not (literal and kind.literal_value < 0)


def _is_signed_range(kind: Any) -> bool:
    """Whether a type is a range of signed integers, or its iterator."""
    if isinstance(kind, types.RangeType):
        return bool(kind.dtype.signed)
    return isinstance(kind, types.RangeIteratorType) and bool(kind.yield_type.signed)


def assigned_once_before_use(blocks: dict[int, Any]) -> set[str]:
    """The variables with one assignment, which comes before every use on all ways that lead there.

    The keys of `blocks` are the order in which they are translated.
    """
    times = Counter(
        statement.target.name
        for block in blocks.values()
        for statement in block.find_insts(ir.Assign)
    )
    variables = compute_use_defs(blocks)
    home = {name: label for label, names in variables.defmap.items() for name in names}
    dominators = compute_cfg_from_blocks(blocks).dominators()
    kept = {name for name, count in times.items() if count == 1}
    for label, names in variables.usemap.items():  # what a block uses before it assigns it
        kept.difference_update(
            name for name in names if not (home[name] in dominators[label] and home[name] < label)
        )
    return kept
