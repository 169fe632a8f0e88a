"""A forest in plain Python, with all distances, scores and votes of the laboratory.

It is slow and written to be read: what docs/algorithm.md defines, in the order in which random
numbers are drawn. Rows are lists of floats, and NaN is a missing value. Sums are added up one by
one, as kernels do it, so that scores that are equal there are equal here.
"""

import math
from dataclasses import dataclass, field

from pycdf import RStream

FLOOR = 1e-7
TIE = 1e-5


def add(values):
    total = 0.0
    for value in values:
        total += value
    return total


def mean(values):
    return add(values) / len(values) if values else math.nan


def squares(values):
    center = mean(values)
    return add([(value - center) * (value - center) for value in values])


# ---- distances: of features that neither the row nor the centroid misses ------------------------


def standardized(row, centroid, spread):
    return add([((x - c) / s) ** 2 for x, c, s in zip(row, centroid, spread, strict=True)])


def manhattan(row, centroid, spread):
    return add([abs(x - c) for x, c in zip(row, centroid, strict=True)])


def euclidean(row, centroid, spread):
    return add([(x - c) ** 2 for x, c in zip(row, centroid, strict=True)])


def cosine(row, centroid, spread):
    lengths = math.sqrt(add([x * x for x in row])) * math.sqrt(add([c * c for c in centroid]))
    if lengths == 0:
        return 1.0
    return 1.0 - add([x * c for x, c in zip(row, centroid, strict=True)]) / lengths


# ---- scores: of the values of a feature, class by class, without missing ones -------------------


def over_pairs(groups, pair):
    """The average over all pairs of classes; pairs without a value count as 0."""
    total = 0.0
    for a in range(len(groups)):
        for b in range(a + 1, len(groups)):
            value = pair(groups[a], groups[b])
            total += 0.0 if math.isnan(value) else value
    return 2.0 * total / (len(groups) * (len(groups) - 1.0))


def css(groups):
    def pair(one, other):
        if len(one) < 2 or len(other) < 2:
            return math.nan
        spreads = [math.sqrt(squares(group) / (len(group) - 1)) for group in (one, other)]
        return abs(mean(one) - mean(other)) / (spreads[0] + spreads[1] + FLOOR)

    return over_pairs(groups, pair)


def welch(groups):
    def pair(one, other):
        if len(one) < 2 or len(other) < 2:
            return math.nan
        errors = [squares(group) / (len(group) - 1.0) / len(group) for group in (one, other)]
        return abs(mean(one) - mean(other)) / (math.sqrt(errors[0] + errors[1]) + FLOOR)

    return over_pairs(groups, pair)


def f(groups):
    groups = [group for group in groups if group]
    n = sum(map(len, groups))
    if len(groups) < 2 or n <= len(groups):
        return 0.0
    grand = mean([value for group in groups for value in group])
    between = add([len(g) * (mean(g) - grand) * (mean(g) - grand) for g in groups])
    within = add([squares(group) for group in groups])
    return between / (len(groups) - 1.0) / (within / (n - len(groups)) + FLOOR * FLOOR)


def auc(groups):
    def pair(one, other):
        if not one or not other:
            return math.nan
        wins = sum((x > y) - (x < y) for x in one for y in other)
        return abs(wins) / (len(one) * len(other))

    return over_pairs(groups, pair)


DISTANCES = {one.__name__: one for one in (euclidean, standardized, manhattan, cosine)}
SCORES = {one.__name__: one for one in (css, welch, f, auc)}

# ---- a node -------------------------------------------------------------------------------------


@dataclass
class Node:
    counts: dict
    leaf: int = -1
    features: list = field(default_factory=list)
    centroids: dict = field(default_factory=dict)  # by class, in the order of the branches
    spreads: list = field(default_factory=list)
    children: dict = field(default_factory=dict)  # by class


@dataclass
class Settings:
    depth: int
    mnode: int
    k: int
    mtry: int
    distance: str
    score: str
    redundancy: float


def present(values):
    return [value for value in values if not math.isnan(value)]


def correlation(X, y, rows, classes, one, other):
    """The correlation within the classes, without its sign; missing values are the class mean."""
    products = []
    lengths = [0.0, 0.0]
    for label in classes:
        here = [row for row in rows if y[row] == label]
        groups = [present([X[row][feature] for row in here]) for feature in (one, other)]
        centers = [mean(group) for group in groups]
        lengths = [length + squares(group) for length, group in zip(lengths, groups, strict=True)]
        for row in here:
            term = (X[row][one] - centers[0]) * (X[row][other] - centers[1])
            products.append(0.0 if math.isnan(term) else term)
    scale = math.sqrt(lengths[0]) * math.sqrt(lengths[1])
    return min(1.0, abs(add(products)) / scale) if scale > 0 else 0.0


