"""Counting rules as named values: what XG, gnuBG and blunderDB each call a decision.

Three questions separate the tools: which checker plays had a choice, which cube decisions were close enough to
count, and whose errors are summed. Each rule set answers them as functions of the columns, so that one table
gives every tool's figures.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass

import numpy as np
import pandas as pd

from blunderlab.tables.columns import bare, floats
from blunderlab.tables.schema import declared_dtypes

__all__ = ["KINDS_OF", "RULES", "RuleSet", "count", "rule_set", "rules_of_tool"]

KINDS_OF = {
    "checker": ("checker", "move"),
    "cube": ("no_double", "double"),
    "answer": ("take", "pass"),
}

XG_FORCED_SPREAD = 5e-5  # 0.0000 at the four digits XG shows; bounded by (0, 5.99e-5) on real files
XG_CLOSE = 0.200  # bounded by (0.19772, 0.21126) on real files
GNUBG_CLOSE = 0.16  # gnuBG's eval.c; its manual says 0.25, the program does this
_KIND = declared_dtypes("decisions")["kind"]
_BEAVERS = ("Beaver", "Raccoon")
_HALF = 0.5


@dataclass(frozen=True)
class RuleSet:
    """One tool's way to count.

    Parameters
    ----------
    name : str
    choice : callable
        View of the decisions → mask of the checker plays that had a choice.
    close : callable
        View → mask of the no doubles that count.
    summed : str
        Whose errors add up to PR: "scored" (every analysed decision), "counted", or "unforced"
        (plays with a choice, every cube decision).
    thresholds : tuple of float
        Error and blunder; three for gnuBG (doubtful, bad, very bad).
    strict : bool
        An error must lie above its threshold, not on it.
    plays_only : bool
        Only checker plays are classed by the thresholds.
    rolls : bool
        A roll that was never played counts as a move and as luck.
    rounded : bool
        Errors are rounded to 0.001, half away from zero.
    beavers : bool
        A beaver and a raccoon are takes too; gnuBG's statistics know only the answer that ends the doubling.
    """

    name: str
    choice: Callable
    close: Callable
    summed: str
    thresholds: tuple
    strict: bool = False
    plays_only: bool = False
    rolls: bool = True
    rounded: bool = False
    beavers: bool = True

    def error(self, view):
        """The error of each row by this rule set; NaN when unscored."""
        if not self.rounded:
            return view.error
        # 1e-9 lifts a half that binary fractions put a hair below it
        return np.floor(view.error * 1000 + _HALF + 1e-9) / 1000

    def counted(self, view):
        """Mask of the rows in the denominator."""
        plays = view.is_kind("checker") & self.choice(view)
        cube = view.kind("double") | (view.kind("no_double") & self.close(view))
        return view.scored & (plays | cube | view.is_kind("answer"))

    def forced(self, view):
        """Mask of the plays without a choice."""
        return view.is_kind("checker") & ~self.choice(view)

    def takes(self, view):
        """Mask of the takes."""
        return view.kind("take") if self.beavers else view.kind("take") & ~view.beaver

    def in_sum(self, view, counted):
        """Mask of the rows whose errors are summed."""
        if self.summed == "counted":
            return counted
        if self.summed == "scored":
            return view.scored
        return view.scored & (~view.is_kind("checker") | counted)


class View:
    """The columns of a decisions frame that rules read, as arrays."""

    def __init__(self, decisions):
        kind = bare(decisions["kind"])
        if kind.dtype != _KIND:  # as from a CSV, or with unused categories dropped
            kind = pd.Categorical(kind, dtype=_KIND)
        self.kind_codes = kind.codes
        self._code = {name: code for code, name in enumerate(_KIND.categories)}
        self.error = floats(decisions["error"])
        self.illegal = np.asarray(bare(decisions["illegal"]), bool)
        self.scored = ~np.isnan(self.error) & ~self.illegal
        self.n_options = floats(decisions["n_options"])
        self.n_legal = floats(decisions["n_legal"])
        self.spread = floats(decisions["spread"])
        self.flat = np.asarray(bare(decisions["flat"]), bool)
        self._played = decisions["played"]
        self.no_double = floats(decisions["no_double"])
        self.take = floats(decisions["double_take"])
        self.passed = floats(decisions["double_pass"])

    def updated(self, new):
        """The same rows with these derived columns."""
        other = copy(self)
        for name in ("error", "spread", "flat"):
            setattr(other, name, new[name])
        other.scored = new["scored"]
        other.n_legal = floats(new["n_legal"])
        return other

    def kind(self, name):
        """Mask of one kind."""
        return self.kind_codes == self._code[name]

    def is_kind(self, group):
        """Mask of a group of `KINDS_OF`."""
        one, *others = (self.kind(name) for name in KINDS_OF[group])
        for other in others:
            one |= other
        return one

    @property
    def beaver(self):
        """Mask of the beavers and raccoons, which are takes."""
        mask = np.zeros(len(self.error), bool)
        takes = np.flatnonzero(self.kind("take"))
        mask[takes] = pd.Series(bare(self._played)[takes]).isin(_BEAVERS)
        return mask

    @property
    def double(self):
        """Equity of doubling against the better reply, NaN unknown."""
        return np.minimum(self.take, self.passed)


def _more_than_one(view):
    # Where legal plays are not counted, the kept ones say it; no analysis says nothing.
    one_kept = (view.n_options > 0) & (view.n_options <= 1)
    return ~((view.n_legal <= 1) | (np.isnan(view.n_legal) & one_kept))


def _xg_choice(view):
    return _more_than_one(view) & ~(view.spread < XG_FORCED_SPREAD)


def _xg_close(view):
    near = (view.no_double > 0) & (view.no_double - view.double < XG_CLOSE)
    # No published figure decides ND <= 0; a missed double there is an error that XG sums, so it counts.
    return near | (view.error > 0)


def _gnubg_choice(view):
    return view.n_options > 1


def _gnubg_close(view):
    best = np.maximum(view.no_double, view.double)
    return best - np.minimum(view.take, 1.0) < GNUBG_CLOSE


def _blunderdb_choice(view):
    # Equal plays are no choice, once the analysis is known to cover every legal one.
    covered = view.flat & (view.n_options >= view.n_legal)
    return _more_than_one(view) & ~covered


def _blunderdb_close(view):
    return (view.no_double > 0) & (view.no_double - view.double < XG_CLOSE)


RULES = {
    rules.name: rules
    for rules in (
        RuleSet("xg", _xg_choice, _xg_close, "scored", (0.020, 0.080)),
        RuleSet(
            "gnubg", _gnubg_choice, _gnubg_close, "unforced", (0.03, 0.06, 0.12),
            strict=True, plays_only=True, rolls=False, beavers=False,
        ),
        RuleSet("blunderdb", _blunderdb_choice, _blunderdb_close, "counted", (0.050, 0.100), rounded=True),
    )
}  # fmt: skip

_OF_TOOL = {"XG": "xg", "gnuBG": "gnubg"}


def rule_set(rules):
    """Find a rule set by name; a `RuleSet` is returned as it is.

    Examples
    --------
    >>> rule_set("gnubg").thresholds
    (0.03, 0.06, 0.12)
    """
    if isinstance(rules, RuleSet):
        return rules
    if rules not in RULES:
        raise ValueError(f"no rules {rules!r}: choose from {', '.join(RULES)}")
    return RULES[rules]


def rules_of_tool(tool):
    """Rules of the tool that analysed a match; blunderdb's where it has none here."""
    return RULES[_OF_TOOL.get(tool, "blunderdb")]


def count(decisions, rules):
    """Set `forced` and `counted` by a rule set.

    Parameters
    ----------
    decisions : DataFrame
    rules : str or RuleSet
        "blunderdb" also rounds `error` to 0.001 (half away from zero) and blanks `loss` and `difficulty`
        where a row is not counted.

    Returns
    -------
    DataFrame
        A copy in the same order with the same index.

    Raises
    ------
    ValueError
        For unknown rules.

    Examples
    --------
    >>> import blunderlab as bl
    >>> d = bl.read(bl.datasets.path("paris-7pt")).decisions
    >>> {name: int(count(d, name)["counted"].sum()) for name in RULES}
    {'xg': 302, 'gnubg': 302, 'blunderdb': 302}
    """
    rules = rule_set(rules)
    view = View(decisions)
    counted = rules.counted(view)
    changed = {"forced": rules.forced(view), "counted": counted}
    if rules.rounded:
        changed["error"] = rules.error(view)
    if rules.summed == "counted":
        for name in ("loss", "difficulty"):
            changed[name] = decisions[name].where(counted)
    return decisions.assign(**changed)
