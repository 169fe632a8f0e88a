"""Whether the number of times that features were selected says anything about them.

R's importance counts selections. A node draws ``mtry`` features at random and selects the best
``k``. If there are no more than k, it selects all that it draws, and the counts are those of the
draws, whatever the features are worth. :func:`selection_note` is the one place that decides this.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pycdf.support.wording import plural

if TYPE_CHECKING:
    from pycdf.forest.model import Model

_MOSTLY_CHANCE = 2.0  # dispersion below which chance makes up more than half of the variance
_LITTLE_CHOICE = 2.0  # drawn features for each selected one
_MANY = 0.5  # share of the splits

_INSTEAD = "Contribution and permutation importance show what decides."


def selection_note(model: "Model", command_line: bool = False) -> str | None:
    """What to know about the selections of a forest before reading anything into them; None if
    they mean what they seem to.

    ``command_line`` writes parameters as options of the command.
    """
    forest, parameters = model.forest, model.parameters
    k, mtry, features = parameters["k"], parameters["mtry"], len(model.kept)
    splits = int((forest.leaf < 0).sum())
    if splits == 0:
        return (
            "No tree is split, so no feature was selected and all importances are 0: grow the "
            "forest with a larger depth or a smaller mnode."
        )
    if features == 1:
        return None  # nothing to compare it with
    if k >= mtry:
        return (
            "How often a feature was selected is pure chance here: a node draws "
            f"{plural(mtry, 'feature')} at random and selects {'all' if mtry > 1 else 'it'} "
            f"(k={k}, mtry={mtry}), whether {'they separate' if mtry > 1 else 'it separates'} the "
            f"classes or not. {_INSTEAD}{_remedy(k, mtry, features, command_line)}"
        )
    unscored = _unscored_splits(model)
    if unscored >= _MANY * splits:
        return (
            f"In {unscored / splits:.0%} of the splits no feature could be scored, because fewer "
            "than two classes had two rows or more: there the features that were drawn first are "
            f"selected, whatever they are worth. {_INSTEAD} A larger mnode or a smaller depth "
            "avoids such splits."
        )
    counts = np.bincount(forest.features, minlength=features)
    dispersion = _dispersion(counts, splits)
    if dispersion < _MOSTLY_CHANCE:
        chance = 1 / max(1.0, dispersion)
        cause = (
            f"A node selects {k} of the {mtry} features that it draws, so it has little choice."
            if mtry < _LITTLE_CHOICE * k
            else f"There are only {counts.mean():.2g} selections per feature."
        )
        remedy = (
            _remedy(k, mtry, features, command_line)
            if mtry < _LITTLE_CHOICE * k
            else " More trees make the counts more reliable."
        )
        return (
            f"How often a feature was selected is mostly chance here: {chance:.0%} of the variance "
            f"between features is that of the random draws. {cause} {_INSTEAD}{remedy}"
        )
    return None


def _remedy(k: int, mtry: int, features: int, command_line: bool) -> str:
    """Parameters with which nodes choose, as a sentence."""
    if mtry > 1:
        chosen = {"k": mtry // 2}
    else:
        chosen = {"k": min(k, max(1, features // 3)), "mtry": min(3 * k, features)}
    written = (
        " ".join(f"--{name} {value}" for name, value in chosen.items())
        if command_line
        else ", ".join(f"{name}={value}" for name, value in chosen.items())
    )
    return f" To let nodes choose, grow the forest with a smaller k or a larger mtry ({written})."


def _dispersion(counts: npt.NDArray[np.int64], splits: int) -> float:
    """The variance of the counts divided by that of features drawn at random.

    Nodes that select at random give every feature the same chance, nodes x selected / features.
    """
    features = len(counts)
    chance = counts.sum() / splits / features
    return float(counts.var(ddof=1) / (splits * chance * (1 - chance)))


def _unscored_splits(model: "Model") -> int:
    """Splits without a pair of classes that both have a standard deviation."""
    if model.options["ddof"] == 0:  # a single row has one, 0
        return 0
    if model.options["feature_score"] not in ("css", "welch"):  # others can score a single row
        return 0
    forest = model.forest
    scored = (forest.counts >= 2).sum(axis=1)
    return int(((forest.leaf < 0) & (scored < 2)).sum())
