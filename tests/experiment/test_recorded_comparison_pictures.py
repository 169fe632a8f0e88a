"""The pictures of a comparison consist of what they consisted of when they were recorded.

After a change that is meant: ``python tests/experiment/test_recorded_comparison_pictures.py``
records them anew in `tests/data/comparison_pictures.json`.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from picture_parts import parts

from pycdf import RStream
from pycdf.experiment import pictures
from pycdf.experiment.statistics import compare_methods

RECORDED = Path(__file__).parents[1] / "data" / "comparison_pictures.json"
METHODS = ["CDF", "Random forest", "a method with a name that is much too long for a picture"]
METHODS += [f"M{i}" for i in range(4, 13)]


def boxes(sets, methods, paper=None, long_titles=False):
    """Box plots of that many data sets and methods."""
    values = RStream(5).uniform(sets * methods * 7).reshape(sets, methods, 7) ** 5
    results = pd.DataFrame(
        [
            {"data": f"d{i}", "method": f"m{j}", "accuracy": value}
            for i, j, split in np.ndindex(*values.shape)
            if (value := values[i, j, split]) > 1e-6
        ]
    )
    words = " of patients and of healthy people, as they were published" if long_titles else ""
    titles = {f"d{i}": f"D{i}{words if i % 2 else ''}" for i in range(sets)}
    names = {f"m{j}": METHODS[j] for j in range(methods)}
    return pictures.box_plots(results, "accuracy", titles, names, paper)


def ranks(sets, methods, differ, title=""):
    """A diagram of the mean ranks of methods, which differ much or little."""
    means = RStream(6).uniform(sets * methods).reshape(sets, methods) + differ * np.arange(methods)
    table = pd.DataFrame(means, columns=METHODS[:methods])
    return pictures.rank_diagram(compare_methods(table, "Random forest"), title)


DRAWINGS = {
    "a box": lambda: boxes(1, 1),
    "boxes": lambda: boxes(1, 4, {("d0", "m1"): 0.5, ("d0", "m3"): 0.7}),
    "two panels": lambda: boxes(2, 2, {("d1", "m0"): 0.5}),
    "nine panels": lambda: boxes(9, 3),
    "many boxes": lambda: boxes(5, 12, long_titles=True),
    "two ranks": lambda: ranks(5, 2, 0.2),
    "ranks": lambda: ranks(12, 5, 0.2, "Accuracy"),
    "ranks that differ": lambda: ranks(30, 3, 9.0),
    "many ranks": lambda: ranks(14, 11, 0.2, "Cohen's kappa"),
}


def all_parts(name):
    """The parts of a picture, with the lines behind it and the places of its axes."""
    figure = DRAWINGS[name]()
    found = parts(lambda: figure.axes[0])
    for axis in figure.axes:
        for lines in (axis.xaxis.get_gridlines(), axis.yaxis.get_gridlines()):
            shown = [line for line in lines if line.get_visible() and axis.axison]
            behind = sorted({(line.get_color(), line.get_linewidth()) for line in shown})
            found.append([f"grid {behind} {axis.get_axisbelow()}", []])
        if not axis.axison:
            found.append(["place", [*axis.get_position().bounds]])
    return found


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_parts_are_those_that_were_recorded(name):
    pytest.importorskip("matplotlib")
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))[name]
    found = all_parts(name)
    assert [words for words, _ in found] == [words for words, _ in recorded]
    for (words, numbers), (_, wanted) in zip(found, recorded, strict=True):
        np.testing.assert_allclose(numbers, wanted, rtol=2e-4, atol=1e-6, err_msg=words)


def main():
    """Record the parts."""
    recorded = {
        name: [[words, [float(f"{n:.5g}") for n in ns]] for words, ns in all_parts(name)]
        for name in DRAWINGS
    }
    texts = (
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(part) for part in some) + "\n]"
        for name, some in recorded.items()
    )
    RECORDED.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
