"""Model files: they come back as they were, are replaced in one step, and nothing bad is loaded."""

import datetime
import io
import json
import os
import stat
import zipfile
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from data.make_model_v1 import rows as rows_of_v1
from data.make_model_v2 import rows as rows_of_v2
from model_mutations import try_mutations, use, write_members
from programs import python_run
from same_forest import assert_same_forest
from small_model import small_file

import pycdf
from pycdf import CDF, CDFClassifier, RStream
from pycdf.files import archive
from pycdf.files.atomic import write_whole
from pycdf.files.model import ModelFileError, load_model, model_bytes, model_from_bytes, save_model
from pycdf.files.zip_members import read_members as read_archive
from pycdf.files.zip_members import unpacked_limit

HERE = Path(__file__).parents[1]
TODAY = HERE / "data" / "model_v1.cdf"
SCALED = HERE / "data" / "model_v2.cdf"
X = RStream(3).uniform(40 * 8).reshape(40, 8)


def fitted(labels=("a", "b"), ntrees=5, **more):
    """A model on labels that go round; what is compared is not its skill."""
    turns = [row % len(labels) for row in range(len(X))]
    y = labels[turns] if isinstance(labels, np.ndarray) else [labels[turn] for turn in turns]
    return CDF(X, y, X[:1], ntrees=ntrees, seed=1, k=2, mtry=4, **more).model_


@pytest.fixture(scope="module")
def model():
    return fitted()


def assert_same_model(one, other):
    assert_same_forest(one.forest, other.forest)
    assert one.classes.dtype == other.classes.dtype
    assert [(type(label), label) for label in one.classes.tolist()] == [
        (type(label), label) for label in other.classes.tolist()
    ]
    for name in ("n_features", "feature_names", "parameters", "options", "seed"):
        assert getattr(one, name) == getattr(other, name), name
    assert one.kept.tolist() == other.kept.tolist()
    assert one.stream_state.tobytes() == other.stream_state.tobytes()


# ---- there and back ------------------------------------------------------------------------------


def test_a_model_comes_back_to_the_last_bit(model, tmp_path):
    save_model(model, tmp_path / "m.cdf")
    again = load_model(tmp_path / "m.cdf")
    assert_same_model(model, again)
    assert model_bytes(again) == model_bytes(model)
    # as the kernels were compiled for
    assert all(array.flags.c_contiguous and array.flags.writeable for array in again.forest)


@pytest.mark.parametrize(
    "labels",
    [
        ["a", "Größe", "字"],
        [1, 2, 10**15, -7],
        np.array([1, 2], dtype=np.int8),
        np.array([1, 2], dtype=">u2"),
        [0.1, 1e-300, float("inf")],
        np.array([0.1, 2.5], dtype=np.float32),
        [True, False],
        ["a", 1, 2.5, b"\xff\0"],
        [2**80, 1],
        np.array(["P", "H"]),
        np.array(["Parkinson", "H"], dtype="U30"),
        np.array([b"x", b"yy"]),
        np.array(["2020-01-01", "1969-12-31"], dtype="M8[D]"),
        np.array(["2020-01-01T00:00:00.000000001", "1969-12-31"], dtype="M8[ns]"),
        [datetime.date(2020, 1, 1), datetime.date(1, 2, 3)],
        [datetime.datetime(2020, 1, 1, 2, 3, 4, 5), datetime.datetime(2021, 1, 1)],
        [pd.Timestamp("2020-01-01 03:04:05.123456789"), pd.Timestamp("2021-01-01")],
        [np.datetime64("2020-01-01"), np.datetime64("2020-01-02T00:00:00.5")],
        [Decimal("1.50"), Decimal("2")],
        [np.int32(1), np.float32(0.5), np.str_("x")],
    ],
    ids=str,
)
def test_labels_keep_their_types(labels):
    model = fitted(labels)
    assert_same_model(model, model_from_bytes(model_bytes(model)))


