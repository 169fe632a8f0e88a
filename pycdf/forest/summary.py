"""A summary of a model in a few lines, as `pycdf describe` prints it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from pycdf.forest.model import Model
from pycdf.support.wording import brief, plural, visible

_TOP = 5


def summary(model: Model) -> dict[str, Any]:
    """Facts about a model and its training data, as plain values."""
    forest = model.forest
    shares = model.importances()
    names = model.feature_names or range(model.n_features)
    top = np.argsort(-shares, kind="stable")[:_TOP]
    splits = int((forest.leaf < 0).sum())
    return {
        "classes": [str(label) for label in model.classes],
        "label_type": str(model.classes.dtype),
        "training_rows": int(forest.rows[0]),
        "columns": model.n_features,
        "columns_kept": len(model.kept),
        "named_columns": model.feature_names is not None,
        "parameters": dict(model.parameters),
        "options": model.options,
        "seed": model.seed,
        "trees": forest.n_trees,
        "nodes": forest.n_nodes,
        "splits": splits,
        "leaves": forest.n_nodes - splits,
        "deepest": int(forest.depth.max()),
        "in_bag_counts": forest.inbag.shape[1] > 0,
        "selected_most": {str(names[j]): float(shares[j]) for j in top},
    }


def summary_lines(facts: dict[str, Any]) -> Iterator[str]:
    """The summary as lines of text; ``facts`` also has the ``file`` and its ``bytes``."""
    classes = facts["classes"]
    shown = ", ".join(map(brief, classes[:12])) + (", ..." if len(classes) > 12 else "")
    yield f"{visible(facts['file'])}: centroid decision forest, {facts['bytes']:,} bytes"
    yield f"  classes     {len(classes)}: {shown}"
    rows, columns = plural(facts["training_rows"], "row"), plural(facts["columns"], "column")
    yield f"  trained on  {rows}, {columns}"
    if facts["columns_kept"] < facts["columns"]:
        kept = plural(facts["columns_kept"], "column")
        yield f"              {kept} kept, the others do not vary"
    for name in ("parameters", "options"):
        yield f"  {name:11} " + ", ".join(f"{key}={value}" for key, value in facts[name].items())
    yield f"  seed        {facts['seed']}"
    yield (
        f"  trees       {facts['trees']:,} with {plural(facts['nodes'], 'node')}: "
        f"{plural(facts['splits'], 'split')}, {plural(facts['leaves'], 'leaf')}, at most "
        f"{facts['deepest']} deep"
    )
    for row, (name, share) in enumerate(facts["selected_most"].items()):
        yield f"  {'' if row else 'selected':11} {brief(name)} ({share:.2%})"
