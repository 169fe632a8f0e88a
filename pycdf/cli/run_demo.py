"""The command `pycdf demo`: train and test a forest on DARWIN, and show the same call in R.

It prints the accuracy on a 70/30 split, the most important features, and the time. The R code that
it shows prints the same numbers, given the package CDF.
"""

from time import perf_counter

import numpy as np

from pycdf import __version__
from pycdf.api import CDF
from pycdf.base_r.stream import RStream
from pycdf.datasets import load_darwin

R_CODE = """\
  library(CDF); data(DARWIN); set.seed({seed})
  tr <- sample(174, 121); te <- setdiff(1:174, tr)
  fit <- CDF(DARWIN[tr, -451], DARWIN$Y[tr], DARWIN[te, -451])
  mean(fit$predictions == DARWIN$Y[te])
  sort(fit$feature_importance, decreasing = TRUE)[1:5]"""


def show(seed: int) -> None:
    """Split DARWIN as R would, grow the default forest, and print the results."""
    X, y = load_darwin()
    begin = perf_counter()
    CDF(X, y, X, ntrees=1, seed=0)  # loads the compiled kernels, or compiles them
    ready = perf_counter() - begin

    stream = RStream(seed)
    train = stream.sample(len(X), 121)
    test = np.setdiff1d(np.arange(len(X)), train)
    begin = perf_counter()
    fit = CDF(X.iloc[train], y.iloc[train], X.iloc[test], seed=stream)
    seconds = perf_counter() - begin
    right = int((fit.predictions == y.iloc[test]).sum())

    print(f"pycdf {__version__}: R's centroid decision forest (CRAN CDF 0.1.0), bit for bit\n")
    print(
        "DARWIN: handwriting of 89 Alzheimer's patients (P) and 85 healthy people (H), 450 features"
    )
    print(f"{len(train)} training rows, {len(test)} test rows, 500 trees; seed {seed}\n")
    print(f"  accuracy      {right / len(test):.7f}  ({right} of {len(test)})")
    for row, (feature, share) in enumerate(fit.feature_importance.nlargest(5).items()):
        print(f"  {'' if row else 'top features':12}  {feature!s:5} {share:.9f}")
    print(f"  time          {seconds:.2f} s  (after loading the kernels for {ready:.1f} s)\n")
    print("The same call in R:\n" + R_CODE.format(seed=seed))
