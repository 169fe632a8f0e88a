"""Rank tests against plain counting, their tails against 400 digits, and their bits everywhere."""

import ast
import itertools
import runpy
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from programs import python_ok
from scipy import stats

from pycdf.explain import rank_tests as ranktests
from pycdf.explain.rank_tests import rank_test
from pycdf.kernels import double_double as doubled
from pycdf.kernels import exact_ranks, tails
from pycdf.kernels.tails import chi_square_tail, normal_tails

ULP = 2.0**-52
SUMMED = 4 * ULP  # shares are rounded, and their sums
NORMAL = 6 * ULP  # as good as R's approximation
NEAREST = 1 * ULP  # from pairs of doubles, rounded once
RECORDED = Path(__file__).parents[1] / "data" / "make_rank_p_values.py"
SCIPY = 1e-12  # its tails are good to about a thousand units in the last place


def one(values, groups):
    """The test of one column, as plain numbers."""
    found = rank_test(np.array(values, dtype=float)[:, np.newaxis], np.array(groups))
    return found.statistic[0], found.p_value[0], bool(found.exact[0])


def counted(values, groups):
    """W and its exact p-value, from all the ways to choose the first group."""
    ranks = stats.rankdata(values)
    m = groups.count(0)
    least = m * (m + 1) / 2
    w = sum(r for r, g in zip(ranks, groups, strict=True) if g == 0) - least
    every = [sum(chosen) - least for chosen in itertools.combinations(ranks, m)]
    below = Fraction(sum(v <= w for v in every), len(every))
    above = Fraction(sum(v >= w for v in every), len(every))
    return w, float(min(2 * min(below, above), Fraction(1)))


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 5), (2, 2), (3, 2), (4, 6), (7, 5)])
@pytest.mark.parametrize("tied", [False, True])
def test_the_exact_test_counts_all_orders(m, n, tied):
    rng = np.random.default_rng(m * 10 + n)
    for _ in range(40):
        values = rng.permutation(m + n) * 1.5 - 3
        if tied:
            values = rng.integers(0, rng.integers(1, m + n) + 1, m + n) / 8
        groups = [0] * m + [1] * n
        w, p = counted(values, groups)
        assert one(values, groups)[0] == w
        assert one(values, groups)[1] == pytest.approx(p, rel=SUMMED)
        assert one(values, groups)[2]


def test_many_columns_are_as_many_tests():
    rng = np.random.default_rng(2)
    groups = rng.permutation([0] * 12 + [1] * 9)
    values = rng.normal(size=(21, 40))
    values[:, 10:20] = values[:, 10:20].round()
    values[rng.random(values.shape) < 0.1] = np.nan
    together = rank_test(values, groups)
    for j in range(40):
        alone = one(values[:, j], groups)
        assert alone == (together.statistic[j], together.p_value[j], together.exact[j])


@pytest.mark.parametrize("sizes", [(12, 9), (49, 49), (50, 3), (3, 50), (60, 70)])
@pytest.mark.parametrize("tied", [False, True])
def test_two_groups_as_scipy_tests_them(sizes, tied):
    rng = np.random.default_rng(sizes)
    x, y = (rng.normal(size=size) for size in sizes)
    if tied:
        x, y = x.round(1), y.round(1)
    statistic, p, exact = one([*x, *y], np.repeat([0, 1], sizes))
    assert exact is (max(sizes) < 50)
    if exact and tied:  # which scipy has not
        expected = exact_p([*x, *y], [0] * sizes[0] + [1] * sizes[1])
        assert p == pytest.approx(expected, rel=SUMMED)
        return
    method = "exact" if exact else "asymptotic"
    theirs = stats.mannwhitneyu(x, y, method=method, use_continuity=True)
    assert statistic == theirs.statistic
    assert p == pytest.approx(theirs.pvalue, rel=SCIPY)


def exact_p(values, groups):
    """Twice the smaller tail of W, from whole numbers: how many draws have which rank sum.

    ``ways[i]`` holds a count for each sum of ``i`` ranks, 16 bytes each, in one large number.
    """
    twice = [round(2 * rank) for rank in stats.rankdata(values)]
    m = groups.count(0)
    ways = [1] + [0] * m
    for rank in twice:
        for i in range(m, 0, -1):
            ways[i] += ways[i - 1] << (128 * rank)
    packed = ways[m].to_bytes(16 * (sum(twice) + 1), "little")
    counts = [int.from_bytes(packed[i : i + 16], "little") for i in range(0, len(packed), 16)]
    observed = sum(rank for rank, group in zip(twice, groups, strict=True) if group == 0)
    smaller = min(sum(counts[: observed + 1]), sum(counts[observed:]))
    return float(min(Fraction(2 * smaller, sum(counts)), Fraction(1)))


