"""Measure how long a search for settings takes, beside one forest in R.

    python -m benchmarks.tuning DATA.csv.gz

Writes results/tuning.csv: seconds of processor time, the smallest of REPEATS. The label is the last
column. R's package CDF has to be installed; all of the data are for training.
"""

import subprocess
import sys
import time
from pathlib import Path

import pandas as pd

from benchmarks.report import RESULTS
from pycdf import CDFClassifier, tune
from pycdf.experiment.data import read_sets

REPEATS = 3
FORESTS = 100
R_CODE = """
data <- read.csv(gzfile(commandArgs(TRUE)[1]), check.names = FALSE)
x <- data[-ncol(data)]
y <- factor(data[[ncol(data)]])
for (i in 1:as.integer(commandArgs(TRUE)[2])) {
    time <- system.time(CDF::CDF(x, y, x[1:9, ], seed = i))
    cat(time[["user.self"]] + time[["sys.self"]], "\\n")
}
"""


def seconds_in_r(path):
    """Processor time of one forest with R's defaults, in R."""
    command = ["Rscript", "-", str(path), str(REPEATS)]
    done = subprocess.run(command, input=R_CODE, capture_output=True, text=True, check=True)
    return min(map(float, done.stdout.split()))


def seconds_of(call):
    """Processor time of a call, which is made once before."""
    call()
    found = []
    for _ in range(REPEATS):
        began = time.process_time()
        call()
        found.append(time.process_time() - began)
    return min(found)


def main(path):
    """Measure all."""
    data = read_sets([Path(path)]).sets[0]
    searched = {"budget": FORESTS, "seed": 1, "n_jobs": 1}
    lines = {
        "one forest in R": seconds_in_r(path),
        "one forest in pycdf": seconds_of(lambda: CDFClassifier(seed=1).fit(data.X, data.y)),
        f"`tune` with {FORESTS} forests, `nested=0`": seconds_of(
            lambda: tune(data.X, data.y, nested=0, **searched)
        ),
        f"`tune` with {FORESTS} forests and the honest figure": seconds_of(
            lambda: tune(data.X, data.y, **searched)
        ),
    }
    table = pd.DataFrame({"what": lines.keys(), "cpu": lines.values()}).round(3)
    table.to_csv(RESULTS / "tuning.csv", index=False)
    print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])
