"""Statistics for the report: medians, ratios, geometric means, slopes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import median


@dataclass(frozen=True)
class Summary:
    """One competitor on one data set, over its rounds."""

    dataset: str
    competitor: str
    shape: tuple[int, int, int]  # training rows, columns, classes
    rounds: int
    seconds: float  # of CPU time; a median, like all fields that follow
    fastest: float
    slowest: float
    wall_seconds: float
    accuracy: float
    peak_mb: float | None


@dataclass(frozen=True)
class Ratios:
    """How many times longer a competitor takes than pycdf."""

    by_dataset: dict[str, float]
    geometric_mean: float
    worst: float
    worst_dataset: str


def summarise(rows: Iterable[Mapping[str, str]]) -> list[Summary]:
    """Medians over the rounds of each data set and competitor, in the order of the rows."""
    groups: dict[tuple[str, str], list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        groups[row["dataset"], row["competitor"]].append(row)
    summaries = []
    for (dataset, competitor), group in groups.items():
        # All run on one thread. What other programs take from the core is not theirs.
        seconds = [float(row["cpu_seconds"]) for row in group]
        # Only the first round shows the memory: later ones reuse what it has freed.
        first = min(group, key=lambda row: int(row["round"]))
        summaries.append(
            Summary(
                dataset,
                competitor,
                (int(first["rows"]), int(first["columns"]), int(first["classes"])),
                len(group),
                median(seconds),
                min(seconds),
                max(seconds),
                median(float(row["seconds"]) for row in group),
                median(float(row["accuracy"]) for row in group),
                float(first["peak_mb"]) if first["peak_mb"] else None,
            )
        )
    return summaries


def ratios(summaries: Sequence[Summary], competitor: str, base: str = "pycdf") -> Ratios | None:
    """Times of a competitor over those of pycdf; None if they have no data set in common."""
    times = {(one.dataset, one.competitor): one.seconds for one in summaries}
    found = {
        dataset: seconds / times[dataset, base]
        for (dataset, name), seconds in times.items()
        if name == competitor and (dataset, base) in times
    }
    if not found:
        return None
    worst = min(found, key=lambda dataset: found[dataset])
    return Ratios(found, geometric_mean(found.values()), found[worst], worst)


def geometric_mean(values: Iterable[float]) -> float:
    """The mean on a logarithmic scale, on which 2 and 1/2 cancel."""
    logs = [log(value) for value in values]
    return exp(sum(logs) / len(logs))


def same_as_r(rows: Iterable[Mapping[str, str]]) -> tuple[int, int]:
    """How many of pycdf's runs gave R's predictions, and how many were compared."""
    compared = [int(row["same_as_r"]) for row in rows if row["same_as_r"]]
    return sum(compared), len(compared)


def busy(summaries: Iterable[Summary], allowed: float = 1.1) -> list[Summary]:
    """Runs in which wall time exceeded CPU time: another program used the core."""
    return [one for one in summaries if one.wall_seconds > allowed * one.seconds + 0.005]


def slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The least-squares slope of log time over log size: 1 is linear."""
    x, y = [log(size) for size in sizes], [log(taken) for taken in seconds]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    along = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True))
    return along / sum((a - x_mean) ** 2 for a in x)
