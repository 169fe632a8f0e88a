"""How R sorts text, on random texts of many scripts and with any version of ICU."""

import os
import random
import subprocess
from collections import Counter

import pytest

from pycdf.base_r.collation import ranks, sort_key
from tests.icu_versions import changed, latin_greek_cyrillic_letters, root_of

from .random_texts import SCRIPTS, random_texts
from .tally import TALLY

SIZE = 1000
# Texts of these scripts sort the same in all versions of ICU, from the oldest in tests/data on.
SAME_IN_ALL = {"ascii", "latin", "marks", "greek_cyrillic"}
NOT_COMPARED: Counter[str] = Counter()


@pytest.mark.parametrize("script", SCRIPTS)
def test_order(r, script):
    texts = random_texts(random.Random(script), list(SCRIPTS[script]), SIZE)
    compare_order(r, texts)
    if script in SAME_IN_ALL and root_of(r.icu_version()) is not None:
        assert changed(r.icu_version()).isdisjoint("".join(texts))
    with r.code_point_order():
        same_order(texts, our_order(texts, "C"), r_order(r, texts))


def test_every_letter_of_latin_greek_and_cyrillic(r):
    """They sort alike in all these versions; of an older ICU, the first letters are compared."""
    known = [c for c in latin_greek_cyrillic_letters() if c not in changed(r.icu_version())]
    compare_order(r, known)
    draw = random.Random("letters")
    compare_order(r, ["".join(draw.choices(known, k=2)) for _ in range(5 * SIZE)])


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_r_in_the_c_locale_sorts_by_code_point_what_it_reads_as_bytes(script, tmp_path):
    """Text that is marked as UTF-8 it sorts as it would print it: é as <U+00E9>.

    So the order depends on how a label came into R. collation="C" is that of text from files.
    """
    texts = random_texts(random.Random(script), list(SCRIPTS[script]), SIZE)
    texts = list(dict.fromkeys(text for text in texts if text.isprintable() and text))
    (tmp_path / "texts").write_text("\n".join(texts) + "\n", encoding="utf-8")
    code = """
    for (encoding in c("unknown", "UTF-8"))
      cat(order(readLines(commandArgs(TRUE), encoding = encoding)) - 1, "\\n")
    """
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", code, str(tmp_path / "texts")],
        env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    as_bytes, marked = ([int(i) for i in line.split()] for line in done.stdout.splitlines())
    same_order(texts, our_order(texts, "C"), as_bytes)
    printed = ["".join(as_printed(c) for c in text) for text in texts]
    same_order(texts, our_order(printed, "C"), marked)
    if script in ("ascii", "latin"):
        assert (as_bytes == marked) == (script == "ascii")


def as_printed(character):
    """A character as R prints it in the C locale."""
    point = ord(character)
    return character if point < 128 else f"<U+{point:0{8 if point > 0xFFFF else 4}X}>"


def compare_order(r, texts):
    """R's order is that of its own ICU; without characters that changed since, it is pycdf's.

    If tests/data lacks the order of R's ICU, texts with such characters are not compared.
    """
    theirs = r_order(r, texts)
    icu = r.icu_version()
    stable = {i for i, text in enumerate(texts) if changed(icu).isdisjoint(text)}
    kept = sorted(stable)
    ours = [kept[i] for i in our_order([texts[i] for i in kept])]
    same_order(texts, ours, [i for i in theirs if i in stable])
    root = root_of(icu)
    if root is not None and len(stable) < len(texts):
        keys = [sort_key(text, root) for text in texts]
        same_order(texts, sorted(range(len(texts)), key=keys.__getitem__), theirs)
    elif root is None:
        NOT_COMPARED["texts"] += len(texts) - len(stable)
        TALLY.not_compared["order of texts"] = (
            f"in {NOT_COMPARED['texts']:,} texts with characters that may sort elsewhere"
            f" (tests/data has no order of ICU {icu})"
        )


def our_order(texts, collation="icu"):
    """The positions of the texts in sorted order; texts that compare equal keep theirs."""
    return sorted(range(len(texts)), key=ranks(texts, collation).__getitem__)


def r_order(r, texts):
    r["texts"] = r.labels(texts)
    return (r.value("order(texts)") - 1).tolist()


def same_order(texts, ours, theirs):
    same = [a == b for a, b in zip(ours, theirs, strict=True)]
    first = same.index(False) if False in same else 0
    assert TALLY.compare("texts in order", same), (
        f"{texts[ours[first]]!r} here, {texts[theirs[first]]!r} in R"
    )
