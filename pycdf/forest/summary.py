"""A summary of a model: facts for `pycdf describe --json`, and an overview of a few lines."""

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from pycdf.forest.arrays import Floats
from pycdf.forest.contributions import model_contributions
from pycdf.forest.selection_notes import selection_note
from pycdf.inputs.laboratory import R_RULES
from pycdf.support.options import in_python
from pycdf.support.overview import Overview, some
from pycdf.support.wording import brief, plural

if TYPE_CHECKING:
    from pycdf.forest.model import Model

_TOP = 5
_WIDTH = 100  # characters of a line


def summary(model: "Model") -> dict[str, Any]:
    """Facts about a model and its training data, as plain values."""
    forest = model.forest
    decided = np.zeros(model.n_features)
    shares = model_contributions(model)
    decided[model.kept] = 0.0 if shares is None else shares
    splits = int((forest.leaf < 0).sum())
    return {
        "classes": [str(label) for label in model.classes],
        "label_type": str(model.classes.dtype),
        "training_rows": int(forest.rows[0]),
        "columns": model.n_features,
        "columns_kept": len(model.kept),
        "named_columns": model.feature_names is not None,
        "parameters": dict(model.parameters),
        "options": {name: _rule_text(value) for name, value in model.options.items()},
        "seed": model.seed,
        "trees": forest.n_trees,
        "nodes": forest.n_nodes,
        "splits": splits,
        "leaves": forest.n_nodes - splits,
        "deepest": int(forest.depth.max()),
        "in_bag_counts": forest.inbag.shape[1] > 0,
        "contribute_most": {} if shares is None else _largest(model, decided),
        "selected_most": _largest(model, model.importances()),
        "selection_note": selection_note(model, command_line=not in_python()),
    }


def _largest(model: "Model", shares: Floats) -> dict[str, float]:
    """The columns with the largest shares."""
    names = model.feature_names or range(model.n_features)
    return {str(names[j]): float(shares[j]) for j in np.argsort(-shares, kind="stable")[:_TOP]}


def overview(model: "Model") -> Overview:
    """What a model shows of itself."""
    return Overview("Model: a centroid decision forest", training_facts(summary(model)))


def file_overview(facts: dict[str, Any]) -> Overview:
    """What a model file shows of itself; ``facts`` also has the ``file`` and its ``bytes``."""
    title = f"{facts['file']}: centroid decision forest, {facts['bytes']:,} bytes"
    note = facts["selection_note"]
    return Overview(title, {
        **training_facts(facts),
        "contribute": _with_shares(facts["contribute_most"])
        or "unknown: the distance is not a sum over features",
        "selected": _with_shares(facts["selected_most"]) if note is None else wrap(note, _WIDTH),
    })  # fmt: skip


def _with_shares(shares: dict[str, float]) -> list[str]:
    return [f"{brief(name)} ({share:.2%})" for name, share in shares.items()]


def training_facts(facts: dict[str, Any]) -> dict[str, str | list[str]]:
    """The facts of :func:`summary` that say what was trained and how, as text."""
    rows, columns = plural(facts["training_rows"], "row"), plural(facts["columns"], "column")
    trained_on = [f"{rows}, {columns}"]
    if facts["columns_kept"] < facts["columns"]:
        trained_on.append(f"{plural(facts['columns_kept'], 'column')} kept, the others do not vary")
    return {
        "classes": f"{len(facts['classes'])}: {some(facts['classes'])}",
        "trained on": trained_on,
        "parameters": settings_text(facts["parameters"]),
        "options": wrap(settings_text(facts["options"]), _WIDTH),
        "seed": f"{facts['seed']}",
        "trees": f"{facts['trees']:,} with {plural(facts['nodes'], 'node')}: "
        f"{plural(facts['splits'], 'split')}, {plural(facts['leaves'], 'leaf')}, at most "
        f"{facts['deepest']} deep",
    }


def other_rules_text(options: Mapping[str, Any]) -> str:
    """The options in which a forest is not R's: ``distance=manhattan, vote=soft``; or nothing."""
    other = {name: options[name] for name, value in R_RULES.items() if options[name] != value}
    return settings_text({name: _rule_text(value) for name, value in other.items()})


def leaf_note(options: Mapping[str, Any]) -> str:
    """A sentence on leaves that vote for more than the class they are shown with; or nothing."""
    if options["vote"] == R_RULES["vote"]:
        return ""
    return (
        "A leaf votes for every class with the class's share of its rows; it is shown with the "
        "class that has most of them."
    )


def _rule_text(value: Any) -> Any:
    return getattr(value, "__name__", "own") if callable(value) else value


def settings_text(settings: Mapping[str, Any]) -> str:
    """Settings as they are passed to a function: ``ntrees=500, depth=3``."""
    return ", ".join(f"{name}={value}" for name, value in settings.items())
