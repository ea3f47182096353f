"""PR, Snowie, luck and their parts, under a named rule set."""

import numpy as np
import pandas as pd

from blunderlab.measure.groups import (
    Codes,
    codes_of,
    combined,
    interval_units,
    joint,
    keys_of,
    numbered,
    whole,
)
from blunderlab.measure.intervals import grouped_interval
from blunderlab.measure.rules import KINDS_OF, View, rule_set
from blunderlab.tables.columns import floats
from blunderlab.tables.schema import KINDS

__all__ = ["FACTOR", "rates"]

FACTOR = 500  # of PR and Snowie's rate: equity a decision, in thousandths, halved
_PARTS = tuple(KINDS_OF)
_UNIT = ["match_id", "game"]
_SUMS = {"luck", "luck_loss"}  # columns of both frames
_KIND_BITS = 3  # of a kind, a missing one is 0
_BYTE = 8
_DENSE = 1 << 16


def rates(decisions, rules="xg", by=("player",), player=None, thresholds=None):
    """Count decisions and sum errors, losses and luck by a rule set.

    Parameters
    ----------
    decisions : DataFrame
        Any rows of the decisions table, in any order, with any index.
    rules : {"xg", "gnubg", "blunderdb"} or RuleSet
    by : str or sequence of str
        Columns to group by; none gives one row. NA is a group of its own.
    player : str or collection of str, optional
        Keep only these players' rows, after Snowie's denominator was taken from everybody's.
    thresholds : sequence of float, optional
        Error and blunder (gnubg: doubtful, bad, very bad) instead of the rule set's.

    Returns
    -------
    DataFrame
        A row a group, sorted by the keys, the keys first. Counts: n_checker, n_cube (doubles and counted no
        doubles), n_answer, n_decisions (PR's denominator), n_moves, n_double, n_take, n_pass, n_cube_total
        (every analysed cube decision). Sums: error_* in normalised equity, loss_* in match winning chances
        (fractions). pr with its 95 % interval pr_low, pr_high over the games of a single match, else over the
        matches (NaN under three). snowie = 500 Σe / moves of both sides. n_errors, n_blunders (errors include
        blunders; gnubg: n_doubtful beside; NA where nothing is scored). luck and luck_loss over the n_luck rolls whose luck is known. A sum
        with nothing known in it is NaN.

    Raises
    ------
    ValueError
        For unknown rules, columns that are not there, or a wrong number of thresholds.

    Examples
    --------
    >>> import blunderlab as bl
    >>> rates(bl.Tables.build().decisions)["pr"].tolist()
    []
    """
    rules = rule_set(rules)
    by = keys_of(decisions, by)
    limits = rules.thresholds if thresholds is None else tuple(np.atleast_1d(thresholds))
    if len(limits) != len(rules.thresholds):
        raise ValueError(f"{rules.name} has {len(rules.thresholds)} thresholds, not {len(limits)}")

    if clash := [name for name in by if name in _SUMS]:
        raise ValueError(f"{', '.join(clash)} is summed, so it cannot be a key")

    codes = {name: codes_of(decisions[name]) for name in dict.fromkeys([*by, *_UNIT])}
    view = View(decisions)
    # Whose moves Snowie's rate is about: both sides', of the match or of the game.
    field = combined([codes[name] for name in (_UNIT if "game" in by else _UNIT[:1])])
    both = np.bincount(field, _moved(view, rules))
    if player is not None:
        names = [player] if isinstance(player, str) else list(player)
        theirs = decisions["player"].isin(names).to_numpy(bool)
        decisions, field = decisions[theirs], field[theirs]
        codes = {name: one.of(theirs) for name, one in codes.items()}
        view = View(decisions)

    group, first = joint([codes[name] for name in by], len(decisions))
    keys = {name: codes[name].meaning(first) for name in by}
    keys = pd.DataFrame(keys, index=range(len(first)))
    order, keys = numbered(keys, by)
    group, n = order[group], len(keys)
    cell, first = joint([Codes(group, n), *(codes[name] for name in _UNIT)], len(group))
    at, field = group[first], field[first]
    error, counted = rules.error(view), rules.counted(view)
    summed = rules.in_sum(view, counted)
    sums = _sums(view, decisions, rules, limits, error, counted, summed, group, n)

    out = {}
    for name in ("n_checker", "n_cube", "n_answer"):
        out[name] = whole(sums[name])
    out["n_decisions"] = whole(sums["n_counted"])
    for name in ("n_moves", "n_double", "n_take", "n_pass", "n_cube_total"):
        out[name] = whole(sums[name])
    for value, known in (("error", "scored"), ("loss", "priced")):
        for part in _PARTS:
            # Nothing known: no row of this part has a value though there are rows, or no row at all has one.
            silent = (sums[f"{known}_{part}"] == 0) & (
                (sums[f"rows_{part}"] > 0) | (sums[f"{known}_total"] == 0)
            )
            out[f"{value}_{part}"] = np.where(silent, np.nan, sums[f"{value}_{part}"])
        silent = sums[f"{known}_total"] == 0
        out[f"{value}_total"] = np.where(silent, np.nan, sums[f"{value}_total"])

    error, count = (
        np.bincount(cell, x, len(first)) for x in (np.where(summed, error, 0.0), counted)
    )
    match, game = (codes[name].code[first] for name in _UNIT)
    ratio, low, high = _interval(at, match, game, error, count, n)
    out["pr"], out["pr_low"], out["pr_high"] = FACTOR * ratio, FACTOR * low, FACTOR * high
    pair = joint([Codes(at, n), Codes(field, len(both))], len(at))[1]
    moves = np.bincount(at[pair], both[field[pair]], n)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = FACTOR * sums["error_snowie"] / moves
    out["snowie"] = np.where((moves == 0) | (sums["scored_total"] == 0), np.nan, rate)
    nothing = sums["scored_total"] == 0
    for name in ("n_doubtful", "n_errors", "n_blunders")[3 - len(limits) :]:
        out[name] = pd.arrays.IntegerArray(whole(sums[name]), nothing)
    for name, known in (("luck", "n_luck"), ("luck_loss", "n_luck_loss")):
        out[name] = np.where(sums[known] == 0, np.nan, sums[name])
    out["n_luck"] = whole(sums["n_luck"])
    return pd.concat([keys, pd.DataFrame(out)], axis=1)


