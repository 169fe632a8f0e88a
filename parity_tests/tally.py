"""What a run compared, and the summary that pytest prints at its end.

A test counts a comparison before it asserts: a difference is then counted whether the test passes
or fails. A test that fails without a counted difference is listed by name.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

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
        self.data_sets: set[str] = set()
        self.not_compared: dict[str, str] = {}
        self.failed_otherwise: list[str] = []

    def count(self, kind: str, same: bool, n: int = 1) -> None:
        """``n`` comparisons of one kind with one outcome."""
        self.compared[kind] += n
        self.different[kind] += 0 if same else n

    def compare(self, kind: str, same: Any) -> bool:
        """Count the outcome of each single comparison; return whether all were equal.

        Parameters
        ----------
        kind : str
            What was compared: a row of the summary.
        same : bool or array-like of bool
            For each comparison whether pycdf's value is R's.
        """
        outcomes = np.atleast_1d(np.asarray(same))
        if outcomes.dtype != bool:
            raise TypeError(f"outcomes of comparisons are booleans, not {outcomes.dtype}")
        self.compared[kind] += outcomes.size
        self.different[kind] += int(outcomes.size - np.count_nonzero(outcomes))
        return bool(outcomes.all())

    def lines(self, facts: dict[str, Any]) -> list[str]:
        """The summary for people."""
        lines = ["  ".join(f"{name} {facts[name]}" for name in ("date", "commit", "system"))]
        lines.append("  ".join(f"{name} {version}" for name, version in facts["versions"].items()))
        lines += [f"{name} {p['version']} in {p['path']}" for name, p in facts["packages"].items()]
        width = max((len(kind) for kind in self.compared), default=0)
        for kind, n in self.compared.items():
            lines.append(f"{kind:<{width}}  {n:>8,} compared, {self.different[kind]} different")
        if self.data_sets:
            lines.append(f"real data sets: {len(self.data_sets)}")
        lines += [f"not compared: {name} {why}" for name, why in self.not_compared.items()]
        lines += [f"failed without a counted difference: {test}" for test in self.failed_otherwise]
        if self.met:
            lines.append("hard branches met in the campaign:")
            lines += [f"  {self.met[name]:>9,}  {text}" for name, text in HARD_BRANCHES.items()]
        if self.traits:
            lines.append("generated cases with:")
            lines.append("  " + ", ".join(f"{t} {n}" for t, n in sorted(self.traits.items())))
        return lines

    def write(self, path: Path, facts: dict[str, Any]) -> None:
        """The summary as JSON, from which ``tools/parity_table.py`` makes tables."""
        summary = facts | {
            "kinds": {
                kind: {"compared": n, "different": self.different[kind]}
                for kind, n in self.compared.items()
            },
            "data_sets": sorted(self.data_sets),
            "not_compared": self.not_compared,
            "failed_without_a_counted_difference": self.failed_otherwise,
            "hard_branches": {text: self.met[name] for name, text in HARD_BRANCHES.items()},
        }
        path.write_text(json.dumps(summary, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


TALLY = Tally()
