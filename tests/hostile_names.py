"""Names that would act on a terminal, break XML or run in a spreadsheet, and a table with them."""

import re

import numpy as np
import pandas as pd

TITLE = "\x1b]0;owned\x07"
COLUMNS = [
    f"{TITLE}a",
    "b\r\npycdf: a fake line",
    "c\x01\ufffe",
    "d\u202e\x9b2J",
    "=1+1",
    "$e^{x<&",
]
CLASSES = [f"sick{TITLE}", "well\npycdf: cured\x01", "@x\ufffe\u2066"]

# What a terminal may get: printable text, line ends, and the one sequence that clears a line
_SAFE = re.compile(r"\r\x1b\[K|[\r\n]|[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")


def acting(text):
    """The characters of a text that would act on a terminal."""
    return _SAFE.sub("", text)


def hostile_frame(rows=24):
    random = np.random.default_rng(8)
    y = np.array(CLASSES)[np.arange(rows) % 3]
    frame = pd.DataFrame(random.normal(size=(rows, len(COLUMNS))), columns=COLUMNS)
    for j, label in enumerate(CLASSES):
        frame.iloc[:, j] += 3 * (y == label)
    return frame, y


def write_hostile(path, rows=24):
    """The table as Parquet, which holds any text, with a column of ids and the labels in Y."""
    frame, y = hostile_frame(rows)
    frame = frame.assign(Y=y, who=[f"-P{i}{TITLE}" for i in range(rows)])
    frame.to_parquet(path, index=False)
    return path
