"""pycdf against answers recorded from R, bit for bit; no R is needed here.

In come the files in ``golden/``, written by ``r_reference/record_golden.R``: the data of each case,
the call, and R's whole answer. Out goes the first difference, in words. There is no tolerance.
"""

import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from one_node import scores

from pycdf import CDF, InputWarning, RStream, load_darwin

GOLDEN = Path(__file__).parents[1] / "golden"
FORESTS = sorted(path.stem.removeprefix("forest_") for path in GOLDEN.glob("forest_*.json"))


def read(name: str) -> dict[str, Any]:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="ascii"))


def doubles(digits: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(digits), dtype=">f8").astype(np.float64)


def digits(values: np.ndarray) -> str:
    plain = np.where(np.isnan(values), np.nan, values)  # a NaN has many forms, R's files one
    return plain.astype(">f8").tobytes().hex()


def md5(text: str) -> str:
    return hashlib.md5(text.encode("ascii"), usedforsecurity=False).hexdigest()


def matrix(stored: dict[str, Any], names: list[str] | None) -> np.ndarray | pd.DataFrame:
    """R's matrix in the container that follows it: with names a DataFrame, which is double."""
    rows = stored["rows"]
    if stored["kind"] == "double":
        values = np.array([doubles(row) for row in rows])
    else:
        values = np.array(rows, dtype={"integer": np.int32, "logical": np.bool_}[stored["kind"]])
    assert values.shape == (len(rows), stored["columns"])
    return values if names is None else pd.DataFrame(values, columns=names)


def assert_same_doubles(ours: np.ndarray, theirs: np.ndarray, what: str) -> None:
    """Missing values in the same places, then every bit (so -0.0 is not 0.0)."""
    ours = np.asarray(ours, dtype=np.float64)
    assert ours.shape == theirs.shape, what
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs), err_msg=f"{what}: missing")
    there = ~np.isnan(theirs)
    mine, rs = ours[there].view(np.int64), theirs[there].view(np.int64)
    at = np.flatnonzero(mine != rs)
    assert not len(at), (
        f"{what}: {len(at)} differ, the first at {np.argwhere(there)[at[0]].tolist()}: "
        f"{ours[there][at[0]].hex()} here, {theirs[there][at[0]].hex()} in R"
    )


def node_lines(fit: Any) -> list[list[Any]]:
    """The forest as the golden files write it, made from the public tables."""
    place = {str(label): code for code, label in enumerate(fit.classes)}
    nodes, centroids = fit.trees, fit.centroids
    count = len(nodes)
    # Centroids are sorted by tree and node: each node's part is one slice.
    start_of_tree = np.flatnonzero(nodes["node"].to_numpy() == 0)
    owner = start_of_tree[centroids["tree"].to_numpy()] + centroids["node"].to_numpy()
    assert (np.diff(owner) >= 0).all()
    edges = np.searchsorted(owner, np.arange(count + 1))
    codes = np.array([place[str(label)] for label in centroids["class"]], dtype=np.int64)
    rank = centroids["rank"].to_numpy()
    column = centroids["column"].to_numpy()
    branch = centroids["branch"].to_numpy()
    value = centroids["centroid"].to_numpy()
    plain = nodes[["tree", "node", "parent", "branch", "depth", "rows"]].to_numpy().tolist()
    lines = []
    for i, leaf in enumerate(nodes["leaf"]):
        part = slice(edges[i], edges[i + 1])
        first = rank[part] == 0
        n_classes = int(first.sum())
        n_features = len(first) // n_classes if n_classes else 0
        assert branch[part].tolist() == np.repeat(range(n_classes), n_features).tolist()
        assert rank[part].tolist() == list(range(n_features)) * n_classes
        assert column[part].tolist() == column[part][:n_features].tolist() * n_classes
        lines.append(
            [
                *plain[i],
                -1 if leaf is None else place[str(leaf)],
                codes[part][first].tolist(),
                column[part][:n_features].tolist(),
                digits(value[part]),
            ]
        )
    return lines


def as_text(line: list[Any]) -> str:
    return json.dumps(line, separators=(",", ":"))


def assert_answer_of_r(fit: Any, golden: dict[str, Any]) -> None:
    """Everything that R answered, the forest first: it explains the rest."""
    assert [str(label) for label in fit.classes] == golden["classes"]
    lines = node_lines(fit)
    for ours, theirs in zip(lines, golden["nodes"], strict=False):
        assert ours == theirs, f"tree {theirs[0]}, node {theirs[1]}"
    if "tree_md5" in golden:
        by_tree: dict[int, list[str]] = {}
        for line in lines:
            by_tree.setdefault(line[0], []).append(as_text(line))
        ours = [md5("\n".join(by_tree[tree])) for tree in sorted(by_tree)]
        assert len(ours) == len(golden["tree_md5"])
        wrong = [t for t, (a, b) in enumerate(zip(ours, golden["tree_md5"], strict=True)) if a != b]
        assert not wrong, f"{len(wrong)} of {len(ours)} trees differ, the first is tree {wrong[0]}"
        assert (
            md5("[" + ",".join(as_text(row) for row in fit.votes.tolist()) + "]")
            == (golden["votes_md5"])
        )
    else:
        assert len(lines) == len(golden["nodes"])
        assert fit.votes.tolist() == golden["votes"]
    assert [str(label) for label in fit.predictions] == golden["predictions"]
    probabilities = np.array([doubles(row) for row in golden["probabilities"]])
    assert_same_doubles(fit.probabilities.to_numpy(), probabilities, "probabilities")
    assert [str(label) for label in fit.probabilities.columns] == golden["classes"]
    importance = doubles(golden["feature_importance"])
    assert_same_doubles(fit.feature_importance.to_numpy(), importance, "feature importance")


