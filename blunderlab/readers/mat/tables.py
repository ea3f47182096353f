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

from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.record.columns import Acts, Key, Scores, decision_columns
from blunderlab.errors import ReadError
from blunderlab.readers.mat.header import Match
from blunderlab.readers.mat.lines import looks_like, transcript
from blunderlab.readers.mat.results import Results
from blunderlab.readers.mat.rows import ANSWERS, CHECKER, PLAYED_WORDS, Rows, play_game
from blunderlab.tables.draft import Draft, of_rows
from blunderlab.tables.problems import Problems
from blunderlab.tables.schema import MOST_DECISIONS

__all__ = ["looks_like", "read"]



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
    Draft
        Derived columns are still missing; `blunderlab.read` adds them.

    Raises
    ------
    ReadError
        When this is no transcription, or the file was cut short within something.

    Examples
    --------
    >>> t = read(b"1 point match\\n Game 1\\n Ann : 0   Bob : 0\\n 1) 31: 8/5 6/5   42: 8/4 6/4\\n", "a.mat").tables()
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
    decisions, boards = _decisions(rows, match, match_id)
    return Draft(
        decisions,
        results.game_columns(match_id),
        of_rows("matches", [match.match_row(path, sha256, match_id, results)]),
        [problems],
        boards=boards,
    )


def _decisions(rows, match, match_id):
    """The columns of `decisions` that the file knows, and the boards."""
    n = len(rows)
    key = Key([match_id], np.zeros(n, int), np.array(rows.game, int), np.arange(1, n + 1))
    kind = np.array(rows.kind, np.int8)
    points = np.frombuffer(b"".join(rows.points), np.int8).reshape(n, 26)
    known = np.array(rows.known, bool)
    acts = Acts(
        kind=kind,
        seat=np.array(rows.seat, int),
        points=points,
        dice=np.frombuffer("".join(rows.dice).encode("ascii"), "u1").reshape(n, 2),
        cube=np.array(rows.cube, int),
        owner=np.array(rows.owner, int),
        offered=np.isin(kind, ANSWERS),
        single=np.array(rows.dance, bool),
        illegal=np.array(rows.illegal, bool),
        played=_played(rows, kind, points, known),
        known=known,
    )
    scores = Scores.of_match(match, key.game - 1, acts.seat)
    # An XGID cannot say that a match is over; the columns say what is written.
    most = match.length - 1 if match.length else scores.own.max(initial=0)
    shown = np.minimum(scores.own, most), np.minimum(scores.other, most)
    names = [name for game in match.games for name in game.names]
    decisions = decision_columns(
        acts, scores, key, (names, 2 * (key.game - 1) + acts.seat), shown=shown
    )
    return decisions, points


def _played(rows, kind, points, known):
    """What was done, as zero-padded text: plays in this package's notation, as written where the board is not known."""
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
    return plays | said
