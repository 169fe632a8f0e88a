"""How many numbers the vector instructions process at a time."""

LANES = 8  # features whose exact sums run side by side, in doubles
BLOCK = 8  # rows that the screen processes at a time, in single precision
FOUR = BLOCK // 2  # features that the screen processes side by side: two sums each fill a vector
RUN = 32  # blocks that are added up before their sum joins the total: smaller rounding errors
