"""Arrays of any order and precision, read-only or memory-mapped: the same answer, few copies."""

import tracemalloc

import numpy as np
import pytest
from programs import python_ok

from pycdf import CDF, CDFClassifier, InputWarning, RStream

N, P = 200, 5_000
STREAM = RStream(1)
LABELS = np.where(np.arange(N) % 2, "one", "two")
PLAIN = STREAM.uniform(N * P).reshape(N, P) + (LABELS == "one")[:, np.newaxis] * 0.3
PLAIN = PLAIN.astype(np.float32).astype(np.float64)  # so that single precision holds it, too
# In units of the matrix. The screen is a copy in single precision, classes padded to whole blocks.
SCREEN = 0.6
SMALL = 0.1


def memory_map(folder, order):
    file = np.lib.format.open_memmap(
        folder / f"{order}.npy", "w+", PLAIN.dtype, PLAIN.shape, fortran_order=order == "F"
    )
    file[:] = PLAIN
    file.flush()
    return np.load(folder / f"{order}.npy", mmap_mode="r")


def frozen(array):
    array.flags.writeable = False
    return array


FORMS = {
    "C": lambda _: PLAIN.copy(),
    "Fortran": lambda _: np.asfortranarray(PLAIN),
    "single precision": lambda _: PLAIN.astype(np.float32),
    "read-only": lambda _: frozen(PLAIN.copy()),
    "read-only Fortran": lambda _: frozen(np.asfortranarray(PLAIN)),
    "memory map": lambda folder: memory_map(folder, "C"),
    "memory map, Fortran": lambda folder: memory_map(folder, "F"),
    "every second row": lambda _: np.repeat(PLAIN, 2, axis=0)[::2],
    "backwards": lambda _: PLAIN[::-1, ::-1].copy()[::-1, ::-1],
    "other byte order": lambda _: PLAIN.astype(PLAIN.dtype.newbyteorder()),
}


@pytest.fixture(scope="module")
def expected():
    model = CDFClassifier(ntrees=10, seed=1).fit(PLAIN, LABELS)
    return model.predict_proba(PLAIN), model.model_.forest.centroids


def measured(call):
    """A call's answer, and the most memory that it held, in units of the matrix."""
    tracemalloc.start()
    try:
        answer = call()
        return answer, tracemalloc.get_traced_memory()[1] / PLAIN.nbytes
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", FORMS)
def test_the_same_forest_from_at_most_one_copy(form, tmp_path, expected):
    rows = FORMS[form](tmp_path)
    before = rows.copy()
    model, peak = measured(lambda: CDFClassifier(ntrees=10, seed=1).fit(rows, LABELS))
    copies = 0 if form.endswith("Fortran") else 1
    assert peak < copies + SCREEN + SMALL
    np.testing.assert_array_equal(model.model_.forest.centroids, expected[1])
    probabilities, peak = measured(lambda: model.predict_proba(rows))
    assert peak < SMALL + min(1.0, 512 / N)  # one part of rows at a time
    np.testing.assert_array_equal(probabilities, expected[0])
    np.testing.assert_array_equal(rows, before)


def test_prediction_holds_only_a_part_of_many_rows(expected):
    model = CDFClassifier(ntrees=10, seed=1, n_jobs=2).fit(PLAIN, LABELS)
    many = np.concatenate([PLAIN] * 20)  # 160 MB
    probabilities, peak = measured(lambda: model.predict_proba(many))
    assert peak < 3  # of 20
    np.testing.assert_array_equal(probabilities, np.concatenate([expected[0]] * 20))


@pytest.mark.parametrize("form", ["Fortran", "read-only", "memory map, Fortran"])
def test_columns_without_variation_are_left_out_of_any_form(form, tmp_path):
    rows = FORMS[form](tmp_path)
    part = rows[:, :50]
    flat = np.asfortranarray(part) if form == "Fortran" else part.copy()
    flat[:, 10:20] = 3.0
    before = flat.copy(order="K")
    given = frozen(flat) if form != "Fortran" else flat
    model = CDFClassifier(ntrees=5, seed=1).fit(given, LABELS)
    assert model.model_.kept.tolist() == [*range(10), *range(20, 50)]
    np.testing.assert_array_equal(given, before)


@pytest.mark.parametrize("form", FORMS)
def test_rs_call_takes_any_form(form, tmp_path, expected):
    rows = FORMS[form](tmp_path)
    before = rows.copy()
    fit = CDF(rows, LABELS, rows, ntrees=10, seed=1)
    np.testing.assert_array_equal(fit.forest.centroids, expected[1])
    np.testing.assert_array_equal(rows, before)


def test_rs_call_copies_rows_once_where_it_leaves_some_out():
    rows, labels = PLAIN.copy(), LABELS.astype(object)
    rows[:, 7], labels[3] = 1.0, None
    with pytest.warns(InputWarning) as seen:
        fit, peak = measured(lambda: CDF(rows, labels, rows, ntrees=10, seed=1))
    assert len(seen) == 2  # of the row and of the column
    assert peak < 2 + SCREEN + SMALL  # training and test rows
    kept = np.delete(rows, 7, axis=1)
    again = CDF(
        np.delete(kept, 3, axis=0), np.delete(LABELS, 3), kept, ntrees=10, seed=1, mtry=1000
    )
    np.testing.assert_array_equal(fit.forest.centroids, again.forest.centroids)
    np.testing.assert_array_equal(fit.probabilities, again.probabilities)


ONE_SIGNATURE = """
import numpy as np
from pycdf import CDFClassifier
from pycdf.forest.growing import grow_trees
from pycdf.kernels.route import route_rows
from pycdf.kernels.column_sd import measure_columns
from pycdf.kernels.screen_layout import fill_lines

rows = np.random.default_rng(1).normal(size=(20, 30))
frozen = np.asfortranarray(rows)
frozen.flags.writeable = False
for given in (rows, np.asfortranarray(rows), frozen, rows.astype(np.float32)):
    CDFClassifier(ntrees=2, seed=1).fit(given, [0, 1] * 10).predict(given)
for kernel in (measure_columns, fill_lines, grow_trees, route_rows):
    print(kernel.__name__, len(kernel.signatures))
"""


@pytest.mark.endurance
def test_no_form_of_input_makes_kernels_compile_anew():
    shown = python_ok("-c", ONE_SIGNATURE)
    assert shown.split()[1::2] == ["1"] * 4, shown
