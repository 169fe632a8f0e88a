"""Annotated matrices (.h5ad), written piece by piece: what is read and what is refused."""

import h5py
import numpy as np
import pandas as pd
import pytest

from pycdf import DataFileError, GuessedFormatWarning, read_table
from pycdf.files.tables import limits

X = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])


def annotate(file, name, names, **columns):
    """The annotation of rows or variables."""
    group = file.create_group(name)
    group.attrs["_index"] = "index"
    group["index"] = [one.encode() for one in names]
    if columns:
        group.attrs["column-order"] = list(columns)
    return group


@pytest.fixture
def made(tmp_path):
    """A file with a matrix of two rows and three variables, without the matrix itself."""
    path = tmp_path / "t.h5ad"
    file = h5py.File(path, "w")
    annotate(file, "obs", ["c1", "c2"])
    annotate(file, "var", ["g1", "g2", "g3"])
    yield file, path
    file.close()


def sparse(file, form, shape=(2, 3), name="X", **parts):
    group = file.create_group(name)
    group.attrs["encoding-type"] = form
    group.attrs["shape"] = shape
    data = {"data": [1.0, 2.0, 3.0], "indices": [0, 2, 1], "indptr": [0, 2, 3]} | parts
    for key, values in data.items():
        group[key] = values


def refusal(made):
    file, path = made
    file.close()
    with pytest.raises(DataFileError) as caught:
        read_table(path)
    return str(caught.value).removeprefix(f"{path}: ")


def read(made, **options):
    file, path = made
    file.flush()
    return read_table(path, **options)


@pytest.mark.parametrize("kind", ["f4", "f8", "i2", "u1", "?"])
def test_dense_matrices(made, kind):
    made[0]["X"] = X.astype(kind)
    found = read(made)
    assert found.index.tolist() == ["c1", "c2"]
    assert found.columns.tolist() == ["g1", "g2", "g3"]
    assert np.array_equal(found, X.astype(kind))
    assert (found.dtypes == np.float64).all()


@pytest.mark.parametrize(
    ("form", "parts"),
    [
        ("csr_matrix", {}),
        ("csr", {}),
        ("csc_matrix", {"data": [1.0, 3.0, 2.0], "indices": [0, 1, 0], "indptr": [0, 1, 2, 3]}),
    ],
)
def test_sparse_matrices(made, form, parts):
    sparse(made[0], form, **parts)
    assert np.array_equal(read(made), X)


def test_layers(made):
    made[0]["X"] = X
    sparse(made[0], "csr_matrix", name="layers/counts", data=[5.0, 6.0, 7.0])
    assert read(made)["g1"].tolist() == [1.0, 0.0]
    assert read(made, sheet="X")["g1"].tolist() == [1.0, 0.0]
    assert read(made, sheet="counts")["g1"].tolist() == [5.0, 0.0]
    with pytest.raises(DataFileError, match="it has no layer 'raw'; it has 'X', 'counts'"):
        read(made, sheet="raw")


def test_columns_about_rows(made):
    file = made[0]
    file["X"] = X
    obs = file["obs"]
    obs.attrs["column-order"] = ["age", "word", "kind", "gap", "gone"]
    obs["age"] = [30, 40]
    obs["word"] = [b"p", b"q"]
    obs["kind/codes"], obs["kind/categories"] = np.array([1, -1], "i1"), [b"u", b"v"]
    obs["gap/values"], obs["gap/mask"] = [1, 2], [False, True]
    obs["gone/values"], obs["gone/mask"] = [b"x", b"y"], [True, False]
    with pytest.warns(GuessedFormatWarning) as caught:
        found = read(made)
    assert len(caught) == 1
    assert str(caught[0].message).endswith(
        "5 columns of obs ('age', 'word', 'kind' and 2 more) come after the 3 variables: leave out "
        "those that are neither features nor the label."
    )
    cells = [[None if pd.isna(one) else one for one in found[name]] for name in found.columns[3:]]
    assert cells == [[30, 40], ["p", "q"], ["v", None], [1.0, None], [None, "y"]]
    assert isinstance(found["kind"].dtype, pd.CategoricalDtype)
    with pytest.warns(GuessedFormatWarning):
        assert read(made, text=["kind"])["kind"].dtype == object


DAMAGED = "it is a damaged AnnData file: "


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (X[0], "X is no matrix of numbers."),
        (np.array([[b"a"]]), "X is no matrix of numbers."),
        (X[:, :2], "X does not fit obs and var."),
        (X[:1], "X does not fit obs and var."),
    ],
)
def test_matrices_that_are_damaged(made, matrix, message):
    made[0]["X"] = matrix
    assert refusal(made) == DAMAGED + message


@pytest.mark.parametrize(
    ("form", "shape", "parts", "message"),
    [
        ("coo", (2, 3), {}, "its matrix has the unknown form 'coo': make it dense or sparse."),
        ("csr", (2, 3, 1), {}, "its matrix has the unknown form 'csr': make it dense or sparse."),
        ("csr", (-2, -3), {}, DAMAGED + "the size of X is wrong."),
        ("csr", (2, 3), {"indices": [0, 3, 1]}, DAMAGED),
        ("csr", (2, 3), {"indices": [0, -1, 1]}, DAMAGED),
        ("csr", (2, 3), {"indptr": [0, 3, 2]}, DAMAGED),
    ],
)
def test_sparse_matrices_that_are_damaged(made, form, shape, parts, message):
    sparse(made[0], form, shape, **parts)
    assert refusal(made).startswith(message)


def test_other_files_of_hdf5(made):
    file = made[0]
    assert refusal(made) == (
        "it is an HDF5 file, but not AnnData (.h5ad): save the table as CSV or Parquet."
    )
    assert not file


def test_rows_that_are_missing(made):
    file = made[0]
    file["X"] = X[:0]
    del file["obs"]
    annotate(file, "obs", [])
    assert refusal(made) == "the table has no rows."


def test_columns_that_are_too_short(made):
    file = made[0]
    file["X"] = X
    file["obs"].attrs["column-order"] = ["age"]
    file["obs/age"] = [30]
    assert refusal(made) == DAMAGED + "obs['age'] is too short."


def test_files_of_old_versions(made):
    file = made[0]
    file["X"] = X
    del file["obs"]
    file["obs"] = np.array([1, 2])
    assert refusal(made) == "it is in the format of AnnData before 0.7: write it again."


@pytest.mark.parametrize("form", [None, "csr", "csc"])
def test_a_matrix_may_be_as_large_as_the_limit(made, form, monkeypatch):
    """Eight bytes are counted for each of its six cells."""
    monkeypatch.setattr(limits, "_RATIO", 0)
    if form is None:
        made[0]["X"] = X.astype("f4")
    else:
        sparse(made[0], form, **({"data": [1.0, 3.0, 2.0], "indices": [0, 1, 0],
                                  "indptr": [0, 1, 2, 3]} if form == "csc" else {}))  # fmt: skip
    monkeypatch.setattr(limits, "_ALWAYS_ALLOWED", 48)
    assert np.array_equal(read(made), X)
    monkeypatch.setattr(limits, "_ALWAYS_ALLOWED", 47)
    with pytest.raises(DataFileError, match="the matrix would take"):
        read(made)
