"""The calls that are compared: named cases, and any number of generated ones.

A generated :class:`Case` depends only on its number, so a failing one can be repeated:
``PYCDF_CASE=1234 nox -s parity -- -k campaign``.

CDF 0.1.0 stops at a single test row and at ``mtry = 1`` (also by its default, below 8 columns, and
when one column is left): no case has these.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

SEED = 20250  # of the generator; another seed gives other cases of the same kinds


@dataclass(frozen=True)
class Case:
    """One call of CDF; ``xtrain`` and ``xtest`` are in the container that pycdf is given."""

    name: str
    xtrain: Any
    ytrain: Any
    xtest: Any
    settings: dict[str, float] = field(default_factory=dict)
    traits: frozenset[str] = frozenset()


# ---- labels: what they look like and how they sort -------------------------------------------

CASED = ["PD", "control", "Normal", "normal", "t10", "t2", "T2", "b", "B", "a", "A", "aB", "Ab"]
MARKED = ["a b", "a_b", "a-b", "ab", "a.b", "A_b", "#1", "~z", "1a", "$x", "(k)", "z+", "Z", "10"]
ACCENTED = ["é", "e", "E", "É", "f", "ñ", "n", "Z", "zu", "Öl", "ol", "oz", "ü", "u", "ß", "ss"]


def label_style(rng: np.random.Generator, k: int) -> list[Any]:
    """``k`` different labels in one of several styles."""
    style = rng.choice(["cased", "marked", "accented", "numbered", "mixed", "integers", "lower"])
    pools: dict[str, list[Any]] = {
        "cased": CASED,
        "marked": MARKED,
        "accented": ACCENTED,
        "numbered": [f"{'Tt'[i % 2]}{i}" for i in range(1, 60)],
        "mixed": CASED + MARKED + ACCENTED,
        "integers": [*range(-3, 50), 100000, 123456],
        "lower": [chr(97 + i // 26) + chr(97 + i % 26) for i in range(60)],
    }
    pool = list(dict.fromkeys(pools[str(style)]))
    if len(pool) < k:
        pool = [f"{label}{i}" for i in range(4) for label in pool]
    return [pool[i] for i in rng.permutation(len(pool))[:k]]


# ---- values ----------------------------------------------------------------------------------

KINDS = {
    "continuous": 5, "rounded": 2, "levels": 5, "binary": 8, "wide integers": 2, "far from zero": 2,
    "many scales": 2, "scaled copies": 3, "shuffled copies": 3, "huge": 0.5, "tiny": 0.5,
}  # fmt: skip
WHOLE = {"levels", "binary", "wide integers"}


def values(rng: np.random.Generator, kind: str, n: int, p: int) -> np.ndarray:
    """An ``n`` x ``p`` matrix of doubles."""
    normal = rng.normal(size=(n, p))
    match kind:
        case "continuous":
            return normal
        case "rounded":
            return np.round(normal, 1)
        case "levels":
            return rng.integers(0, rng.integers(3, 8), size=(n, p)).astype(float)
        case "binary":
            return (rng.random((n, p)) < rng.uniform(0.2, 0.8)).astype(float)
        case "wide integers":
            return np.round(normal * 10.0 ** rng.integers(2, 9))
        case "far from zero":
            return normal + 10.0 ** rng.integers(3, 16) * rng.choice([-1, 1])
        case "many scales":
            return normal * 10.0 ** rng.integers(-12, 12, size=p)
        case "scaled copies":  # scores that differ by what 1e-7 in the denominator makes, or less
            base = normal[:, [0]] * 1e4
            return base * rng.choice([1.0, 2.0, 3.0, 7.0, 0.1, -1.0], size=p) + rng.integers(
                0, 5, p
            )
        case "shuffled copies":  # equal multisets in other orders: sums differ in the last bits
            base = rng.integers(0, 4, size=n) / 3.0
            return np.column_stack([rng.permutation(base) for _ in range(p)])
        case "huge":
            return normal * 10.0 ** rng.integers(140, 154, size=p)
        case "tiny":
            return normal * 10.0 ** rng.integers(-160, -140, size=p)
    raise ValueError(kind)


def spoil(rng: np.random.Generator, x: np.ndarray, n: int, traits: set[str]) -> None:
    """Constant, duplicated and infinite columns, missing cells, infinite test cells; in place."""
    p = x.shape[1]
    if rng.random() < 0.25:
        traits.add("duplicated columns")
        for _ in range(rng.integers(1, 4)):
            x[:, rng.integers(p)] = x[:, rng.integers(p)]
    if rng.random() < 0.2:
        traits.add("constant columns")
        x[:n, rng.integers(p)] = rng.choice([0.0, 0.1, 1e15 / 3, -7.0])
    if rng.random() < 0.25:
        traits.add("missing cells")
        x[rng.random(x.shape) < rng.choice([0.02, 0.1, 0.3, 0.6])] = np.nan
        if rng.random() < 0.3:
            x[:n, rng.integers(p)] = np.nan
        if rng.random() < 0.3:
            x[n + rng.integers(len(x) - n)] = np.nan
    if rng.random() < 0.04:
        traits.add("infinite training cell")
        x[rng.integers(n), rng.integers(p)] = rng.choice([np.inf, -np.inf])
    if rng.random() < 0.06:
        traits.add("infinite test cells")
        x[n + rng.integers(len(x) - n), rng.random(p) < 0.7] = rng.choice([np.inf, -np.inf])


def keep_two(x: np.ndarray, n: int) -> None:
    """Make sure that R keeps at least two columns (with one it stops)."""
    good = [is_kept(column[~np.isnan(column)]) for column in x[:n].T]
    for j in [j for j, kept in enumerate(good) if not kept][: max(0, 2 - sum(good))]:
        x[:, j] = (np.arange(len(x)) + j) % 2


def is_kept(column: np.ndarray) -> bool:
    """Whether R is sure to keep a column: not constant, infinite, too large or small for an sd."""
    if not np.isfinite(column).all() or len(np.unique(column)) < 2:
        return False
    return bool(1e-150 < np.abs(column - column.mean()).max() < 1e150)


# ---- containers ------------------------------------------------------------------------------


def contain(
    rng: np.random.Generator, x: np.ndarray, n: int, kind: str, traits: set[str]
) -> tuple[Any, Any]:
    """Training and test rows in one sort of container, sometimes with other columns in test."""
    train, test = x[:n], x[n:]
    whole = not np.isnan(x).any() and (np.abs(x) < 2**31).all() and (x == np.round(x)).all()
    draw = rng.random()
    if whole and kind in WHOLE and draw < 0.66:
        if kind == "binary" and draw < 0.06:
            traits.add("bool array")
            return train.astype(bool), test.astype(bool)
        traits.add("integer array")
        dtype = rng.choice(
            ["int32", "int64", "int16"] if np.abs(x).max() < 2**15 else ["int32", "int64"]
        )
        return train.astype(dtype), (test if rng.random() < 0.2 else test.astype(dtype))
    if draw > 0.96:
        traits.add("list")
        return train.tolist(), test.tolist()
    if draw > 0.78:
        traits.add("frame")
        return frames(rng, train, test, traits)
    if draw > 0.70:
        traits.add("other test columns")
        if rng.random() < 0.5:
            return train, np.column_stack([test, np.ones(len(test))])
        return train, test[:, : rng.integers(1, x.shape[1] + 1)]
    return (np.asfortranarray(train) if rng.random() < 0.3 else train), test


def frames(
    rng: np.random.Generator, train: np.ndarray, test: np.ndarray, traits: set[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    p = train.shape[1]
    names = [f"v{j}" for j in range(p)]
    one, other = pd.DataFrame(train, columns=names), pd.DataFrame(test, columns=names)
    for j, name in enumerate(names):
        column = train[:, j]
        if (
            rng.random() < 0.5
            and (np.abs(column) < 2**31).all()
            and (column == np.round(column)).all()
        ):
            one[name] = one[name].astype("int64")
    if rng.random() < 0.4:
        traits.add("columns by name")
        other = other[[names[j] for j in rng.permutation(p)[: rng.integers(1, p + 1)]]]
        other = other.assign(extra=1.5)
    return one, other


# ---- the generated case ----------------------------------------------------------------------


def generated_case(number: int) -> Case:
    """The case with this number."""
    rng = np.random.default_rng([SEED, number])
    weights = np.array(list(KINDS.values()))
    kind = str(rng.choice(list(KINDS), p=weights / weights.sum()))
    traits = {kind}
    k = int(rng.choice([2, rng.integers(3, 7), rng.integers(7, 16), rng.integers(16, 41)],
                       p=[0.45, 0.36, 0.13, 0.06]))  # fmt: skip
    n = int(max(rng.integers(8, 61), k + rng.integers(0, 30)))
    if k < 16 and rng.random() < 0.05:
        n += 200
    widths = [(2, 9), (8, 31), (31, 130), (130, 500)]
    p = int(rng.integers(*widths[rng.choice(4, p=[0.25, 0.6, 0.09, 0.06])]))
    m = int(rng.integers(2, 8))
    labels = label_style(rng, k)
    counts = 1.0 / np.arange(1, k + 1) ** rng.choice([0.0, 1.0, 2.0])  # even, or with rare classes
    codes = np.concatenate([np.arange(k), rng.choice(k, size=n - k, p=counts / counts.sum())])
    codes = rng.permutation(codes)
    x = values(rng, kind, n + m, p)
    if kind not in WHOLE and rng.random() < 0.7:
        shift = rng.normal(size=p) * (rng.random(p) < 0.4) * np.ptp(x, axis=0) / 4
        x[:n] += codes[:, np.newaxis] * shift
    spoil(rng, x, n, traits)
    keep_two(x, n)
    xtrain, xtest = contain(rng, x, n, kind, traits)
    settings: dict[str, float] = {
        "ntrees": int(rng.integers(1, 9 if k < 16 else 4)),
        "depth": int(
            rng.choice([0, 1, 2, 3, 4, 6, 12], p=[0.03, 0.12, 0.2, 0.35, 0.15, 0.1, 0.05])
        ),
        "mnode": int(rng.choice([1, 2, 3, 5, 12])),
        "mtry": int(rng.integers(2, p + 4)),
        "seed": int(rng.integers(-(2**31) + 1, 2**31)),
    }
    if rng.random() < 0.6:
        settings["k"] = int(rng.integers(1, min(p, 40) + 3))
    if p >= 8 and rng.random() < 0.3:
        del settings["mtry"]
    y: Any = [labels[code] for code in codes]
    if rng.random() < 0.3:
        y = np.array(y)
    elif rng.random() < 0.2:
        y = pd.Series(y)
    if np.bincount(codes).min() == 1:
        traits.add("singleton class")
    if k >= 16:
        traits.add("16 to 40 classes")
    return Case(f"case {number}", xtrain, y, xtest, settings, frozenset(traits))


# ---- named cases -----------------------------------------------------------------------------


def _data(seed: int, kind: str, n: int, p: int, k: int, m: int = 6) -> tuple[Any, list[str], Any]:
    rng = np.random.default_rng([SEED, seed, n, p])
    x = values(rng, kind, n + m, p)
    labels = (CASED + [f"{'Kk'[i % 2]}{i}" for i in range(40)])[:k]
    codes = rng.permutation(np.concatenate([np.arange(k), rng.integers(0, k, n - k)]))
    return x[:n], [labels[code] for code in codes], x[n:]


def named_cases() -> list[Case]:
    """Cases that each show one thing."""
    found: list[Case] = []

    def add(name: str, x: Any, y: Any, t: Any, **settings: float) -> None:
        found.append(Case(name, x, y, t, {"ntrees": 6, "seed": 2025} | settings))

    for kind in KINDS:
        for classes in (2, 5):
            add(
                f"{kind}, {classes} classes", *_data(1, kind, 40, 12, classes), depth=4, k=4, mtry=6
            )
    add("40 classes", *_data(2, "continuous", 90, 10, 40), ntrees=2)
    add("40 classes of ties", *_data(2, "levels", 90, 10, 40), ntrees=2, depth=2)
    x, _, t = _data(3, "continuous", 20, 9, 2)
    add("every row its own class", x, [f"r{i}" for i in range(20)], t)
    add("two rows", x[:2], ["a", "b"], t, mtry=4)
    x, y, t = _data(4, "continuous", 40, 12, 2)
    for depth in (0, 1, 50):
        add(f"depth {depth}", x, y, t, depth=depth, mnode=1)
    add("mnode above the rows", x, y, t, mnode=1000)
    add("mnode 0 is 1", x, y, t, mnode=0)
    add("ntrees 0 is 1", x, y, t, ntrees=0)
    add("ntrees 2.9 is 2, mtry 3.9 is 3", x, y, t, ntrees=2.9, mtry=3.9)
    add("k 0 is 1", x, y, t, k=0)
    add("k and mtry above p", x, y, t, k=100, mtry=100)
    add("k 1, mtry 2", x, y, t, k=1, mtry=2)
    for seed in (0, -1, 2**31 - 1, -(2**31) + 1):
        add(f"seed {seed}", x, y, t, seed=seed)
    x, y, t = _data(5, "binary", 40, 20, 2)
    small = {"k": 3, "mtry": 10, "depth": 4}
    add("bool array", x.astype(bool), y, t.astype(bool), **small)
    add("int64 array", x.astype("int64"), y, t.astype("int64"), **small)
    add("uint8 array", x.astype("uint8"), y, t.astype("uint8"), **small)
    add("float32 array", x.astype("float32"), y, t.astype("float32"), **small)
    add("nested lists of integers", x.astype(int).tolist(), y, t.astype(int).tolist(), **small)
    names = [f"v{j}" for j in range(20)]
    add("frame of integers", pd.DataFrame(x.astype(int), columns=names), y,
        pd.DataFrame(t.astype(int), columns=names), **small)  # fmt: skip
    whole = np.round(x * 1000 + np.arange(40)[:, np.newaxis]).astype("int64")
    for edge in (2**31 - 1, -(2**31) + 1, 2**31, -(2**31), 2**40):
        at_edge = whole.copy()
        at_edge[3, 4] = edge  # the first two still fit R's integers
        add(f"integers with {edge}", at_edge, y, whole[:6], **small)
    x, y, t = _data(6, "continuous", 40, 12, 3)
    t[0], t[1], t[2, 3], t[3, :6] = np.nan, np.inf, -np.inf, np.nan
    add("missing and infinite test rows", x, y, t, k=4, mtry=6)
    gone = x.copy()
    gone[np.array(y) == y[0], 2] = np.nan
    gone[:, 5], gone[:, 6], gone[7, 7] = np.nan, 0.1, np.inf
    add("columns missing in a class, empty, constant, infinite", gone, y, t, k=4, mtry=6)
    add(
        "labels with blanks, two empty",
        x,
        [" ", "", *(f" {label}\t" for label in y[2:])],
        t,
        mtry=6,
    )
    # Five squares of this number are above the largest double, by less than half its last bit
    v = float.fromhex("0x1.c9f25c5bfedd9p+510")
    steps = [np.nextafter(v, 0), v, np.nextafter(v, np.inf)]
    far = np.repeat(steps, 12).reshape(3, 12)
    add("distances at the largest double", x, y, far, k=5, mtry=6, ntrees=25)
    add("328 votes of 2,067", x, y, t[:2], ntrees=2067, depth=0, seed=185)
    add("integer labels", x, [int(label == y[0]) + 9 for label in y], t, mtry=6)
    x, y = chain_data()
    add("a chain of 200 levels", x, y, x[:6], k=2, mtry=2, depth=200, ntrees=3)
    return found


def chain_data(n: int = 24) -> tuple[np.ndarray, list[str]]:
    """Rows that all take the same branch, level after level.

    Class b is missing in the first column, so that its centroid is nearer to every row than that
    of class a.
    """
    y = np.resize(["a", "a", "b"], n)
    spread = 5.0 * np.resize([-1, 1, 1, -1, 1, -1], n)
    x = np.where(y == "a", [spread, np.resize([-1.0, 1.0], n)], [[np.nan], [0.1]]).T
    return x, y.tolist()


def in_words(case: Case) -> str:
    """A case in one line, for a failure's message."""
    rows, columns = np.shape(case.xtrain)
    classes = len(set(case.ytrain))
    settings = ", ".join(f"{name}={value}" for name, value in case.settings.items())
    traits = f" ({', '.join(sorted(case.traits))})" if case.traits else ""
    return f"{case.name}{traits}: {rows} x {columns}, {classes} classes, {settings}"
