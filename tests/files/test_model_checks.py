"""Every check of a model file has a file that only it refuses, and its whole message is known."""

import io
import json
import os
import zipfile
import zlib

import numpy as np
import pytest
from model_mutations import as_npy, read_members, use, write_members
from small_model import (
    CRC,
    END,
    FLAGS,
    METHOD,
    PACKED,
    PLACE,
    REMOVED,
    SIZE,
    deflated,
    entry_of,
    file_of,
    joined,
    npy_with,
    parts_of,
    small_arrays,
    small_file,
    small_header,
    with_cells,
    with_entry,
    with_header,
    with_packed,
)  # fmt: skip

from pycdf.files.model import ModelFileError, model_bytes, model_from_bytes
from pycdf.files.zip_members import pieces
from pycdf.files.zip_members import read_members as read_archive

NOT_A_MODEL = "is not a valid pycdf model file: "
DAMAGED = "is a damaged model file: "


def refused(data):
    """The message about a file that is refused."""
    with pytest.raises(ModelFileError) as caught:
        model_from_bytes(data)
    return str(caught.value)


def test_the_small_file_itself_is_read_and_can_be_used():
    model = model_from_bytes(small_file())
    assert model.kept.tolist() == [0, 1, 3]
    assert model.feature_names == ("w", "x", "y", "z")
    use(model)


# ---- the archive ---------------------------------------------------------------------------------


def end_record(**fields):
    body, entries, end = parts_of(small_file())
    data = joined(body, entries, end)
    names = ["mark", "disk", "table_disk", "here", "count", "length", "offset", "comment"]
    for name, value in fields.items():
        end = list(parts_of(data)[2])
        end[names.index(name)] = value
        data = data[: -END.size] + END.pack(*end)
    return data


def two_bombs():
    """Two members that claim all that 70,000 packed bytes can become, more than is plausible."""
    data = with_packed("kept.npy", bytes(70_000), 70_000 * 1032)
    body, entries, end = parts_of(data)
    more = parts_of(with_packed("inbag.npy", bytes(70_000), 70_000 * 1032))[0]
    place = len(body)
    body += more[len(parts_of(small_file())[0]) :]
    for fields, name in entries:
        if name == b"inbag.npy":
            fields[PACKED], fields[SIZE], fields[PLACE] = 70_000, 70_000 * 1032, place
    return joined(body, entries, end)


def long_table():
    """A table of contents in which every entry has a comment of 65,000 bytes."""
    body, entries, end = parts_of(small_file())
    for entry in entries:
        entry[0][12] = 65_000
        entry[1] += bytes(65_000)
    return joined(body, entries, end)


def same_place():
    """Two members in the same place, of the same content."""
    data = small_file(parent=np.array([-1, 0, 1, 1, 0, -1], "<i4"))
    fields = entry_of("parent.npy", data)
    return with_entry("branch.npy", {at: fields[at] for at in (CRC, PACKED, SIZE, PLACE)}, data)


def twice():
    body, entries, end = parts_of(small_file())
    end[4] += 1
    return joined(body, [*entries, entries[3]], end)


def short_stream():
    """A deflated array that ends early, with the checksum of what is there."""
    content = as_npy(small_arrays()["centroids"])
    return with_packed("centroids.npy", deflated(content[:-8]), len(content),
                       zlib.crc32(content[:-8]))  # fmt: skip


def archive_files():
    data = small_file()
    body, entries, end = parts_of(data)
    last = entries[-1][0]
    centroids = as_npy(small_arrays()["centroids"])
    damaged = "its table of contents is damaged"
    first = entries[0][0]
    bombs = (b"kept.npy", b"inbag.npy")
    others = sum(fields[SIZE] for fields, name in entries if name not in bombs)
    return {
        "empty": (b"", "it does not start with a zip signature"),
        "signature": (b"PK\3\5" + data[4:], "it does not start with a zip signature"),
        "short": (b"PK\3\4", "it is truncated, or there is extra data at its end"),
        "cut": (data[:-1], "it is truncated, or there is extra data at its end"),
        "longer": (data + b"x", "it is truncated, or there is extra data at its end"),
        "disk": (end_record(disk=1), "its table of contents is too long"),
        "count": (end_record(count=65), "its table of contents is too long"),
        "length": (long_table(), "its table of contents is too long"),
        "place": (
            joined(body, entries, end, behind_table=b"junk"),
            "its table of contents is not where it should be",
        ),
        "one entry more": (end_record(count=end[4] + 1), damaged),
        "mark": (joined(body, [[[b"PK\1\3", *first[1:]], entries[0][1]], *entries[1:]], end),
                 damaged),
        "junk in the table": (joined(body, entries, end, in_table=b"junk"), damaged),
        "twice": (twice(), f"it has two members {entries[3][1].decode()!r}"),
        "encrypted": (with_entry("kept.npy", {FLAGS: 1}),
                      "its member 'kept.npy' is encrypted or has an unknown compression"),
        "method": (with_entry("kept.npy", {METHOD: 12}),
                   "its member 'kept.npy' is encrypted or has an unknown compression"),
        "behind the end": (with_entry("kept.npy", {PLACE: len(data) - 5}),
                           "its table of contents points to something that is not a member"),
        "no local header": (with_entry("kept.npy", {PLACE: 3}),
                            "its table of contents points to something that is not a member"),
        "stored": (
            with_packed("centroids.npy", centroids, len(centroids) + 1, method=0),
            f"its member 'centroids.npy' claims to unpack {len(centroids)} bytes to "
            f"{len(centroids) + 1}",
        ),
        "deflated": (
            with_packed("centroids.npy", bytes(10), 10_321),
            "its member 'centroids.npy' claims to unpack 10 bytes to 10,321",
        ),
        "bombs": (
            two_bombs(),
            f"its {len(two_bombs()):,} bytes claim to unpack to {2 * 70_000 * 1032 + others:,}",
        ),
        "overlap": (same_place(), "its members overlap"),
        "into the table": (
            with_entry(entries[-1][1].decode(), {PACKED: last[PACKED] + 30}),
            "a member is truncated",
        ),
        "no header": (write_members({"a": b"b"}), "it has no member header.json"),
    }  # fmt: skip


