"""Which XG records can be believed: unsound ones cost themselves and a problem, an impossible board the file."""

import numpy as np

from blunderlab.backgammon.board import excess, flip
from blunderlab.backgammon.record.rows import LARGEST_CUBE
from blunderlab.errors import ReadError
from blunderlab.readers.xg import records as layout

__all__ = [
    "Log",
    "believable",
    "continuous",
    "each_option",
    "sound_cubes",
    "sound_moves",
    "stored_errors",
    "unread",
]

_ROOM = 32  # candidates
_CUT = 1e-4  # XG stores a smaller error as 0; a missed double with ND = DT as 0.0001
_STORED = 1e-5  # single precision of the equities it came from


class Log:
    """Where the troubles of records go, for one match or several whose records lie one after the other.

    Parameters
    ----------
    problems : list of Problems
        One a match.
    game_of : ndarray of int, shape (records,)
        Game number of every record in its match, 0 before the first.
    starts : ndarray of int, shape (matches,)
        The first record of each match.
    """

    def __init__(self, problems, game_of, starts=(0,)):
        self.problems, self.game_of, self.starts = problems, game_of, np.asarray(starts)

    def match_of(self, records):
        """Number of the match of each record."""
        return np.searchsorted(self.starts, records, side="right") - 1

    def add(self, records, code, message):
        """Add one problem for each of these record numbers."""
        for record, match in zip(records, self.match_of(records), strict=True):
            self.problems[match].add(
                code,
                message,
                game=int(self.game_of[record]) or None,
                offset=int(record - self.starts[match]) * layout.RECORD_SIZE,
            )


def sound_moves(moves, at, log):
    """Mask of the usable move records; raises where a board holds more than 15 checkers a side."""
    row, option = each_option(moves)
    many = excess(moves["points"]) | excess(moves["points_after"])
    many[row[excess(moves["results"][row, option])]] = True
    _refuse(many, at, log, "move")
    sound = (
        (np.abs(moves["actor"]) == 1)
        & ((moves["dice"] >= 1) & (moves["dice"] <= 6)).all(axis=1)
        & (moves["n_options"] >= 0)
        & (moves["n_options"] <= _ROOM)
        & (moves["cube"] >= -LARGEST_CUBE)
        & (moves["cube"] <= LARGEST_CUBE)
        & (log.game_of[at] > 0)
    )
    log.add(at[~sound], "bad_record",
           "a move record whose player, dice, cube or number of candidates is impossible: left out")  # fmt: skip
    return sound


def sound_cubes(cubes, at, log):
    """Mask of the usable cube records; raises where a board holds more than 15 checkers a side."""
    _refuse(excess(cubes["points"]), at, log, "cube decision")
    sound = (
        (np.abs(cubes["actor"]) == 1)
        & (cubes["double"] >= -2)
        & (cubes["double"] <= 1)
        & (cubes["take"] >= -1)
        & (cubes["take"] <= 2)
        & (cubes["cube"] >= -LARGEST_CUBE)
        & (cubes["cube"] <= LARGEST_CUBE)
        & (log.game_of[at] > 0)
    )
    log.add(at[~sound], "bad_record",
           "a cube record whose player, action or cube is impossible: left out")  # fmt: skip
    unanswered = sound & (cubes["double"] == 1) & (cubes["take"] < 0)
    log.add(at[unanswered], "no_answer", "a double that nobody answered")
    return sound


def each_option(moves):
    """Record and place of every candidate that the records say they have, of the 32 that there is room for."""
    kept = np.clip(moves["n_options"], 0, _ROOM)
    row = np.repeat(np.arange(len(moves)), kept)
    return row, np.arange(len(row)) - (np.cumsum(kept) - kept)[row]


def continuous(moves, at, log):
    """Name the records whose board is not what the play before left, in the same game."""
    points, after = moves["points"], moves["points_after"]
    actor = moves["actor"]
    left = np.where((actor == 1)[:, None], after, flip(after))  # in player 1's frame, as `points`
    place = np.stack([log.match_of(at), log.game_of[at]])
    gap = (points[1:] != left[:-1]).any(axis=1) & (place[:, 1:] == place[:, :-1]).all(axis=0)
    gap &= (moves["played"][:-1] != 0) | (actor[1:] != actor[:-1])
    log.add(at[1:][gap], "record_missing", "the board is not what the play before it left")


def believable(values):
    """Mask of the rows whose evaluation can be: finite, chances in 0…1, an equity that a cube can give.

    Parameters
    ----------
    values : ndarray of float, shape (n, 7)
        Six chances and an equity.
    """
    *chances, equity = np.ascontiguousarray(values.T)
    fine = np.abs(equity) < layout.LARGEST
    for chance in chances:
        fine &= (chance >= -_STORED) & (chance <= 1 + _STORED)
    return fine


def unread(kinds, log):
    """Name the records of a kind that this reader does not use."""
    log.add(np.flatnonzero(kinds > layout.COMMENT), "unknown_record",
           "a record of a kind that is not known: left out")  # fmt: skip


def stored_errors(stored, recomputed, known, at, log):
    """Name the rows whose stored error is not what their equities say (the stored one is kept)."""
    off = known & (np.abs(stored - np.maximum(recomputed, 0)) > _CUT + _STORED)
    log.add(at[off], "error_differs",
           "the stored error is not what the stored equities give: the stored one is used")  # fmt: skip


def _refuse(many, at, log, what):
    if many.any():
        first = int(np.flatnonzero(many)[0])
        game = log.game_of[at[first]]
        number = int((log.game_of[at[: first + 1]] == game).sum())
        raise ReadError(
            log.problems[0].path,
            log.problems[0].format,
            int(at[first]) * layout.RECORD_SIZE,
            f"game {game}, {what} {number}: more than 15 checkers on one side "
            "(offset in the unpacked temp.xg)",
        )
