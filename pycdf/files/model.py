"""Model files: ``save_model`` writes a model, ``load_model`` reads and validates it.

A model is restored bit for bit on any machine. Its file is a zip archive of a readable header and
plain arrays (:mod:`pycdf.files.archive`); nothing in it is ever executed. A model that loads is
safe to use: the kernels index without bounds checks, so every index is checked here and in
:mod:`pycdf.files.checks`. docs/model-files.md describes the format.
"""

import io
import os
import platform
import stat
import zipfile
from base64 import b64encode
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pycdf.files import archive
from pycdf.files.atomic import write_whole
from pycdf.files.checks import check_forest, check_out_of_bag, check_scaling
from pycdf.files.header import ARRAYS, STREAM_WORDS, arrays_of, read_header, row_checksums
from pycdf.files.label_json import json_shown, labels_to_json
from pycdf.files.paths import check_path
from pycdf.files.zip_members import Archive, read_members, unpacked_limit
from pycdf.forest.arrays import Forest
from pycdf.forest.model import Model
from pycdf.forest.voting import OutOfBag
from pycdf.inputs.laboratory import R_RULES, names_of, rule_name
from pycdf.inputs.scaling import Scaling
from pycdf.support.wording import visible

FORMAT = "pycdf model"
VERSION = 2
_KEPT = 8  # bytes for each column of the data, as positions of those that the forest uses


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
    with open(path, "rb") as file:
        try:
            return _read(file)
        except ModelFileError as error:
            raise ModelFileError(f"{shown} {error}") from None


def model_bytes(model: Model) -> bytes:
    """The content of a model's file."""
    kept = np.zeros(model.n_features, dtype=np.uint8)
    kept[model.kept] = 1
    options = _options_to_write(model)
    # Soft votes are not whole numbers, and can be had again from the training rows.
    judged = None if model.options["vote"] == "soft" else model.out_of_bag
    arrays: dict[str, npt.NDArray[Any]] = {
        **model.forest._asdict(),
        "kept": kept,
        "stream": model.stream_state[:STREAM_WORDS],
        **({} if model.spreads is None else {"spreads": model.spreads}),
    }
    if model.scaling is not None:
        arrays |= {"scale_means": model.scaling.means, "scale_spreads": model.scaling.spreads}
    if judged is not None:
        arrays["oob_votes"] = judged.votes
    known = arrays_of({**R_RULES, **options}, judged is not None)
    arrays = {
        name: np.ascontiguousarray(array).astype(known[name][0], casting="equiv", copy=False)
        for name, array in arrays.items()
    }
    header = {
        "format": FORMAT,
        # which older versions read
        "version": VERSION if len(known) > len(ARRAYS) or _has_other_rules(options) else 1,
        "written_by": _versions(),
        "classes": labels_to_json(model.classes),
        "parameters": dict(model.parameters),
        "options": options,
        "seed": int(model.seed),
        "arrays": {
            name: {"dtype": known[name][0], "shape": list(array.shape)}
            for name, array in arrays.items()
        },
        "feature_names": model.feature_names,
    }
    if model.row_checksums is not None:
        header["row_checksums"] = b64encode(model.row_checksums.astype("<u8").tobytes()).decode()
    if judged is not None:
        header["oob_right"] = judged.right
    try:
        data = archive.pack(header, arrays, more=_KEPT * len(kept))
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
    return _read(io.BytesIO(data))


def _read(file: BinaryIO) -> Model:
    try:
        contents = read_members(file)
        # A header has a name for each column and a label, of up to four values, for each class.
        sizes = [contents.members[f"{name}.npy"].size for name in ("kept", "counts")
                 if f"{name}.npy" in contents.members]  # fmt: skip
        header = archive.unpack_header(contents, most_values=sum(sizes))
        if header.get("format") != FORMAT:
            raise ValueError(f"its header does not say {FORMAT!r}")
    except ValueError as error:
        raise ModelFileError(f"is not a valid pycdf model file: {error}.") from None
    _check_version(header)
    _check_rules(header)
    try:
        return _model(contents, header)
    except ValueError as error:
        raise ModelFileError(f"is a damaged model file: {error}.") from None


def _has_other_rules(options: dict[str, Any]) -> bool:
    return any(options.get(name, value) != value for name, value in R_RULES.items())


