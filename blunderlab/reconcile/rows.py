"""Which decisions two rule sets treat differently, and why."""

import numpy as np
import pandas as pd

from blunderlab.measure.rules import View, rule_set
from blunderlab.tables import DECISION_KEY

__all__ = ["differences"]


def differences(t, rules_a, rules_b):
    """List the decisions that two rule sets treat differently.

    Parameters
    ----------
    t : Tables
    rules_a, rules_b : str or RuleSet

    Returns
    -------
    DataFrame
        One row a decision that changes PR, in the order of the key: match_id, game, decision, seat, player, kind,
        played, error, the effects n_decisions (−1, 0, 1) and error_total (equity), and `why` in words. The
        effects are a − b: their sums are the differences of these two columns of `measure.rates`.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables("aachen-double-7pt")
    >>> differences(t, "xg", "xg").empty
    True
    >>> differences(t, "gnubg", "xg")["n_decisions"].value_counts().to_dict()
    {1: 4, -1: 3}
    """
    a, b = rule_set(rules_a), rule_set(rules_b)
    decisions = t.decisions.sort_values(DECISION_KEY, ignore_index=True)
    view = View(decisions)
    counted_a, counted_b = a.counted(view), b.counted(view)
    summed_a, summed_b = a.in_sum(view, counted_a), b.in_sum(view, counted_b)
    error_a, error_b = a.error(view), b.error(view)
    counts = counted_a.astype(np.int64) - counted_b
    errors = np.where(summed_a, error_a, 0.0) - np.where(summed_b, error_b, 0.0)

    plays = view.is_kind("checker")
    why = pd.Series("", index=decisions.index)
    for mine, other, mask in ((a, b, counts > 0), (b, a, counts < 0)):
        for part, of_kind in (("play", plays), ("no double", ~plays)):
            rule = _COUNTS.get((other.name, part), "it does not count")
            why[mask & of_kind] += f"counted by {mine.name}, not by {other.name}: {rule}"
    parted = (summed_a != summed_b) & (errors != 0)
    also = np.where(why == "", "", "; ")
    for mine, mask in ((a, summed_a), (b, summed_b)):
        why[parted & mask] += also[parted & mask] + f"its error is summed by {mine.name} alone"
    rounded = summed_a & summed_b & (errors != 0)
    mine = a if a.rounded else b
    why[rounded] += also[rounded] + f"its error is rounded to 0.001 by {mine.name}"

    effects = decisions.assign(n_decisions=counts, error_total=errors, why=why)
    return effects.loc[
        (counts != 0) | (errors != 0),
        [*DECISION_KEY, "seat", "player", "kind", "played", "error", "n_decisions", "error_total", "why"],
    ].reset_index(drop=True)  # fmt: skip


# Why a rule set leaves a decision out of its count.
_COUNTS = {
    ("xg", "play"): "one legal play, or plays that are 0.0000 apart",
    ("gnubg", "play"): "the analysis holds one play",
    ("blunderdb", "play"): "one legal play, or all legal plays are equal to 0.001",
    (
        "xg",
        "no double",
    ): "no double is worth 0 or less, or 0.200 or more above doubling, and no error",
    ("gnubg", "no double"): "the best action is 0.16 or more above doubling",
    ("blunderdb", "no double"): "no double is worth 0 or less, or 0.200 or more above doubling",
}
