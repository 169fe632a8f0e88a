"""Standardise columns by the training rows, as R's ``scale()`` does.

Each column gets mean 0 and standard deviation 1 among the training rows; other rows are scaled with
the same numbers. Missing values stay missing and do not count. Labels play no part.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pycdf.kernels.arrays import read_only
from pycdf.kernels.column_scaling import measure_scaling
from pycdf.support.parallel import in_bands

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scaling:
    """What is subtracted from each feature, and by what it is then divided."""

    means: Floats
    spreads: Floats
    """The standard deviations, none of them 0."""

    def take(self, chosen: slice | npt.NDArray[Any]) -> "Scaling":
        """The scaling of some features."""
        return Scaling(self.means[chosen], self.spreads[chosen])

    def scale_columns(self, columns: Floats) -> None:
        """Scale features x rows in place."""
        with np.errstate(over="ignore", invalid="ignore"):  # of extreme values, as in R
            columns -= self.means[:, np.newaxis]
            columns /= self.spreads[:, np.newaxis]

    def scale_rows(self, rows: Floats) -> None:
        """Scale rows x features in place."""
        self.scale_columns(rows.T)

    def in_own_units(self, values: Floats) -> Floats:
        """Scaled values (features x anything) in the units of their columns."""
        return values * self.spreads[:, np.newaxis] + self.means[:, np.newaxis]

    def same_as(self, other: "Scaling") -> bool:
        """Whether both scale alike, to the last bit."""
        return np.array_equal(self.means, other.means) and np.array_equal(
            self.spreads, other.spreads
        )


def measured_scaling(columns: Floats, n_jobs: int | None = 1) -> Scaling:
    """The scaling that standardises these columns (features x rows)."""
    scaling = Scaling(np.empty(len(columns)), np.empty(len(columns)))
    given = read_only(columns)

    def measure(band: slice) -> None:
        scratch = np.empty(columns.shape[1])
        measure_scaling(given[band], scratch, scaling.means[band], scaling.spreads[band])

    in_bands(measure, columns.shape, n_jobs)
    return scaling


def standardise(columns: Floats, n_jobs: int | None = 1) -> Scaling:
    """Standardise columns (features x rows) in place."""
    scaling = measured_scaling(columns, n_jobs)
    in_bands(lambda band: scaling.take(band).scale_columns(columns[band]), columns.shape, n_jobs)
    return scaling
