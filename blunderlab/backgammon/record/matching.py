"""Which of the options was played, and whether the rules allow it."""

import numpy as np

from blunderlab.backgammon.moves import apply, legal_positions
from blunderlab.backgammon.notation import STEPS
from blunderlab.backgammon.record.rows import CHECKER

__all__ = ["mark_played"]


def mark_played(rows, options, chosen, plays, problems):
    """Mark the option that was played, and in `rows.illegal` the plays that break the rules.

    The entry that A names is believed where it moves the same checkers; else the one that leads to the same
    board, as gnuBG itself looks for it.
    """
    written = np.frombuffer(b"".join(rows.play), "u1").reshape(-1, 2 * STEPS)
    checker = (np.array(rows.kind) == CHECKER) & ~np.array(rows.illegal, bool)
    same = (_pairs(plays) == _pairs(written)[options.row]).all(axis=1) & checker[options.row]
    same &= options.rank - 1 == chosen[options.row]
    options.played |= same
    found = np.zeros(len(rows), bool)
    found[options.row[same]] = True
    doubtful = checker & np.array(rows.known, bool) & ~(found & _fits(written, rows.dice))
    start = np.searchsorted(options.row, np.arange(len(rows) + 1))
    for i in np.flatnonzero(doubtful):
        board, listed = rows.points[i], slice(start[i], start[i + 1])
        result = apply(board, _steps(written[i]))
        if not (legal_positions(board, rows.dice[i].decode()) == result).all(axis=1).any():
            rows.illegal[i] = True
            options.played[listed] = False
            problems.add("illegal_play", "the play breaks the rules: it is unscored",
                         rows.game[i], i + 1, rows.offset[i])  # fmt: skip
        elif not found[i] and len(plays[listed]):
            at = [k for k in range(start[i], start[i + 1]) if _leads_to(plays[k], board, result)]
            options.played[at[:1]] = True
            if not at:
                problems.add("play_not_listed", "the play is not among its candidates: it is unscored",
                             rows.game[i], i + 1, rows.offset[i])  # fmt: skip


def _pairs(plays):
    """Steps as sorted numbers: equal rows move the same checkers."""
    pairs = plays[:, 0::2].astype(np.int16) << 5 | plays[:, 1::2]
    return np.sort(pairs, axis=1)


def _fits(plays, dice):
    """Is every step the length of a die of its own, or a bear-off with a larger one?"""
    first, second = np.frombuffer(b"".join(dice), "u1").reshape(-1, 2).T - ord("0")
    start, end = plays[:, 0::2].astype(np.int64), plays[:, 1::2].astype(np.int64)
    none = start == 0

    def by(die, step):
        exact = start[:, step] - end[:, step] == die
        return none[:, step] | exact | ((end[:, step] == 0) & (start[:, step] <= die))

    mixed = (by(first, 0) & by(second, 1)) | (by(second, 0) & by(first, 1))
    double = np.logical_and.reduce([by(first, step) for step in range(STEPS)])
    return np.where(first == second, double, mixed & none[:, 2:].all(axis=1))


def _steps(play):
    return [(a, b) for a, b in zip(play[0::2].tolist(), play[1::2].tolist(), strict=True) if a]


def _leads_to(play, board, result):
    try:
        return (apply(board, _steps(play)) == result).all()
    except ValueError:
        return False
