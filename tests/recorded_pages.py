"""What the pages of the report say and draw, as words and numbers.

`tests/data/report_pages.json` has pages about small forests, so that a test notices when a
page changes. After a change that is meant: ``python tests/recorded_pages.py`` records them anew.
"""

import json
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

RECORDED = Path(__file__).with_name("data") / "report_pages.json"
_NUMBER = re.compile(r"(?<![\w#.])-?\d+(?:\.\d+)?")
_VERSION = re.compile(r"\d+\.\d+\.\d+[^<\s]*")


def pages():
    """The pages by name, as functions without arguments."""
    from pycdf import CDFClassifier, RStream, html_report

    def rows(n, p, classes, missing=False):
        codes = np.arange(n) % len(classes)
        values = RStream(7).uniform(n * p).reshape(n, p) + 0.3 * codes[:, np.newaxis]
        if missing:
            values[::7, 1] = np.nan
        X = pd.DataFrame(values, columns=[f"x{j}" for j in range(p)])
        return X, np.array(classes, dtype=object)[codes]

    X, y = rows(60, 8, ["ill", "well"])
    two = CDFClassifier(ntrees=30, seed=1, k=2, mtry=4).fit(X[:40], y[:40])
    ids = pd.Series([f"S{i}" for i in range(60)], name="patient")
    given = {
        "X_test": X[40:], "y_test": y[40:], "ids": ids[:40], "ids_test": ids[40:],
        "title": "two.cdf", "date": "2025-01-31",
    }  # fmt: skip
    Z, z = rows(75, 14, [f"class {c}" for c in range(5)], missing=True)
    five = CDFClassifier(ntrees=20, seed=1).fit(Z, z)
    V, v = rows(120, 20, [f"class {c}" for c in range(12)])
    twelve = CDFClassifier(ntrees=20, seed=1).fit(V, v)
    wide = [f"WWWW MMMM of the widest of all names {c}" for c in "AB"]
    U, u = rows(120, 9, [*wide, "名前の長いクラス"])
    U.columns = [f"m{'w' * (3 * j)}, {'a' * (8 * j)}{j}" for j in range(9)]
    names = pd.Series([f"sample, taken on day {i} of the year" for i in range(120)])
    deep = CDFClassifier(
        ntrees=15, seed=1, depth=8, mnode=2, k=5, scale=True, class_weight="balanced"
    ).fit(U, u)
    whole = CDFClassifier(ntrees=1, seed=1, bootstrap=False, depth=1).fit(X[:40], y[:40])
    single = CDFClassifier(ntrees=40, seed=1).fit(X[:9], list("aaaabbbcd"))
    return {
        "two classes, test rows": lambda: html_report(two, X[:40], y[:40], **given),
        "five classes, out of bag": lambda: html_report(five, Z, z, date="2025-01-31"),
        "twelve classes": lambda: html_report(twelve, V, v, date="2025-01-31"),
        "no rows": lambda: html_report(two, date="2025-01-31"),
        "wide names, deep trees": lambda: html_report(
            deep, U, u, ids=names, date="2025-01-31", title="title, " * 40
        ),
        "none out of bag": lambda: html_report(whole, X[:40], y[:40], **given),
        "classes of one row": lambda: html_report(
            single, X[:9], list("aaaabbbcd"), date="2025-01-31"
        ),
        "some of twelve classes": lambda: html_report(
            twelve, X_test=V[:3] + 0.01, y_test=v[:3], date="2025-01-31"
        ),
    }


def elements(page):
    """The elements of a page without its styles: words with # for each number, and the numbers."""
    text = _VERSION.sub("VERSION", re.sub(r"(?s)<style>.*?</style>", "", page))
    found = []
    for element in re.split(r"(?=<)", text):
        numbers = [float(one) for one in _NUMBER.findall(element)]
        found.append([_NUMBER.sub("#", element).strip(), numbers])
    return [one for one in found if not re.fullmatch(r"</\w+>", one[0])]


def main():
    texts = (
        f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, elements(page()))) + "\n]"
        for name, page in pages().items()
    )
    RECORDED.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    warnings.simplefilter("ignore")
    main()
