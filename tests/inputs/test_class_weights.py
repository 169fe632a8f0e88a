"""How many rows of each class a bootstrap sample has, and which weights are allowed."""

import numpy as np
import pytest

from pycdf import CDFClassifier
from pycdf.inputs.class_weights import (
    check_class_weight,
    class_draws,
    weights_by_label,
    weights_of_classes,
)

CLASSES = np.array(["a", "b", "c"])


def draws(weights, *sizes):
    codes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return class_draws(weights, codes, CLASSES[: len(sizes)]).tolist()


def test_classes_of_less_than_one_row_get_one():
    assert draws([0.1, 0.3, 2.6], 1, 1, 1) == [1, 1, 1]
    assert draws([0.1, 0.1, 1.9], 1, 1, 2) == [1, 1, 2]


def test_a_row_can_be_drawn_128_times_per_tree():
    assert draws("balanced", 255, 1) == [128, 128]
    message = r"each row of class 'b' about 129 times per tree: at most 128 are possible"
    with pytest.raises(ValueError, match=message):
        draws("balanced", 257, 1)


@pytest.mark.parametrize("weight", [0.5, 1, 1e-300, 1e300, np.int64(2), np.float32(0.25)])
def test_weights_that_are_allowed(weight):
    check_class_weight({"a": weight})
    for wrong in (True, 0, -weight, np.inf, np.nan, "1", None):
        with pytest.raises(ValueError, match=r"^class_weight has .* a weight is a number above 0"):
            check_class_weight({"a": weight, "b": wrong})


def test_weights_by_class_and_by_label():
    assert weights_of_classes({"c": 2, "a": 0.5}, CLASSES) == [0.5, 1.0, 2.0]
    assert weights_of_classes("balanced", CLASSES) == "balanced"
    assert weights_of_classes(None, CLASSES) is None
    assert weights_by_label([0.5, 1.0, 2.0], CLASSES) == {"a": 0.5, "b": 1.0, "c": 2.0}
    assert weights_by_label("balanced", CLASSES) == "balanced"
    assert weights_by_label(None, CLASSES) is None
    every = {"a": 1, "b": 1, "c": 1, "d": 9}  # of which the rows have no d
    assert weights_of_classes(every, CLASSES) == [1.0, 1.0, 1.0]
    with pytest.raises(
        ValueError, match=r"a weight for 'd', but the labels in y are 'a', 'b', 'c'"
    ):
        weights_of_classes({"a": 1, "b": 1, "d": 9}, CLASSES)


def test_two_rows_are_enough():
    model = CDFClassifier(3, mnode=1, seed=1, bootstrap=False)
    model.fit([[0.0, 5.0], [1.0, 7.0]], ["p", "q"])
    assert model.predict([[0.0, 5.0], [1.0, 7.0]]).tolist() == ["p", "q"]
