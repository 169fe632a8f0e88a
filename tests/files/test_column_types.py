"""Which columns of a CSV file are numbers, logicals or text: R's answers, recorded with R 4.2.2.

`parity_tests/test_read_csv.py` asks R itself.
"""

import numpy as np
import pytest

from pycdf.files.tables.reading import read_data

NAN = float("nan")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["T", "F", "TRUE", "FALSE"], [1.0, 0.0, 1.0, 0.0]),
        (["T", "NA", ""], [1.0, NAN, NAN]),
        (["T", " "], [1.0, NAN]),
        (['"T"', "F"], [1.0, 0.0]),
        (["true", "false"], ["true", "false"]),
        (["TRUE", "false"], ["TRUE", "false"]),
        (["True", "False"], ["True", "False"]),
        (["T", " F"], ["T", " F"]),
        ([" TRUE ", "F"], [" TRUE ", "F"]),
        (["T\t", "F"], ["T\t", "F"]),
        (["T", " NA"], ["T", " NA"]),
        (["NA ", "T"], ["NA ", "T"]),
        (["T", "NaN"], ["T", "NaN"]),
        (["1", "T"], ["1", "T"]),
        (["1", " 2 ", "NA"], [1.0, 2.0, NAN]),
        (["1", " NA"], ["1", " NA"]),
        (["0x1A", "NA "], ["0x1A", "NA "]),
        (["NA", " "], [NAN, NAN]),
        ([" NA", "NA"], [" NA", None]),
    ],
)
def test_a_column_has_the_type_that_read_csv_gives_it(cells, expected, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a,b\n" + "".join(f"{cell},1\n" for cell in cells), encoding="utf-8")
    column = read_data(str(file))["a"]
    if isinstance(expected[0], str):
        assert column.dtype == object
        assert column.tolist() == expected
    else:
        assert column.dtype == np.float64
        assert np.array_equal(column, expected, equal_nan=True)
