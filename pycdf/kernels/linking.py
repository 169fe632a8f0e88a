"""Link inner kernels into entries, and optimise entries only.

numba optimises every function on its own, translates it to machine code, and does both again in
each function that calls it. Only entries are ever called from outside, so an inner kernel stays
what it is, a module of unoptimised LLVM code (:class:`PartLibrary`), until it becomes part of an
entry (:class:`EntryLibrary`).
"""

from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary


class PartLibrary(JITCodeLibrary):
    """The code of an inner kernel, to be linked into entries."""

    def add_llvm_module(self, ll_module: Any) -> None:
        """Add code as it is."""
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Make the code linkable; where it is not used, it can be left out."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = Linkage.linkonce_odr
        self._finalized = True

    def own_module(self) -> Any:
        """The code of this kernel, without that of the kernels it calls."""
        return self._final_module

    def _get_module_for_linking(self) -> Any:
        # For functions that are compiled in numba's way and call kernels, such as a test's.
        module = self._final_module.clone()
        _link_callees(self, module)
        return module


class EntryLibrary(JITCodeLibrary):
    """The code of an entry with all kernels that it calls."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Add the entry, or what Python calls: for size, as inner kernels have the long loops."""
        for function in ir_module.functions:
            if not function.is_declaration:
                function.attributes.add("optsize")
        super().add_ir_module(ir_module)

    def add_llvm_module(self, ll_module: Any) -> None:
        """Add code as it is: it is optimised together with what is linked."""
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Link, optimise, and translate to machine code."""
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        _link_callees(self, self._final_module)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()


def _link_callees(library: Any, module: Any) -> None:
    """Link everything that a library needs into a module: callers first, as LLVM wants it."""
    for callee in _callees(library):
        part = isinstance(callee, PartLibrary)
        linked = callee.own_module() if part else callee._get_module_for_linking()
        module.link_in(linked, preserve=True)


def _callees(library: Any) -> dict[Any, None]:
    """The libraries that a library needs directly or indirectly, callers before callees."""
    found: dict[Any, None] = {}

    def visit(caller: Any) -> None:
        for callee in caller._linking_libraries:
            if callee not in found:
                if isinstance(callee, PartLibrary):
                    visit(callee)
                found[callee] = None

    visit(library)
    return dict.fromkeys(reversed(found))
