"""The sections of a report, in the order in which a reader asks.

Each section is a function of :class:`pycdf.report.inputs.ReportInputs` that returns HTML. A
ValueError from it is shown instead of the section: it says what cannot be computed, and why.
"""
