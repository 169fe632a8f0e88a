"""Save the result of each method on each split as soon as it is known, as one line of JSON.

A :class:`Journal` appends :class:`Record` objects to the file ``records.jsonl`` and reads the ones
that are already there, so that a run can be resumed. If a run was killed, the last line may be
incomplete: it is removed, and that split is run again.
"""

import contextlib
import json
import os
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from pycdf.experiment.measures import MEASURES
from pycdf.support.wording import plain, visible

DONE, FAILED, ONE_CLASS = "done", "failed", "one class"
Key = tuple[str, str, int]
_FAR = 2**31 - 2


@dataclass(frozen=True)
class Record:
    """The result of one method on one split of one data set."""

    data: str
    method: str
    split: int
    status: str
    """``DONE``, ``FAILED``, or ``ONE_CLASS`` if all training rows are of one class."""
    train: int = 0
    test: int = 0
    measures: dict[str, float | None] = field(default_factory=dict)
    """By name; None if a measure is undefined."""
    parameters: dict[str, Any] = field(default_factory=dict)
    """The parameters that tuning chose."""
    message: str = ""
    """The error message of a failure."""
    warnings: tuple[str, ...] = ()
    seconds: dict[str, float | None] = field(default_factory=dict)
    """By ``tune``, ``fit`` and ``predict``; None if it is not known."""

    @property
    def key(self) -> Key:
        """The data set, method and split that identify the record."""
        return self.data, self.method, self.split

    @property
    def settled(self) -> bool:
        """Whether the result is final; a failure is tried again when a run is resumed."""
        return self.status != FAILED


def as_line(record: Record) -> str:
    """A record as a line of JSON, without its empty fields."""
    parts = {name: value for name, value in asdict(record).items() if value not in ({}, "", ())}
    return json.dumps(parts, default=_plain, allow_nan=False, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """Convert NumPy numbers to Python ones, and any other object to text."""
    short = plain(value)
    return short if isinstance(short, int | float | bool) else str(value)


def from_line(line: str) -> Record:
    """The record in a line; raises ``ValueError`` if there is none."""
    try:
        parts = json.loads(line)
        parts["warnings"] = tuple(parts.get("warnings", ()))
        return Record(**parts)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(str(error)) from None


class Journal:
    """All records of a run, saved in a file or, without a path, only in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self.records: dict[Key, Record] = {}
        self._file: BinaryIO | None = None
        if path is not None:
            self._file = path.open("ab")
            try:
                _lock(self._file, path)
                self._read(path)
            except BaseException:
                self._file.close()
                raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # a full disk has been reported already
                self._file.close()

    def _read(self, path: Path) -> None:
        lines = path.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("the line is incomplete")
                self._keep(from_line(line.decode()))
            except ValueError:
                if number < len(lines):
                    raise ValueError(
                        f"{visible(str(path))}: line {number} is damaged. Delete that line, and "
                        "run the same "
                        "command again to repeat its split."
                    ) from None
                os.truncate(path, sum(map(len, lines[:-1])))

    def _keep(self, record: Record) -> None:
        """Store a record, replacing an earlier one, but never a result by a failure."""
        earlier = self.records.get(record.key)
        if earlier is None or record.settled or not earlier.settled:
            self.records[record.key] = record

    def has_settled(self, key: Key) -> bool:
        """Whether there is a final result for this data set, method and split."""
        record = self.records.get(key)
        return record is not None and record.settled

    def add(self, record: Record) -> None:
        """Store and save a record, so that it survives if the process is killed."""
        self._keep(record)
        if self._file is not None:
            size = os.fstat(self._file.fileno()).st_size
            try:
                self._file.write(as_line(record).encode())
                self._file.flush()
            except OSError as error:  # the error for a full disk does not name the file
                with contextlib.suppress(OSError):  # closing tries to write the rest once more
                    self._file.close()
                os.truncate(self._file.name, size)
                raise OSError(error.errno, error.strerror, self._file.name) from error


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock the file against other runs until this process ends, even if it is killed."""
    try:
        _lock_now(file)
    except (BlockingIOError, PermissionError):  # the latter on Windows
        raise ValueError(
            f"{visible(str(path.parent))} is in use by another run: wait for it, or choose "
            "another folder."
        ) from None
    except OSError:  # a file system without locks
        return


def _lock_now(file: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt

        # Nobody can read what is locked there, so it is a byte that no line will ever reach.
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0, os.SEEK_END)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def tidy(records: list[Record]) -> pd.DataFrame:
    """A table with one row per successful record, in the order of the records."""
    rows = [
        {
            "data": one.data,
            "method": one.method,
            "split": one.split,
            "train": one.train,
            "test": one.test,
            **{name: one.measures.get(name) for name in MEASURES},
            "parameters": json.dumps(one.parameters, default=_plain) if one.parameters else "",
        }
        for one in records
        if one.status == DONE
    ]
    columns = ["data", "method", "split", "train", "test", *MEASURES, "parameters"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype(dict.fromkeys(MEASURES, "float64"))


def times(records: list[Record]) -> pd.DataFrame:
    """The seconds of each record for tuning, training and prediction, without compilation."""
    columns = ["data", "method", "split", "tune", "fit", "predict"]
    rows = [
        (one.data, one.method, one.split, *(one.seconds.get(name) for name in columns[3:]))
        for one in records
    ]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[3:], "float64"))
