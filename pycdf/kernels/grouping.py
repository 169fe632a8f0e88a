"""Sort the rows of a node into groups: by class, or by branch."""

from collections import namedtuple

import numpy as np

from pycdf.kernels.compile import inlined, inner

ClassRows = namedtuple("ClassRows", "rows starts codes group_of index_of")
"""The rows of a node, class by class.

Class number c of the node has the code `codes[c]` and the rows `rows[starts[c] : starts[c + 1]]`.
The rest is scratch: `group_of` each row, and `index_of` each class code within the node. All are
int32 but the starts, int64.
"""


def new_class_rows(n: int, n_classes: int) -> ClassRows:
    """Arrays for nodes of up to `n` rows."""
    return ClassRows(
        rows=np.empty(n, np.int32),
        starts=np.empty(n_classes + 2, np.int64),
        codes=np.empty(n_classes, np.int32),
        group_of=np.empty(n, np.int32),
        index_of=np.empty(n_classes, np.int32),
    )


@inner
def sort_rows(rows, group_of, n_groups, starts, out):
    """Sort rows by their groups, those of a group in their order.

    Afterwards group g has `out[starts[g] : starts[g + 1]]`. `rows`, `group_of` and `out` are int32
    of one length; `starts` is int64 and has two more elements than there are groups.
    """
    for g in range(n_groups + 2):
        starts[g] = 0
    for i in range(rows.size):
        starts[group_of[i] + 2] += 1
    for g in range(1, n_groups):
        starts[g + 1] += starts[g]
    # starts[g + 1] is where group g begins; it advances to where g ends and the next one begins
    for i in range(rows.size):
        end = group_of[i] + 1
        out[starts[end]] = rows[i]
        starts[end] += 1


@inner
def group_by_class(rows, codes, classes):
    """Fill `classes` with the rows of a node; return how many classes it has.

    Classes come in the order of their first rows. `rows` are those of the node, int32; `codes` are
    the class codes of all training rows, int32.
    """
    group_of, index_of = classes.group_of, classes.index_of
    for code in range(index_of.size):
        index_of[code] = -1
    found = np.int64(0)  # for a literal 0 numba would compile sort_rows once more
    for i in range(rows.size):
        code = codes[rows[i]]
        if index_of[code] < 0:
            index_of[code] = found
            classes.codes[found] = code
            found += 1
        group_of[i] = index_of[code]
    sort_rows(rows, group_of, found, classes.starts, classes.rows)
    return found


@inlined
def leaf_class(classes, n_found, tie_rank):
    """The most frequent class of a node.

    R breaks ties in favour of the label that sorts first and, among labels that sort alike, of the
    one that appears first in the node, which is the order of the classes here.
    """
    best = 0
    most = 0
    for c in range(n_found):
        code = classes.codes[c]
        count = classes.starts[c + 1] - classes.starts[c]
        if tie_rank[code] >= 0 and (
            count > most or (count == most and tie_rank[code] < tie_rank[best])
        ):
            best = code
            most = count
    return best
