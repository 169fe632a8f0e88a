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
    r"|[<>]M8\[(?:\d{1,6})?(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\]"
)
_OBJECT = "object"

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
    again = labels_from_json(written, limit=labels.nbytes)
    if again.dtype != labels.dtype or again.tolist() != labels.tolist():
        raise TypeError(f"labels of dtype {labels.dtype} cannot be saved in a model file")
    return written


def labels_from_json(written: Any, limit: int) -> npt.NDArray[Any]:
    """The array that :func:`labels_to_json` wrote, if it takes no more than ``limit`` bytes."""
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
        raise ValueError(f"the labels have an unknown dtype, {name[:40]!r}")
    if match[2] and int(match[2]) * (4 if "U" in name else 1) * len(items) > limit:
        raise ValueError("the labels claim to be wider than the file allows")
    dtype = np.dtype(name)
    _check_types(items, dtype.kind)
    labels = np.array(items, dtype=np.int64 if dtype.kind == "M" else dtype)
    if dtype.kind in "USf" and labels.tolist() != items:
        raise ValueError(f"the labels do not fit their dtype {name}")
    return labels.astype(dtype) if dtype.kind == "M" else labels


def _check_types(items: Sequence[Any], kind: str) -> None:
    """Check the types of labels, which NumPy would convert: True to 1, and 1 to "1"."""
    wanted = {"b": bool, "i": int, "u": int, "M": int, "f": float, "U": str, "S": bytes}[kind]
    if any(type(item) is not wanted for item in items):
        raise ValueError("the labels do not match their dtype")


def names_from_json(written: Any, count: int) -> tuple[str, ...] | None:
    """Feature names, one for each of ``count`` columns; None if the columns have no names."""
    if written is None:
        return None
    if not isinstance(written, list) or len(written) != count:
        raise ValueError("there is not exactly one feature name per column")
    if any(type(name) is not str for name in written):
        raise ValueError("a feature name is not text")
    return tuple(written)


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
    if written is None or not _same(_from_json(written), value):
        raise TypeError(
            f"the label {shown(value)} of type {kind.__name__} cannot be saved in a model file: "
            "use "
            "text, numbers, bools, dates, or times without a time zone"
        )
    return written


def _from_json(written: Any) -> Any:
    if written is None or type(written) in (str, bool, int, float):
        return written
    if not isinstance(written, dict) or set(written) != {"type", "value"}:
        raise ValueError("a label is neither text nor a number")
    kind, value = written["type"], written["value"]
    if isinstance(kind, str) and kind in _READERS and isinstance(value, str):
        made = _READERS[kind](value)
        if type(made) in _WRITERS and _WRITERS[type(made)](made) == value:  # rejects "now"
            return made
    if isinstance(kind, str) and kind in _SCALARS and not isinstance(value, list):
        made = _SCALARS[kind](_from_json(value))
        if _same(made.item(), _from_json(value)):
            return made
    raise ValueError("a label has an unknown type")


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)
