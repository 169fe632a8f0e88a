"""R's ``qnorm``: quantiles of the standard normal distribution, by Wichura's algorithm AS 241.

M. J. Wichura (1988), The percentage points of the normal distribution, Applied Statistics 37,
477-484. Every step but one is an addition, multiplication, division or square root of doubles, in
R's order. The exception is the logarithm in the tails: R calls the C library for it, and so does
``math.log``. NumPy and compiled kernels have logarithms of their own, with other last bits.
"""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# Numerators and denominators of Wichura's rational functions, the highest power first.
_CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0),
)  # fmt: skip
_TAIL = (
    (7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
     1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959,
     1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
     0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
     2.05319162663775882187, 1.0),
)  # fmt: skip
_FAR_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
     0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
     5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
     7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
     0.59983220655588793769, 1.0),
)  # fmt: skip


def normal_quantiles(p: Floats) -> Floats:
    """R's ``qnorm(p)`` for probabilities from 1e-300 up to, but not including, 1."""
    q = p - 0.5
    central = np.abs(q) <= 0.425
    out = np.empty_like(p)
    middle = q[central]
    out[central] = _ratio(_CENTRE, 0.180625 - middle * middle, middle)
    tail = np.flatnonzero(~central)
    smaller = np.where(q[tail] > 0, 1.0 - p[tail], p[tail])
    r = np.sqrt(-np.array([math.log(one) for one in smaller.tolist()], dtype=np.float64))
    size = np.where(r <= 5.0, _ratio(_TAIL, r - 1.6), _ratio(_FAR_TAIL, r - 5.0))
    out[tail] = np.where(q[tail] < 0, -size, size)
    return out


def _ratio(
    coefficients: tuple[tuple[float, ...], tuple[float, ...]],
    r: Floats,
    factor: Floats | float = 1.0,
) -> Floats:
    """A quotient of two polynomials, each by Horner's rule; R multiplies before it divides."""
    above, below = (np.full_like(r, first) for first, *_ in coefficients)
    for i in range(1, len(coefficients[0])):
        above = above * r + coefficients[0][i]
        below = below * r + coefficients[1][i]
    return factor * above / below
