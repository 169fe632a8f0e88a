"""DARWIN in two CSV files, as a user of the command line has them."""

from pycdf import load_darwin
from pycdf.base_r.stream import RStream

FEATURES = [f"x{j}" for j in range(1, 21)]


def write_darwin(folder, train_rows):
    """train.csv and test.csv of the first 20 columns, shuffled, with ids; the whole table."""
    X, y = load_darwin()
    rows = RStream(1).sample(174)
    frame = X.iloc[rows, :20].assign(patient=[f"p{row}" for row in rows], Y=y.iloc[rows])
    frame[:train_rows].to_csv(folder / "train.csv", index=False)
    frame[train_rows:].to_csv(folder / "test.csv", index=False)
    return frame
