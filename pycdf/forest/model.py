"""A fitted forest with the names of its classes and features: what is used, saved and loaded again.

In go what training produced; out come votes for new rows. :class:`Model` knows nothing of R's
cleaning of inputs (:mod:`pycdf.inputs.prepare`) or of scikit-learn (:mod:`pycdf.classifier`): both build
one, and :mod:`pycdf.files.model` keeps it in a file.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.forest import voting
from pycdf.forest.arrays import Forest
from pycdf.inputs.parameters import Parameters

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Model:
    """A forest, and what its numbers mean."""

    forest: Forest
    classes: npt.NDArray[Any]
    """The labels of the class codes, in order of appearance: vote ties go to the first."""
    n_features: int
    """Columns of the training data, dropped ones included."""
    feature_names: tuple[str, ...] | None
    """Their names, where they had any."""
    kept: npt.NDArray[np.int64]
    """Which columns the forest knows: its feature j is column ``kept[j]``."""
    parameters: Parameters
    """ntrees, depth, mnode, k and mtry as they were used."""
    options: dict[str, Any]
    """What shapes the forest beside them: ``integer``, ``ddof``, ``collation``, ``bootstrap``, and
    ``streams``: "r", or "per_tree" where every tree has a stream of its own."""
    seed: int
    """The seed with which the stream began, or from which the trees' seeds come."""
    stream_state: npt.NDArray[np.uint32]
    """Where R's stream stood after the last tree: more trees go on from there."""

    def votes(self, X: npt.NDArray[Any], n_jobs: int | None = 1) -> npt.NDArray[np.int64]:
        """How many trees vote for each class (rows x classes) for rows with all columns."""
        return voting.votes(self.forest, X, self.kept, n_jobs)

    def importances(self) -> Floats:
        """Selection shares of all columns, zero for dropped ones."""
        shares = np.zeros(self.n_features)
        shares[self.kept] = voting.importance(self.forest, len(self.kept))
        return shares
