"""Memory to read a model file: a stated multiple of its arrays and its header, never a claim's."""

import json
import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from programs import python_run
from small_model import (
    file_of,
    parts_of,
    small_arrays,
    small_file,
    small_header,
    with_header,
)

from pycdf.files.model import ModelFileError, load_model, model_from_bytes, save_model

FACTOR, HEADER_FACTOR, ALWAYS = 3, 32, 2**25  # as docs/model-files.md promises


def leaves(n_trees, n_classes, n_columns=4, *, arrays=None, **header):
    """A file of trees that are single leaves; ``arrays`` are other than such trees have."""
    other = arrays or {}
    starts, none = np.zeros(n_trees + 1, "<i8"), np.zeros(0, "<i4")
    each = {name: np.full(n_trees, value, "<i4") for name, value in
            {"parent": -1, "branch": -1, "depth": 0, "rows": 1, "leaf": 0}.items()}  # fmt: skip
    arrays = {
        **each,
        "tree_start": np.arange(n_trees + 1, dtype="<i8"),
        "counts": np.eye(1, n_classes, dtype="<i4").repeat(n_trees, axis=0),
        "class_start": starts, "feature_start": starts, "centroid_start": starts,
        "node_classes": none, "children": none, "features": none, "centroids": np.zeros(0),
        "inbag": np.zeros((n_trees, 0), "|u1"), "kept": np.ones(n_columns, "|u1"),
        **other,
    }  # fmt: skip
    changes = {
        "parameters.ntrees": n_trees,
        "feature_names": None,
        "classes": {"dtype": "object", "values": [str(code) for code in range(n_classes)]},
        **header,
    }
    return with_header(changes, **arrays)


def out_of_bag(n_rows, n_classes):
    """A file of two trees that are single leaves, with their votes on the rows they left out."""
    inbag = np.zeros((2, n_rows), "|u1")
    inbag[0, ::2] = inbag[1, 1::2] = 2
    rows = {"rows": np.full(2, n_rows, "<i4"), "inbag": inbag}
    counts = n_rows * np.eye(1, n_classes, dtype="<i4").repeat(2, axis=0)
    votes = np.eye(1, n_classes, dtype="<i4").repeat(n_rows, axis=0)
    more = {
        "version": 2,
        "oob_right": n_rows,
        "arrays": rows | {"counts": counts, "oob_votes": votes},
    }
    return leaves(2, n_classes, **more)


