"""The header of a model file: what its keys may be, and that they agree with each other.

Sizes of arrays, labels, names, parameters and options are checked before any array is read; the
arrays themselves in :mod:`pycdf.files.checks`. Any fault raises ``ValueError``.
"""

from base64 import b64decode
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.sampling import SAMPLE_KINDS
from pycdf.files.label_json import (
    check_distinct,
    json_shown,
    labels_from_json,
    names_from_json,
)
from pycdf.forest.row_checksums import Checksums
from pycdf.inputs.laboratory import R_RULES
from pycdf.inputs.parameters import Parameters

STREAM_WORDS = 1 + 624  # the position, and the words of the Mersenne Twister
# The dtype and shape of each array. A letter is a length, and the same letter the same length:
# Trees, Nodes, K classes, Links, selected Features, Centroid values, training Rows, P columns of X,
# State of the stream.
ARRAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "tree_start": ("<i8", ("T+1",)),
    "parent": ("<i4", ("N",)),
    "branch": ("<i4", ("N",)),
    "depth": ("<i4", ("N",)),
    "rows": ("<i4", ("N",)),
    "leaf": ("<i4", ("N",)),
    "counts": ("<i4", ("N", "K")),
    "class_start": ("<i8", ("N+1",)),
    "node_classes": ("<i4", ("L",)),
    "children": ("<i4", ("L",)),
    "feature_start": ("<i8", ("N+1",)),
    "features": ("<i4", ("F",)),
    "centroid_start": ("<i8", ("N+1",)),
    "centroids": ("<f8", ("C",)),
    "inbag": ("|u1", ("T", "R")),
    "kept": ("|u1", ("P",)),
    "stream": ("<u4", ("S",)),
}
# What only some models have: how columns are scaled (Used columns), and votes out of bag.
SCALING_ARRAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "scale_means": ("<f8", ("U",)),
    "scale_spreads": ("<f8", ("U",)),
}
OUT_OF_BAG_ARRAYS: dict[str, tuple[str, tuple[str, ...]]] = {"oob_votes": ("<i4", ("R", "K"))}
_SPREADS = ("<f8", ("F",))  # of models with another distance than R's
_PARAMETERS = {"ntrees": 1, "depth": 0, "mnode": 1, "k": 1, "mtry": 1}  # with their minimum values
_OPTIONS: dict[str, tuple[Any, ...]] = {
    "integer": (False, True),
    "ddof": (0, 1),
    "collation": ("icu", "C"),
    "streams": ("r", "per_tree"),
    "bootstrap": (False, True),
    "sample_kind": SAMPLE_KINDS,
    "vote": ("hard", "soft"),
    "scale": (False, True),
}
_LATER_OPTIONS = {  # with their values in files without them
    "streams": "r",
    "bootstrap": True,
    "class_weight": None,
    "sample_kind": "Rejection",
    "scale": False,
    **R_RULES,
}


@dataclass(frozen=True)
class Header:
    """A header that was read and checked."""

    arrays: dict[str, tuple[str, tuple[str, ...]]]
    """The arrays of the file, with the letters of their lengths."""
    shapes: dict[str, tuple[int, ...]]
    classes: npt.NDArray[Any]
    names: tuple[str, ...] | None
    parameters: Parameters
    options: dict[str, Any]
    seed: int
    right_out_of_bag: int | None
    """Training rows that are right out of bag; None if the file has no votes out of bag."""


def read_header(written: dict[str, Any], length: int) -> Header:
    """The header that was written as a JSON object of ``length`` bytes."""
    classes = labels_from_json(written.get("classes"), length)
    options = _options(written.get("options"), len(classes))
    right = written.get("oob_right")
    arrays = arrays_of(options, right is not None)
    if len(arrays) > len(ARRAYS) and written["version"] < 2:
        raise ValueError("it has arrays that files of format version 1 do not have")
    shapes = _shapes(written.get("arrays"), arrays)
    if len(classes) != shapes["counts"][1]:
        raise ValueError("there is not exactly one label per class")
    check_distinct(classes)
    seed = written.get("seed")
    if type(seed) is not int or abs(seed) > LARGEST_INTEGER:
        raise ValueError("its seed is not a valid seed in R")
    if right is not None and (type(right) is not int or right < 0):
        raise ValueError("its number of rows that are right out of bag is not a whole number")
    return Header(
        arrays=arrays,
        shapes=shapes,
        classes=classes,
        names=names_from_json(written.get("feature_names"), shapes["kept"][0]),
        parameters=_parameters(written.get("parameters"), shapes["tree_start"][0] - 1),
        options=options,
        seed=seed,
        right_out_of_bag=right,
    )


