"""Our figures beside theirs, with the difference that is allowed and why it is exceeded."""

from dataclasses import replace

import numpy as np
import pandas as pd

from blunderlab.measure.pr import FACTOR, rates
from blunderlab.measure.rules import View, rule_set, rules_of_tool
from blunderlab.pricing import derive
from blunderlab.reconcile.figures import evaluate, formula, kind, rate_columns, theirs, with_totals
from blunderlab.reconcile.tolerance import CLASSES, met_of, near_thresholds, with_slack
from blunderlab.tables import empty

__all__ = ["compare"]

_NOISE = 1e-9  # of binary sums; far below every printed digit
_COLUMNS = [
    "match_id", "game", "seat", "player", "name", "ours", "theirs", "difference", "tolerance", "within",
    "reason", "tool",
]  # fmt: skip


def compare(t, rules, figures=None):
    """Set our figures beside those that another program printed.

    Parameters
    ----------
    t : Tables
        Rows in any order, with any index. They are priced anew with the table of match equities of the tool that
        `rules` names.
    rules : {"xg", "gnubg", "blunderdb"} or RuleSet
    figures : DataFrame, dict, str or Path, optional
        Theirs; `t.figures` when left out. A frame has the columns of the `figures` table, its values in the unit
        of `measure.rates` (losses are fractions); match_id may be left out where `t` holds one match, and game,
        tool and digits where unknown. A dict, or the path of a JSON file, is what a window shows of one match: see
        `typed`. A `name` is a column of `measure.rates`, columns joined by + or -, or a quotient of such sums with
        an optional factor, ``500*error_checker/n_checker``.

    Returns
    -------
    DataFrame
        One row a game, seat and figure where the source prints games, then one a match: match_id, game (NA = the
        match), seat, player, name, ours, theirs, difference (ours − theirs), tolerance, within (bool), reason,
        tool. The figure of a match whose games alone are printed is the sum of theirs (counts, errors, losses,
        luck); rates are not added up, and neither is a match of which a game played lacks the figure.

        tolerance is 0 for counts. Else it is half the last printed digit and, where the record keeps decimals
        (SGF), half the last stored digit of each value summed, in the figure's unit: two an error, none where the
        best option was chosen. A count of errors may part by the errors that lie within a stored digit of its
        threshold; `reason` names them. Where a row is not within, `reason` says what is known: decisions without
        analysis, the tool's version, the format, the table of match equities. Else it is empty.

        A figure of theirs that is not finite is not compared: it has no row. Nor has one that is missing here
        where theirs is 0 (a sum of nothing) or a loss in a money game; where theirs is something, the row is not
        within.

    Raises
    ------
    SchemaError
        When there are no figures, or one of them has a name or a match that is not there.
    ReadError
        When the JSON file cannot be read.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables("aachen-double-7pt")
    >>> row = compare(t, "xg", {"seat0": {"pr": 3.31}}).iloc[0]
    >>> f"{row['ours']:.4f} for {row['theirs']}, {row['within']}: {row['reason']}"
    '3.1280 for 3.31, False: XG 30; format xg; priced by kazaross-xg2'
    """
    rules = rule_set(rules)
    given = with_totals(theirs(t, rules, figures), t.decisions)
    given = given[np.isfinite(given["theirs"])]
    decisions = _priced(t, rules)
    slack = with_slack(decisions, t.matches, rules)
    near = near_thresholds(decisions, slack["error"].to_numpy(), rules)
    of_game = given["game"].notna()
    parts = (
        (["match_id", "game", "seat"], given[of_game]),
        (["match_id", "seat"], given[~of_game]),
    )
    rows = pd.concat(
        [
            _beside(part, keys, decisions, slack, near, rules)
            for keys, part in parts
            if len(part) or keys[1] == "seat"
        ]
    )
    match = t.matches.set_index("match_id").reindex(rows["match_id"])
    rows["player"] = match["player0"].where((rows["seat"] == 0).to_numpy(), match["player1"]).array
    no_price = match["length"].isna().to_numpy() & rows["name"].str.contains("loss").to_numpy()
    rows = rows[rows["ours"].notna() | ((rows["theirs"] != 0) & ~no_price)]
    rows = _ordered(rows, t.matches)
    rows["difference"] = rows["ours"] - rows["theirs"]
    rows["within"] = (rows["difference"].abs() <= rows["tolerance"] + _NOISE).to_numpy(bool)
    rows["reason"] = _reasons(rows, t.matches, rules)
    return rows[_COLUMNS]


