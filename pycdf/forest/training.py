"""Grow a :class:`~pycdf.forest.model.Model` from training data, or add trees to one."""

from dataclasses import replace
from typing import Any, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.stream import RStream
from pycdf.forest.arrays import Forest, join
from pycdf.forest.growing import Streams, grow_forest
from pycdf.forest.lab_rules import growing
from pycdf.forest.model import Model
from pycdf.forest.row_checksums import Checksums, row_checksums
from pycdf.forest.screen import build_screen
from pycdf.inputs.class_weights import Weights, class_draws, weights_of_classes
from pycdf.inputs.labels import tie_ranks
from pycdf.inputs.laboratory import R_RULES, rule_name
from pycdf.inputs.parameters import Parameters
from pycdf.inputs.prepare import TrainingData
from pycdf.kernels.arrays import read_only
from pycdf.kernels.lab_ranks import Order
from pycdf.kernels.screen_layout import Screen
from pycdf.support.progress import Report
from pycdf.support.wording import few, shown


class Prepared(NamedTuple):
    """What all forests on the same data need, and may have been made before."""

    screen: Screen
    checksums: Checksums
    order: Order | None = None


def prepare(data: TrainingData) -> Prepared:
    """Make it once for many forests, but for the order, which most do not need."""
    columns, codes, spreads = (
        read_only(data.columns), read_only(data.codes), read_only(data.spreads),
    )  # fmt: skip
    screen = build_screen(columns, codes, len(data.classes), spreads)
    return Prepared(screen, row_checksums(data.columns))


class Form(TypedDict):
    """Settings other than the parameters that determine a forest."""

    ddof: int
    collation: Any
    streams: Streams
    bootstrap: bool
    class_weight: Weights
    scale: bool
    distance: Any
    feature_score: Any
    redundancy: float
    vote: str


def read_form(settings: dict[str, Any], classes: npt.NDArray[Any]) -> Form:
    """The form that an estimator's parameters describe, for labels of these classes."""
    return Form(
        ddof=1 if settings["spread"] == "sample" else 0,
        collation=settings["collation"],
        streams=settings["streams"],
        bootstrap=bool(settings["bootstrap"]),
        class_weight=weights_of_classes(settings["class_weight"], classes),
        scale=bool(settings["scale"]),
        distance=rule_name("distance", settings["distance"]),
        feature_score=rule_name("feature_score", settings["feature_score"]),
        redundancy=float(settings["redundancy"]),
        vote=settings["vote"],
    )


def grow_model(
    data: TrainingData,
    parameters: Parameters,
    form: Form,
    stream: RStream,
    n_jobs: int | None = 1,
    progress: Report | None = None,
    first_tree: int = 0,
    prepared: Prepared | None = None,
) -> Model:
    """Grow ``parameters["ntrees"]`` trees; ``stream`` is left where the last one ended."""
    checksums = row_checksums(data.columns) if prepared is None else prepared.checksums
    grown = grow_forest(
        data.columns,
        data.spreads,
        data.codes,
        tie_ranks(data.texts, form["collation"]),
        integer=data.integer,
        ddof=form["ddof"],
        bootstrap=form["bootstrap"],
        class_draws=class_draws(form["class_weight"], data.codes, data.classes),
        rules=growing(form),
        screen=None if prepared is None else prepared.screen,
        order=None if prepared is None else prepared.order,
        stream=stream,
        streams=form["streams"],
        first_tree=first_tree,
        n_jobs=n_jobs,
        keep_inbag=True,
        progress=progress,
        **parameters,
    )
    return Model(
        forest=grown.forest,
        classes=data.classes,
        n_features=data.n_features,
        feature_names=data.names,
        kept=data.kept,
        parameters=parameters,
        options={"integer": data.integer, **form, "sample_kind": stream.sample_kind},
        seed=stream.seed,
        stream_state=stream.state.copy(),
        row_checksums=checksums,
        scaling=data.scaling,
        spreads=None if form["distance"] == R_RULES["distance"] else grown.spreads,
    )


def starting_stream(seed: int | RStream | None, streams: Streams) -> RStream:
    """The stream of a new forest.

    If every tree has its own stream, a stream passed as ``seed`` draws the seed of the forest.
    """
    if not isinstance(seed, RStream):
        return RStream(seed)
    if streams == "r":
        return seed
    return RStream(int(seed.sample(LARGEST_INTEGER, 1)[0]), sample_kind=seed.sample_kind)


