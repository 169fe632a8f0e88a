"""Class labels as JSON and back, with their types preserved.

Text, integers, bools and finite floats are written as such; anything else becomes
``{"type": ..., "value": ...}``. A label that would not be restored exactly is rejected when it is
written. Reading trusts nothing and raises ``ValueError`` for any other JSON.
"""

import datetime
import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from pycdf.support.wording import shown

# Bools, integers, floats of up to 8 bytes, text, bytes, dates and times.
_DTYPE = re.compile(
    r"\|b1|[|<>][iu][1248]|[<>]f[248]|([<>]U|\|S)([1-9]\d{0,8})"
    r"|[<>]M8\[(?:[1-9]\d{0,5})?(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]"
)
_OBJECT = "object"
_WIDTH = 2**24  # bytes that all labels of a dtype may take, whatever the file's size,
_WIDER = 16  # and for each byte of its header
_PYTHON_TYPES: dict[str, type] = {
    "b": bool, "i": int, "u": int, "M": int, "f": float, "U": str, "S": bytes,
}  # fmt: skip
# Only these reach the parsers, which understand much more: "now", "1/2/2020", times of any length.
_TIME = re.compile(r"[-+0-9T:.]{1,64}")
_FORMS = {
    "float": re.compile(r"-?inf|nan"),
    "Decimal": re.compile(r"-?(?:[0-9.]{1,4300}(?:E[-+][0-9]{1,18})?|Infinity)"),
    "date": _TIME,
    "datetime": _TIME,
    "Timestamp": _TIME,
    "datetime64": _TIME,
}

_WRITERS: dict[type, Callable[[Any], Any]] = {
    float: repr,  # only inf and nan, which JSON cannot express as numbers
    bytes: bytes.hex,
    Decimal: str,
    datetime.date: datetime.date.isoformat,
    datetime.datetime: datetime.datetime.isoformat,
    pd.Timestamp: pd.Timestamp.isoformat,
    np.datetime64: str,
}
_READERS: dict[str, Callable[[str], Any]] = {
    "float": float,
    "bytes": bytes.fromhex,
    "Decimal": Decimal,
    "date": datetime.date.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "Timestamp": pd.Timestamp,
    "datetime64": np.datetime64,
}
_INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)
_OTHERS = (np.bool, np.float16, np.float32, np.float64, np.str_, np.bytes_)
_SCALARS: dict[str, type[np.generic]] = {kind.__name__: kind for kind in (*_INTEGERS, *_OTHERS)}


def labels_to_json(labels: npt.NDArray[Any]) -> dict[str, Any]:
    """An array of labels as JSON that :func:`labels_from_json` turns into the same array."""
    dtype = _OBJECT if labels.dtype.kind == "O" else labels.dtype.str
    plain = labels.astype(np.int64) if labels.dtype.kind == "M" else labels
    written = {"dtype": dtype, "values": [_to_json(value) for value in plain.tolist()]}
    again = labels_from_json(written, length=labels.nbytes)
    if again.dtype != labels.dtype or again.tolist() != labels.tolist():
        raise TypeError(f"labels of dtype {labels.dtype} cannot be saved in a model file")
    return written


def labels_from_json(written: Any, length: int) -> npt.NDArray[Any]:
    """The array that :func:`labels_to_json` wrote, from a header of ``length`` bytes."""
    if not isinstance(written, dict) or set(written) != {"dtype", "values"}:
        raise ValueError("the labels are not given as a dtype and values")
    name, values = written["dtype"], written["values"]
    if not isinstance(name, str) or not isinstance(values, list):
        raise ValueError("the labels are not given as a dtype and values")
    items = [_from_json(value) for value in values]
    if name == _OBJECT:
        labels = np.empty(len(items), dtype=object)
        labels[:] = items
        return labels
    match = _DTYPE.fullmatch(name)
    if not match:
        raise ValueError(f"the labels have an unknown dtype, {json_shown(name)}")
    width = int(match[2] or 8) * (4 if "U" in name else 1)
    if width * len(items) > _WIDTH + _WIDER * length:
        raise ValueError("the labels claim to be wider than the file allows")
    dtype = np.dtype(name)
    wanted = _PYTHON_TYPES[dtype.kind]
    if any(type(item) is not wanted for item in items):  # NumPy makes True 1, and 1 "1"
        raise ValueError(f"the labels do not match their dtype {name}")
    if not _fits(items, dtype):
        raise ValueError(f"the labels do not fit their dtype {name}")
    labels = np.array(items, dtype=np.int64 if dtype.kind == "M" else dtype)
    if dtype.kind in "USf" and labels.tolist() != items:
        raise ValueError(f"the labels do not fit their dtype {name}")
    return labels.astype(dtype) if dtype.kind == "M" else labels


