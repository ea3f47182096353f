"""Checker plays as players write them: ``13/11 6/5*``, ``bar/20*/18``, ``6/off(2)``.

A play is a tuple of ``(from, to)`` pairs in the mover's count: from 25 is the
bar and to 0 is off. Written plays go from high to low, the steps of one checker
are joined, and a hit is starred once, on the first checker that lands on it; the
point where a checker hits in passing is shown.
"""

import re
from functools import lru_cache
from itertools import pairwise

import numpy as np

from .board import BAR, SIZE

CANNOT_MOVE = "Cannot Move"
OFF = 0
STEPS = 4

_DANCES = {"cannotmove", "can'tmove", "can’tmove"}
_WORD = re.compile(
    r"(?P<points>(?:bar|\d+)(?:/(?:off|\d+)\*?)+)(?:\((?P<times>[1-4])\))?\*?",
    re.IGNORECASE | re.ASCII,
)


def format_play(play, points):
    """Write a play.

    Parameters
    ----------
    play : sequence of (int, int)
        From and to of each checker in any order, in single steps or joined
        (but not joined over a hit). To at or below 0 is off; an empty play is
        a dance.
    points : array_like of int, shape (26,)
        The board before the play, in the mover's view.

    Returns
    -------
    str
        The play, or "Cannot Move".

    Raises
    ------
    ValueError
        When a number is not that of a point, or a checker moves backwards.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> format_play([(6, 5), (8, 5)], START)
    '8/5 6/5'
    >>> format_play([(24, 20), (20, 18)], START)
    '24/18'
    >>> format_play([], START)
    'Cannot Move'
    """
    steps = tuple((int(start), max(int(end), OFF)) for start, end in play)
    for start, end in steps:
        if not 1 <= start <= BAR or end >= start:
            raise ValueError(f"no checker moves from {start} to {end}")
    return _write(steps, tuple(end > OFF and int(points[end]) == -1 for _, end in steps))


def parse_play(text):
    """Read a written play.

    Parameters
    ----------
    text : str
        As in ``24/20*/18 6/5(2)``, in upper or lower case; ``25`` and ``bar``,
        ``0`` and ``off`` are the same. Stars are read over: whether a play hits
        is a matter of the board.

    Returns
    -------
    tuple of (int, int)
        From and to of every step as written, from 25 = bar, to 0 = off; empty
        for "Cannot Move" and "Can't Move".

    Raises
    ------
    ValueError
        When the text is not a play, an empty one included, or takes more than
        four steps.

    Examples
    --------
    >>> parse_play("bar/20*/18 6/off(2)")
    ((25, 20), (20, 18), (6, 0), (6, 0))
    >>> parse_play("Cannot Move")
    ()
    """
    if "".join(text.split()).lower() in _DANCES:
        return ()
    words = text.split()
    if not words:
        raise ValueError("the text of a play is empty")
    play = []
    for word in words:
        match = _WORD.fullmatch(word)
        if not match:
            raise ValueError(f"'{word}' is not a checker's move in '{text}'")
        stops = [_point(name) for name in match["points"].lower().replace("*", "").split("/")]
        if any(not OFF <= end < start <= BAR for start, end in pairwise(stops)):
            raise ValueError(f"'{word}' does not move forward on the board in '{text}'")
        play += list(pairwise(stops)) * int(match["times"] or 1)
    if len(play) > STEPS:
        raise ValueError(f"'{text}' has {len(play)} steps, and a play has at most {STEPS}")
    return tuple(play)


def play_bytes(moves, points):
    """Write many plays at once, as ASCII.

    Parameters
    ----------
    moves : array_like of int, shape (n, 8)
        Four pairs a row: from, to, from, to ... From 1..24 or 25 = bar; to at or
        below 0 is off. A pair whose from is below 1, or which goes nowhere, ends
        the play; a row that ends at once is a dance. XG counts its points from 0
        (bar 24, off below 0): add 1 to its numbers.
    points : array_like of int, shape (n, 26)
        The boards before the plays, each in its mover's view.

    Returns
    -------
    ndarray of uint8, shape (n, 48)
        Each row is the text of `format_play`, with zero bytes before, between
        and after its letters: drop them to have the string. A row with numbers
        that are no play (a point above 25, a checker going backwards) is all zero.

    Raises
    ------
    ValueError
        When the shapes are not those above.

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> text = play_bytes([[6, 5, 8, 5, 0, 0, 0, 0], [0] * 8], [START, START])
    >>> [row.tobytes().replace(b"\\0", b"").decode() for row in text]
    ['8/5 6/5', 'Cannot Move']
    """
    moves, points = np.asarray(moves), np.asarray(points, np.int8)
    if moves.ndim != 2 or moves.shape[1] != 2 * STEPS or points.shape != (len(moves), SIZE):
        raise ValueError(
            f"plays are (n, {2 * STEPS}) numbers on (n, {SIZE}) boards, "
            f"not {moves.shape} on {points.shape}"
        )

    # One column a step, so that every operation runs along the rows.
    n = len(moves)
    moves = np.ascontiguousarray(moves.T)
    start, end = moves[0::2], np.maximum(moves[1::2], OFF)
    valid = (start >= 1) & (start != end)
    for step in range(1, STEPS):
        valid[step] &= valid[step - 1]
    broken = (valid & ((start > BAR) | (end > start))).any(axis=0)
    valid &= ~broken

    pairs = (start.astype(np.int16) << _SHIFT | end.astype(np.int16)) * valid
    _sort_down(pairs)
    start, end = pairs >> _SHIFT, pairs & _END
    meets = np.zeros(n, bool)
    for step in range(STEPS - 1):
        meets |= ((start[step + 1 :] == end[step]) & (end[step] > OFF)).any(axis=0)
    rows = np.flatnonzero(meets)
    steps, blots = pairs[:, rows], points[rows] == -1
    pairs[:, rows], passing = _joined(steps, blots)
    _sort_down(pairs)

    end = pairs & _END
    hit = (end > OFF) & (points[np.arange(n), end] == -1)
    for step in range(STEPS - 1):
        hit[step + 1 :] &= end[step + 1 :] != end[step]

    # Equal pairs are written once, by the first, with their number.
    times = (pairs > 0).astype(np.int16)
    for step in range(STEPS - 1, 0, -1):
        same = (pairs[step] == pairs[step - 1]) & (pairs[step] > 0)
        times[step - 1] += np.where(same, times[step], 0)
        times[step][same] = 0

    words, suffixes = _pieces()
    text = np.empty((n, STEPS, _WORD_WIDTH + _SUFFIX_WIDTH), np.uint8)
    text[..., :_WORD_WIDTH] = words.take((pairs * (times > 0)).T, axis=0)
    text[..., _WORD_WIDTH:] = suffixes.take((times * 2 + hit).T, axis=0)
    text = text.reshape(n, _ROW_WIDTH)
    text[:, 0] = 0
    text[pairs[0] == 0] = np.frombuffer(_padded(CANNOT_MOVE), np.uint8)
    text[broken] = 0
    rows, steps, blots = rows[passing], steps[:, passing], blots[passing]
    hits = blots[np.arange(len(rows)), steps & _END] & (steps & _END > OFF)
    written = map(_passing_bytes, map(tuple, steps.T.tolist()), map(tuple, hits.T.tolist()))
    text[rows] = np.frombuffer(b"".join(written), np.uint8).reshape(-1, _ROW_WIDTH)
    return text