def call_of(golden: dict[str, Any], **seed: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # some cases are of dropped columns and such
        return CDF(
            matrix(golden["xtrain"], golden["xtrain_names"]),
            golden["ytrain"],
            matrix(golden["xtest"], golden["xtest_names"]),
            **golden["call"],
            collation=golden["collation"],
            **seed,
        )


def test_the_reference_is_the_one_that_counts():
    versions = read("versions")
    assert versions["CDF"] == "0.1.0"
    assert int(versions["matrixStats"].split(".")[0]) >= 1
    assert versions["long_double_bits"] == 64
    assert versions["collation"].endswith(" root")


WITH_STREAM = ["sampled_by_rounding", "stream_goes_on"]


@pytest.mark.parametrize("name", [name for name in FORESTS if name not in WITH_STREAM])
def test_forest(name):
    golden = read(f"forest_{name}")
    fit = call_of(golden)
    assert_answer_of_r(fit, golden)
    kept = golden["kept"]
    names = golden["xtrain_names"]
    if names is not None:
        assert list(fit.feature_importance.index) == [names[j] for j in kept]
    else:
        assert len(fit.feature_importance) == len(kept)


@pytest.mark.parametrize("name", WITH_STREAM)
def test_a_stream_goes_on_through_a_call(name):
    golden = read(f"forest_{name}")
    before = golden["stream"]
    stream = RStream(before["seed"], sample_kind=before["sample_kind"])
    assert (stream.sample(*before["sample"]) + 1).tolist() == before["values"]
    fit = call_of(golden, seed=stream)
    assert_answer_of_r(fit, golden)
    after = doubles(before["uniforms_after"])
    assert_same_doubles(stream.uniform(len(after)), after, "uniforms after the call")


@pytest.mark.parametrize(
    ("name", "other"), [("integer_ties", "integer_ties_as_double"), ("binary", "binary_c_order")]
)
def test_twins_show_a_difference(name, other):
    """Two cases that differ in one respect only are worth something if R's forests differ."""
    assert read(f"forest_{name}")["nodes"] != read(f"forest_{other}")["nodes"]


@pytest.mark.parametrize("run", ["defaults", "deep", "integer_matrix"])
def test_darwin(run):
    golden = read("darwin")
    answer = golden["runs"][run]
    X, y = load_darwin()
    assert list(X.shape) == golden["shape"]
    train = np.array(golden["train"])
    test = np.setdiff1d(np.arange(len(X)), train)
    assert (RStream(2025).sample(len(X), len(train)) == train).all()
    X = X.iloc[:, answer["columns"]]
    if answer["matrix"] == "integer":
        values = X.to_numpy().astype(np.int64)
        assert (values == X.to_numpy()).all()
        fit = CDF(values[train], y.iloc[train], values[test], **answer["call"])
    else:
        fit = CDF(X.iloc[train], y.iloc[train], X.iloc[test], **answer["call"])
        assert list(fit.feature_importance.index) == [X.columns[j] for j in answer["kept"]]
        assert list(fit.probabilities.index) == test.tolist()
    assert_answer_of_r(fit, answer)
    accuracy = (fit.predictions == y.iloc[test].to_numpy()).mean()
    assert accuracy == doubles(answer["accuracy"])[0]


@pytest.mark.parametrize("entry", read("scores")["scores"], ids=lambda entry: entry["case"])
def test_class_separability_scores(entry):
    data = read(f"forest_{entry['case']}")
    labels = list(dict.fromkeys(data["ytrain"]))
    codes = np.array([labels.index(label) for label in data["ytrain"]])
    x = matrix(data["xtrain"], None)
    ours = scores(x, codes, integer=data["xtrain"]["kind"] == "integer")
    assert_same_doubles(ours, doubles(entry["scores"]), "scores")


@pytest.mark.parametrize("entry", read("stream")["uniforms"], ids=lambda entry: str(entry["seed"]))
def test_uniforms(entry):
    stream = RStream(entry["seed"])
    ours = stream.uniform(entry["n"])
    assert_same_doubles(ours[:4], doubles(entry["first"]), "first uniforms")
    assert md5(digits(ours)) == entry["md5"]
    assert_same_doubles(stream.uniform(3), doubles(entry["next"]), "uniforms that follow")


@pytest.mark.parametrize(
    "entry",
    read("stream")["samples"],
    ids=lambda e: f"seed={e['seed']},n={e['n']},size={e['size']},replace={e['replace']}",
)
def test_samples(entry):
    stream = RStream(entry["seed"], sample_kind=entry.get("sample_kind", "Rejection"))
    prob = doubles(entry["prob"]) if "prob" in entry else None
    ours = stream.sample(entry["n"], entry["size"], entry["replace"], prob)
    assert (ours + 1).tolist() == entry["values"]  # R counts from 1
    assert_same_doubles(stream.uniform(1), doubles(entry["next"]), "the uniform that follows")


@pytest.mark.parametrize("entry", read("stream")["normals"], ids=lambda entry: str(entry["seed"]))
def test_normal_numbers(entry):
    stream = RStream(entry["seed"])
    ours = stream.rnorm(entry["n"], entry["mean"], entry["sd"])
    assert_same_doubles(ours[:4], doubles(entry["first"]), "first normal numbers")
    assert md5(digits(ours)) == entry["md5"]
    assert_same_doubles(stream.rnorm(3), doubles(entry["next"]), "normal numbers that follow")
