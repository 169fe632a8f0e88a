"""Benchmarks of pycdf, R, ranger and scikit-learn: time, memory, scaling and start-up.

`python -m benchmarks` measures and writes benchmarks/results; `python -m benchmarks.report` puts
the tables of those results into the pages that show them. In the order in which a run uses them,
the modules are data.py, workers.py (with worker.py and worker.R at the other end of the pipe),
compare.py, scaling.py, memory.py, startup.py (with probe.py) and jobs.py, then tables.py,
figures.py, planning.py, report.py and picture.py. `python -m benchmarks.large` needs 8 GB and is
run separately.
"""
