"""Transcriptions, `.mat` and `.txt`: the plays, cubes and scores of a match, as programs and servers write them.

Lines → cells of two columns → a game played through → rows → tables. There is no analysis: no row is scored. Plays
are checked against the rules; one that breaks them is a row of `problems`, and the board follows what is written
as long as there are checkers to follow it with.

A file that was cut short never looks whole. It is refused where it ends

- before the first game, or after the line that announces one;
- within a line (no end of line behind it) that more could follow: half a word, a number, a line of scores, a play
  that breaks the rules, for half a play does.

Where it ends between two cells it may as well be a match that nobody finished, as gnuBG saves them: the last game
has no winner, the match neither, and `problems` says `cut_short`; between two games it says `unfinished`, unless
it is a money session, of which nobody can know how many games it had.
"""

import hashlib

import numpy as np

from blunderlab import columns
from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.xgid_rows import xgid_column
from blunderlab.errors import ReadError
from blunderlab.readers.mat.header import Match
from blunderlab.readers.mat.lines import looks_like, transcript
from blunderlab.readers.mat.results import Results
from blunderlab.readers.mat.rows import ANSWERS, CHECKER, PLAYED_WORDS, Rows, play_game
from blunderlab.readers.problems import Problems
from blunderlab.tables import DISCIPLINES, MOST_DECISIONS, SCHEMA, Tables, frame

__all__ = ["looks_like", "read"]

_DTYPE = {c.name: c.pandas for c in SCHEMA["decisions"]}


def read(data, path):
    """Read a transcription.

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
        When this is no transcription, or the file was cut short within something.

    Examples
    --------
    >>> t = read(b"1 point match\\n Game 1\\n Ann : 0   Bob : 0\\n 1) 31: 8/5 6/5   42: 8/4 6/4\\n", "a.mat")
    >>> t.decisions["played"].tolist(), t.problems["code"].tolist()
    (['8/5 6/5', '8/4 6/4'], ['cut_short'])
    """
    sha256 = hashlib.sha256(data).hexdigest()
    match_id = sha256[:16]
    problems = Problems(path, "mat", match_id)
    written = transcript(data, path, problems)
    match = Match(written, path, problems)
    rows, start = Rows.empty(), match.start
    games = enumerate(match.games, 1)
    results = Results(match, [play_game(i, game, start, rows, problems, path) for i, game in games])
    n = len(rows)
    if max(n, len(match.games)) > MOST_DECISIONS:
        raise ReadError(
            path, "mat", None, f"{n} decisions in one match; the tables hold {MOST_DECISIONS}"
        )
    return Tables.build(
        decisions=frame("decisions", _decisions(rows, match, match_id), n),
        games=results.games_frame(match_id),
        matches=match.frame(path, sha256, match_id, results),
        problems=problems.frame(),
    )


def _decisions(rows, match, match_id):
    """The columns of `decisions` that the file knows."""
    n, game = len(rows), np.array(rows.game, int)
    index = game - 1
    kind, seat = np.array(rows.kind, np.int8), np.array(rows.seat, int)
    points = np.frombuffer(b"".join(rows.points), np.int8).reshape(n, 26)
    known = np.array(rows.known, bool)
    dice = np.frombuffer("".join(rows.dice).encode("ascii"), "u1").reshape(n, 2)
    cube, owner = np.array(rows.cube, int), np.array(rows.owner, int)
    score = match.scores[index]
    own, other = score[np.arange(n), seat], score[np.arange(n), 1 - seat]
    money = np.full(n, match.length is None)
    no_score = money | ~match.sound[index]
    length = match.length or 0
    highest = length - 1 if length else own.max(initial=0)
    position = xgid_column(
        points, cube, owner, np.isin(kind, ANSWERS), dice, np.minimum(own, highest), np.minimum(other, highest),
        match.rules()[index], length,
    )  # fmt: skip
    names = [name for game in match.games for name in game.names]
    return {
        "match_id": columns.repeat(match_id, n),
        "game": columns.integers(game),
        "decision": columns.integers(np.arange(1, n + 1)),
        "discipline": columns.category(np.full(n, DISCIPLINES.index("backgammon"), np.int8), _DTYPE["discipline"]),
        "player": columns.take_text(names, 2 * index + seat),
        "seat": columns.integers(seat),
        "kind": columns.category(kind, _DTYPE["kind"]),
        "position": columns.pick(position, np.arange(n), known),
        "roll": columns.text_from_bytes(dice, dice[:, 0] == ord("0")),
        "played": _played(rows, kind, points, known),
        "match_length": columns.integers(np.full(n, length), money),
        "away": columns.integers(length - own, no_score),
        "opponent_away": columns.integers(length - other, no_score),
        "crawford": columns.category(np.where(money, -1, match.crawford[index]).astype(np.int8), _DTYPE["crawford"]),
        "cube": columns.integers(1 << cube),
        "cube_owner": columns.category(np.array([0, 1, 2], np.int8)[owner], _DTYPE["cube_owner"]),
        "n_legal": columns.integers(np.ones(n), ~np.array(rows.dance, bool)),
        "illegal": np.array(rows.illegal, bool),
    }  # fmt: skip


def _played(rows, kind, points, known):
    """What was done: plays in this package's notation, or as written where the board is not known."""
    readable = np.array([len(play) > 0 for play in rows.play], bool)
    steps = np.frombuffer(
        b"".join(play.ljust(2 * STEPS, b"\0") for play in rows.play), "u1"
    ).reshape(-1, 2 * STEPS)
    plays = play_bytes(steps, points)
    plays[(kind != CHECKER) | ~readable] = 0
    for row in np.flatnonzero((kind == CHECKER) & readable & ~known):
        # Whom such a play hit, only its own stars say.
        text = " ".join(rows.written[row].split()).encode("ascii")
        if len(text) <= plays.shape[1]:
            plays[row] = np.frombuffer(text.ljust(plays.shape[1], b"\0"), "u1")
    said = np.zeros_like(plays)
    said[:, : PLAYED_WORDS.shape[1]] = PLAYED_WORDS[np.array(rows.word, int)]
    text = plays | said
    return columns.text_from_bytes(text, ~text.any(axis=1))
