"""Model files that were altered by chance or by malice, for tests/files/test_model_files.py.

A mutation takes the bytes of a good file and a random generator and returns those of a bad one.
Most mutations put the checksums right again, so that the checks behind them are reached. As a
script, this loads many such files and uses those that load, with bounds checks in the kernels:

    NUMBA_BOUNDSCHECK=1 python tests/model_mutations.py 10000
"""

import collections
import faulthandler
import io
import json
import random
import struct
import sys
import time
import zipfile
from pathlib import Path

import numpy as np

STRANGE = (
    None, True, False, 0, 1, -1, 2, 3, 2**31 - 1, 2**31, -(2**31), 2**40, 2**63, 2**70, 1.0, 0.5,
    -0.0, 1e308, "", "x", "0", "P", "\ud800", "object", "<U9", "<U999999999", "|O", "<f8", "<i4",
    [], [0], [[]], {}, {"type": "float", "value": "nan"}, {"type": "Timestamp", "value": "now"},
    {"type": "int8", "value": 300}, {"dtype": "object", "values": []},
)  # fmt: skip
NUMBERS = (0, 1, 2, 3, -1, -2, 127, 255, 2**15, 2**31 - 1, -(2**31), 2**62, -(2**63), 2**63 - 1)


def read_members(data):
    """A file's members, unpacked."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def write_members(members, method=zipfile.ZIP_DEFLATED):
    """A file of these members, with checksums that are right."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(
                zipfile.ZipInfo(name), content, 0 if name == "header.json" else method, 1
            )
    return file.getvalue()


def as_array(content):
    return np.load(io.BytesIO(content))


def as_npy(array):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.ascontiguousarray(array), version=(1, 0))
    return file.getvalue()


def flip_bytes(data, rng):
    """Other bytes anywhere, checksums wrong."""
    altered = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        altered[rng.randrange(len(altered))] = rng.randrange(256)
    return bytes(altered)


def cut_or_lengthen(data, rng):
    """Cut off, cut out, doubled or lengthened."""
    start, stop = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return rng.choice(
        (
            data[:start],
            data[start:],
            data[:start] + data[stop:],
            data[:stop] + data[start:],
            data + rng.randbytes(30),
            rng.randbytes(30) + data,
        )
    )


def alter_contents_table(data, rng):
    """Other sizes, offsets, names or counts in the zip archive's own table."""
    altered = bytearray(data)
    (start,) = struct.unpack_from("<L", data, len(data) - 6)
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.randrange(start, len(data) - 4)
        new = rng.choice(
            (rng.randbytes(rng.choice((1, 2, 4))), b"\xff\xff\xff\xff", b"\0\0\0\0", b"\1\0\0\0")
        )
        altered[place : place + len(new)] = new
    return bytes(altered)


def alter_header(data, rng):
    """Other values in the JSON header."""
    members = read_members(data)
    header = json.loads(members["header.json"])
    for _ in range(rng.choice((1, 1, 1, 2))):
        place = header
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            if not keys:
                break
            key = rng.choice(list(keys))
            inner = place[key]
            if isinstance(inner, dict | list) and rng.random() < 0.8:
                place = inner
                continue
            what = rng.random()
            if what < 0.1:
                del place[key]
            elif type(inner) is int and what < 0.5:
                place[key] = inner + rng.choice((-1, 1, 2, 10**6))
            elif isinstance(inner, str) and what < 0.3:
                place[key] = inner[:-1] + rng.choice("1248xUP")
            else:
                place[key] = rng.choice(STRANGE)
            break
    text = json.dumps(header).encode()
    if rng.random() < 0.1:
        text = flip_bytes(text, rng)
    return write_members({**members, "header.json": text})


def alter_values(data, rng):
    """Other numbers in one array or two, checksums right."""
    members = read_members(data)
    for _ in range(rng.choice((1, 1, 1, 2))):
        name = rng.choice([name for name in members if name.endswith(".npy")])
        array = as_array(members[name])
        flat = array.reshape(-1)
        if not flat.size:
            continue
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(flat.size)
            if array.dtype.kind == "f":
                flat[at] = rng.choice((np.nan, np.inf, -np.inf, 1e308, 5e-324, -0.0))
                continue
            how = rng.random()
            limits = np.iinfo(array.dtype)
            if how < 0.5:
                new = int(flat[at]) + rng.choice((-2, -1, 1, 2))
            elif how < 0.75:
                new = int(flat[rng.randrange(flat.size)])
            else:
                new = rng.choice(NUMBERS)
            flat[at] = max(limits.min, min(limits.max, new))
        members[name] = as_npy(array)
    return write_members(members)


def swap_values(data, rng):
    """Two entries of an array change places, or a run of them is turned."""
    members = read_members(data)
    name = rng.choice([name for name in members if name.endswith(".npy")])
    flat = as_array(members[name])
    if len(flat) > 1:
        one, other = sorted(rng.sample(range(len(flat)), 2))
        if rng.random() < 0.5:
            flat[[one, other]] = flat[[other, one]]
        else:
            flat[one : other + 1] = flat[one : other + 1][::-1].copy()
    return write_members({**members, name: as_npy(flat)})


