"""What kind of position it is: the phase of the game and the plan of the side on roll.

Everything is read off the board alone, seen by the player who decides, and works on many boards at once.
"""

import numpy as np

from blunderlab.backgammon.board import BAR, CHECKERS, OPPONENT_BAR, START, contact, flip, pips
from blunderlab.tables.schema import PHASES

__all__ = ["PLANS", "phase", "phase_codes", "plan"]

PLANS = (
    "over", "race", "bear-in", "crunch", "backgame", "ace-point", "blitz", "prime-vs-prime", "mutual holding",
    "holding", "contact",
)  # fmt: skip

MOST_MOVED = 4  # checkers of a side that may have left their first points in an opening
_OPENING, _MIDDLEGAME, _RACE, _BEAROFF = map(PHASES.index, ("opening", "middlegame", "race", "bearoff"))
_HOME = slice(1, 7)
_OPPONENT_HOME = slice(19, 25)
_ACE_POINT = 24
_HOLDING = slice(18, 22)  # the opponent's bar, five, four points and his golden one
_MOST_OUTSIDE = 6  # checkers beyond the lowest two points when a board has crunched
_ACE_DEFICIT = 20  # pips
_BLITZ_POINTS = 3
_PRIME = 4


def phase(points):
    """Name the phase: opening, middlegame, race or bearoff.

    Without contact it is a bearoff when every checker left is home, else a race. An opening has nothing off, nothing
    on the bar, and at most four checkers of each side away from where they started. The roll plays no part.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)

    Returns
    -------
    ndarray of str, shape (...)

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> str(phase(START))
    'opening'
    """
    return np.array(PHASES)[phase_codes(points)]


def phase_codes(points):
    """The same as codes of the fixed categorical `phase`.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)

    Returns
    -------
    ndarray of int8, shape (...)
    """
    points = np.asarray(points, np.int8)
    meets = contact(points)
    home = (points[..., 7:].max(-1) <= 0) & (points[..., :19].min(-1) >= 0)
    on_bar = (points[..., BAR] != 0) | (points[..., OPPONENT_BAR] != 0)
    opening = ~on_bar & (np.abs(points).sum(-1, dtype=np.int16) == 2 * CHECKERS)
    for side in (1, -1):
        first = np.flatnonzero(side * START > 0)
        left = np.maximum(side * START[first] - np.maximum(side * points[..., first], 0), 0)
        opening &= left.sum(-1) <= MOST_MOVED
    apart = np.where(home, np.int8(_BEAROFF), np.int8(_RACE))
    return np.where(meets, np.where(opening, np.int8(_OPENING), np.int8(_MIDDLEGAME)), apart)


def plan(points):
    """Name the game plan of the side on roll; the first that fits, in the order of `PLANS`.

    over: a side has borne off. race: no contact. bear-in: all own checkers home, an anchor of the opponent there.
    crunch: at most six own checkers beyond the two lowest points. backgame: two anchors or more in the opponent's home.
    ace-point: one anchor there, on its ace point, and 20 pips or more behind. blitz: three home points or more, and the
    opponent on the bar or with a blot in that home. prime-vs-prime: both have four points in a row with a checker of the
    other behind them. holding: an anchor on 18 to 21; mutual when the opponent has one on 4 to 7. contact: the rest.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)
        In the view of the side on roll.

    Returns
    -------
    ndarray of str, shape (...)

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> str(plan(START))
    'contact'
    """
    points = np.asarray(points, np.int8)
    own, other = np.maximum(points, 0), np.maximum(-points, 0)
    anchors = (own[..., _OPPONENT_HOME] >= 2).sum(-1)
    behind = np.subtract(*pips(points))
    back = points[..., _HOME] <= -2  # the opponent's anchors in the own home
    attack = (points[..., OPPONENT_BAR] < 0) | (points[..., _HOME] == -1).any(-1)
    trapped = _trapped(points) & _trapped(flip(points))
    rules = {
        "over": (own.sum(-1) == 0) | (other.sum(-1) == 0),
        "race": ~contact(points),
        "bear-in": (own[..., 7:].sum(-1) == 0) & back.any(-1),
        "crunch": own[..., 3:].sum(-1) <= _MOST_OUTSIDE,
        "backgame": anchors >= 2,
        "ace-point": (anchors == 1) & (own[..., _ACE_POINT] >= 2) & (behind >= _ACE_DEFICIT),
        "blitz": ((own[..., _HOME] >= 2).sum(-1) >= _BLITZ_POINTS) & attack,
        "prime-vs-prime": trapped,
    }
    anchor = (own[..., _HOLDING] >= 2).any(-1)
    rules["mutual holding"] = anchor & (flip(points)[..., _HOLDING] >= 2).any(-1)
    rules["holding"] = anchor
    return np.select(list(rules.values()), list(rules), "contact")


def _trapped(points):
    """Whether a checker of the opponent stands behind four points in a row of the side on roll."""
    made = (points >= 2).astype(np.int8)
    made[..., [OPPONENT_BAR, BAR]] = 0
    run = made[..., : -_PRIME + 1].copy()  # a prime from this point up
    for step in range(1, _PRIME):
        run &= made[..., step : run.shape[-1] + step]
    behind = np.cumsum(points < 0, axis=-1)[..., : run.shape[-1]]  # at or below this point
    return ((run > 0) & (behind > 0)).any(-1)
