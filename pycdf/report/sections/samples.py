"""On which samples is it wrong or unsure? A table of them, the wrong ones first."""

from typing import Any

import numpy as np

from pycdf.explain.row_answers import row_table_of
from pycdf.report.inputs import Ids, JudgedRows, ReportInputs
from pycdf.report.page import Cell, Html, folded, join, name, paragraph, table
from pycdf.report.words import listed, percent, records
from pycdf.support.wording import plural

_OPEN = 15  # rows that are shown without unfolding
_MOST = 400  # rows on the page
_UNSURE = 0.6  # share of the votes below which a prediction is called unsure
_NAMED = 20  # rows that could not be judged


def samples(inputs: ReportInputs) -> Html:
    """The section."""
    judged = inputs.judged
    answers = row_table_of(judged.votes)
    wrong, right = int((~answers["right"]).sum()), int(answers["right"].sum())
    unsure = int((answers["right"] & (answers["share"] < _UNSURE)).sum())
    place = np.full(len(judged.rows), -1)
    place[judged.votes.rows] = np.arange(len(judged.votes.rows))
    lines = [
        _line(inputs, judged, int(place[row]), one)
        for row, one in zip(answers.index[:_MOST], records(answers[:_MOST]), strict=True)
    ]
    head = (name(judged.ids.kind), "true class", "predicted", "votes")
    first, rest = lines[:_OPEN], lines[_OPEN:]
    parts = [
        paragraph(_how_many(judged, wrong, right, unsure)),
        paragraph(
            _order(wrong, right) + "Per cent are the share of the votes for the predicted class"
            + (
                "; only trees that were grown without the row vote on it."
                if judged.out_of_bag
                else "."
            )
            + _numbering(judged.ids),
            "limits",
        ),
        table("Samples, the wrong ones first" if wrong else "Samples, the least sure first", first,
              head, kind="samples"),
    ]  # fmt: skip
    if rest:
        more = table("Further samples", rest, head, kind="samples")
        parts.append(folded(f"The next {plural(len(rest), 'sample')}", more))
    if len(answers) > _MOST:
        last = answers["share"].iloc[_MOST:].min()
        kind = "right, with" if wrong <= _MOST else "wrong or right, with"
        parts.append(paragraph(
            f"{plural(len(answers) - _MOST, 'further row')} {kind} at least {percent(last)} of the "
            "votes for the predicted class, are not listed.", "limits",
        ))  # fmt: skip
    if judged.votes.unseen:
        parts.append(_not_judged(judged))
    return join(parts)


def _how_many(judged: JudgedRows, wrong: int, right: int, unsure: int) -> str:
    """How many predictions are wrong, and how many of the right ones unsure."""
    text = f"No {judged.kind} is predicted wrongly"
    if wrong:
        text = f"{plural(wrong, judged.kind)} {'is' if wrong == 1 else 'are'} predicted wrongly"
    if right == 0:
        return f"{text}, and none rightly."
    return (
        f"{text}; {unsure or 'none'} of {plural(right, 'right prediction')} "
        f"{'are' if unsure > 1 else 'is'} unsure, with fewer than {_UNSURE:.0%} of the votes."
    )


def _order(wrong: int, right: int) -> str:
    """The order of the table, in words."""
    if wrong == 0:
        return "The least sure predictions come first. "
    text = (
        "Wrong predictions come first, those that the trees agree on most at the top: check "
        "their labels and measurements. "
    )
    return text + ("Then come right predictions, the least sure first. " if right else "")


def _numbering(ids: Ids) -> str:
    return "" if ids.first is None else f" Rows are numbered from {ids.first}."


def _line(inputs: ReportInputs, judged: JudgedRows, at: int, answer: Any) -> tuple[Any, ...]:
    votes, look = judged.votes, inputs.look
    counts, true = votes.votes[at], int(votes.codes[at])
    order = np.argsort(-counts, kind="stable")
    codes = [int(code) for code in order[:2] if counts[code]]
    if true not in codes:
        codes.append(true)
    # With a colon, or the votes for a class that is called 1 read like a pair of numbers.
    form = ",.1f" if counts.dtype.kind == "f" else ","  # soft votes, or numbers of trees
    shown = Html(
        ", ".join(f"{name(look.names[code], 24)}:&nbsp;{counts[code]:{form}}" for code in codes)
    )
    predicted = look.names[int(order[0])]
    row = int(votes.rows[at])
    return (
        name(judged.ids.names[row]),
        name(look.names[true], 24),
        Cell(Html(f'{name(predicted, 24)} <span class="range">{percent(answer.share, 0)}</span>'),
             "" if answer.right else "wrong"),
        shown,
    )  # fmt: skip


def _not_judged(judged: JudgedRows) -> Html:
    seen = np.ones(len(judged.rows), dtype=bool)
    seen[judged.votes.rows] = False
    names = [judged.ids.names[row] for row in np.flatnonzero(seen)]
    shown: list[Any] = [name(one) for one in names[:_NAMED]]
    if len(names) > _NAMED:
        shown.append(f"{len(names) - _NAMED:,} more")
    return paragraph(Html(
        f"Not judged, because every tree was grown on {'it' if len(names) == 1 else 'them'}: "
        f"{listed(shown)}."
    ))  # fmt: skip
