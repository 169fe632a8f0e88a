"""What one method gave on one split, kept as it comes: one line of JSON each.

In go :class:`Record` objects, as they are finished; out comes the file ``records.jsonl``, to which
lines are only ever added. A :class:`Journal` that opens such a file knows what is done. After a
kill the last line may be half written: it is cut off, and that split is done again.
"""

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from pycdf.experiment.measures import MEASURES
from pycdf.support.wording import plain

DONE, FAILED, ONE_CLASS = "done", "failed", "one class"
Key = tuple[str, str, int]


@dataclass(frozen=True)
class Record:
    """One method on one split of one data set."""

    data: str
    method: str
    split: int
    status: str
    """``DONE``, ``FAILED``, or ``ONE_CLASS``: the training part has one class only."""
    train: int = 0
    test: int = 0
    measures: dict[str, float | None] = field(default_factory=dict)
    """None where a measure does not exist."""
    parameters: dict[str, Any] = field(default_factory=dict)
    """What tuning chose."""
    message: str = ""
    """What went wrong."""
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def key(self) -> Key:
        """What it is the answer for."""
        return self.data, self.method, self.split

    @property
    def settled(self) -> bool:
        """Whether there is no point in doing it again."""
        return self.status != FAILED


def as_line(record: Record) -> str:
    """A record as JSON: small parts that are empty are left out."""
    parts = {name: value for name, value in asdict(record).items() if value not in ({}, "", ())}
    return json.dumps(parts, default=_plain, allow_nan=False, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """Numpy's numbers as Python's; whatever else a parameter may be as its text."""
    short = plain(value)
    return short if isinstance(short, int | float | bool) else str(value)


def from_line(line: str) -> Record:
    """The record in a line; ValueError if there is none."""
    try:
        parts = json.loads(line)
        parts["warnings"] = tuple(parts.get("warnings", ()))
        return Record(**parts)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(str(error)) from None


class Journal:
    """All records of a run: in a file, or without a path in memory only."""

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
            with contextlib.suppress(OSError):  # of a full disk, which has been told
                self._file.close()

    def _read(self, path: Path) -> None:
        lines = path.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError("it has no end")
                self._keep(from_line(line.decode()))
            except ValueError:
                if number < len(lines):
                    raise ValueError(
                        f"{path}: line {number} is damaged. Delete that line, and the same "
                        "command does its split again."
                    ) from None
                os.truncate(path, sum(map(len, lines[:-1])))

    def _keep(self, record: Record) -> None:
        """The last word counts, but a failure never hides an answer."""
        known = self.records.get(record.key)
        if known is None or record.settled or not known.settled:
            self.records[record.key] = record

    def add(self, record: Record) -> None:
        """Keep a record: a kill right after this call does not lose it."""
        self._keep(record)
        if self._file is not None:
            try:
                self._file.write(as_line(record).encode())
                self._file.flush()
            except OSError as error:  # a full disk does not tell where
                raise OSError(error.errno, error.strerror, self._file.name) from error


def _lock(file: BinaryIO, path: Path) -> None:
    """Keep other runs out of the file until this process ends, even by a kill."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(
            f"{path.parent} is in use by another run: wait for it, or name another folder."
        ) from None
    except OSError:  # a file system without locks
        return


def tidy(records: list[Record]) -> pd.DataFrame:
    """One row per answer, sorted by data set, method and split as the records come."""
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
