"""The manifest of a run: the versions, seeds, parameters and data needed to repeat it.

:func:`build` makes the dictionary, and :func:`keep` writes it to ``manifest.json``. If the folder
has results of a different run, :func:`keep` refuses it and names the differences. Splits, data sets
and methods can be added to a run; what it already has must not change.
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
from pycdf.experiment.designs import DEFAULT, Design
from pycdf.experiment.methods import Method
from pycdf.experiment.scaling import RULE
from pycdf.files.atomic import write_whole
from pycdf.support.wording import brief, plain, shown, visible

FILE = "manifest.json"
FORMAT = 2  # of records and manifest; format 1 had no AUC, and only one time for each fit
SEED_RULE = "every method on split i starts from seed + i"
_LIBRARIES = {"numpy": "numpy", "scipy": "scipy", "sklearn": "scikit-learn", "numba": "numba"}


def build(
    sets: Iterable[DataSet],
    methods: Iterable[Method],
    *,
    seed: int,
    splits: int,
    quick: bool,
    design: Design = DEFAULT,
) -> dict[str, Any]:
    """Build the manifest of a run; ``methods`` are the available ones."""
    methods = list(methods)
    used = versions(_estimator(one) for one in methods) | (
        rrf.versions() if any(one.missing is rrf.missing for one in methods) else {}
    )
    return {
        "format": FORMAT,
        "pycdf": __version__,
        "versions": used,
        "platform": platform.platform(),
        "splits": splits,
        "splitting": design.words,
        "split_rule": design.rule,
        "seed": seed,
        "seed_rule": SEED_RULE,
        "tuned": not quick,
        "data": {one.name: _facts(one) for one in sets},
        "methods": {one.name: describe(one, tuned=not quick) for one in methods},
    }


def versions(estimators: Iterable[Any]) -> dict[str, str]:
    """Versions of Python and of every package that the results may depend on.

    For packages of the estimators and their parts, ``__version__`` is used rather than the
    installed distribution: xgboost may have been installed as xgboost-cpu.
    """
    found = {"python": platform.python_version()}
    found |= {name: metadata.version(name) for name in _LIBRARIES.values()}
    for estimator in estimators:
        for part in (estimator, *_parameters(estimator).values()):
            package = type(part).__module__.partition(".")[0]
            version = getattr(sys.modules.get(package), "__version__", None)
            if isinstance(version, str) and package not in (*_LIBRARIES, "pycdf"):
                found[package] = version
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
        **({"groups": len(set(one.groups))} if one.groups is not None else {}),
    }


def _estimator(method: Method) -> Any:
    """A method's estimator, unwrapped."""
    made = method.make(1)
    return made if hasattr(made, "get_params") else getattr(made, "estimator", made)


def _parameters(estimator: Any) -> dict[str, Any]:
    """All parameters of an estimator, including those of the parts of a pipeline."""
    return dict(estimator.get_params() if hasattr(estimator, "get_params") else vars(estimator))


def describe(method: Method, tuned: bool) -> dict[str, Any]:
    """Describe a method: its estimator, all parameters, and the grid if it is tuned."""
    estimator = _estimator(method)
    kind = type(estimator)
    entry: dict[str, Any] = {
        "title": method.title,
        "estimator": f"{kind.__module__}.{kind.__qualname__}",
        "parameters": {
            name: _plain(value) for name, value in sorted(_parameters(estimator).items())
        },
    }
    if method.scaled:
        entry["scaling"] = RULE
    if tuned or method.always_tuned:
        entry["tuning"] = [
            {name: _plain(value) for name, value in one.items()} for one in method.grid
        ]
    if method.needs is not None:
        entry["needs"] = method.needs
    return entry


