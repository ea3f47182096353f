"""A written play on its board: where it leads, and whether the dice allow it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from blunderlab.backgammon.board import BAR, CHECKERS, OPPONENT_BAR, excess
from blunderlab.backgammon.moves import HOME, OFF, apply, legal_plays, legal_positions
from blunderlab.backgammon.notation import STEPS, parse_play

__all__ = ["Played", "flipped", "only_play", "play", "snowie_board", "steps_of"]

# A board is kept as 26 bytes, int8: from 128 on stand the opponent's checkers.
_NEGATIVE = 128
_TURN, _BOARD_FIELDS, _SNOWIE_FIELDS = 4, slice(12, 38), 40
_NEGATED = bytes(-n % 256 for n in range(256))


@dataclass(slots=True)
class Played:
    """What a play came to.

    Parameters
    ----------
    steps : tuple of (int, int)
        As written, or step by step where the written ones leave out whom they hit on the way.
    after : bytes or None
        The board after it, the mover's view; None when the play cannot be followed.
    legal : bool
    reason : str
        Why not.
    """

    steps: tuple
    after: bytes | None
    legal: bool = True
    reason: str = ""


@lru_cache(maxsize=1 << 14)
def steps_of(text):
    """Read a play's text.

    Returns
    -------
    (steps, reason) : tuple
        Steps as `parse_play` gives them and "", or None and what is wrong.

    Examples
    --------
    >>> steps_of("25/20 6/0(2)")
    (((25, 20), (6, 0), (6, 0)), '')
    >>> steps_of("13/")[0] is None
    True
    """
    try:
        return parse_play(text), ""
    except ValueError as error:
        return None, str(error)


def play(board, dice, steps, hits):
    """Follow a play as it is written.

    Parameters
    ----------
    board : bytes
        26 numbers as int8, the mover's view.
    dice : str
    steps : tuple of (int, int)
    hits : int
        How many stars are written: a play that hits more often than its stars say is believed, since some
        programs write none; one that hits less often is looked for among the legal plays.

    Returns
    -------
    Played
    """
    before = np.frombuffer(board, np.int8)
    try:
        after, reason = apply(before, steps).tobytes(), ""
    except ValueError as error:
        after, reason = None, str(error)
    legal = after is not None and _is_legal(board, dice, steps, after)
    if legal and _hits(board, after) >= hits:
        return Played(steps, after)
    # "13/5*" for "13/8*/5": the text names where the checker came from and went, not whom it hit on the way.
    moved = _moved(board, steps)
    meant = [(p, r.tobytes()) for p, r in legal_plays(before, dice) if _own(r.tobytes()) == moved]
    if meant and (not legal or any(_hits(board, r) == hits for _, r in meant)):
        return Played(*min(meant, key=lambda one: abs(_hits(board, one[1]) - hits)))
    return Played(steps, after, legal, reason or f"{dice} cannot be played so")


def flipped(board):
    """The same board seen by the other player.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> flipped(START.tobytes()) == START.tobytes()
    True
    """
    return board[::-1].translate(_NEGATED)


def only_play(board, dice):
    """The board that a roll leads to whatever is played; None when there is a choice.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> only_play(START.tobytes(), "31") is None
    True
    """
    reached = legal_positions(np.frombuffer(board, np.int8), dice)
    return reached[0].tobytes() if len(reached) == 1 else None


def snowie_board(text):
    """The board of a play that breaks the rules, which gnuBG and XG write as Snowie's text of where it led.

    Returns
    -------
    bytes or None
        Seen by the left column; None when it is no board.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> text = "Illegal play (7;0;0;0;1;Ann;Bob;0;0;0;1;0;" + ";".join(map(str, START)) + ";0;0;)"
    >>> snowie_board(text) == START.tobytes()
    True
    """
    fields = text.partition("(")[2].split(";")
    try:
        board = np.array([int(n) for n in fields[_BOARD_FIELDS]])
    except ValueError:
        return None
    if len(fields) < _SNOWIE_FIELDS or (np.abs(board) > CHECKERS).any():
        return None
    board[OPPONENT_BAR], board[BAR] = -abs(board[OPPONENT_BAR]), abs(board[BAR])
    if excess(board):
        return None
    seen = board.astype(np.int8).tobytes()
    # The turn of such a position is written the wrong way round.
    return seen if fields[_TURN].strip() == "1" else flipped(seen)


def _is_legal(board, dice, steps, after):
    """Whether the dice allow the steps that lead from board to after."""
    if _uses_all(board, dice, steps):
        return True
    reached = legal_positions(np.frombuffer(board, np.int8), dice)
    return bool((reached == np.frombuffer(after, np.int8)).all(axis=1).any())


def _uses_all(board, dice, steps):
    """Whether the steps, which end on free points, plainly use every die: most plays do, and need no generator.

    False is no verdict: a play that hits on the way, or bears off with more pips than needed or while checkers are
    still outside, is not looked at here.
    """
    high, low = int(dice[0]), int(dice[1])
    used = []
    for start, end in steps:
        way = start - end
        if end == OFF and any(0 < n < _NEGATIVE for n in board[HOME + 1 :]):
            return False
        if high == low:
            if way % high or any(board[p] >= _NEGATIVE for p in range(end + high, start, high)):
                return False
            used += [high] * (way // high)
        elif way == high + low:
            if board[start - high] >= _NEGATIVE and board[start - low] >= _NEGATIVE:
                return False
            used += [high, low]
        else:
            used.append(way)
    entered = sum(start == BAR for start, _ in steps)
    wanted = [high] * STEPS if high == low else [high, low]
    return sorted(used, reverse=True) == wanted and entered == min(board[BAR], len(wanted))


def _hits(board, after):
    return (board[OPPONENT_BAR] - after[OPPONENT_BAR]) % 256


def _own(board):
    """The mover's checkers alone."""
    return bytes(n if n < _NEGATIVE else 0 for n in board)


def _moved(board, steps):
    """The mover's checkers after the steps, whatever stands in the way; None when there are not enough of them."""
    own = bytearray(_own(board))
    for start, end in sorted(steps, reverse=True):
        if not own[start]:
            return None
        own[start] -= 1
        if end > OFF:
            own[end] += 1
    return bytes(own)
