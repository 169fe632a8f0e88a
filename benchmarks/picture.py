"""Plot the comparison: a dot per data set and competitor, time on a log scale.

The plots are times.png and times.svg. The same numbers give the same SVG.
"""

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt

from benchmarks.figures import Summary
from benchmarks.workers import TITLES

# Okabe and Ito's colours, which colour-blind readers can distinguish; shapes differ as well.
STYLES = {
    "r_cdf": ("#0072B2", "s"),
    "ranger": ("#E69F00", "D"),
    "random_forest": ("#009E73", "^"),
    "extra_trees": ("#CC79A7", "v"),
    "oblique": ("#56B4E9", "P"),
    "pycdf": ("#D55E00", "o"),
}


def draw(summaries: Sequence[Summary], ntrees: int, folder: Path) -> None:
    """Draw and save, with the data set that is slowest in R (or whatever ran) on top."""
    datasets = list(dict.fromkeys(one.dataset for one in summaries))
    longest = {name: max(s.seconds for s in summaries if s.dataset == name) for name in datasets}
    datasets.sort(key=lambda name: longest[name])
    place = {name: row for row, name in enumerate(datasets)}
    shapes = {one.dataset: one.shape for one in summaries}
    plt.rcParams.update({"svg.hashsalt": "pycdf", "font.size": 10})
    figure, axes = plt.subplots(figsize=(8, 1.6 + 0.42 * len(datasets)), layout="constrained")
    for name, row in place.items():
        taken = [one.seconds for one in summaries if one.dataset == name]
        axes.plot([min(taken), max(taken)], [row, row], color="0.85", linewidth=1.5, zorder=1)
    for competitor, (colour, marker) in STYLES.items():
        mine = [one for one in summaries if one.competitor == competitor]
        if mine:
            axes.scatter(
                [one.seconds for one in mine],
                [place[one.dataset] for one in mine],
                s=80 if competitor == "pycdf" else 48,
                color=colour,
                marker=marker,
                edgecolor="white",
                linewidth=0.6,
                label=TITLES[competitor],
                zorder=3 if competitor == "pycdf" else 2,
            )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g} s")
    axes.grid(axis="x", which="major", color="0.92")
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(datasets)))
    axes.set_yticklabels([f"{name}\n{shapes[name][0]} x {shapes[name][1]}" for name in datasets])
    axes.tick_params(axis="y", length=0, labelsize=8.5)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel(f"train {ntrees} trees and predict, one core; median over rounds, log scale")
    figure.legend(loc="outside upper center", ncols=len(STYLES), frameon=False, fontsize=9,
                  handletextpad=0.2, columnspacing=1.2)  # fmt: skip
    figure.savefig(folder / "times.svg", metadata={"Date": None, "Creator": None})
    figure.savefig(folder / "times.png", dpi=160, metadata={"Software": None})
    plt.close(figure)