@pytest.mark.parametrize(
    "label",
    [
        datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1), "X")),
        pd.Timestamp("2020-01-01", tz="Europe/Berlin"),
        pd.Period("2020-01"),
        1j,
    ],
)
def test_labels_that_would_not_come_back_are_refused(model, label, tmp_path):
    odd = np.empty(2, dtype=object)
    odd[:] = [label, "b"]
    with pytest.raises(TypeError, match="cannot be saved in a model file"):
        save_model(replace(model, classes=odd), tmp_path / "m.cdf")
    assert list(tmp_path.iterdir()) == []


def test_text_that_is_no_unicode_comes_back(model):
    """Half a surrogate pair: what Python makes of bytes that are no UTF-8."""
    odd = np.empty(2, dtype=object)
    odd[:] = ["caf\udce9", "b"]
    assert_same_model(
        replace(model, classes=odd), model_from_bytes(model_bytes(replace(model, classes=odd)))
    )


def test_names_dropped_columns_and_missing_values_are_kept():
    frame = pd.DataFrame(X.copy(), columns=[f"gene {j}" for j in range(7)] + ["gene 0"])
    frame.iloc[:, 3] = 1.0
    frame.iloc[::9, 5] = np.nan
    with pytest.warns(pycdf.InputWarning) as seen:
        model = CDF(frame, np.arange(40) % 3, frame, ntrees=5, seed=1, mtry=4).model_
    assert len(seen) == 2  # of the constant column and of the name that two columns share
    again = model_from_bytes(model_bytes(model))
    assert_same_model(model, again)
    assert again.feature_names == tuple(frame.columns)
    assert 3 not in again.kept


def test_trees_without_a_split():
    model = fitted(depth=0)
    assert_same_model(model, model_from_bytes(model_bytes(model)))


def test_a_warm_start_goes_on_after_save_and_load(tmp_path):
    y = np.arange(40) % 3
    first = CDFClassifier(ntrees=4, seed=5, mtry=4).fit(X, y)
    first.save(tmp_path / "m.cdf")
    loaded = pycdf.load(tmp_path / "m.cdf")
    assert loaded.predict(X).tolist() == first.predict(X).tolist()
    loaded.set_params(ntrees=10, warm_start=True).fit(X, y)
    at_once = CDFClassifier(ntrees=10, seed=5, mtry=4).fit(X, y)
    assert model_bytes(loaded.model_) == model_bytes(at_once.model_)


def test_other_tools_can_read_it(model, tmp_path):
    save_model(model, tmp_path / "m.cdf")
    with zipfile.ZipFile(tmp_path / "m.cdf") as archive:
        assert archive.testzip() is None
        header = json.loads(archive.read("header.json"))
    assert header["format"] == "pycdf model"
    assert header["classes"] == {"dtype": "object", "values": ["a", "b"]}
    with np.load(tmp_path / "m.cdf") as arrays:
        assert arrays["centroids"].tolist() == model.forest.centroids.tolist()
        for name, entry in header["arrays"].items():
            assert arrays[name].dtype.str == entry["dtype"]
            assert list(arrays[name].shape) == entry["shape"]


def test_the_file_of_version_1_loads_and_answers_as_it_did():
    expected = json.loads(TODAY.with_suffix(".json").read_text(encoding="utf-8"))
    model = load_model(TODAY)
    assert model.classes.tolist() == expected["classes"]
    assert model.votes(rows_of_v1()).tolist() == expected["votes"]
    assert [share.hex() for share in model.importances().tolist()] == expected["importances"]
    assert model.feature_names == tuple(f"gene {j}" for j in range(12))
    assert model.kept.tolist() == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]


def test_the_file_of_version_2_loads_and_answers_as_it_did():
    expected = json.loads(SCALED.with_suffix(".json").read_text(encoding="utf-8"))
    fit = pycdf.load(SCALED)
    model = fit.model_
    assert model.classes.tolist() == expected["classes"]
    assert model.votes(rows_of_v2()).tolist() == expected["votes"]
    assert fit.oob_score_.hex() == expected["oob_score"]
    assert model.out_of_bag.votes.tolist() == expected["oob_votes"]
    assert model.scaling.means[1] == pytest.approx(rows_of_v2()[:, 1].mean())
    assert model_bytes(model) == model_bytes(model_from_bytes(model_bytes(model)))


