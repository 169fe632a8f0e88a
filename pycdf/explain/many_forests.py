"""Grow many forests from data that are read and checked once.

The forests may differ in seed, parameters or labels.
"""

from typing import Any

from pycdf.base_r.stream import RStream
from pycdf.classifier import CDFClassifier
from pycdf.explain.fitted import Classes, Rows
from pycdf.forest.model import Model
from pycdf.forest.training import grow_model, read_form, starting_stream
from pycdf.inputs.checks import check_parameters, parameters_in_use
from pycdf.inputs.prepare import TrainingData
from pycdf.inputs.sklearn_rules import read_training
from pycdf.support.progress import ProgressBar, Report
from pycdf.support.wording import brief

_NOT_THE_FORESTS = ("seed", "random_state", "oob_score", "warm_start", "progress")


def read_settings(given: dict[str, Any], seed_is: str) -> dict[str, Any]:
    """All parameters of a forest, with defaults for those that are not given.

    ``seed_is`` tells the caller what to pass instead of ``seed``.
    """
    settings: dict[str, Any] = CDFClassifier().get_params(deep=False)
    known = [name for name in settings if name not in _NOT_THE_FORESTS]
    for name in given:
        if name == "seed":
            raise TypeError(f"seed is not a parameter here: pass {seed_is}.")
        if name not in known:
            raise TypeError(f"there is no parameter {brief(name)}: pass any of {', '.join(known)}.")
    settings |= given
    check_parameters(settings)
    return settings


def read_data(X: Rows, y: Classes, scale: bool = False) -> TrainingData:
    """Rows and labels as ``CDFClassifier.fit`` reads them."""
    return read_training(CDFClassifier(), X, y, reset=True, scale=scale)


def grow(
    data: TrainingData,
    settings: dict[str, Any],
    seed: int | RStream,
    progress: Report | None = None,
    columns: int | None = None,
) -> Model:
    """Grow the forest of ``CDFClassifier(seed=seed, **settings)``.

    ``columns`` is the number of columns that R's defaults count, if ``data`` has fewer.
    """
    used = parameters_in_use(settings, columns or data.n_features, len(data.kept))
    stream = starting_stream(seed, settings["streams"])
    form = read_form(settings, data.classes)
    return grow_model(data, used, form, stream, settings["n_jobs"], progress)


def part_of(bar: ProgressBar, forest: int, forests: int, ntrees: int) -> Report:
    """A progress report for one forest of several, as a part of the whole."""
    return lambda done, _: bar(forest * ntrees + done, forests * ntrees)
