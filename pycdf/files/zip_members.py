"""The members of a zip archive, read without trust and without holding the file in memory.

:func:`read_members` reads the table of contents, and :func:`pieces` a member's content, piece by
piece. Nothing is allocated for a size that the file only claims: sizes are compared with each other
and with that of the file first. Any fault raises ``ValueError``.
"""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
_PIECE = 2**18  # bytes
_MOST_MEMBERS = 64
_LONGEST_TABLE = 2**20  # bytes; the table of a model file has about 1,000
_MOST_INFLATED = 1032  # bytes that one byte of a deflated member can become
_RATIO = 64  # the arrays of a forest hardly ever compress better than this; a zip bomb does
_ALWAYS_ALLOWED = 2**26  # bytes, whatever the ratio
_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_SIGNATURE = b"PK\x03\x04"
_ENCRYPTED = 1


@dataclass(frozen=True)
class Member:
    """Where a member is in the file, and the size and checksum of its content."""

    method: int
    local: int  # where its own header begins, and behind that
    start: int  # its content
    packed: int
    size: int
    crc: int


@dataclass(frozen=True)
class Archive:
    """An open file, its size and its members."""

    file: BinaryIO
    size: int
    members: dict[str, Member]


def unpacked_limit(size: int) -> int:
    """How many bytes of memory the content of a file of this size may take."""
    return _ALWAYS_ALLOWED + _RATIO * size


def read_members(file: BinaryIO) -> Archive:
    """The archive in a file, after checking its table of contents."""
    if file.read(len(_SIGNATURE)) != _SIGNATURE:
        raise ValueError("it does not start with a zip signature")
    size = file.seek(0, 2)
    last = _at(file, max(0, size - _END.size), _END.size)
    if len(last) < _END.size or last[:4] != b"PK\x05\x06":
        raise ValueError("it is truncated, or there is extra data at its end")
    _, disk, _, _, count, length, offset, _ = _END.unpack(last)
    if disk or count > _MOST_MEMBERS or length > _LONGEST_TABLE:
        raise ValueError("its table of contents is too long")
    if offset + length + _END.size != size:
        raise ValueError("its table of contents is not where it should be")
    members = _entries(file, _at(file, offset, length), count)
    _check_sizes(members, size)
    _check_places(members, offset)
    return Archive(file, size, members)


def pieces(archive: Archive, name: str) -> Iterator[bytes]:
    """A member's content in pieces; its size and checksum are checked while it is read."""
    member = archive.members[name]
    inflate = zlib.decompressobj(-zlib.MAX_WBITS) if member.method == DEFLATED else None
    made = crc = 0
    for packed in _packed(archive.file, name, member):
        for piece in (packed,) if inflate is None else _inflated(inflate, packed, name):
            made += len(piece)
            if made > member.size:
                raise ValueError(f"{name} is longer than it claims")
            crc = zlib.crc32(piece, crc)
            yield piece
    if made < member.size or crc != member.crc:
        raise ValueError(f"{name} is damaged: its checksum does not match")


def _at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)


def _entries(file: BinaryIO, table: bytes, count: int) -> dict[str, Member]:
    found: dict[str, Member] = {}
    damaged = ValueError("its table of contents is damaged")
    offset = 0
    for _ in range(count):
        if offset + _ENTRY.size > len(table):
            raise damaged
        fields = _ENTRY.unpack_from(table, offset)
        mark, _, _, flags, method, _, _, crc, packed, size, *lengths, _, _, _, local = fields
        offset += _ENTRY.size
        name = table[offset : offset + lengths[0]].decode("ascii", "replace")
        offset += sum(lengths)
        if mark != b"PK\x01\x02":
            raise damaged
        if name in found:
            raise ValueError(f"it has two members {name[:40]!r}")
        if flags & _ENCRYPTED or method not in (STORED, DEFLATED):
            raise ValueError(f"its member {name[:40]!r} is encrypted or has an unknown compression")
        found[name] = Member(method, local, _start(file, local), packed, size, crc)
    if offset != len(table):
        raise damaged
    return found


def _start(file: BinaryIO, local: int) -> int:
    """The offset of a member's content, after its local header."""
    header = _at(file, local, _LOCAL.size)
    if len(header) < _LOCAL.size or header[:4] != _SIGNATURE:
        raise ValueError("its table of contents points to something that is not a member")
    *_, name_length, extra = _LOCAL.unpack(header)
    return int(local + _LOCAL.size + name_length + extra)


def _check_sizes(members: dict[str, Member], size: int) -> None:
    for name, member in members.items():
        most = member.packed * (1 if member.method == STORED else _MOST_INFLATED)
        if member.size > most:
            raise ValueError(
                f"its member {name[:40]!r} claims to unpack {member.packed:,} bytes to "
                f"{member.size:,}"
            )
    total = sum(member.size for member in members.values())
    if total > unpacked_limit(size):
        raise ValueError(f"its {size:,} bytes claim to unpack to {total:,}")


def _check_places(members: dict[str, Member], table: int) -> None:
    """Members lie one behind the other, before the table of contents."""
    free = 0
    for member in sorted(members.values(), key=lambda member: member.local):
        if member.local < free:
            raise ValueError("its members overlap")
        free = member.start + member.packed
    if free > table:
        raise ValueError("a member is truncated")


def _packed(file: BinaryIO, name: str, member: Member) -> Iterator[bytes]:
    file.seek(member.start)
    left = member.packed
    while left:
        packed = file.read(min(left, _PIECE))
        if not packed:  # somebody is shortening the file
            raise ValueError(f"{name} is truncated")
        left -= len(packed)
        yield packed


def _inflated(inflate: "zlib._Decompress", packed: bytes, name: str) -> Iterator[bytes]:
    while True:
        try:
            piece = inflate.decompress(packed, _PIECE)
        except zlib.error:
            raise ValueError(f"{name} is damaged") from None
        yield piece
        packed = inflate.unconsumed_tail
        if not packed and len(piece) < _PIECE:  # nothing is waiting inside, either
            return
