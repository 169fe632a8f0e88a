"""How numbers and classes are written in a report."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pycdf.plots.style import ClassLook
from pycdf.report.page import Html, html, name

_UPRIGHT = 5  # classes


def percent(value: float, decimals: int = 1) -> str:
    """A share in per cent, or a dash if it is unknown."""
    return "–" if value != value else _minus(f"{value:.{decimals}%}")


def between(low: float, high: float, decimals: int = 0) -> str:
    """A 95 % interval in per cent; empty if there is none."""
    return "" if low != low else f"{100 * low:.{decimals}f}–{high:.{decimals}%}"


def decimal(value: float) -> str:
    """A measure with three decimals, or a dash if it is unknown."""
    return "–" if value != value else _minus(f"{value:.3f}")


def _minus(text: str) -> str:
    return text.replace("-", "−")


def with_range(shown: str, limits: str) -> Html:
    """A value with its interval below, if it has one."""
    return Html(f'{shown}<span class="range">{limits}</span>') if limits else Html(shown)


def p_value(p: float) -> str:
    """A p-value in words."""
    text = "p < 0.001" if p < 0.001 else f"p = {p:.2g}"
    return text.replace(" ", "\u00a0")


def class_name(look: ClassLook, code: int) -> Html:
    """The name of a class after a bar in its colour, from which it is not parted at a line end."""
    shown = name(look.names[code])
    return Html(f'<span class="class" style="border-color:{look.colours[code]}">{shown}</span>')


def class_heads(look: ClassLook, codes: Sequence[int]) -> list[Html]:
    """The names of classes at the head of narrow columns; see :func:`wide`."""
    return [Html(f"<span>{name(look.names[code], 24)}</span>") for code in codes]


def wide(kind: str, classes: int) -> str:
    """The CSS class of a table with a column per class: names of many are written upwards."""
    return f"{kind} steep" if classes > _UPRIGHT else kind


def quoted(label: Any) -> Html:
    """A name in quotation marks."""
    return Html(f"“{name(label)}”")


def records(frame: pd.DataFrame) -> list[Any]:
    """The lines of a table, whose cells are attributes."""
    return list(frame.itertuples(index=False))


def listed(parts: Sequence[Any]) -> Html:
    """Parts in a sentence: "a, b and c"."""
    texts = [html(part) for part in parts]
    return Html(" and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0])