def _moved(view, rules):
    """Mask of the rows that are moves."""
    moved = view.is_kind("checker")
    return moved | view.kind("roll") if rules.rolls else moved


def _sums(view, decisions, rules, limits, error, counted, summed, group, n):
    """What each group comes to, by name; a missing value adds 0 and is not counted.

    Rows of one class (all that a count asks of a row) are counted at once, then each count adds up its classes.
    """
    loss, luck, luck_loss = (floats(decisions[name]) for name in ("loss", "luck", "luck_loss"))
    flags = {
        "counted": counted,
        "scored": view.scored,
        "summed": summed,
        "priced": view.scored & ~np.isnan(loss),
        "beaver": view.beaver,
        "luck": ~np.isnan(luck),
        "luck_loss": ~np.isnan(luck_loss),
        **{f"above{i}": error > x if rules.strict else error >= x for i, x in enumerate(limits)},
    }  # fmt: skip
    row_class, classes = _classes(view, flags)
    sorted_in = _Sorted(group, n, row_class, len(classes.kind_codes))
    rows = sorted_in.count()
    sums = {
        name: sorted_in.total(rows, mask)
        for name, mask in _counts(classes, rules, len(limits)).items()
    }
    moved = classes.kind("checker", "move") | (classes.kind("roll") & rules.rolls)
    for value, amounts, known in (("error", error, classes["summed"]),
                                  ("loss", loss, classes["summed"] & classes["priced"])):  # fmt: skip
        table = sorted_in.add(amounts)
        for part in _PARTS:
            sums[f"{value}_{part}"] = sorted_in.total(table, known & classes.kind(*KINDS_OF[part]))
        sums[f"{value}_total"] = sorted_in.total(table, known)
        if value == "error":
            whose = classes["scored"] if rules.summed == "counted" else known
            sums["error_snowie"] = sorted_in.total(table, whose)
    for name, amounts in (("luck", luck), ("luck_loss", luck_loss)):
        sums[name] = sorted_in.total(sorted_in.add(amounts), moved & classes[name])
    return sums


