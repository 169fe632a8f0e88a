"""Checks that reject parameter values that R would silently adjust.

``CDFClassifier`` applies all of them; ``CDF()`` only those for parameters that R does not have.
"""

from numbers import Integral, Real
from typing import Any

import numpy as np

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.stream import RStream
from pycdf.inputs.class_weights import check_class_weight
from pycdf.inputs.laboratory import check_rule
from pycdf.inputs.parameters import Parameters, read_parameters
from pycdf.support.options import in_python, option
from pycdf.support.wording import plural, shown

_LEAST = {"ntrees": 1, "depth": 0, "mnode": 1, "k": 1, "mtry": 1}
_CHOICES: dict[str, tuple[Any, ...]] = {
    "collation": ("icu", "C"),
    "spread": ("sample", "population"),
    "streams": ("r", "per_tree"),
    "bootstrap": (True, False),
    "oob_score": (False, True),
    "warm_start": (False, True),
    "progress": (False, True),
    "scale": (False, True),
    "vote": ("hard", "soft"),
}


def check_parameters(values: dict[str, Any]) -> None:
    """Raise an error for a parameter that is out of range for any data."""
    for name, least in _LEAST.items():
        value = values[name]
        if value is None and name in ("k", "mtry"):
            continue
        if name in ("k", "mtry") and is_share(value):
            continue
        if not is_whole(value) or not least <= value <= LARGEST_INTEGER:
            more = ", a share of the columns from 0.0 to 1.0, or None for R's default"
            raise ValueError(
                f"{name}={shown(value)}: pass a whole number from {least} to {LARGEST_INTEGER}"
                f"{more if name in ('k', 'mtry') else ''}."
            )
    for name in _CHOICES:
        check_choice(name, values[name])
    check_jobs(values["n_jobs"])
    check_rules(values["distance"], values["feature_score"], values["redundancy"])
    if values["oob_score"] and not values["bootstrap"]:
        raise ValueError(
            "oob_score=True needs bootstrap=True: without a bootstrap every tree sees every row."
        )
    check_class_weight(values["class_weight"])
    if values["class_weight"] is not None and not values["bootstrap"]:
        raise ValueError(
            "class_weight needs bootstrap=True: the weights say how the bootstrap is drawn."
        )
    kinds: tuple[tuple[str, type, str], ...] = (
        ("seed", RStream, "an RStream"),
        ("random_state", np.random.RandomState, "a numpy.random.RandomState"),
    )
    for name, kind, called in kinds:
        seed = values[name]
        whole = is_whole(seed) and abs(seed) <= LARGEST_INTEGER
        if not (seed is None or isinstance(seed, kind) or whole):
            raise ValueError(
                f"{name}={shown(seed)}: pass a whole number from -{LARGEST_INTEGER} to "
                f"{LARGEST_INTEGER}, {called}, or None for fresh randomness."
            )


def check_rules(distance: Any, feature_score: Any, redundancy: Any) -> None:
    """Raise an error for a distance, a score or a redundancy that no forest can have."""
    check_rule("distance", distance)
    check_rule("feature_score", feature_score)
    number = isinstance(redundancy, Real) and not isinstance(redundancy, bool | np.bool)
    if not number or not 0 <= redundancy <= 1:
        raise ValueError(
            f"redundancy={shown(redundancy)}: pass a number from 0 (as in R, correlated features "
            "are selected together) to 1."
        )


def check_choice(name: str, value: Any) -> Any:
    """The value if it is among the choices of the parameter; otherwise an error."""
    plain = bool(value) if isinstance(value, np.bool) else value
    choices = _CHOICES[name]
    # The type counts, too: 1 equals True.
    if not any(isinstance(plain, type(known)) and plain == known for known in choices):
        raise ValueError(f"{name}={shown(value)}: pass {' or '.join(map(repr, choices))}.")
    return plain


def check_jobs(n_jobs: Any) -> None:
    """Raise an error for a number of jobs that joblib rejects."""
    if n_jobs is not None and (not is_whole(n_jobs) or n_jobs == 0):
        raise ValueError(
            f"{option('n_jobs', n_jobs)}: pass a number of cores, or -1 for all of them"
            + (", or None for one (or the setting of joblib.parallel_config)." * in_python() or ".")
        )


def parameters_in_use(values: dict[str, Any], given: int, kept: int) -> Parameters:
    """ntrees, depth, mnode, k and mtry with R's defaults filled in.

    Defaults and shares count the columns as ``given``; k and mtry are at most the ``kept`` ones.
    """
    values = {
        name: max(1, int(values[name] * given)) if is_share(values[name]) else values[name]
        for name in _LEAST
    }
    for name in ("k", "mtry"):
        if values[name] is not None and values[name] > given:
            raise ValueError(
                f"{name}={values[name]} is more than the {plural(given, 'column')} of X: pass at "
                f"most {given}, or None for R's default."
            )
    chosen = {name: None if values[name] is None else int(values[name]) for name in _LEAST}
    used, _ = read_parameters(**chosen, given=given, kept=kept)
    return used


def is_share(value: Any) -> bool:
    """Whether a value is a float above 0 and up to 1."""
    return isinstance(value, float | np.floating) and bool(0 < value <= 1)


def is_whole(value: Any) -> bool:
    """Whether the type is that of an integer; bools do not count."""
    return isinstance(value, Integral) and not isinstance(value, bool | np.bool)
