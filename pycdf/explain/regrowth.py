"""Which rows were in each node while a forest grew, and how well its features held them apart.

In go a model and its training rows; out comes :class:`Growth`: the bootstrap rows of each node, and
the class separability score of each selected feature on them, to the last bit. A forest keeps how
often each tree drew a row, but not in which order, nor where chance sent the rows that lay between
two centroids: both come again from its stream, from the seed on. Where that is of no use, since
the stream had been drawn from before the forest began, rows are sent to the nearest centroid, and
nodes that then have other centroids than the forest's are not known.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pycdf.base_r.stream import seeded_state, tree_seeds
from pycdf.explain.same_rows import SAME_MEAN, largest_values
from pycdf.forest.model import Model
from pycdf.kernels.regrow import grow_known_trees, new_work
from pycdf.kernels.scores import Rule

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Growth:
    """What was in the nodes of a forest."""

    rows: npt.NDArray[np.int32]
    """Trees x rows: the rows that each tree drew, node by node."""
    spans: npt.NDArray[np.int64]
    """Where each node's rows begin and end in the row of its tree."""
    scores: Floats
    """Of each selected feature, as ``forest.features`` has them."""
    known: npt.NDArray[np.bool_]
    """Whether a node's rows are those that it had: its class counts and centroids are the same."""


def grow_again(model: Model, rows: Floats, codes: npt.NDArray[np.int32]) -> Growth:
    """Follow the training ``rows`` (rows x kept features) of a model down its trees."""
    state = seeded_state(model.seed)
    growth = _follow(model, rows, codes, state, with_stream=True)
    own = model.options["streams"] == "per_tree"
    if growth.known.all() and (own or np.array_equal(state, model.stream_state)):
        return growth
    return _follow(model, rows, codes, state, with_stream=False)


def _follow(
    model: Model,
    rows: Floats,
    codes: npt.NDArray[np.int32],
    state: npt.NDArray[np.uint32],
    with_stream: bool,
) -> Growth:
    forest, (n, n_features) = model.forest, rows.shape
    every_row = np.tile(np.arange(n, dtype=np.int32), forest.n_trees)
    drawn = np.repeat(every_row, forest.inbag.ravel()).reshape(forest.n_trees, n)
    spans = np.zeros((forest.n_nodes, 2), dtype=np.int64)
    scores = np.full(len(forest.features), np.nan)
    means = np.full(len(forest.centroids), np.nan)
    known = np.empty(forest.n_nodes, dtype=np.bool_)
    own = with_stream and model.options["streams"] == "per_tree"
    seeds = tree_seeds(model.seed, 0, forest.n_trees * own)
    grow_known_trees(
        forest,
        np.ascontiguousarray(rows.T),
        codes,
        Rule(bool(model.options["integer"]), int(model.options["ddof"])),
        with_stream,
        with_stream and model.options["bootstrap"],
        state,
        seeds,
        new_work(n, n_features, len(model.classes), model.parameters["mtry"]),
        drawn,
        spans,
        scores,
        means,
        known,
    )
    apart = np.abs(means - forest.centroids)
    same = (apart == 0) | (np.isnan(means) & np.isnan(forest.centroids))
    owner = np.repeat(np.arange(forest.n_nodes), np.diff(forest.centroid_start))
    if not with_stream:
        largest = largest_values(rows)
        same |= apart <= SAME_MEAN * largest[_feature_of_centroid(model, owner)]
    known[owner[~same]] = False
    return Growth(drawn, spans, scores, known)


def _feature_of_centroid(model: Model, owner: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The feature of each number in ``forest.centroids``; ``owner`` is its node."""
    forest = model.forest
    take = np.diff(forest.feature_start)[owner]
    rank = (np.arange(len(owner)) - forest.centroid_start[owner]) % take
    return forest.features[forest.feature_start[owner] + rank]