ARCHIVE = archive_files()


@pytest.mark.parametrize("case", ARCHIVE)
def test_the_archive_is_checked(case):
    data, sentence = ARCHIVE[case]
    assert refused(data) == f"{NOT_A_MODEL}{sentence}."


def test_comments_and_extra_fields_do_not_matter():
    body, entries, end = parts_of(small_file())
    entries[0][0][12] = 3
    entries[0][1] += b"say"
    entries[1][0][11] = 4
    entries[1][1] += bytes(4)
    use(model_from_bytes(joined(body, entries, end)))


def contents():
    data = small_file()
    centroids = as_npy(small_arrays()["centroids"])
    crc = zlib.crc32(centroids)
    return {
        "longer": (
            with_entry("centroids.npy", {SIZE: len(centroids) - 1}),
            "centroids.npy is longer than it claims",
        ),
        "checksum": (
            with_entry("centroids.npy", {CRC: crc ^ 1}),
            "centroids.npy is damaged: its checksum does not match",
        ),
        "ends early": (short_stream(), "centroids.npy is damaged: its checksum does not match"),
        "not deflated": (
            with_packed("centroids.npy", b"\xff" * 50, len(centroids), crc),
            "centroids.npy is damaged",
        ),
        "missing": (
            write_members({n: c for n, c in read_members(data).items() if n != "kept.npy"}),
            "it has no member kept.npy",
        ),
        "unknown": (
            file_of(small_header(small_arrays()), small_arrays(), **{"x" * 50: b"more"}),
            f"its member {'x' * 40!r} does not belong there",
        ),
        "too short": (
            file_of(small_header(small_arrays()), small_arrays(), **{"kept.npy": b"1234"}),
            "kept has 4 bytes instead of 4",
        ),
        "too long": (
            file_of(small_header(small_arrays()), small_arrays(), **{"kept.npy": bytes(65_551)}),
            "kept has 65,551 bytes instead of 4",
        ),
        "as long as can be": (
            file_of(small_header(small_arrays()), small_arrays(), **{"kept.npy": bytes(65_550)}),
            "kept is not an array of dtype |u1 and shape (4,)",
        ),
    }


CONTENTS = contents()


@pytest.mark.parametrize("case", CONTENTS)
def test_the_members_are_checked(case):
    data, sentence = CONTENTS[case]
    assert refused(data) == f"{DAMAGED}{sentence}."


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"NUMPY\1", b"NUMPY\2"),
        (b"'fortran_order': False", b"'fortran_order': True "),
        (b"'descr': '<f8'", b"'descr': '>f8'"),
        (b"(12,)", b"(11,)"),
        (b"(12,)", b"(3,4)"),
        (b"(12,)", b"(1 2)"),
        (b"(12,)", b"(,12)"),
        (b"v\0{", b"u\0{"),
        (b"'shape'", b"'shapE'"),
    ],
)
def test_the_header_of_an_array_is_checked(old, new):
    content = npy_with(small_arrays()["centroids"], old, new)
    data = file_of(small_header(small_arrays()), small_arrays(), **{"centroids.npy": content})
    sentence = "centroids is not an array of dtype <f8 and shape (12,)"
    assert refused(data) == f"{DAMAGED}{sentence}."


def test_a_file_that_shrinks_while_it_is_read(tmp_path):
    path = tmp_path / "m.cdf"
    path.write_bytes(small_file())
    with open(path, "rb") as file:
        archive = read_archive(file)
        os.truncate(path, archive.members["stream.npy"].start + 1)
        with pytest.raises(ValueError, match=r"^stream\.npy is truncated$"):
            list(pieces(archive, "stream.npy"))


# ---- the header ----------------------------------------------------------------------------------

