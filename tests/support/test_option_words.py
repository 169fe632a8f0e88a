"""Options in messages are spelled for the tool that the user has in hand."""

import pytest

from pycdf.cli.option_names import as_option
from pycdf.support.options import in_python, option, spelled_by


@pytest.mark.parametrize(
    ("given", "in_functions", "in_commands"),
    [
        (("decimal",), "decimal", "--decimal"),
        (("decimal", ","), "decimal=','", "--decimal ,"),
        (("sep", ";"), "sep=';'", "--sep ';'"),
        (("sep", "\t"), r"sep='\t'", r"--sep '\t'"),
        (("max_depth", 2), "max_depth=2", "--max-depth 2"),
        (("transpose", True), "transpose=True", "--transpose"),
        (("k", None), "k=None", "no --k"),
        (("label",), "label", "-y"),
        (("sheet", "My sheet"), "sheet='My sheet'", "--sheet 'My sheet'"),
        (("n_jobs", 0), "n_jobs=0", "--jobs 0"),
        (("out_of_bag", True), "out_of_bag=True", "--data"),
        (("out_of_bag", False), "out_of_bag=False", "--test"),
    ],
)
def test_both_spellings(given, in_functions, in_commands):
    assert option(*given) == in_functions
    assert in_python()
    with spelled_by(as_option):
        assert option(*given) == in_commands
        assert not in_python()
    assert option(*given) == in_functions


def test_an_error_restores_the_spelling():
    with pytest.raises(ValueError, match="--k"), spelled_by(as_option):
        raise ValueError(option("k"))
    assert in_python()
