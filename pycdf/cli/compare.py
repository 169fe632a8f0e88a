"""The options of `pycdf compare`, which repeats the paper's experiment.

The command itself is in :mod:`pycdf.cli.run_compare`, which is imported only when it runs.
"""

from typing import Any

import click

from pycdf.cli.program import work_of
from pycdf.cli.table_options import reading_options


@click.command(short_help="Compare methods on the same random splits, as in the paper.")
@click.argument("data", type=click.Path(), nargs=-1, metavar="[DATA]...")
@click.option(
    "--methods", default="paper", show_default=True, metavar="LIST",
    help="Comma-separated names; paper means cdf,cart,rf,rrf,xgb,knn,rknn,svm, and rivals means "
    "nsc,dlda,lsvm,enet,et,oblique,lgbm. Any scikit-learn estimator class can be given by its full "
    "name.",
)  # fmt: skip
@click.option(
    "--splits", type=click.IntRange(1), metavar="N", help="Number of random splits (default: 500).",
)  # fmt: skip
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Split i uses seed + i, as in R."
)
@click.option("--quick", is_flag=True, help="Use default parameters, without tuning.")
@click.option(
    "--scale", default="", metavar="LIST",
    help="Methods whose features are standardised by the training rows, such as knn,svm, or all.",
)  # fmt: skip
@click.option("--stratify", is_flag=True, help="Draw the training rows class by class.")
@click.option(
    "--groups", metavar="COLUMN",
    help="Rows with equal cells in this column (a patient's) are not both in training and test.",
)  # fmt: skip
@click.option(
    "--folds", type=click.IntRange(2), metavar="K",
    help="Repeat K-fold cross-validation instead of random splits.",
)  # fmt: skip
@click.option(
    "--repeats", type=click.IntRange(1), metavar="N",
    help="How often to cross-validate (default: 10).",
)  # fmt: skip
@click.option("--dask", metavar="ADDRESS", help="Run on the dask scheduler at this address.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False), default="results", show_default=True,
    metavar="FOLDER", help="Output folder; the same command resumes an interrupted run.",
)  # fmt: skip
@click.option(
    "-y", "--label", metavar="COLUMN",
    help="The label column (default: the one called Y, class, label or target).",
)  # fmt: skip
@click.option(
    "--spread", type=click.Choice(["none", "sd", "interval"]), default="none", show_default=True,
    help="What the tables show beside each mean: its standard deviation or 95 % interval.",
)  # fmt: skip
@click.option("--check-paper", is_flag=True, help="Check the means against the paper's.")
@reading_options
def compare(**given: Any) -> int:
    """Compare methods on random splits into 70 % training and 30 % test rows, as in the paper.

    DATA are tables (CSV, Excel, Parquet, .rds, ...) or folders of tables; the default is the
    DARWIN data that ship with pycdf. All methods get the same splits, and R draws the same ones:
    split i is set.seed(seed + i); sample(n, floor(0.7 * n)). Parameters are tuned by 10-fold
    cross-validation within the training rows, as in the paper; --quick skips tuning.

    The output folder gets a CSV file of all results, tables in Markdown and LaTeX, box plots,
    paired tests across data sets, and a manifest. Results are saved as they are computed: after
    Ctrl-C or a crash, run the same command again to resume. Splits, methods and data sets can be
    added later.

    \b
    Examples:
      pycdf compare --check-paper --methods cdf --splits 50
      pycdf compare colon.csv.gz srbct.csv.gz --splits 20 --quick --jobs 2 -o results/
      pycdf compare my-data/ -y diagnosis --methods cdf,rf,svm,knn --splits 100 -o mine/
      pycdf compare a.csv --methods "cdf,lr=sklearn.linear_model.LogisticRegression(C=0.1)"
    """
    code: int = work_of("compare").compare(**given)
    return code
