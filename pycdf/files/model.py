"""Model files: ``save_model`` writes a model, ``load_model`` reads and validates it.

A model is restored bit for bit on any machine. Its file is a zip archive of a readable header and
plain arrays (:mod:`pycdf.files.archive`); nothing in it is ever executed. A model that loads is
safe to use: the kernels index without bounds checks, so every index is checked here and in
:mod:`pycdf.files.checks`. docs/model-files.md describes the format.
"""

import os
import platform
import stat
import zipfile
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.sampling import SAMPLE_KINDS
from pycdf.files import archive
from pycdf.files.atomic import write_whole
from pycdf.files.checks import check_forest
from pycdf.files.label_json import labels_from_json, labels_to_json, names_from_json
from pycdf.files.paths import check_path
from pycdf.forest.arrays import Forest
from pycdf.forest.model import Model
from pycdf.forest.row_checksums import Checksums
from pycdf.inputs.parameters import Parameters
from pycdf.support.wording import visible

FORMAT = "pycdf model"
VERSION = 1

_N = 624  # words of the Mersenne Twister
# The dtype and shape of each array. A letter is a length, and the same letter the same length:
# Trees, Nodes, K classes, Links, selected Features, Centroid values, training Rows, P columns of X,
# State of the stream.
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
_PARAMETERS = {"ntrees": 1, "depth": 0, "mnode": 1, "k": 1, "mtry": 1}  # with their minimum values
_COLLATIONS = ("icu", "C")
_STREAMS = ("r", "per_tree")
_LATER_OPTIONS = {
    "streams": "r",
    "bootstrap": True,
    "class_weight": None,
    "sample_kind": "Rejection",
}  # with their values in files without them


class ModelFileError(ValueError):
    """Raised for a file that is not a model, is damaged, or was written by a newer pycdf.

    It is a subclass of ``ValueError``; its message names the file and says what is wrong.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import pycdf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.cdf")
    ...     size = path.write_text("This is not a model.")
    ...     try:
    ...         pycdf.load(path)
    ...     except pycdf.ModelFileError as error:
    ...         print(str(error).replace(str(path), path.name))
    model.cdf is not a valid pycdf model file: it does not start with a zip signature.
    """


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file. If anything goes wrong, an existing file is left as it was."""
    write_whole(path, model_bytes(model))


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model. A file that is not a valid one raises :class:`ModelFileError`."""
    check_path(path)
    shown = visible(os.fspath(path))
    # Opening a pipe that nobody writes to would block forever.
    if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
        raise ModelFileError(f"{shown} is not a regular file: save the model to one first.")
    data = Path(path).read_bytes()
    try:
        return model_from_bytes(data)
    except ModelFileError as error:
        raise ModelFileError(f"{shown} {error}") from None


def model_bytes(model: Model) -> bytes:
    """The content of a model's file."""
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
        "classes": labels_to_json(model.classes),
        "parameters": dict(model.parameters),
        "options": model.options,
        "seed": int(model.seed),
        "arrays": {
            name: {"dtype": _ARRAYS[name][0], "shape": list(array.shape)}
            for name, array in arrays.items()
        },
        "feature_names": model.feature_names,
    }
    if model.row_checksums is not None:
        header["row_checksums"] = b64encode(model.row_checksums.astype("<u8").tobytes()).decode()
    try:
        data = archive.pack(header, arrays)
    except zipfile.LargeZipFile:
        raise ValueError(
            "the model is larger than a model file can be (4 GB): grow fewer trees"
        ) from None
    # Better to fail now than when the file is needed.
    again = model_from_bytes(data)
    if not np.array_equal(again.kept, model.kept) or again.feature_names != model.feature_names:
        raise ValueError("the model's columns cannot be saved in a file unchanged")
    return data


def model_from_bytes(data: bytes) -> Model:
    """The model in a file's content."""
    try:
        contents = archive.members(data)
        header = archive.unpack_header(data, contents)
        if header.get("format") != FORMAT:
            raise ValueError(f"its header does not say {FORMAT!r}")
    except ValueError as error:
        raise ModelFileError(f"is not a valid pycdf model file: {error}.") from None
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
        raise ModelFileError("is a damaged model file: its format version is not a whole number.")
    if version > VERSION:
        by = writer.get("pycdf") if isinstance(writer, dict) else None
        newer = f" ({str(by)[:20]})" if by else ""
        raise ModelFileError(
            f"has format version {version}, from a newer pycdf{newer}; this one reads versions up "
            f"to {VERSION}: upgrade with pip install -U pycdf-forest."
        )