HEADER = json.dumps(small_header(small_arrays())).encode()
DEEP = b"[" * 5000 + b"]" * 5000 + b" " * 100_000


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEADER.replace(b"{", b"{\0", 1), "contains control characters"),
        (HEADER.replace(b"{", b"{\x1f", 1), "contains control characters"),
        (HEADER[:-1], "is not JSON"),
        (HEADER.replace(b'"w"', b'"\xff"'), "is not JSON"),
        (HEADER.decode().encode("utf-16-le").replace(b"\0", b"\x20"), "is not JSON"),
        (HEADER.replace(b"false", b"NaN"), "is not JSON"),
        (HEADER.replace(b'"seed": 1', b'"seed": 1' + b"0" * 5000), "is not JSON"),
        (b"[]", "is not a JSON object"),
        (HEADER[:-1] + b', "more": [' + b"{}," * 700 + b"1]}", "has more values than a model's"),
        (HEADER[:-1] + b', "more": [' + b"[]," * 700 + b"1]}", "has more values than a model's"),
        (HEADER[:-1] + b', "more": [' + b"1," * 2000 + b"1]}", "has more values than a model's"),
    ],
)  # fmt: skip
def test_the_header_is_plain_json(text, sentence):
    assert refused(file_of(text, small_arrays())) == (
        f"{NOT_A_MODEL}its member header.json {sentence}."
    )


def test_a_header_of_nested_lists():
    # How deep Python's reader follows them depends on its version.
    sentences = ("is not JSON", "is not a JSON object")
    assert refused(file_of(DEEP, small_arrays())) in [
        f"{NOT_A_MODEL}its member header.json {sentence}." for sentence in sentences
    ]


def test_brackets_and_commas_in_names_do_not_count():
    names = ["[{," * 500, 'say "[", \\', "\\", "é,"]
    assert model_from_bytes(with_header({"feature_names": names})).feature_names == tuple(names)
    assert model_from_bytes(file_of(HEADER + b"\r\n\t ", small_arrays())).seed == 1


@pytest.mark.parametrize(("item", "mark"), [(b"{}", b"{"), (b"[]", b"["), (b"1", b",")])
def test_a_header_has_as_many_values_as_a_model_can_have(item, mark):
    """One more is too many; brackets and commas in a name make the reader count exactly."""
    arrays = small_arrays()
    sizes = [len(as_npy(arrays[name])) for name in ("kept", "counts")]
    most = 512 + sum(sizes) if mark == b"," else 128 + 8000 // 20
    start = HEADER[:-1] + b', "more": ['
    items = [item] * (most - start.count(mark) + (mark == b","))

    def file_with(items):
        text = (start + b",".join(items) + b"]}").replace(b'"w"', b'"%s"' % (b"[{," * 1000))
        assert len(text) < 8000
        return file_of(text.ljust(8000), arrays)

    assert model_from_bytes(file_with(items)).seed == 1
    assert refused(file_with([*items, item])) == (
        f"{NOT_A_MODEL}its member header.json has more values than a model's."
    )


def test_a_packed_header_is_refused():
    """JSON takes many times its length in memory, so its length must be the file's own."""
    text = deflated(HEADER)
    data = with_packed("header.json", text, len(HEADER), zlib.crc32(HEADER))
    assert refused(data) == (
        f"{NOT_A_MODEL}its member header.json is compressed; it must be stored uncompressed."
    )


def test_the_header_says_what_it_is():
    assert refused(with_header({"format": "pickle"})) == (
        f"{NOT_A_MODEL}its header does not say 'pycdf model'."
    )
    for version in ("1", True, 0, -1, 1.0, None):
        assert refused(with_header({"version": version})) == (
            f"{DAMAGED}its format version is not a whole number."
        )
    newer = (
        "has format version 3, from a newer pycdf{}; this one reads versions up to 2: upgrade with "
        "pip install -U pycdf-forest."
    )
    for writer, shown in (({"pycdf": "9.1"}, " (9.1)"), ({"pycdf": "9" * 30}, f" ({'9' * 20})"),
                          ({}, ""), ("x", ""), (None, "")):  # fmt: skip
        data = with_header({"version": 3, "written_by": writer})
        assert refused(data) == newer.format(shown)


