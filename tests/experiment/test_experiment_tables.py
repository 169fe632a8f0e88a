"""Tables in the paper's form."""

import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from pycdf.experiment.latex import escape, latex
from pycdf.experiment.tables import caption, markdown, number, table
from pycdf.validation import interval

METHODS = {"cdf": "CDF", "rf": "RF", "k_nn": "k_NN"}


def results(**cells):
    """Rows of results from ``data__method=[values]``."""
    rows = [
        {
            "data": name.split("__")[0],
            "method": name.split("__")[1],
            "train": 70,
            "test": 30,
            "accuracy": value,
        }
        for name, values in cells.items()
        for value in values
    ]
    return pd.DataFrame(rows)


WHOLE = results(
    a__cdf=[0.9, 0.8], a__rf=[0.85, 0.8504], a__k_nn=[0.1, 0.2],
    b__cdf=[0.5, 0.5], b__rf=[0.7, 0.7], b__k_nn=[0.6, 0.7],
)  # fmt: skip


def test_means_best_ties_averages_and_wins():
    got = table(WHOLE, "accuracy", ["b", "a"], METHODS)
    assert got.means.columns.tolist() == ["CDF", "RF", "k_NN"]
    assert got.means.loc["a"].round(4).tolist() == [0.85, 0.8502, 0.15]
    assert got.best.loc["a"].tolist() == [True, True, False]  # equal as printed
    assert got.best.loc["b"].tolist() == [False, True, False]
    assert got.averages.round(4).tolist() == [0.675, 0.7751, 0.4]
    assert got.wins.tolist() == [1, 2, 0]


def test_a_mean_on_the_edge_is_printed_the_same_in_whatever_order_it_was_summed():
    values = [0.85] * 15 + [0.94] * 5  # the mean is 0.8725, or a little less or more
    for order in (values, values[::-1]):
        assert number(sum(order) / 20) == number(0.8725) == "0.873"
        got = table(results(a__cdf=order), "accuracy", ["a"], {"cdf": "CDF"})
        assert got.printed.iat[0, 0] == 0.873
    assert number(float("nan")) == "–"


def test_markdown_is_what_one_would_write_by_hand():
    got = markdown(table(WHOLE, "accuracy", ["a", "b"], METHODS), {"a": "D8 a|x"})
    assert got == (
        "| Data set |       CDF |        RF |  k_NN |\n"
        "| -------- | --------: | --------: | ----: |\n"
        "| D8 a\\|x  | **0.850** | **0.850** | 0.150 |\n"
        "| b        |     0.500 | **0.700** | 0.650 |\n"
        "| Average  |     0.675 | **0.775** | 0.400 |\n"
        "| Wins     |         1 |         2 |     0 |\n"
    )


def test_latex_has_as_many_cells_in_each_line_and_the_same_numbers():
    got = latex(table(WHOLE, "accuracy", ["a", "b"], METHODS), "100 % & more", {"a": "D_8"})
    lines = [line for line in got.splitlines() if line.endswith(r"\\")]
    assert [line.count(" & ") for line in lines] == [3] * 5
    assert lines[0] == r"Data set & CDF & RF & k\_NN \\"
    assert lines[1] == r"D\_8 & \textbf{0.850} & \textbf{0.850} & 0.150 \\"
    assert lines[3] == r"Average & 0.675 & \textbf{0.775} & 0.400 \\"
    assert r"\caption{100~\% \& more}" in got
    assert got.count(r"\begin{") == got.count(r"\end{") == 2
    assert r"\begin{tabular}{lccc}" in got


def test_one_method_alone_wins_nothing():
    got = table(WHOLE, "accuracy", ["a", "b"], {"cdf": "CDF"})
    assert markdown(got).splitlines()[2:] == [
        "| a        | 0.850 |",
        "| b        | 0.500 |",
        "| Average  | 0.675 |",
    ]
    assert "textbf" not in latex(got, "x")


def test_a_method_wins_nothing_where_the_others_have_failed():
    frame = results(a__cdf=[0.9], a__rf=[0.8], b__cdf=[0.5])
    assert "| b                 |     0.500 |     – |" in markdown(
        table(frame, "accuracy", ["a", "b"], {"cdf": "CDF", "rf": "RF"})
    )
    got = table(frame, "accuracy", ["b"], METHODS)
    assert got.wins.tolist() == [0, 0, 0]
    assert markdown(got).splitlines()[2:] == [
        "| b        | 0.500 |   – |    – |",
        "| Average  | 0.500 |   – |    – |",
    ]
    assert "textbf" not in latex(got, "x")


def test_what_is_small_is_best_where_small_is_good():
    frame = WHOLE.rename(columns={"accuracy": "log_loss"})
    got = table(frame, "log_loss", ["a", "b"], METHODS)
    assert got.best.loc["b"].tolist() == [True, False, False]
    assert got.wins.tolist() == [1, 0, 1]


def test_gaps_are_shown_and_averages_are_over_whole_rows():
    frame = results(
        a__cdf=[0.9, 0.8], a__rf=[0.5], b__cdf=[0.5], c__cdf=[0.2, 0.2], c__rf=[0.4, 0.4]
    )
    got = table(frame, "accuracy", ["a", "b", "c"], METHODS)
    assert got.averages.round(4).tolist()[:2] == [0.525, 0.45]
    assert np.isnan(got.averages["k_NN"])
    text = markdown(got)
    assert "| a                 | **0.850** |   0.500\\* |    – |" in text
    assert "| b                 |     0.500 |         – |    – |" in text
    assert "| Average of 2 rows | **0.525** |     0.450 |    – |" in text
    assert text.endswith("\\* Mean over fewer splits than other methods: some failed.\n")
    whole = latex(got, "x")
    assert "a & \\textbf{0.850} & 0.500$^{*}$ & -- \\\\" in whole
    assert whole.isascii()