def check_distinct(labels: npt.NDArray[Any]) -> None:
    """Raise an error if a label is missing or occurs twice; 1 and True are different labels."""
    items = labels.tolist()
    if any(label is None or label != label for label in items):
        raise ValueError("a label is missing")
    for kind in set(map(type, items)):
        alike = [label for label in items if type(label) is kind]
        if len(set(alike)) < len(alike):
            raise ValueError("a label occurs twice")


def names_from_json(written: Any, count: int) -> tuple[str, ...] | None:
    """Feature names, one for each of ``count`` columns; None if the columns have no names."""
    if written is None:
        return None
    if not isinstance(written, list) or len(written) != count:
        raise ValueError("there is not exactly one feature name per column")
    if any(type(name) is not str for name in written):
        raise ValueError("a feature name is not text")
    return tuple(written)


def json_shown(value: Any) -> str:
    """A JSON value in a message, however long it is and however deeply nested."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return shown(value[:60] if isinstance(value, str) else value)


def _to_json(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (str, bool, int) or (kind is float and math.isfinite(value)):
        return value
    written: Any = None
    if kind in _WRITERS:
        written = {"type": kind.__name__, "value": _WRITERS[kind](value)}
    elif _SCALARS.get(kind.__name__) is kind:
        written = {"type": kind.__name__, "value": _to_json(value.item())}
    # A time zone or a unit may be lost: a label that is not restored exactly is another label.
    try:
        restored = written is not None and _same(_from_json(written), value)
    except ValueError:
        restored = False
    if not restored:
        raise TypeError(
            f"the label {shown(value)} of type {kind.__name__} cannot be saved in a model file: "
            "use "
            "text, numbers, bools, dates, or times without a time zone"
        )
    return written


def _from_json(written: Any) -> Any:
    if written is None or type(written) in (str, bool, int, float):
        return written
    if not _is_typed(written):
        raise ValueError("a label is neither text nor a number")
    kind, value = written["type"], written["value"]
    if isinstance(kind, str) and kind in _READERS:
        return _from_text(kind, value)
    if isinstance(kind, str) and kind in _SCALARS:
        return _scalar(kind, value)
    raise ValueError(f"a label has an unknown type, {json_shown(kind)}")


def _is_typed(written: Any) -> bool:
    return isinstance(written, dict) and set(written) == {"type", "value"}


def _from_text(kind: str, value: Any) -> Any:
    """A label that was written as text, if it is written as it was by this module."""
    if type(value) is str and (kind not in _FORMS or _FORMS[kind].fullmatch(value)):
        try:
            made = _READERS[kind](value)
        except (ValueError, ArithmeticError):
            made = None
        if type(made) in _WRITERS and _WRITERS[type(made)](made) == value:
            return made
    raise ValueError(f"the value {json_shown(value)} of a label does not have the type {kind}")


def _scalar(kind: str, value: Any) -> Any:
    """A NumPy scalar, whose value is checked first: ``np.bytes_(10**9)`` takes 1 GB."""
    of = np.dtype(kind).kind
    # JSON has neither bytes nor infinite numbers: these are labels with a type in their turn.
    packed = {"S": "bytes", "f": "float"}.get(of, "")
    inner = _from_json(value) if _is_typed(value) and value["type"] == packed else value
    if type(inner) is _PYTHON_TYPES[of] and _fits([inner], np.dtype(kind)):
        made = _SCALARS[kind](inner)
        if _same(made.item(), inner):
            return made
    raise ValueError(f"the value {json_shown(value)} of a label does not have the type {kind}")


def _fits(items: Sequence[Any], dtype: np.dtype[Any]) -> bool:
    """Whether numbers of the right type are in the range of a dtype."""
    if not items or dtype.kind not in "iuMf":
        return True
    if dtype.kind == "f":
        most = float(np.finfo(dtype).max)
        return all(abs(item) <= most or math.isinf(item) or item != item for item in items)
    limits = np.iinfo(np.int64 if dtype.kind == "M" else dtype)
    return bool(limits.min <= min(items) and max(items) <= limits.max)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)