NO_LABELS = "the labels are not given as a dtype and values"
PARAMETERS = "its parameters are not ntrees, depth, mnode, k, mtry"
NO_TABLE = "its table of arrays does not match the format version"
CHECKSUMS = "it does not have one checksum per training row"
WEIGHTS = "its class weights are not one positive number per class"
NO_SEED = "its seed is not a valid seed in R"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"classes": []}, NO_LABELS),
        ({"classes": {"dtype": "object"}}, NO_LABELS),
        ({"classes.more": 1}, NO_LABELS),
        ({"classes.dtype": 1}, NO_LABELS),
        ({"classes.values": "abc"}, NO_LABELS),
        ({"classes.values": ["a", "b"]}, "there is not exactly one label per class"),
        ({"classes.values": ["a", "b", "a"]}, "a label occurs twice"),
        ({"classes.values": [1, True, 1]}, "a label occurs twice"),
        ({"classes.values": ["a", "b", None]}, "a label is missing"),
        ({"classes.values": ["a", 1, {"type": "float", "value": "nan"}]}, "a label is missing"),
        ({"seed": 2**31}, NO_SEED),
        ({"seed": -(2**31)}, NO_SEED),
        ({"seed": True}, NO_SEED),
        ({"seed": 1.0}, NO_SEED),
        ({"feature_names": "wxyz"}, "there is not exactly one feature name per column"),
        ({"feature_names": ["w", "x", "y"]}, "there is not exactly one feature name per column"),
        ({"feature_names": ["w", "x", "y", 1]}, "a feature name is not text"),
        ({"parameters": []}, PARAMETERS),
        ({"parameters.k": REMOVED}, PARAMETERS),
        ({"parameters.more": 1}, PARAMETERS),
        ({"parameters.ntrees": 3},
         "its parameter ntrees differs from its number of trees, 2"),
        ({"options": []}, "its options are not a JSON object"),
        ({"options.integer": 0}, "its option integer is 0, which is not a valid value"),
        ({"options.integer": REMOVED}, "its option integer is None, which is not a valid value"),
        ({"options.ddof": 2}, "its option ddof is 2, which is not a valid value"),
        ({"options.ddof": True}, "its option ddof is True, which is not a valid value"),
        ({"options.collation": "sv"}, "its option collation is 'sv', which is not a valid value"),
        ({"options.streams": "x"}, "its option streams is 'x', which is not a valid value"),
        ({"options.bootstrap": 1}, "its option bootstrap is 1, which is not a valid value"),
        ({"options.sample_kind": "x"}, "its option sample_kind is 'x', which is not a valid value"),
        ({"row_checksums": 1}, CHECKSUMS),
        ({"row_checksums": "AAAA"}, CHECKSUMS),
        ({"row_checksums": "A" * 63 + "*"}, CHECKSUMS),
        ({"row_checksums": "A" * 63 + "="}, CHECKSUMS),
        ({"options.later": [1]}, "its option 'later' is neither text nor a number"),
        ({"options.class_weight": "balanced", "options.bootstrap": False},
         "it has class weights but no bootstrap"),
        ({"options.class_weight": "equal"}, WEIGHTS),
        ({"options.class_weight": {"a": 1.0}}, WEIGHTS),
        ({"options.class_weight": [1.0, 2.0]}, WEIGHTS),
        ({"options.class_weight": [1.0, 2.0, 1]}, WEIGHTS),
        ({"options.class_weight": [1.0, 2.0, 0.0]}, WEIGHTS),
        ({"arrays": []}, NO_TABLE),
        ({"arrays.kept": REMOVED}, NO_TABLE),
        ({"arrays.more": {"dtype": "<i4", "shape": [1]}}, NO_TABLE),
        ({"arrays.kept": 1}, "kept is not described as an array of dtype |u1"),
        ({"arrays.kept.dtype": "<i4"}, "kept is not described as an array of dtype |u1"),
        ({"arrays.kept.shape": 4}, "kept is not described as an array of dtype |u1"),
        ({"arrays.kept.shape": REMOVED}, "kept is not described as an array of dtype |u1"),
        ({"arrays.kept.shape": [4, 1]}, "kept is described with an invalid shape"),
        ({"arrays.kept.shape": [-1]}, "kept is described with an invalid shape"),
        ({"arrays.kept.shape": [4.0]}, "kept is described with an invalid shape"),
        ({"arrays.kept.shape": [2**31]}, "kept is described with an invalid shape"),
        ({"arrays.counts.shape": [7, -3]}, "counts is described with an invalid shape"),
        ({"arrays.kept.shape": [2**31 - 1]}, "there is not exactly one feature name per column"),
        ({"arrays.counts.shape": [7, 3]}, "the length of counts does not match the other arrays"),
        ({"arrays.inbag.shape": [3, 6]}, "the length of inbag does not match the other arrays"),
        ({"arrays.class_start.shape": [6]},
         "the length of class_start does not match the other arrays"),
        ({"arrays.stream.shape": [624]}, "the length of stream does not match the other arrays"),
    ],
)  # fmt: skip
def test_the_values_of_the_header_are_checked(changes, sentence):
    assert refused(with_header(changes)) == f"{DAMAGED}{sentence}."


@pytest.mark.parametrize(
    ("name", "value"),
    [("ddof", 0), ("integer", True), ("collation", "C"), ("streams", "per_tree"),
     ("sample_kind", "Rounding")],
)  # fmt: skip
def test_other_options_than_usual_are_read(name, value):
    assert model_from_bytes(with_header({f"options.{name}": value})).options[name] == value


def test_class_weights_are_finite():
    arrays = small_arrays()
    header = small_header(arrays)
    header["options"]["class_weight"] = [1.0, 2.0, 0.125]
    text = json.dumps(header).encode()
    assert model_from_bytes(file_of(text, arrays)).options["class_weight"] == [1.0, 2.0, 0.125]
    assert refused(file_of(text.replace(b"0.125", b"1e999"), arrays)) == f"{DAMAGED}{WEIGHTS}."


@pytest.mark.parametrize("name", ["ntrees", "depth", "mnode", "k", "mtry"])
def test_parameters_are_whole_numbers_in_range(name):
    least = 0 if name == "depth" else 1
    for value in (least - 1, 2**31, True, 1.0, "1", None):
        assert refused(with_header({f"parameters.{name}": value})) == (
            f"{DAMAGED}its parameter {name} is {value!r}, which is out of range."
        )