def test_a_kappa_that_does_not_exist_is_no_failure():
    frame = results(a__cdf=[0.9, np.nan], a__rf=[0.5, 0.4]).rename(columns={"accuracy": "kappa"})
    got = table(frame, "kappa", ["a"], METHODS)
    told = "some failed, or kappa is undefined because all rows and predictions are of one class."
    assert markdown(got).endswith(f"\\* Mean over fewer splits than other methods: {told}\n")
    assert f"Mean over fewer splits than other methods: {told}\n" in latex(got, "x")


def test_every_character_that_latex_would_read_is_escaped():
    got = escape("a_b & c% $d #e {f} ~g ^h \\i <j> |k")
    assert got == (
        r"a\_b \& c\% \$d \#e \{f\} \textasciitilde{}g \textasciicircum{}h \textbackslash{}i "
        r"\textless{}j\textgreater{} \textbar{}k"
    )
    assert not re.search(r"(?<!\\)[_&%$#]", got)


def run(tuned, **methods):
    """The parts of a manifest that a caption needs."""
    words = "random splits into 70 % training and 30 % test rows"
    return {"splits": 20, "splitting": words, "tuned": tuned, "methods": methods}


def test_the_caption_tells_how_it_was_done():
    grid = [{"k": 1}, {"k": 3}]
    cdf, knn = {"title": "CDF"}, {"title": "kNN", "scaling": "by sd"}
    quick = run(False, cdf=cdf, knn=knn)
    assert caption("kappa", quick) == (
        "Cohen's kappa: means over 20 random splits into 70 % training and 30 % test rows; methods "
        "with default parameters; features standardised by the training rows for kNN. The best of "
        "each row is bold."
    )
    tuned = run(True, cdf=cdf | {"tuning": []}, knn=knn | {"tuning": grid})
    assert "tuned by 10-fold cross-validation (except CDF, without parameters to tune);" in (
        caption("kappa", tuned)
    )
    always = run(False, cdf=cdf, nsc={"title": "NSC", "tuning": grid})
    assert "with default parameters (except NSC, tuned by 10-fold cross-validation). The" in (
        caption("kappa", always)
    )
    every = run(False, knn=knn)
    assert "standardised by the training rows for all. The" in caption("kappa", every)
    assert caption("auc", quick, "sd").endswith("the standard deviation over the splits.")
    assert "95 % intervals" in caption("auc", quick, "interval")


def test_standard_deviations_and_intervals():
    got = table(WHOLE, "accuracy", ["a", "b"], METHODS)
    assert got.sds.loc["a", "CDF"] == pytest.approx(0.1 / np.sqrt(2))
    expected = interval([0.9, 0.8], "accuracy", 0.3)
    assert (got.lows.loc["a", "CDF"], got.highs.loc["a", "CDF"]) == (expected.low, expected.high)
    assert "| a        | **0.850** ± 0.071 | **0.850** ± 0.000 | 0.150 ± 0.071 |" in markdown(
        got, spread="sd"
    )
    assert "| **0.700** [0.700, 0.700] |" in markdown(got, spread="interval")
    whole = latex(got, "x", spread="sd")
    assert (
        "a & \\textbf{0.850} & \\textbf{0.850} & 0.150 \\\\\n"
        " & \\scriptsize (0.071) & \\scriptsize (0.000) & \\scriptsize (0.071) \\\\\n"
    ) in whole
    assert "\\scriptsize [0.700, 0.700]" in latex(got, "x", spread="interval")
    with pytest.raises(ValueError, match="spread is 'se': pass one of none, sd, interval"):
        got.spread("se")


def test_a_single_split_has_no_spread():
    got = table(results(a__cdf=[0.5]), "accuracy", ["a"], {"cdf": "CDF"})
    assert "| a        | 0.500 ± – |" in markdown(got, spread="sd")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("π", r"$\pi$"), ("naïve", r"na\"{i}ve"), ("Łódź", r"\L{}\'{o}d\'{z}"), ("µ²", r"$\mu$2"),
        ("½", "1/2"), ("ά", r"\'{$\alpha$}"), ("ệ", r"\d{\^{e}}"), ("ǘ", r'\"{u}'),
        ("中", r"\texttt{U+4E2D}"), ("x\u0361y", r"x\texttt{U+0361}y"), ("Å", r"\r{A}"),
        ("5–6 × 7", r"5--6 $\times$ 7"),
    ],
)  # fmt: skip
def test_any_character_is_ascii_in_latex(text, written):
    assert escape(text) == written


def test_long_names_are_shortened_in_latex():
    got = latex(table(WHOLE, "accuracy", ["a", "b"], METHODS), "x", {"a": "x" * 30 + "y" * 30})
    assert "x" * 20 + r"\dots{}" + "y" * 19 + " &" in got
    whole = latex(table(WHOLE, "accuracy", ["a", "b"], METHODS), "x", {"a": "x" * 40})
    assert "x" * 40 + " &" in whole


NAMES = ["π", "naïve Łódź", "中文", "a_b & c% $d #e {f} ~g ^h \\i <j> |k", "x" * 90, "ệ½", "\x1b\n"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_itself_accepts_any_name_and_no_table_is_wider_than_the_line(tmp_path):
    frame = pd.concat([WHOLE[WHOLE["data"] == "a"].assign(data=name) for name in NAMES])
    methods = {"cdf": "CDF", "rf": "π & 100 %", "k_nn": "y" * 50}
    text = latex(table(frame, "accuracy", NAMES, methods), "95 % π", spread="interval")
    (tmp_path / "page.tex").write_text(
        r"\documentclass{article}\usepackage{graphicx}\begin{document}" + text + r"\end{document}"
    )
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