def grow_like(
    model: Model,
    data: TrainingData,
    stream: RStream,
    n_jobs: int | None,
    progress: Report | None,
) -> Model:
    """Grow a forest with the parameters and options of a model on other data."""
    options = model.options
    form = Form(**{name: options[name] for name in Form.__annotations__})  # type: ignore[typeddict-item]
    stream = starting_stream(stream, form["streams"])
    return grow_model(data, model.parameters, form, stream, n_jobs, progress)


def add_trees(
    model: Model,
    data: TrainingData,
    parameters: Parameters,
    form: Form,
    n_jobs: int | None = 1,
    progress: Report | None = None,
) -> Model:
    """Add trees to a model, up to ``parameters["ntrees"]``, as if all were grown at once."""
    _check_same(model, data, parameters, form)
    old, wanted = model.parameters["ntrees"], parameters["ntrees"]
    if wanted < old:
        raise ValueError(
            f"ntrees={wanted} is less than the {old} trees of the forest: warm_start=True only "
            "adds trees. Raise ntrees, or set warm_start=False to start over."
        )
    return extend(model, data, parameters, form, n_jobs, progress)


def extend(
    model: Model,
    data: TrainingData,
    parameters: Parameters,
    form: Form,
    n_jobs: int | None,
    progress: Report | None = None,
    prepared: Prepared | None = None,
) -> Model:
    """Add trees to a model that is known to be of the same data and form."""
    old, wanted = model.parameters["ntrees"], parameters["ntrees"]
    if wanted == old:
        return model
    stream = RStream.at(model.seed, model.stream_state, model.options["sample_kind"])
    more = grow_model(
        data,
        {**parameters, "ntrees": wanted - old},
        form,
        stream,
        n_jobs,
        None if progress is None else lambda done, _: progress(old + done, wanted),
        first_tree=old,
        prepared=prepared,
    )
    spreads = more.spreads
    if model.spreads is not None and spreads is not None:
        spreads = np.concatenate([model.spreads, spreads])
    forest = join(model.forest, more.forest)
    return replace(more, forest=forest, parameters=parameters, spreads=spreads)


def _check_same(model: Model, data: TrainingData, parameters: Parameters, form: Form) -> None:
    """Raise an error if new trees would not belong to the same forest as the old ones."""
    rows = int(model.forest.rows[0])
    before: dict[str, Any] = {**model.parameters, **model.options}
    now: dict[str, Any] = {**parameters, **form}
    if len(data.codes) != rows:
        what = f"X has {len(data.codes):,} rows and the forest was grown on {rows:,}"
    elif not np.array_equal(model.classes, data.classes):
        what = (
            f"the classes of y, as they appear, are {few(data.classes.tolist(), 8)} and those of "
            "the "
            f"forest {few(model.classes.tolist(), 8)}"
        )
    elif not np.array_equal(model.kept, data.kept):
        what = "the columns of X that vary are not those that the forest was grown on"
    elif model.options["integer"] != data.integer:
        kinds = ("floats", "whole numbers")
        what = f"X has {kinds[data.integer]} and had {kinds[model.options['integer']]} before"
    elif changed := [name for name in now if name != "ntrees" and now[name] != before[name]]:
        name = changed[0]
        what = f"{name} is {shown(now[name])} and was {shown(before[name])} before"
    elif not same_labels(model.forest, data.codes):
        what = "some rows have a different label than before"
    elif model.scaling and data.scaling and not model.scaling.same_as(data.scaling):
        what = "the means and standard deviations of the columns of X are not those of before"
    else:
        return
    raise ValueError(
        f"{what}: warm_start=True adds trees to the same forest. Pass the same data and "
        "parameters (only ntrees may increase), or set warm_start=False to start over."
    )


def same_labels(forest: Forest, codes: npt.NDArray[np.int32]) -> bool:
    """Whether the class counts of the roots agree with these labels of the bootstrap rows."""
    if forest.inbag.shape[1] == 0:
        return True
    n_classes = forest.counts.shape[1]
    return all(
        np.array_equal(np.bincount(codes, weights=drawn, minlength=n_classes), forest.counts[root])
        for drawn, root in zip(forest.inbag, forest.tree_start[:-1], strict=True)
    )