def arrays_of(options: dict[str, Any], out_of_bag: bool) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The arrays of a model with these options, with or without votes out of bag."""
    return (
        ARRAYS
        | (SCALING_ARRAYS if options["scale"] else {})
        | ({} if options["distance"] == R_RULES["distance"] else {"spreads": _SPREADS})
        | (OUT_OF_BAG_ARRAYS if out_of_bag else {})
    )


def _shapes(
    table: Any, arrays: dict[str, tuple[str, tuple[str, ...]]]
) -> dict[str, tuple[int, ...]]:
    """The shapes in the header's table of arrays, after checking that they are consistent."""
    if not isinstance(table, dict) or set(table) != set(arrays):
        raise ValueError("its table of arrays does not match the format version")
    shapes: dict[str, tuple[int, ...]] = {}
    lengths: dict[str, int] = {"S": STREAM_WORDS}
    for name, (dtype, letters) in arrays.items():
        entry = table[name]
        shape = entry.get("shape") if isinstance(entry, dict) else None
        if shape is None or entry.get("dtype") != dtype or not isinstance(shape, list):
            raise ValueError(f"{name} is not described as an array of dtype {dtype}")
        if len(shape) != len(letters) or not all(
            type(n) is int and 0 <= n <= LARGEST_INTEGER for n in shape
        ):
            raise ValueError(f"{name} is described with an invalid shape")
        for letter, extent in zip(letters, shape, strict=True):
            length = extent - letter.count("+")
            if lengths.setdefault(letter[0], length) != length:
                raise ValueError(f"the length of {name} does not match the other arrays")
        shapes[name] = tuple(shape)
    if lengths["T"] < 1:
        raise ValueError("it has no trees")
    return shapes


def _parameters(given: Any, ntrees: int) -> Parameters:
    if not isinstance(given, dict) or set(given) != set(_PARAMETERS):
        raise ValueError(f"its parameters are not {', '.join(_PARAMETERS)}")
    for name, least in _PARAMETERS.items():
        if type(given[name]) is not int or not least <= given[name] <= LARGEST_INTEGER:
            raise ValueError(
                f"its parameter {name} is {json_shown(given[name])}, which is out of range"
            )
    if given["ntrees"] != ntrees:
        raise ValueError(f"its parameter ntrees differs from its number of trees, {ntrees}")
    return cast(Parameters, given)


def _options(written: Any, n_classes: int) -> dict[str, Any]:
    if not isinstance(written, dict):
        raise ValueError("its options are not a JSON object")
    given: dict[str, Any] = written | (_LATER_OPTIONS | written)  # in the order of the file
    for name, choices in _OPTIONS.items():
        value = given.get(name)
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise ValueError(
                f"its option {name} is {json_shown(value)}, which is not a valid value"
            )
    _check_class_weight(given["class_weight"], n_classes, given["bootstrap"])
    _check_rules(given)
    for name in given.keys() - {*_OPTIONS, "class_weight"}:  # of a later pycdf
        if type(given[name]) not in (bool, int, float, str, type(None)):
            raise ValueError(f"its option {json_shown(name)} is neither text nor a number")
    return given


def _check_class_weight(weights: Any, n_classes: int, bootstrap: bool) -> None:
    if weights is None:
        return
    if not bootstrap:
        raise ValueError("it has class weights but no bootstrap")
    if weights != "balanced" and not (
        isinstance(weights, list)
        and len(weights) == n_classes
        and all(type(weight) is float and 0 < weight < float("inf") for weight in weights)
    ):
        raise ValueError("its class weights are not one positive number per class")


def _check_rules(given: dict[str, Any]) -> None:
    """Raise an error for a distance or score without a name, or a bad redundancy.

    Names that are not known here have been refused before.
    """
    for kind in ("distance", "feature_score"):
        if type(given[kind]) is not str:
            raise ValueError(f"its {kind} is {json_shown(given[kind])}, which is not a valid value")
    if type(given["redundancy"]) is not float or not 0 <= given["redundancy"] <= 1:
        raise ValueError("its option redundancy is not a number from 0 to 1")


def row_checksums(written: Any, n_rows: int) -> Checksums | None:
    """The checksums of the training rows; files written before they existed have none."""
    if written is None:
        return None
    sentence = "it does not have one checksum per training row"
    if not isinstance(written, str) or len(written) != 4 * -(-8 * n_rows // 3):
        raise ValueError(sentence)
    try:
        content = b64decode(written, validate=True)
    except ValueError:
        content = b""
    if len(content) != 8 * n_rows:
        raise ValueError(sentence)
    checksums: Checksums = np.frombuffer(content, dtype="<u8").astype(np.uint64)
    return checksums
