"""Which XG records can be believed: unsound ones cost themselves and a problem, an impossible board the file."""

import numpy as np

from blunderlab.backgammon.board import excess
from blunderlab.errors import ReadError
from blunderlab.readers import xg_records as layout

__all__ = ["report", "sound_cubes", "sound_moves", "stored_errors", "unread"]

_LARGEST_CUBE = 14  # exponent: 2^14 is the largest that the table's Int16 holds
_CUT = 1e-4  # XG stores a smaller error as 0; a missed double with ND = DT as 0.0001
_STORED = 1e-5  # single precision of the equities it came from


def report(problems, at, game_of, code, message):
    """Add one problem for each of these record numbers."""
    for record in at:
        problems.add(code, message, game=_game(game_of, record), offset=_offset(record))


def sound_moves(moves, at, game_of, problems):
    """Mask of the usable move records; raises where a board holds more than 15 checkers a side."""
    row, option = np.nonzero(np.arange(32) < moves["n_options"][:, None])
    many = excess(moves["points"]) | excess(moves["points_after"])
    many[row[excess(moves["results"][row, option])]] = True
    _refuse(many, at, game_of, problems, "move")
    sound = (
        (np.abs(moves["actor"]) == 1)
        & ((moves["dice"] >= 1) & (moves["dice"] <= 6)).all(axis=1)
        & (moves["n_options"] >= 0)
        & (moves["n_options"] <= 32)
        & (np.abs(moves["cube"]) <= _LARGEST_CUBE)
        & (game_of[at] > 0)
    )
    report(problems, at[~sound], game_of, "bad_record",
           "a move record whose player, dice, cube or number of candidates is impossible: left out")  # fmt: skip
    return sound


def sound_cubes(cubes, at, game_of, problems):
    """Mask of the usable cube records; raises where a board holds more than 15 checkers a side."""
    _refuse(excess(cubes["points"]), at, game_of, problems, "cube decision")
    sound = (
        (np.abs(cubes["actor"]) == 1)
        & (cubes["double"] >= -2)
        & (cubes["double"] <= 1)
        & (cubes["take"] >= -1)
        & (cubes["take"] <= 2)
        & (np.abs(cubes["cube"]) <= _LARGEST_CUBE)
        & (game_of[at] > 0)
    )
    report(problems, at[~sound], game_of, "bad_record",
           "a cube record whose player, action or cube is impossible: left out")  # fmt: skip
    return sound


def unread(kinds, game_of, problems):
    """Name the records of a kind that this reader does not use."""
    report(problems, np.flatnonzero(kinds > layout.COMMENT), game_of, "unknown_record",
           "a record of a kind that is not known: left out")  # fmt: skip


def stored_errors(stored, recomputed, known, at, game_of, problems):
    """Name the rows whose stored error is not what their equities say (the stored one is kept)."""
    off = known & (np.abs(stored - np.maximum(recomputed, 0)) > _CUT + _STORED)
    report(problems, at[off], game_of, "error_differs",
           "the stored error is not what the stored equities give: the stored one is used")  # fmt: skip


def _refuse(many, at, game_of, problems, what):
    if many.any():
        first = int(np.flatnonzero(many)[0])
        record = at[first]
        game = game_of[record]
        number = int((game_of[at[: first + 1]] == game).sum())
        raise ReadError(
            problems.path,
            problems.format,
            _offset(record),
            f"game {game}, {what} {number}: more than 15 checkers on one side "
            "(offset in the unpacked temp.xg)",
        )


def _game(game_of, record):
    return int(game_of[record]) or None


def _offset(record):
    return int(record) * layout.RECORD_SIZE
