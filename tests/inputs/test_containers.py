"""Tables of other libraries give the forest of the same cells in a pandas frame or array."""

import re
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import xarray as xr
from random_rows import random_rows
from same_forest import assert_same_forest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline

from pycdf import CDF, CDFClassifier, explain
from pycdf.inputs import containers
from pycdf.inputs.tables import read_matrix

NAMES = [f"gene{j}" for j in range(20)]
ROWS = [f"sample{i}" for i in range(90)]


@pytest.fixture(scope="module")
def rows():
    X, y = random_rows(missing=0, constant=None)
    X[np.abs(X) < 0.3] = 0  # something for the sparse ones to leave out
    return pd.DataFrame(X, index=ROWS, columns=NAMES), y


def anndata_of(frame, of):
    if int(pd.__version__.partition(".")[0]) > 2:
        pytest.skip("anndata needs pandas 2: nox -s anndata")
    anndata = pytest.importorskip("anndata")
    return anndata.AnnData(of(frame.to_numpy()), obs=frame[[]], var=frame.T[[]])


WITH_NAMES = {
    "lazy frame": lambda frame: pl.from_pandas(frame).lazy(),
    "Arrow table": lambda frame: pa.table(dict(frame)),
    "Arrow batch": lambda frame: pa.record_batch(dict(frame)),
    "xarray's DataArray": lambda frame: xr.DataArray(
        frame.to_numpy(), dims=("cell", "gene"), coords={"cell": ROWS, "gene": NAMES}
    ),
    "xarray's Dataset": lambda frame: xr.Dataset({name: ("cell", frame[name]) for name in NAMES}),
    "AnnData": lambda frame: anndata_of(frame, np.asarray),
    "sparse AnnData": lambda frame: anndata_of(frame, sparse.csr_matrix),
}
WITHOUT_NAMES = {
    "csr": lambda frame: sparse.csr_matrix(frame.to_numpy()),
    "csc array": lambda frame: sparse.csc_array(frame.to_numpy()),
    "coo": lambda frame: sparse.coo_array(frame.to_numpy()),
    "xarray's DataArray": lambda frame: xr.DataArray(frame.to_numpy(), dims=("cell", "gene")),
}


@pytest.mark.parametrize(
    ("make", "named"),
    [(make, True) for make in WITH_NAMES.values()]
    + [(make, False) for make in WITHOUT_NAMES.values()],
    ids=[*WITH_NAMES, *(f"{name} without names" for name in WITHOUT_NAMES)],
)
def test_the_same_forest(rows, make, named):
    frame, y = rows
    plain = frame if named else frame.to_numpy()
    table = make(frame)
    fit, expected = CDF(table, y, table, 5, seed=1), CDF(plain, y, plain, 5, seed=1)
    assert_same_forest(fit.forest, expected.forest)
    assert fit.predictions.tolist() == expected.predictions.tolist()
    assert list(fit.feature_importance.index) == list(expected.feature_importance.index)
    model, known = (CDFClassifier(5, seed=1).fit(X, y) for X in (table, plain))
    assert_same_forest(model.model_.forest, known.model_.forest)
    np.testing.assert_array_equal(model.predict_proba(table), known.predict_proba(plain))
    assert model.model_.feature_names == (tuple(NAMES) if named else None)
    pd.testing.assert_frame_equal(
        explain.permutation_importance(model, table, y, seed=1),
        explain.permutation_importance(known, plain, y, seed=1),
    )


def test_row_names_become_the_index(rows):
    frame, y = rows
    table = WITH_NAMES["xarray's DataArray"](frame)
    assert CDF(table, y, table, 2, seed=1).probabilities.index.tolist() == ROWS


def test_whole_numbers_in_a_sparse_matrix_are_doubles_as_in_r():
    counts = np.random.default_rng(1).poisson(1.0, (40, 12))
    y = np.arange(40) % 2
    model = CDFClassifier(5, seed=1).fit(sparse.csr_array(counts), y)
    assert not model.model_.options["integer"]
    assert_same_forest(
        model.model_.forest, CDFClassifier(5, seed=1).fit(counts.astype(float), y).model_.forest
    )


