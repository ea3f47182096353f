"""What only backgammon knows of a decision's worth: the cube's equities, the price of a point, plays, phases."""

import numpy as np

from blunderlab import met as tables_of_equity
from blunderlab.backgammon.moves import count_legal
from blunderlab.backgammon.stages import phase_codes
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.tables import columns
from blunderlab.tables.schema import declared_dtypes

__all__ = ["cube_equities", "n_legal", "phases", "prices"]

_PHASE = declared_dtypes("decisions")["phase"]


def cube_equities(view):
    """Equities of cube decisions, from the three that the doubler sees, in the player's view.

    Parameters
    ----------
    view : measure.rules.View

    Returns
    -------
    best, played, gap : ndarray of float, shape (rows,)
        The gap lies between the two choices. Meaningful on cube rows only.
    """
    double, answers = view.double, view.is_kind("answer")
    best = np.where(
        answers, np.maximum(-view.take, -view.passed), np.maximum(view.no_double, double)
    )
    played = np.select(
        [view.kind("no_double"), view.kind("double"), view.kind("take")],
        [view.no_double, double, -view.take],
        -view.passed,
    )
    return best, played, np.where(answers, view.take - view.passed, view.no_double - double)


def prices(decisions, matches, met):
    """What one unit of equity is worth in chances to win the match, row by row; NaN for money.

    Parameters
    ----------
    decisions, matches : DataFrame or Columns
    met : str or MatchEquity
        Rows of a match that was analysed under a table that is not known here have no price, unless it is this one.

    Returns
    -------
    ndarray of float, shape (rows,)
    """
    met = tables_of_equity.load(met)
    points = (columns.floats(decisions[name]) for name in ("away", "opponent_away", "cube"))
    price = met.price(*points, columns.bare(decisions["crawford"]))
    known = {*tables_of_equity.names(), met.name}
    assumed = zip(*(columns.bare(matches[c]).tolist() for c in ("match_id", "met")), strict=True)
    strange = [match for match, name in assumed if isinstance(name, str) and name not in known]
    if strange:
        price[np.asarray(columns.bare(decisions["match_id"]).isin(strange), bool)] = np.nan
    return price


def n_legal(decisions, view, boards, wanted):
    """`n_legal` with the legal plays of more rows counted.

    Parameters
    ----------
    decisions : DataFrame or Columns
    view : measure.rules.View
    boards : ndarray of int8, shape (rows, 26), or None
        What `position` shows.
    wanted : ndarray of bool, shape (rows,)
        Where to count, if it is not known yet and the board is.

    Returns
    -------
    IntegerArray
    """
    known = columns.bare(decisions["n_legal"])
    position = columns.bare(decisions["position"])
    wanted = wanted & np.isnan(view.n_legal) & ~position.isna()
    wanted &= view.is_kind("checker") | view.kind("roll")
    if not wanted.any():
        return known
    dice = columns.bare(decisions["roll"])[wanted].tolist()
    counts = known.to_numpy(np.int64, na_value=0).copy()
    counts[wanted] = count_legal(_shown(position, boards, wanted), dice)
    return columns.integers(counts, known.isna() & ~wanted)


def phases(decisions, boards, rows):
    """`phase` of backgammon rows, from the board.

    Parameters
    ----------
    decisions : DataFrame or Columns
    boards : ndarray of int8, shape (rows, 26), or None
    rows : ndarray of bool, shape (rows,)
        The backgammon rows; others keep what their reader says.

    Returns
    -------
    Categorical
    """
    known = columns.bare(decisions["phase"])
    position = columns.bare(decisions["position"])
    wanted = rows & ~position.isna()
    if not wanted.any():
        return known
    codes = known.codes.copy()
    codes[wanted] = phase_codes(_shown(position, boards, wanted))
    return columns.category(codes, _PHASE)


def _shown(position, boards, rows):
    """Boards of these rows."""
    return points_of(position[rows].tolist()) if boards is None else boards[rows]