@pytest.mark.parametrize("k", range(3, 9))
@pytest.mark.parametrize("decimals", [0, 1, 15])
def test_more_groups_as_scipy_tests_them(k, decimals):
    rng = np.random.default_rng(k)
    groups = rng.permutation(np.repeat(np.arange(k), rng.integers(1, 20, k)))
    values = (rng.normal(size=len(groups)) + 0.3 * groups).round(decimals)
    theirs = stats.kruskal(*(values[groups == group] for group in range(k)))
    statistic, p, exact = one(values, groups)
    assert not exact
    assert statistic == pytest.approx(theirs.statistic, rel=SCIPY)
    assert p == pytest.approx(theirs.pvalue, rel=SCIPY)


def test_missing_values_are_left_out():
    groups = np.array([0, 0, 0, 1, 1, 1, 0])
    values = [3.0, np.nan, 1.0, 5.0, 4.0, np.nan, np.nan]
    assert one(values, groups) == one([3.0, 1.0, 5.0, 4.0], [0, 0, 1, 1])
    groups = np.array([0, 1, 2, 3, 0, 1, 2, 3])
    values = [1.0, 2.0, np.nan, 4.0, 5.0, 6.0, np.nan, 9.0]
    alone = one([1.0, 2.0, 4.0, 5.0, 6.0, 9.0], [0, 1, 2, 0, 1, 2])
    assert one(values, groups) == alone  # a group without values is none


def test_where_there_is_no_test():
    for values, groups in [
        ([np.nan, 1.0, 2.0], [0, 1, 1]),  # one group has no values
        ([1.0, np.nan, np.nan], [0, 1, 2]),
        ([np.nan, np.nan, np.nan], [0, 1, 2]),
    ]:
        statistic, p, exact = one(values, groups)
        assert np.isnan([statistic, p]).all()
        assert not exact


def test_values_that_are_all_alike():
    """As in R 4.6: the exact test says 1, the others have no spread to judge by."""
    assert one([7.0] * 5, [0, 0, 1, 1, 1]) == (3, 1, True)
    for groups in ([0] * 50 + [1], [0, 1, 2]):
        _, p, exact = one([7.0] * len(groups), groups)
        assert np.isnan(p)
        assert not exact


@pytest.mark.parametrize("size", [30, 70])
@pytest.mark.parametrize("tied", [False, True])
def test_swapped_groups_have_the_same_p_value(size, tied):
    """In R 4.6 upper tails are what the lower ones leave of 1: small ones are 0 there."""
    groups = np.repeat([0, 1], size)
    values = np.arange(2.0 * size)
    if tied:
        values[:2] = 0.0
    w, p, _ = one(values, groups)
    other_w, other_p, _ = one(values, 1 - groups)
    assert (w, other_w) == (0, size * size)
    assert 0 < p < 1e-15
    assert other_p == p


def test_infinite_and_extreme_values_have_ranks_like_others():
    groups = [0, 1, 0, 1, 0, 1]
    plain = one([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], groups)
    assert one([-np.inf, -1e308, -5e-324, 0.0, 1e308, np.inf], groups) == plain
    assert one([0.0, 1.0, -0.0, 2.0, 3.0, 4.0], groups) == one(
        [0.0, 1.0, 0.0, 2.0, 3.0, 4.0], groups
    )


def test_numbers_that_r_writes_alike_are_tied_in_the_correction_only():
    """R's kruskal.test counts ties in table(x), which goes by 15 digits, but ranks the numbers."""
    close = [1.0, 1.0 + 2.0**-52, 2.0, 3.0, 4.0, 5.0]
    apart = [1.0, 1.1, 2.0, 3.0, 4.0, 5.0]
    groups = [0, 1, 2, 0, 1, 2]
    n = 6
    correction = 1 - (2**3 - 2) / (n**3 - n)
    assert one(close, groups)[0] == pytest.approx(one(apart, groups)[0] / correction, rel=1e-14)


def test_groups_by_the_thousand():
    groups = np.repeat([0, 1], 1500)
    w, p, exact = one(np.arange(3000.0), groups)
    assert (w, exact) == (0, False)
    assert 0 <= p < 1e-300


# ---- tails ---------------------------------------------------------------------------------------


def gamma_tail(double_shape: int, half: Fraction) -> float:
    """The upper tail of the gamma distribution of shape ``double_shape / 2``, in 400 digits."""
    with localcontext() as context:
        context.prec = 400
        h = Decimal(half.numerator) / Decimal(half.denominator)
        shape = Decimal(double_shape) / 2
        pi = Decimal(3) + _arctan_rest()
        gamma = pi.sqrt() if double_shape % 2 else Decimal(1)  # of 1/2, or of 1
        step = Decimal(double_shape % 2) / 2 or Decimal(1)
        while step < shape + 1:  # up to shape + 1
            gamma *= step
            step += 1
        term = h**shape * (-h).exp() / gamma
        lower, i = Decimal(0), 1
        while term > Decimal(10) ** -390:
            lower += term
            term *= h / (shape + i)
            i += 1
        return float(1 - lower)


