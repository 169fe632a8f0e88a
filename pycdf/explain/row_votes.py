"""What a fit says of labelled rows: the votes behind the confusion matrix and the probabilities.

In go a fit, rows and labels; out come class codes and votes. Training rows can be judged by the
trees that did not draw them (out of bag): their own trees know them by heart.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.fitted import Fit, model_of, read_labelled, read_training
from pycdf.explain.out_of_bag import left_out
from pycdf.forest import voting
from pycdf.forest.voting import out_of_bag_votes
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RowVotes:
    """Rows with their classes and the votes for them."""

    classes: npt.NDArray[Any]
    """The labels of the class codes, as the model has them."""
    codes: Longs
    """The class of each row."""
    votes: Longs
    """Rows x classes; every row has a vote."""
    out_of_bag: bool
    unseen: int
    """Rows that are not here, since every tree drew them: nobody can judge those out of bag."""

    @property
    def found(self) -> Longs:
        """The predicted class of each row."""
        return voting.winners(self.votes)

    def headline(self) -> str:
        """How many rows were predicted correctly, and by which trees."""
        right, n = int((self.found == self.codes).sum()), len(self.codes)
        text = f"{right:,} of {plural(n, 'row')} right ({right / n:.1%})"
        if not self.out_of_bag:
            return text
        left = f"; {self.unseen:,} in every bag" if self.unseen else ""
        return f"{text}, out of bag{left}"


def row_votes(fit: Fit, X: Any, y: Any, *, out_of_bag: bool = False) -> RowVotes:
    """The votes for rows, by all trees, or out of bag for the training rows in their order."""
    model = model_of(fit)
    if out_of_bag:
        training = read_training(fit, X, y)
        rows, codes = training.rows, training.codes
        left_out(model.forest)  # stops where no tree left out any row
        votes = out_of_bag_votes(model.forest, rows.T)
    else:
        rows, codes = read_labelled(fit, X, y)
        votes = voting.votes(model.forest, rows)
    voted = votes.any(axis=1)
    if not voted.any():
        raise ValueError("X has no rows: pass at least one.")
    return RowVotes(
        classes=model.classes,
        codes=codes[voted].astype(np.int64),
        votes=votes[voted],
        out_of_bag=out_of_bag,
        unseen=int((~voted).sum()),
    )
