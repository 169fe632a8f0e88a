"""Objects in files that R's ``saveRDS()`` and ``save()`` write, unpacked.

R describes the format in "R Internals", section "Serialization Formats". Only data are kept:
vectors with their attributes, lists and pairlists. Functions, environments and pointers, which the
attributes of a table may contain, are read over. Nothing is allocated that the file does not hold.
"""

import codecs
import re
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pycdf.base_r.numbers import number_text
from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.limits import check_size

NA_INTEGER = -(2**31)
_RDS, _SAVED = b"X\n", (b"RDX2\n", b"RDX3\n")
_FIRST = re.compile(rb"RD[XAB][23]\n|X\n\0\0\0[\x02\x03]|A\n[23]\n[0-9]{6}\n|B\n[\x02\x03]\0\0\0")
_PLAIN = {10: ">i4", 13: ">i4", 14: ">f8", 15: ">c16"}
_KINDS = {10: "logical", 13: "integer", 14: "double", 15: "complex", 16: "character", 19: "list",
          20: "expression", 24: "raw"}  # fmt: skip
_SINGLE = {254, 253, 252, 251, 242, 241, 247, 248}  # NULL, environments and marks without content
HOW_TO_SAVE = "with saveRDS(as.data.frame(x), 'x.rds')."
_ONLY_THE_TABLE = f"save only the table, {HOW_TO_SAVE}"
_LATIN1, _UTF8 = 1 << 2, 1 << 3


@dataclass
class RObject:
    """A vector or list of R: its kind, its elements and its attributes."""

    kind: str
    values: Any
    """A numpy array; a list for character vectors (None is NA), lists and pairlists."""
    attributes: dict[str, Any] = field(default_factory=dict)

    def texts(self, name: str) -> list[str | None]:
        """An attribute that is a character vector; empty if there is none."""
        found = self.attributes.get(name)
        return found.values if isinstance(found, RObject) and found.kind == "character" else []


def is_r_file(data: bytes) -> bool:
    """Whether these are the first bytes of a file by saveRDS() or save(), unpacked."""
    return _FIRST.match(data) is not None


