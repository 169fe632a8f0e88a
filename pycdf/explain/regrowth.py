"""Which rows were in each node while a forest grew, and how well its features held them apart.

A forest keeps how often each tree drew a row, but not in which order, nor where chance sent the
rows that lay between two centroids: both are drawn again from its stream, from the seed on. Where
that does not help, since the stream had been drawn from before the forest began, rows are sent to
the nearest centroid, and nodes that then have other centroids than the forest's are not known.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pycdf.base_r.seeds import seeded_state, tree_seeds
from pycdf.explain.same_rows import SAME_MEAN, largest_values
from pycdf.forest.arrays import centroid_places
from pycdf.forest.model import Model
from pycdf.inputs.laboratory import R_RULES
from pycdf.kernels.lanes import Rule
from pycdf.kernels.regrow import new_regrown, new_work, regrow_trees
from pycdf.kernels.strata import new_strata
from pycdf.support.wording import shown

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Growth:
    """The training rows and scores of a forest's nodes."""

    rows: npt.NDArray[np.int32]
    """Trees x rows: the rows that each tree drew, node by node."""
    spans: npt.NDArray[np.int64]
    """Where each node's rows begin and end in the row of its tree."""
    scores: Floats
    """Of each selected feature, as ``forest.features`` has them."""
    known: npt.NDArray[np.bool_]
    """Whether a node's rows are those that it had: its class counts and centroids are the same."""


def grow_again(model: Model, rows: Floats, codes: npt.NDArray[np.int32]) -> Growth:
    """Follow the training ``rows`` (rows x kept features) of a model down its trees.

    The scores are R's; those of a forest that selects by another score are not computed.
    """
    if model.sending is not None:
        raise ValueError(
            f"the forest's distance is {shown(model.options['distance'])}: which training rows "
            "were in its nodes can be found again only for distance='euclidean'."
        )
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
    regrown = new_regrown(
        forest.n_trees, n, forest.n_nodes, len(forest.features), len(forest.centroids)
    )
    every_row = np.tile(np.arange(n, dtype=np.int32), forest.n_trees)
    regrown.drawn.flat = np.repeat(every_row, forest.inbag.ravel())
    own = with_stream and model.options["streams"] == "per_tree"
    weighted = model.options["class_weight"] is not None
    regrow_trees(
        forest,
        np.ascontiguousarray(rows.T),
        codes,
        Rule(integer=bool(model.options["integer"]), ddof=int(model.options["ddof"])),
        with_stream,
        with_stream and model.options["bootstrap"],
        # Every tree of a weighted forest drew the same number of rows of each class.
        new_strata(codes, forest.counts[0].astype(np.int64) if weighted else None),
        True if model.options["sample_kind"] == "Rounding" else None,
        state,
        tree_seeds(model.seed, 0, forest.n_trees * own),
        new_work(
            n,
            n_features,
            n_classes=len(model.classes),
            mtry=model.parameters["mtry"],
            k=int(np.diff(forest.feature_start).max(initial=0)),
        ),
        regrown,
    )
    difference = np.abs(regrown.means - forest.centroids)
    same = (difference == 0) | (np.isnan(regrown.means) & np.isnan(forest.centroids))
    owner, selection, _ = centroid_places(forest)
    if not with_stream:
        largest = largest_values(rows)
        same |= difference <= SAME_MEAN * largest[forest.features[selection]]
    regrown.known[owner[~same]] = False
    if model.options["feature_score"] != R_RULES["feature_score"]:
        regrown.scores[:] = np.nan
    return Growth(regrown.drawn, regrown.spans, regrown.scores, regrown.known)
