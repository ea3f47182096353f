"""L₇ and Elo against the engine: losses of matches of any length as those of a match to 7."""

import numpy as np
import pandas as pd

from blunderlab.measure.groups import interval_units, keys_of, numbered, whole
from blunderlab.measure.intervals import grouped_interval
from blunderlab.measure.rules import View, rule_set

__all__ = ["elo_is_floored", "elo_vs_engine", "floats", "l7", "strength"]

LENGTH = 7  # the match that every loss is brought to
LONGEST = 64  # points; longer matches have no price
ELO_SCALE = 2000  # of the backgammon rating formula: p = 1 / (1 + 10^(−D√N/2000))
LEAST_CHANCE = 0.01  # to win against the engine; below it Elo is not told

_KEYS = ["match_id", "game", "seat", "match_length"]


def l7(loss, length):
    """Loss of a match, brought to a match to 7.

    L₇ = L √(7/N).

    Parameters
    ----------
    loss : float or array_like
        Sum of a player's losses in the match, in chances to win it (fractions).
    length : float or array_like
        Points N of the match.

    Returns
    -------
    float or ndarray
        NaN where the length is not 1 … 64 or unknown (money has none), or the loss is unknown.

    Examples
    --------
    >>> l7(0.2, 25).round(7)
    np.float64(0.1058301)
    >>> l7(0.2, 65)
    np.float64(nan)
    """
    loss, length = floats(loss), floats(length)
    fits = _has_l7(length)
    return np.where(fits, loss * np.sqrt(LENGTH / np.where(fits, length, 1)), np.nan)[()]


def elo_vs_engine(l7):
    """Elo difference to the engine that analysed, which an L₇ comes to in a match to 7.

    D = (2000/√7) log₁₀(q/(1−q)), q = 0.5 − L₇ the chance to win against it; the engine's own play costs nothing by
    its own measure.

    Parameters
    ----------
    l7 : float or array_like

    Returns
    -------
    float or ndarray
        0 or below. q is at least 0.01, so that D ≥ −1508.6: `elo_is_floored` says where. NaN stays NaN.

    Examples
    --------
    >>> elo_vs_engine([0.1, 0.3003]).round(4)
    array([-133.1125, -455.7305])
    """
    chance = np.clip(0.5 - floats(l7), LEAST_CHANCE, 0.5)
    return (ELO_SCALE / np.sqrt(LENGTH) * np.log10(chance / (1 - chance)))[()]


def elo_is_floored(l7):
    """Whether the true Elo lies below what `elo_vs_engine` tells, to be shown with "≤".

    Parameters
    ----------
    l7 : float or array_like

    Returns
    -------
    bool or ndarray of bool
        L₇ > 0.49; False where it is unknown.

    Examples
    --------
    >>> elo_is_floored([0.49, 0.4901, None])
    array([False,  True, False])
    """
    return (floats(l7) > 0.5 - LEAST_CHANCE)[()]


