"""A small model file made by hand, and ways to alter it, for tests of what a reader refuses.

Two trees on six rows, three classes and four columns, one of which is not used. Alterations leave
the checksums and everything else in order, so that only the check in question can notice them.
"""

import json
import struct
import zlib

import numpy as np
from model_mutations import as_npy, write_members

from pycdf import RStream

END = struct.Struct("<4s4H2LH")
ENTRY = struct.Struct("<4s6H3L5H2L")
LOCAL = struct.Struct("<4s5H3L2H")
FLAGS, METHOD, CRC, PACKED, SIZE, PLACE = 3, 4, 7, 8, 9, 16  # fields of an entry


def small_arrays():
    """The arrays of the file by name."""
    ints, longs = (lambda *v: np.array(v, "<i4")), (lambda *v: np.array(v, "<i8"))
    return {
        "tree_start": longs(0, 5, 6),
        "parent": ints(-1, 0, 1, 1, 0, -1),
        "branch": ints(-1, 0, 0, 1, 1, -1),
        "depth": ints(0, 1, 2, 2, 1, 0),
        "rows": ints(6, 4, 2, 2, 2, 6),
        "leaf": ints(-1, -1, 0, 1, 0, 2),
        "counts": np.array(
            [[3, 2, 1], [2, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 0], [2, 2, 2]], "<i4"
        ),
        "class_start": longs(0, 3, 6, 6, 6, 6, 6),
        "node_classes": ints(0, 1, 2, 1, 0, 2),
        "children": ints(1, 4, -1, 2, 3, -1),
        "feature_start": longs(0, 2, 4, 4, 4, 4, 4),
        "features": ints(1, 0, 2, 1),
        "centroid_start": longs(0, 6, 12, 12, 12, 12, 12),
        "centroids": np.arange(12.0) / 8,
        "inbag": np.array([[1, 2, 0, 1, 2, 0], [1, 1, 1, 1, 1, 1]], "|u1"),
        "kept": np.array([1, 1, 0, 1], "|u1"),
        "stream": RStream(1).state[:625].astype("<u4"),
    }


def small_header(arrays):
    """The header for these arrays."""
    return {
        "format": "pycdf model",
        "version": 1,
        "written_by": {"pycdf": "0.1.0"},
        "classes": {"dtype": "object", "values": ["a", "b", "c"]},
        "parameters": {"ntrees": 2, "depth": 2, "mnode": 4, "k": 2, "mtry": 3},
        "options": {
            "integer": False, "ddof": 1, "collation": "icu", "streams": "r", "bootstrap": True,
        },
        "seed": 1,
        "arrays": {
            name: {"dtype": array.dtype.str, "shape": list(array.shape)}
            for name, array in arrays.items()
        },
        "feature_names": ["w", "x", "y", "z"],
    }  # fmt: skip


def file_of(header, arrays, **more):
    """The bytes of a file with this header, an object or JSON text, and these arrays."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    members = {"header.json": text, **{f"{name}.npy": as_npy(a) for name, a in arrays.items()}}
    return write_members({**members, **more})


def small_file(**arrays):
    """The file, with these arrays instead of its own."""
    changed = {**small_arrays(), **arrays}
    return file_of(small_header(changed), changed)


def with_cells(**cells):
    """The file with other numbers: ``with_cells(leaf={0: 1})`` sets the first leaf to 1."""
    arrays = small_arrays()
    for name, changes in cells.items():
        for place, value in changes.items():
            arrays[name][place] = value
    return file_of(small_header(arrays), arrays)


def with_header(changes, **arrays):
    """The file with other values in its header: keys are paths such as ``"parameters.k"``."""
    changed = {**small_arrays(), **arrays}
    header = small_header(changed)
    for path, value in changes.items():
        *outer, last = path.split(".")
        place = header
        for key in outer:
            place = place[key]
        if value is REMOVED:
            del place[last]
        else:
            place[last] = value
    return file_of(header, changed)


REMOVED = object()


def parts_of(data):
    """A file's members as bytes, its table of contents as lists of fields, and its end record."""
    end = list(END.unpack(data[-END.size :]))
    place, entries = end[6], []
    for _ in range(end[4]):
        fields = list(ENTRY.unpack_from(data, place))
        name = data[place + ENTRY.size :][: fields[10]]
        entries.append([fields, name])
        place += ENTRY.size + fields[10]
    return data[: end[6]], entries, end


def joined(body, entries, end, behind_table=b"", in_table=b""):
    """The file of these parts; the end record gets the place and length of the table."""
    table = b"".join(ENTRY.pack(*fields) + name for fields, name in entries) + in_table
    end = [*end[:5], len(table), len(body), 0]
    return body + table + behind_table + END.pack(*end)


def with_entry(name, changes, data=None):
    """The file with other fields in a member's entry of the table of contents."""
    body, entries, end = parts_of(small_file() if data is None else data)
    for fields, found in entries:
        if found == name.encode():
            for at, value in changes.items():
                fields[at] = value
    return joined(body, entries, end)


def entry_of(name, data):
    """The fields of a member's entry."""
    return next(fields for fields, found in parts_of(data)[1] if found == name.encode())


def with_packed(name, packed, size, crc=0, method=8):
    """The file with a member that is stored as ``packed`` and claims this size and checksum."""
    body, entries, end = parts_of(small_file())
    local = LOCAL.pack(b"PK\3\4", 20, 0, method, 0, 33, crc, len(packed), size, len(name), 0)
    place = len(body)
    body += local + name.encode() + packed
    for fields, found in entries:
        if found == name.encode():
            fields[METHOD], fields[CRC], fields[PACKED] = method, crc, len(packed)
            fields[SIZE], fields[PLACE] = size, place
    return joined(body, entries, end)


def deflated(content):
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def npy_with(array, old, new):
    """An array's member with other text in its header."""
    content = as_npy(array)
    assert old in content
    return content.replace(old, new, 1)