def _arctan_rest() -> Decimal:
    """Pi less 3, by Machin's formula."""

    def arctan(n: int) -> Decimal:
        total, power, i = Decimal(0), Decimal(1) / n, 1
        while abs(power) > Decimal(10) ** -398:
            total += power / i
            power /= -(n * n)
            i += 2
        return total

    return 16 * arctan(5) - 4 * arctan(239) - 3


@pytest.mark.parametrize("df", range(1, 9))
def test_chi_square_tails(df):
    x = np.array([1e-12, 0.003, 0.5, 1.0, 3.3, 7.7, 20.0, 55.5, 131.0, 400.0])
    expected = [gamma_tail(df, Fraction(float(one)) / 2) for one in x]
    np.testing.assert_allclose(chi_square_tail(x, np.full(len(x), df)), expected, rtol=NEAREST)


def test_chi_square_tails_of_many_groups():
    """Each row a class of its own: sums and exponentials that no double could hold alone."""
    x = np.array([1800.0, 2000.0, 2200.0, 3000.0])
    expected = [gamma_tail(1999, Fraction(float(one)) / 2) for one in x]
    np.testing.assert_allclose(chi_square_tail(x, np.full(4, 1999)), expected, rtol=NEAREST)


def test_normal_tails():
    z = np.array([0.0, 1e-9, 0.1, 0.67, 1.0, 1.96, 3.3, 5.7, 8.1, 12.9, 20.3, 27.7])
    expected = [gamma_tail(1, Fraction(float(one)) ** 2 / 2) for one in z[1:]]
    np.testing.assert_allclose(normal_tails(z), [1.0, *expected], rtol=NORMAL)
    np.testing.assert_array_equal(normal_tails(-z), normal_tails(z))
    boundary = normal_tails(np.array([0.67448975]))  # of R's formulas for pnorm()
    assert boundary.tolist() == [float.fromhex("0x1.00000001120b2p-1")]


def test_ends_of_the_tails():
    x = np.array([0.0, -1e-15, np.inf, -np.inf, np.nan, 5000.0])
    expected = [1.0, 1.0, 0.0, 1.0, np.nan, 0.0]
    for df in (1, 2, 3):
        np.testing.assert_array_equal(chi_square_tail(x, np.full(6, df)), expected)
    np.testing.assert_array_equal(normal_tails(np.array([np.nan, 60.0])), [np.nan, 0.0])


# ---- the same bits on every processor ------------------------------------------------------------


def recorded():
    made = runpy.run_path(str(RECORDED))
    return made["lines"], made["FILE"].read_text(encoding="ascii").splitlines()


def test_recorded_bits():
    lines, expected = recorded()
    assert list(lines()) == expected


@pytest.mark.endurance
def test_recorded_bits_without_a_compiler():
    """Plain Python takes the same steps: the compiler neither reorders them nor leaves any out."""
    script = (
        "import runpy, sys\n"
        "made = runpy.run_path(sys.argv[1])\n"
        "assert list(made['lines']()) == made['FILE'].read_text(encoding='ascii').splitlines()\n"
    )
    python_ok("-c", script, str(RECORDED), variables={"NUMBA_DISABLE_JIT": "1"})


# What IEEE 754 defines to the last bit, and what does not compute
ROUNDED_IN_ONE_WAY = {
    "np": {
        "abs", "add", "arange", "argsort", "array", "ascontiguousarray", "bool_", "broadcast_to",
        "cumsum", "empty", "errstate", "flatnonzero", "float64", "floating", "floor", "full", "inf",
        "int64", "integer", "isnan", "maximum", "minimum", "nan", "ndarray", "newaxis", "nonzero",
        "ones", "ones_like", "sign", "spacing", "sqrt", "where", "zeros",
    },
    "math": {"comb", "factorial", "floor", "inf", "nextafter", "sqrt"},
    "npt": {"NDArray"},
}  # fmt: skip


@pytest.mark.parametrize("module", [doubled, exact_ranks, ranktests, tails])
def test_no_function_that_depends_on_the_processor(module):
    """No exp, log, erfc or power of numpy's or the C library's: their last bits vary."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            allowed = ROUNDED_IN_ONE_WAY.get(node.value.id)
            assert allowed is None or node.attr in allowed, f"{node.value.id}.{node.attr}"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            assert isinstance(node.left, ast.Constant), f"a power in line {node.lineno}"


def test_sums_are_rounded_twice_as_in_r():
    """To 64 bits in each step, then to 53: a tie where the exact sum is just above one."""
    terms = np.array([[1.0, 1.0], [2.0**-53 * (1 + 2.0**-17), 2.0**-53 * (1 + 2.0**-9)]])
    assert ranktests._long_sums(terms).tolist() == [1.0, 1.0 + ULP]
