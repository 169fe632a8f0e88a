"""The laboratory: distances and scores of your own, beside R's and those that pycdf has.

A function that is registered has a name, which :class:`pycdf.CDFClassifier` takes as ``distance``
or ``feature_score``, and which model files store. docs/laboratory.md shows how to write one.
"""

from pycdf.inputs.laboratory import Function, names_of, register

__all__ = ["distances", "feature_scores", "register_distance", "register_feature_score"]


def register_distance(name: str, function: Function) -> None:
    """Give a distance a name, so that forests can use it and models with it can be saved.

    Parameters
    ----------
    name : str
        Up to 40 lower-case letters, digits and underscores, with a letter first.
    function : function
        A function that numba can compile, or has compiled. It takes three float64 arrays of one
        length, ``(row, centroid, spread)``, and returns a float that is the smaller, the nearer the
        row is to the centroid. The arrays have the node's features that neither the row nor the
        centroid misses; ``spread`` is their pooled standard deviation within the classes of the
        node. It must not change the arrays.

    Examples
    --------
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.laboratory import distances, register_distance
    >>> def largest(row, centroid, spread):
    ...     result = 0.0
    ...     for j in range(len(row)):
    ...         result = max(result, abs(row[j] - centroid[j]) / spread[j])
    ...     return result
    >>> register_distance("largest", largest)
    >>> "largest" in distances()
    True
    >>> X, y = load_darwin()
    >>> CDFClassifier(ntrees=10, distance="largest", seed=1).fit(X, y).predict(X[:3]).tolist()
    ['P', 'P', 'P']
    """
    register("distance", name, function)


def register_feature_score(name: str, function: Function) -> None:
    """Give a score a name, so that forests can use it and models with it can be saved.

    Parameters
    ----------
    name : str
        Up to 40 lower-case letters, digits and underscores, with a letter first.
    function : function
        A function that numba can compile, or has compiled. It takes ``(values, starts)``: the
        values of a feature in a node that are not missing, float64, and where each class begins,
        int64, so that class c has ``values[starts[c]:starts[c + 1]]``. It returns a float; the
        features with the largest scores are selected. It may change ``values``.

    Examples
    --------
    >>> import numpy as np
    >>> from pycdf import CDFClassifier, load_darwin
    >>> from pycdf.laboratory import register_feature_score
    >>> def medians(values, starts):
    ...     first, second = values[: starts[1]], values[starts[1] : starts[2]]
    ...     return abs(np.median(first) - np.median(second)) / (np.std(values) + 1e-7)
    >>> register_feature_score("medians", medians)
    >>> X, y = load_darwin()
    >>> CDFClassifier(ntrees=10, feature_score="medians", seed=1).fit(X, y).predict(X[:3]).tolist()
    ['P', 'P', 'P']
    """
    register("feature_score", name, function)


def distances() -> tuple[str, ...]:
    """List the names of all distances: R's first, then pycdf's, then the registered ones.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from pycdf.laboratory import distances
    >>> distances()[:4]
    ('euclidean', 'standardized', 'manhattan', 'cosine')
    """
    return names_of("distance")


def feature_scores() -> tuple[str, ...]:
    """List the names of all scores: R's first, then pycdf's, then the registered ones.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from pycdf.laboratory import feature_scores
    >>> feature_scores()[:4]
    ('css', 'welch', 'f', 'auc')
    """
    return names_of("feature_score")