@pytest.mark.parametrize("vectorizer", [TfidfVectorizer, CountVectorizer])
def test_a_pipeline_of_texts(vectorizer):
    texts = ["cheap pills now", "lunch at noon", "pills pills cheap", "noon lunch meeting"] * 5
    y = ["spam", "ham", "spam", "ham"] * 5
    pipeline = make_pipeline(vectorizer(), CDFClassifier(20, seed=1)).fit(texts, y)
    assert pipeline.predict(["cheap pills", "a meeting at noon"]).tolist() == ["spam", "ham"]


def test_a_sparse_matrix_that_would_not_fit_into_memory():
    huge = sparse.coo_array(([1.0, 2.0], ([0, 1], [0, 3])), shape=(2_000_000, 5_000_000))
    message = (
        "X has 2,000,000 rows and 5,000,000 columns: with its zeros written out, as a forest needs "
        "it, it takes 80,000 GB, more than this machine's memory. Select columns first, for "
        "example with scikit-learn's SelectKBest or, for texts, TfidfVectorizer(max_features=...)."
    )
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        CDFClassifier().fit(huge, np.zeros(2_000_000))
    with pytest.raises(ValueError, match="^" + re.escape(message.replace("X", "xtest", 1)) + "$"):
        CDF(np.eye(4), [1, 2, 1, 2], huge)


def test_memory_that_fits_exactly(monkeypatch):
    monkeypatch.setattr(containers.os, "sysconf", {"SC_PHYS_PAGES": 3, "SC_PAGE_SIZE": 8}.get)
    containers.refuse_huge((1, 3), "X")
    with pytest.raises(ValueError, match=r"^X has 2 rows and 2 columns: with its zeros"):
        containers.refuse_huge((2, 2), "X")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            xr.DataArray(np.zeros((2, 2, 2)), dims=("a", "b", "c")),
            "X has the dimensions a, b, c: pass a DataArray of two, rows and columns.",
        ),
        (
            xr.Dataset({"m": (("a", "b"), np.zeros((2, 2)))}),
            "X has the dimensions a, b: pass a Dataset whose variables have the rows as their "
            "only dimension.",
        ),
    ],
)
def test_other_shapes_are_refused(data, message):
    with pytest.raises(ValueError, match="^" + re.escape(message) + "$"):
        CDFClassifier().fit(data, [1, 2])


@pytest.mark.parametrize("name", ["nnz", "toarray"])
def test_columns_may_have_names_that_sparse_matrices_use(name):
    frame = pd.DataFrame({name: [1.0, 2.0], "b": [3.0, 4.0]})
    assert read_matrix(frame, "xtrain").names.tolist() == [name, "b"]


class AnnotatedData:
    """As much of AnnData as is used of it; the library itself may not be there."""

    shape = (2, 2)

    def to_df(self):
        return pd.DataFrame({"g1": [1.0, 2.0], "g2": [3.0, 4.0]}, index=["c1", "c2"])


def test_annotated_data_without_its_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "anndata", SimpleNamespace(AnnData=AnnotatedData))
    found = read_matrix(AnnotatedData(), "xtrain")
    assert found.names.tolist() == ["g1", "g2"]
    assert found.index.tolist() == ["c1", "c2"]
    monkeypatch.setattr(containers, "_physical_memory", lambda: 31.0)
    with pytest.raises(ValueError, match=r"xtrain has 2 rows and 2 columns: with its zeros"):
        read_matrix(AnnotatedData(), "xtrain")


def test_where_the_size_of_the_memory_is_unknown_any_table_may_be_written_out(monkeypatch):
    def unknown(name):
        raise ValueError(name)

    monkeypatch.setattr("os.sysconf", unknown)
    containers.refuse_huge((10**9, 10**9), "xtrain")
