"""gnuBG's `.sgf`: one row per decision, all that the file knows.

Bytes → trees of nodes → a game played through → rows → tables. Candidates keep gnuBG's order and equities; its
cube records, chances to win the match, become equities normalised to the cube before the double, in the
doubler's view. The statistics that gnuBG writes into the file go to `figures` and are read by no measure.
"""

import hashlib

import numpy as np

from blunderlab import columns
from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.xgid_rows import xgid_column
from blunderlab.errors import ReadError
from blunderlab.readers.problems import Problems
from blunderlab.readers.sgf_analysis import Levels, candidates, joined, mark_played
from blunderlab.readers.sgf_cubes import cube_options, cube_records
from blunderlab.readers.sgf_figures import figures
from blunderlab.readers.sgf_header import Match
from blunderlab.readers.sgf_rows import ANSWERS, CHECKER, PLAYED_WORDS, Rows, play_game
from blunderlab.readers.sgf_stakes import Stakes
from blunderlab.readers.sgf_tree import looks_like, trees
from blunderlab.tables import DISCIPLINES, SCHEMA, Tables, frame

__all__ = ["looks_like", "read"]

_DTYPE = {c.name: c.pandas for c in SCHEMA["decisions"]}
_MOST_DECISIONS = 32767  # what the key column holds


def read(data, path):
    """Read a gnuBG match or session.

    Parameters
    ----------
    data : bytes
        The whole file.
    path : str or Path
        For messages and the `matches` table.

    Returns
    -------
    Tables
        Derived columns are still missing; `blunderlab.read` adds them. A file that gnuBG never analysed (no luck
        is known and no candidate but the first was played) keeps its options, but none counts as played and no
        cube row has equities, so that its rows are unscored.

    Raises
    ------
    ReadError
        When the file is cut short, is not backgammon, or a header or board cannot be; a bad evaluation only
        costs its row's analysis.
    """
    found = trees(data, path)
    sha256 = hashlib.sha256(data).hexdigest()
    match_id = sha256[:16]
    problems = Problems(path, "sgf", match_id)
    match = Match(found, path, problems)
    rows = Rows.empty()
    ends = [play_game(*one, match, rows) for one in zip(match.games, match.trees, strict=True)]
    n = len(rows)
    if n > _MOST_DECISIONS:
        raise ReadError(path, "sgf", None, f"{n} decisions in one match; the tables hold {_MOST_DECISIONS}")  # fmt: skip

    depths, stakes = Levels(), Stakes(rows, match)
    plays, chosen, steps = candidates(rows, depths, stakes, problems)
    mark_played(rows, plays, chosen, steps, problems)
    equities, chances, level = cube_records(rows, depths, stakes, problems)
    options = joined(plays, cube_options(rows, equities, chances, level))
    if np.isnan(rows.luck).all() and (chosen <= 0).all():
        options.played[:] = False
        equities[:] = np.nan

    key = {"match_id": match_id, "game": np.array(rows.game, int), "decision": np.arange(1, n + 1)}
    option_frame = _options(options, key, depths)
    return Tables.build(
        decisions=frame(
            "decisions", _decisions(rows, options, option_frame, equities, key, match), n
        ),
        options=frame("options", option_frame, len(options.row)),
        games=match.games_frame(match_id, *zip(*ends, strict=True)),
        matches=match.frame(path, sha256, match_id),
        figures=figures(match, match_id),
        problems=problems.frame(),
    )


def _decisions(rows, options, option_frame, equities, key, match):
    """The columns of `decisions` that the file knows."""
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


def _options(options, key, depths):
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
