"""One match, told to the player who played it."""

from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd

from blunderlab import boards, measure
from blunderlab.study.rows import excess, of_player
from blunderlab.study.tempo import paces

__all__ = ["REVIEWED", "VERDICTS", "MatchReport", "match_report"]

REVIEWED = 3
VERDICTS = ("lost by the dice", "lost by play", "won by the dice", "won by play")
_SEAT = ["match_id", "seat", "player"]


@dataclass(frozen=True, repr=False, eq=False)
class MatchReport:
    """What a player needs to know of their matches, as frames; a notebook shows it whole.

    Attributes
    ----------
    player : str
    review : DataFrame
        Decisions to look at again, at most three a match: rows of the decisions table after match_id and place,
        with `excess` = ℓ − d (fraction of a match; an unknown d counts 0), largest first.
    result : DataFrame
        A row a match: seat, opponent, won (NA unfinished), luck_net (own − opponent's luck, fraction of a match),
        luck_adjusted, verdict, error_balance (opponent's ℓ − own), coverage (rolls with known luck / rolls), n_rolls.
        The luck figures and the verdict are NA for money, an unfinished match, or no known luck.
    rates : DataFrame
        Of both seats, as `measure.rates` gives them; intervals over the games.
    strength : DataFrame
        Of both seats, as `measure.strength` gives it; intervals over the games.
    paces : DataFrame
        Hasty and considered decisions of both seats, see `study.paces`.
    course : DataFrame
        Every scored decision of both seats in the order of play with its error and loss, and the running totals
        error_so_far and loss_so_far of its seat. NaN where the price is unknown.
    """

    player: str
    review: pd.DataFrame
    result: pd.DataFrame
    rates: pd.DataFrame
    strength: pd.DataFrame
    paces: pd.DataFrame
    course: pd.DataFrame

    def boards(self):
        """The decisions to review, drawn."""
        return boards.gallery(self.review)

    def __repr__(self):
        return f"<MatchReport of {self.player}: {len(self.result)} matches, {len(self.review)} decisions to review>"

    def _repr_html_(self):
        parts = [f"<h4>{escape(self.player)}</h4>", _told(self.result)]
        drawn = self.review["position"].notna()
        if drawn.any():
            parts.append(boards.gallery(self.review[drawn])._repr_html_())
        return "".join(parts)


def match_report(t, player, rules="xg", met="kazaross-xg2"):
    """Tell what a match was worth: what to review, luck and play, pace, rates with their intervals.

    Parameters
    ----------
    t : Tables
        Derived; every match in which the player sits is reported.
    player : str or collection of str
        Name, or all names, as written in the records.
    rules : str or RuleSet
        How decisions are counted, see `measure.rates`.
    met : str or MatchEquity
        Gives the chances at the start of the match.

    Returns
    -------
    MatchReport

    Raises
    ------
    ValueError
        When the player has no decision in these tables.

    Examples
    --------
    >>> import blunderlab as bl
    >>> told = match_report(bl.datasets.tables("paris-7pt"), "seat 0")
    >>> told
    <MatchReport of seat 0: 1 matches, 3 decisions to review>
    >>> told.result.loc[0, "verdict"]
    'won by play'
    """
    own = of_player(t.decisions, player)
    mine = t.decisions[own]
    both = t.decisions[t.decisions["match_id"].isin(mine["match_id"].unique())]
    return MatchReport(
        player=player if isinstance(player, str) else " / ".join(player),
        review=_review(mine),
        result=_result(t, mine, met),
        rates=measure.rates(both, rules, by=_SEAT),
        strength=measure.strength(both, by=_SEAT),
        paces=paces(both),
        course=_course(both),
    )


def _review(mine):
    """At most three errors a match, the most avoidable first; ties: larger loss, then the order of play."""
    gain = excess(mine)
    wrong = (mine["error"].to_numpy(float) > 0) & (gain > 0)  # NaN is neither
    rows = mine[wrong].assign(excess=gain[wrong])
    rows = rows.sort_values(
        ["match_id", "excess", "loss", "decision"], ascending=[True, False, False, True]
    )
    rows.insert(1, "place", (rows.groupby("match_id").cumcount() + 1).to_numpy())
    return rows[rows["place"] <= REVIEWED].reset_index(drop=True)


def _result(t, mine, met):
    """Luck and play of each match, from the player's seat."""
    seats = mine[["match_id", "seat"]].drop_duplicates()
    matches = t.matches.drop_duplicates("match_id")
    out = seats.merge(matches, on="match_id").merge(
        measure.result(t, met), on=["match_id", "seat"], how="left"
    )
    first = out["seat"].eq(0).to_numpy(bool)
    out["opponent"] = out["player1"].where(first, out["player0"])
    out["won"] = out["winner"].eq(out["seat"]).astype("boolean").mask(out["winner"].isna())
    # A session of money games has points, not chances to win; an unfinished match has no result.
    told = (out["length"].notna() & out["winner"].notna()).to_numpy(bool)
    out["luck_net"] = (out["luck_loss"] - out["opponent_luck_loss"]).where(told)
    out["luck_adjusted"] = out["luck_adjusted"].where(told)
    out["verdict"] = _verdict(out["won"], out["luck_adjusted"].to_numpy(float))
    keep = ["match_id", "seat", "opponent", "date", "event", "length", "won", "luck_net", "luck_adjusted", "verdict",
            "error_balance", "coverage", "n_rolls"]  # fmt: skip
    return out[keep].sort_values("match_id", ignore_index=True)


def _verdict(won, adjusted):
    """Dice or play: the sign of the luck-adjusted result against the real one."""
    won = won.to_numpy(float, na_value=np.nan)
    by_play = (adjusted > 0) == (won == 1)
    code = np.where(won == 1, 2, 0) + by_play
    known = ~np.isnan(won) & ~np.isnan(adjusted) & (adjusted != 0)
    return pd.Series(np.array([*VERDICTS, None], object)[np.where(known, code, -1)], dtype="str")


def _course(both):
    """Scored decisions in the order of play, with the running totals of each seat."""
    rows = both.loc[both["scored"], [*_SEAT, "game", "decision", "kind", "error", "loss"]]
    rows = rows.sort_values(["match_id", "decision"], ignore_index=True)
    of = rows.groupby(["match_id", "seat"])
    return rows.assign(error_so_far=of["error"].cumsum(), loss_so_far=of["loss"].cumsum())


def _told(result):
    """The result of each match as a sentence of its own."""
    lines = []
    for row in result.itertuples():
        what = "unfinished" if row.won is pd.NA else "won" if row.won else "lost"
        line = f"against {row.opponent}: {what}"
        if isinstance(row.verdict, str):
            line = f"against {row.opponent}: {row.verdict}; without luck {100 * row.luck_adjusted:+.1f} %"
            line += f" of a match ({row.coverage:.0%} of {row.n_rolls} rolls known)"
        if row.error_balance == row.error_balance:  # not NaN
            line += f"; error balance {100 * row.error_balance:+.1f} %"
        lines.append(f"<li>{escape(line)}</li>")
    return f"<ul>{''.join(lines)}</ul>"
