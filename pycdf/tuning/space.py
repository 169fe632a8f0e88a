"""The settings that a search tries: R's defaults first, then others in random order."""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from pycdf.base_r.stream import RStream
from pycdf.explain.many_forests import read_settings
from pycdf.inputs.laboratory import R_RULES
from pycdf.inputs.parameters import default_k, default_mtry
from pycdf.support.wording import shown

Settings = dict[str, Any]

_SEARCHED = (
    "k", "mtry", "depth", "mnode", "distance", "feature_score", "redundancy", "vote",
    "class_weight",
)  # fmt: skip


def default_space(n_features: int) -> dict[str, list[Any]]:
    """The values that are tried if the caller names none; each parameter's first one is R's."""
    k, mtry = default_k(n_features), default_mtry(n_features)
    return {
        "k": _around(k, (1, 0.5, 2), n_features),
        "mtry": _around(mtry, (1, 0.5, 2, 4), n_features),
        "depth": [3, 1, 5, 10],
        "mnode": [3, 10],
        "distance": ["euclidean", "standardized", "manhattan", "cosine"],
        "feature_score": ["css", "welch", "f", "auc"],
        "class_weight": [None, "balanced"],
    }


def read_space(given: Mapping[str, Iterable[Any]] | None, n_features: int) -> dict[str, list[Any]]:
    """The values to try for each parameter, checked one by one."""
    if given is None:
        return default_space(n_features)
    space: dict[str, list[Any]] = {}
    for name, values in given.items():
        if name not in _SEARCHED:
            raise ValueError(
                f"space has {shown(name)}: a search can try values of {', '.join(_SEARCHED)}."
            )
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise ValueError(f"space[{name!r}] is {shown(values)}: pass a list of values to try.")
        space[name] = list(values)
        if not space[name]:
            raise ValueError(f"space[{name!r}] is empty: pass at least one value.")
        for value in space[name]:
            read_settings({name: value}, "seed of the search")
    return space


def r_settings(n_features: int) -> Settings:
    """R's defaults."""
    return {
        "k": default_k(n_features),
        "mtry": default_mtry(n_features),
        "depth": 3,
        "mnode": 3,
        **R_RULES,
        "class_weight": None,
    }


def draw_settings(
    space: Mapping[str, list[Any]], most: int, n_features: int, stream: RStream
) -> list[Settings]:
    """R's defaults and up to ``most - 1`` other combinations of the space, all different."""
    start = r_settings(n_features)
    total = 1
    for values in space.values():
        total *= len(values)
    # Few combinations are listed, many are drawn one by one.
    drawn: Iterable[Settings]
    if total <= 4 * most:
        every = [dict(zip(space, values, strict=True)) for values in product(*space.values())]
        drawn = (every[i] for i in stream.sample_int(len(every)).tolist())
    else:
        drawn = (
            {name: values[stream.sample_int(len(values), 1)[0]] for name, values in space.items()}
            for _ in range(20 * most)
        )
    found = [start]
    for chosen in drawn:
        settings = start | chosen
        if len(found) >= most:
            break
        if settings not in found:
            found.append(settings)
    return found


def _around(value: int, factors: Iterable[float], most: int) -> list[int]:
    return list(dict.fromkeys(min(most, max(1, round(value * factor))) for factor in factors))
