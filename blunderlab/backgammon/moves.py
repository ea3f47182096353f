"""Legal plays: every board a roll can lead to, and one play that leads there.

Plays are tuples of ``(from, to)`` steps in the mover's count, from 25 = bar and
to 0 = off; boards stay in the mover's view after his play.
"""

import numpy as np

from .board import BAR, OPPONENT_BAR, SIZE

OFF = 0
HOME = 6

# Boards are searched as bytes: -1 is 255, and 128..254 are points the opponent holds.
_BLOT = 255
_NEGATIVE = 128


def legal_positions(points, dice):
    """The distinct boards a roll can lead to.

    Parameters
    ----------
    points : array_like of int, shape (26,)
        The board before the play, in the mover's view.
    dice : pair of int or str
        As in ``(3, 1)`` or ``"31"``, in any order.

    Returns
    -------
    ndarray of int8, shape (k, 26)
        The boards after each legal play, still in the mover's view. A roll that
        cannot be played leads to one board, the unchanged one: k is at least 1.

    Raises
    ------
    ValueError
        When the board does not have 26 entries or the dice are not two of 1..6.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> legal_positions(START, "31").shape
    (16, 26)
    """
    boards = _search(_as_bytes(points), dice)
    return np.frombuffer(b"".join(boards), np.int8).reshape(-1, SIZE).copy()


def legal_plays(points, dice):
    """One play for each distinct board a roll can lead to.

    Parameters
    ----------
    points : array_like of int, shape (26,)
        The board before the play, in the mover's view.
    dice : pair of int or str
        As in ``(3, 1)`` or ``"31"``, in any order.

    Returns
    -------
    list of (tuple, ndarray)
        The play in single steps, from high to low, and the board it leads to
        (int8, shape (26,)), in the order of `legal_positions`. A dance is one
        entry with the empty play.

    Raises
    ------
    ValueError
        When the board does not have 26 entries or the dice are not two of 1..6.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> plays = [play for play, _ in legal_plays(START, (3, 1))]
    >>> ((8, 5), (6, 5)) in plays
    True
    """
    boards = _search(_as_bytes(points), dice)
    results = np.frombuffer(b"".join(boards), np.int8).reshape(-1, SIZE).copy()
    return [
        (tuple(sorted(play, reverse=True)), result)
        for play, result in zip(boards.values(), results, strict=True)
    ]


def apply(points, play):
    """Play the checkers of a written play.

    Whether the dice allow it is not asked: records hold illegal plays too.

    Parameters
    ----------
    points : array_like of int, shape (26,)
        The board before the play, in the mover's view.
    play : sequence of (int, int)
        From and to of each checker, in any order; from 25 is the bar and to at
        or below 0 is off. A single opposing checker on a to is hit.

    Returns
    -------
    ndarray of int8, shape (26,)
        The board after the play, still in the mover's view.

    Raises
    ------
    ValueError
        When there is no checker to move, or two or more of the opponent's are
        where it would land.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> apply(START, [(8, 5), (6, 5)])[1:9].tolist()
    [-2, 0, 0, 0, 2, 4, 0, 2]
    """
    board = np.array(points, np.int8).tolist()
    if len(board) != SIZE:
        raise ValueError(f"a board has {SIZE} numbers, not {len(board)}")
    # From high to low a checker that moves twice arrives before it goes on.
    for start, end in sorted(((int(start), int(end)) for start, end in play), reverse=True):
        if not 1 <= start <= BAR or board[start] < 1:
            raise ValueError(f"there is no checker on {start} to move to {max(end, OFF)}")
        if end > BAR:
            raise ValueError(f"there is no point {end} to move to")
        board[start] -= 1
        if end <= OFF:
            continue
        if board[end] < -1:
            raise ValueError(
                f"a checker from {start} would land on {end}, which the opponent holds"
            )
        if board[end] == -1:
            board[end] = 0
            board[OPPONENT_BAR] -= 1
        board[end] += 1
    return np.array(board, np.int8)


def _search(board, dice):
    """Distinct boards as bytes → the first play found, with as many dice as can be."""
    try:
        low, high = sorted(int(die) for die in dice)
    except (TypeError, ValueError):
        raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}") from None
    if not 1 <= low <= high <= 6:
        raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}")
    return _double(board, high) if low == high else _two_dice(board, high, low)


def _two_dice(board, high, low):
    high_first = _steps(board, high)
    low_first = _steps(board, low)
    boards = {}
    for steps, die in ((high_first, low), (low_first, high)):
        for first in steps:
            between = _moved(board, *first)
            for second in _steps(between, die):
                boards.setdefault(_moved(between, *second), (first, second))
    if boards:
        return boards
    # Only one die can be played, and then the larger if there is a choice.
    for first in high_first or low_first:
        boards.setdefault(_moved(board, *first), (first,))
    return boards or {board: ()}


def _double(board, die):
    # Steps of one size can always be taken from high to low, and taken so, two
    # different plays never meet on one board.
    longest = {board: ()}
    for _ in range(4):
        longer = {}
        for reached, play in longest.items():
            for step in _steps(reached, die, play[-1][0] if play else BAR):
                longer[_moved(reached, *step)] = play + (step,)
        if not longer:
            break
        longest = longer
    return longest


def _steps(board, die, highest=BAR):
    """Legal steps of one checker by `die`, from `highest` or below."""
    if board[BAR]:
        end = BAR - die
        return [(BAR, end)] if not _NEGATIVE <= board[end] < _BLOT else []
    steps = [
        (start, start - die)
        for start in range(min(highest, BAR - 1), die, -1)
        if 0 < board[start] < _NEGATIVE and not _NEGATIVE <= board[start - die] < _BLOT
    ]
    for start in range(BAR - 1, 0, -1):
        if 0 < board[start] < _NEGATIVE:
            rear = start
            break
    else:
        return steps
    if rear <= HOME:
        if rear < die:
            if rear <= highest:
                steps.append((rear, OFF))
        elif die <= highest and 0 < board[die] < _NEGATIVE:
            steps.append((die, OFF))
    return steps


def _moved(board, start, end):
    """The board after one legal step."""
    after = bytearray(board)
    after[start] -= 1
    if end:
        if after[end] == _BLOT:
            after[end] = 1
            after[OPPONENT_BAR] = (after[OPPONENT_BAR] - 1) % 256
        else:
            after[end] += 1
    return bytes(after)


def _as_bytes(points):
    points = np.asarray(points, np.int8)
    if points.shape != (SIZE,):
        raise ValueError(f"a board has {SIZE} numbers, not an array of shape {points.shape}")
    return points.tobytes()
