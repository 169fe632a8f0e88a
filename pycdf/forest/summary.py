"""A model in a few lines: what `pycdf describe` shows.

In goes a :class:`pycdf.forest.model.Model`; out come a dict of plain values, and the same as text.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from pycdf.forest.model import Model

_TOP = 5


def summary(model: Model) -> dict[str, Any]:
    """What a model was made from and looks like."""
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


def summary_lines(told: dict[str, Any]) -> Iterator[str]:
    """The summary as text."""
    classes = told["classes"]
    shown = ", ".join(classes[:12]) + (", ..." if len(classes) > 12 else "")
    yield f"{told['file']}: centroid decision forest, {told['bytes']:,} bytes"
    yield f"  classes     {len(classes)}: {shown}"
    yield f"  trained on  {told['training_rows']:,} rows, {told['columns']:,} columns"
    if told["columns_kept"] < told["columns"]:
        yield f"              {told['columns_kept']:,} columns kept, the others do not vary"
    for name in ("parameters", "options"):
        yield f"  {name:11} " + ", ".join(f"{key}={value}" for key, value in told[name].items())
    yield f"  seed        {told['seed']}"
    yield (
        f"  trees       {told['trees']:,} with {told['nodes']:,} nodes: {told['splits']:,} splits, "
        f"{told['leaves']:,} leaves, at most {told['deepest']} deep"
    )
    for row, (name, share) in enumerate(told["selected_most"].items()):
        yield f"  {'' if row else 'selected':11} {name} ({share:.2%})"
