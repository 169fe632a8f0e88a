"""Models in files: ``save_model`` writes one, ``load_model`` reads it and checks everything.

In goes a :class:`pycdf.forest.model.Model`, out comes the same, to the last bit, on any machine. A file is
a zip archive of a readable header and plain arrays (:mod:`pycdf.files.archive`); nothing in it is ever
executed. What loads is safe to use: the kernels index without looking, so every index was looked at
here and in :mod:`pycdf.files.checks`. docs/model-files.md describes the format.
"""

import os
import platform
import stat
import zipfile
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.files import archive as modelzip
from pycdf.files import label_json as modelvalues
from pycdf.files.atomic import write_whole
from pycdf.files.checks import check_forest
from pycdf.forest.arrays import Forest
from pycdf.forest.model import Model
from pycdf.inputs.parameters import Parameters

FORMAT = "pycdf model"
VERSION = 1

_N = 624  # words of the Mersenne Twister
# dtype and shape of each array; letters are lengths, the same ones the same length:
# Trees, Nodes, classes K, Links, Features, Centroids, Rows in the bag, Columns
_ARRAYS: dict[str, tuple[str, tuple[str, ...]]] = {
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
_PARAMETERS = {"ntrees": 1, "depth": 0, "mnode": 1, "k": 1, "mtry": 1}  # with their least values
_COLLATIONS = ("icu", "C")
_STREAMS = ("r", "per_tree")
_LATER_OPTIONS = {"streams": "r", "bootstrap": True}  # with what holds in files without them


class ModelFileError(ValueError):
    """A file is not a model, is damaged, or comes from a newer pycdf."""


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file. Whatever goes wrong, a file that was there before stays whole."""
    write_whole(path, model_bytes(model))


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model. What is not one, or is damaged, raises :class:`ModelFileError`."""
    shown = os.fspath(path)
    # Opening a pipe that nobody writes to would wait for ever.
    if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
        raise ModelFileError(f"{shown} is not a regular file: save the model to one first.")
    data = Path(path).read_bytes()
    try:
        return model_from_bytes(data)
    except ModelFileError as error:
        raise ModelFileError(f"{shown} {error}") from None


def model_bytes(model: Model) -> bytes:
    """The bytes of a model's file."""
    kept = np.zeros(model.n_features, dtype=np.uint8)
    kept[model.kept] = 1
    arrays = {
        **model.forest._asdict(),
        "kept": kept,
        "stream": model.stream_state[: 1 + _N],
    }
    arrays = {
        name: np.ascontiguousarray(array).astype(_ARRAYS[name][0], casting="equiv", copy=False)
        for name, array in arrays.items()
    }
    header = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": _versions(),
        "classes": modelvalues.write_labels(model.classes),
        "parameters": dict(model.parameters),
        "options": model.options,
        "seed": int(model.seed),
        "arrays": {
            name: {"dtype": _ARRAYS[name][0], "shape": list(array.shape)}
            for name, array in arrays.items()
        },
        "feature_names": model.feature_names,
    }
    try:
        data = modelzip.pack(header, arrays)
    except zipfile.LargeZipFile:
        raise ValueError(
            "the model is larger than a file can be (4 GB): grow fewer trees"
        ) from None
    # What cannot be loaded must not be found out when it is needed.
    again = model_from_bytes(data)
    if not np.array_equal(again.kept, model.kept) or again.feature_names != model.feature_names:
        raise ValueError("the model's columns cannot be kept in a file as they are")
    return data


def model_from_bytes(data: bytes) -> Model:
    """The model in a file's bytes."""
    try:
        contents = modelzip.members(data)
        header = modelzip.unpack_header(data, contents)
        if header.get("format") != FORMAT:
            raise ValueError(f"its header does not say {FORMAT!r}")
    except ValueError as error:
        raise ModelFileError(f"is not a whole model file of pycdf: {error}.") from None
    _check_version(header)
    try:
        return _model(data, contents, header)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise ModelFileError(f"is a damaged model file: {error}.") from None


def _versions() -> dict[str, str]:
    from pycdf import __version__

    python = platform.python_version()
    return {"pycdf": __version__, "numpy": np.__version__, "python": python}


def _check_version(header: dict[str, Any]) -> None:
    version, writer = header.get("version"), header.get("written_by")
    if type(version) is not int or version < 1:
        raise ModelFileError("is a damaged model file: its version is no number.")
    if version > VERSION:
        by = writer.get("pycdf") if isinstance(writer, dict) else None
        newer = f" ({str(by)[:20]})" if by else ""
        raise ModelFileError(
            f"is of format version {version}, from a newer pycdf{newer}, and this one reads up to "
            f"version {VERSION}: upgrade with pip install -U pycdf-forest."
        )


