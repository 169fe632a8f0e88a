"""A tree as text, read back and compared with the tables of the same forest."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pycdf import CDF, CDFClassifier, load, load_darwin
from pycdf.explain.fitted import model_of
from pycdf.explain.text import export_text

NODE = re.compile(
    r"(?:nearest to (?P<branch>.+?): )?node (?P<node>\d+)"
    r"(?:, leaf, votes (?P<vote>.+?))?: (?P<rows>[\d,]+) rows? \((?P<counts>.*)\)"
)
MARGIN = re.compile(r"^(?:\|   |    |\|-- |`-- )*")


@pytest.fixture(scope="module")
def forest():
    rng = np.random.default_rng(3)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 8)) + 0.5 * y[:, np.newaxis]
    return CDF(X, np.array(["x1", "y 2", "z"])[y], X[:1], ntrees=20, k=3, depth=3, seed=4)


def read_back(text):
    """The nodes of a text: how far in, branch, vote, rows, counts, and their tables."""
    nodes = {}
    for line in text.splitlines()[3:]:
        margin = MARGIN.match(line).group()
        told = line[len(margin) :]
        if found := NODE.fullmatch(told):
            node = int(found["node"])
            counts = dict(part.rsplit(": ", 1) for part in found["counts"].split(", "))
            nodes[node] = {
                "depth": len(margin) // 4,
                "branch": found["branch"],
                "vote": found["vote"],
                "rows": int(found["rows"]),
                "counts": {label: int(count) for label, count in counts.items()},
                "table": [],
                "missing": [],
            }
            above = node
        elif told.startswith("nearest to "):
            parent = max(n for n in nodes if nodes[n]["depth"] == len(margin) // 4 - 1)
            nodes[parent]["missing"].append(told)
        else:
            nodes[above]["table"].append(re.split(r"  +", told))
    return nodes


def test_all_that_the_tables_say(forest):
    trees, centroids = forest.trees, forest.centroids
    counts = forest.forest.counts
    compared = 0
    for tree in range(20):
        nodes = read_back(export_text(forest, tree))
        lines = trees[trees["tree"] == tree]
        assert list(nodes) == lines["node"].tolist()  # depth first, as they are numbered
        for line in lines.itertuples():
            told = nodes[line.node]
            assert told["depth"] == line.depth
            assert told["branch"] == line.branch_class
            assert told["vote"] == line.leaf
            assert told["rows"] == line.rows
            there = dict(zip(forest.classes, counts[line.Index].tolist(), strict=True))
            assert told["counts"] == {label: n for label, n in there.items() if n}
            own = centroids[(centroids["tree"] == tree) & (centroids["node"] == line.node)]
            if not len(own):
                assert told["table"] == []
                continue
            wide = own.pivot(index="rank", columns="branch", values="centroid")
            names = own.drop_duplicates("branch")["class"].tolist()
            assert told["table"][0] == ["centroid of", *names]
            features = own.drop_duplicates("rank")["feature"].tolist()
            for row, feature, values in zip(
                told["table"][1:], features, wide.to_numpy(), strict=True
            ):
                assert row == [str(feature), *(f"{value:.3f}" for value in values)]
                compared += len(values)
    assert compared == len(centroids) > 0


def test_branches_that_no_row_took():
    """Classes that lie around each other: a centroid may be nearest to none of its rows."""
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(20, 2)) * 5, np.repeat([[0.1, 0.0]], 4, axis=0)]
    y = ["far"] * 10 + ["wide"] * 10 + ["near"] * 4
    fit = CDFClassifier(ntrees=200, depth=2, k=2, seed=1).fit(X, y)
    model = model_of(fit)
    children = model.forest.children
    assert (children < 0).any()
    told = 0
    for tree in range(200):
        text = export_text(fit, tree)
        nodes = read_back(text)
        first = model.forest.tree_start[tree]
        for node, found in nodes.items():
            start, stop = model.forest.class_start[first + node : first + node + 2]
            lost = model.forest.node_classes[start:stop][children[start:stop] < 0]
            expected = [
                f"nearest to {model.classes[code]}: no training row took this branch; votes far"
                for code in lost
            ]
            assert found["missing"] == expected
            told += len(expected)
    assert told == (children < 0).sum()


def test_long_lists_are_folded():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=1, depth=1, seed=1).fit(X, y)
    every = export_text(fit).splitlines()
    some = export_text(fit, max_features=4).splitlines()
    rest = [line for line in every if line.startswith("|   x")][4:]
    assert len(rest) == 8
    at = every.index(rest[0])
    shown = [line.split() for line in [*every[:at], "|   and 8 more features", *every[at + 8 :]]]
    assert [line.split() for line in some] == shown
    assert "more feature" not in export_text(fit, max_features=12)
    assert "and 11 more features\n" in export_text(fit, max_features=1)
    assert "and 1 more feature\n" in export_text(fit, max_features=11)


def test_the_first_lines():
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=3, depth=1, seed=1).fit(X, y)
    first, second, empty, root, *_ = export_text(fit, 2).splitlines()
    assert first == "Tree 2 of 3: 174 bootstrap rows, 1 split, 2 leaves"
    assert second.startswith("A row takes the branch of the class whose centroid is nearest")
    assert empty == ""
    assert root.startswith("node 0: 174 rows (P: ")
    alone = export_text(CDFClassifier(ntrees=1, depth=0, seed=1).fit(X, y)).splitlines()
    assert alone[0] == "Tree 0 of 1: 174 bootstrap rows, 0 splits, 1 leaf"
    assert alone[3].startswith("node 0, leaf, votes ")
    assert len(alone) == 4
    tree = CDFClassifier(ntrees=1, depth=0, bootstrap=False, seed=1).fit(X, y)
    assert export_text(tree).splitlines()[0] == "Tree 0 of 1: 174 rows, 0 splits, 1 leaf"


@pytest.mark.parametrize(
    ("centroids", "decimals", "shown"),
    [
        ([1.0, 2.5], 3, ["1.000", "2.500"]),
        ([1.0, 2.5], 0, ["1", "2"]),
        ([-0.0001, 0.5], 3, ["0.000", "0.500"]),  # no minus before zero
        ([-0.0001, 0.0001], 3, ["-0.0001", "0.0001"]),
        ([4.4e-6, 6.3e-6], 3, ["4.4e-06", "6.3e-06"]),
        ([100000.0001, 100000.0002], 3, ["100000.0001", "100000.0002"]),
        ([1.0, 1.0 + 2.0**-52], 3, ["1", "1.0000000000000002"]),
        ([3.0, 3.0], 3, ["3.000", "3.000"]),
        ([1.5e12, 2.5], 3, ["1.5e+12", "2.5"]),
        ([np.nan, 2.5], 3, ["missing", "2.500"]),
        ([np.nan, np.nan], 3, ["missing", "missing"]),
        ([0.0, -0.0], 2, ["0.00", "0.00"]),
    ],
)
def test_numbers_that_differ_look_different(centroids, decimals, shown):
    X, y = load_darwin()
    model = CDFClassifier(ntrees=1, depth=1, k=1, seed=1).fit(X, y).model_
    model = replace(model, forest=model.forest._replace(centroids=np.array(centroids)))
    table = export_text(model, decimals=decimals).splitlines()[5]
    assert table.split()[2:] == shown


def test_every_form_of_a_fit_and_a_file(tmp_path):
    X, y = load_darwin()
    result = CDF(X, y, X[:1], ntrees=2, seed=1)
    text = export_text(result, 1)
    estimator = CDFClassifier(ntrees=2, seed=1).fit(X, y)
    estimator.save(tmp_path / "forest.cdf")
    for fit in (estimator, estimator.model_, load(tmp_path / "forest.cdf")):
        assert export_text(fit, 1) == text
    assert text.isascii()
    assert text.endswith(")\n")


def test_names_stay_on_one_line():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 1)), np.array(["very\nlong", "b"] * 10)
    fit = CDFClassifier(ntrees=1, depth=1, seed=1).fit(X, y)
    assert "very long" in export_text(fit)
    assert len(export_text(fit).splitlines()) == 8


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"tree": 2}, ValueError, "tree=2: pass a whole number from 0 to 1"),
        ({"tree": [0]}, TypeError, r"tree=\[0\]"),
        ({"decimals": -1}, ValueError, "decimals=-1"),
        ({"decimals": 2.0}, TypeError, "decimals=2.0"),
        ({"max_features": 0}, ValueError, "max_features=0"),
    ],
)
def test_arguments_out_of_range(arguments, error, says):
    X, y = load_darwin()
    fit = CDFClassifier(ntrees=2, depth=0, seed=1).fit(X, y)
    with pytest.raises(error, match=says):
        export_text(fit, **arguments)


def test_wide_texts_are_folded():
    """14 classes, long names: lines that fit, with every number and every name."""
    labels = [f"tumour type {i} stage II" if i % 3 == 0 else f"T{i}" for i in range(14)]
    codes = np.arange(280) % 14
    rng = np.random.default_rng(0)
    X = rng.normal(size=(280, 30)) + rng.normal(size=(14, 30))[codes]
    fit = CDF(X, np.array(labels)[codes], X[:1], ntrees=1, depth=2, k=20, mtry=30, seed=1)
    text = export_text(fit, width=90)
    assert max(map(len, export_text(fit, width=10_000).splitlines())) > 200
    assert max(map(len, text.splitlines())) <= 90

    root = fit.centroids[fit.centroids["node"] == 0]
    first_branch = text.index("|-- nearest")
    counts, *tables = text[text.index("node 0") : first_branch].split("|   centroid of ")
    there = dict(zip(fit.classes, fit.forest.counts[0].tolist(), strict=True))
    told = " ".join(counts.replace("|", " ").split())
    assert told == f"node 0: 280 rows ({', '.join(f'{k}: {v}' for k, v in there.items())})"

    numbers, heads = {}, ""
    for table in tables:
        for line in table.splitlines():
            name, *values = line.strip("| ").split()
            if name.isdigit() and all("." in value for value in values):
                numbers.setdefault(int(name), []).extend(values)
            else:
                heads += line
    for feature, part in root.groupby("feature"):
        shown = [float(value) for value in numbers[feature]]
        np.testing.assert_allclose(shown, part["centroid"], rtol=0, atol=0.0005)  # as rounded
    assert len(tables) > 1
    assert "tumour type" in heads
    assert "tumour type 0" not in heads  # 13 characters
    for word in ("tumour", "stage", "T13"):
        assert heads.count(word) == sum(word in label for label in labels)


def test_one_long_name_keeps_its_line():
    X, y = load_darwin()
    long = CDFClassifier(ntrees=1, depth=1, seed=1).fit(X.add_prefix("x" * 150), y)
    short = CDFClassifier(ntrees=1, depth=1, seed=1).fit(X, y)
    text, wide = (export_text(long, width=width) for width in (1, 10_000))
    assert all(line.count(".") == 1 for line in text.splitlines() if "xxx" in line)
    assert all(line.count(".") == 2 for line in wide.splitlines() if "xxx" in line)
    assert wide.replace("x" * 150, "").split() == export_text(short).split()
    gaps = re.findall(r"(?<=\.\d{3})( +)(?=-?\d)", export_text(short))
    assert min(map(len, gaps)) == 2  # before the widest number of the second class
    with pytest.raises(ValueError, match="width=0: pass a whole number of at least 1"):
        export_text(short, width=0)


def test_lines_lead_from_a_node_to_its_branches(forest):
    """A bar goes down to the last branch of a node, and not beyond it."""
    bars = 0
    for tree in range(20):
        lines = export_text(forest, tree).splitlines()[3:]
        for at, line in enumerate(lines):
            margin = MARGIN.match(line).group()
            if not margin.endswith("-- "):
                continue
            place, is_last = len(margin) - 4, margin[-4] == "`"
            for below in lines[at + 1 :]:
                if len(MARGIN.match(below).group()) <= place or below[place : place + 3] == "`--":
                    break
                assert below[place] == (" " if is_last else "|"), below
                bars += 1
    assert bars > 100
