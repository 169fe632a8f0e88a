"""What a fit says of labelled rows: the votes behind the confusion matrix and the probabilities.

In go a fit, rows and labels; out come class codes and votes. Training rows can be judged by the
trees that did not draw them (out of bag): their own trees know them by heart.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.explain.fitted import Fit, model_of, read_codes, read_rows, read_training
from pycdf.explain.out_of_bag import left_out
from pycdf.forest import voting
from pycdf.forest.voting import out_of_bag_votes
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Judged:
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

    @property
    def own_share(self) -> Floats:
        """The share of the votes that goes to the row's own class."""
        own = self.votes[np.arange(len(self.codes)), self.codes]
        share: Floats = own / self.votes.sum(axis=1)
        return share

    def told(self) -> str:
        """How many rows are judged right, and by whom: a title."""
        right, n = int((self.found == self.codes).sum()), len(self.codes)
        text = f"{right:,} of {plural(n, 'row')} right ({right / n:.1%})"
        if not self.out_of_bag:
            return text
        left = f"; {self.unseen:,} in every bag" if self.unseen else ""
        return f"{text}, out of bag{left}"


def judge(fit: Fit, X: Any, y: Any, *, out_of_bag: bool = False) -> Judged:
    """The votes for rows, by all trees, or out of bag for the training rows in their order."""
    model = model_of(fit)
    if out_of_bag:
        rows, codes = read_training(fit, X, y)
        left_out(model.forest)  # stops where no tree left out any row
        votes = out_of_bag_votes(model.forest, rows.T)
    else:
        rows, codes = read_rows(fit, X), read_codes(fit, y)
        if len(rows) != len(codes):
            raise ValueError(
                f"y has {plural(len(codes), 'label')} and X {plural(len(rows), 'row')}: pass one "
                "label per row."
            )
        votes = voting.votes(model.forest, rows)
    voted = votes.any(axis=1)
    if not voted.any():
        raise ValueError("X has no rows: pass at least one.")
    return Judged(
        classes=model.classes,
        codes=codes[voted].astype(np.int64),
        votes=votes[voted],
        out_of_bag=out_of_bag,
        unseen=int((~voted).sum()),
    )