def test_parameters_can_be_as_large_as_in_r():
    largest = {f"parameters.{name}": 2**31 - 1 for name in ("depth",)}
    assert model_from_bytes(with_header(largest)).parameters["depth"] == 2**31 - 1
    assert model_from_bytes(with_header({"seed": 1 - 2**31})).seed == 1 - 2**31
    later = model_from_bytes(with_header({"options.later": "x", "options.bootstrap": REMOVED}))
    assert later.options["later"] == "x"
    assert later.options["bootstrap"] is True


def test_a_forest_has_trees():
    none = {"tree_start": np.zeros(0, "<i8"), "inbag": np.zeros((0, 6), "|u1")}
    arrays = {**small_arrays(), **none}
    header = small_header(arrays)
    header["arrays"]["inbag"]["shape"] = [0, 6]
    header["parameters"]["ntrees"] = 1
    for extent, sentence in (
        (1, "it has no trees"),
        (0, "the length of inbag does not match the other arrays"),
    ):
        header["arrays"]["tree_start"]["shape"] = [extent]  # fmt: skip
        assert refused(file_of(header, arrays)) == f"{DAMAGED}{sentence}."


# ---- scaled columns and votes out of bag ---------------------------------------------------------

NO_SCALING = "it does not have one mean and one standard deviation per column that the forest uses"
NO_MEAN = "a mean of its columns is not a number"
NO_SPREAD = "a standard deviation of its columns is not a positive number"
NO_VOTES = "a row does not have one out-of-bag vote from each tree that did not draw it"


def with_both(changes=None, *, means=(1.0, -2.0, 0.0), spreads=(1.0, 0.5, 1e300), votes=None):
    """The file with scaled columns and out-of-bag votes; rows 2 and 5 have a vote each."""
    cast = np.zeros((6, 3), "<i4")
    cast[2, 0] = cast[5, 1] = 1
    for place, value in (votes or {}).items():
        cast[place] = value
    changed = {"version": 2, "options.scale": True, "oob_right": 1, **(changes or {})}
    return with_header(
        changed,
        scale_means=np.array(means, "<f8"), scale_spreads=np.array(spreads, "<f8"), oob_votes=cast,
    )  # fmt: skip


def test_scaled_columns_and_votes_out_of_bag_are_read():
    model = model_from_bytes(with_both())
    use(model)
    assert model.scaling.means.tolist() == [1.0, -2.0, 0.0]
    assert model.scaling.spreads.tolist() == [1.0, 0.5, 1e300]
    assert model.out_of_bag.votes.tolist()[2] == [1, 0, 0]
    assert model.out_of_bag.accuracy == 0.5
    alone = small_arrays()
    header = small_header(alone) | {"version": 2}
    use(model_from_bytes(file_of(header, alone)))  # version 2 need not have them
    assert model_from_bytes(small_file()).scaling is None
    assert model_from_bytes(small_file()).out_of_bag is None
    assert model_from_bytes(small_file()).options["scale"] is False


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (with_both({"version": 1}), "it has arrays that files of format version 1 do not have"),
        (with_both({"options.scale": 1}), "its option scale is 1, which is not a valid value"),
        (with_both({"options.scale": False}), NO_TABLE),
        (with_both({"oob_right": None}), NO_TABLE),
        (with_header({"version": 2, "options.scale": True}), NO_TABLE),
        (with_header({"version": 2, "oob_right": 0}), NO_TABLE),
        (with_both(spreads=(1.0, 2.0)),
         "the length of scale_spreads does not match the other arrays"),
        (with_both(means=(1.0, 2.0), spreads=(1.0, 2.0)), NO_SCALING),
        (with_both(means=(1.0,) * 4, spreads=(1.0,) * 4), NO_SCALING),
        (with_both(means=(1.0, np.nan, 1.0)), NO_MEAN),
        (with_both(means=(1.0, np.inf, 1.0)), NO_MEAN),
        (with_both(spreads=(1.0, 0.0, 1.0)), NO_SPREAD),
        (with_both(spreads=(1.0, -1.0, 1.0)), NO_SPREAD),
        (with_both(spreads=(1.0, np.nan, 1.0)), NO_SPREAD),
        (with_both(spreads=(1.0, np.inf, 1.0)), NO_SPREAD),
        (with_both({"arrays.oob_votes.shape": [5, 3]}),
         "the length of oob_votes does not match the other arrays"),
        (with_both(votes={(2, 0): -1, (2, 1): 2}), "oob_votes contains -1, which is out of range"),
        (with_both(votes={(0, 0): 1}), NO_VOTES),
        (with_both(votes={(2, 0): 0}), NO_VOTES),
        (with_both(votes={(2, 1): 1}), NO_VOTES),
        *((with_both({"oob_right": wrong}),
           "its number of rows that are right out of bag is not a whole number")
          for wrong in (-1, 1.0, True, "1", [])),
        (with_both({"oob_right": 3}), "more rows are right out of bag than have out-of-bag votes"),
    ],
)  # fmt: skip
def test_they_are_checked(data, sentence):
    assert refused(data) == f"{DAMAGED}{sentence}."


# ---- the forest ----------------------------------------------------------------------------------


