"""What the first page of the report says, as plain frames: files, matches, seats, players, costliest decisions."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from blunderlab import datasets, measure
from blunderlab.backgammon.record.same import same_matches
from blunderlab.errors import ReadError
from blunderlab.measure.intervals import grouped_interval
from blunderlab.measure.pr import FACTOR
from blunderlab.measure.rules import RULES, rules_of_tool
from blunderlab.readers.choose import read as read_one
from blunderlab.readers.many import expand, read_many
from blunderlab.report.equal import reconciled
from blunderlab.tables import Tables

__all__ = ["FEW", "SHOWN", "Reading", "Summary", "read", "summarise"]

FEW = 6  # matches that each have a card and boards of their own; more share one table
SHOWN = 3  # boards of a match, or of all of them
_SEAT = ["match_id", "seat"]
_PLACEHOLDERS = ("seat 0", "seat 1")  # shipped tables call players by their seat: no two are one
_RATES = ["n_decisions", "n_moves", "error_total", "loss_total", "pr", "pr_low", "pr_high", "n_errors",
          "n_blunders", "luck", "n_luck"]  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """What was read for a report.

    Attributes
    ----------
    paths : tuple of str
        As the user named them; empty for the shipped data.
    tables : Tables
    failures : tuple of ReadError
        The error of each file when none could be read, else empty: then they are in `tables.problems`.
    """

    paths: tuple
    tables: Tables
    failures: tuple = ()


@dataclass(frozen=True)
class Summary:
    """What the first page says.

    Attributes
    ----------
    paths : tuple of str
    files : list of str
        Files that were read, in order.
    failed : DataFrame
        path and reason of every file that was not.
    problems : DataFrame
        path, code, n, message (of the first): what could not be read or believed inside files.
    same : DataFrame
        path, other, kept: the same match twice; not kept = the same bytes, read once.
    matches : DataFrame
        The matches table with place (from 1), rules, n_scored, analysed, once (False = the same match as one
        that stands for both), and n, n_within, n_not_finite, reason of `equal.reconciled`.
    seats : DataFrame
        Two rows a match: the figures of a player by the rules of the match's tool.
    players : DataFrame
        Players of two matches or more: PR over their matches, each match once.
    costliest : DataFrame
        Rows of decisions to draw: three a match when there are few matches, else three of all; `by` is the
        column they are ranked by ("loss", or "error" where something has no price).
    """

    paths: tuple
    files: list
    failed: pd.DataFrame
    problems: pd.DataFrame
    same: pd.DataFrame
    matches: pd.DataFrame
    seats: pd.DataFrame
    players: pd.DataFrame
    costliest: pd.DataFrame


def read(paths=(), progress=False):
    """Read files, folders and globs, or the shipped data when there are none.

    Examples
    --------
    >>> len(read().tables.matches)
    6
    """
    paths = tuple(str(p) for p in paths)
    if not paths:
        names = datasets.list().query("kind == 'shipped'")["name"]
        analysed = names[~names.str.endswith(".mat")]
        return Reading((), Tables.concat(read_one(datasets.path(name)) for name in analysed))
    try:
        return Reading(paths, read_many(paths, progress=progress))
    except ReadError as error:
        return Reading(paths, Tables.build(), tuple(_each_error(paths)) or (error,))


def summarise(reading):
    """Work out what the first page says.

    Parameters
    ----------
    reading : Reading

    Returns
    -------
    Summary

    Examples
    --------
    >>> import blunderlab as bl
    >>> told = summarise(Reading((), bl.datasets.tables("aachen-double-7pt")))
    >>> told.seats[["n_decisions", "pr", "loss"]].round(4).values.tolist()
    [[156.0, 3.128, 0.1985], [161.0, 3.0699, 0.1439]]
    """
    t = reading.tables
    pairs = same_matches(t, seats=False)
    matches = _matches(t, pairs)
    seats = _seats(t, matches)
    known = seats.groupby("match_id")["n_luck"].max().gt(0)
    matches["analysed"] = (matches["n_scored"] > 0) | matches["match_id"].map(known).astype(bool)
    return Summary(
        paths=reading.paths,
        files=list(dict.fromkeys(matches["path"].dropna())),
        failed=_failed(t.problems, reading.failures),
        problems=_problems(t.problems),
        same=_same(t, pairs),
        matches=matches,
        seats=seats,
        players=_players(seats, matches),
        costliest=_costliest(t.decisions, matches),
    )


def _each_error(paths):
    """The error of each file, one by one; nothing here could be read."""
    try:
        files = expand(paths)
    except ReadError:
        return
    for path in files:
        try:
            read_one(path)
        except ReadError as error:
            yield error


def _failed(problems, failures):
    """Files that could not be read, with the reason."""
    off = problems[problems["code"] == "unreadable"]
    rows = [*zip(off["path"], off["message"].str.removeprefix("unknown: "), strict=True)]
    rows += [(error.path, error.reason) for error in failures]
    return pd.DataFrame(rows, columns=["path", "reason"])


def _problems(problems):
    """Troubles inside files, counted by kind; whole files and repeated matches are told elsewhere."""
    inside = problems[~problems["code"].isin(["unreadable", "same_match"])]
    kinds = inside.groupby(["path", "code"], sort=False, dropna=False)
    return kinds.agg(n=("code", "size"), message=("message", "first")).reset_index()


def _same(t, pairs):
    """The same match in two files; each is named with the first file that has it."""
    path = dict(zip(t.matches["match_id"], t.matches["path"], strict=True))
    first = pairs.drop_duplicates("match_id_b")
    kept = pd.DataFrame(
        {
            "path": first["match_id_b"].map(path),
            "other": first["match_id_a"].map(path),
            "kept": True,
        }
    )
    # What read_many notes of a match that is in no pair has the bytes of one read before.
    again = t.problems[t.problems["code"] == "same_match"]
    again = again[~again["match_id"].isin(first["match_id_b"])]
    once = pd.DataFrame(
        {"path": again["path"], "other": again["match_id"].map(path), "kept": False}
    )
    return pd.concat([part for part in (kept, once) if len(part)] or [kept], ignore_index=True)


def _matches(t, pairs):
    """One row a match in the order of reading."""
    out = t.matches.drop_duplicates("match_id", ignore_index=True)
    out["place"] = np.arange(1, len(out) + 1)
    out["rules"] = [rules_of_tool(tool).name for tool in out["tool"]]
    scored = t.decisions.loc[t.decisions["scored"], "match_id"].value_counts()
    out["n_scored"] = out["match_id"].map(scored).fillna(0).astype("int64")
    first = pairs.drop_duplicates("match_id_b")
    first = dict(zip(first["match_id_b"], first["match_id_a"], strict=True))
    group = [first.get(match, match) for match in out["match_id"]]
    # Of the same match in several files the first that is analysed stands for all.
    order = out.assign(group=group, bare=out["n_scored"] == 0).sort_values(["bare", "place"])
    out["once"] = ~order.duplicated("group").reindex(out.index)
    return out.merge(reconciled(t), on="match_id", how="left")


def _seats(t, matches):
    """Both seats of every match with their figures; what is unknown is NA."""
    both = pd.concat(
        [matches.assign(seat=seat, player=matches[f"player{seat}"]) for seat in (0, 1)]
    )
    both = both.sort_values(["place", "seat"], ignore_index=True)
    both = both[[*_SEAT, "player", "place", "rules", "length", "winner"]].astype({"seat": "Int16"})
    rated = [
        _rated(t.decisions[t.decisions["match_id"].isin(of["match_id"])], rules)
        for rules, of in matches.groupby("rules")
    ]
    out = both
    if rated:
        out = both.merge(pd.concat(rated), on=_SEAT, how="left")
        out = out.merge(measure.result(t), on=_SEAT, how="left")
    out = out.reindex(columns=[*both, *_RATES, "n_games", "l7", "n_unpriced", "luck_loss", "opponent_luck_loss",
                               "luck_adjusted", "coverage", "n_rolls"])  # fmt: skip
    out["loss"] = out.pop("loss_total")
    return _with_net_luck(out)


def _rated(decisions, rules):
    """Rates by match and seat under one rule set, L₇, and the games that an interval is over."""
    out = measure.rates(decisions, rules, by=_SEAT)[[*_SEAT, *_RATES]]
    games = measure.rates(decisions, rules, by=[*_SEAT, "game"])
    games = games[(games["n_decisions"] > 0) | (games["error_total"] > 0)]
    out = out.merge(games.groupby(_SEAT).size().rename("n_games").reset_index(), "left", on=_SEAT)
    out["n_games"] = out["n_games"].fillna(0)
    strength = measure.strength(decisions, by=_SEAT, rules=rules)
    return out.merge(strength[[*_SEAT, "l7", "n_unpriced"]], on=_SEAT, how="left")


def _with_net_luck(seats):
    """Own luck less the opponent's: in chances to win, in points for money, in equity where no price is known."""
    rolls = seats["n_rolls"].fillna(0)
    seats["net_luck"] = (seats["luck_loss"] - seats["opponent_luck_loss"]).where(rolls > 0)
    seats["luck_unit"] = np.where(seats["length"].isna(), "points", "mwc")
    known = (seats["coverage"] * rolls).round().fillna(0)
    # Rows 2i and 2i + 1 are the seats of one match.
    other = np.arange(len(seats)) ^ 1
    n_both = (
        seats["n_luck"].fillna(0).to_numpy(float) + seats["n_luck"].fillna(0).to_numpy(float)[other]
    )
    luck = seats["luck"].to_numpy(float)
    bare = (seats["net_luck"].isna() & (n_both > 0)).to_numpy()
    seats.loc[bare, "net_luck"] = (luck - luck[other])[bare]
    seats.loc[bare, "luck_unit"] = "equity"
    seats["n_luck"] = np.where(bare, n_both, known).astype("int64")
    seats["n_rolls"] = rolls.astype("int64")
    return seats.drop(columns=["luck", "luck_loss", "opponent_luck_loss", "coverage"])


