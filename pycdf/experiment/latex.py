"""Tables of a comparison in LaTeX, as in the paper.

They need no package but graphicx, which shrinks a table that is wider than the line. Any name can
be in them: characters that LaTeX's usual fonts lack are written as accents, symbols or code points.
"""

import re
import unicodedata

from pycdf.experiment.tables import Spread, Table, cells, fewer_splits
from pycdf.support.wording import one_line

PERCENT = r"\%"
_LONGEST = 40  # letters of a name; the middle of a longer one is left out
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "π": "pi", "ρ": "rho", "ς": "varsigma", "σ": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta",
    "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega",
}  # fmt: skip
_AS_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))
_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''",
    **{character: "\\" + character for character in "&%$#_{}"},
    **{letter: rf"$\{name}$" for letter, name in _GREEK.items()}, **_AS_LATIN,
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}",
    "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "\N{NO-BREAK SPACE}": "~",
    "–": "--", "—": "---", "…": r"\dots{}", "‘": "`", "’": "'", "“": "``", "”": "''",
    "±": r"$\pm$", "×": r"$\times$", "·": r"$\cdot$", "°": r"$^{\circ}$", "−": "$-$", "⁄": "/",
}  # fmt: skip
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0331": "b",
}  # fmt: skip

_BELOW = {"\u0323", "\u0327", "\u0331"}
_WITH_MARKS = re.compile("(.)([\u0300-\u036f]*)")


def latex(
    table: Table, caption: str, names: dict[str, str] | None = None, spread: Spread = "none"
) -> str:
    """The table in LaTeX: a ``tabular`` in a ``table``, at most as wide as the line.

    Spreads stand below the means, in a smaller size, so that the columns stay narrow.
    """
    columns = table.means.shape[1]
    lines, rules = cells(table, r"\textbf{{{}}}", "$^{*}$")
    spreads = table.spread(spread)
    header = " & ".join(["Data set", *(name(title) for title in table.means.columns)])
    rows = []
    for i, (line, rule) in enumerate(zip(lines, rules, strict=True)):
        first = name((names or {}).get(line[0], line[0]))
        body = [escape(each) if "\\" not in each and "$" not in each else each for each in line[1:]]
        rows.append(("\\hline\n" if rule else "") + " & ".join([first, *body]) + r" \\")
        if spreads is not None and i < len(spreads):
            form = "({})" if spread == "sd" else "{}"
            below = [rf"\scriptsize {escape(form.format(each))}" for each in spreads.iloc[i]]
            rows.append(" & ".join(["", *below]) + r" \\")
    note = ""
    if table.fewer.to_numpy().any():
        text = f"$^{{*}}$ {fewer_splits(table.measure)}."
        note = f"\\\\[1ex]\n\\footnotesize {text}"
    return (
        "% Needs \\usepackage{graphicx}, to shrink the table if it is wider than the line.\n"
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{escape(caption).replace(' ' + PERCENT, '~' + PERCENT)}}}\n"
        f"\\label{{tab:{table.measure.replace('_', '-')}}}\n"
        "\\smallskip\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
        f"\\begin{{tabular}}{{l{'c' * columns}}}\n\\hline\n{header} \\\\\n\\hline\n"
        + "\n".join(rows)
        + f"\n\\hline\n\\end{{tabular}}%\n}}{note}\n\\end{{table}}\n"
    )


def name(text: object) -> str:
    """The name of a data set or method, shortened if it is long."""
    line = one_line(text)
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST // 2]}…{line[1 - _LONGEST // 2 :]}"
    return escape(line)


def escape(text: str) -> str:
    """Text for LaTeX, in ASCII; control characters and the like become visible."""
    apart = unicodedata.normalize("NFD", one_line(text))
    return _WITH_MARKS.sub(lambda found: _accented(found[1], found[2]), apart)


def _accented(letter: str, marks: str) -> str:
    """A letter with combining marks: at most one above it, which is all that TeX can place."""
    above = [mark for mark in marks if mark not in _BELOW][:1]
    written = _letter(letter)
    for mark in [*above, *(mark for mark in marks if mark in _BELOW)]:
        accent = _ACCENTS.get(mark)
        written = f"{written}{_code(mark)}" if accent is None else f"\\{accent}{{{written}}}"
    return written


def _letter(letter: str) -> str:
    """A character without marks."""
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if letter.isascii():
        return letter
    plain = unicodedata.normalize("NFKC", letter)
    return "".join(map(_letter, plain)) if plain != letter else _code(letter)


def _code(letter: str) -> str:
    return rf"\texttt{{U+{ord(letter):04X}}}"