def out_of_range(name, value):
    return f"{name} contains {value}, which is out of range"


DEEPER = (
    "a tree has {} levels of splits, more than its parameter depth or than the 1,000 that a tree "
    "can have"
)
OF_CLASSES = "a node's centroids do not match its classes"
OF_CHILDREN = "class counts of children do not add up to their parent's"
NO_COLUMNS = "it does not say which columns the forest uses"
NO_STREAM = "its random stream is in an impossible state"
WHOLE = ...


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"kept": {0: 2}}, NO_COLUMNS),
        ({"kept": {WHOLE: 0}}, NO_COLUMNS),
        ({"stream": {0: 625}}, NO_STREAM),
        ({"stream": {WHOLE: 0}}, NO_STREAM),
        ({"stream": {WHOLE: 0, 1: 2**31 - 1}}, NO_STREAM),
        ({"tree_start": {1: -(2**63)}}, out_of_range("tree_start", -(2**63))),
        ({"tree_start": {1: 7}}, out_of_range("tree_start", 7)),
        ({"tree_start": {1: 0}}, "tree_start does not run from 0 to 6"),
        ({"tree_start": {1: 6}}, "tree_start does not run from 0 to 6"),
        ({"tree_start": {0: 1}}, "tree_start does not run from 0 to 6"),
        ({"tree_start": {2: 5, 1: 4}}, "tree_start does not run from 0 to 6"),
        ({"class_start": {-1: 2**62}}, out_of_range("class_start", 2**62)),
        ({"class_start": {2: 2}}, "class_start does not run from 0 to 6"),
        ({"feature_start": {0: 1}}, "feature_start does not run from 0 to 4"),
        ({"feature_start": {2: 5}}, out_of_range("feature_start", 5)),
        ({"centroid_start": {2: 2**40}}, out_of_range("centroid_start", 2**40)),
        ({"centroid_start": {-1: 11}}, "centroid_start does not run from 0 to 12"),
        ({"leaf": {5: 3}}, out_of_range("leaf", 3)),
        ({"leaf": {5: -2}}, out_of_range("leaf", -2)),
        ({"node_classes": {0: 3}}, out_of_range("node_classes", 3)),
        ({"node_classes": {0: -1}}, out_of_range("node_classes", -1)),
        ({"features": {0: 3}}, out_of_range("features", 3)),
        ({"features": {0: -1}}, out_of_range("features", -1)),
        ({"counts": {(5, 0): -1, (5, 1): 5}}, out_of_range("counts", -1)),
        ({"rows": {5: 7}, "counts": {(5, 0): 3}}, "trees were grown on samples of unequal size"),
        ({"inbag": {(0, 0): 2}}, "in-bag counts do not add up to the rows of a tree"),
        ({"leaf": {5: -1}}, "a split node has fewer than two centroids"),
        ({"leaf": {1: 0}}, "a leaf has centroids or features"),
        ({"centroid_start": {1: 5}}, "the size of a node's centroids is not classes x features"),
        ({"parent": {0: 0}}, "a root has a parent or a branch"),
        ({"parent": {5: 0}}, "a root has a parent or a branch"),
        ({"branch": {5: 0}}, "a root has a parent or a branch"),
        ({"parent": {1: -1}}, "a node below the root has no parent"),
        ({"parent": {1: 1}}, "a node comes before its parent"),
        ({"parent": {1: 2**31 - 1}}, "a node comes before its parent"),
        ({"branch": {1: 3}}, "a node is on a branch that its parent does not have"),
        ({"branch": {1: -1}}, "a node is on a branch that its parent does not have"),
        ({"branch": {1: 1}}, "a parent does not list one of its children"),
        ({"children": {0: 2}}, "a parent does not list one of its children"),
        ({"children": {2: 4}}, "a parent lists a child that is not its own"),
        ({"children": {2: -2}}, "a parent lists a child that is not its own"),
        ({"children": {2: 0}}, "a parent lists a child that is not its own"),
        ({"depth": {5: 1}}, "a node's depth is not one more than its parent's"),
        ({"depth": {4: 2}}, "a node's depth is not one more than its parent's"),
        ({"rows": {2: 0, 3: 4}, "counts": {2: 0, 3: (2, 1, 1)}}, "a node has no rows"),
        ({"counts": {(5, 0): 1}}, "class counts do not add up to the rows of a node"),
        ({"counts": {4: (0, 1, 1)}}, OF_CHILDREN),
        ({"counts": {4: (0, 2, 0)}}, OF_CHILDREN),
        ({"node_classes": {0: 1}}, OF_CLASSES),
        ({"features": {0: 0}}, "a node has the same feature twice"),
        ({"features": {3: 2}}, "a node has the same feature twice"),
    ],
)  # fmt: skip
def test_the_forest_is_checked(cells, sentence):
    assert refused(with_cells(**cells)) == f"{DAMAGED}{sentence}."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"parameters.k": 4}, "its parameter k is more than the 3 columns that the forest uses"),
        ({"parameters.mtry": 4},
         "its parameter mtry is more than the 3 columns that the forest uses"),
        ({"parameters.k": 3},
         "a split node does not have 3 features, as its parameters k and mtry say"),
        ({"parameters.mtry": 1},
         "a split node does not have 1 features, as its parameters k and mtry say"),
        ({"parameters.mnode": 5}, "a node with fewer rows than its parameter mnode is split"),
        ({"parameters.depth": 1}, DEEPER.format(2)),
        ({"options.bootstrap": False},
         "a tree without a bootstrap was not grown on every row once"),
    ],
)  # fmt: skip
def test_the_forest_agrees_with_its_parameters(changes, sentence):
    assert refused(with_header(changes)) == f"{DAMAGED}{sentence}."