def _model(data: bytes, contents: dict[str, archive.Member], header: dict[str, Any]) -> Model:
    if more := set(contents) - {archive.HEADER, *(f"{name}.npy" for name in _ARRAYS)}:
        raise ValueError(f"its member {min(more)[:40]!r} does not belong there")
    shapes = _shapes(header.get("arrays"))
    classes = labels_from_json(header.get("classes"), archive.unpacked_limit(len(data)))
    if len(classes) != shapes["counts"][1] or len(classes) < 1:
        raise ValueError("there is not exactly one label per class")
    distinct = {(type(label), label) for label in classes.tolist()}
    if len(distinct) < len(classes) or any(
        label != label or label is None for _, label in distinct
    ):
        raise ValueError("a label is missing or occurs twice")
    names = names_from_json(header.get("feature_names"), shapes["kept"][0])
    parameters = _parameters(header.get("parameters"), shapes["tree_start"][0] - 1)
    options = _options(header.get("options"), len(classes))
    seed = header.get("seed")
    if type(seed) is not int or abs(seed) > LARGEST_INTEGER:
        raise ValueError("its seed is not a valid seed in R")
    arrays = {
        name: archive.unpack_array(data, contents, name, dtype, shapes[name])
        for name, (dtype, _) in _ARRAYS.items()
    }
    kept, stream = arrays.pop("kept"), arrays.pop("stream")
    if (kept > 1).any() or not kept.any():
        raise ValueError("it does not say which columns the forest uses")
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
        row_checksums=_row_checksums(
            header.get("row_checksums"), forest.inbag.shape[1] or int(forest.rows[0])
        ),
    )


def _shapes(table: Any) -> dict[str, tuple[int, ...]]:
    """The shapes in the header's table of arrays, after checking that they are consistent."""
    if not isinstance(table, dict) or set(table) != set(_ARRAYS):
        raise ValueError("its table of arrays does not match the format version")
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
            raise ValueError(f"{name} is described with an invalid shape")
        for letter, extent in zip(letters, shape, strict=True):
            length = extent - letter.count("+")
            if lengths.setdefault(letter[0], length) != length:
                raise ValueError(f"the length of {name} does not match the other arrays")
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
        raise ValueError(f"its parameter ntrees differs from its number of trees, {ntrees}")
    return cast(Parameters, given)


def _options(written: Any, n_classes: int) -> dict[str, Any]:
    if not isinstance(written, dict) or not {"integer", "ddof", "collation"} <= set(written):
        raise ValueError("its options are incomplete")
    plain = (bool, int, float, str, type(None))
    if any(type(written[name]) not in plain for name in written if name != "class_weight"):
        raise ValueError("an option is neither text nor a number")
    given: dict[str, Any] = written | {
        name: default for name, default in _LATER_OPTIONS.items() if name not in written
    }
    if (
        type(given["integer"]) is not bool
        or type(given["bootstrap"]) is not bool
        or given["streams"] not in _STREAMS
        or given["sample_kind"] not in SAMPLE_KINDS
        or type(given["ddof"]) is not int
        or given["ddof"] not in (0, 1)
        or given["collation"] not in _COLLATIONS
    ):
        raise ValueError("an option has an invalid value")
    _check_class_weight(given["class_weight"], n_classes, given["bootstrap"])
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


def _row_checksums(written: Any, n_rows: int) -> Checksums | None:
    """The checksums of the training rows; files written before they existed have none."""
    if written is None:
        return None
    if not isinstance(written, str) or len(written) != 4 * -(-8 * n_rows // 3):
        raise ValueError("it does not have one checksum per training row")
    return np.frombuffer(b64decode(written, validate=True), dtype="<u8").astype(np.uint64)


def _stream_state(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """A stream's state: the position, the Mersenne Twister's words, and the words tempered."""
    # Only the top bit of the first word matters; were it and all other words zero, the generator
    # would return zeros forever.
    if words[0] > _N or not (words[2:].any() or words[1] >> 31):
        raise ValueError("its random stream is in an impossible state")
    y = words[1:].copy()
    y ^= y >> np.uint32(11)
    y ^= (y << np.uint32(7)) & np.uint32(0x9D2C5680)
    y ^= (y << np.uint32(15)) & np.uint32(0xEFC60000)
    y ^= y >> np.uint32(18)
    return np.concatenate([words, y])
