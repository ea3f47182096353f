"""What a match would have been without the dice."""

import numpy as np
import pandas as pd

from blunderlab import met as tables_of_equity
from blunderlab.measure.rules import rules_of_tool

__all__ = ["result"]


def result(t, met="kazaross-xg2"):
    """Luck-adjusted result of every match, seen from both seats.

    luck_adjusted = (1 if won else 0) − MWC at the start − own luck + opponent's luck, each roll priced at its
    own score and cube, as the tool that analysed the match counts rolls. Money: points won − own luck + opponent's luck, in points, as gnuBG shows it.

    Parameters
    ----------
    t : Tables
        Derived (see `blunderlab.derive`); backgammon matches only, others are left out.
    met : str or MatchEquity
        Gives the MWC at the start; 0.5 at an even score whatever the table.

    Returns
    -------
    DataFrame
        Two rows a match, by match_id and seat: luck_loss and opponent_luck_loss (sums over the rolls whose luck
        is known; NaN where none is), luck_adjusted (NaN when unfinished or without luck), error_balance
        (opponent's losses − own; NaN where nothing is scored), coverage (rolls with known luck / rolls) and
        n_rolls. In fractions of a match; money in points.

    Examples
    --------
    >>> import blunderlab as bl
    >>> len(result(bl.Tables.build()))
    0
    """
    d = t.decisions[t.decisions["discipline"] == "backgammon"]
    money = d["match_length"].isna().to_numpy()
    cube = d["cube"].to_numpy(float, na_value=np.nan)
    rolled = d["kind"].eq("checker") | (d["kind"].eq("roll") & _counts_rolls(d, t.matches))
    rolled = rolled.to_numpy(bool)
    luck = np.where(money, d["luck"].to_numpy(float) * cube, d["luck_loss"].to_numpy(float))
    loss = np.where(money, d["error"].to_numpy(float) * cube, d["loss"].to_numpy(float))
    known = rolled & ~np.isnan(luck)
    seats = (
        pd.DataFrame(
            {
                "match_id": d["match_id"].to_numpy(),
                "seat": d["seat"].to_numpy(),
                "luck": np.where(known, luck, 0),
                "n_luck": known,
                "n_rolls": rolled,
                "loss": np.nan_to_num(loss),
                "n_loss": ~np.isnan(loss),
            }
        )
        .groupby(["match_id", "seat"])
        .sum()
    )
    matches = t.matches[t.matches["match_id"].isin(d["match_id"])]
    both = pd.MultiIndex.from_product(
        [sorted(matches["match_id"]), [0, 1]], names=["match_id", "seat"]
    )
    seats = seats.reindex(both, fill_value=0)
    other = seats.rename(index={0: 1, 1: 0}, level="seat").reindex(both)
    out = pd.DataFrame(index=both)
    # Without a roll there was no luck, which is known; with rolls and no known luck it is unknown.
    out["luck_loss"] = seats["luck"].where((seats["n_luck"] > 0) | (seats["n_rolls"] == 0))
    out["opponent_luck_loss"] = other["luck"].where((other["n_luck"] > 0) | (other["n_rolls"] == 0))
    won = _outcome(t, matches, both, met)
    out["luck_adjusted"] = won - out["luck_loss"] + out["opponent_luck_loss"]
    scored = seats["n_loss"] + other["n_loss"]
    out["error_balance"] = (other["loss"] - seats["loss"]).where(scored > 0)
    rolls = seats["n_rolls"] + other["n_rolls"]
    out["coverage"] = (seats["n_luck"] + other["n_luck"]) / rolls.where(rolls > 0)
    out["n_rolls"] = rolls.astype(np.int64)
    return out.reset_index().astype({"match_id": "str"})


def _counts_rolls(d, matches):
    """Whether the tool of each row's match counts a roll that was never played (gnuBG does not)."""
    of_match = {
        m: rules_of_tool(tool).rolls
        for m, tool in zip(matches["match_id"], matches["tool"], strict=True)
    }
    return d["match_id"].map(of_match).astype(bool)


def _outcome(t, matches, both, met):
    """Result less what was expected, by match and seat; NaN when unfinished."""
    games = t.games[t.games["match_id"].isin(matches["match_id"])]
    start = games.sort_values("game").groupby("match_id").first()
    start = start.reindex(matches["match_id"])
    length = matches["length"].to_numpy(float, na_value=np.nan)
    away = [length - start[f"score{seat}"].to_numpy(float, na_value=np.nan) for seat in (0, 1)]
    before = tables_of_equity.load(met).mwc(
        away[0], away[1], start["crawford"].astype("str").fillna("none")
    )
    won = matches["winner"].to_numpy(float, na_value=np.nan)
    first = np.where(np.isnan(won), np.nan, 1 - won) - before
    ended = (
        games.groupby("match_id")["winner"]
        .apply(lambda w: w.notna().all())
        .reindex(matches["match_id"])
    )
    points = games.pivot_table(index="match_id", columns="winner", values="points", aggfunc="sum")
    points = points.reindex(index=matches["match_id"], columns=[0, 1], fill_value=0).fillna(0)
    net = np.where(ended, points[0].to_numpy(float) - points[1].to_numpy(float), np.nan)
    first = np.where(np.isnan(length), net, first)
    one = pd.Series(first, index=pd.MultiIndex.from_product([matches["match_id"], [0]]))
    two = pd.Series(-first, index=pd.MultiIndex.from_product([matches["match_id"], [1]]))
    return pd.concat([one, two]).reindex(both)