def test_in_bag_counts_are_of_the_training_rows():
    seven = np.array([[1, 2, 0, 1, 2, 0, 0], [1, 1, 1, 1, 1, 1, 0]], "|u1")
    assert refused(small_file(inbag=seven)) == (
        f"{DAMAGED}in-bag counts do not add up to the rows of a tree."
    )
    use(model_from_bytes(small_file(inbag=np.zeros((2, 0), "|u1"))))
    all_rows = with_header({"options.bootstrap": False}, inbag=np.ones((2, 6), "|u1"))
    assert not model_from_bytes(all_rows).options["bootstrap"]


def test_a_node_has_a_centroid_for_each_class_and_for_no_other():
    """Node 1 without its third class, and with a class that it does not have."""
    two = {
        "class_start": np.array([0, 3, 5, 5, 5, 5, 5], "<i8"),
        "node_classes": np.array([0, 1, 2, 1, 0], "<i4"),
        "children": np.array([1, 4, -1, 2, 3], "<i4"),
        "centroid_start": np.array([0, 6, 10, 10, 10, 10, 10], "<i8"),
        "centroids": np.zeros(10),
    }
    assert refused(small_file(**two)) == f"{DAMAGED}{OF_CLASSES}."
    counts = small_arrays()["counts"]
    counts[[0, 1, 2]] = (4, 2, 0), (3, 1, 0), (2, 0, 0)
    two["node_classes"] = np.array([0, 1, 2, 1, 0], "<i4")
    assert refused(small_file(counts=counts, **two)) == f"{DAMAGED}{OF_CLASSES}."


def test_a_node_has_no_centroid_of_a_class_that_it_does_not_have():
    """Node 1 has as many centroids as classes, but one of them is of another class."""
    two = {
        "counts": np.array(
            [[3, 2, 1], [2, 2, 0], [1, 1, 0], [1, 1, 0], [1, 0, 1], [2, 2, 2]], "<i4"
        ),
        "class_start": np.array([0, 3, 5, 5, 5, 5, 5], "<i8"),
        "node_classes": np.array([0, 1, 2, 1, 0], "<i4"),
        "children": np.array([1, 4, -1, 2, 3], "<i4"),
        "centroid_start": np.array([0, 6, 10, 10, 10, 10, 10], "<i8"),
        "centroids": np.zeros(10),
    }
    use(model_from_bytes(small_file(**two)))
    two["node_classes"] = np.array([0, 1, 2, 1, 2], "<i4")
    assert refused(small_file(**two)) == f"{DAMAGED}{OF_CLASSES}."


@pytest.mark.parametrize(
    "arrays",
    [
        {
            "class_start": np.array([0, 3, 6, 7, 7, 7, 7], "<i8"),
            "node_classes": np.array([0, 1, 2, 1, 0, 2, 0], "<i4"),
            "children": np.array([1, 4, -1, 2, 3, -1, -1], "<i4"),
        },
        {
            "feature_start": np.array([0, 2, 4, 5, 5, 5, 5], "<i8"),
            "features": np.array([1, 0, 2, 1, 0], "<i4"),
        },
    ],
    ids=["centroids", "features"],
)
def test_a_leaf_has_neither_centroids_nor_features(arrays):
    assert refused(small_file(**arrays)) == f"{DAMAGED}a leaf has centroids or features."


def test_nodes_are_in_depth_first_order():
    """Nodes 1 and 4 change places with what is below them, so that a parent comes too early."""
    other = {
        "parent": np.array([-1, 0, 0, 1, 1, -1], "<i4"),
        "branch": np.array([-1, 0, 1, 0, 1, -1], "<i4"),
        "depth": np.array([0, 1, 1, 2, 2, 0], "<i4"),
        "rows": np.array([6, 4, 2, 2, 2, 6], "<i4"),
        "leaf": np.array([-1, -1, 0, 0, 1, 2], "<i4"),
        "counts": small_arrays()["counts"][[0, 1, 4, 2, 3, 5]],
        "children": np.array([1, 2, -1, 3, 4, -1], "<i4"),
    }
    assert refused(small_file(**other)) == f"{DAMAGED}nodes are not in depth-first order."


def test_branches_are_in_ascending_order():
    other = {
        "branch": np.array([-1, 1, 0, 1, 0, -1], "<i4"),
        "children": np.array([4, 1, -1, 2, 3, -1], "<i4"),
    }
    assert refused(small_file(**other)) == f"{DAMAGED}branches are not in ascending order."


