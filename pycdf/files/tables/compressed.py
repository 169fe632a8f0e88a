"""Compressed files: gzip, bzip2, xz and Zstandard, unpacked within limits, and zip archives."""

import bz2
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from pycdf.files.tables.errors import DataFileError
from pycdf.files.tables.limits import check_size, limit
from pycdf.support.options import option
from pycdf.support.wording import few

_MEMORY = 2**28  # that xz may use for its dictionary; `xz -9` needs 65 MB
_LAYERS = 3


def _zstd() -> Any:
    for name, make in (
        ("compression.zstd", "ZstdDecompressor"),  # Python 3.14
        ("backports.zstd", "ZstdDecompressor"),
    ):
        with suppress(ImportError):
            return getattr(import_module(name), make)()
    raise DataFileError(
        "reading Zstandard needs backports.zstd before Python 3.14: pip install backports.zstd "
        "(or unpack it first, with zstd -d)."
    )


_PACKERS: dict[bytes, tuple[str, Callable[[], Any]]] = {
    b"\x1f\x8b": ("gzip", lambda: zlib.decompressobj(wbits=31)),
    b"BZh": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd7zXZ\0": ("xz", lambda: lzma.LZMADecompressor(memlimit=_MEMORY)),
    b"\x28\xb5\x2f\xfd": ("Zstandard", _zstd),
}
ENDINGS = (".gz", ".bz2", ".xz", ".zst")
"""The usual endings of names."""


def unpacked(data: bytes) -> bytes:
    """The content of a compressed file; other data as they are."""
    size = len(data)
    for _ in range(_LAYERS):
        magic = next((magic for magic in _PACKERS if data.startswith(magic)), None)
        if magic is None:
            break
        data = _unpack(data, *_PACKERS[magic], most=limit(size))
    return data


def _unpack(data: bytes, name: str, make: Callable[[], Any], most: int) -> bytes:
    parts: list[bytes] = []
    total = 0
    rest = data
    while rest.strip(b"\0"):  # streams end to end are one; tape archives pad them with zeros
        unpacker = make()
        try:
            part = unpacker.decompress(rest, most + 1 - total)
        except Exception as error:  # each library has errors of its own, and all mean the same
            if parts:
                raise DataFileError(f"there is something else behind the {name} data.") from None
            raise DataFileError(f"it is damaged {name} data: {error}.") from None
        total += len(part)
        if total > most:
            raise DataFileError(
                f"it unpacks to more than {most / 2**30:,.1f} GB, out of all proportion to its "
                "size: it is damaged or made to fill the memory. If it is right, unpack it first."
            )
        parts.append(part)
        if not unpacker.eof:
            raise DataFileError(f"its {name} data end too early: the file is incomplete.")
        rest = unpacker.unused_data
    return b"".join(parts)


def open_zip(data: bytes) -> zipfile.ZipFile:
    """A zip archive whose members fit the memory."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        check_size(sum(one.file_size for one in archive.infolist()), len(data), "its content")
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        if isinstance(error, DataFileError):
            raise
        raise DataFileError(f"it is a damaged zip archive: {error}.") from None
    return archive


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The content of one member of a zip archive."""
    try:
        return archive.read(name)
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError) as error:
        raise DataFileError(f"it is a damaged zip archive: {error}.") from None
    except (RuntimeError, NotImplementedError) as error:
        raise DataFileError(f"{name} in it cannot be unpacked: {error}.") from None


def only_member(archive: zipfile.ZipFile, wanted: str | None) -> str:
    """The name of the only file in an archive, or of the one that is wanted."""
    names = [
        one.filename
        for one in archive.infolist()
        if not one.is_dir() and not any(part[:1] in (".", "_") for part in one.filename.split("/"))
    ]
    if wanted is not None and wanted not in names:
        raise DataFileError(f"the zip archive has no file {wanted!r}; it has {few(names, 6)}.")
    if wanted is None and len(names) != 1:
        if not names:
            raise DataFileError("the zip archive has no files.")
        raise DataFileError(
            f"the zip archive has {len(names)} files, {few(names, 6)}: choose one, such as "
            f"{option('sheet', names[0])}."
        )
    return wanted or names[0]
