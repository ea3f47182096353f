"""Rows with boards, cubes and options as columns of the tables `decisions` and `options`."""

import numpy as np

from blunderlab import columns
from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.xgid_rows import xgid_column
from blunderlab.readers.sgf.rows import ANSWERS, CHECKER, PLAYED_WORDS
from blunderlab.tables import DISCIPLINES, SCHEMA

__all__ = ["decision_columns", "option_columns"]

_DTYPE = {c.name: c.pandas for c in SCHEMA["decisions"]}


def decision_columns(rows, options, option_frame, equities, key, match):
    """The columns of `decisions` that a file knows.

    Parameters
    ----------
    rows : readers.sgf.rows.Rows
    options : readers.sgf.analysis.Options
    option_frame : dict
        Of `option_columns`.
    equities : ndarray, shape (rows, 3)
    key : dict
        match_id; game and decision, arrays.
    match : object
        players, length (None: money), scores (games, 2), sound, crawford (games,) and rules().
    """
    n, index = len(rows), key["game"] - 1
    kind, seat = np.array(rows.kind, np.int8), np.array(rows.seat, int)
    points = np.array(rows.points, np.int8).reshape(n, 26)
    cube, owner = np.array(rows.cube, int), np.array(rows.owner, int)
    dice = np.frombuffer(b"".join(rows.dice), "u1").reshape(n, 2)
    kept = np.bincount(options.row, minlength=n)
    first = np.minimum(np.cumsum(kept) - kept, max(len(options.row) - 1, 0))
    score = match.scores[index]
    own, other = score[np.arange(n), seat], score[np.arange(n), 1 - seat]
    money = np.full(n, match.length is None)
    no_score = money | ~match.sound[index]
    length = match.length or 0
    position = xgid_column(
        points, cube, owner, np.isin(kind, ANSWERS), dice, own, other, match.rules()[index], length
    )
    steps = np.frombuffer(b"".join(rows.play), "u1").reshape(n, 2 * STEPS)
    illegal = np.array(rows.illegal, bool)
    played = _played(rows, kind, steps, points)
    no_choice = (kind == CHECKER) & ((~steps.any(axis=1) & ~illegal) | (kept == 1))
    return {
        "match_id": columns.repeat(key["match_id"], n),
        "game": columns.integers(key["game"]),
        "decision": columns.integers(key["decision"]),
        "discipline": columns.category(np.full(n, DISCIPLINES.index("backgammon"), np.int8), _DTYPE["discipline"]),
        "player": columns.take_text(match.players, seat),
        "seat": columns.integers(seat),
        "kind": columns.category(kind, _DTYPE["kind"]),
        "position": columns.pick(position, np.arange(n), np.array(rows.known, bool)),
        "roll": columns.text_from_bytes(dice, dice[:, 0] == ord("0")),
        "played": columns.text_from_bytes(played, ~played.any(axis=1)),
        "best": columns.pick(option_frame["option"], first, kept > 0),
        "match_length": columns.integers(np.full(n, length), money),
        "away": columns.integers(length - own, no_score),
        "opponent_away": columns.integers(length - other, no_score),
        "crawford": columns.category(np.where(money, -1, match.crawford[index]).astype(np.int8), _DTYPE["crawford"]),
        "cube": columns.integers(1 << cube),
        "cube_owner": columns.category(np.array([0, 1, 2], np.int8)[owner], _DTYPE["cube_owner"]),
        "level": columns.pick(option_frame["level"], first, kept > 0),
        "n_options": columns.integers(kept),
        "n_legal": columns.integers(np.ones(n), ~no_choice),
        "no_double": equities[:, 0].copy(),
        "double_take": equities[:, 1].copy(),
        "double_pass": equities[:, 2].copy(),
        "illegal": illegal,
        "luck": np.array(rows.luck, float),
        "note": columns.text(rows.note),
    }  # fmt: skip


def _played(rows, kind, steps, points):
    """What was done, as zero-padded text."""
    plays = play_bytes(steps, points)
    plays[kind != CHECKER] = 0
    said = np.zeros_like(plays)
    said[:, : PLAYED_WORDS.shape[1]] = PLAYED_WORDS[np.array(rows.word, int)]
    return plays | said


def option_columns(options, key, depths):
    """The columns of `options`; costs are derived later."""
    n = len(options.row)
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = options.chances.T
    chances = {
        "win": win, "win_gammon": win_gammon, "win_backgammon": win_backgammon, "lose": 1 - win,
        "lose_gammon": lose_gammon, "lose_backgammon": lose_backgammon,
    }  # fmt: skip
    return {
        "match_id": columns.repeat(key["match_id"], n),
        "game": columns.integers(key["game"][options.row]),
        "decision": columns.integers(key["decision"][options.row]),
        "rank": columns.integers(options.rank),
        "option": columns.text_from_bytes(options.words),
        "equity": options.equity,
        "level": depths.column(options.level),
        **{name: value.copy() for name, value in chances.items()},
        "played": options.played,
    }