def _plain(value: Any) -> Any:
    """A value that survives JSON unchanged; NaN, infinities and other objects become text."""
    value = plain(value)
    simple = value is None or isinstance(value, bool | int | str)
    if simple or (isinstance(value, float) and value == value and abs(value) != float("inf")):
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    written = repr(value)
    kind = type(value)
    return written if " at 0x" not in written else f"{kind.__module__}.{kind.__qualname__}"


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """The reasons why the run ``new`` cannot continue ``old``, one clause each."""
    reasons = [
        f"{name} is {shown(new[name])} and was {shown(old[name])}"
        for name in ("pycdf", "seed", "tuned", "split_rule")
        if new[name] != old.get(name)
    ]
    reasons += _changed("", old["versions"], new["versions"])
    for name, facts in new["data"].items():
        before = old["data"].get(name)
        if before is not None and facts["sha256"] != before["sha256"]:
            sizes = [f"{one['rows']} x {one['columns']}" for one in (facts, before)]
            reasons.append(
                f"the numbers or labels of the data set {shown(name)} have changed"
                + (f" (it is {sizes[0]} and was {sizes[1]})" if sizes[0] != sizes[1] else "")
            )
    for name, method in new["methods"].items():
        before = old["methods"].get(name)
        if before is None or before == method:
            continue
        changed = []
        if method["estimator"] == before["estimator"]:
            changed = _changed(f"{brief(name)}: ", before["parameters"], method["parameters"])
            if ("scaling" in method) != ("scaling" in before):
                now, then = ("is", "was not") if "scaling" in method else ("is not", "was")
                changed.append(f"{brief(name)} {now} scaled and {then}")
            extra = sorted(method["parameters"].keys() ^ before["parameters"].keys())
            changed += [
                f"{brief(name)}: only one of the two runs has {shown(one)}" for one in extra
            ]
        reasons += changed or [f"the method {shown(name)} has changed"]
    return reasons


def _changed(prefix: str, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """The values that are in both dictionaries and differ."""
    return [
        f"{prefix}{brief(name)} is {shown(new[name])} and was {shown(old[name])}"
        for name in sorted(old.keys() & new.keys())
        if old[name] != new[name]
    ]


def joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The manifest of a folder after the run ``new`` has been added to ``old``."""
    return new | {
        "splits": max(old["splits"], new["splits"]),
        "versions": old["versions"] | new["versions"],
        "data": old["data"] | new["data"],
        "methods": old["methods"] | new["methods"],
    }


def keep(made: dict[str, Any], path: Path, started: bool) -> None:
    """Write the manifest; refuse a folder with results of a different run.

    ``started`` says whether the folder has results.
    """
    folder, whole = path.parent, made
    if started and path.exists():
        try:
            old = json.loads(path.read_text(encoding="utf-8"))
            reasons = differences(old, made)
            whole = joined(old, made)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{visible(str(path))} is damaged: choose another folder.") from None
        if reasons:
            raise ValueError(_refusal(folder, reasons))
    elif started:
        raise ValueError(
            f"{visible(str(folder))} has results but no {path.name}, which describes them: choose "
            "another folder."
        )
    write_whole(path, text(whole))


def check_format(folder: Path) -> None:
    """Refuse a folder with results of a version whose records have other fields."""
    path = folder / FILE
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
        same = old.get("format", 1) == FORMAT
    except (OSError, ValueError, AttributeError):
        return  # there is none, or it is damaged, which is reported later
    if not same:
        raise ValueError(
            f"{visible(str(folder))} has results of another version of pycdf, which recorded other "
            "measures and times: choose another folder for this run."
        )


def text(made: dict[str, Any]) -> bytes:
    """A manifest as JSON, in which lone surrogates (a file name that is not UTF-8) are escaped."""
    written = json.dumps(made, indent=1, ensure_ascii=False) + "\n"
    return written.encode(errors="backslashreplace")


def _refusal(folder: Path, reasons: Sequence[str]) -> str:
    """Why a run cannot be added to a folder, and what to do."""
    first = "; ".join(reasons[:5])
    first += f"; and {len(reasons) - 5} more" if len(reasons) > 5 else ""
    return (
        f"{visible(str(folder))} has results of a different run: {first}. Choose another folder "
        "for this run, "
        f"or repeat the old one ({FILE} there describes it)."
    )
