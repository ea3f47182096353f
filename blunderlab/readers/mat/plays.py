"""A written play on its board: where it leads, and whether the dice allow it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from blunderlab.backgammon.board import BAR, CHECKERS, OPPONENT_BAR, excess
from blunderlab.backgammon.moves import (
    OFF,
    apply,
    can_move,
    follow,
    legal_plays,
    legal_positions,
)
from blunderlab.backgammon.notation import STEPS, parse_play

__all__ = ["Played", "flipped", "only_play", "play", "snowie_board", "steps_of"]

# A board is kept as 26 bytes, int8: from 128 on stand the opponent's checkers.
_NEGATIVE, _BLOT = 128, 255
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
    # There are far fewer words than plays.
    words = [_word(word) for word in text.split()]
    if words and all(words) and sum(map(len, words)) <= STEPS:
        return sum(words, ()), ""
    try:
        return parse_play(text), ""
    except ValueError as error:
        return None, str(error)


@lru_cache(maxsize=1 << 12)
def _word(text):
    """The steps of one word; empty for what is none by itself."""
    try:
        return parse_play(text)
    except ValueError:
        return ()


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
    quick = _quick(board, dice, steps)
    if quick is not None and _hits(board, quick) >= hits:
        return Played(steps, quick)
    before = np.frombuffer(board, np.int8)
    try:
        after, reason = apply(before, steps).tobytes(), ""
    except ValueError as error:
        after, reason = None, str(error)
    legal = quick is not None or (after is not None and _is_legal(board, dice, after))
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
    if not can_move(board, dice):
        return board
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


def _is_legal(board, dice, after):
    """Whether the dice allow a play that leads from board to after."""
    reached = legal_positions(np.frombuffer(board, np.int8), dice)
    return bool((reached == np.frombuffer(after, np.int8)).all(axis=1).any())


def _quick(board, dice, steps):
    """Where the steps lead if they plainly use every die, or none where none can be: no generator is asked then.

    None is no verdict: a play that hits on the way or leaves a die is not looked at here.
    """
    if not steps:
        return None if can_move(board, dice) else board
    plan = _plan(dice, steps)
    if plan is None:
        return None
    moves, entered, dice_used, blocked, all_blocked, lines = plan
    if entered != min(board[BAR], dice_used):
        return None
    after = _landed(board, moves)
    if after is None:
        return None
    if lines:
        return after if any(follow(board, line) == after for line in lines) else None
    for point in blocked:
        if board[point] >= _NEGATIVE:
            return None
    if all_blocked and board[all_blocked[0]] >= _NEGATIVE and board[all_blocked[1]] >= _NEGATIVE:
        return None
    return after


@lru_cache(maxsize=1 << 14)
def _plan(dice, steps):
    """What of a play's verdict needs no board; None where the steps are not the dice.

    Returns
    -------
    (moves, entered, dice_used, blocked, all_blocked, lines) : tuple
        The steps from high to low; how many enter; the number of dice; points on the way that must be free; two of
        which one must be free; and for a play that bears off, the orders of single steps (from, die) that make it.
    """
    high, low = int(dice[0]), int(dice[1])
    moves = tuple(sorted(steps, reverse=True))
    entered = sum(start == BAR for start, _ in steps)
    number = STEPS if high == low else 2
    if any(end <= OFF for _, end in steps):
        lines = _double_lines(moves, high) if high == low else _two_dice_lines(moves, high, low)
        return (moves, entered, number, (), (), lines) if lines else None
    used, blocked, all_blocked = [], [], ()
    for start, end in moves:
        way = start - end
        if high == low:
            if way % high:
                return None
            blocked += range(end + high, start, high)
            used += [high] * (way // high)
        elif way == high + low:
            all_blocked = (start - high, start - low)
            used += [high, low]
        else:
            used.append(way)
    wanted = [high] * number if high == low else [high, low]
    if sorted(used, reverse=True) != wanted:
        return None
    return moves, entered, number, tuple(blocked), all_blocked, ()


def _double_lines(moves, die):
    """Four single steps from high to low, which is as good as any order; none where they are not four."""
    singles = sorted(
        ((at, die) for start, end in moves for at in range(start, end, -die)), reverse=True
    )
    return (tuple(singles),) if len(singles) == STEPS else ()


def _two_dice_lines(moves, high, low):
    """The orders in which two dice can make the moves; whether the board allows one is not asked."""
    if len(moves) == 1:
        start = moves[0][0]
        return ((start, high), (start - high, low)), ((start, low), (start - low, high))
    if len(moves) != 2:
        return ()
    (first, _), (second, _) = moves
    return (
        ((first, high), (second, low)), ((first, low), (second, high)),
        ((second, low), (first, high)), ((second, high), (first, low)),
    )  # fmt: skip


def _landed(board, moves):
    """The board after the moves from high to low; None where a checker is missing or a point held."""
    after = bytearray(board)
    for start, end in moves:
        if not 0 < after[start] < _NEGATIVE:
            return None
        after[start] -= 1
        if end <= OFF:
            continue
        there = after[end]
        if there < _NEGATIVE:
            after[end] = there + 1
        elif there == _BLOT:
            after[end] = 1
            after[OPPONENT_BAR] = (after[OPPONENT_BAR] - 1) % 256
        else:
            return None
    return bytes(after)


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
