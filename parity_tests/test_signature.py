"""R's formals and pycdf's signature; R's default formulas for all numbers of columns."""

import inspect

import numpy as np

from pycdf import CDF
from pycdf.inputs.argument_names import match_arguments
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


def test_names_are_matched_as_r_matches_them(r):
    """Whole, shortened, unknown and missing names in any order, among arguments without a name."""
    r.run("matched <- CDF::CDF; body(matched) <- quote(as.list(match.call())[-1])")
    formals = r.value("names(formals(CDF::CDF))")
    accepted = 0
    for number in range(1000):
        rng = np.random.default_rng([8, number])
        some = rng.choice(formals, rng.integers(0, 5), replace=False)
        short = [name[: rng.integers(1, len(name) + 1)] for name in some]
        if rng.random() < 0.1:
            short.append("other")
        named = {name: 100 + i for i, name in enumerate(short)}
        plain = list(range(rng.integers(0, 11)))
        code = ", ".join([*map(str, plain), *(f"{name} = {at}" for name, at in named.items())])
        theirs = r.value(f"tryCatch(unlist(matched({code})), error = function(e) 'refused')")
        names = r.value(f"tryCatch(names(matched({code})), error = function(e) 'refused')")
        try:
            ours = match_arguments("CDF", formals, [], plain, named)
        except TypeError:
            same = names == ["refused"]
        else:
            accepted += 1
            same = ours == ({} if names is None else dict(zip(names, theirs, strict=True)))
        assert TALLY.compare("names of arguments", [same]), f"CDF({code}): {names} in R"
    assert 300 < accepted < 900
