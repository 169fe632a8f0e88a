"""What a run compared and met, for the summary at its end.

In go single comparisons and R's counts; out come the lines that pytest prints last.
"""

from collections import Counter

HARD_BRANCHES = {
    "partition_ties": "random ties in the partition (draws)",
    "collation_ties": "leaf ties that collation decides against code points",
    "leaf_ties": "leaf ties",
    "missing_branches": "test rows that meet a missing branch",
    "no_finite_distance": "test rows without a finite distance",
    "skipped_pairs": "class pairs skipped for a missing mean or sd",
    "all_pairs_skipped": "scores of which every pair is missing",
    "integer_rule": "integer matrices with another forest than their doubles",
    "near_ties": "near-ties of scores (within 1e-9, not equal)",
    "equal_scores": "equal scores, left in candidate order",
}


class Tally:
    """Counts of one run."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.different: Counter[str] = Counter()
        self.met: Counter[str] = Counter()
        self.traits: Counter[str] = Counter()
        self.not_compared: dict[str, str] = {}

    def count(self, kind: str, same: bool, n: int = 1) -> None:
        """``n`` comparisons of one kind with one outcome."""
        self.compared[kind] += n
        self.different[kind] += 0 if same else n

    def lines(self, versions: dict[str, str]) -> list[str]:
        """The summary."""
        lines = ["  ".join(f"{name} {version}" for name, version in versions.items())]
        width = max((len(kind) for kind in self.compared), default=0)
        for kind, n in self.compared.items():
            lines.append(f"{kind:<{width}}  {n:>8,} compared, {self.different[kind]} different")
        lines += [f"not compared: {name} {why}" for name, why in self.not_compared.items()]
        if self.met:
            lines.append("hard branches met in the campaign:")
            lines += [f"  {self.met[name]:>9,}  {text}" for name, text in HARD_BRANCHES.items()]
        if self.traits:
            lines.append("generated cases with:")
            lines.append("  " + ", ".join(f"{t} {n}" for t, n in sorted(self.traits.items())))
        return lines


TALLY = Tally()