def read_objects(data: bytes) -> dict[str, Any]:
    """The objects of a file by name; that of ``saveRDS()`` has the name ""."""
    saved = data.startswith(_SAVED)
    body = data[5:] if saved else data
    if not body.startswith(_RDS):
        raise DataFileError(
            "it was saved by R with ascii = TRUE or in a machine's own format: save it again "
            "without this option."
        )
    try:
        found = _Reader(body).item()
    except RecursionError:
        raise DataFileError(f"its objects are nested too deeply: {_ONLY_THE_TABLE}") from None
    except (struct.error, UnicodeError, LookupError):
        raise DataFileError("it is a damaged R file: its parts do not fit together.") from None
    if not saved:
        return {"": found}
    if not isinstance(found, RObject) or found.kind != "pairlist":
        raise DataFileError("it is a damaged R file: it has no list of objects.")
    return {str(name): value for name, value in found.values}


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 2
        self._seen: list[Any] = []  # symbols and environments, which later items refer to
        version, _, _ = (self._int() for _ in range(3))
        if version not in (2, 3):
            raise DataFileError(f"it is an R file of the unknown version {version}.")
        self._encoding = "UTF-8"
        if version == 3:
            name = self._take(self._int()).decode("latin-1")
            try:
                self._encoding = codecs.lookup(name).name
            except (LookupError, ValueError):
                raise DataFileError(
                    f"it is a damaged R file: {name[:40]!r} is no encoding."
                ) from None

    def _take(self, size: int) -> bytes:
        if size < 0 or size > len(self._data) - self._at:
            raise DataFileError("it is a damaged R file: it ends too early.")
        self._at += size
        return self._data[self._at - size : self._at]

    def _int(self) -> int:
        (value,) = struct.unpack(">i", self._take(4))
        return int(value)

    def _length(self, width: int) -> int:
        """The length of a vector whose elements take at least so many bytes."""
        length = self._int()
        if length == -1:
            length = (self._int() << 32) + self._int()
        if length < 0 or length * width > len(self._data) - self._at:
            raise DataFileError("it is a damaged R file: it ends too early.")
        return length

    def item(self) -> Any:
        flags = self._int()
        kind = flags & 0xFF
        if kind in _SINGLE:
            return None
        if kind == 255:  # a reference
            number = flags >> 8 or self._int()
            return self._seen[number - 1]
        if kind == 1:
            symbol = self.item()
            self._seen.append(symbol)
            return symbol
        if kind in (2, 5, 6, 17, 239, 240, 3):
            return self._pairs(flags)
        if kind == 4:
            return self._environment()
        if kind in (249, 250):  # a namespace or package
            self._int()
            for _ in range(self._length(4)):
                self.item()
            self._seen.append(None)
            return None
        if kind == 9:
            return self._text(flags)
        if kind == 238:
            return self._altrep()
        if kind in (22, 23):  # a pointer, a weak reference
            self._seen.append(None)
            if kind == 22:
                self.item(), self.item()
            self._attributes(flags)
            return None
        if kind in (7, 8):  # a function of R's own
            self._take(self._int())
            return None
        return self._vector(kind, flags)

    def _vector(self, kind: int, flags: int) -> RObject:
        values: Any
        if kind in _PLAIN:
            form = np.dtype(_PLAIN[kind])
            count = self._length(form.itemsize)
            values = np.frombuffer(self._take(count * form.itemsize), dtype=form)
            values = values.astype(form.newbyteorder("="))
        elif kind == 24:
            values = np.frombuffer(self._take(self._length(1)), dtype=np.uint8)
        elif kind in (16, 19, 20):
            values = [self.item() for _ in range(self._length(4))]
        elif kind == 25:
            return RObject("S4", None, self._attributes(flags))
        else:
            raise DataFileError(
                f"it has objects that are no data, such as compiled functions: {_ONLY_THE_TABLE}"
            )
        return RObject(_KINDS[kind], values, self._attributes(flags))

    def _pairs(self, flags: int) -> RObject:
        """A pairlist, or a call or function, which has the same form."""
        pairs = []
        attributes: dict[str, Any] = {}
        while True:
            if flags & 0x200:
                attributes |= _named(self.item())
            tag = self.item() if flags & 0x400 else ""
            pairs.append((tag, self.item()))
            (flags,) = struct.unpack(">i", self._data[self._at : self._at + 4])
            if flags & 0xFF not in (2, 6):
                last = self.item()
                if last is not None:
                    pairs.append(("", last))
                return RObject("pairlist", pairs, attributes)
            self._at += 4

    def _environment(self) -> None:
        self._int()
        self._seen.append(None)
        for _ in range(4):
            self.item()

    def _text(self, flags: int) -> str | None:
        size = self._int()
        if size == -1:
            return None
        raw = self._take(size)
        levels = flags >> 12
        encoding = "latin-1" if levels & _LATIN1 else "UTF-8" if levels & _UTF8 else self._encoding
        try:
            return str(raw, encoding)
        except (UnicodeDecodeError, LookupError):  # or the encoding is none of text
            return raw.decode("latin-1")

    def _attributes(self, flags: int) -> dict[str, Any]:
        return _named(self.item()) if flags & 0x200 else {}

    def _altrep(self) -> RObject:
        """A vector in a compact form: a sequence, numbers that are to become text, a wrapper."""
        info, state, attributes = self.item(), self.item(), _named(self.item())
        name = info.values[0][1] if isinstance(info, RObject) and info.kind == "pairlist" else ""
        parts = state.values if isinstance(state, RObject) else []
        first = parts[0] if len(parts) else None
        if isinstance(first, tuple):
            first = first[1]
        if name in ("compact_intseq", "compact_realseq") and len(parts) == 3:
            count, start, step = (float(part) for part in parts)
            if not (0 <= count < 2**52 and abs(start) < 2**52):
                raise DataFileError("it is a damaged R file: a sequence has no end.")
            check_size(int(count) * 8, len(self._data), "a sequence of numbers")
            values = start + step * np.arange(int(count), dtype=np.float64)
            if name == "compact_intseq":
                return RObject("integer", values.astype(np.int32), attributes)
            return RObject("double", values, attributes)
        if not isinstance(first, RObject):
            raise DataFileError(f"it has a vector in an unknown form of R, {name}.")
        if name == "deferred_string":
            numbers = first.values.tolist()
            if first.kind == "integer":
                texts = [None if one == NA_INTEGER else str(one) for one in numbers]
            else:
                texts = [number_text(one) for one in numbers]
            return RObject("character", texts, attributes)
        if str(name).startswith("wrap_"):
            return RObject(first.kind, first.values, first.attributes | attributes)
        raise DataFileError(f"it has a vector in an unknown form of R, {name}.")


def _named(pairs: Any) -> dict[str, Any]:
    if not isinstance(pairs, RObject) or pairs.kind != "pairlist":
        return {}
    return {str(name): value for name, value in pairs.values}
