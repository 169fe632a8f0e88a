"""R's random stream: the Mersenne Twister behind ``set.seed``, and what scripts draw from it.

The state of a stream is one array of 32-bit words: how many words have been used, the 624 words of
the twister, and the same 624 words tempered, ready to be drawn. The kernels read and advance it in
place, so that a forest and its caller can share one stream, as they do in R.
"""

import secrets
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.base_r.distributions import normal_numbers, uniform_numbers
from pycdf.base_r.integers import LARGEST_INTEGER
from pycdf.base_r.sampling import (
    SAMPLE_KINDS,
    SampleKind,
    as_vector,
    check_count,
    check_kind,
    draw_positions,
)
from pycdf.base_r.seeds import check_seed, seeded_state
from pycdf.support.wording import plural

Floats = npt.NDArray[np.float64]


class RStream:
    """R's random stream after ``set.seed(seed)``.

    Parameters
    ----------
    seed : int or None, default=None
        The argument of R's ``set.seed``. None starts at a random seed, as a fresh R session does.
    sample_kind : {"Rejection", "Rounding"}, default="Rejection"
        How samples are drawn: R's ``sample.kind``. "Rounding" is the way of R before 3.6.0, for
        scripts from that time. A forest grown from such a stream is the one of R in that mode.

    Attributes
    ----------
    seed : int
        The seed that the stream started from.
    sample_kind : str
        How samples are drawn.
    state : ndarray of uint32
        The state of the Mersenne Twister, advanced in place by every draw.

    Examples
    --------
    In R: ``set.seed(1); sample(10, 3)`` prints 9 4 7, and ``runif(2)`` then continues.

    >>> from pycdf import RStream
    >>> stream = RStream(1)
    >>> stream.sample(10, 3).tolist()
    [8, 3, 6]
    >>> stream.uniform(2).tolist()
    [0.9082077899947762, 0.2016819310374558]

    In R: ``set.seed(1, sample.kind = "Rounding"); sample(10, 3)`` prints 3 4 5.

    >>> RStream(1, sample_kind="Rounding").sample(10, 3).tolist()
    [2, 3, 4]
    """

    seed: int
    sample_kind: SampleKind
    state: npt.NDArray[np.uint32]

    def __init__(self, seed: int | None = None, sample_kind: SampleKind = "Rejection") -> None:
        self.set_seed(seed, sample_kind=sample_kind)

    def set_seed(
        self,
        seed: int | None,
        kind: str | None = None,
        normal_kind: str | None = None,
        sample_kind: str | None = None,
    ) -> None:
        """Start again from a seed: R's ``set.seed``.

        Parameters
        ----------
        seed : int or None
            The seed. None takes a random one.
        kind, normal_kind : str or None, default=None
            The generators. A stream has only R's defaults, "Mersenne-Twister" and "Inversion".
        sample_kind : {"Rejection", "Rounding"} or None, default=None
            How samples are drawn. None leaves it as it is.

        Examples
        --------
        >>> from pycdf import RStream
        >>> stream = RStream(1)
        >>> stream.set_seed(42, sample_kind="Rounding")
        >>> stream
        RStream(seed=42, sample_kind='Rounding')
        """
        check_kind("kind", kind, ("Mersenne-Twister",))
        check_kind("normal_kind", normal_kind, ("Inversion",))
        chosen = check_kind("sample_kind", sample_kind, SAMPLE_KINDS)
        self.seed = secrets.randbelow(LARGEST_INTEGER) if seed is None else check_seed(seed)
        self.state = seeded_state(self.seed)
        if chosen is not None:
            self.sample_kind = chosen

    @property
    def rounding(self) -> bool | None:
        """How samples are drawn, as kernels read it: True for "Rounding", otherwise None."""
        return True if self.sample_kind == "Rounding" else None

    def uniform(self, n: float, min: Any = 0.0, max: Any = 1.0) -> Floats:
        """Draw uniform numbers: R's ``runif(n, min, max)``.

        Parameters
        ----------
        n : number
            How many to draw; truncated, as in R.
        min, max : float or array-like, default=0 and 1
            The limits. Several are used in turn.

        Returns
        -------
        ndarray of shape (n,)
            Numbers above min and below max.

        Examples
        --------
        >>> from pycdf import RStream
        >>> RStream(1).uniform(2).tolist()
        [0.2655086631421, 0.37212389963679016]
        """
        return uniform_numbers(self.state, n, min, max)

    def rnorm(self, n: float, mean: Any = 0.0, sd: Any = 1.0) -> Floats:
        """Draw normal numbers: R's ``rnorm(n, mean, sd)``, by inversion.

        R takes logarithms from the C library, and so does this method. All bits are R's where
        Python and R use the same C library, as on Linux; with another one, about 2 numbers in
        100,000 may have another last bit.

        Parameters
        ----------
        n : number
            How many to draw; truncated, as in R.
        mean, sd : float or array-like, default=0 and 1
            Mean and standard deviation. Several are used in turn.

        Returns
        -------
        ndarray of shape (n,)

        Examples
        --------
        >>> from pycdf import RStream
        >>> RStream(1).rnorm(3).round(7).tolist()
        [-0.6264538, 0.1836433, -0.8356286]
        """
        return normal_numbers(self.state, n, mean, sd)

    def sample(
        self, x: Any, size: float | None = None, replace: bool = False, prob: Any = None
    ) -> Any:
        """Draw positions below a number, or elements of a vector: R's ``sample``.

        For a number, the result is R's ``sample(x, size, replace, prob) - 1``: R counts from 1 and
        Python from 0. It can be used as an index directly (``X.iloc[rows]``), and ``rows + 1`` are
        the numbers that R prints. For a vector, it has the elements that R draws. A vector of one
        number is a vector, too; R would draw from 1 to that number.

        Parameters
        ----------
        x : number or one-dimensional array-like
            How many positions to draw from, truncated as in R; or the elements to draw from.
        size : number or None, default=None
            How many to draw; truncated, so that ``0.7 * n`` works. None draws as many as there
            are, a random permutation.
        replace : bool, default=False
            Whether to draw with replacement.
        prob : array-like or None, default=None
            Probabilities of the elements, in any scale. None makes them equal.

        Returns
        -------
        ndarray of shape (size,)
            Positions or elements in the order in which they were drawn. A Series gives a Series.

        Examples
        --------
        >>> from pycdf import RStream
        >>> RStream(1).sample(10, 3).tolist()
        [8, 3, 6]
        >>> RStream(1).sample(["P", "H"], 5, replace=True, prob=[0.8, 0.2]).tolist()
        ['P', 'P', 'P', 'H', 'P']
        """
        if isinstance(x, Real) or getattr(x, "ndim", None) == 0:
            check_count(x, "x", 1)
            return self.sample_int(x, size, replace, prob)
        values = as_vector(x)
        n = len(values)
        count = n if size is None else check_count(size, "size", 0)
        at = draw_positions(
            self.state, n, count, bool(replace), prob, self.rounding,
            f"the {plural(n, 'value')} of x",
        )  # fmt: skip
        return values.iloc[at] if hasattr(values, "iloc") else values[at]

    def sample_int(
        self, n: float, size: float | None = None, replace: bool = False, prob: Any = None
    ) -> npt.NDArray[np.int64]:
        """Draw positions from 0 to ``n - 1``: R's ``sample.int(n, size, replace, prob) - 1``.

        Parameters
        ----------
        n : number
            How many positions to draw from; truncated, as in R.
        size : number or None, default=None
            How many to draw. None draws all n of them.
        replace : bool, default=False
            Whether to draw with replacement.
        prob : array-like or None, default=None
            Probabilities of the positions, in any scale. None makes them equal.

        Returns
        -------
        ndarray of shape (size,)
            Positions in the order in which they were drawn.

        Examples
        --------
        >>> from pycdf import RStream
        >>> RStream(1).sample_int(10, 3).tolist()
        [8, 3, 6]
        """
        n = check_count(n, "n", 0)
        count = n if size is None else check_count(size, "size", 0)
        return draw_positions(self.state, n, count, bool(replace), prob, self.rounding, f"n={n}")

    @classmethod
    def at(
        cls, seed: int, state: npt.NDArray[np.uint32], sample_kind: SampleKind = "Rejection"
    ) -> "RStream":
        """Make a stream with a given seed and state.

        Parameters
        ----------
        seed : int
            The seed that the stream started from.
        state : ndarray of uint32
            The state to continue from. It is copied.
        sample_kind : {"Rejection", "Rounding"}, default="Rejection"
            How samples are drawn.

        Returns
        -------
        RStream

        Examples
        --------
        >>> from pycdf import RStream
        >>> stream = RStream(1)
        >>> again = RStream.at(1, stream.state)
        >>> (again.uniform(1) == stream.uniform(1)).item()
        True
        """
        stream = cls(seed, sample_kind)
        stream.state = state.copy()
        return stream

    def copy(self) -> "RStream":
        """Copy the stream, so that both continue independently from the same state.

        Returns
        -------
        RStream

        Examples
        --------
        >>> from pycdf import RStream
        >>> stream = RStream(1)
        >>> (stream.copy().uniform(1) == stream.uniform(1)).item()
        True
        """
        return RStream.at(self.seed, self.state, self.sample_kind)

    def __repr__(self) -> str:
        kind = "" if self.sample_kind == "Rejection" else f", sample_kind={self.sample_kind!r}"
        return f"RStream(seed={self.seed}{kind})"
