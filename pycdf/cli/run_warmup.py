"""The command `pycdf warmup`: compile every kernel, so that no later call has to.

It makes small calls that together reach all kernels, with every kind of argument that they get,
instead of listing types that would have to follow each change of a kernel.
"""

import importlib
import pkgutil
import tempfile
import warnings
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import numpy as np

import pycdf.kernels
from pycdf import explain
from pycdf.base_r.stream import RStream
from pycdf.classifier import CDFClassifier
from pycdf.files.tables.reading import read_data
from pycdf.kernels.compile import PLAIN_PYTHON


def compile_all() -> None:
    """Compile what is not compiled yet, and say how much and how long."""
    if PLAIN_PYTHON:
        raise click.ClickException("nothing to compile: numba is switched off or not installed.")
    from pycdf.kernels.cache_folder import cache_folder

    folder = cache_folder()
    if folder is None:
        raise click.ClickException(
            "no cache folder is writable: set NUMBA_CACHE_DIR to a folder of your own."
        )
    begin = perf_counter()
    kernels = _kernels()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the data are made up
        _call_all()
    compiled = sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels)
    loaded = sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels)
    if compiled:
        seconds = perf_counter() - begin
        count = f"{compiled} of {compiled + loaded} kernels"
        click.echo(f"pycdf: {count} compiled in {seconds:.1f} s: {folder}")
    else:
        click.echo(f"pycdf: all {loaded} kernels were compiled already: {folder}")


def _kernels() -> list[Any]:
    """The entries of all modules in the kernel room."""
    from pycdf.kernels.code_cache import KernelCache

    found = {}
    for module in pkgutil.iter_modules(pycdf.kernels.__path__, "pycdf.kernels."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(getattr(value, "_cache", None), KernelCache):
                found[id(value)] = value
    return list(found.values())


def _call_all() -> None:
    _draw()
    _read()
    whole = np.arange(24.0).reshape(12, 2) % 7
    rows = np.column_stack([whole, np.sin(np.arange(36.0)).reshape(12, 3), np.ones(12)])
    gaps = rows.copy()
    gaps[3, 1] = np.nan
    for table in (rows, gaps):
        for labels in (np.arange(12) % 2, np.arange(12) % 3):
            for stream in (1, RStream(1, "Rounding")):
                fit = pycdf.CDF(table, labels, table, ntrees=2, seed=stream)
                explain.split_evidence(fit, table, labels)
            for weights in (None, "balanced"):
                model = CDFClassifier(
                    ntrees=3, mnode=2, oob_score=True, seed=1, class_weight=weights
                ).fit(table, labels)
                model.predict(table)
                explain.split_evidence(model, table, labels)
                explain.permutation_importance(model, table, labels)
            other = CDFClassifier(ntrees=2, distance="manhattan", vote="soft", seed=1)
            for weights in (None, "balanced"):
                other.set_params(class_weight=weights).fit(table, labels).predict(table)
    CDFClassifier(ntrees=1, seed=1, scale=True).fit(rows, labels)
    CDFClassifier(ntrees=1, seed=1, feature_score="auc").fit(rows, labels)  # sorts the columns
    # Groups of 50 and more are tested by normal approximations, smaller ones exactly.
    many = np.random.default_rng(1).normal(size=(120, 2)).round(1)
    labels = np.arange(120) % 2
    large = CDFClassifier(ntrees=1, depth=1, bootstrap=False, seed=1).fit(many, labels)
    explain.split_evidence(large, many, labels)


def _draw() -> None:
    """All ways to draw from R's stream."""
    shares = np.arange(1, 251) / 250
    for stream in (RStream(1), RStream(1, "Rounding")):
        stream.uniform(2)
        stream.rnorm(2)
        stream.sample_int(20_000_000, 2)  # a small part of many
        for replace in (False, True):
            stream.sample_int(250, 2, replace=replace)
            stream.sample_int(250, 2, replace=replace, prob=shares)
            stream.sample_int(3, 2, replace=replace, prob=shares[:3])


def _read() -> None:
    """Tables of text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_text('a,b,"c"\n1,2.5,x\n,NA,"y"\n')
        read_data(str(path))
