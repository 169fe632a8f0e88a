"""The paper's experiment: many methods on the same random splits of many data sets.

A call of :func:`pycdf.compare` passes through these modules in this order: ``data`` reads the
tables, ``designs`` and ``splits`` draw the training rows as R does, ``methods`` finds the methods,
``fitting`` fits and predicts, ``measures`` scores, ``worker`` does all this for one split,
``records`` saves each result, and ``running`` runs and resumes the whole. ``comparison`` holds the
results; ``tables``, ``latex``, ``statistics``, ``resampled``, ``pictures``, ``paper`` and
``report`` present them, and ``saving`` writes them to a folder.
"""
