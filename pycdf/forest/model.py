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
from pycdf.forest.voting import OutOfBag, Routing, Votes
from pycdf.inputs.parameters import Parameters
from pycdf.inputs.scaling import Scaling
from pycdf.support.overview import Overview, Overviewed

Floats = npt.NDArray[np.float64]

STANDARDISED = "standard deviations from the mean of the training rows"
"""The unit of centroids if columns are scaled."""


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
    """Other settings that determine the forest: ``integer``, ``ddof``, ``collation``,
    ``bootstrap``, ``streams`` ("r", or "per_tree" if every tree has its own stream), ``scale``."""
    seed: int
    """The seed that the stream started from, or from which the trees' seeds are derived."""
    stream_state: npt.NDArray[np.uint32]
    """State of R's stream after the last tree, from which further trees continue."""
    row_checksums: Checksums | None = None
    """A checksum of each training row (``pycdf.forest.row_checksums``); None if unknown."""
    scaling: Scaling | None = None
    """How columns are scaled before they reach the forest; None if they are not."""
    out_of_bag: OutOfBag | None = None
    """Votes and accuracy out of bag; None if they were not asked for."""

    spreads: Floats | None = None
    """With another distance than R's: the spread of each element of ``forest.features``."""

    def scaled(self, rows: Floats) -> Floats:
        """Rows x features of the forest, scaled; the same array if the model does not scale."""
        if self.scaling is None:
            return rows
        rows = rows.copy()
        self.scaling.scale_rows(rows)
        return rows

    @property
    def sending(self) -> Sending | None:
        """How rows are sent down the trees; None for R's way."""
        return sending(self.options, self.spreads)

    def votes(
        self, X: npt.NDArray[Any], n_jobs: int | None = 1, *, only_kept: bool = False
    ) -> Votes:
        """How many trees vote for each class (rows x classes), or the sum of their shares.

        ``X`` has all training columns in their own units; or, if ``only_kept``, those that the
        forest uses, scaled if the model scales.
        """
        count = soft_votes if self.options["vote"] == "soft" else voting.votes
        return count(self._routing(only_kept), X, n_jobs)

    def out_of_bag_votes(self, columns: Floats, n_jobs: int | None = 1) -> Votes:
        """Votes for training rows by the trees that did not draw them.

        ``columns``, kept features x rows, are scaled if the model scales.
        """
        soft = self.options["vote"] == "soft"
        count = soft_out_of_bag_votes if soft else voting.out_of_bag_votes
        return count(self._routing(only_kept=True), columns, n_jobs)

    def judge_out_of_bag(self, columns: Floats, codes: Ints, n_jobs: int | None = 1) -> OutOfBag:
        """Judge training rows (kept features x rows) of these classes out of bag."""
        counted = self.out_of_bag_votes(columns, n_jobs)
        right = counted.any(axis=1) & (voting.winners(counted) == codes)
        kept: Any = np.float64 if counted.dtype.kind == "f" else np.int32
        return OutOfBag(counted.astype(kept), int(right.sum()))

    def votes_by_tree(
        self, X: npt.NDArray[Any], n_jobs: int | None = 1, *, only_kept: bool = False
    ) -> Ints:
        """The class code that each tree votes for (rows x trees), that of the leaf's majority."""
        return voting.votes_by_tree(self._routing(only_kept), X, n_jobs)

    def end_nodes(
        self, X: npt.NDArray[Any], n_jobs: int | None = 1, *, only_kept: bool = False
    ) -> Longs:
        """The node in which each row ends in each tree (rows x trees), or FELL_OUT."""
        return voting.end_nodes(self._routing(only_kept), X, n_jobs)

    def _routing(self, only_kept: bool) -> Routing:
        if only_kept:
            return Routing(self.forest, sending=self.sending)
        return Routing(self.forest, self.kept, self.scaling, self.sending)

    def importances(self) -> Floats:
        """Each column's share of all selections; zero for dropped columns."""
        shares = np.zeros(self.n_features)
        shares[self.kept] = voting.importance(self.forest, len(self.kept))
        return shares

    def _overview(self) -> Overview:
        return overview(self)
