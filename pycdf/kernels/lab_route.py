"""Send rows down the trees of a forest by another distance than R's."""

from pycdf.kernels.compile import Kernel, entry
from pycdf.kernels.lab_distances import distance_of
from pycdf.kernels.lab_partition import first_of_nearest, new_measure
from pycdf.kernels.partition import sort_by_branch, split_at
from pycdf.kernels.route import END, FIRST, NODE, count_votes, push_branches, push_node


def new_router(distance: Kernel, own: bool) -> Kernel:
    """The kernel that sends rows by a distance, which takes a number first.

    If it is not pycdf's `own`, the kernel is compiled in each process.
    """
    measure = new_measure(distance)

    def route_lab_rows(forest, number, spreads, columns, work, measured, votes, nodes):
        """Add every tree's vote for every row to `votes`.

        As :func:`pycdf.kernels.route.route_rows`, with the `number` of the distance and a spread,
        float64, for each element of `forest.features`.
        """
        tree_start, leaf = forest.tree_start, forest.leaf
        class_start, children = forest.class_start, forest.children
        rows, stack, partition = work.rows, work.stack, work.partition
        n = columns.shape[1]
        for tree in range(tree_start.size - 1):
            root = tree_start[tree]
            for i in range(n):
                rows[i] = i
            push_node(stack, 0, root, 0, n)
            waiting = 1
            while waiting > 0:
                waiting -= 1
                node, first, end = stack[waiting, NODE], stack[waiting, FIRST], stack[waiting, END]
                here = rows[first:end]
                if node < 0 or leaf[node] >= 0:
                    count_votes(0 if node < 0 else leaf[node], tree, node, here, votes, nodes)
                else:
                    split = split_at(forest, node)
                    for i in range(here.size):
                        measure(number, columns, here[i], split, spreads, measured)
                        nearest = first_of_nearest(measured.distances, split.n_centroids)
                        partition.branch_of[i] = 1 + nearest
                    sort_by_branch(here, split.n_centroids + 1, partition)
                    waiting = push_branches(
                        children, class_start[node], split.n_centroids, root, stack, waiting,
                        first, partition.starts,
                    )  # fmt: skip

    route_lab_rows.__qualname__ = route_lab_rows.__name__  # in the cache
    return entry(kept=own)(route_lab_rows)


route_lab_rows = new_router(distance_of, own=True)