def chain(levels, depth):
    """A tree that sends all rows to the first branch, level after level."""
    n = levels + 1
    numbers = np.arange(n, dtype="<i4")
    starts = np.minimum(np.arange(n + 1), levels).astype("<i8")
    arrays = {
        **small_arrays(),
        "tree_start": np.array([0, n], "<i8"),
        "parent": numbers - 1,
        "branch": np.where(numbers > 0, 0, -1).astype("<i4"),
        "depth": numbers,
        "rows": np.full(n, 6, "<i4"),
        "leaf": np.where(numbers < levels, -1, 0).astype("<i4"),
        "counts": np.tile(np.array([3, 2, 1], "<i4"), (n, 1)),
        "class_start": starts * 3,
        "node_classes": np.tile(np.arange(3, dtype="<i4"), levels),
        "children": np.stack([numbers[1:], *[numbers[1:] * 0 - 1] * 2], axis=1).ravel(),
        "feature_start": starts * 2,
        "features": np.tile(np.array([1, 0], "<i4"), levels),
        "centroid_start": starts * 6,
        "centroids": np.zeros(levels * 6),
        "inbag": np.ones((1, 6), "|u1"),
    }
    header = small_header(arrays)
    header["parameters"].update(ntrees=1, depth=depth)
    return file_of(header, arrays)


def test_trees_are_as_deep_as_they_can_grow_and_not_deeper():
    use(model_from_bytes(chain(1000, 2**31 - 1)))
    assert refused(chain(1001, 2**31 - 1)) == f"{DAMAGED}{DEEPER.format('1,001')}."


def test_all_trees_are_checked(monkeypatch):
    """Trees are checked some at a time; here one, or class by class, at a time."""
    from pycdf.files import checks

    monkeypatch.setattr(checks, "_CELLS", 1)
    use(model_from_bytes(small_file()))
    assert refused(with_cells(leaf={5: -1})).endswith("a split node has fewer than two centroids.")
    for change in ((0, 1, 1), (0, 2, 0), (1, 0, 1)):
        assert refused(with_cells(counts={4: change})) == f"{DAMAGED}{OF_CHILDREN}."


# ---- other rules than R's ------------------------------------------------------------------------


def with_distance(name="manhattan", **cells):
    """The file of a forest with another distance, in which all spreads are 1 but these."""
    spreads = np.ones(len(small_arrays()["features"]))
    for place, value in cells.items():
        spreads[int(place[1:])] = value
    return with_header({"version": 2, "options.distance": name}, spreads=spreads)


def test_spreads_of_nodes_are_read():
    model = model_from_bytes(with_distance(_1=2.5))
    assert model.spreads[:2].tolist() == [1.0, 2.5]
    use(model)


@pytest.mark.parametrize("spread", [0.0, -1.0, np.inf, np.nan])
def test_spreads_of_nodes_are_positive(spread):
    sentence = "spreads contains a number that is not positive"
    assert refused(with_distance(_1=spread)) == f"{DAMAGED}{sentence}."


@pytest.mark.parametrize("kind", ["distance", "feature_score"])
def test_rules_of_somebody_else_have_to_be_registered(kind):
    data = with_header({"version": 2, f"options.{kind}": "mine"})
    assert refused(data) == (
        f"uses the {kind} 'mine', which is not known here: call "
        f"pycdf.laboratory.register_{kind}(name, function) before you load it."
    )


@pytest.mark.parametrize("more", [0, 1, 7, 130, 257, 2**18 - 1, 2**18])
def test_members_are_unpacked_to_the_last_byte(more, tmp_path):
    """Also if the last bytes wait inside zlib when a piece is full."""
    content = bytes(2**18 + more)
    path = tmp_path / "m.cdf"
    path.write_bytes(
        with_packed("stream.npy", deflated(content), len(content), zlib.crc32(content))
    )
    with open(path, "rb") as file:
        assert b"".join(pieces(read_archive(file), "stream.npy")) == content


RANGE = "its option redundancy is not a number from 0 to 1"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"options.distance": 5}, "its distance is 5, which is not a valid value"),
        ({"options.feature_score": ["css"]},
         "its feature_score is a list, which is not a valid value"),
        ({"options.redundancy": 1.25}, RANGE),
        ({"options.redundancy": -0.25}, RANGE),
        ({"options.redundancy": 1}, RANGE),
        ({"options.vote": "loud"}, "its option vote is 'loud', which is not a valid value"),
        ({"options.later": [1]}, "its option 'later' is neither text nor a number"),
    ],
)  # fmt: skip
def test_rules_that_no_forest_has(changes, sentence):
    assert refused(with_header({"version": 2, **changes})) == f"{DAMAGED}{sentence}."


@pytest.mark.parametrize("redundancy", [0.0, 0.5, 1.0])
def test_redundancies_are_read(redundancy):
    model = model_from_bytes(with_header({"version": 2, "options.redundancy": redundancy}))
    assert model.options["redundancy"] == redundancy


def test_members_can_be_read_by_everybody_who_unpacks_them():
    data = model_bytes(model_from_bytes(small_file()))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        found = {(one.create_system, one.external_attr >> 16) for one in archive.infolist()}
    assert found == {(3, 0o644)}  # 3 is Unix, whose permissions these are
