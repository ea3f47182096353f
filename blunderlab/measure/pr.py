"""PR, Snowie, luck and their parts, under a named rule set."""

import numpy as np
import pandas as pd

from blunderlab.measure.groups import interval_units, keys_of, numbered, whole
from blunderlab.measure.intervals import grouped_interval
from blunderlab.measure.rules import KINDS_OF, View, rule_set

__all__ = ["FACTOR", "rates"]

FACTOR = 500  # of PR and Snowie's rate: equity a decision, in thousandths, halved
_PARTS = tuple(KINDS_OF)
_UNIT = ["match_id", "game"]
_FIELD = "\0field"  # no column of a caller has this name


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

    rows = _rows(decisions, rules, limits)
    if clash := [name for name in by if name in rows]:
        raise ValueError(f"{', '.join(clash)} is summed, so it cannot be a key")
    keys = decisions[list(dict.fromkeys([*by, *_UNIT]))].reset_index(drop=True)
    field = _UNIT if "game" in by else _UNIT[:1]  # whose moves Snowie's rate is about
    keys[_FIELD] = keys.groupby(field, dropna=False, sort=False).ngroup()
    both = np.bincount(keys[_FIELD], rows["n_moves"])
    table = pd.concat([keys, rows], axis=1)
    if player is not None:
        names = [player] if isinstance(player, str) else list(player)
        table = table[decisions["player"].isin(names).to_numpy()]

    cells = table.groupby(list(keys), dropna=False, observed=True, sort=False).sum().reset_index()
    group, out = numbered(cells, by)
    n = len(out)
    sums = {name: np.bincount(group, cells[name], n) for name in rows}

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

    match, game = (
        cells.groupby(name, dropna=False, sort=False).ngroup().to_numpy() for name in _UNIT
    )
    unit = interval_units(match, game, group, n)
    size = int(unit.max()) + 1 if len(unit) else 0
    of_unit = np.zeros(size, np.intp)
    of_unit[unit] = group
    ratio, low, high = grouped_interval(
        np.bincount(unit, cells["error_total"], size),
        np.bincount(unit, cells["n_counted"], size),
        of_unit,
        n,
    )
    out["pr"], out["pr_low"], out["pr_high"] = FACTOR * ratio, FACTOR * low, FACTOR * high
    fields = cells[[_FIELD]].assign(group=group).drop_duplicates()
    moves = np.bincount(fields["group"], both[fields[_FIELD]], n)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = FACTOR * sums["error_snowie"] / moves
    out["snowie"] = np.where((moves == 0) | (sums["scored_total"] == 0), np.nan, rate)
    nothing = sums["scored_total"] == 0
    for name in rows.filter(regex="^n_(doubtful|errors|blunders)$"):
        out[name] = pd.array(whole(sums[name]), "Int64")
        out.loc[nothing, name] = pd.NA
    for name, known in (("luck", "n_luck"), ("luck_loss", "n_luck_loss")):
        out[name] = np.where(sums[known] == 0, np.nan, sums[name])
    out["n_luck"] = whole(sums["n_luck"])
    return out


def _rows(decisions, rules, limits):
    """What each row adds to each sum, as floats; a missing value adds 0 and is not counted."""
    view = View(decisions)
    error = rules.error(view)
    counted = rules.counted(view)
    summed = rules.in_sum(view, counted)
    loss = decisions["loss"].to_numpy(float)
    luck, luck_loss = decisions["luck"].to_numpy(float), decisions["luck_loss"].to_numpy(float)
    moved = view.is_kind("checker") | (view.kind("roll") & rules.rolls)
    part_of = {part: view.is_kind(part) for part in _PARTS}

    rows = {f"n_{part}": counted & mask for part, mask in part_of.items()}
    rows |= {
        "n_counted": counted,
        "n_moves": moved,
        "n_double": view.kind("double"),
        "n_take": rules.takes(view),
        "n_pass": view.kind("pass"),
        "n_cube_total": view.scored & (part_of["cube"] | part_of["answer"]),
        "error_snowie": np.where(view.scored if rules.summed == "counted" else summed, error, 0.0),
    }
    priced = view.scored & ~np.isnan(loss)
    for part, mask in {**part_of, "total": np.ones(len(error), bool)}.items():
        rows[f"rows_{part}"] = mask if rules.beavers else mask & ~view.beaver
        rows[f"scored_{part}"] = mask & view.scored
        rows[f"priced_{part}"] = mask & priced
        rows[f"error_{part}"] = np.where(mask & summed, error, 0.0)
        rows[f"loss_{part}"] = np.where(mask & summed & priced, loss, 0.0)
    classed = summed & (part_of["checker"] if rules.plays_only else True)
    above = [classed & (error > x if rules.strict else error >= x) for x in limits]
    if len(above) == 3:
        rows["n_doubtful"] = above[0] & ~above[1]
    rows["n_errors"], rows["n_blunders"] = above[-2], above[-1]
    for name, values in (("luck", luck), ("luck_loss", luck_loss)):
        known = moved & ~np.isnan(values)
        rows[name] = np.where(known, values, 0.0)
        rows[f"n_{name}"] = known
    return pd.DataFrame(
        {name: np.asarray(values, float) for name, values in rows.items()}, copy=False
    )
