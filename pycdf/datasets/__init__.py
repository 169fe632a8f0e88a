"""The data set that ships with the package: DARWIN, as in the R package CDF.

The numbers are parsed by Python's `float`, which gives the same doubles with every version of
pandas.
"""

import gzip
from importlib.resources import files

import numpy as np
import pandas as pd

__all__ = ["load_darwin"]


def load_darwin() -> tuple[pd.DataFrame, pd.Series]:
    """Load DARWIN: handwriting features of 89 Alzheimer's patients and 85 healthy people.

    Returns
    -------
    X : DataFrame of shape (174, 450)
        The features as float64, with R's column names x1 to x450.
    y : Series of shape (174,)
        The labels "P" (patient) and "H" (healthy), named "Y", with the index of X.

    Examples
    --------
    >>> from pycdf import load_darwin
    >>> X, y = load_darwin()
    >>> X.shape
    (174, 450)
    >>> y.value_counts().to_dict()
    {'P': 89, 'H': 85}
    """
    packed = files(__package__).joinpath("darwin.csv.gz").read_bytes()
    header, *lines = gzip.decompress(packed).decode("ascii").splitlines()
    *names, label = header.split(",")
    rows = [line.split(",") for line in lines]
    values = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return pd.DataFrame(values, columns=names), pd.Series([row[-1] for row in rows], name=label)
