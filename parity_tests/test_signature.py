"""R's formals and pycdf's signature; R's default formulas for all numbers of columns."""

import inspect

import numpy as np

from pycdf import CDF
from pycdf.inputs.parameters import default_k, default_mtry

from .tally import TALLY

COLUMNS = 100_000


def test_names_and_order_are_rs(r):
    theirs = r.value("names(formals(CDF::CDF))")
    parameters = inspect.signature(CDF).parameters.values()
    ours = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert len(ours) == len(theirs)
    same = [mine == of_r for mine, of_r in zip(ours, theirs, strict=True)]
    assert TALLY.compare("signature", same), f"{ours} here, {theirs} in R"
    beyond = [p for p in parameters if p.name not in theirs]
    assert all(p.kind is p.KEYWORD_ONLY for p in beyond)


def test_defaults_are_rs(r):
    parameters = inspect.signature(CDF).parameters
    for name in ("xtrain", "ytrain", "xtest"):
        assert r.value(f"identical(formals(CDF::CDF)${name}, quote(expr = ))")[0]
        assert parameters[name].default is inspect.Parameter.empty
    for name in ("ntrees", "depth", "mnode"):
        assert parameters[name].default == r.value(f"formals(CDF::CDF)${name}")[0]
    assert r.value("is.null(formals(CDF::CDF)$seed)")[0]
    assert parameters["seed"].default is None


def test_formulas_of_k_and_mtry_are_rs(r):
    parameters = inspect.signature(CDF).parameters
    for name, ours in (("k", default_k), ("mtry", default_mtry)):
        assert parameters[name].default is None
        theirs = r.value(
            f"vapply(seq_len({COLUMNS}), function(p) "
            f"eval(formals(CDF::CDF)${name}, list(xtrain = matrix(0, 0, p))), 0)"
        )
        mine = np.array([ours(p) for p in range(1, COLUMNS + 1)])
        wrong = np.flatnonzero(mine != theirs)
        assert TALLY.compare("defaults of k and mtry", mine == theirs), (
            f"{name} with {wrong[0] + 1} columns"
        )
