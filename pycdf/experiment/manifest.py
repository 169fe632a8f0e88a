"""What a run is made of, so that it can be repeated, and continued only by the same run.

In go data sets, methods and settings; out comes a dictionary for ``manifest.json``.
:func:`keep` writes it, and refuses a folder whose results are of another run, with what differs.
More splits, data sets or methods may join a run; what is there already must not change.
"""

import json
import platform
import sys
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from pycdf import __version__
from pycdf.experiment import rrf
from pycdf.experiment.data import DataSet
from pycdf.experiment.methods import Method
from pycdf.files.atomic import write_whole
from pycdf.support.wording import plain

FILE = "manifest.json"
SPLIT_RULE = "set.seed(seed + i); train <- sample(n, floor(0.7 * n)); i = 1, 2, ..."
SEED_RULE = "every method on split i starts from seed + i"
_LIBRARIES = {"numpy": "numpy", "scipy": "scipy", "sklearn": "scikit-learn", "numba": "numba"}


def build(
    sets: Iterable[DataSet],
    methods: Iterable[Method],
    *,
    seed: int,
    splits: int,
    quick: bool,
) -> dict[str, Any]:
    """The manifest of a run; ``methods`` are those that are available."""
    methods = list(methods)
    used = versions(_estimator(one) for one in methods) | (
        rrf.versions() if any(one.missing is rrf.missing for one in methods) else {}
    )
    return {
        "pycdf": __version__,
        "versions": used,
        "platform": platform.platform(),
        "splits": splits,
        "split_rule": SPLIT_RULE,
        "seed": seed,
        "seed_rule": SEED_RULE,
        "tuned": not quick,
        "data": {one.name: _facts(one) for one in sets},
        "methods": {one.name: describe(one, tuned=not quick) for one in methods},
    }


def versions(estimators: Iterable[Any]) -> dict[str, str]:
    """Of Python and of every package that the numbers may depend on.

    The packages of the estimators, and of their parts, are asked themselves: xgboost may have been
    installed as xgboost-cpu.
    """
    found = {"python": platform.python_version()}
    found |= {name: metadata.version(name) for name in _LIBRARIES.values()}
    for estimator in estimators:
        for part in (estimator, *_parameters(estimator).values()):
            package = type(part).__module__.partition(".")[0]
            told = getattr(sys.modules.get(package), "__version__", None)
            if isinstance(told, str) and package not in (*_LIBRARIES, "pycdf"):
                found[package] = told
    return found


def _facts(one: DataSet) -> dict[str, Any]:
    return {
        "rows": one.X.shape[0],
        "columns": one.X.shape[1],
        "classes": one.class_sizes,
        "sha256": one.checksum,
        "source": one.source,
        "label": one.label,
        **({"dropped": list(one.dropped)} if one.dropped else {}),
    }


def _estimator(method: Method) -> Any:
    """What does the work, also where it is wrapped."""
    made = method.make(1)
    return made if hasattr(made, "get_params") else getattr(made, "estimator", made)


def _parameters(estimator: Any) -> dict[str, Any]:
    """All of them, those of parts of a pipeline also."""
    return dict(estimator.get_params() if hasattr(estimator, "get_params") else vars(estimator))


def describe(method: Method, tuned: bool) -> dict[str, Any]:
    """A method's estimator and all its parameters, with the ones that tuning tries."""
    estimator = _estimator(method)
    kind = type(estimator)
    told: dict[str, Any] = {
        "title": method.title,
        "estimator": f"{kind.__module__}.{kind.__qualname__}",
        "parameters": {
            name: _plain(value) for name, value in sorted(_parameters(estimator).items())
        },
    }
    if tuned:
        told["tuning"] = [
            {name: _plain(value) for name, value in one.items()} for one in method.grid
        ]
    if method.needs is not None:
        told["needs"] = method.needs
    return told


def _plain(value: Any) -> Any:
    """What JSON gives back as it was; NaN is text."""
    value = plain(value)
    simple = value is None or isinstance(value, bool | int | str)
    if simple or (isinstance(value, float) and value == value and abs(value) != float("inf")):
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    shown = repr(value)
    return (
        shown if " at 0x" not in shown else f"{type(value).__module__}.{type(value).__qualname__}"
    )


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What keeps ``new`` from continuing ``old``, one sentence each."""
    told = [
        f"{name} is {new[name]!r} and was {old[name]!r}"
        for name in ("pycdf", "seed", "tuned")
        if new[name] != old.get(name)
    ]
    told += _changed("", old["versions"], new["versions"])
    for name, facts in new["data"].items():
        known = old["data"].get(name)
        if known is not None and facts["sha256"] != known["sha256"]:
            sizes = [f"{one['rows']} x {one['columns']}" for one in (facts, known)]
            told.append(
                f"the data set {name!r} has other numbers or labels than before"
                + (f" (it is {sizes[0]} and was {sizes[1]})" if sizes[0] != sizes[1] else "")
            )
    for name, method in new["methods"].items():
        known = old["methods"].get(name)
        if known is None or known == method:
            continue
        changed = []
        if method["estimator"] == known["estimator"]:
            changed = _changed(f"{name}: ", known["parameters"], method["parameters"])
            extra = sorted(method["parameters"].keys() ^ known["parameters"].keys())
            changed += [f"{name}: only one of the two knows {one!r}" for one in extra]
        told += changed or [f"the method {name!r} is not the same as before"]
    return told


def _changed(prefix: str, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Values that differ where both have one."""
    return [
        f"{prefix}{name} is {new[name]!r} and was {old[name]!r}"
        for name in sorted(old.keys() & new.keys())
        if old[name] != new[name]
    ]


def joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The manifest of a folder after ``new`` has joined ``old``."""
    return new | {
        "splits": max(old["splits"], new["splits"]),
        "versions": old["versions"] | new["versions"],
        "data": old["data"] | new["data"],
        "methods": old["methods"] | new["methods"],
    }


def keep(made: dict[str, Any], path: Path, started: bool) -> None:
    """Write the manifest; stop if the folder's results are those of another run.

    ``started``: whether there are results.
    """
    folder, whole = path.parent, made
    if started and path.exists():
        try:
            old = json.loads(path.read_text(encoding="utf-8"))
            told = differences(old, made)
            whole = joined(old, made)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{path} is damaged: name another folder.") from None
        if told:
            raise ValueError(_refusal(folder, told))
    elif started:
        raise ValueError(
            f"{folder} has results and no {path.name}, which tells what they are of: "
            "name another folder."
        )
    write_whole(path, text(whole).encode())


def text(made: dict[str, Any]) -> str:
    """A manifest as it is written."""
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _refusal(folder: Path, told: Sequence[str]) -> str:
    """Why a folder cannot be continued, and what to do."""
    shown = "; ".join(told[:5]) + (f"; and {len(told) - 5} more" if len(told) > 5 else "")
    return (
        f"{folder} holds results of another run: {shown}. Name another folder for this run, "
        "or repeat the command that made it (its manifest.json tells)."
    )
