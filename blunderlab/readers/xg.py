"""eXtreme Gammon's `.xg` and `.xgp`: one row per decision, all that the file knows.

Container → records → rows → tables. XG's own numbers are kept as stored: equities normalised to the current
cube, each error as XG worked it out (first candidate minus played, cut to 0 below 0.0001).
"""

import hashlib

import numpy as np

from blunderlab import columns
from blunderlab.backgammon.xgid_rows import xgid_column
from blunderlab.errors import ReadError
from blunderlab.readers import xg_header as header
from blunderlab.readers import xg_records as layout
from blunderlab.readers.problems import Problems
from blunderlab.readers.xg_check import sound_cubes, sound_moves, unread
from blunderlab.readers.xg_comments import notes
from blunderlab.readers.xg_container import RECORD_SIZE, segments
from blunderlab.readers.xg_rows import checker_rows, cube_rows, joined
from blunderlab.tables import CRAWFORD, DISCIPLINES, SCHEMA, Tables, frame

__all__ = ["read"]

_DTYPE = {c.name: c.pandas for c in SCHEMA["decisions"]}
_MOST_DECISIONS = 32767  # what the key column holds
_ROLLOUT = 100
_LEVELS = {
    **{code: f"{code + 1}-ply" for code in range(7)},
    12: "3-ply red", 998: "opening book", 999: "opening book", 1000: "XG Roller",
    1001: "XG Roller+", 1002: "XG Roller++",
}  # fmt: skip


def read(data, path):
    """Read an XG match.

    Parameters
    ----------
    data : bytes
        The whole file.
    path : str or Path
        For messages and the `matches` table.

    Returns
    -------
    Tables
        Derived columns are still missing; `blunderlab.read` adds them.

    Raises
    ------
    ReadError
        When the container, a header or a board is damaged; a bad evaluation only costs its row's analysis.
    """
    found = segments(data, path)
    sha256 = hashlib.sha256(data).hexdigest()
    match_id = sha256[:16]
    problems = Problems(path, "xg", match_id)

    records = np.frombuffer(found["temp.xg"], f"V{RECORD_SIZE}")
    kinds = np.frombuffer(found["temp.xg"], "u1").reshape(-1, RECORD_SIZE)[:, layout.TYPE_OFFSET]
    if kinds[0] != layout.MATCH:
        raise ReadError(path, "xg", 0, "the first record is no match header (offset in the unpacked temp.xg)")  # fmt: skip
    game_of = np.cumsum(kinds == layout.GAME)
    match = header.Match(records[:1].view(layout.MATCH_RECORD)[0], path)
    games = header.games(records, kinds, game_of, match, problems)
    unread(kinds, game_of, problems)

    moves, move_at = _sound(records, kinds == layout.MOVE, layout.MOVE_RECORD, sound_moves, game_of, problems)  # fmt: skip
    cubes, cube_at = _sound(records, kinds == layout.CUBE, layout.CUBE_RECORD, sound_cubes, game_of, problems)  # fmt: skip
    rows, options = joined(
        checker_rows(moves, move_at, game_of, problems),
        cube_rows(cubes, cube_at, game_of, problems),
    )
    n = len(rows.record)
    if n > _MOST_DECISIONS:
        raise ReadError(path, "xg", None, f"{n} decisions in one match; the tables hold {_MOST_DECISIONS}")  # fmt: skip

    game = game_of[rows.record]
    levels = _Levels(found.get("temp.xgr", b""))
    key = {"match_id": match_id, "game": game, "decision": np.arange(1, n + 1)}
    option_frame = _options(options, key, levels)
    decisions = _decisions(rows, options, option_frame, key, match, games)
    decisions["note"] = notes(
        found.get("temp.xgc", b""), records, kinds, rows.record,
        (move_at, moves["comment"]), (cube_at, cubes["comment"]), game_of,
    )  # fmt: skip
    return Tables.build(
        decisions=frame("decisions", decisions, n),
        options=frame("options", option_frame, len(options.row)),
        games=header.games_frame(games, match_id),
        matches=header.match_frame(match, games, path, sha256, match_id),
        problems=problems.frame(),
    )


