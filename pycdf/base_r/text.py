"""R's ``as.character()`` of labels and of column names."""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from pycdf.base_r.numbers import number_text
from pycdf.support.wording import shown

_LARGEST_DOUBLE = int(np.finfo(np.float64).max)
_LARGEST_INTEGER = 2**31 - 1  # the largest of R's integers; the smallest is its negative
# Up to here, whole numbers written as doubles (15 digits) stay distinct. Larger labels keep all
# their digits, as with R's package bit64, so that no two classes become one.
LARGEST_WHOLE = 10**15


def _seconds(moment: datetime.datetime | np.datetime64) -> float:
    """R's POSIXct of a time, in the caller's local clock time: seconds as a double."""
    if isinstance(moment, pd.Timestamp):
        moment = moment.tz_localize(None).to_datetime64()
    elif isinstance(moment, datetime.datetime):
        moment = np.datetime64(moment.replace(tzinfo=None))
    unit, count = np.datetime_data(moment.dtype)
    if unit == "as":  # NumPy cannot convert these to seconds
        seconds, part = divmod(int(moment.astype(np.int64)) * count, 10**18)
        return (seconds * 10**9 + part // 10**9) / 10**9
    whole = moment.astype("datetime64[s]")
    rest = (moment - whole).astype("timedelta64[ns]").astype(np.int64)
    return (int(whole.astype(np.int64)) * 10**9 + int(rest)) / 10**9


def name_text(name: Any) -> Hashable:
    """A column's name as R writes it; None for every missing name."""
    if isinstance(name, str):
        return name
    if isinstance(name, tuple):
        return tuple(name_text(part) for part in name)
    if isinstance(name, bool | np.bool):
        return str(bool(name)).upper()
    if isinstance(name, float | np.floating) and name == name:
        return number_text(float(name))
    if name is None or name is pd.NA or name is pd.NaT or name != name:
        return None
    return str(name)


def r_texts(values: list[Any]) -> list[str]:
    """R's as.character() of distinct labels that are in one vector, and so of one type, in R."""
    for value in values:
        _refuse(value)
    logical = [isinstance(value, (bool, np.bool)) for value in values]
    whole = [
        isinstance(value, (int, np.integer)) and not flag
        for value, flag in zip(values, logical, strict=True)
    ]
    real = [isinstance(value, (float, np.floating)) for value in values]
    integers = [int(value) for value, flag in zip(values, whole, strict=True) if flag]
    largest = max(map(abs, integers), default=0)
    numeric = all(map(any, zip(logical, whole, real, strict=True)))
    all_double = numeric and (any(real) or largest > _LARGEST_INTEGER)
    all_integer = numeric and not all_double and any(whole)

    def text(value: Any, is_logical: bool, is_whole: bool, is_real: bool) -> str:
        if is_real or (is_logical and all_double):
            return number_text(float(value))
        if is_logical:
            return str(int(value)) if all_integer else str(bool(value)).upper()
        if is_whole:
            as_double = all_double or abs(int(value)) > _LARGEST_INTEGER
            exact = largest > LARGEST_WHOLE or not as_double
            return str(int(value)) if exact else number_text(float(value))
        if isinstance(value, (datetime.datetime, np.datetime64)):
            return _moment_text(_seconds(value))
        if isinstance(value, datetime.date):
            return value.isoformat().lstrip("0")  # R does not pad years
        if isinstance(value, bytes):
            return value.decode(errors="surrogateescape")
        return str(value)

    return list(map(text, values, logical, whole, real))


def _refuse(value: Any) -> None:
    """Raise an error for labels that have no text in R, or none that is their own."""
    if isinstance(value, np.timedelta64):
        raise TypeError(
            "the labels are durations (timedelta64): pass them as numbers, such as seconds, or as "
            "text."
        )
    if isinstance(value, int) and abs(value) > _LARGEST_DOUBLE:
        raise ValueError(
            f"a label is {shown(value)}, which is infinite in R: pass such labels as text."
        )


def _moment_text(seconds: float) -> str:
    """R's as.character() of one POSIXct: no time of day at midnight, otherwise to microseconds."""
    whole = math.floor(seconds)
    days, since_midnight = divmod(whole, 86400)
    year, month, day = str(np.datetime64(days, "D")).rsplit("-", 2)
    date = f"{int(year)}-{month}-{day}"  # R does not pad years
    if since_midnight == 0 and seconds == whole:
        return date
    minutes, second = divmod(since_midnight, 60)
    rounded = _to_microseconds(second + (seconds - whole))
    digits = f"{rounded:09.6f}".rstrip("0").rstrip(".")  # "60" if it rounds up: R does not carry
    return f"{date} {minutes // 60:02d}:{minutes % 60:02d}:{digits}"


def _to_microseconds(seconds: float) -> float:
    """R's round(seconds, 6): the nearer of two candidates, measured in doubles, or the even one."""
    scaled = seconds * 1e6
    below, above = math.floor(scaled) / 1e6, math.ceil(scaled) / 1e6
    down, up = seconds - below, above - seconds
    is_odd = math.floor(scaled) % 2 == 1
    return above if up < down or (up == down and is_odd) else below
