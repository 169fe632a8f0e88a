"""The steps in which numba compiles a kernel: those that kernels need, and none of the others.

numba also looks for closures, generators, comprehensions, ``with`` blocks, array expressions and
parallel loops, splits variables that have several types, and prepares for debugging. Kernels have
none of these. https://numba.readthedocs.io/en/stable/extending explains what a pipeline is.
"""

import operator
from typing import Any, ClassVar

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import funcdesc, types
from numba.core.compiler import CompilerBase, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import (
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
)
from numba.core.typing.context import Context
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    InlineInlinables,
    IRProcessing,
    RewriteSemanticConstants,
    TranslateByteCode,
)

from .linking import EntryLibrary, PartLibrary
from .lowering import SCALARS, KernelLower, is_min_or_max


class KernelTyping(Context):
    """numba's rules for types, with a memory for what an operator or a function returns.

    numba searches through all its rules each time, and there are dozens for an addition.
    """

    _known: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Any) -> None:
        self.__dict__ = context.__dict__

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a function for these types of arguments."""
        if kws or not all(isinstance(kind, types.Type) for kind in args):
            return super().resolve_function_type(func, args, kws)
        key = (func, *args)
        if key not in self._known:
            if is_min_or_max(func) and all(isinstance(kind, SCALARS) for kind in args):
                kind = self.unify_types(*map(types.unliteral, args))
                signature = kind(*[kind] * len(args))
            else:
                signature = super().resolve_function_type(func, args, kws)
            if signature is None or not signature.return_type.is_precise():
                return signature
            self._known[key] = signature
        return self._known[key]

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """Return the signature of an assignment to an element."""
        setitem = self.resolve_value_type(operator.setitem)
        return self.resolve_function_type(setitem, (target, index, value), {})


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Lower an inner kernel."""

    _name = "kernel_part_lowering"
    lowering_class = KernelLower

    def run_pass(self, state: Any) -> bool:
        """As numba does it, but nothing is optimised or translated to machine code."""
        context, flags = state.targetctx, state.flags
        library = state.library = PartLibrary(context.codegen(), state.func_id.func_qualname)
        description = funcdesc.PythonFunctionDescriptor.from_specialized_function(
            state.func_ir, state.typemap, state.return_type, state.calltypes,
            mangler=context.mangler, inline=flags.forceinline, noalias=flags.noalias,
            abi_tags=[flags.get_mangle_string()],
        )  # fmt: skip
        with context.push_code_library(library):
            lower = KernelLower(
                context, library, description, state.func_ir, metadata=state.metadata
            )
            lower.lower()
        library.finalize()
        # What numba knows a compiled function by; it cannot be called.
        key = _dynfunc.make_function(
            description.lookup_module(), description.qualname, "", 0, lower.env, (library,)
        )
        context.insert_user_function(key, description, [library])
        state["cr"] = _LowerResult(description, lower.call_helper, cfunc=key, env=lower.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """Lower an entry, and translate it with all that it calls."""

    _name = "kernel_entry_lowering"
    lowering_class = KernelLower

    def run_pass(self, state: Any) -> bool:
        """As numba does it, with a library that knows how to link parts."""
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _KernelCompiler(CompilerBase):
    lowering: Any

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        typing = self.state.typingctx = KernelTyping(self.state.typingctx)
        self.state.targetctx = self.state.targetctx.subtarget(typing_context=typing)

    def define_pipelines(self) -> list[PassManager]:
        """One pipeline: there is no other way to fall back to."""
        steps = PassManager("kernel")
        for step in (
            TranslateByteCode,
            FixupArgs,
            IRProcessing,
            RewriteSemanticConstants,
            DeadBranchPrune,  # what depends on an argument that is None
            GenericRewrites,
            InlineInlinables,
            DeadBranchPrune,
            NopythonTypeInference,
            self.lowering,
            NoPythonBackend,
        ):
            steps.add_pass(step)
        steps.finalize()
        return [steps]


class PartCompiler(_KernelCompiler):
    """Compiles an inner kernel."""

    lowering = PartLowering


class EntryCompiler(_KernelCompiler):
    """Compiles an entry."""

    lowering = EntryLowering