class _Sorted:
    """Rows sorted into groups and classes, to be counted or added up there once, and then in any union of classes.

    Parameters
    ----------
    group, row_class : ndarray of int, shape (rows,)
        Below n and width.
    """

    def __init__(self, group, n, row_class, width):
        self._n, self._width = n, width
        self._key = group * width + row_class
        self._places = None  # of the pairs that occur, where there are too many for a table of all
        if n * width > _DENSE + 4 * len(group):
            self._places, self._key = np.unique(self._key, return_inverse=True)

    def count(self):
        """How many rows each pair has."""
        return self.add(None)

    def add(self, amounts):
        """What each pair's amounts add up to; NaN where one is missing."""
        size = self._n * self._width if self._places is None else len(self._places)
        return np.bincount(self._key, amounts, size)

    def total(self, table, mask):
        """Of each group, over the classes of the mask, in which nothing is missing."""
        if self._places is None:
            return table.reshape(self._n, self._width)[:, mask].sum(axis=1)
        of_group, of_class = np.divmod(self._places, self._width)
        return np.bincount(of_group, np.where(mask[of_class], table, 0), self._n)


class _Classes:
    """The classes of rows that occur: what `View` says of a row's kind, and the flags, one entry a class."""

    def __init__(self, kind_codes, flags):
        self.kind_codes, self.flags = kind_codes, flags

    def __getitem__(self, name):
        return self.flags[name]

    def kind(self, *names):
        """Mask of some kinds."""
        return np.isin(self.kind_codes, [KINDS.index(name) for name in names])


def _classes(view, flags):
    """The class of each row, and the classes."""
    low, high = (view.kind_codes + 1).astype(np.uint8), np.zeros(len(view.kind_codes), np.uint8)
    for bit, mask in enumerate(flags.values(), _KIND_BITS):
        byte = low if bit < _BYTE else high
        byte |= mask.view(np.uint8) << bit % _BYTE
    code = low | high.astype(np.uint16) << _BYTE
    present = np.flatnonzero(np.bincount(code, minlength=1))
    place = np.zeros(int(present.max(initial=0)) + 1, np.intp)
    place[present] = np.arange(len(present))
    named = {name: (present >> bit & 1).astype(bool) for bit, name in enumerate(flags, _KIND_BITS)}
    return place[code], _Classes((present & (1 << _KIND_BITS) - 1) - 1, named)


def _counts(classes, rules, n_limits):
    """Which classes each count counts."""
    of = {part: classes.kind(*KINDS_OF[part]) for part in _PARTS}
    counted, scored, priced = classes["counted"], classes["scored"], classes["priced"]
    takes = classes.kind("take")
    moved = of["checker"] | (classes.kind("roll") & rules.rolls)
    counts = {f"n_{part}": counted & mask for part, mask in of.items()}
    counts |= {
        "n_counted": counted,
        "n_moves": moved,
        "n_double": classes.kind("double"),
        "n_take": takes if rules.beavers else takes & ~classes["beaver"],
        "n_pass": classes.kind("pass"),
        "n_cube_total": scored & (of["cube"] | of["answer"]),
        "n_luck": moved & classes["luck"],
        "n_luck_loss": moved & classes["luck_loss"],
    }
    for part, mask in {**of, "total": np.ones(len(counted), bool)}.items():
        counts[f"rows_{part}"] = mask if rules.beavers else mask & ~classes["beaver"]
        counts[f"scored_{part}"] = mask & scored
        counts[f"priced_{part}"] = mask & priced
    classed = classes["summed"] & (of["checker"] if rules.plays_only else True)
    above = [classed & classes[f"above{i}"] for i in range(n_limits)]
    if n_limits == 3:
        counts["n_doubtful"] = above[0] & ~above[1]
    counts["n_errors"], counts["n_blunders"] = above[-2], above[-1]
    return counts


def _interval(group, match, game, error, count, n):
    """Errors a counted decision with their interval, from sums of each group, match and game."""
    unit = interval_units(match, game, group, n)
    size = int(unit.max(initial=-1)) + 1
    of_unit = np.zeros(size, np.intp)
    of_unit[unit] = group
    return grouped_interval(np.bincount(unit, error, size), np.bincount(unit, count, size), of_unit, n)
