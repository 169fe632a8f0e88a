"""Recognise rows that a forest was grown on, and judge them by the trees that did not draw them.

Trees predict the rows they have seen better than new ones. An accuracy that includes such rows
looks too good, so it comes with a note that has the out-of-bag accuracy beside it.
"""

import numpy as np
import numpy.typing as npt

from pycdf.explain.same_rows import are_training_rows
from pycdf.forest.model import Model
from pycdf.forest.row_checksums import find_rows, row_checksums
from pycdf.forest.voting import winners
from pycdf.inputs.notes import Note, warn_of
from pycdf.support.wording import agree, plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


class SeenRows:
    """The rows that a model was grown on, among rows that are added in parts."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._positions: list[Longs] = []
        self._rows: list[Floats] = []

    def add(self, rows: Floats) -> None:
        """Add rows (rows x features of the forest)."""
        known, forest = self.model.row_checksums, self.model.forest
        found = np.full(len(rows), -1, dtype=np.int64)
        if known is not None:
            found = find_rows(known, row_checksums(rows.T))
        elif (
            not self._positions
            and len(rows) == forest.inbag.shape[1]
            and (forest.leaf[forest.tree_start[:-1]] < 0).any()
            and are_training_rows(forest, rows)
        ):  # a model from an older file: all rows in the order of training, or none
            found = np.arange(len(rows))
        self._positions.append(found)
        self._rows.append(rows[found >= 0])

    def note(self, codes: Longs, found: Longs, name: str) -> list[Note]:
        """A note if there are training rows among those added.

        ``codes`` and ``found`` are the true and the predicted class of each row; rows whose code is
        negative have no label and do not count. ``name`` is what messages call the table.
        """
        positions = np.concatenate(self._positions)
        labelled = codes >= 0
        seen = (positions >= 0) & labelled
        if not seen.any():
            return []
        right = codes == found
        by_others = self._out_of_bag(positions)
        judged = seen & (by_others >= 0)
        rest = labelled & ~seen
        count, of = int(seen.sum()), plural(int(labelled.sum()), "labelled row")
        all_of = f"all {of}" if count > 1 else "the only labelled row"
        which = f"{f'{count:,} of the {of}' if rest.any() else all_of} of {name}"
        text = (
            f"{which} {agree(count, 'is a training row', 'are training rows')}, which the "
            f"trees have seen: an accuracy of {_share(right[seen])} there says little about new "
            "rows."
        )
        if judged.any():
            text += (
                " Out of bag, by the trees that did not draw a row, it is "
                f"{_share(codes[judged] == by_others[judged])}."
            )
        if rest.any():
            text += f" On the other rows it is {_share(right[rest])}."
        return [Note("training_rows", count, tuple(np.flatnonzero(seen).tolist()), text)]

    def _out_of_bag(self, positions: Longs) -> Longs:
        """The class that out-of-bag trees vote for; -1 if there are none, or the row is new."""
        forest = self.model.forest
        answers = np.full(len(positions), -1, dtype=np.int64)
        n = forest.inbag.shape[1]
        if n == 0:
            return answers
        columns = np.full((len(self.model.kept), n), np.nan)
        seen = positions >= 0
        columns[:, positions[seen]] = np.concatenate(self._rows).T
        votes = self.model.out_of_bag_votes(columns)[positions[seen]]
        answers[seen] = np.where(votes.any(axis=1), winners(votes), -1)
        return answers


def warn_if_seen(model: Model, rows: Floats, codes: Codes, found: Longs, name: str) -> None:
    """Warn if there are training rows among ``rows``, whose predictions are judged."""
    seen = SeenRows(model)
    seen.add(rows)
    warn_of(seen.note(codes.astype(np.int64), found, name))


def _share(right: Bools) -> str:
    return f"{right.mean():.4f} ({int(right.sum()):,} of {len(right):,})"