def strength(decisions, by=("player",), rules="xg"):
    """L₇ of each group with its interval, and Elo against the engine.

    L₇ = √7 ΣL / Σ√N over the matches of the group; both seats of a match each weigh √N, and are one unit of the
    interval.

    Parameters
    ----------
    decisions : DataFrame
        Derived rows of the decisions table, in any order, with any index.
    by : str or sequence of str
        Columns to group by; none gives one row. NA is a group of its own.
    rules : {"xg", "gnubg", "blunderdb"} or RuleSet
        Whose losses are summed and what is counted, as in `rates`.

    Returns
    -------
    DataFrame
        A row a group, sorted by the keys, the keys first. n_matches and n_seats (of these matches: what √N is summed
        over) with a known loss; n_decisions, counted and priced, and n_unpriced, counted but without a part in L₇
        (money, a length beyond 1 … 64, a table of match equities that is not known; chess and shogi have no
        length); loss (ΣL, fraction of a match); l7 with its 95 % interval l7_low, l7_high over the games of a
        single match, else over the matches (NaN under three); elo, elo_low, elo_high (the low Elo is that of the
        high L₇) and elo_floored (NA without L₇). NaN where no loss is known.

    Raises
    ------
    ValueError
        For unknown rules, or columns that are not there.

    Examples
    --------
    >>> import blunderlab as bl
    >>> d = bl.datasets.tables("aachen-double-7pt").decisions
    >>> strength(d, by="seat")[["seat", "n_decisions", "l7", "elo"]].round(4)
       seat  n_decisions      l7       elo
    0     0          156  0.1985 -275.8743
    1     1          161  0.1439 -194.4621
    """
    rules = rule_set(rules)
    by = keys_of(decisions, by)
    view = View(decisions)
    counted = rules.counted(view)
    loss, length = (decisions[name].to_numpy(float, na_value=np.nan) for name in ("loss", "match_length"))  # fmt: skip
    priced = view.scored & ~np.isnan(loss) & _has_l7(length)
    rows = pd.DataFrame(
        {
            "n_priced": priced,
            "n_decisions": counted & priced,
            "n_unpriced": counted & ~priced,
            "loss": np.where(priced & rules.in_sum(view, counted), loss, 0.0),
        },
        dtype=float,
    )
    keys = decisions[list(dict.fromkeys([*by, *_KEYS]))].reset_index(drop=True)
    clash = [name for name in by if name in rows]
    if clash:
        raise ValueError(f"{', '.join(clash)} is summed, so it cannot be a key")
    cells = (
        pd.concat([keys, rows], axis=1)
        .groupby(list(keys), dropna=False, observed=True, sort=False)
        .sum()
        .reset_index()
    )
    group, out = numbered(cells, by)
    n = len(out)

    known = (cells["n_priced"] > 0).to_numpy()
    cells_known, group_known = cells[known], group[known]
    match, game = (
        cells_known.groupby(name, dropna=False, sort=False).ngroup().to_numpy()
        for name in ("match_id", "game")
    )
    pair, pairs = pd.factorize(group_known.astype(np.int64) << 32 | match)
    seats = cells_known[["seat", "match_length"]].assign(pair=pair).drop_duplicates()
    weight = np.bincount(seats["pair"], np.sqrt(seats["match_length"].to_numpy(float)), len(pairs))
    out["n_matches"] = np.bincount(pairs >> 32, minlength=n)
    out["n_seats"] = np.bincount(pairs[seats["pair"]] >> 32, minlength=n)
    for name in ("n_decisions", "n_unpriced"):
        out[name] = whole(np.bincount(group, cells[name], n))
    out["loss"] = np.where(out["n_matches"] > 0, np.bincount(group, cells["loss"], n), np.nan)

    unit = interval_units(match, game, group_known, n)
    size = int(unit.max(initial=-1)) + 1
    of_unit, pair_of = np.zeros(size, np.intp), np.zeros(size, np.intp)
    of_unit[unit], pair_of[unit] = group_known, pair
    # The games of a single match share its weight: their sum then has the interval of a sum of G games.
    share = weight / np.bincount(pair_of, minlength=len(pairs))
    found = grouped_interval(
        np.bincount(unit, cells_known["loss"], size), share[pair_of], of_unit, n
    )
    out["l7"], out["l7_low"], out["l7_high"] = (np.sqrt(LENGTH) * x for x in found)
    for name, of in (("elo", "l7"), ("elo_low", "l7_high"), ("elo_high", "l7_low")):
        out[name] = elo_vs_engine(out[of])
    floored = pd.array(elo_is_floored(out["l7"]), "boolean")
    floored[out["l7"].isna().to_numpy()] = pd.NA
    out["elo_floored"] = floored
    return out


def _has_l7(length):
    return (length >= 1) & (length <= LONGEST)


def floats(values):
    """Numbers as an array of floats, whatever stands for a missing one."""
    if hasattr(values, "to_numpy"):
        return values.to_numpy(float, na_value=np.nan)
    return np.asarray(np.nan if values is pd.NA else values, float)
