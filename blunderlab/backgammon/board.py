"""A backgammon board as 26 numbers, seen by the player who is to move.

Index 1..24 are the points counted by the mover (his home is 1..6), index 25 is
his bar and index 0 the opponent's bar. A positive number counts the mover's
checkers, a negative one the opponent's; checkers borne off are not stored.

All functions take arrays of shape ``(..., 26)`` and work on every board at once.
"""

import numpy as np

SIZE = 26
OPPONENT_BAR = 0
BAR = 25
CHECKERS = 15

START = np.zeros(SIZE, np.int8)
START[[24, 13, 8, 6]] = 2, 5, 3, 5
START[[1, 12, 17, 19]] = -2, -5, -3, -5
START.setflags(write=False)

_ONES = np.ones(SIZE, np.float32)
_MOVER_PIPS = np.arange(SIZE)
_OPPONENT_PIPS = BAR - _MOVER_PIPS


def flip(points):
    """The same board seen by the other player.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)
        Boards in one player's view.

    Returns
    -------
    ndarray of int8, shape (..., 26)
        The boards in the other player's view; a new array.

    Raises
    ------
    ValueError
        When the last axis does not have 26 entries.

    Examples
    --------
    >>> bool((flip(START) == START).all())      # the start is the same for both
    True
    """
    return np.ascontiguousarray(-_boards(points)[..., ::-1])


def pips(points):
    """Pip counts: how far each side has to go, the bar being worth 25.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)

    Returns
    -------
    (mover, opponent) : tuple of int64 arrays, shape (...)
        Pips of the mover and of his opponent.

    Raises
    ------
    ValueError
        When the last axis does not have 26 entries.

    Examples
    --------
    >>> mover, opponent = pips(START)
    >>> int(mover), int(opponent)
    (167, 167)
    """
    mover, opponent = _sides(points)
    return mover @ _MOVER_PIPS, opponent @ _OPPONENT_PIPS


def borne_off(points):
    """Checkers each side has borne off: 15 less those on the board.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)

    Returns
    -------
    (mover, opponent) : tuple of int64 arrays, shape (...)
        Negative on a board with more than 15 checkers on that side.

    Raises
    ------
    ValueError
        When the last axis does not have 26 entries.

    Examples
    --------
    >>> [int(n) for n in borne_off(START)]
    [0, 0]
    """
    mover, opponent = _sides(points)
    return CHECKERS - mover.sum(axis=-1), CHECKERS - opponent.sum(axis=-1)


def contact(points):
    """Can a checker still hit one of the other side?

    There is none when the mover's rearmost checker has passed the opponent's;
    a checker on the bar is the rearmost of all. A side that is all off has no
    contact either.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)

    Returns
    -------
    ndarray of bool, shape (...)

    Raises
    ------
    ValueError
        When the last axis does not have 26 entries.

    Examples
    --------
    >>> bool(contact(START))
    True
    """
    points = _boards(points)
    mover, opponent = points > 0, points < 0
    rear = BAR - mover[..., ::-1].argmax(axis=-1)
    opponent_rear = opponent.argmax(axis=-1)
    return (rear > opponent_rear) & mover.any(axis=-1) & opponent.any(axis=-1)


def excess(points):
    """Boards that cannot be: more than 15 checkers on a side.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)

    Returns
    -------
    ndarray of bool, shape (...)
        True where a side has more than 15 checkers.

    Raises
    ------
    ValueError
        When the last axis does not have 26 entries.

    Examples
    --------
    >>> one_too_many = START.copy()
    >>> one_too_many[20] = 1
    >>> excess([START, one_too_many]).tolist()
    [False, True]
    """
    points = _boards(points)
    # As a product with ones: numpy adds up short rows slowly.
    mover, opponent = (
        side.astype(np.float32) @ _ONES for side in (np.maximum(points, 0), np.minimum(points, 0))
    )
    return (mover > CHECKERS) | (opponent < -CHECKERS)


def check(points):
    """Return one board as int8, or raise with what is wrong with it.

    Parameters
    ----------
    points : array_like of int, shape (26,)

    Returns
    -------
    ndarray of int8, shape (26,)

    Raises
    ------
    ValueError
        When it is not one board, or `problems` finds something.

    Examples
    --------
    >>> check([0] * 25)
    Traceback (most recent call last):
    ...
    ValueError: a board has 26 numbers, not an array of shape (25,)
    """
    found = problems(points)
    if found:
        raise ValueError("; ".join(found))
    return np.asarray(points).astype(np.int8)


def problems(points):
    """Say what makes one board impossible.

    Parameters
    ----------
    points : array_like of int, shape (26,)

    Returns
    -------
    list of str
        One sentence for each problem: the shape, more than 15 checkers on a
        side, a checker on the other side's bar. Empty when there is none.

    Examples
    --------
    >>> problems(START)
    []
    >>> one_too_many = START.copy()
    >>> one_too_many[20] = 1
    >>> problems(one_too_many)
    ['the mover has 16 checkers, and a side has 15']
    """
    points = np.asarray(points)
    if points.shape != (SIZE,):
        return [f"a board has {SIZE} numbers, not an array of shape {points.shape}"]
    numbers = points.tolist()
    if any(number != int(number) for number in numbers):
        return ["a board holds whole numbers of checkers"]
    found = []
    for side, count in (
        ("mover", sum(n for n in numbers if n > 0)),
        ("opponent", -sum(n for n in numbers if n < 0)),
    ):
        if count > CHECKERS:
            found.append(f"the {side} has {count:.0f} checkers, and a side has {CHECKERS}")
    if numbers[BAR] < 0:
        found.append("a checker of the opponent is on the mover's bar")
    if numbers[OPPONENT_BAR] > 0:
        found.append("a checker of the mover is on the opponent's bar")
    return found


def _sides(points):
    points = _boards(points).astype(np.int64)
    return np.maximum(points, 0), np.maximum(-points, 0)


def _boards(points):
    points = np.asarray(points, np.int8)
    if points.ndim == 0 or points.shape[-1] != SIZE:
        raise ValueError(f"a board has {SIZE} numbers, not an array of shape {points.shape}")
    return points
