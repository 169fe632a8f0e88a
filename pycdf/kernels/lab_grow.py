"""Split nodes by other distances and scores than R's.

Everything else is as in :mod:`pycdf.kernels.grow`: what is drawn, and in which order, the
centroids, ties, and where a tree stops.
"""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import Kernel, inner
from pycdf.kernels.grow import Training, Work, new_grower
from pycdf.kernels.lab_choice import (
    choose_best,
    keep_contenders,
    measure_spreads,
    new_choice,
    new_scorer,
)
from pycdf.kernels.lab_distances import distance_of
from pycdf.kernels.lab_partition import new_measure, new_measured
from pycdf.kernels.lab_ranks import Order
from pycdf.kernels.lab_scores import score_of
from pycdf.kernels.partition import nearest_or_tied, send_rows
from pycdf.kernels.random import draw_without_replacement
from pycdf.kernels.scores import score_features
from pycdf.kernels.select import choose_features

R = 0  # the number of R's distance, and of R's score

Lab = namedtuple("Lab", "distance score redundancy")
"""The numbers of a distance and of a score, int64, and how much a feature loses by its correlation
with one that is chosen already, float64 from 0 to 1."""

LabWork = namedtuple("LabWork", "lab choice measured spreads")
"""The Lab, scratch arrays of the kernels that choose features and measure distances, and what is
found beside the trees: the `spreads`, float64, one for each element of `TreeBatch.features`."""


def new_lab_work(lab: Lab, training: Training, work: Work, order: Order) -> LabWork:
    """Scratch arrays for a batch of any size, which brings its `spreads`; some are `work`'s."""
    n, n_classes, lanes = len(training.codes), training.n_classes, work.selection.scored.lanes
    return LabWork(
        lab=lab,
        choice=new_choice(n, n_classes, training.mtry, training.k, lanes, order),
        measured=new_measured(training.k, n_classes),
        spreads=np.empty(0),
    )


def new_lab_grower(distance: Kernel, score: Kernel, own: bool) -> Kernel:
    """The kernel that grows trees by a distance and a score, which take a number first.

    If one of them is not pycdf's `own`, the kernel is compiled in each process.
    """
    measure = new_measure(distance)
    score_candidates = new_scorer(score)

    @inner
    def split_by_rules(training, work, here, split, state, rules):
        """Choose the features of a node, and send its rows, by the numbers in `rules.lab`."""
        columns, rule, lab, choice = training.columns, training.rule, rules.lab, rules.choice
        classes, selection, partition = work.classes, work.selection, work.partition
        drawn, n_classes = work.candidates.drawn, split.n_centroids
        if training.mtry < columns.shape[0]:
            draw_without_replacement(state, work.candidates, training.mtry, training.rounding)
        if lab.score == R and lab.redundancy == 0.0:
            choose_features(columns, training.screen, rule, classes, drawn, selection, split)
        else:
            scored, some = selection.scored, drawn
            if lab.score == R:
                count = keep_contenders(
                    training.screen, rule, classes, drawn, lab.redundancy, split.n_features,
                    selection, n_classes,
                )  # fmt: skip
                some = selection.contenders[:count]
                score_features(columns, some, 0, count, classes, n_classes, rule, scored)
            else:
                score_candidates(
                    lab.score, columns, classes, n_classes, drawn, scored.scores, choice
                )
            choose_best(columns, rule, classes, some, lab.redundancy, selection, split, choice)
        measure_spreads(columns, classes, split, rules.spreads, choice)
        if lab.distance == R:
            send_rows(columns, here, split, state, partition)
        else:
            for i in range(here.size):
                measure(lab.distance, columns, here[i], split, rules.spreads, rules.measured)
                nearest = nearest_or_tied(rules.measured.distances, n_classes, state)
                partition.branch_of[i] = nearest

    return new_grower(split_by_rules, "grow_lab_trees", kept=own)


grow_lab_trees = new_lab_grower(distance_of, score_of, own=True)