def alter_lengths(data, rng):
    """Arrays that are longer or shorter, or of another dtype; mostly the header agrees."""
    members = read_members(data)
    header = json.loads(members["header.json"])
    shapes = [tuple(entry["shape"]) for entry in header["arrays"].values()]
    # All arrays of one shape together, or one alone
    shape = rng.choice(shapes)
    names = [name for name, entry in header["arrays"].items() if tuple(entry["shape"]) == shape]
    if rng.random() < 0.5:
        names = [rng.choice(names)]
    change = rng.choice((-5, -1, 1, 5, 1000))
    for name in names:
        array = as_array(members[f"{name}.npy"])
        if rng.random() < 0.1:
            with np.errstate(invalid="ignore"):
                array = array.astype(rng.choice(("<i2", "<i4", "<i8", "<f4", "<f8", "|u1", ">i4")))
        elif rng.random() < 0.1:
            array = array.reshape(rng.choice(((-1,), (1, -1), (-1, 1))))
        elif change < 0:
            array = array[:change]
        else:
            array = np.concatenate([array, np.repeat(array[-1:], change, axis=0)])
        members[f"{name}.npy"] = as_npy(array)
        if rng.random() < 0.9:
            header["arrays"][name] = {"dtype": array.dtype.str, "shape": list(array.shape)}
    if rng.random() < 0.7:
        header["parameters"]["ntrees"] = header["arrays"]["tree_start"]["shape"][0] - 1
    members["header.json"] = json.dumps(header).encode()
    return write_members(members)


def alter_npy(data, rng):
    """Other bytes in an array's own header; or another set of members."""
    members = read_members(data)
    name = rng.choice([name for name in members if name.endswith(".npy")])
    how = rng.random()
    if how < 0.6:
        altered = bytearray(members[name])
        altered[rng.randrange(min(128, len(altered)))] = rng.choice(
            (rng.randrange(256), *b"(){}[],'0123456789TF\n ")
        )
        members[name] = bytes(altered)
    elif how < 0.7:
        del members[name]
    elif how < 0.8:
        members[name] = members[rng.choice(list(members))]
    elif how < 0.9:
        members[rng.choice(("more.npy", "../x", "/etc/x", "x" * 300))] = b"more"
    else:
        members = dict(rng.sample(list(members.items()), len(members)))
    return write_members(members, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))


def grow_claims(data, rng):
    """Claims of huge arrays: in the header, in the array's header, or as zeros that pack well."""
    members = read_members(data)
    header = json.loads(members["header.json"])
    name = rng.choice(list(header["arrays"]))
    shape = header["arrays"][name]["shape"]
    shape[rng.randrange(len(shape))] = rng.choice((10**6, 10**9, 2**31 - 1, 2**40))
    array = as_array(members[f"{name}.npy"])
    if rng.random() < 0.5:
        text = str(tuple(shape)).encode().ljust(80)
        members[f"{name}.npy"] = members[f"{name}.npy"].replace(
            str(array.shape).encode().ljust(80), text
        )
    elif rng.random() < 0.3:
        members[f"{name}.npy"] += bytes(3 * 10**6)
    members["header.json"] = json.dumps(header).encode()
    return write_members(members)


MUTATIONS = (
    flip_bytes, cut_or_lengthen, alter_contents_table, alter_header, alter_header, alter_values,
    alter_values, alter_values, swap_values, alter_lengths, alter_npy, grow_claims,
)  # fmt: skip


def use(model):
    """All that reads a forest's arrays; the kernels among it check no bounds."""
    from pycdf.forest.tables import centroid_table, node_table
    from pycdf.forest.voting import shares

    rng = np.random.default_rng(0)
    rows = (
        rng.normal(size=(7, model.n_features)) * np.array([1, 10, 100, 1e4, 0, 1e300, 1])[:, None]
    )
    rows[-1] = np.nan
    counted = model.votes(rows)
    assert (counted.sum(axis=1) == model.forest.n_trees).all()
    nodes = model.end_nodes(rows)
    assert (nodes < model.forest.n_nodes).all()
    model.votes_by_tree(rows)
    if model.out_of_bag is not None:
        shares(model.out_of_bag.votes)
        assert not model.out_of_bag.accuracy > 1
    assert len(model.importances()) == model.n_features
    node_table(model.forest, model.classes)
    centroid_table(model.forest, model.classes, np.arange(len(model.kept)))


def try_mutations(data, seed, count):
    """Load so many mutations of a file; count by mutation what was refused and what was loaded."""
    from pycdf.files.model import ModelFileError, model_bytes, model_from_bytes

    rng = random.Random(seed)
    unharmed = model_bytes(model_from_bytes(data))
    outcome = collections.Counter()
    for _ in range(count):
        mutate = rng.choice(MUTATIONS)
        altered = mutate(data, rng)
        began = time.perf_counter()
        try:
            model = model_from_bytes(altered)
        except ModelFileError as error:
            outcome[mutate.__name__, "refused" if str(error).endswith(".") else "unclear"] += 1
        else:
            same = model_bytes(model) == unharmed
            outcome[mutate.__name__, "unchanged" if same else "loaded"] += 1
            use(model)
        assert time.perf_counter() - began < 5
    return outcome


def main():
    import resource

    faulthandler.enable()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    folder = Path(__file__).with_name("data")
    files = [folder.joinpath(f"model_v{version}.cdf").read_bytes() for version in (1, 2)]
    try_mutations(files[0], 0, 50)  # the kernels are compiled by now
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for data in files:
        for (mutation, what), times in sorted(try_mutations(data, 1, count // 2).items()):
            print(f"{mutation:22} {what:10} {times:6}")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held
    print(f"{count} files; peak memory grew by {grown / 1024:.0f} MB")


if __name__ == "__main__":
    main()
