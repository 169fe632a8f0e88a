"""The container of a model file: a zip archive of a JSON header and plain arrays.

:func:`pack` turns a header and arrays into bytes; :func:`unpack_header` and :func:`unpack_array`
reverse it, given the archive's members (:mod:`pycdf.files.zip_members`). Any zip tool opens such a
file, and ``numpy.load`` reads its arrays. Reading trusts nothing: every length is compared with the
actual data before memory is allocated for it, and any fault raises ``ValueError``.
"""

import io
import json
import math
import re
import zipfile
from itertools import chain
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from pycdf.files.zip_members import DEFLATED, STORED, Archive, pieces, unpacked_limit

HEADER = "header.json"
_NPY = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': *'([^']{1,8})', *'fortran_order': *False, "
    rb"*'shape': *\(([0-9, ]{0,64})\),? *\} *\n",
    re.DOTALL,
)
_LONGEST_NPY = 10 + 2**16  # bytes of an array's own header
_NOT_IN_JSON = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_JSON_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{,]', re.DOTALL)
_CONTAINERS = 128  # of a header, apart from labels
_LABEL = 20  # bytes that a label takes at least if it is a JSON object
_VALUES = 512  # of a header, apart from names and labels


def pack(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]], more: int) -> bytes:
    """The bytes of a file: the header first, uncompressed, then the arrays, deflated.

    ``more`` is the memory in bytes that the content takes apart from these arrays.
    """
    try:
        first = _json(header, ascii_only=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, from bytes that were not text
        first = _json(header, ascii_only=True).encode()
    members = {f"{name}.npy": _npy(array) for name, array in arrays.items()}
    packed = _archive(first, members, DEFLATED)
    if len(first) + sum(map(len, members.values())) + more > unpacked_limit(len(packed)):
        packed = _archive(first, members, STORED)  # deflated, it would look like a zip bomb
    return packed


def unpack_header(archive: Archive, most_values: int) -> dict[str, Any]:
    """The header as a dictionary, unless it has more values than names and labels can explain."""
    if HEADER not in archive.members:
        raise ValueError(f"it has no member {HEADER}")
    if archive.members[HEADER].method != STORED:
        raise ValueError(f"its member {HEADER} is compressed; it must be stored uncompressed")
    text = bytearray()
    for piece in pieces(archive, HEADER):
        if _NOT_IN_JSON.search(piece):  # before more of it is read
            raise ValueError(f"its member {HEADER} contains control characters")
        text += piece
    _check_json(text, most_values)
    try:
        header = json.loads(text.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise ValueError(f"its member {HEADER} is not JSON") from None
    if not isinstance(header, dict):
        raise ValueError(f"its member {HEADER} is not a JSON object")
    return header


def check_array(archive: Archive, name: str, dtype: str, shape: tuple[int, ...]) -> None:
    """Raise an error unless there is a member for the array, of a size that fits."""
    member = archive.members.get(f"{name}.npy")
    if member is None:
        raise ValueError(f"it has no member {name}.npy")
    length = _length(dtype, shape)
    if not length < member.size <= length + _LONGEST_NPY:
        raise ValueError(f"{name} has {member.size:,} bytes instead of {length:,}")


def unpack_array(
    archive: Archive, name: str, dtype: str, shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    """The array of the given dtype and shape, in native byte order, after :func:`check_array`."""
    parts = pieces(archive, f"{name}.npy")
    size = archive.members[f"{name}.npy"].size - _length(dtype, shape)
    start = bytearray()
    for piece in parts:
        start += piece
        if len(start) >= size:
            break
    match = _NPY.fullmatch(bytes(start[:size]))
    if (
        match is None
        or int.from_bytes(match[1], "little") != size - 10
        or match[2].decode("ascii", "replace") != dtype
        or _extents(match[3]) != shape
    ):
        raise ValueError(f"{name} is not an array of dtype {dtype} and shape {shape}")
    values = np.empty(shape, dtype)
    content = values.reshape(-1).view(np.uint8)
    filled = 0
    for piece in chain((bytes(start[size:]),), parts):
        content[filled : filled + len(piece)] = np.frombuffer(piece, np.uint8)
        filled += len(piece)
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _check_json(text: bytearray, most_values: int) -> None:
    """Parsed JSON takes many times its length in memory: count its values before."""
    most = {b"[": _CONTAINERS + len(text) // _LABEL, b",": _VALUES + most_values}
    if text.count(b"[") + text.count(b"{") <= most[b"["] and text.count(b",") <= most[b","]:
        return
    left = {b"[": most[b"["], b"{": most[b"["], b",": most[b","]}  # now without those in texts
    for token in _JSON_TOKEN.finditer(text):
        mark = bytes(token[0][:1])
        if mark in left:
            left[mark] -= 1
            if left[mark] < 0:
                raise ValueError(f"its member {HEADER} has more values than a model's")


def _length(dtype: str, shape: tuple[int, ...]) -> int:
    return np.dtype(dtype).itemsize * math.prod(shape)


def _json(header: dict[str, Any], ascii_only: bool) -> str:
    """JSON with one line per key: easy to read, and compact."""
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)}"
        for key, value in header.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _npy(array: npt.NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
    return file.getvalue()


def _archive(header: bytes, members: dict[str, bytes], method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", allowZip64=False) as archive:
        for name, content in {HEADER: header, **members}.items():
            info = zipfile.ZipInfo(name)  # dated 1980, so that the same model gives the same bytes
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, STORED if name == HEADER else method)
    return file.getvalue()


def _extents(text: bytes) -> tuple[int, ...] | None:
    """The shape in an array's header, such as ``12, 3``; None if it is malformed."""
    parts = [part.strip() for part in text.split(b",")]
    if parts[-1] == b"":
        parts.pop()
    return tuple(int(part) for part in parts) if all(map(bytes.isdigit, parts)) else None
