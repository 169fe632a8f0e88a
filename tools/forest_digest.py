"""Print one checksum for each kind of answer, to compare processors.

    python tools/forest_digest.py            # print the checksums
    python tools/forest_digest.py --check    # and fail if one differs from the recorded one
    python tools/forest_digest.py --record   # rewrite tests/data/forest_digests.json

The script grows 48 forests on generated data and two on DARWIN, predicts with them and explains
them. The data are made from R's random numbers with only additions and products of doubles, so they
are the same on every platform. The first checksum is that of the data; if it differs, nothing else
can be compared.

numba generates code for the processor it runs on. `NUMBA_CPU_NAME` and `NUMBA_CPU_FEATURES` make
it generate code for another one, and `NPY_DISABLE_CPU_FEATURES` limits the instructions that numpy
may use (docs/parity.md says what was compared).
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import platform
import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent))  # an installed pycdf comes first

from pycdf import CDF, InputWarning, RStream, load_darwin
from pycdf.explain import embedding, proximity, split_evidence
from pycdf.files.model import model_bytes
from pycdf.result import CDFResult

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "data" / "forest_digests.json"
# Answers that have the same bits everywhere, and are recorded.
PORTABLE = (
    "data", "forests", "votes", "probabilities", "importances", "model files", "split scores",
    "rank statistics", "exact p-values", "p-values by tails", "proximities",
)  # fmt: skip
_EMBEDDING_DIGITS = 9  # LAPACK's rounding depends on the processor; coordinates are about 1
_TEST_ROWS = 12


@dataclass(frozen=True)
class Call:
    """One call of CDF."""

    name: str
    xtrain: Any
    ytrain: list[str]
    xtest: Any
    settings: dict[str, Any]


# ---- data, the same on every platform ------------------------------------------------------------

KINDS = (
    "continuous", "rounded", "levels", "binary", "wide integers", "far from zero", "many scales",
    "scaled copies", "shuffled copies", "huge", "tiny", "missing",
)  # fmt: skip
CLASSES = (2, 3, 6, 16)
WHOLE = {"levels", "binary", "wide integers"}
LABELS = ["b", "B", "a", "A", "é", "e", "É", "t10", "t2", "T2", "a b", "a_b", "10", "Öl", "~z", "k"]


def powers_of_ten(stream: RStream, low: int, high: int, size: int) -> np.ndarray:
    """Random powers, read from text: pow() is not the nearest double on every platform."""
    exponents = low + (stream.uniform(size) * (high - low)).astype(int)
    return np.array([float(f"1e{exponent}") for exponent in exponents.tolist()])


def values(stream: RStream, kind: str, n: int, p: int) -> np.ndarray:
    """An n x p matrix of doubles."""
    bell = -2.0 + stream.uniform(n * p)
    for _ in range(3):
        bell = bell + stream.uniform(n * p)  # a sum of four uniform numbers is nearly normal
    bell = bell.reshape(n, p)
    match kind:
        case "continuous":
            return bell
        case "rounded":
            return np.round(bell, 1)
        case "levels":
            return np.floor(np.abs(bell) * 4)
        case "binary":
            return (bell < 0.25).astype(float)
        case "wide integers":
            return np.round(bell * 1e6)
        case "far from zero":
            return bell + powers_of_ten(stream, 3, 16, p)
        case "many scales":
            return bell * powers_of_ten(stream, -12, 12, p)
        case "scaled copies":  # scores that differ little or not at all
            return bell[:, [0]] * np.array([1.0, 2.0, 3.0, 7.0, 0.1, -1.0])[np.arange(p) % 6]
        case "shuffled copies":  # equal multisets in other orders: sums differ in the last bits
            base = np.floor(np.abs(bell[:, 0]) * 4) / 3.0
            return np.column_stack([base[stream.sample(n, n)] for _ in range(p)])
        case "huge":
            return bell * powers_of_ten(stream, 140, 150, p)
        case "tiny":
            return bell * powers_of_ten(stream, -150, -140, p)
        case "missing":
            bell[stream.uniform(n * p).reshape(n, p) < 0.2] = np.nan
            return bell
    raise ValueError(kind)


def generated_call(number: int) -> Call:
    """The call with this number, 0 to 47: every kind of data with every number of classes."""
    kind, k = KINDS[number % len(KINDS)], CLASSES[number // len(KINDS)]
    stream = RStream(number)
    n, p = 40 + 4 * k, 12 if k < 6 else 12 + 10 * (number % 12)
    x = values(stream, kind, n + _TEST_ROWS, p)
    codes = np.r_[np.arange(k), (stream.uniform(n - k) * k).astype(int)][stream.sample(n, n)]
    if kind not in WHOLE:
        shift = (np.arange(p) % 3 == 0) * np.nanmax(np.abs(x), axis=0)
        x[:n] = x[:n] + codes[:, np.newaxis] * (shift / 8)
    if number % 4 == 1:
        x[:, 5] = x[:, 2]
        x[:n, 7] = x[0, 7]
        x[n, 3] = np.inf
        x[n + 1] = np.nan
    whole = kind in WHOLE and not np.isnan(x).any() and bool(np.isfinite(x).all())
    if whole:  # R's arithmetic for integer matrices is different
        x = x.astype(np.int64)
    settings = {
        "ntrees": 8, "depth": 2 + number % 4, "mnode": 1 + number % 3, "k": 2 + number % 5,
        "mtry": p // 2, "seed": 2025 + number,
    }  # fmt: skip
    labels = [LABELS[code] for code in codes.tolist()]
    return Call(f"{kind}, {k} classes", x[:n], labels, x[n:], settings)


def calls() -> Iterator[Call]:
    """All calls."""
    for number in range(len(KINDS) * len(CLASSES)):
        yield generated_call(number)
    X, y = load_darwin()
    rows, labels = X.to_numpy(dtype=float), [str(label) for label in y]
    for streams in ("r", "per_tree"):
        settings = {"ntrees": 25, "seed": 1, "streams": streams}
        yield Call(f"DARWIN, {streams}", rows[:150], labels[:150], rows[150:], settings)


# ---- checksums -----------------------------------------------------------------------------------


class Digests:
    """A running checksum and a count of numbers for each kind of answer."""

    def __init__(self) -> None:
        self._hashes: dict[str, Any] = {}
        self.counts: Counter[str] = Counter()
        self.forests = 0

    def add(self, kind: str, array: Any) -> None:
        """Add an array: its shape and the bits of its numbers, the lowest byte first."""
        array = np.asarray(array)
        array = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
        self.counts[kind] += array.size
        self.add_bytes(kind, f"{array.dtype.str} {array.shape} ".encode() + array.tobytes())

    def add_bytes(self, kind: str, content: bytes) -> None:
        """Add bytes, with their length."""
        found = self._hashes.setdefault(kind, hashlib.sha256())
        found.update(len(content).to_bytes(8, "little"))
        found.update(content)

    def texts(self) -> dict[str, str]:
        """The checksums."""
        return {kind: found.hexdigest() for kind, found in self._hashes.items()}


def same_nan(array: Any) -> np.ndarray:
    """Doubles in which every NaN has the same bits: processors differ in the NaN of 0 / 0."""
    array = np.array(array, dtype=np.float64)
    array[np.isnan(array)] = np.nan
    return array


def add_call(digests: Digests, call: Call) -> None:
    """Make a call and add all of its results."""
    digests.add("data", same_nan(call.xtrain))
    digests.add("data", same_nan(call.xtest))
    digests.add_bytes("data", json.dumps([call.ytrain, call.settings]).encode())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        fit = CDF(call.xtrain, call.ytrain, call.xtest, **call.settings)
        evidence = split_evidence(fit, call.xtrain, call.ytrain)
        shares, points = proximity(fit, call.xtrain), embedding(fit, call.xtrain)
    digests.forests += 1
    for name, array in fit.forest._asdict().items():
        digests.add_bytes("forests", name.encode())
        digests.add("forests", array)
    digests.add("votes", fit.votes)
    digests.add("probabilities", fit.probabilities.to_numpy())
    digests.add("importances", fit.feature_importance.to_numpy())
    add_model_file(digests, fit)
    exact = (evidence["test"] == "Wilcoxon rank sum exact test").to_numpy()
    digests.add("split scores", same_nan(evidence["score"]))
    digests.add("rank statistics", same_nan(evidence["statistic"]))
    digests.add("exact p-values", same_nan(evidence["p_value"][exact]))
    digests.add("p-values by tails", same_nan(evidence["p_value"][~exact]))
    digests.add("proximities", shares)
    digests.add("rounded embeddings", np.round(points, _EMBEDDING_DIGITS) + 0.0)


def add_model_file(digests: Digests, fit: CDFResult) -> None:
    """Add the content of the model's file, without the versions of Python and numpy in it.

    "whole model files" has the files' own bytes, which also depend on the version of zlib.
    """
    content = model_bytes(fit.model_)
    digests.counts["model files"] += 1
    digests.counts["whole model files"] += 1
    digests.add_bytes("whole model files", content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            member = archive.read(name)
            if name == "header.json":
                header = json.loads(member)
                del header["written_by"]
                member = json.dumps(header).encode()
            digests.add_bytes("model files", name.encode())
            digests.add_bytes("model files", member)


def all_digests() -> Digests:
    """Make every call."""
    digests = Digests()
    for call in calls():
        add_call(digests, call)
    return digests


def recorded() -> dict[str, str]:
    """The checksums that every platform must give."""
    found: dict[str, str] = json.loads(RECORD.read_text(encoding="ascii"))
    return found


def main() -> int:
    """Print the checksums, and check or record them if asked to."""
    parser = argparse.ArgumentParser(description="One checksum for each kind of answer.")
    parser.add_argument("--check", action="store_true", help="fail where one is not as recorded")
    parser.add_argument("--record", action="store_true", help="write the recorded ones anew")
    options = parser.parse_args()
    import numba

    chosen = {
        name: os.environ[name]
        for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NPY_DISABLE_CPU_FEATURES")
        if name in os.environ
    }
    print(
        f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, numba {numba.__version__} {chosen or ''}"
    )
    digests = all_digests()
    found = digests.texts()
    if options.record:
        portable = {kind: found[kind] for kind in PORTABLE}
        RECORD.write_text(json.dumps(portable, indent=2) + "\n", encoding="ascii")
    known = recorded()
    print(f"{digests.forests} forests; how many numbers (or files), and their checksum:")
    for kind, text in found.items():
        verdict = "" if kind not in known else "as recorded" if known[kind] == text else "DIFFERENT"
        print(f"{kind:20} {digests.counts[kind]:>9,}  {text[:32]}  {verdict}".rstrip())
    different = [kind for kind, text in known.items() if found.get(kind) != text]
    return 1 if options.check and different else 0


if __name__ == "__main__":
    sys.exit(main())
