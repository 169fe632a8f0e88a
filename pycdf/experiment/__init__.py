"""The paper's experiment: many methods on the same random splits of many data sets.

A call of :func:`pycdf.compare` passes through these modules in this order: ``data`` reads the
tables, ``splits`` draws the training rows as R does, ``methods`` fits and predicts, ``measures``
scores, ``worker`` does all this for one split, ``records`` saves each result, and ``compare`` runs
and resumes the whole. ``comparison`` holds the results; ``tables``, ``statistics``, ``pictures``
and ``paper`` present them, and ``report`` writes them to a folder.
"""
