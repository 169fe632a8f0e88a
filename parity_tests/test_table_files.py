"""Tables that R writes, in every format, are read with R's own values, bit for bit."""

import os

import numpy as np
import pandas as pd
import pytest

from pycdf import read_table

from .compare import bits
from .tally import TALLY

MAKE = """
set.seed({seed})
size <- sample(1:40, 1)
holes <- function(x) {{ x[runif(size) < 0.2] <- NA; x }}
words <- c("a", "b c", "d,e", "f;g", "quo\\"te", "Gr\\u00f6\\u00dfe", "x", "1.5")
theirs <- data.frame(
  x = holes(rnorm(size) * 10^sample(-12:12, size, TRUE)), n = holes(sample(-50:50, size, TRUE)),
  whole = seq_len(size), ok = holes(runif(size) < 0.5),
  word = holes(sample(words[1:7], size, TRUE)),
  group = factor(holes(sample(words, size, TRUE))), stringsAsFactors = FALSE
)
theirs$x[1] <- c(Inf, -Inf, NaN, 0.1)[{seed} %% 4 + 1]
if ({seed} %% 3 == 0) rownames(theirs) <- paste0("row ", seq_len(size))
"""
WRITERS = {
    "gzip.rds": "saveRDS(theirs, file)",
    "bzip2.rds": "saveRDS(theirs, file, compress = 'bzip2')",
    "xz.rds": "saveRDS(theirs, file, compress = 'xz')",
    "version_2.rds": "saveRDS(theirs, file, version = 2)",
    "one.RData": "save(theirs, file = file)",
    "matrix.rds": "saveRDS(as.matrix(theirs[c('x', 'n')]), file)",
    "t.csv": "write.csv(theirs, file)",
    "t2.csv": "write.csv2(theirs, file)",
    "t.txt": "write.table(theirs, file)",
    "tabs.tsv": "write.table(theirs, file, sep = '\\t', row.names = FALSE, qmethod = 'double')",
    "t.csv.gz": "con <- gzfile(file, 'w'); write.csv(theirs, con); close(con)",
    "t.arff": "foreign::write.arff(theirs[c('x', 'n', 'whole', 'word', 'group')], file)",
}


@pytest.mark.parametrize("form", WRITERS)
def test_tables_are_those_that_r_wrote(form, r, tmp_path):
    same = []
    if form == "t.arff" and not r.value('requireNamespace("foreign", quietly = TRUE)')[0]:
        assert os.environ.get("PYCDF_COMPARATORS") != "must", "R's package foreign is missing"
        pytest.skip("R's package foreign, one of its recommended ones, is not installed")
    for seed in range(1, 13):
        r.run(MAKE.format(seed=seed))
        file = tmp_path / f"{seed}.{form}"
        r["file"] = r._text([file])
        r.run(WRITERS[form])
        if form.endswith((".csv", ".txt", ".tsv", ".gz")):  # R's own reader says what is in it
            reader = (
                "read.csv2" if form == "t2.csv" else "read.table" if form == "t.txt" else "read.csv"
            )
            more = ", sep = '\\t'" if form == "tabs.tsv" else ""
            names = "" if form == "tabs.tsv" else ", row.names = 1"
            head = ", header = TRUE" if form == "t.txt" else ""
            r.run(f"theirs <- {reader}(file{more}{head}{names}, stringsAsFactors = FALSE)")
        elif form == "t.arff":
            r.run("theirs <- foreign::read.arff(file)")
        decimal = "," if form == "t2.csv" else None
        ours = read_table(file, decimal=decimal)
        for name in ours.columns:
            column = ours[name]
            if r.value(f"is.numeric(theirs${name}) || is.logical(theirs${name})")[0]:
                theirs = r.value(f"as.numeric(theirs${name})")
                found = column.to_numpy(dtype=np.float64, na_value=np.nan)
                missing = np.isnan(theirs)
                same.append(
                    np.array_equal(np.isnan(found), missing)
                    and np.array_equal(bits(found[~missing]), bits(np.asarray(theirs)[~missing]))
                )
            else:
                theirs = r.value(
                    f"ifelse(is.na(theirs${name}), '<NA>', as.character(theirs${name}))"
                )
                texts = ["<NA>" if pd.isna(cell) else str(cell) for cell in column]
                same.append(texts == list(theirs))
    assert len(same) >= 24
    assert TALLY.compare("columns of tables written by R", same), np.flatnonzero(~np.array(same))
