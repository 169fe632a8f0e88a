"""A Python competitor at the other end of a pipe: `python -m benchmarks.worker NAME`.

It reads tab-separated commands, one per line (see workers.py), and answers each with one line. Only
the call itself is timed: the data are in memory, and imports and compilation are done.
"""

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.data import read

# Predictions of the test rows from training rows, labels, test rows, number of trees, seed.
Call = Callable[[Any, np.ndarray, Any, int, int], Any]


def pycdf() -> tuple[str, Call]:
    """pycdf itself."""
    from pycdf import CDF, __version__

    def call(xtrain: Any, ytrain: Any, xtest: Any, ntrees: int, seed: int) -> Any:
        return CDF(xtrain, ytrain, xtest, ntrees=ntrees, seed=seed).predictions

    return f"pycdf {__version__}", call


def sklearn(name: str) -> tuple[str, Call]:
    """One of scikit-learn's forests."""
    from sklearn import __version__, ensemble

    forest = getattr(ensemble, name)

    def call(xtrain: Any, ytrain: Any, xtest: Any, ntrees: int, seed: int) -> Any:
        model = forest(n_estimators=ntrees, n_jobs=1, random_state=seed)
        return model.fit(xtrain, ytrain).predict(xtest)

    return f"scikit-learn {__version__}", call


def treeple() -> tuple[str, Call]:
    """An oblique forest: it splits nodes by weighted sums of features."""
    import sklearn
    import treeple

    def call(xtrain: Any, ytrain: Any, xtest: Any, ntrees: int, seed: int) -> Any:
        model = treeple.ObliqueRandomForestClassifier(ntrees, n_jobs=1, random_state=seed)
        return model.fit(xtrain, ytrain).predict(xtest)

    return f"treeple {treeple.__version__} with scikit-learn {sklearn.__version__}", call


COMPETITORS: dict[str, Callable[[], tuple[str, Call]]] = {
    "pycdf": pycdf,
    "random_forest": lambda: sklearn("RandomForestClassifier"),
    "extra_trees": lambda: sklearn("ExtraTreesClassifier"),
    "oblique": treeple,
}


def _frame(values: np.ndarray) -> Any:
    return pd.DataFrame(values, columns=[f"x{j + 1}" for j in range(values.shape[1])])


def serve(name: str) -> None:
    """Answer commands until the pipe closes."""
    try:
        version, call = COMPETITORS[name]()
    except (ImportError, ValueError) as error:  # not there, or built for another scikit-learn
        print("missing", str(error).replace("\n", " "), sep="\t", flush=True)
        return
    print("ready", version, sep="\t", flush=True)
    folder = Path()
    xtrain: Any
    xtest: Any
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split("\t")
        if command == "load":
            folder = Path(words[0])
            xtrain, ytrain, xtest = read(folder)
            if name == "pycdf":  # data frames, as for R's CDF
                xtrain, xtest = _frame(xtrain), _frame(xtest)
            print("ok", flush=True)
        else:
            ntrees, seed = int(words[0]), int(words[1])
            gc.collect()
            cpu, begin = process_time(), perf_counter()
            predictions = call(xtrain, ytrain, xtest, ntrees, seed)
            seconds, cpu = perf_counter() - begin, process_time() - cpu
            text = "\n".join(map(str, predictions)) + "\n"
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
            print("ok", seconds, cpu, sep="\t", flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
