"""Votes for labelled rows, from which the confusion matrix and the probabilities are drawn.

Training rows can be judged out of bag, by the trees that did not draw them: the trees that did were
fitted to them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.fitted import Classes, Fit, Rows, model_of, read_labelled, read_training
from pycdf.explain.out_of_bag import left_out
from pycdf.explain.seen_rows import warn_if_seen
from pycdf.forest import voting
from pycdf.forest.model import Model
from pycdf.forest.voting import Votes
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RowVotes:
    """The true classes of rows, and the votes for them."""

    classes: npt.NDArray[Any]
    """The labels of the class codes, in the order of the model."""
    codes: Longs
    """The true class of each row, as a code."""
    votes: Votes
    """Votes (rows x classes); every row has at least one."""
    rows: Longs
    """Position of each row in the table that was given."""
    out_of_bag: bool
    unseen: int
    """Number of rows left out because every tree drew them, so that none are out of bag."""

    @property
    def found(self) -> Longs:
        """The predicted class of each row, as a code."""
        return voting.winners(self.votes)

    @property
    def shares(self) -> Floats:
        """The share of the votes for each class (rows x classes)."""
        return voting.vote_shares(self.votes, self.votes.sum(axis=1, keepdims=True))

    def headline(self) -> str:
        """A title: how many rows were predicted correctly, and by which trees."""
        right, n = int((self.found == self.codes).sum()), len(self.codes)
        text = f"{right:,} of {plural(n, 'row')} right ({right / n:.1%})"
        if not self.out_of_bag:
            return text
        left = f"; {self.unseen:,} in every bag" if self.unseen else ""
        return f"{text}, out of bag{left}"


def row_votes(fit: Fit, X: Rows, y: Classes, *, out_of_bag: bool = False) -> RowVotes:
    """Votes for rows by all trees, or by the trees that did not draw a row.

    With ``out_of_bag=True``, X and y are the training rows and labels in their original order.
    Without it, training rows in X raise a :class:`pycdf.TrainingRowsWarning`.
    """
    model = model_of(fit)
    if out_of_bag:
        training = read_training(fit, X, y)
        left_out(model.forest)  # raises if no tree left out any row
        votes = model.out_of_bag_votes(training.rows.T)
        return votes_of(model, training.codes, votes, out_of_bag=True)
    rows, codes = read_labelled(fit, X, y)
    judged = votes_of(model, codes, model.votes(rows, only_kept=True))
    warn_if_seen(model, rows, codes, judged.found, "X")
    return judged


def votes_of(
    model: Model, codes: npt.NDArray[np.int32], votes: Votes, *, out_of_bag: bool = False
) -> RowVotes:
    """True classes and votes (rows x classes) together; rows without votes are left out."""
    voted = votes.any(axis=1)
    if not voted.any():
        raise ValueError("X has no rows: pass at least one.")
    return RowVotes(
        classes=model.classes,
        codes=codes[voted].astype(np.int64),
        votes=votes[voted],
        rows=np.flatnonzero(voted),
        out_of_bag=out_of_bag,
        unseen=int((~voted).sum()),
    )
