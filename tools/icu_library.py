"""ICU through ctypes: its root collator, of whatever version is installed.

The library is found by its version (`libicui18n.so.78`), on the system or in a folder given. Only
plain C functions are used, so no header or binding is needed.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import re
from pathlib import Path
from typing import Any, NamedTuple

Element = tuple[int, int, int]
_UNIFIED_IDEOGRAPH = 29  # UCHAR_UNIFIED_IDEOGRAPH of uchar.h
_LONGEST = 64  # UTF-16 units of a contraction or decomposition; ICU reports an error beyond


class Versions(NamedTuple):
    """Major and minor version of ICU, of CLDR, and of the Unicode collation algorithm's data."""

    icu: tuple[int, int]
    cldr: tuple[int, int]
    unicode: tuple[int, int]


class Root:
    """ICU's root collator."""

    def __init__(self, version: int | None = None, folder: Path | None = None) -> None:
        self._version = version or installed_version()
        suffix = f".so.{self._version}"
        place = f"{folder.resolve()}/" if folder else ""
        # Each library needs the one before; loaded by hand, they may stand in any folder.
        ctypes.CDLL(f"{place}libicudata{suffix}", mode=ctypes.RTLD_GLOBAL)
        self._common = ctypes.CDLL(f"{place}libicuuc{suffix}", mode=ctypes.RTLD_GLOBAL)
        self._i18n = ctypes.CDLL(f"{place}libicui18n{suffix}", mode=ctypes.RTLD_GLOBAL)
        self._collator = ctypes.c_void_p(self._call(self._i18n, "ucol_open", b"root"))
        status = ctypes.c_int(0)
        self._nfd = ctypes.c_void_p(
            self._function(self._common, "unorm2_getNFDInstance")(ctypes.byref(status))
        )
        _check(status)

    def _function(self, library: ctypes.CDLL, name: str, restype: Any = ctypes.c_void_p) -> Any:
        """An ICU function; ICU appends its version to each name."""
        function = getattr(library, f"{name}_{self._version}")
        function.restype = restype
        return function

    def _call(
        self, library: ctypes.CDLL, name: str, *args: Any, restype: Any = ctypes.c_void_p
    ) -> Any:
        """Call a function whose last argument is ICU's error code."""
        status = ctypes.c_int(0)
        value = self._function(library, name, restype)(*args, ctypes.byref(status))
        _check(status)
        return value

    def versions(self) -> Versions:
        found = (ctypes.c_uint8 * 4)()
        self._function(self._common, "u_getVersion", None)(found)
        icu = found[0], found[1]
        self._call(self._i18n, "ulocdata_getCLDRVersion", found, restype=None)
        cldr = found[0], found[1]
        self._function(self._i18n, "ucol_getUCAVersion", None)(self._collator, found)
        return Versions(icu, cldr, (found[0], found[1]))

    def elements(self, text: str) -> list[Element]:
        """Primary, secondary and tertiary weight of each collation element."""
        units = text.encode("utf-16-le", "surrogatepass")
        iterator = ctypes.c_void_p(
            self._call(self._i18n, "ucol_openElements", self._collator, units, len(units) // 2)
        )
        found: list[Element] = []
        status = ctypes.c_int(0)
        step = self._function(self._i18n, "ucol_next", ctypes.c_int32)
        while (order := step(iterator, ctypes.byref(status)) & 0xFFFFFFFF) != 0xFFFFFFFF:
            primary, secondary, tertiary = order >> 16, order >> 8 & 0xFF, order & 0x3F
            if order & 0xC0 == 0xC0:  # the low halves of the element before
                before = found[-1]
                found[-1] = (before[0] | primary, before[1] | secondary, before[2] | tertiary)
            else:
                found.append((primary << 16, secondary << 8, tertiary << 8))
        self._function(self._i18n, "ucol_closeElements", None)(iterator)
        _check(status)
        return found

    def contractions(self) -> list[str]:
        """Every string of several code points that has elements of its own."""
        new_set = self._function(self._common, "uset_openEmpty")
        strings, expansions = ctypes.c_void_p(new_set()), ctypes.c_void_p(new_set())
        self._call(
            self._i18n, "ucol_getContractionsAndExpansions", self._collator, strings, expansions,
            ctypes.c_bool(True), restype=None,
        )  # fmt: skip
        texts = []
        for item in range(self._function(self._common, "uset_getItemCount", ctypes.c_int)(strings)):
            first, last = ctypes.c_int32(), ctypes.c_int32()
            units = (ctypes.c_uint16 * _LONGEST)()
            size = self._call(
                self._common, "uset_getItem", strings, item, ctypes.byref(first),
                ctypes.byref(last), units, _LONGEST, restype=ctypes.c_int32,
            )  # fmt: skip
            if size == 0:
                raise RuntimeError("a contraction of one code point")
            texts.append(bytes(units)[: 2 * size].decode("utf-16-le"))
        return sorted(texts)

    def combining_classes(self, point: int) -> tuple[int, int]:
        """Combining class of the first and of the last character of the decomposition."""
        units = (ctypes.c_uint16 * _LONGEST)()
        size = self._call(
            self._common, "unorm2_getDecomposition", self._nfd, point, units, _LONGEST,
            restype=ctypes.c_int32,
        )  # fmt: skip
        text = bytes(units)[: 2 * size].decode("utf-16-le") if size > 0 else None
        first, last = (ord(text[0]), ord(text[-1])) if text else (point, point)
        class_of = self._function(self._common, "u_getCombiningClass", ctypes.c_uint8)
        return class_of(first), class_of(last)

    def is_unified_ideograph(self, point: int) -> bool:
        has = self._function(self._common, "u_hasBinaryProperty", ctypes.c_int8)
        return bool(has(point, _UNIFIED_IDEOGRAPH))

    def compare(self, one: str, other: str) -> int:
        """-1, 0 or 1, as ICU sorts one text before, beside or after the other."""
        first, second = (text.encode("utf-16-le", "surrogatepass") for text in (one, other))
        collate = self._function(self._i18n, "ucol_strcoll", ctypes.c_int)
        return int(collate(self._collator, first, len(first) // 2, second, len(second) // 2))


def installed_version() -> int:
    """The major version of the ICU that the system's linker finds."""
    name = ctypes.util.find_library("icui18n")
    if name is None:
        raise SystemExit("There is no libicui18n here: install ICU, or pass --icu and --folder.")
    return int(re.findall(r"\d+", name)[-1])


def _check(status: ctypes.c_int) -> None:
    if status.value > 0:  # negative codes are warnings
        raise RuntimeError(f"ICU reports error {status.value}")
