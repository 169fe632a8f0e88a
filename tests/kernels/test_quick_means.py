"""Means from plain sums: taken only if no rounding in 80 bits could change them."""

from fractions import Fraction

import numpy as np
import pytest
from numba import njit

from pycdf.kernels import scores


@njit
def quick_mean(total, lost, largest, count):
    return scores._mean_from_sum(total, lost, largest, count)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("count", [1, 3, 10, 1000])
def test_a_mean_near_the_middle_of_two_doubles_is_left_to_80_bits(sign, side, count):
    middle = sign * (Fraction(1.1) + Fraction(1, 2**53))
    for exponent, is_sure in ((-70, False), (-66, False), (-56, True)):
        mean = middle + side * Fraction(2) ** exponent
        total = float(mean * count)
        lost = float(mean * count - Fraction(total))
        found = quick_mean(total, lost, 1.2, count)
        assert found == float(mean) if is_sure else np.isnan(found)