def test_only_what_needs_it_is_of_version_2(model):
    """Older versions of pycdf read all other models."""
    judged = CDFClassifier(5, seed=1, oob_score=True).fit(X, np.arange(40) % 2).model_
    for one, version in (
        (model, 1),
        (fitted(scale=True), 2),
        (judged, 2),
        (replace(judged, out_of_bag=None), 1),
    ):
        with zipfile.ZipFile(io.BytesIO(model_bytes(one))) as file:
            assert json.loads(file.read("header.json"))["version"] == version


@pytest.mark.parametrize("more", [{}, {"scale": True}, {"ntrees": 2}, {"class_weight": "balanced"}])
def test_the_score_out_of_bag_is_saved(tmp_path, more):
    """With two trees, some rows are in every bag."""
    y = np.array(["b", "a", "c"])[np.arange(40) % 3]
    fit = CDFClassifier(**{"ntrees": 20, "seed": 1, "oob_score": True, **more}).fit(X, y)
    fit.save(tmp_path / "m.cdf")
    loaded = pycdf.load(tmp_path / "m.cdf")
    assert loaded.oob_score is True
    assert loaded.oob_score_ == fit.oob_score_
    table = fit.oob_decision_function_
    assert np.isnan(table).any() == (more == {"ntrees": 2})
    assert loaded.oob_decision_function_.tobytes() == table.tobytes()
    right = np.array(["a", "b", "c"])[np.nan_to_num(table, nan=-1.0).argmax(axis=1)] == y
    assert fit.oob_score_ == right[~np.isnan(table[:, 0])].mean()
    other = CDFClassifier(**{"ntrees": 20, "seed": 1, **more}).fit(X, y)
    other.save(tmp_path / "m.cdf")
    loaded = pycdf.load(tmp_path / "m.cdf")
    assert loaded.oob_score is False
    for name in ("oob_score_", "oob_decision_function_"):
        assert not hasattr(loaded, name)
        with pytest.raises(AttributeError, match=f"'{name}': fit it with oob_score=True"):
            getattr(loaded, name)


def test_more_trees_have_their_own_score(tmp_path):
    y = np.arange(40) % 2
    first = CDFClassifier(5, seed=1, oob_score=True).fit(X, y)
    first.save(tmp_path / "m.cdf")
    loaded = pycdf.load(tmp_path / "m.cdf").set_params(ntrees=9, warm_start=True).fit(X, y)
    once = CDFClassifier(9, seed=1, oob_score=True).fit(X, y)
    assert loaded.oob_decision_function_.tobytes() == once.oob_decision_function_.tobytes()
    loaded.set_params(ntrees=12, oob_score=False).fit(X, y)
    assert not hasattr(loaded, "oob_score_")  # that of fewer trees


@pytest.mark.endurance
def test_arrays_that_pack_too_well_are_stored_as_they_are():
    """A reader takes what unpacks to much more than a file's size for a bomb."""
    zeros = np.zeros(9_000_000)
    data = archive.pack({}, {"zeros": zeros}, more=0)
    assert len(data) > zeros.nbytes
    found = archive.unpack_array(read_archive(io.BytesIO(data)), "zeros", "<f8", zeros.shape)
    assert not found.any()
    few = np.zeros(1000)
    assert len(archive.pack({}, {"zeros": few}, more=2**26 + 2**20)) > few.nbytes
    assert len(archive.pack({}, {"zeros": few}, more=2**20)) < few.nbytes


# ---- writing -------------------------------------------------------------------------------------


def test_a_failed_write_leaves_the_old_file(model, tmp_path, monkeypatch):
    target = tmp_path / "m.cdf"
    target.write_bytes(b"old")

    def fail(*_):
        raise OSError("disk full")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            with pytest.raises(OSError, match="disk full"):
                save_model(model, target)
        assert target.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [target]


