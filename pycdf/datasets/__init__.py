"""The data set that ships with the package: DARWIN, as the R package CDF has it.

Nothing comes in; out come a DataFrame of features and a Series of labels that share one index. The
numbers are parsed by Python's `float`, which gives the same doubles with every version of pandas.
"""

import gzip
from importlib.resources import files

import numpy as np
import pandas as pd

__all__ = ["load_darwin"]


def load_darwin() -> tuple[pd.DataFrame, pd.Series]:
    """Return DARWIN: handwriting of 89 Alzheimer's patients ("P") and 85 healthy people ("H").

    X is 174 x 450, float64, with R's column names x1 ... x450; y is a Series of str named "Y".
    """
    packed = files(__package__).joinpath("darwin.csv.gz").read_bytes()
    header, *lines = gzip.decompress(packed).decode("ascii").splitlines()
    *names, label = header.split(",")
    rows = [line.split(",") for line in lines]
    values = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return pd.DataFrame(values, columns=names), pd.Series([row[-1] for row in rows], name=label)