def choose(X, y, rows, classes, candidates, settings):
    scores = []
    for feature in candidates:
        groups = [present([X[row][feature] for row in rows if y[row] == c]) for c in classes]
        scores.append(SCORES[settings.score](groups))
    left = list(range(len(candidates)))
    chosen = []
    while left and len(chosen) < settings.k:
        worth = {}
        for i in left:
            closeness = max(
                (
                    correlation(X, y, rows, classes, candidates[j], candidates[i])
                    for j in (chosen if settings.redundancy else [])
                ),
                default=0.0,
            )
            worth[i] = scores[i] - settings.redundancy * closeness * abs(scores[i])
        best = max(left, key=lambda i: (worth[i], -i))
        chosen.append(best)
        left.remove(best)
    return [candidates[i] for i in chosen]


def spread_of(groups):
    groups = [group for group in groups if group]
    values = [value for group in groups for value in group]
    spread = 0.0
    if len(values) > len(groups):
        spread = math.sqrt(add([squares(group) for group in groups]) / (len(values) - len(groups)))
    if spread == 0 and len(values) > 1:
        spread = math.sqrt(squares(values) / (len(values) - 1))
    return spread if spread > 0 else 1.0


def distances(row, node, settings):
    """The distance of a row from each centroid."""
    found = []
    for centroid in node.centroids.values():
        known = [
            (row[feature], center, spread)
            for feature, center, spread in zip(node.features, centroid, node.spreads, strict=True)
            if not math.isnan(row[feature]) and not math.isnan(center)
        ]
        parts = [list(part) for part in zip(*known, strict=True)] or [[], [], []]
        found.append(DISTANCES[settings.distance](*parts))
    return found


def nearest_or_tied(found, stream):
    """R's max.col: near ties are broken at random."""
    tolerance = TIE * max(found)
    best, value, ties = 0, found[0], 1
    for c in range(1, len(found)):
        if found[c] < value - tolerance:
            best, value, ties = c, found[c], 1
        elif found[c] <= value + tolerance:
            ties += 1
            if ties * stream.uniform(1)[0] < 1:
                best = c
    return best


def grow_node(X, y, rows, depth, settings, tie_rank, stream, nodes):
    """Grow a node and all below it, depth first."""
    classes = list(dict.fromkeys(y[row] for row in rows))
    counts = {label: sum(y[row] == label for row in rows) for label in classes}
    node = Node(counts)
    nodes.append(node)
    if depth >= settings.depth or len(rows) < settings.mnode or len(classes) == 1:
        node.leaf = min(classes, key=lambda label: (-counts[label], tie_rank[label]))
        return node
    p = len(X[0])
    candidates = list(range(p))
    if settings.mtry < p:
        candidates = stream.sample_int(p, settings.mtry).tolist()
    node.features = choose(X, y, rows, classes, candidates, settings)
    by_class = {c: [row for row in rows if y[row] == c] for c in classes}
    node.centroids = {
        c: [mean(present([X[row][feature] for row in by_class[c]])) for feature in node.features]
        for c in classes
    }
    node.spreads = [
        spread_of([present([X[row][feature] for row in by_class[c]]) for c in classes])
        for feature in node.features
    ]
    branches = [nearest_or_tied(distances(X[row], node, settings), stream) for row in rows]
    for branch, label in enumerate(classes):
        there = [row for row, taken in zip(rows, branches, strict=True) if taken == branch]
        if there:
            node.children[label] = grow_node(
                X, y, there, depth + 1, settings, tie_rank, stream, nodes
            )
    return node


def grow_slowly(X, y, tie_rank, ntrees, seed, settings):
    """The trees of a forest, each as the list of its nodes, depth first."""
    stream = RStream(seed)
    trees = []
    for _ in range(ntrees):
        nodes = []
        rows = stream.sample_int(len(X), len(X), replace=True).tolist()
        grow_node(X, y, rows, 0, settings, tie_rank, stream, nodes)
        trees.append(nodes)
    return trees


def leaf_of(row, root, settings):
    """The leaf that a new row reaches; None if there is none."""
    node = root
    while node is not None and node.leaf < 0:
        found = distances(row, node, settings)
        label = list(node.centroids)[found.index(min(found))]
        node = node.children.get(label)
    return node


def soft_vote(row, trees, settings, n_classes):
    """The sum of the shares of the leaves; a row without a leaf counts for the first class."""
    total = [0.0] * n_classes
    for nodes in trees:
        leaf = leaf_of(row, nodes[0], settings)
        if leaf is None:
            total[0] += 1.0
        else:
            for label, count in leaf.counts.items():
                total[label] += count / sum(leaf.counts.values())
    return total


def hard_vote(row, trees, settings, n_classes):
    """The number of trees that vote for each class."""
    votes = [0] * n_classes
    for nodes in trees:
        leaf = leaf_of(row, nodes[0], settings)
        votes[0 if leaf is None else leaf.leaf] += 1
    return votes
