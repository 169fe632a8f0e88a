"""Tables of docs/scaling.md: speedup, data sent, and estimates for larger machines.

They are made from jobs.csv, large.csv and streams.csv. Estimates for other machines are
extrapolated from the measurements on this one; the constants below are the assumptions.
"""

from collections import defaultdict
from pathlib import Path
from statistics import fmean, median, stdev

from benchmarks.jobs import DASK, ONE, SHAPES, THREADS
from benchmarks.markdown import digits, markdown
from benchmarks.tables import read_csv

# Training rows, columns, trees, forests.
PLANS = (
    (100, 1_000_000, 500, 1),
    (2_000, 1_000_000, 500, 1),
    (121, 450, 500, 10_000),
    (100, 20_000, 500, 10_000),
)
CLUSTERS = (1, 16, 128, 1_024)  # cores
CORES_PER_MACHINE = 16
NETWORK = 1.0e9  # bytes per second between machines: 10 Gbit/s, almost fully used
SCREEN = 0.5  # what a worker builds in addition to the matrix, in matrices


def _medians(folder: Path) -> dict[tuple[str, int, int, str], dict[str, float]]:
    """Medians over the rounds, by kind, rows, columns and way."""
    found = defaultdict(list)
    for row in read_csv(folder / "jobs.csv"):
        found[row["kind"], int(row["rows"]), int(row["columns"]), row["way"]].append(row)
    return {
        key: {
            name: median(float(row[name]) for row in rows)
            for name in ("seconds", "trees", "new_rows", "shipped", "back")
        }
        for key, rows in found.items()
    }


def jobs(folder: Path) -> str:
    """Seconds in each way, and how many times faster than on one core."""
    found = _medians(folder)
    ways = [way for way in (ONE, THREADS, DASK) if any(key[3] == way for key in found)]
    rows = []
    for kind, n, p, way in found:
        if way != ONE or kind == "start":
            continue
        here = [found[kind, n, p, one] for one in ways]
        first = here[0]
        what = f"grow {first['trees']:,.0f} trees on {n:,} x {p:,}"
        if kind == "predict":
            what = (
                f"predict {first['new_rows']:,.0f} rows of {p:,} with {first['trees']:,.0f} trees"
            )
        faster = [f"{first['seconds'] / one['seconds']:.2f}" for one in here[1:]]
        rows.append([what, *(digits(one["seconds"]) for one in here), *faster])
    return markdown(["seconds", *ways, *(f"{way}, times faster" for way in ways[1:])], rows)


def shipped(folder: Path) -> str:
    """The data sent to a worker, and returned by it."""
    found = _medians(folder)
    rows = []
    for (kind, n, p, way), here in found.items():
        if kind == "fit" and way == DASK:
            matrix = 8 * n * p
            rows.append(
                [
                    f"{n:,} x {p:,}, {here['trees']:,.0f} trees",
                    f"{matrix / 1e6:.2f}",
                    f"{here['shipped'] / 1e6:.2f}",
                    f"{here['back'] / here['trees']:,.0f}",
                    f"{here['back'] / 1e6:.2f}",
                ]
            )
    if not rows:
        return "dask.distributed was missing in the latest run."
    header = ["", "matrix, MB", "worker to worker, MB", "a tree, bytes", "back, MB"]
    return markdown(header, rows)


def plan(folder: Path) -> str:
    """Estimated seconds on clusters of several sizes."""
    found = _medians(folder)
    rows = []
    for n, p, trees, forests in PLANS:
        start, tree = _constants(found, n, p)
        matrix = 8 * n * p
        cells = []
        for cores in CLUSTERS:
            machines = -(-cores // CORES_PER_MACHINE)
            sent = matrix / NETWORK * (machines.bit_length() if machines > 1 else 0)
            if forests == 1:  # trees are spread; each machine gets the matrix once
                seconds = sent + start * n * p + tree * n * p * -(-trees // cores)
            else:  # forests are spread; each is grown on one core
                seconds = sent + (start + tree * trees) * n * p * -(-forests // cores)
            cells.append(clock(seconds))
        what = f"{forests:,} forests of {trees:,} trees" if forests > 1 else f"{trees:,} trees"
        room = (1 + SCREEN) * matrix / 1e9
        rows.append([f"{what}, {n:,} x {p:,}", f"{matrix / 1e9:.2g}", f"{room:.2g}", *cells])
    header = ["", "matrix, GB", "a worker holds, GB"]
    return markdown([*header, *(f"{n:,} core" + "s" * (n > 1) for n in CLUSTERS)], rows)


def _constants(
    found: dict[tuple[str, int, int, str], dict[str, float]], n: int, p: int
) -> tuple[float, float]:
    """Seconds per cell to start a fit, and per cell and tree, from the nearest measured shape."""
    measured = [shape[:2] for shape in SHAPES if ("fit", *shape[:2], ONE) in found]
    rows, columns = min(measured, key=lambda one: (abs(one[0] - n), abs(one[1] - p)))
    begin = found["start", rows, columns, ONE]["seconds"] / (rows * columns)
    whole = found["fit", rows, columns, ONE]
    grow = whole["seconds"] / (rows * columns)
    return begin, max(grow - begin, 0.0) / (whole["trees"] - 1)


def clock(seconds: float) -> str:
    """A time in a suitable unit."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"


def large(folder: Path) -> str:
    """Memory of a fit and of a prediction from a memory map."""
    rows = []
    for row in read_csv(folder / "large.csv"):
        matrix = float(row["matrix_mb"])
        rows.append(
            [row["layout"], f"{float(row['file_mb']) / 1024:.2f}"]
            + [f"{float(row[name]) / 1024:.2f}" for name in ("fit_peak_mb", "fit_own_mb")]
            + [f"{float(row['fit_own_mb']) / matrix:.2f}", digits(float(row["fit_cpu"]))]
            + [f"{float(row['predict_own_mb']):.0f}", digits(float(row["predict_cpu"]))]
        )
    header = ["", "file, GB", "fit: peak, GB", "of it not the file", "in matrices", "CPU seconds"]
    return markdown([*header, "predict: MB beside the file", "CPU seconds"], rows)


def streams(folder: Path) -> str:
    """Mean accuracies with R's stream and with one for each tree, and their paired difference."""
    pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in read_csv(folder / "streams.csv"):
        pairs[row["dataset"]].append((float(row["r"]), float(row["per_tree"])))
    rows = []
    for name, found in pairs.items():
        apart = [tree - r for r, tree in found]
        error = stdev(apart) / len(apart) ** 0.5
        means = [fmean(r for r, _ in found), fmean(tree for _, tree in found)]
        mean = round(fmean(apart), 4) + 0.0  # avoids -0
        shown = f"{mean:+.4f} ± {error:.4f}"
        rows.append([name, str(len(found)), *(f"{one:.4f}" for one in means), shown])
    header = ["", "splits", "R's stream", "a stream for each tree", "difference ± standard error"]
    return markdown(header, rows)
