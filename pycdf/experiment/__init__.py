"""The paper's experiment: many methods on the same random splits of many data sets.

A call of :func:`pycdf.compare` goes through these modules in this order: ``data`` reads the tables,
``splits`` draws the rows as R does, ``methods`` fits, ``measures`` scores, ``worker`` does all that
for one split, ``records`` keeps each answer, ``compare`` runs the lot and resumes; ``tables``,
``statistics``, ``pictures`` and ``paper`` show what came out, and ``report`` writes it to a folder.
"""
