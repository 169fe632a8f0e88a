"""The options of `pycdf compare`: the paper's experiment as a command.

What it does is in :mod:`pycdf.cli.run_compare`, imported only when it is run.
"""

from typing import Any

import click


@click.command(short_help="The paper's experiment: many methods, the same random splits.")
@click.argument("data", type=click.Path(), nargs=-1, metavar="[DATA]...")
@click.option(
    "--methods", default="cdf,cart,rf,rrf,xgb,knn,rknn,svm", show_default=True, metavar="LIST",
    help="Names between commas. Any class of scikit-learn's kind may join, by its full name.",
)  # fmt: skip
@click.option("--splits", type=click.IntRange(1), default=500, show_default=True, metavar="N")
@click.option("--seed", type=int, default=1, show_default=True, help="Split i is R's seed + i.")
@click.option("--quick", is_flag=True, help="Default parameters: no tuning.")
@click.option("--dask", metavar="ADDRESS", help="Hand the work to the dask scheduler there.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False), default="results", show_default=True,
    metavar="FOLDER", help="Where to; the same command goes on where it stopped.",
)  # fmt: skip
@click.option(
    "-y", "--label", metavar="COLUMN",
    help="The label column (default: the one called Y, class, label or target).",
)  # fmt: skip
@click.option("--check-paper", is_flag=True, help="Our means beside the paper's, with a verdict.")
def compare(**given: Any) -> int:
    """Compare methods on random splits, 70 % to train on and 30 % to test: the paper's experiment.

    DATA are tables (CSV, TSV or Parquet, gzipped or not) or folders of them; without any it is
    DARWIN, which ships with pycdf. All methods get the same splits, and R makes the same ones:
    split i is set.seed(seed + i); sample(n, floor(0.7 * n)). Parameters are tuned by 10-fold
    cross-validation inside the training rows, as in the paper; --quick skips that.

    The folder gets one CSV of all results, tables in Markdown and LaTeX, box plots, the paired
    tests over data sets, and a manifest. Each result is kept as it comes: after Ctrl-C or a crash
    the same command goes on. More splits, methods or data may join later.

    \b
    Examples:
      pycdf compare --check-paper --methods cdf --splits 50
      pycdf compare colon.csv.gz srbct.csv.gz --splits 20 --quick --jobs 2 -o results/
      pycdf compare my-data/ -y diagnosis --methods cdf,rf,svm,knn --splits 100 -o mine/
      pycdf compare a.csv --methods "cdf,lr=sklearn.linear_model.LogisticRegression(C=0.1)"
    """
    from pycdf.cli import run_compare as command

    return command.compare(**given)