def _options_to_write(model: Model) -> dict[str, Any]:
    """The options of a model, without rules that are R's; an error for functions without names."""
    options = {**model.options}
    for kind in ("distance", "feature_score"):
        options[kind] = rule_name(kind, options[kind])
        if not isinstance(options[kind], str):
            raise ValueError(
                f"the model's {kind} is a function, which a model file cannot hold: give it a name "
                f"with pycdf.laboratory.register_{kind}(name, function), and save again. Whoever "
                "loads the file has to register it, too."
            )
    return {name: value for name, value in options.items() if R_RULES.get(name, ...) != value}


def _check_rules(header: dict[str, Any]) -> None:
    """Raise an error for a distance or a score of somebody else's."""
    written = header.get("options")
    options: dict[str, Any] = written if isinstance(written, dict) else {}
    for kind in ("distance", "feature_score"):
        name = options.get(kind)
        if isinstance(name, str) and name not in names_of(kind):
            raise ModelFileError(
                f"uses the {kind} {json_shown(name)}, which is not known here: call "
                f"pycdf.laboratory.register_{kind}(name, function) before you load it."
            )


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


def _model(contents: Archive, written: dict[str, Any]) -> Model:
    header = read_header(written, contents.members[archive.HEADER].size)
    if more := set(contents.members) - {archive.HEADER, *(f"{name}.npy" for name in header.arrays)}:
        raise ValueError(f"its member {min(more)[:40]!r} does not belong there")
    for name, (dtype, _) in header.arrays.items():
        archive.check_array(contents, name, dtype, header.shapes[name])
    size = sum(member.size for member in contents.members.values())
    if size + _KEPT * header.shapes["kept"][0] > unpacked_limit(contents.size):
        raise ValueError(f"its {contents.size:,} bytes claim to be a model of {size:,} bytes")
    arrays = {
        name: archive.unpack_array(contents, name, dtype, header.shapes[name])
        for name, (dtype, _) in header.arrays.items()
    }
    scaling, judged = _scaling(arrays), _out_of_bag(arrays, header.right_out_of_bag)
    spreads = arrays.pop("spreads", None)
    if spreads is not None and not (np.isfinite(spreads) & (spreads > 0)).all():
        raise ValueError("spreads contains a number that is not positive")
    kept, stream = arrays.pop("kept"), arrays.pop("stream")
    if kept.max(initial=0) != 1:
        raise ValueError("it does not say which columns the forest uses")
    columns = np.flatnonzero(kept).astype(np.int64, copy=False)
    forest = Forest(**arrays)
    check_forest(
        forest, len(header.classes), len(columns), header.parameters, header.options["bootstrap"]
    )
    if scaling is not None:
        check_scaling(scaling, len(columns))
    if judged is not None:
        check_out_of_bag(judged, forest.inbag)
    return Model(
        forest=forest,
        classes=header.classes,
        n_features=len(kept),
        feature_names=header.names,
        kept=columns,
        parameters=header.parameters,
        options=header.options,
        seed=header.seed,
        stream_state=_stream_state(stream),
        row_checksums=row_checksums(
            written.get("row_checksums"), forest.inbag.shape[1] or int(forest.rows[0])
        ),
        scaling=scaling,
        out_of_bag=judged,
        spreads=spreads,
    )


def _scaling(arrays: dict[str, npt.NDArray[Any]]) -> Scaling | None:
    """The scaling among a file's arrays, from which it is removed."""
    if "scale_means" not in arrays:
        return None
    return Scaling(arrays.pop("scale_means"), arrays.pop("scale_spreads"))


def _out_of_bag(arrays: dict[str, npt.NDArray[Any]], right: int | None) -> OutOfBag | None:
    """The out-of-bag votes among a file's arrays, from which they are removed."""
    return None if right is None else OutOfBag(arrays.pop("oob_votes"), right)


def _stream_state(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """A stream's state: the position, the Mersenne Twister's words, and the words tempered."""
    # Only the top bit of the first word matters; were it and all other words zero, the generator
    # would return zeros forever.
    if words[0] > STREAM_WORDS - 1 or not (words[2:].any() or words[1] >> 31):
        raise ValueError("its random stream is in an impossible state")
    y = words[1:].copy()
    y ^= y >> np.uint32(11)
    y ^= (y << np.uint32(7)) & np.uint32(0x9D2C5680)
    y ^= (y << np.uint32(15)) & np.uint32(0xEFC60000)
    y ^= y >> np.uint32(18)
    return np.concatenate([words, y])
