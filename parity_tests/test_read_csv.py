"""Columns of random CSV files have the types and values that R's ``read.csv`` gives them."""

import numpy as np

from pycdf.files.tables.reading import read_data

from .compare import bits
from .tally import TALLY

LOGICALS = ["T", "F", "TRUE", "FALSE", "NA", "", " "]
NUMBERS = ["1", " 2", "3.5 ", "0x1A", "1e5", "Inf", "NaN", "NA", "", "\t"]
ODD = ["true", "false", "True", "t", " T", "FALSE ", " NA", "NA ", "\tNA", "x", "na", "NaN"]
COLUMNS = 2_000


def test_columns_have_r_s_types(r, tmp_path):
    rng = np.random.default_rng(15)
    columns = []
    for _ in range(COLUMNS):
        cells = rng.choice(LOGICALS if rng.random() < 0.5 else NUMBERS, 6).tolist()
        if rng.random() < 0.5:
            cells[rng.integers(6)] = str(rng.choice(ODD))
        columns.append(cells)
    file = tmp_path / "t.csv"
    lines = [
        ",".join(row) for row in [[f"v{j}" for j in range(COLUMNS)], *zip(*columns, strict=True)]
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    r["csv"] = r._text([file])
    r.run("theirs <- read.csv(csv, na.strings = 'NA')")
    is_text = r.value("vapply(theirs, is.character, NA)")
    assert 300 < sum(is_text) < 1_200
    ours = read_data(str(file))
    same = []
    for j, text in enumerate(is_text):
        column = ours.iloc[:, j]
        if text:
            same.append(column.dtype == object and column.tolist() == r.value(f"theirs[[{j + 1}]]"))
        else:
            theirs = r.value(f"as.numeric(theirs[[{j + 1}]])")
            numbers = column.dtype == np.float64
            same.append(numbers and np.array_equal(bits(column.to_numpy()), bits(theirs)))
    assert TALLY.compare("columns of CSV files", same), np.flatnonzero(~np.array(same))[:10]
