"""R, its peers and pycdf side by side: times, memory, slopes and start-up.

`python -m benchmarks` measures and writes benchmarks/results; `python -m benchmarks.report` puts
the tables of those results into the pages that show them. A reader who follows a run meets data.py,
workers.py (with worker.py and worker.R at the other end), compare.py, scaling.py, memory.py,
startup.py (with probe.py), jobs.py, then tables.py, figures.py, planning.py, report.py and
picture.py. `python -m benchmarks.large` needs 8 GB and runs by itself.
"""