def _priced(t, rules):
    """The decisions, their losses at the table of match equities of the rules' tool."""
    # A price needs no options; without them a part of the decisions can be priced, too.
    again = derive(replace(t, options=empty("options")), met=met_of(rules)).decisions
    priced = {name: again[name].to_numpy() for name in ("loss", "luck_loss")}
    return t.decisions.assign(**priced).reset_index(drop=True)


def _beside(given, keys, decisions, slack, near, rules):
    """Ours and the tolerance beside each of their figures, and what a reason may need."""
    ours = given[keys].merge(rates(decisions, rules, by=keys), how="left", on=keys)
    counts = [column for column in ours if column.startswith("n_")]
    ours[counts] = ours[counts].fillna(0)  # a side that never moved
    off = given[keys].merge(
        rates(slack, replace(rules, rounded=False), by=keys), how="left", on=keys
    )
    off[counts] = ours[counts]
    off["pr"] = FACTOR * off["error_total"] / off["n_decisions"].where(off["n_decisions"] > 0)

    n = len(given)
    value, tolerance, words = (
        np.full(n, np.nan),
        given["half"].to_numpy(copy=True),
        np.full(n, "", object),
    )
    for name in given["name"].unique():
        mine = (given["name"] == name).to_numpy()
        value[mine] = evaluate(name, ours)[mine]
        if kind(name, rules) != "count":
            tolerance[mine] += np.nan_to_num(evaluate(name, off, tolerance=True)[mine])
            continue
        edges = {edge for column in formula(name)[0] for edge in CLASSES.get(column, ())}
        tolerance[mine] = 0
        of_name = near[near["edge"].isin(edges)]
        if len(of_name):
            of_name = of_name.groupby(keys)["words"].agg(["size", "; ".join])
            found = given.loc[mine, keys].merge(of_name, how="left", left_on=keys, right_index=True)
            tolerance[mine] = found["size"].fillna(0)
            words[mine] = found["join"].fillna("")
    rows = given.assign(ours=value, tolerance=tolerance, near=words)
    return rows.merge(_left_out(decisions, keys), how="left", on=keys)


def _left_out(decisions, keys):
    """How many decisions of each group have no error, break the rules or have no price."""
    view = View(decisions)
    choice = ~view.kind("roll") & ~view.illegal & ~(view.n_legal <= 1)
    return (
        decisions[keys]
        .assign(
            unscored=choice & ~view.scored,
            illegal=view.illegal,
            unpriced=view.scored & decisions["loss"].isna(),
        )
        .groupby(keys, as_index=False)
        .sum()
    )


def _ordered(rows, matches):
    """By match as in `matches`, game (the match last), seat, and figure as in `rates`."""
    places = {name: rate_columns()[next(iter(formula(name)[0]))] for name in rows["name"].unique()}
    match = pd.Series(np.arange(len(matches)), index=matches["match_id"].array)
    order = rows.assign(match=rows["match_id"].map(match), place=rows["name"].map(places))
    return order.sort_values(["match", "game", "seat", "place", "name", "tool"], ignore_index=True)


def _reasons(rows, matches, rules):
    """Why a row is not within, as far as it is known; which errors part a count that is."""
    parted = rows["within"] & (rows["difference"] != 0)
    reasons = rows["near"].where(parted, "").to_numpy(object, copy=True)
    off = rows[~rows["within"]]
    facts = {
        match.match_id: list(_facts(match, rules))
        for match in matches[matches["match_id"].isin(off["match_id"])].itertuples()
    }
    reasons[off.index] = [
        "; ".join(filter(None, [*_causes(row, rules), *facts[row.match_id]]))
        for row in off.itertuples()
    ]
    return pd.array(reasons, dtype="str")


def _causes(row, rules):
    if np.isnan(row.ours):
        yield "nothing of it is known here"
    if not pd.isna(row.tool) and rules_of_tool(row.tool).name != rules.name:
        yield f"printed by {row.tool}, counted by the rules of {rules.name}"
    for number, words in (
        (row.unscored, "decisions without analysis"),
        (row.illegal, "illegal plays, which have no error"),
        (row.unpriced if "loss" in row.name else 0, "scored decisions without a price"),
    ):
        if number > 0:
            yield f"{words}: {number:.0f}"
    yield row.near


def _facts(match, rules):
    """What is known of a match's analysis: tool and version, format, table of match equities."""
    tool = "" if pd.isna(match.tool) else match.tool
    yield f"{tool} {'' if pd.isna(match.version) else match.version}".strip()
    if not pd.isna(match.format):
        kept = " (it keeps no alternatives of forced plays)" if match.format == "sgf" else ""
        yield f"format {match.format}{kept}"
    used = met_of(rules).name
    yield f"priced by {used}"
    if not pd.isna(match.met) and match.met != used:
        yield f"analysed under {match.met}"