def _players(seats, matches):
    """PR over the matches of each player who is in two or more, each counted by its own tool's rules."""
    once = seats[seats["match_id"].isin(matches.loc[matches["once"], "match_id"])]
    named = once[once["player"].fillna("").ne("") & ~once["player"].isin(_PLACEHOLDERS)]
    named = named[named.groupby("player")["match_id"].transform("nunique") > 1]
    group, names = pd.factorize(named["player"], sort=True)
    n = named["n_decisions"].fillna(0).to_numpy(float)
    # A seat without a counted decision is no unit of the interval.
    error = named["error_total"].to_numpy(float)
    pr, low, high = (FACTOR * x for x in grouped_interval(error, n, group, len(names)))
    rules = named[n > 0].groupby("player")["rules"].agg(lambda r: [x for x in RULES if x in set(r)])
    out = pd.DataFrame(
        {
            "player": names,
            "n_matches": np.bincount(group, minlength=len(names)),
            "n_analysed": np.bincount(group, n > 0, len(names)).astype("int64"),
            "n_decisions": np.bincount(group, n, len(names)).astype("int64"),
            "pr": pr,
            "pr_low": low,
            "pr_high": high,
        }
    )
    out["rules"] = out["player"].map(rules)
    return out.sort_values(["n_matches", "player"], ascending=[False, True], ignore_index=True)


def _costliest(decisions, matches):
    """The costliest decisions: of each match when there are few, else of all, the same match once."""
    wrong = decisions[(decisions["error"] > 0) & decisions["position"].notna()]
    place = wrong["match_id"].map(matches.set_index("match_id")["place"])
    group = place
    if len(matches) > FEW:
        wrong = wrong[wrong["match_id"].isin(matches.loc[matches["once"], "match_id"])]
        place = place.loc[wrong.index]
        group = place * 0
    # One unit a ranking: where one error of it has no price, all are ranked in equity.
    priced = wrong["loss"].notna().groupby(group).transform("all")
    cost = wrong["loss"].where(priced, wrong["error"])
    rows = wrong.assign(place=place, group=group, cost=cost, by=np.where(priced, "loss", "error"))
    rows = rows.sort_values(["group", "cost", "place", "decision"], ascending=[True, False, True, True])  # fmt: skip
    return rows.groupby("group").head(SHOWN).drop(columns=["group", "cost"]).reset_index(drop=True)
