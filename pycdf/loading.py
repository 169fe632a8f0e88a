"""``load``: a saved model as a fitted estimator."""

import os

from pycdf.classifier import CDFClassifier
from pycdf.files.model import load_model


def load(path: str | os.PathLike[str]) -> CDFClassifier:
    """Read a model that :meth:`pycdf.CDFClassifier.save` wrote.

    Parameters
    ----------
    path : str or path-like
        The model file.

    Returns
    -------
    CDFClassifier
        The fitted estimator.

    Raises
    ------
    pycdf.ModelFileError
        If the file is damaged or is not a model file.

    Examples
    --------
    >>> import os, tempfile
    >>> from pycdf import CDFClassifier, load, load_darwin
    >>> X, y = load_darwin()
    >>> fit = CDFClassifier(ntrees=10, seed=1).fit(X, y)
    >>> path = os.path.join(tempfile.mkdtemp(), "model.cdf")
    >>> fit.save(path)
    >>> (load(path).predict(X) == fit.predict(X)).all().item()
    True
    """
    return CDFClassifier.from_model(load_model(path))
