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
from dataclasses import dataclass

import numpy as np

from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.record.columns import Acts, Key, Scores, decision_columns
from blunderlab.readers.mat.header import Match
from blunderlab.readers.mat.lines import looks_like, transcript
from blunderlab.readers.mat.results import Results, columns_of_games
from blunderlab.readers.mat.rows import ANSWERS, CHECKER, PLAYED_WORDS, Rows, play_game
from blunderlab.tables.draft import Draft, of_rows
from blunderlab.tables.problems import Problems

__all__ = ["Extracted", "build", "extract", "looks_like", "read"]



def read(data, path):
    """Read a transcription.

    As every format's `read` (see `blunderlab.readers.formats`): the file's bytes and its path in, a `Draft` out.

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
    return build([extract(data, path)])


@dataclass
class Extracted:
    """A file that is read and not yet frames."""

    path: str
    sha256: str
    match: Match
    rows: Rows
    results: Results
    problems: Problems

    @property
    def match_id(self):
        return self.sha256[:16]


def extract(data, path):
    """Read a transcription as far as it can be read without the others.

    Parameters
    ----------
    data : bytes
        The whole file.
    path : str or Path

    Returns
    -------
    Extracted

    Raises
    ------
    ReadError
        As `read`.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    problems = Problems(path, "mat", sha256[:16])
    written = transcript(data, path, problems)
    match = Match(written, path, problems)
    rows, start = Rows(), match.start
    games = enumerate(match.games, 1)
    results = Results(match, [play_game(i, game, start, rows, problems, path) for i, game in games])
    problems.room_for(max(len(rows), len(match.games)))
    return Extracted(str(path), sha256, match, rows, results, problems)


def build(many):
    """Make one draft of several files: columns cost much, and little more for many rows.

    Parameters
    ----------
    many : list of Extracted
        At least one, of different match_id.

    Returns
    -------
    Draft
        In the order given; derived columns are still missing.
    """
    decisions, boards = _decisions(many)
    return Draft(
        decisions,
        columns_of_games([one.results for one in many], [one.match_id for one in many]),
        of_rows(
            "matches",
            [one.match.match_row(one.path, one.sha256, one.match_id, one.results) for one in many],
        ),
        [one.problems for one in many],
        boards=boards,
    )


def _decisions(many):
    """The columns of `decisions` that the files know, and the boards."""
    rows, matches = Rows.columns([one.rows for one in many]), [one.match for one in many]
    sizes = [len(one.rows) for one in many]
    key = Key(
        [one.match_id for one in many],
        np.repeat(np.arange(len(many)), sizes),
        np.array(rows["game"], int),
        np.concatenate([np.arange(1, size + 1) for size in sizes]),
    )
    kind = np.array(rows["kind"], np.int8)
    points = np.frombuffer(b"".join(rows["points"]), np.int8).reshape(-1, 26)
    known = np.array(rows["known"], bool)
    acts = Acts(
        kind=kind,
        seat=np.array(rows["seat"], int),
        points=points,
        dice=np.frombuffer("".join(rows["dice"]).encode("ascii"), "u1").reshape(-1, 2),
        cube=np.array(rows["cube"], int),
        owner=np.array(rows["owner"], int),
        offered=np.isin(kind, ANSWERS),
        single=np.array(rows["dance"], bool),
        illegal=np.array(rows["illegal"], bool),
        played=_played(rows, kind, points, known),
        known=known,
    )
    scores, index = Scores.of_matches(matches, key, acts.seat)
    # An XGID cannot say that a match is over; the columns say what is written.
    most = np.zeros(len(many), int)
    np.maximum.at(most, key.match, scores.own)
    most = np.where(scores.length > 0, scores.length - 1, most[key.match])
    shown = np.minimum(scores.own, most), np.minimum(scores.other, most)
    names = [name for match in matches for game in match.games for name in game.names]
    return decision_columns(acts, scores, key, (names, 2 * index + acts.seat), shown=shown), points


def _played(rows, kind, points, known):
    """What was done, as zero-padded text: plays in this package's notation, as written where the board is not known."""
    readable = np.array([len(play) > 0 for play in rows["play"]], bool)
    steps = np.frombuffer(
        b"".join(play.ljust(2 * STEPS, b"\0") for play in rows["play"]), "u1"
    ).reshape(-1, 2 * STEPS)
    plays = play_bytes(steps, points)
    plays[(kind != CHECKER) | ~readable] = 0
    for row in np.flatnonzero((kind == CHECKER) & readable & ~known):
        # Whom such a play hit, only its own stars say.
        text = " ".join(rows["written"][row].split()).encode("ascii")
        if len(text) <= plays.shape[1]:
            plays[row] = np.frombuffer(text.ljust(plays.shape[1], b"\0"), "u1")
    said = np.zeros_like(plays)
    said[:, : PLAYED_WORDS.shape[1]] = PLAYED_WORDS[np.array(rows["word"], int)]
    return plays | said
