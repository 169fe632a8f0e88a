"""The container of a model file: a zip archive of a JSON header and plain arrays.

:func:`pack` turns a header and arrays into bytes; :func:`unpack_header` and :func:`unpack_array`
reverse it. Any zip tool opens such a file, and ``numpy.load`` reads its arrays. Reading trusts
nothing: every length is checked against the actual data before memory is allocated for it, and any
fault raises ``ValueError``.
"""

import io
import json
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

HEADER = "header.json"
_MOST_MEMBERS = 64
_RATIO = 64  # the arrays of a forest hardly ever compress better than this; a zip bomb does
_ALWAYS_ALLOWED = 2**26  # bytes, whatever the ratio
_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_STORED, _DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
_ENCRYPTED = 1
_NPY = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': *'([^']{1,8})', *'fortran_order': *False, "
    rb"*'shape': *\(([0-9, ]{0,64})\),? *\} *\n",
    re.DOTALL,
)


@dataclass(frozen=True)
class Member:
    """Where a member's bytes are in the file, and the size and checksum of its content."""

    method: int
    start: int
    packed: int
    size: int
    crc: int


def pack(header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> bytes:
    """The bytes of a file: the header first, uncompressed, then the arrays, deflated."""
    try:
        first = _json(header, ascii_only=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, from bytes that were not text
        first = _json(header, ascii_only=True).encode()
    members = {f"{name}.npy": _npy(array) for name, array in arrays.items()}
    packed = _archive(first, members, _DEFLATED)
    if sum(map(len, members.values())) > unpacked_limit(len(packed)):
        packed = _archive(first, members, _STORED)  # deflated, it would look like a zip bomb
    return packed


def unpacked_limit(size: int) -> int:
    """How many bytes a file of this size may unpack to."""
    return _ALWAYS_ALLOWED + _RATIO * size


def members(data: bytes) -> dict[str, Member]:
    """The members of an archive by name, from its table of contents."""
    if data[:4] != b"PK\x03\x04":
        raise ValueError("it does not start with a zip signature")
    if len(data) < _END.size or data[-_END.size :][:4] != b"PK\x05\x06":
        raise ValueError("it is truncated, or there is extra data at its end")
    _, disk, _, _, count, length, offset, _ = _END.unpack(data[-_END.size :])
    if disk or count > _MOST_MEMBERS or offset + length + _END.size != len(data):
        raise ValueError("its table of contents is damaged")
    found: dict[str, Member] = {}
    end = offset + length
    for _ in range(count):
        if offset + _ENTRY.size > end:
            raise ValueError("its table of contents is damaged")
        fields = _ENTRY.unpack_from(data, offset)
        mark, _, _, flags, method, _, _, crc, packed, size, *lengths, _, _, _, local = fields
        offset += _ENTRY.size
        name = data[offset : offset + lengths[0]].decode("ascii", "replace")
        offset += sum(lengths)
        if mark != b"PK\x01\x02" or name in found or offset > end:
            raise ValueError("its table of contents is damaged")
        if flags & _ENCRYPTED or method not in (_STORED, _DEFLATED):
            raise ValueError(f"its member {name!r} is encrypted or has an unknown compression")
        found[name] = Member(method, _start(data, local), packed, size, crc)
    total = sum(member.size for member in found.values())
    if total > unpacked_limit(len(data)):
        raise ValueError(f"its {len(data):,} bytes claim to unpack to {total:,}")
    if sum(member.packed for member in found.values()) > len(data):
        raise ValueError("its members overlap")
    return found


def unpack_header(data: bytes, contents: dict[str, Member]) -> dict[str, Any]:
    """The header as a dictionary."""
    if HEADER not in contents:
        raise ValueError(f"it has no member {HEADER}")
    if contents[HEADER].method != _STORED:  # parsed JSON takes many times its length in memory
        raise ValueError(f"its member {HEADER} is compressed; it must be stored uncompressed")
    try:
        header = json.loads(_bytes(data, HEADER, contents[HEADER]))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ValueError(f"its member {HEADER} is not JSON") from None
    if not isinstance(header, dict):
        raise ValueError(f"its member {HEADER} is not a JSON object")
    return header


def unpack_array(
    data: bytes, contents: dict[str, Member], name: str, dtype: str, shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    """The array of the given dtype and shape, converted to native byte order."""
    member = contents.get(f"{name}.npy")
    if member is None:
        raise ValueError(f"it has no member {name}.npy")
    length = np.dtype(dtype).itemsize
    for extent in shape:
        length *= extent
    if not length < member.size <= length + 2**16:
        raise ValueError(f"{name} has {member.size:,} bytes instead of {length:,}")
    raw = _bytes(data, name, member)
    match = _NPY.match(raw)
    if (
        match is None
        or match.end() != 10 + int.from_bytes(match[1], "little")
        or match.end() + length != len(raw)
        or match[2].decode("ascii", "replace") != dtype
        or _extents(match[3]) != shape
    ):
        raise ValueError(f"{name} is not an array of dtype {dtype} and shape {shape}")
    values = np.frombuffer(raw, dtype=dtype, offset=match.end()).reshape(shape)
    return values.astype(values.dtype.newbyteorder("="), order="C", copy=True)


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
            archive.writestr(info, content, _STORED if name == HEADER else method)
    return file.getvalue()


def _start(data: bytes, local: int) -> int:
    """The offset of a member's content, after its local header."""
    if local + _LOCAL.size > len(data) or data[local : local + 4] != b"PK\x03\x04":
        raise ValueError("its table of contents is damaged")
    *_, name_length, extra = _LOCAL.unpack_from(data, local)
    return int(local + _LOCAL.size + name_length + extra)


def _bytes(data: bytes, name: str, member: Member) -> bytes:
    """A member's content, uncompressed and checked."""
    packed = data[member.start : member.start + member.packed]
    if len(packed) != member.packed:
        raise ValueError(f"{name} is truncated")
    if member.method == _STORED:
        content = packed
    else:
        inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflate.decompress(packed, member.size + 1)
        except zlib.error:
            raise ValueError(f"{name} is damaged") from None
        if not inflate.eof:
            raise ValueError(f"{name} is longer than it claims, or truncated")
    if len(content) != member.size or zlib.crc32(content) != member.crc:
        raise ValueError(f"{name} is damaged: its checksum does not match")
    return content


def _extents(text: bytes) -> tuple[int, ...] | None:
    """The shape in an array's header, such as ``12, 3``; None if it is malformed."""
    parts = [part.strip() for part in text.split(b",")]
    if parts[-1] == b"":
        parts.pop()
    return tuple(int(part) for part in parts) if all(map(bytes.isdigit, parts)) else None
