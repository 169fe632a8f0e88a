"""The votes of a tree for rows in which one feature is shuffled.

A shuffled feature can send a row elsewhere only in the nodes on its path that select the feature.
So the rows are sent down the tree once, as they are, and every node keeps their distances to its
centroids. A shuffle then changes one term of these distances, in the nodes that select the feature;
a row takes another way only from a node on in which another centroid becomes the nearest. Where
that way leads is known from an earlier shuffle, unless a node further down selects the feature.

Distances with one term replaced are plain doubles with a bound on their error. Rows that they do
not decide are decided by R's 80-bit distances, so that all votes are those of the shuffled rows.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import entry, inlined, inner
from pycdf.kernels.partition import DOUBT, SAFE, first_nearest, split_at
from pycdf.kernels.random_order import draw_order, new_sorting
from pycdf.kernels.route import FELL_OUT
from pycdf.kernels.visits import END, FIRST, UNKNOWN, measure_visits

_UNDECIDED = -2  # a branch

Users = namedtuple("Users", "starts nodes ranks")
"""The split nodes that select a feature, and its rank there, all int64.

Feature f has `nodes[starts[f] : starts[f + 1]]`, in ascending order, numbered from the root.
"""

Work = namedtuple("Work", "sorting moved one_row row_distances")
"""Scratch arrays for :func:`lose_votes`: those of `draw_order`; `moved`, the last shuffle that
moved a row, int64; `one_row`, int32, and its distances, float64."""


def new_work(n: int, n_classes: int) -> Work:
    """Scratch arrays for `n` rows."""
    return Work(
        sorting=new_sorting(n),
        moved=np.empty(n, np.int64),
        one_row=np.empty(1, np.int32),
        row_distances=np.empty(n_classes + 1),
    )


@entry
def lose_votes(
    tree, columns, codes, places, visits, users, state, work, lost, changes, lines, cells
):
    """Count the right votes that a tree loses when a feature is shuffled among the rows.

    For each feature, and within it for each repeat, a uniform number is drawn for every row; the
    order that sorts them is the shuffle.

    Parameters
    ----------
    tree : pycdf.forest.arrays.Forest
        Of a single tree.
    columns : float64, features x rows
        Values are replaced and put back.
    codes : int32
        The class of each row.
    places : Places
        As :func:`place_rows` leaves them.
    visits : Visits
        Gets the distances.
    users : Users
    state : uint32
        The random stream.
    work : Work
    lost : int64, features x repeats
        Gets the numbers of lost votes; negative if the tree gains some.
    changes : int32, two-dimensional
        The right votes that are lost for feature f and row i, over all repeats, are added to
        `changes[lines[f], cells[i]]`.
    lines, cells : int64
    """
    rows, votes, moved = places.rows, places.votes, work.moved
    order = work.sorting.order
    measure_visits(tree, columns, places, visits)
    for i in range(moved.size):
        moved[i] = -1
    for feature in range(lost.shape[0]):
        column = columns[feature]
        lowest, highest = _range(column)
        for repeat in range(lost.shape[1]):
            draw_order(state, work.sorting)
            shuffle = feature * lost.shape[1] + repeat
            total = 0
            for user in range(users.starts[feature], users.starts[feature + 1]):
                node = users.nodes[user]
                split = split_at(tree, tree.tree_start[0] + node)
                first = places.spans[node, FIRST]
                size = places.spans[node, END] - first
                branch_of = visits.branch_of[visits.starts[node, 0] :]
                distances = visits.distances[visits.starts[node, 1] :]
                rank = users.ranks[user]
                doubt = _doubt(split, rank, visits.largest[node], lowest, highest)
                for i in range(size):
                    row = rows[first + i]
                    value, other = column[row], column[order[row]]
                    if value == other:
                        continue
                    branch = _nearest_if_moved(
                        split, rank, distances, size, i, other - value, doubt
                    )
                    if branch == branch_of[i] or moved[row] == shuffle:
                        continue
                    if branch == _UNDECIDED:
                        branch = _nearest_with(split, rank, distances, size, i, value, other)
                    column[row] = other
                    if branch == _UNDECIDED:
                        branch = _nearest_of_row(columns, row, split, work)
                    if branch != branch_of[i]:
                        moved[row] = shuffle
                        vote = _vote_on_branch(
                            tree, columns, users, feature, user, visits, branch, size, i, row, work
                        )
                        change = int(votes[row] == codes[row]) - int(vote == codes[row])
                        total += change
                        changes[lines[feature], cells[row]] += change
                    column[row] = value
            lost[feature, repeat] = total


@inner
def _range(values):
    """The smallest and the largest of some values that may be NaN."""
    lowest, highest = np.inf, -np.inf
    for i in range(values.size):
        lowest = min(lowest, values[i]) if values[i] == values[i] else lowest
        highest = max(highest, values[i]) if values[i] == values[i] else highest
    return lowest, highest


@inlined
def _doubt(split, rank, largest, lowest, highest):
    """How far from each other distances must be in :func:`_nearest_if_moved`, for any row.

    `largest` is the largest distance in the node, and values of the feature are from `lowest` to
    `highest`. A distance has as many roundings as the node has features, and a few more here.
    """
    reach = 0.0
    for c in range(split.n_centroids):
        center = split.centroids[split.first_centroid + c * split.n_features + rank]
        reach = max(reach, abs(lowest - center), abs(highest - center))
    total = largest + reach * reach
    return total * ((split.n_features + 8) * DOUBT) if total < SAFE else np.inf


@inlined
def _nearest_if_moved(split, rank, distances, n_rows, i, step, doubt):
    """The nearest centroid of a row if the value of the feature at `rank` changes by `step`.

    Compared with the first centroid, another one comes nearer by twice its difference from it,
    times the step. It is _UNDECIDED if distances do not differ by more than `doubt`, or if the step
    or a centroid is missing.
    """
    centroids, place = split.centroids, split.first_centroid + rank
    twice = step + step
    if split.n_centroids == 2:
        nearer = centroids[place + split.n_features] - centroids[place]
        difference = (distances[n_rows + i] - distances[i]) - nearer * twice
        return 0 if difference > doubt else 1 if difference < -doubt else _UNDECIDED
    smallest = distances[i]
    second = np.inf
    best = 0
    for c in range(1, split.n_centroids):
        nearer = centroids[place + c * split.n_features] - centroids[place]
        distance = distances[c * n_rows + i] - nearer * twice
        if distance < smallest:
            second = smallest
            smallest = distance
            best = c
        elif distance < second:
            second = distance
        elif not distance >= second:
            return _UNDECIDED
    return best if second - smallest > doubt else _UNDECIDED


@inlined
def _nearest_with(split, rank, distances, n_rows, i, value, other):
    """The nearest centroid of a row if the `value` of the feature at `rank` becomes an `other` one.

    It is _UNDECIDED if the difference from the second nearest may be due to rounding: a distance
    and its new term have as many roundings as the node has features, and two or three more.
    """
    smallest = second = np.inf
    best = 0
    largest = 0.0
    for c in range(split.n_centroids):
        center = split.centroids[split.first_centroid + c * split.n_features + rank]
        before = (value - center) * (value - center)
        after = (other - center) * (other - center)
        size = distances[c * n_rows + i] + (after if after == after else 0.0)
        distance = size - (before if before == before else 0.0)
        largest = max(largest, size)
        if distance < smallest:
            second = smallest
            smallest = distance
            best = c
        elif distance < second:
            second = distance
    clear = second - smallest > largest * ((split.n_features + 8) * DOUBT) and largest < SAFE
    return best if clear else _UNDECIDED


@inner
def _nearest_of_row(columns, row, split, work):
    """The nearest centroid of one row; -1 if no distance is finite."""
    for c in range(split.n_centroids):
        centroid = split.first_centroid + c * split.n_features
        distance = 0.0
        for f in range(split.n_features):
            feature = split.features[split.first_feature + f]
            difference = columns[feature, row] - split.centroids[centroid + f]
            square = difference * difference
            distance += square if square == square else 0.0
        work.row_distances[c] = distance
    work.one_row[0] = row
    return first_nearest(columns, work.one_row, 0, split, work.row_distances)


@inlined
def _vote_on_branch(tree, columns, users, feature, user, visits, branch, size, i, row, work):
    """The vote for a row that takes another branch of a node because the feature is shuffled.

    Unless a node below selects the feature, too, the vote is kept for other shuffles.
    """
    node = users.nodes[user]
    child = np.int64(FELL_OUT)
    if branch >= 0:
        child = np.int64(tree.children[tree.class_start[tree.tree_start[0] + node] + branch])
    if child < 0:
        return 0
    selected = False
    for later in range(user + 1, users.starts[feature + 1]):
        if child <= users.nodes[later] < visits.ends[child]:
            selected = True
    if selected:
        return _vote_below(tree, child, columns, row, work)
    place = visits.starts[node, 1] + branch * size + i
    if visits.votes[place] == UNKNOWN:
        visits.votes[place] = _vote_below(tree, child, columns, row, work)
    return visits.votes[place]


@inner
def _vote_below(tree, node, columns, row, work):
    """The vote for a row from a node on."""
    root = tree.tree_start[0]
    while tree.leaf[root + node] < 0:
        branch = _nearest_of_row(columns, row, split_at(tree, root + node), work)
        if branch < 0:
            return 0
        child = tree.children[tree.class_start[root + node] + branch]
        if child < 0:
            return 0
        node = np.int64(child)
    return np.int64(tree.leaf[root + node])