def _model(data: bytes, contents: dict[str, modelzip.Member], header: dict[str, Any]) -> Model:
    if more := set(contents) - {modelzip.HEADER, *(f"{name}.npy" for name in _ARRAYS)}:
        raise ValueError(f"its member {min(more)[:40]!r} does not belong there")
    shapes = _shapes(header.get("arrays"))
    classes = modelvalues.read_labels(header.get("classes"), modelzip.unpacked_limit(len(data)))
    if len(classes) != shapes["counts"][1] or len(classes) < 1:
        raise ValueError("its labels are not one per class")
    known = {(type(label), label) for label in classes.tolist()}
    if len(known) < len(classes) or any(label != label or label is None for _, label in known):
        raise ValueError("a label is missing or occurs twice")
    names = modelvalues.read_names(header.get("feature_names"), shapes["kept"][0])
    parameters = _parameters(header.get("parameters"), shapes["tree_start"][0] - 1)
    options = _options(header.get("options"))
    seed = header.get("seed")
    if type(seed) is not int or abs(seed) > LARGEST_INTEGER:
        raise ValueError("its seed is not one of R's")
    arrays = {
        name: modelzip.unpack_array(data, contents, name, dtype, shapes[name])
        for name, (dtype, _) in _ARRAYS.items()
    }
    kept, stream = arrays.pop("kept"), arrays.pop("stream")
    if (kept > 1).any() or not kept.any():
        raise ValueError("it does not say which columns are kept")
    forest = Forest(**arrays)
    columns = np.flatnonzero(kept).astype(np.int64)
    check_forest(forest, len(classes), len(columns))
    return Model(
        forest=forest,
        classes=classes,
        n_features=len(kept),
        feature_names=names,
        kept=columns,
        parameters=parameters,
        options=options,
        seed=seed,
        stream_state=_stream_state(stream),
    )


def _shapes(table: Any) -> dict[str, tuple[int, ...]]:
    """The shapes in the header's table, once they fit each other."""
    if not isinstance(table, dict) or set(table) != set(_ARRAYS):
        raise ValueError("its table of arrays is not that of this version")
    shapes: dict[str, tuple[int, ...]] = {}
    lengths: dict[str, int] = {"S": 1 + _N}
    for name, (dtype, letters) in _ARRAYS.items():
        entry = table[name]
        shape = entry.get("shape") if isinstance(entry, dict) else None
        if shape is None or entry.get("dtype") != dtype or not isinstance(shape, list):
            raise ValueError(f"{name} is not described as an array of dtype {dtype}")
        if len(shape) != len(letters) or not all(
            type(n) is int and 0 <= n <= LARGEST_INTEGER for n in shape
        ):
            raise ValueError(f"{name} is described with a wrong shape")
        for letter, extent in zip(letters, shape, strict=True):
            length = extent - letter.count("+")
            if lengths.setdefault(letter[0], length) != length:
                raise ValueError(f"the length of {name} does not fit the other arrays")
        shapes[name] = tuple(shape)
    if lengths["T"] < 1 or lengths["N"] < 1:
        raise ValueError("it has no trees")
    return shapes


def _parameters(given: Any, ntrees: int) -> Parameters:
    if not isinstance(given, dict) or set(given) != set(_PARAMETERS):
        raise ValueError(f"its parameters are not {', '.join(_PARAMETERS)}")
    for name, least in _PARAMETERS.items():
        if type(given[name]) is not int or not least <= given[name] <= LARGEST_INTEGER:
            raise ValueError(f"its parameter {name} is out of range")
    if given["ntrees"] != ntrees:
        raise ValueError(f"its parameter ntrees is not the number of its trees, {ntrees}")
    return cast(Parameters, given)


def _options(written: Any) -> dict[str, Any]:
    if not isinstance(written, dict) or not {"integer", "ddof", "collation"} <= set(written):
        raise ValueError("its options are incomplete")
    if any(type(value) not in (bool, int, float, str, type(None)) for value in written.values()):
        raise ValueError("an option is neither text nor a number")
    given: dict[str, Any] = written | {
        name: default for name, default in _LATER_OPTIONS.items() if name not in written
    }
    if (
        type(given["integer"]) is not bool
        or type(given["bootstrap"]) is not bool
        or given["streams"] not in _STREAMS
        or type(given["ddof"]) is not int
        or given["ddof"] not in (0, 1)
        or given["collation"] not in _COLLATIONS
    ):
        raise ValueError("an option has a value that it cannot have")
    return given


def _stream_state(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """A stream's state: the position, the twister's words, and the same words tempered."""
    # Of the first word the twister uses one bit; were all others zero, it would stay at zero.
    if words[0] > _N or not (words[2:].any() or words[1] >> 31):
        raise ValueError("its stream is in no state that R's could be in")
    y = words[1:].copy()
    y ^= y >> np.uint32(11)
    y ^= (y << np.uint32(7)) & np.uint32(0x9D2C5680)
    y ^= (y << np.uint32(15)) & np.uint32(0xEFC60000)
    y ^= y >> np.uint32(18)
    return np.concatenate([words, y])
