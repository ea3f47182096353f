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

_OWN = bytes(0 < n < _NEGATIVE for n in range(256))  # 1 where the mover has checkers

_MOST_STEPS = 4  # of a double
_BIT = 1 << np.arange(SIZE, dtype=np.int64)
_POINTS = int(_BIT[1:BAR].sum())


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


def count_legal(boards, dice):
    """Count the distinct boards that many rolls can lead to, without making them where that can be helped.

    Parameters
    ----------
    boards : array_like of int, shape (n, 26)
        The boards before the plays, each in its mover's view.
    dice : sequence of n rolls
        As in ``(3, 1)`` or ``"31"``, in any order.

    Returns
    -------
    ndarray of int64, shape (n,)
        The lengths of `legal_positions`.

    Raises
    ------
    ValueError
        When the boards do not have 26 entries, a roll is not two of 1..6 or the numbers of both differ.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> count_legal([START, START], ["31", "66"]).tolist()
    [16, 11]
    """
    rolls = [_roll(one) for one in dice]
    boards = np.asarray(boards, np.int8)
    if boards.shape != (len(rolls), SIZE):
        raise ValueError(f"{len(rolls)} rolls need boards of {SIZE} numbers, not {boards.shape}")
    low, high = np.array(rolls, np.int64).reshape(-1, 2).T
    # As long as so many checkers are outside, no die of the roll can bear one off.
    outside = np.maximum(boards[:, HOME + 1 :], 0).sum(axis=1)
    outside[boards[:, BAR] < 0] = 0
    counts = np.zeros(len(rolls), np.int64)
    plain = (low != high) & (outside >= 2)
    counts[plain] = _count_two_dice(boards[plain], high[plain], low[plain])
    for row in np.flatnonzero(~plain):
        board, die = boards[row], rolls[row][0]
        if die == rolls[row][1] and outside[row] >= _MOST_STEPS:
            counts[row] = _count_double(board.tolist(), die)
        else:
            counts[row] = len(_search(board.tobytes(), rolls[row]))
    return counts


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


def can_move(board, dice):
    """Tell whether a roll can be played at all.

    Parameters
    ----------
    board : bytes
        26 numbers as int8, in the mover's view.
    dice : str

    Returns
    -------
    bool

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> can_move(START.tobytes(), "55")
    True
    """
    return bool(_steps(board, int(dice[0])) or _steps(board, int(dice[1])))


def follow(board, line):
    """Take single steps one after the other, as long as the rules of one step allow it.

    A line that takes a step for every die is a legal play; of a shorter one, only a search can tell.

    Parameters
    ----------
    board : bytes
        26 numbers as int8, in the mover's view.
    line : sequence of (int, int)
        From, and the die, of each step in their order.

    Returns
    -------
    bytes or None
        The board after them; None when a step is not allowed.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> follow(START.tobytes(), [(8, 3), (6, 5)]) is None
    True
    """
    for start, die in line:
        step = (start, max(start - die, OFF))
        if step not in _steps(board, die):
            return None
        board = _moved(board, *step)
    return board


def _search(board, dice):
    """Distinct boards as bytes → the first play found, with as many dice as can be."""
    low, high = _roll(dice)
    return _double(board, high) if low == high else _two_dice(board, high, low)


def _roll(dice):
    """The lower and the higher die."""
    try:
        low, high = sorted(int(die) for die in dice)
    except (TypeError, ValueError):
        raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}") from None
    if not 1 <= low <= high <= 6:
        raise ValueError(f"dice are two numbers from 1 to 6, not {dice!r}")
    return low, high


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


def _count_two_dice(boards, high, low):
    """Numbers of boards that two dice lead to where none bears off: one bit a point, all rows at once.

    Two plays meet on one board only when one checker takes both dice, or could: a checker that moves on from a point
    where another of its side stands is as good as that other one moving. Those are counted by themselves.
    """
    own, several = _bits(boards > 0), _bits(boards > 1)
    free, blot = _bits(boards > -2) & _POINTS, _bits(boards == -1) & _POINTS
    waiting = boards[:, BAR].astype(np.int64)
    by_high, by_low = own & free << high, own & free << low
    through = own & free << (high + low)
    n_high, n_low = np.bitwise_count(by_high & _POINTS), np.bitwise_count(by_low & _POINTS)
    enters_high, enters_low = by_high >> BAR & 1, by_low >> BAR & 1
    n_high, n_low = n_high.astype(np.int64), n_low.astype(np.int64)
    # Two checkers, or two of one point.
    pairs = np.where(
        waiting > 0,
        enters_high * n_low + enters_low * n_high,
        n_high * n_low - np.bitwise_count(by_high & by_low & ~several & _POINTS),
    )
    through &= np.where(waiting > 0, 1 << BAR, _POINTS)
    quiet = free & ~blot
    both = pairs + np.bitwise_count(through & (quiet << high | quiet << low))
    for die in (high, low):
        both += np.bitwise_count(through & blot << die)
        both -= np.bitwise_count(through & (own & _POINTS) << die)
    one = np.where(waiting > 0, 1, np.where(n_high > 0, n_high, n_low))
    return np.where((both > 0) & (waiting < 2), both, np.maximum(one, 1))


def _bits(flags):
    """One number a row, with the bit of every point that is flagged."""
    return flags @ _BIT


def _count_double(board, die):
    """The number of boards that a double leads to where no checker is borne off.

    A board is told by how many checkers leave each point, so the lanes of points a die apart are counted by themselves.
    """
    waiting = board[BAR]
    if waiting and board[BAR - die] < -1:
        return 1
    if waiting >= _MOST_STEPS:
        return 1
    total = [1, 0, 0, 0, 0]  # ways to take so many steps
    for first in range(BAR, BAR - die, -1):
        ways = _lane(board, first, die)
        if ways:
            total = [sum(total[i] * ways[n - i] for i in range(n + 1)) for n in range(len(total))]
    return next(n for n in reversed(total) if n)


def _lane(board, first, die):
    """Ways to take 0 … 4 steps on the points a die apart from the first on; None where there is but to stay."""
    states, moved = {(0, 0): 1}, False  # checkers that came from the point before, steps: ways
    for point in range(first, die, -die):
        here = max(board[point], 0)
        held = board[point - die] < -1
        if held or (not here and not moved):
            if moved:
                states = _gathered(states)
                moved = False
            continue
        moved, after = True, {}
        for (came, steps), ways in states.items():
            most = min(here + came, _MOST_STEPS - steps)
            for leave in range(most if point == BAR else 0, most + 1):
                key = (leave, steps + leave)
                after[key] = after.get(key, 0) + ways
        states = after
    ways = [0] * (_MOST_STEPS + 1)
    for (_, steps), n in states.items():
        ways[steps] += n
    return None if ways[1:] == [0] * _MOST_STEPS else ways


def _gathered(states):
    """The states behind a point that no checker can leave."""
    after = {}
    for (_, steps), ways in states.items():
        after[0, steps] = after.get((0, steps), 0) + ways
    return after


def _steps(board, die, highest=BAR):
    """Legal steps of one checker by `die`, from `highest` or below."""
    if board[BAR]:
        end = BAR - die
        return [(BAR, end)] if not _NEGATIVE <= board[end] < _BLOT else []
    rear = board.translate(_OWN).rfind(1, 1, BAR)
    steps = [
        (start, start - die)
        for start in range(min(highest, rear), die, -1)
        if 0 < board[start] < _NEGATIVE and not _NEGATIVE <= board[start - die] < _BLOT
    ]
    if 0 < rear <= HOME:
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
