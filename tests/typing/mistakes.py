"""A user's mistakes that a type checker must find.

`nox -s lint` checks this file with mypy --strict, which reports every `type: ignore` that is not
needed: each marks a mistake. Nothing here is run.
"""

import numpy as np
import pandas as pd

import pycdf
from pycdf import CDF, CDFClassifier, RStream, explain, plots

X = pd.DataFrame(np.eye(4), columns=list("abcd"))
y = pd.Series(["p", "q", "p", "q"])

# What is right passes: frames, arrays, lists and streams.
fit = CDF(X, y, X, ntrees=10, seed=RStream(1))
fit = CDF(X.to_numpy(), y.to_numpy(), X.to_numpy().tolist(), seed=1)
model = CDFClassifier(ntrees=10, class_weight="balanced", mtry=0.5).fit(X, ["p", "q", "p", "q"])
explain.permutation_importance(model, X, y)
plots.plot_confusion(fit.model, X, y, out_of_bag=True)
plots.plot_confusion(y, fit.predictions)

CDF(y, X, X)  # type: ignore[arg-type]
CDFClassifier().fit(y, X)  # type: ignore[arg-type]
CDFClassifier(ntrees="500")  # type: ignore[arg-type]
CDFClassifier(n_estimators=500)  # type: ignore[call-arg]
explain.permutation_importance(X, model, y)  # type: ignore[arg-type]
explain.permutation_importance("model.cdf", X, y)  # type: ignore[arg-type]
plots.plot_tree(X)  # type: ignore[arg-type]
plots.plot_confusion(model, y, X)  # type: ignore[call-overload]
pycdf.laod("model.cdf")  # type: ignore[attr-defined]
pycdf.CDFClasifier()  # type: ignore[attr-defined]
explain.export_txt(model)  # type: ignore[attr-defined]
