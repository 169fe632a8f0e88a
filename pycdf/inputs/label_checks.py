"""Check that a column of a file holds classes, not measurements or ids, each spelled in one way."""

import difflib
from collections.abc import Sequence

import numpy as np

from pycdf.base_r.numbers import parse_number
from pycdf.inputs.cell_kinds import looks_missing
from pycdf.inputs.labels import Labels
from pycdf.inputs.table_checks import Finding, Table
from pycdf.support.options import option
from pycdf.support.wording import agree, clipped, few, plural

_FEWEST = 10  # rows from which on many labels are no coincidence
_PER_CLASS = 5  # rows: with as many per class on average, numbers can be classes
_CLASSES = {True: 20, False: 10}  # that whole numbers and fractions may well be
_MOST_FRACTIONS = 30
_LONGEST = 100  # letters of a label that are compared with others


def label_findings(
    table: Table, column: str, labels: Labels, *, many_classes: bool = False
) -> list[Finding]:
    """Check the labels of a table; ``many_classes`` says that there are as many as it seems."""
    where = f"column {column!r} of {table.name}"
    if len(labels.texts) < 2:
        found = f"only the class {labels.texts[0]!r}" if labels.texts else "no label"
        text = f"{where} has {found}: a forest needs rows of at least two classes."
        return [Finding("too_few_classes", text, stop=True)]
    if not many_classes and (what := _not_classes(labels)):
        text = (
            f"{where} has {what}. Name the column of the classes with {option('label')}; if these "
            f"are classes, add {option('many_classes', True)}."
        )
        return [Finding("not_classes", text, stop=True)]
    return [
        *unlabelled(table, column, labels),
        *_variants(where, labels),
        *_missing_markers(where, labels),
        *([] if many_classes else _single_rows(table, where, labels)),
    ]


def _not_classes(labels: Labels) -> str | None:
    """What the labels seem to be instead of classes."""
    n, k = int((labels.codes >= 0).sum()), len(labels.texts)
    if n < _FEWEST:
        return None
    numbers = np.array([parse_number(text) for text in labels.texts])
    if not np.isnan(numbers).any():
        whole = bool((numbers == np.floor(numbers)).all())
        many = k > _CLASSES[whole] and n < _PER_CLASS * k
        if (many or (not whole and k > _MOST_FRACTIONS)) and not (whole and k == n):
            return f"{k:,} different numbers in {plural(n, 'row')}, as a measurement does"
    if k == n:
        return f"a different label in each of {plural(n, 'row')}, as an id does"
    if 2 * k > n:
        return f"{k:,} different labels in {plural(n, 'row')}, too many for classes"
    return None


def unlabelled(table: Table, column: str, labels: Labels) -> list[Finding]:
    """Note the rows without a label."""
    rows = np.flatnonzero(labels.codes < 0).tolist()
    if not rows:
        return []
    text = (
        f"{plural(len(rows), 'row')} of {table.name} {agree(rows, 'has', 'have')} no label in "
        f"column {column!r} and {agree(rows, 'is', 'are')} left out: {table.rows(rows)}."
    )
    return [Finding("no_label", text)]


def _variants(where: str, labels: Labels) -> list[Finding]:
    """Note labels that differ only in case or blanks."""
    spellings: dict[str, list[str]] = {}
    for text in labels.texts:
        spellings.setdefault("".join(text.split()).casefold(), []).append(text)
    several = [texts for texts in spellings.values() if len(texts) > 1]
    if not several:
        return []
    shown = "; ".join(
        ", ".join(f"{text!r} ({count:,})" for text, count in zip(texts, counts, strict=True))
        for texts, counts in ((texts, _counts(labels, texts)) for texts in several[:3])
    )
    more = f" and {len(several) - 3:,} more" if len(several) > 3 else ""
    text = (
        f"labels in {where} differ only in case or blanks, and are different classes: {shown}"
        f"{more}. Spell each class in one way."
    )
    return [Finding("label_variants", text)]


def _missing_markers(where: str, labels: Labels) -> list[Finding]:
    found = [text for text in labels.texts if looks_missing(text)]
    if not found:
        return []
    text = (
        f"{few(found)} in {where} {agree(found, 'is a class', 'are classes')} of "
        f"{plural(sum(_counts(labels, found)), 'row')}: leave the cells blank if the label is "
        "missing."
    )
    return [Finding("missing_label_marker", text)]


def _single_rows(table: Table, where: str, labels: Labels) -> list[Finding]:
    """Note classes of one row, which may be misspelt, in tables that are not small."""
    counts = np.bincount(labels.codes[labels.codes >= 0], minlength=len(labels.texts))
    alone = np.flatnonzero(counts == 1)
    if counts.sum() < _FEWEST or not len(alone):
        return []
    others = [text for text, count in zip(labels.texts, counts, strict=True) if count > 1]
    shown = []
    for text in (labels.texts[code] for code in alone):
        close = difflib.get_close_matches(text[:_LONGEST], others, n=1, cutoff=0.7)
        alike = close if np.isnan(parse_number(text)) else []
        shown.append(f"{text!r} (or {alike[0]!r}?)" if alike else f"{text!r}")
    rows = [int(np.flatnonzero(labels.codes == code)[0]) for code in alone]
    more = f" and {len(shown) - 3:,} more" if len(shown) > 3 else ""
    text = (
        f"{plural(len(rows), 'class')} in {where} {agree(rows, 'has', 'have')} a single row: "
        f"{', '.join(shown[:3])}{more}, in {table.rows(rows)}. Correct "
        f"{agree(rows, 'the label if it is', 'the labels if they are')} misspelt: a forest learns "
        "little from one row."
    )
    return [Finding("single_rows", text)]


def _counts(labels: Labels, texts: Sequence[str]) -> list[int]:
    return [int((labels.codes == labels.texts.index(text)).sum()) for text in texts]


def class_counts(labels: Labels, most: int = 12) -> str:
    """The classes with their numbers of rows: ``2 classes: H (61), P (59)``."""
    counts = np.bincount(labels.codes[labels.codes >= 0], minlength=len(labels.texts))
    shown = ", ".join(
        f"{clipped(text)} ({count:,})"
        for text, count in zip(labels.texts[:most], counts[:most], strict=True)
    )
    more = f" and {len(labels.texts) - most:,} more" if len(labels.texts) > most else ""
    return f"{plural(len(labels.texts), 'class')}: {shown}{more}"
