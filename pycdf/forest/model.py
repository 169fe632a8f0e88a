"""A fitted forest with the names of its classes and features, as it is used and saved.

``CDF()`` and ``CDFClassifier`` both produce a :class:`Model`, and :mod:`pycdf.files.model` writes
it to a file. How the inputs were read and cleaned (:mod:`pycdf.inputs`) no longer matters here.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.forest import voting
from pycdf.forest.arrays import Forest, Ints, Longs
from pycdf.forest.lab_rules import Sending, sending
from pycdf.forest.row_checksums import Checksums
from pycdf.forest.soft_votes import soft_out_of_bag_votes, soft_votes
from pycdf.forest.summary import overview
from pycdf.forest.voting import Votes
from pycdf.inputs.parameters import Parameters
from pycdf.support.overview import Overview, Overviewed

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Model(Overviewed):
    """A forest, and the meaning of its class and feature numbers."""

    forest: Forest
    classes: npt.NDArray[Any]
    """The labels of the class codes, in order of first appearance; ties go to the first."""
    n_features: int
    """Number of columns of the training data, including the dropped ones."""
    feature_names: tuple[str, ...] | None
    """Names of these columns; None if they had none."""
    kept: npt.NDArray[np.int64]
    """The columns that the forest uses: its feature j is column ``kept[j]``."""
    parameters: Parameters
    """ntrees, depth, mnode, k and mtry as they were used."""
    options: dict[str, Any]
    """Other settings that determine the forest: ``integer``, ``ddof``, ``collation``, ``bootstrap``
    and ``streams`` ("r", or "per_tree" if every tree has its own stream)."""
    seed: int
    """The seed that the stream started from, or from which the trees' seeds are derived."""
    stream_state: npt.NDArray[np.uint32]
    """State of R's stream after the last tree, from which further trees continue."""
    row_checksums: Checksums | None = None
    """A checksum of each training row (``pycdf.forest.row_checksums``); None if unknown."""

    spreads: Floats | None = None
    """With another distance than R's: the spread of each element of ``forest.features``."""

    @property
    def sending(self) -> Sending | None:
        """How rows are sent down the trees; None for R's way."""
        return sending(self.options, self.spreads)

    def votes(
        self, X: npt.NDArray[Any], n_jobs: int | None = 1, *, only_kept: bool = False
    ) -> Votes:
        """How many trees vote for each class (rows x classes), or the sum of their shares.

        ``X`` has all training columns, or only those that the forest uses.
        """
        count = soft_votes if self.options["vote"] == "soft" else voting.votes
        return count(self.forest, X, None if only_kept else self.kept, n_jobs, self.sending)

    def out_of_bag_votes(self, columns: Floats, n_jobs: int | None = 1) -> Votes:
        """Votes for training rows by the trees that did not draw them; ``columns``: kept x rows."""
        soft = self.options["vote"] == "soft"
        count = soft_out_of_bag_votes if soft else voting.out_of_bag_votes
        return count(self.forest, columns, n_jobs, self.sending)

    def votes_by_tree(
        self, X: npt.NDArray[Any], n_jobs: int | None = 1, *, only_kept: bool = False
    ) -> Ints:
        """The class code that each tree votes for (rows x trees), that of the leaf's majority."""
        kept = None if only_kept else self.kept
        return voting.votes_by_tree(self.forest, X, kept, n_jobs, self.sending)

    def end_nodes(
        self, X: npt.NDArray[Any], n_jobs: int | None = 1, *, only_kept: bool = False
    ) -> Longs:
        """The node in which each row ends in each tree (rows x trees), or -1."""
        kept = None if only_kept else self.kept
        return voting.end_nodes(self.forest, X, kept, n_jobs, self.sending)

    def importances(self) -> Floats:
        """Each column's share of all selections; zero for dropped columns."""
        shares = np.zeros(self.n_features)
        shares[self.kept] = voting.importance(self.forest, len(self.kept))
        return shares

    def _overview(self) -> Overview:
        return overview(self)
