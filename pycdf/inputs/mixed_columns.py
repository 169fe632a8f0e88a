"""``GowerEncoder``: columns of numbers and of categories, in one table of numbers.

Gower (1971) compares two rows column by column: numbers by their difference as a share of the
column's range, categories by whether they are equal. Encoded rows have a column for each number,
divided by its range, and a column for each category, with one half where a row has it. With
``distance="manhattan"`` the distance of two rows is then the sum of Gower's, and that of a row from
a centroid is the share of the class that has another category.
"""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from pycdf.support.wording import few, plural, shown

Floats = npt.NDArray[np.float64]
_HALF = 0.5  # two rows with different categories differ in two columns, by 1 in all


class GowerEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Encode columns of numbers and of categories for forests with ``distance="manhattan"``.

    Numbers are divided by their range in the training rows. A category becomes a column with 0.5
    in the rows that have it. Missing values stay missing: in all columns of their category.

    Parameters
    ----------
    categorical : list or None, default=None
        The columns that hold categories, by name, or by position if the table has no names. None
        takes those of text, of pandas categories and of truth values.

    Attributes
    ----------
    feature_names_in_ : ndarray of object
        The columns of the training table.
    categories_ : dict
        The categories of each categorical column.
    ranges_ : dict
        The range of each column of numbers; 1 if it does not vary.

    Notes
    -----
    A category that the training rows do not have differs from all that they have. R's ``CDF()``
    reads text as numbers and drops what is none; it does not have this.

    References
    ----------
    Gower, J. C. (1971). A general coefficient of similarity and some of its properties. Biometrics
    27, 857-871.

    Examples
    --------
    >>> import pandas as pd
    >>> from pycdf import GowerEncoder
    >>> X = pd.DataFrame({"age": [30, 50, 40], "sex": ["f", "m", "f"]})
    >>> GowerEncoder().fit_transform(X)
       age  sex=f  sex=m
    0  1.5    0.5    0.0
    1  2.5    0.0    0.5
    2  2.0    0.5    0.0
    """

    def __init__(self, categorical: list[Any] | None = None) -> None:
        self.categorical = categorical

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the ranges and the categories.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
            The training rows.
        y : None
            Ignored.

        Returns
        -------
        self : GowerEncoder

        Examples
        --------
        >>> import pandas as pd
        >>> from pycdf import GowerEncoder
        >>> X = pd.DataFrame({"sex": ["f", "m", "f"]})
        >>> GowerEncoder().fit(X).categories_
        {'sex': ['f', 'm']}
        """
        table = _table(X)
        chosen = self._categorical(table)
        self.feature_names_in_ = table.columns.to_numpy(dtype=object)
        self.n_features_in_ = table.shape[1]
        self.categories_: dict[Any, list[Any]] = {}
        self.ranges_: dict[Any, float] = {}
        for name in table.columns:
            if name in chosen:
                found = table[name].dropna().unique().tolist()
                self.categories_[name] = sorted(found, key=lambda one: (str(type(one)), str(one)))
            else:
                numbers = _numbers(table[name])
                known = numbers[~np.isnan(numbers)]
                extent = float(np.ptp(known)) if len(known) else 0.0
                self.ranges_[name] = extent if 0 < extent < np.inf else 1.0
        return self

    def transform(self, X: Any) -> pd.DataFrame:
        """Encode rows.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
            Rows with the columns of the training table.

        Returns
        -------
        DataFrame
            Numbers, with NaN for missing values.

        Examples
        --------
        >>> import pandas as pd
        >>> from pycdf import GowerEncoder
        >>> X = pd.DataFrame({"sex": ["f", "m", "f"]})
        >>> GowerEncoder().fit(X).transform(X)["sex=f"].tolist()
        [0.5, 0.0, 0.5]
        """
        check_is_fitted(self)
        table = _table(X)
        missing = [name for name in self.feature_names_in_ if name not in table.columns]
        if missing:
            raise ValueError(f"X does not have {few(missing)}: pass all columns of training.")
        columns: dict[str, Floats] = {}
        for name in self.feature_names_in_:
            if name in self.ranges_:
                columns[str(name)] = _numbers(table[name]) / self.ranges_[name]
            else:
                cells = table[name]
                unknown = cells.isna().to_numpy()
                for category in self.categories_[name]:
                    same = (cells == category).to_numpy(dtype=bool, na_value=False)
                    column = np.where(same, _HALF, 0.0)
                    columns[f"{name}={category}"] = np.where(unknown, np.nan, column)
        return pd.DataFrame(columns, index=table.index)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """List the names of the encoded columns.

        Parameters
        ----------
        input_features : None
            Ignored.

        Returns
        -------
        ndarray of object

        Examples
        --------
        >>> import pandas as pd
        >>> from pycdf import GowerEncoder
        >>> X = pd.DataFrame({"sex": ["f", "m", "f"]})
        >>> GowerEncoder().fit(X).get_feature_names_out().tolist()
        ['sex=f', 'sex=m']
        """
        check_is_fitted(self)
        names: list[str] = []
        for name in self.feature_names_in_:
            if name in self.ranges_:
                names.append(str(name))
            else:
                names += [f"{name}={category}" for category in self.categories_[name]]
        return np.array(names, dtype=object)

    def _categorical(self, table: pd.DataFrame) -> set[Any]:
        if self.categorical is None:
            return {name for name in table.columns if _holds_categories(table[name])}
        unknown = [name for name in self.categorical if name not in table.columns]
        if unknown:
            raise ValueError(
                f"categorical has {few(unknown)}, and X no such "
                f"{plural(len(unknown), 'column').partition(' ')[2]}."
            )
        return set(self.categorical)


def _table(X: Any) -> pd.DataFrame:
    table = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X)
    if table.columns.has_duplicates:
        raise ValueError("X has columns of the same name: rename them.")
    return table


def _holds_categories(column: pd.Series) -> bool:
    return (
        isinstance(column.dtype, pd.CategoricalDtype)
        or pd.api.types.is_bool_dtype(column.dtype)
        or (
            not pd.api.types.is_numeric_dtype(column.dtype)
            and any(isinstance(cell, str) for cell in column)
        )
    )


def _numbers(column: pd.Series) -> Floats:
    try:
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise ValueError(
            f"column {shown(column.name)} is not one of numbers: list it in categorical."
        ) from None