def _sound(records, mask, dtype, sound, game_of, problems):
    at = np.flatnonzero(mask)
    typed = records[at].view(dtype)
    kept = sound(typed, at, game_of, problems)
    return (typed, at) if kept.all() else (typed[kept], at[kept])


def _decisions(rows, options, option_frame, key, match, games):
    """The columns of `decisions` that the file knows."""
    n, index = len(rows.record), key["game"] - 1
    kept = np.bincount(options.row, minlength=n)
    first = np.minimum(np.cumsum(kept) - kept, max(len(options.row) - 1, 0))
    score = np.stack([games["score0"], games["score1"]])[:, index]
    own = np.where(rows.seat == 0, score[0], score[1])
    other = np.where(rows.seat == 0, score[1], score[0])
    money = np.full(n, match.length is None)
    no_score = money | ~games["sound"][index]
    length = match.length or 0
    crawford = games["crawford"][index]
    rules = np.full(n, match.rules) + (crawford == CRAWFORD.index("crawford"))
    return {
        "match_id": columns.repeat(key["match_id"], n),
        "game": columns.integers(key["game"]),
        "decision": columns.integers(key["decision"]),
        "discipline": columns.category(np.full(n, DISCIPLINES.index("backgammon"), np.int8), _DTYPE["discipline"]),
        "player": columns.take_text(match.players, rows.seat),
        "seat": columns.integers(rows.seat),
        "kind": columns.category(rows.kind, _DTYPE["kind"]),
        "position": xgid_column(
            rows.points, rows.cube, rows.owner, rows.offered, rows.dice, own, other, rules, length
        ),
        "roll": columns.text_from_bytes(rows.dice, rows.dice[:, 0] == ord("0")),
        "played": columns.text_from_bytes(rows.played, ~rows.played.any(axis=1)),
        "best": columns.pick(option_frame["option"], first, kept > 0),
        "match_length": columns.integers(np.full(n, length), money),
        "away": columns.integers(length - own, no_score),
        "opponent_away": columns.integers(length - other, no_score),
        "crawford": columns.category(np.where(money, -1, crawford).astype(np.int8), _DTYPE["crawford"]),
        "cube": columns.integers(1 << rows.cube),
        "cube_owner": columns.category(np.array([0, 1, 2], np.int8)[rows.owner], _DTYPE["cube_owner"]),
        "level": columns.pick(option_frame["level"], first, kept > 0),
        "n_options": columns.integers(kept),
        "n_legal": columns.integers(np.ones(n), ~rows.single),
        "no_double": rows.equities[:, 0].copy(),
        "double_take": rows.equities[:, 1].copy(),
        "double_pass": rows.equities[:, 2].copy(),
        "illegal": rows.illegal,
        "error": rows.error,
        "luck": rows.luck,
    }  # fmt: skip


def _options(options, key, levels):
    """The columns of `options`; costs are derived later."""
    n = len(options.row)
    chances = ("win", "win_gammon", "win_backgammon", "lose", "lose_gammon", "lose_backgammon")
    return {
        "match_id": columns.repeat(key["match_id"], n),
        "game": columns.integers(key["game"][options.row]),
        "decision": columns.integers(key["decision"][options.row]),
        "rank": columns.integers(options.rank),
        "option": columns.text_from_bytes(options.words),
        "equity": options.equity,
        "level": levels.column(options.level, options.rollout),
        **{name: options.chances[:, i].copy() for i, name in enumerate(chances)},
        "played": options.played,
    }


class _Levels:
    """Words for XG's level codes; a rollout names its number of games, from temp.xgr."""

    def __init__(self, segment):
        size = layout.ROLLOUT.itemsize
        self._games = np.frombuffer(segment[: len(segment) // size * size], layout.ROLLOUT)["games"]

    def column(self, level, rollout):
        code = np.where(level == _ROLLOUT, -2 - rollout.astype(np.int64), level)
        different, at = np.unique(code, return_inverse=True)
        return columns.take_text([self._word(int(c)) for c in different], at)

    def _word(self, code):
        if code >= 0:
            return _LEVELS.get(code, f"level {code}")
        number = -2 - code
        known = 0 <= number < len(self._games)
        return f"rollout {self._games[number]}" if known else "rollout"