_WORD_WIDTH = len(" bar/off")
_SUFFIX_WIDTH = len("*(4)")
_ROW_WIDTH = STEPS * (_WORD_WIDTH + _SUFFIX_WIDTH)

# A pair is kept as one number, from << 5 | to.
_SHIFT = 5
_END = (1 << _SHIFT) - 1


@lru_cache(maxsize=1 << 16)
def _write(steps, hits):
    """The text of `steps`, `hits` saying which of them land on a blot."""
    blots = {end for (_, end), hit in zip(steps, hits, strict=True) if hit}
    checkers = []
    for start, end in sorted(steps, reverse=True):
        for stops in checkers:
            if stops[-1] == start:
                stops.append(end)
                break
        else:
            checkers.append([start, end])
    checkers.sort(key=lambda stops: (-stops[0], -stops[-1]))

    words, times = [], []
    written = None
    for stops in checkers:
        if (stops[0], stops[-1]) == written and not blots.intersection(stops[1:]):
            times[-1] += 1
            continue
        written = stops[0], stops[-1]
        word = _name(stops[0])
        for stop in stops[1:]:
            if stop in blots:
                word += f"/{stop}*"
                blots.discard(stop)
            elif stop == stops[-1]:
                word += f"/{_name(stop)}"
        words.append(word)
        times.append(1)
    counted = (w if n == 1 else f"{w}({n})" for w, n in zip(words, times, strict=True))
    return " ".join(counted) or CANNOT_MOVE


def _joined(pairs, blots):
    """The columns of `pairs` with the steps of each checker as one, and which hit in passing."""
    start, end = pairs >> _SHIFT, pairs & _END
    passing = np.zeros(pairs.shape[1], bool)
    columns = np.arange(pairs.shape[1])
    for later in range(1, STEPS):
        for step in range(later):
            on = (end[step] == start[later]) & (end[step] > OFF)
            passing |= on & blots[columns, end[step]]
            end[step] = np.where(on, end[later], end[step])
            start[later] *= ~on
            end[later] *= ~on
    return start << _SHIFT | end, passing


@lru_cache(maxsize=1 << 16)
def _passing_bytes(pairs, hits):
    steps = tuple((pair >> _SHIFT, pair & _END) for pair in pairs if pair)
    return _padded(_write(steps, hits[: len(steps)]))


def _padded(text):
    return text.encode().ljust(_ROW_WIDTH, b"\0")


@lru_cache(maxsize=1)
def _pieces():
    """The text of each pair by its number, and what follows by times * 2 + hit."""
    words = np.zeros((SIZE << _SHIFT, _WORD_WIDTH), np.uint8)
    for start in range(1, SIZE):
        for end in range(start):
            word = f" {_name(start)}/{_name(end)}".encode()
            words[start << _SHIFT | end, : len(word)] = bytearray(word)
    suffixes = np.zeros(((STEPS + 1) * 2, _SUFFIX_WIDTH), np.uint8)
    for times in range(1, STEPS + 1):
        for hit in (0, 1):
            suffix = ("*" * hit + (f"({times})" if times > 1 else "")).encode()
            suffixes[times * 2 + hit, : len(suffix)] = bytearray(suffix)
    return words, suffixes


def _sort_down(columns):
    """Sort four rows of numbers column by column, largest first, in place."""
    for low, high in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
        larger = np.maximum(columns[low], columns[high])
        np.minimum(columns[low], columns[high], out=columns[high])
        columns[low] = larger


def _name(point):
    return "bar" if point == BAR else "off" if point == OFF else str(point)


def _point(name):
    return BAR if name == "bar" else OFF if name == "off" else int(name)