def test_a_model_that_cannot_be_loaded_is_not_saved(model, tmp_path):
    broken = replace(model, forest=model.forest._replace(leaf=model.forest.leaf + 1))
    with pytest.raises(ModelFileError, match="leaf contains 2, which is out of range"):
        save_model(broken, tmp_path / "m.cdf")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")
def test_modes_and_links_are_respected(model, tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"1")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "new").chmod(0o604)
    (tmp_path / "link").symlink_to("new")
    save_model(model, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o604
    assert_same_model(model, load_model(tmp_path / "new"))


def test_what_is_no_file(model, tmp_path):
    with pytest.raises(IsADirectoryError):
        save_model(model, tmp_path)
    with pytest.raises(IsADirectoryError):
        load_model(tmp_path)
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "nothing")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(ModelFileError, match="not a regular file"):
            load_model(tmp_path / "pipe")


# ---- reading what is not right -------------------------------------------------------------------


def test_errors_name_the_file_and_say_what_is_wrong(model, tmp_path):
    path = tmp_path / "m.cdf"
    for content, sentence in (
        (b"", "is not a valid pycdf model file: it does not start with a zip signature."),
        (write_members({"header.json": b"{}"}),
         "is not a valid pycdf model file: its header does not say 'pycdf model'."),
        (small_file(kept=np.zeros(4, "|u1")),
         "is a damaged model file: it does not say which columns the forest uses."),
    ):  # fmt: skip
        path.write_bytes(content)
        with pytest.raises(ModelFileError) as caught:
            load_model(path)
        assert str(caught.value) == f"{path} {sentence}"
    assert issubclass(pycdf.ModelFileError, ValueError)


@pytest.mark.parametrize("count", [100, pytest.param(500, marks=pytest.mark.endurance)])
@pytest.mark.parametrize("path", [TODAY, SCALED], ids=["version 1", "version 2"])
def test_altered_files_are_refused_or_harmless(path, count):
    """Some of the mutations of model_mutations.py; 12,000 were tried with bounds checks."""
    outcome = try_mutations(path.read_bytes(), seed=2, count=count)
    assert sum(outcome.values()) == count
    assert not [what for _, what in outcome if what == "unclear"]
    refused = sum(times for (_, what), times in outcome.items() if what == "refused")
    assert refused > 0.7 * count
    use(load_model(path))


@pytest.mark.endurance
def test_bounds_checks_in_the_kernels_see_a_bad_forest():
    """What the script relies on: with NUMBA_BOUNDSCHECK an index out of range is an error."""
    lines = f"""
from pycdf.files.model import load_model
import numpy as np
model = load_model({str(TODAY)!r})
model.forest.features[:] = 99
try:
    model.votes(np.zeros((2, 12)))
except IndexError:
    print("seen")
"""
    done = python_run("-c", lines, variables={"NUMBA_BOUNDSCHECK": "1", "PYCDF_QUIET": "1"})
    assert done.stdout == "seen\n", done.stderr


def test_a_model_larger_than_a_file_can_be(model, monkeypatch):
    """4 GB would take long: here a zip archive holds 2 kB."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 2_000)
    with pytest.raises(ValueError, match=r"^the model is larger than .+: grow fewer trees$"):
        model_bytes(model)


def test_columns_that_a_file_cannot_hold(model):
    turned = replace(model, kept=model.kept[::-1])
    with pytest.raises(ValueError, match="columns cannot be saved in a file unchanged"):
        model_bytes(turned)


def test_arrays_that_would_look_like_a_bomb_are_stored():
    header, arrays = {"a": "é"}, {"x": np.zeros(1000)}
    packed = archive.pack(header, arrays, more=0)
    assert "é".encode() in packed
    used = sum(info.file_size for info in zipfile.ZipFile(io.BytesIO(packed)).infolist())
    most = unpacked_limit(len(packed)) - used
    assert archive.pack(header, arrays, more=most) == packed
    assert len(archive.pack(header, arrays, more=most + 1)) > 8000


def test_how_much_memory_the_content_of_a_file_may_take():
    assert unpacked_limit(0) == 2**26
    assert unpacked_limit(1000) == 2**26 + 64_000