def one_tree(levels):
    """A file of one complete binary tree, the worst case: it is checked as a whole."""
    n = 2 ** (levels + 1) - 1
    depth, parent, branch = (np.zeros(n, "<i4") for _ in range(3))
    children = np.zeros((n, 2), "<i4")
    nodes, parents, branches = np.zeros(1, int), np.array([-1]), np.array([-1])
    for level in range(levels + 1):
        depth[nodes], parent[nodes], branch[nodes] = level, parents, branches
        below = np.stack([nodes + 1, nodes + 2 ** (levels - level)])
        children[nodes] = below.T
        parents, branches = np.tile(nodes, 2), np.repeat([0, 1], len(nodes))
        nodes = below.ravel()
    split = depth < levels
    rows = 2 ** (levels - depth + 1)
    starts = np.concatenate([[0], np.cumsum(split)]).astype("<i8")
    arrays = {
        **small_arrays(),
        "tree_start": np.array([0, n], "<i8"),
        "parent": parent, "branch": branch, "depth": depth,
        "rows": rows.astype("<i4"),
        "leaf": np.where(split, -1, 0).astype("<i4"),
        "counts": np.stack([rows // 2] * 2, axis=1).astype("<i4"),
        "class_start": starts * 2,
        "node_classes": np.tile(np.array([0, 1], "<i4"), split.sum()),
        "children": children[split].ravel(),
        "feature_start": starts,
        "features": np.zeros(split.sum(), "<i4"),
        "centroid_start": starts * 2,
        "centroids": np.arange(2.0 * split.sum()),
        "inbag": np.zeros((1, 0), "|u1"),
    }  # fmt: skip
    header = small_header(arrays)
    header["classes"]["values"] = ["a", "b"]
    header["parameters"].update(ntrees=1, depth=levels, k=1)
    return file_of(header, arrays)


def outcome(data):
    """A model or the message about a file, and the peak of memory while it was read."""
    tracemalloc.start()
    try:
        found = model_from_bytes(data)
    except ModelFileError as error:
        found = str(error)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return found, peak


def promised(model, header_size):
    arrays = sum(array.nbytes for array in model.forest) + 9 * model.n_features
    if model.out_of_bag is not None:
        arrays += model.out_of_bag.votes.nbytes
    return FACTOR * arrays + HEADER_FACTOR * header_size + ALWAYS


NAMES = [f"{number % 89 + 10}" for number in range(100_000)]
LOADED = {
    "many trees": lambda: leaves(40_000, 30),
    "many classes": lambda: leaves(20, 20_000),
    "many columns": lambda: leaves(1, 2, 1_000_000),
    "many names": lambda: leaves(1, 2, len(NAMES), feature_names=NAMES),
    "typed labels": lambda: leaves(1, 5_000, classes={
        "dtype": "object", "values": [{"type": "int32", "value": v} for v in range(5_000)]}),
    "one tree": lambda: one_tree(15),
    "out of bag": lambda: out_of_bag(20_000, 60),
}  # fmt: skip


@pytest.mark.parametrize("case", LOADED)
def test_loading_takes_a_multiple_of_the_arrays(case):
    """The constant part of the promise is for the interpreter: here almost none of it is needed."""
    data = LOADED[case]()
    size = data.index(b"PK\3\4", 4)
    model, peak = outcome(data)
    assert peak < promised(model, size) - ALWAYS + 2**22


MORE = "is not a valid pycdf model file: its member header.json has more values than a model's."
REFUSED = {
    "lists": (lambda: with_header({"written_by": [[]] * 300_000}), MORE),
    "objects": (lambda: with_header({"written_by": [{"": 0}] * 200_000}), MORE),
    "numbers": (lambda: with_header({"written_by": [1.5] * 300_000}), MORE),
    "columns": (
        lambda: small_file(kept=np.ones(8_000_000, "|u1")),
        "is a damaged model file: there is not exactly one feature name per column.",
    ),
    "wide labels": (
        lambda: leaves(1, 20_000, classes={"dtype": "<U300", "values": [
            str(code) for code in range(20_000)]}),
        "is a damaged model file: the labels claim to be wider than the file allows.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_flood_is_refused_before_it_is_read(case):
    make, sentence = REFUSED[case]
    data = make()
    message, peak = outcome(data)
    assert message == sentence
    assert peak < 2**22 + 4 * len(data)


def test_columns_take_more_memory_than_their_file():
    """A column is one byte in a file, which packs well, and eight more in memory."""
    data = leaves(1, 2, 8_000_000)
    message, peak = outcome(data)
    size = sum(fields[9] for fields, _ in parts_of(data)[1])
    assert message == (
        f"is a damaged model file: its {len(data):,} bytes claim to be a model of {size:,} bytes."
    )
    assert peak < 2**20


def test_a_model_with_many_columns_is_saved_so_that_it_loads(tmp_path):
    model = model_from_bytes(leaves(1, 2, 1_000_000))
    wide = replace(model, n_features=8_000_000)
    save_model(wide, tmp_path / "m.cdf")
    assert (tmp_path / "m.cdf").stat().st_size > 8_000_000
    assert load_model(tmp_path / "m.cdf").n_features == 8_000_000


@pytest.mark.parametrize("name", ["counts", "inbag", "kept", "centroids", "stream"])
def test_huge_claims_take_no_memory(name):
    """A claim is compared with the member's size before memory is taken."""
    header = small_header(small_arrays())
    header["arrays"][name]["shape"][-1] = 2**31 - 1
    message, peak = outcome(file_of(json.dumps(header).encode(), small_arrays()))
    assert message.startswith("is a damaged model file: ")
    assert peak < 2**20


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory from /proc")
def test_the_process_does_not_grow_either(tmp_path):
    """The peak of a whole process: sparse files of gigabytes, and one that loads."""
    with open(tmp_path / "zeros.cdf", "wb") as file:
        file.truncate(12 * 10**9)
    with open(tmp_path / "zip.cdf", "wb") as file:
        file.write(b"PK\3\4")
        file.seek(3 * 10**9)
        file.write(small_file()[-22:])
    (tmp_path / "trees.cdf").write_bytes(leaves(100_000, 100))
    lines = f"""
import re
from pathlib import Path
from pycdf.files.model import ModelFileError, load_model

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024

for name in ("zeros", "zip", "trees"):
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    try:
        load_model(Path({str(tmp_path)!r}, name + ".cdf"))
    except ModelFileError as error:
        print(str(error).split(": ", 1)[1])
    print(name, peak() - before)
"""
    done = python_run("-c", lines)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0] == "it does not start with a zip signature."
    assert said[2] == "its table of contents is not where it should be."
    grown = {line.split()[0]: int(line.split()[1]) for line in said[1::2] if " " in line}
    grown["trees"] = int(said[-1].split()[1])
    assert grown["zeros"] < 8
    assert grown["zip"] < 8
    assert 40 < grown["trees"] < 3 * 46 + 32
