"""The tables of docs/laboratory.md, from results/laboratory_splits.csv.gz and results/tuning.csv.

    python -m benchmarks.laboratory_tables

rewrites its marked blocks, as `python -m benchmarks.report` does those of the other pages.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import t

from benchmarks.laboratory import COLUMNS, TEST_SHARE
from benchmarks.markdown import digits, markdown
from benchmarks.report import BLOCK, RESULTS, ROOT
from pycdf.validation import corrected_error

PAGE = ROOT / "docs" / "laboratory.md"
MEASURES = COLUMNS[3:]
NAMES = {
    "standardized": '`distance="standardized"`',
    "manhattan": '`distance="manhattan"`',
    "cosine": '`distance="cosine"`',
    "welch": '`feature_score="welch"`',
    "f": '`feature_score="f"`',
    "auc": '`feature_score="auc"`',
    "redundancy": "`redundancy=0.5`",
    "soft": '`vote="soft"`',
    "mtry_doubled": "`mtry=0.4`, twice R's",
}
LARGEST = 12  # effects on single data sets that are listed
CLEAR = 2.0  # standard errors


def changes(splits):
    """The change of each measure that an option makes in a split, in place of the measures."""
    keys = ["data", "split"]
    default = splits[splits["option"] == "default"].drop(columns="option")
    found = splits[splits["option"] != "default"].merge(default, on=keys, suffixes=("", "_r"))
    for measure in MEASURES:
        found[measure] -= found.pop(f"{measure}_r")
    return found


def by_data(found, measure):
    """For each option and data set: mean change, its corrected standard error, and the splits."""

    def summary(change):
        change = change.dropna()  # kappa is undefined where all is of one class
        n = len(change)
        error = corrected_error(change.std(ddof=1), n, TEST_SHARE) if n > 1 else np.nan
        return pd.Series({"change": change.mean(), "error": error, "splits": n})

    return found.groupby(["option", "data"])[measure].apply(summary).unstack()


def interval(values):
    """A mean over data sets with its 95 % interval."""
    values = values.dropna()
    n = len(values)
    half = t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    mean = values.mean()
    return f"{mean:+.3f} ({mean - half:+.3f} to {mean + half:+.3f})"


def title(option):
    """How a table calls an option."""
    if option.startswith("tuned_"):
        return f"tuned, {option.removeprefix('tuned_')} forests"
    return NAMES[option]


def ordered(found):
    """The options in the order of the table, tuned forests last."""
    present = set(found["option"])
    return [*(name for name in NAMES if name in present), *sorted(present - set(NAMES))]


def effects(splits):
    """One line per option: the mean change over all data sets, wins and losses."""
    found = changes(splits)
    each = {measure: by_data(found, measure) for measure in MEASURES}
    rows = []
    for option in ordered(found):
        one = each["accuracy"].loc[option]
        clear = one["change"] / one["error"]
        single = found.loc[found["option"] == option, "accuracy"]
        least, most = int(one["splits"].min()), int(one["splits"].max())
        rows.append([
            title(option),
            str(len(one)),
            str(most) if least == most else f"{least} to {most}",
            *(interval(each[measure].loc[option]["change"]) for measure in MEASURES),
            f"{(one['change'] > 0).sum()} / {(one['change'] < 0).sum()}",
            f"{(clear > CLEAR).sum()} / {(clear < -CLEAR).sum()}",
            f"{(single > 0).sum()} / {(single < 0).sum()}",
        ])  # fmt: skip
    header = ["", "data sets", "splits of each", "accuracy", "balanced accuracy", "kappa",
              "data sets + / -", "of these clearly", "splits + / -"]  # fmt: skip
    return markdown(header, rows)


def largest(splits):
    """The largest changes of the accuracy on single data sets."""
    found = changes(splits)
    each = by_data(found, "accuracy").reset_index()
    default = splits[splits["option"] == "default"].groupby("data")["accuracy"].mean()
    order = each["change"].abs().sort_values(ascending=False, kind="stable").index
    rows = [
        [line.data, title(line.option), f"{default[line.data]:.3f}", f"{line.change:+.3f}",
         "" if np.isnan(line.error) else f"{line.error:.3f}", str(int(line.splits))]
        for line in each.loc[order[:LARGEST]].itertuples()
    ]  # fmt: skip
    header = ["data", "option", "R's defaults", "change", "standard error", "splits"]
    return markdown(header, rows)


def search(times):
    """How long a search takes, beside one forest in R."""
    rows = [[line.what, digits(line.cpu), f"{line.ratio:.2f}"] for line in times.itertuples()]
    return markdown(["colon, 62 rows x 2,000 columns", "seconds of one core", "times R's"], rows)


def main(page=PAGE, folder=RESULTS):
    """Rewrite the blocks of the page."""
    splits = pd.read_csv(Path(folder) / "laboratory_splits.csv.gz")
    times = pd.read_csv(Path(folder) / "tuning.csv")
    shown = {
        "effects": lambda: effects(splits),
        "largest": lambda: largest(splits),
        "search": lambda: search(times.assign(ratio=times["cpu"] / times["cpu"].iloc[0])),
    }
    text = Path(page).read_text(encoding="utf-8")
    text = BLOCK.sub(lambda match: f"{match[1]}\n{shown[match[2]]()}\n{match[3]}", text)
    Path(page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
