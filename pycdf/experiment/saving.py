"""Write the files of a comparison: results, a report in Markdown, LaTeX tables and pictures.

Every file except ``timings.csv`` has the same bytes whenever the same run is repeated, with any
number of processes. All files are replaced at once, or, if the disk is full, none.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from pycdf.experiment import manifest, pictures, tables
from pycdf.experiment.latex import latex
from pycdf.experiment.measures import MEASURES
from pycdf.experiment.paper import figures_of
from pycdf.experiment.report import PAPER, names, report, worth_testing
from pycdf.experiment.resampled import COLUMNS
from pycdf.experiment.tables import Spread
from pycdf.files.atomic import write_whole
from pycdf.files.staged import staged
from pycdf.files.tables.writing import write_data

if TYPE_CHECKING:
    from pycdf.experiment.comparison import Comparison

_TEX = (*PAPER, "auc")
FILES = (
    "results.csv", "timings.csv", "report.md", "failures.csv", "paper.csv", "differences.csv",
    *(f"{one}.tex" for one in _TEX),
    *(f"{one}-{kind}.svg" for one in PAPER for kind in ("boxes", "ranks")),
)  # fmt: skip


def write(done: "Comparison", folder: Path, spread: Spread = "none") -> list[Path]:
    """Write all files and return their paths. Without matplotlib, there are no pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with staged(folder) as stage:
        for name, frame in _frames(done).items():
            write_data(frame, str(stage / name))
        drawn = _pictures(done, stage) if len(done.results) else []
        for name, text in _texts(done, drawn, spread).items():
            write_whole(stage / name, text.encode())
        if not (folder / manifest.FILE).exists():  # a run with an output folder has written it
            write_whole(stage / manifest.FILE, manifest.text(done.manifest))
        written = sorted(path.name for path in stage.iterdir())
    for name in {*FILES} - {*written}:
        (folder / name).unlink(missing_ok=True)  # left by an earlier run
    return [folder / name for name in written]


def _frames(done: "Comparison") -> dict[str, pd.DataFrame]:
    frames = {"results.csv": done.results, "timings.csv": done.seconds}
    if len(done.failures):
        frames["failures.csv"] = done.failures
    if len(done.checked):
        frames["paper.csv"] = done.checked
    if len(done.methods) > 1 and len(done.results):
        known = [one for one in MEASURES if done.results[one].notna().any()]
        found = [done.differences(one).assign(measure=one) for one in known]
        # Older pandas warns of tables without rows
        some = [table for table in found if len(table)] or found[:1]
        frames["differences.csv"] = pd.concat(some)[["measure", *COLUMNS]]
    return frames


def _texts(done: "Comparison", drawn: list[str], spread: Spread) -> dict[str, str]:
    texts = {"report.md": report(done, drawn, spread)}
    for measure in _TEX if len(done.results) else ():
        if done.results[measure].notna().any():
            caption = tables.caption(measure, done.manifest, spread)
            texts[f"{measure}.tex"] = latex(done.table(measure), caption, names(done), spread)
    return texts


def _pictures(done: "Comparison", folder: Path) -> list[str]:
    """Draw box plots and, if there are enough data sets, ranks; the names of the files."""
    drawn = []
    try:
        for measure in PAPER:
            marks = figures_of(done.checked, measure)
            boxes = pictures.box_plots(done.results, measure, names(done), done.methods, marks)
            figures = {f"{measure}-boxes.svg": boxes}
            paired = done.paired(measure)
            if worth_testing(paired):
                ranks = pictures.rank_diagram(paired, MEASURES[measure])
                figures[f"{measure}-ranks.svg"] = ranks
            for name, figure in figures.items():
                pictures.save(figure, folder / name)
                drawn.append(name)
    except pictures.NoPicturesError:
        pass
    return drawn
