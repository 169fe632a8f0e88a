"""DARWIN as shipped: its shape, its labels and every bit of its numbers."""

import hashlib

import numpy as np

import pycdf.datasets
from pycdf.datasets import load_darwin


def test_darwin_is_what_the_r_package_ships():
    X, y = load_darwin()
    assert list(X.columns) == [f"x{i}" for i in range(1, 451)]
    assert set(X.dtypes) == {np.dtype("float64")}
    assert y.value_counts().to_dict() == {"P": 89, "H": 85}
    assert hashlib.sha256("".join(y).encode()).hexdigest() == LABELS
    # Row by row, little-endian: any number that is one bit off changes this.
    values = np.ascontiguousarray(X, dtype="<f8")
    assert hashlib.sha256(values.tobytes()).hexdigest() == NUMBERS


def test_features_and_labels_are_taken_apart_alike():
    X, y = load_darwin()
    rows = np.array([173, 0, 90])
    assert X.index.equals(y.index)
    assert X.iloc[rows].index.equals(y.iloc[rows].index)
    assert y.name == "Y"
    assert list(y[rows]) == list(y.iloc[rows]) == ["H", "P", "H"]
    assert (np.array(["H", "P", "P"]) == y.iloc[rows]).sum() == 2


def test_each_call_returns_data_of_its_own():
    X, y = load_darwin()
    X.iloc[0, 0] = -1.0
    y.iloc[0] = "H"
    again, labels = load_darwin()
    assert again.iloc[0, 0] != -1.0
    assert labels.iloc[0] == "P"


def test_source_and_licence_travel_with_the_data():
    text = pycdf.datasets.files("pycdf.datasets").joinpath("README.md").read_text("utf-8")
    assert "CC BY 4.0" in text
    assert "Cilia" in text


NUMBERS = "af81681f7ea1653dd1eac6aa3bb6c22e48c572f59c15026d99c1d2a077b0eaa7"
LABELS = "5cd63525f7090a8426bdeb85af2a6cdb8791e41e7ab772b858a9e4b68b138a5b"
