"""Families of errors, and which of them to work on first."""

import numpy as np
import pandas as pd

from blunderlab.backgammon.stages import plan as game_plan
from blunderlab.backgammon.themes import themes
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.measure.intervals import Z
from blunderlab.study.rows import ERROR, excess, of_player, part

__all__ = ["FAMILY", "FEWEST_MEMBERS", "classes", "families", "members", "plan"]

FAMILY = ["game_plan", "part", "theme"]
FEWEST_MEMBERS = 5
ANY = "any"  # theme of a game that has none
_NOISE = 1e-9  # lifts an error that binary fractions put a hair below the threshold


def plan(t, player, threshold=ERROR):
    """Say which families of errors to work on, the surest gain first.

    A family is a game plan, a part of the game (checker, cube) and a theme; in chess and shogi, which have no themes
    here, a phase and the part. Its members are the player's errors of at least `threshold`. R = Σ(ℓ − d) over its
    priced members, with the interval R ± 1.96 √Σ(ℓ − d)².

    Parameters
    ----------
    t : Tables
        Derived.
    player : str or collection of str
    threshold : float
        Of an error, in normalised equity, inclusive.

    Returns
    -------
    DataFrame
        A row a family: rank (1 is first; NA when not in the plan), verdict ("work on": five priced members or more and
        the lower end above 0; "to confirm": the others, by R; "no theme": the errors that belong to no family, in one
        last row without keys), game_plan, part, theme, n (errors), n_priced (with ℓ and d known), error (normalised
        equity), loss, difficulty, excess with excess_low and excess_high (fractions of a match; NaN with nothing
        priced).

    Raises
    ------
    ValueError
        When the player has no decision in these tables.

    Examples
    --------
    >>> import blunderlab as bl
    >>> found = plan(bl.datasets.tables("paris-7pt"), "seat 1")
    >>> set(found["verdict"]) <= {"work on", "to confirm", "no theme"}
    True
    """
    of_player(t.decisions, player)
    return families(members(t, player, threshold))


def members(t, player, threshold=ERROR):
    """The errors that `plan` groups, the largest excess first.

    Returns
    -------
    DataFrame
        Rows of the decisions table, their index kept, with game_plan, part, theme and excess (ℓ − d; NaN where either
        is unknown).
    """
    d = t.decisions
    large = d["error"].to_numpy(float) >= threshold - _NOISE
    wrong = of_player(d, player) & large & d["counted"].to_numpy(bool)
    of = classes(d[wrong]).join(themes(_chosen(t, wrong)))
    rows = d[wrong].join(of)
    other = rows["discipline"].ne("backgammon").to_numpy(bool)
    rows["theme"] = rows["theme"].mask(other, ANY)
    rows["excess"] = np.where(rows["difficulty"].notna(), excess(rows), np.nan)
    return rows.sort_values("excess", ascending=False, kind="stable")


def families(rows):
    """Sum up members by family, see `plan`.

    Parameters
    ----------
    rows : DataFrame
        With game_plan, part, theme, error, loss, difficulty and excess.

    Returns
    -------
    DataFrame
    """
    known = rows["excess"].notna()
    table = rows[[*FAMILY, "error"]].assign(
        n_priced=known,
        loss=rows["loss"].where(known),
        difficulty=rows["difficulty"].where(known),
        excess=rows["excess"],
        square=rows["excess"] ** 2,
    )
    none = table["theme"].isna()
    table.loc[none, FAMILY] = pd.NA
    grouped = table.groupby(FAMILY, dropna=False, observed=True, sort=True)
    out = grouped[["error", "loss", "difficulty", "excess"]].sum(min_count=1)
    out.insert(0, "n", grouped.size())
    out.insert(1, "n_priced", grouped["n_priced"].sum())
    half = Z * np.sqrt(grouped["square"].sum())
    out["excess_low"] = (out["excess"] - half).where(out["n_priced"] > 0)
    out["excess_high"] = (out["excess"] + half).where(out["n_priced"] > 0)
    out = out.reset_index()
    work = (out["n_priced"] >= FEWEST_MEMBERS) & (out["excess_low"] > 0) & out["theme"].notna()
    verdict = np.select([out["theme"].isna(), work], ["no theme", "work on"], "to confirm")
    out.insert(0, "verdict", pd.Series(verdict, dtype="str"))
    return _ranked(out)


def _ranked(out):
    """In the plan by the lower end, then the others by R, then what has no theme."""
    place = out["verdict"].map({"work on": 0, "to confirm": 1, "no theme": 2})
    by = out["excess_low"].where(place == 0, out["excess"]).fillna(-np.inf)
    out = out.assign(place=place, by=by).sort_values(
        ["place", "by", *FAMILY], ascending=[True, False, True, True, True]
    )
    rank = pd.Series(np.arange(1, len(out) + 1), out.index, "Int64")
    out.insert(0, "rank", rank.mask(out["place"] > 0))
    return out.drop(columns=["place", "by"]).reset_index(drop=True)


def classes(decisions):
    """Game plan and part of each row: the decisions among which a family's errors lie.

    Parameters
    ----------
    decisions : DataFrame
        Rows of the decisions table.

    Returns
    -------
    DataFrame
        With the same index: game_plan (str; the phase in chess and shogi; NA without a position) and part.
    """
    backgammon = decisions["discipline"].eq("backgammon").to_numpy(bool)
    found = decisions["phase"].astype("str").mask(backgammon).to_numpy(object)
    at = np.flatnonzero(backgammon & decisions["position"].notna().to_numpy(bool))
    found[at] = game_plan(points_of(decisions["position"].array[at].tolist()))
    return pd.DataFrame(
        {"game_plan": pd.Series(found, decisions.index, "str"), "part": part(decisions)}
    )


def _chosen(t, rows):
    """The same tables with these decisions only."""
    from dataclasses import replace

    return replace(t, decisions=t.decisions[rows])
