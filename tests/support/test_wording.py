"""Phrases that messages share."""

import numpy as np
import pytest

from pycdf.support.wording import agree, clipped, few, no_column, one_line, plain, plural, shown


def test_few_items_are_listed_and_the_others_counted():
    assert few([1, 2, 3]) == "1, 2, 3"
    assert few([1, 2, 3, 4]) == "1, 2, 3 and 1 more"
    assert few(range(1_203), most=2) == "0, 1 and 1,201 more"


def test_numpy_scalars_become_plain_and_arrays_stay():
    assert repr(plain(np.float64(0.5))) == "0.5"
    assert repr(plain(np.array(7))) == "7"
    array = np.array([1])
    assert plain(array) is array
    assert plain("text") == "text"


def test_counts_with_their_nouns():
    assert [plural(n, "row") for n in (0, 1, 2, 1_000)] == [
        "0 rows", "1 row", "2 rows", "1,000 rows",
    ]  # fmt: skip
    assert [plural(n, word) for word in ("class", "leaf") for n in (1, 2)] == [
        "1 class", "2 classes", "1 leaf", "2 leaves",
    ]  # fmt: skip
    for several in (0, 2, [], ["a", "b"]):
        assert agree(several, "is", "are") == "are"
    for one in (1, ["a"]):
        assert agree(one, "is", "are") == "is"


@pytest.mark.parametrize(
    ("name", "names", "message"),
    [
        ("x", [], "t.csv has no column 'x'."),
        ("age", ["qqq"], "t.csv has no column 'age': it has qqq."),
        ("age", [*"bcdfgh"], "t.csv has no column 'age': it has b, c, d, f, g, h."),
        ("age", [*"bcdfghi"], "t.csv has no column 'age': it has b, c, d, ..., h, i (7)."),
        (" AGE", ["sex", "age "], "t.csv has no column ' AGE': did you mean 'age '?"),
        ("ages", ["age", "aged", "agex", "sages"],
         "t.csv has no column 'ages': did you mean 'sages' or 'age' or 'agex'?"),
        ("a", ["A", "a "], "t.csv has no column 'a': did you mean 'A'?"),
    ],
)  # fmt: skip
def test_a_column_that_is_missing(name, names, message):
    assert no_column(name, names, "t.csv") == message


def test_long_texts_are_cut_at_60_characters():
    assert clipped("x" * 60) == "x" * 60
    assert clipped("x" * 61) == "x" * 57 + "..."
    assert shown("x" * 58) == f"'{'x' * 58}'"
    assert shown("x" * 59) == f"'{'x' * 56}..."


def test_white_space_in_a_name():
    assert one_line(" a \n b\tc ") == "a b c"
    assert one_line(5) == "5"


def test_similar_names_are_looked_for_up_to_200_characters():
    for length, similar in ((200, True), (201, False)):
        other = "x" * (length - 1) + "y"
        message = no_column("x" * length, [other], "t.csv")
        assert message.endswith("?") == similar
    assert "did you mean" not in no_column("x" * 200, ["x" * 201], "t.csv")


def test_integers_of_more_than_600_digits_are_not_written():
    assert shown(10**600 - 1) == "9" * 57 + "..."
    assert shown(10**600) == shown(-(10**600)) == "an int of more than 600 digits"


def test_names_of_a_package_are_kept_once_they_are_loaded():
    import pycdf

    assert pycdf.CDF is vars(pycdf)["CDF"]
