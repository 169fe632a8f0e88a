"""The arrays of growing trees: nodes that wait on a stack are written to a batch, one by one.

These steps of :mod:`pycdf.kernels.grow` are the same for all rules.
"""

from collections import namedtuple

from pycdf.kernels.compile import inlined
from pycdf.kernels.strata import draw_sample

TreeBatch = namedtuple("TreeBatch", "tree_start nodes counts starts links features centroids inbag")
"""Trees, one after the other, as `grow_trees` fills them in.

Nodes are numbered through all trees of the batch; parents and children are numbers within a tree.

`tree_start`: int64, trees + 1: where each tree's nodes begin.
`nodes`: int32, nodes x (PARENT, BRANCH, DEPTH, ROWS, LEAF). A root has parent and branch -1, and a
node that is split has leaf class -1.
`counts`: int32, nodes x classes: how many rows of each class a node has.
`starts`: int64, (nodes + 1) x (LINKS, FEATURES, CENTROIDS): where its part of these arrays begins.
`links`: int32, for each centroid of each node: its CLASS and the CHILD where rows went, or -1.
`features`: int32: the selected features, best first.
`centroids`: float64: centroid after centroid, each over the selected features.
`inbag`: uint8, trees x rows, or trees x 0: how often each tree drew each row.
"""
PARENT, BRANCH, DEPTH, ROWS, LEAF = range(5)
LINKS, FEATURES, CENTROIDS = range(3)
CLASS, CHILD = range(2)

FIRST, END = 3, 4  # columns of the stack, behind PARENT, BRANCH and DEPTH: the node's rows


@inlined
def pause_at(paused, tree, node, root, waiting):
    """Write from where to continue."""
    paused[0] = tree
    paused[1] = node
    paused[2] = root
    paused[3] = waiting


@inlined
def copy_words(source, target):
    """Copy the state of a stream."""
    for i in range(source.size):
        target[i] = source[i]


@inlined
def draw_rows(bootstrap, strata, state, rows, rounding):
    """Draw the bootstrap sample of a tree, or take all rows."""
    if bootstrap:
        draw_sample(state, strata, rows, rounding)
    else:
        for i in range(rows.size):
            rows[i] = i


@inlined
def count_draws(rows, inbag, tree):
    """Count how often a tree drew each row, if that is recorded."""
    if inbag.shape[1] > 0:
        for i in range(rows.size):
            inbag[tree, i] = 0
        for i in range(rows.size):
            inbag[tree, rows[i]] += 1  # more than 255: 1 in 10^21 at the largest weight


@inlined
def has_space(batch, node, n_classes, k):
    """Whether a batch has space for one more node, whatever it becomes."""
    starts = batch.starts
    return (
        node < batch.nodes.shape[0]
        and starts[node, LINKS] + n_classes <= batch.links.shape[0]
        and starts[node, FEATURES] + k <= batch.features.size
        and starts[node, CENTROIDS] + k * n_classes <= batch.centroids.size
    )


@inlined
def push_node(stack, position, parent, branch, depth, first, end):
    """Put a node that is to be grown on the stack."""
    stack[position, PARENT] = parent
    stack[position, BRANCH] = branch
    stack[position, DEPTH] = depth
    stack[position, FIRST] = first
    stack[position, END] = end


@inlined
def push_children(stack, waiting, parent, depth, first, n_branches, starts):
    """Put the branches that have rows on the stack, the first on top; return its new height."""
    for branch in range(n_branches - 1, -1, -1):
        if starts[branch + 1] > starts[branch]:
            push_node(
                stack, waiting, parent, branch, depth, first + starts[branch],
                first + starts[branch + 1],
            )  # fmt: skip
            waiting += 1
    return waiting


@inlined
def add_node(nodes, counts, node, stack, waiting, classes, n_found):
    """Write a node that comes from the stack, and the counts of its classes."""
    nodes[node, PARENT] = stack[waiting, PARENT]
    nodes[node, BRANCH] = stack[waiting, BRANCH]
    nodes[node, DEPTH] = stack[waiting, DEPTH]
    nodes[node, ROWS] = stack[waiting, END] - stack[waiting, FIRST]
    nodes[node, LEAF] = -1
    for code in range(counts.shape[1]):
        counts[node, code] = 0
    for c in range(n_found):
        counts[node, classes.codes[c]] = classes.starts[c + 1] - classes.starts[c]


@inlined
def link_parent(nodes, starts, links, node, root):
    """Write a node's number to the link that leads to it."""
    parent = nodes[node, PARENT]
    if parent >= 0:
        links[starts[root + parent, LINKS] + nodes[node, BRANCH], CHILD] = node - root


@inlined
def add_links(links, first, classes, n_centroids):
    """Write the classes of a node's centroids; the children that get rows are written later."""
    for c in range(n_centroids):
        links[first + c, CLASS] = classes.codes[c]
        links[first + c, CHILD] = -1
