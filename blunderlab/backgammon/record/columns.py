"""Arrays of backgammon records as columns of the tables `decisions`, `options` and `games`."""

from dataclasses import dataclass

import numpy as np

from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.record.rows import ANSWERS, CHECKER, PLAYED_WORDS
from blunderlab.backgammon.xgid_rows import xgid_column
from blunderlab.tables import columns
from blunderlab.tables.draft import Columns, Draft
from blunderlab.tables.schema import DISCIPLINES, declared_dtypes

__all__ = [
    "CHANCES",
    "Acts",
    "Key",
    "Scores",
    "decision_columns",
    "game_columns",
    "option_columns",
    "replayed",
]

CHANCES = ("win", "win_gammon", "win_backgammon", "lose", "lose_gammon", "lose_backgammon")
_BACKGAMMON = DISCIPLINES.index("backgammon")
_NOT_ROLLED = ord("0")
_DTYPE = declared_dtypes("decisions")
_GAME_DTYPE = declared_dtypes("games")
_OWNER = np.array([0, 1, 2], np.int8)  # codes of OWNERS by 0 centre, 1 player, -1 opponent


@dataclass
class Key:
    """Which decision of which match each row is."""

    ids: list  # match_id of each match
    match: np.ndarray  # index into ids
    game: np.ndarray
    decision: np.ndarray

    def columns(self, row=slice(None)):
        """The key columns of these rows."""
        game = self.game[row]
        one = len(self.ids) == 1
        return {
            "match_id": columns.repeat(self.ids[0], len(game))
            if one
            else columns.take_text(self.ids, self.match[row]),
            "game": columns.integers(game),
            "decision": columns.integers(self.decision[row]),
        }


@dataclass
class Acts:
    """What was decided, row by row."""

    kind: np.ndarray  # code of KINDS
    seat: np.ndarray
    points: np.ndarray  # (n, 26), the player's view
    dice: np.ndarray  # (n, 2) ASCII, "00" before the roll
    cube: np.ndarray  # log2, before any double
    owner: np.ndarray  # 1 player, 0 centre, -1 opponent
    offered: np.ndarray  # a cube is, to this player
    single: np.ndarray  # no choice: a dance or one candidate
    illegal: np.ndarray
    played: np.ndarray  # zero-padded text
    known: np.ndarray | None = None  # the board and the score can be shown; None: everywhere


@dataclass
class Scores:
    """How the match stands at each row, seen by its player."""

    own: np.ndarray
    other: np.ndarray
    length: np.ndarray  # 0 for money
    crawford: np.ndarray  # code of CRAWFORD
    rules: np.ndarray  # of the XGID: 1 in the Crawford game, for money Jacoby + 2 · beaver
    sound: np.ndarray  # the match can have this score

    @classmethod
    def of_matches(cls, matches, key, seat):
        """Those of the rows of some matches, and which of all their games each row is of.

        Parameters
        ----------
        matches : list of object
            length (None: money), scores (games, 2), crawford and sound (games,), and rules().
        key : Key
        seat : ndarray of int

        Returns
        -------
        (Scores, ndarray of int)
        """
        games = np.array([len(match.crawford) for match in matches])
        index = (np.cumsum(games) - games)[key.match] + key.game - 1
        scores, crawford, rules, sound = (
            np.concatenate(parts)[index]
            for parts in zip(
                *((m.scores, m.crawford, m.rules(), m.sound) for m in matches), strict=True
            )
        )
        rows = np.arange(len(index))
        own, other = scores[rows, seat], scores[rows, 1 - seat]
        length = np.array([match.length or 0 for match in matches])[key.match]
        return cls(own, other, length, crawford, rules, sound), index


def decision_columns(acts, scores, key, names, options=None, kept=None, shown=None, **more):
    """The columns of `decisions` that a record knows.

    Parameters
    ----------
    acts : Acts
    scores : Scores
    key : Key
    names : list of str, or (list of str, ndarray of int)
        Of the seats of each match, one after the other; or names and which of them each row's player is.
    options : Columns, optional
        Of these rows, in their order; left out where nothing is analysed.
    kept : ndarray of int, shape (rows,), optional
        How many options each row has.
    shown : (ndarray, ndarray), optional
        Scores to write into `position` instead.
    **more : arrays
        Further columns of `decisions`.

    Returns
    -------
    Columns
    """
    n = len(acts.kind)
    money = scores.length == 0
    no_score = money | ~scores.sound
    names, at = names if isinstance(names, tuple) else (names, 2 * key.match + acts.seat)
    own, other = shown or (scores.own, scores.other)
    data = {
        **key.columns(),
        "discipline": columns.category(np.full(n, _BACKGAMMON, np.int8), _DTYPE["discipline"]),
        "player": columns.take_text(names, at),
        "seat": columns.integers(acts.seat),
        "kind": columns.category(acts.kind, _DTYPE["kind"]),
        "position": xgid_column(
            acts.points, acts.cube, acts.owner, acts.offered, acts.dice, own, other, scores.rules, scores.length,
            missing=None if acts.known is None else ~acts.known,
        ),
        "roll": columns.text_from_bytes(acts.dice, acts.dice[:, 0] == _NOT_ROLLED),
        "played": columns.text_from_bytes(acts.played, ~acts.played.any(axis=1)),
        "match_length": columns.integers(scores.length, money),
        "away": columns.integers(scores.length - scores.own, no_score),
        "opponent_away": columns.integers(scores.length - scores.other, no_score),
        "crawford": columns.category(np.where(money, -1, scores.crawford).astype(np.int8), _DTYPE["crawford"]),
        "cube": columns.integers(1 << acts.cube.astype(np.int64)),
        "cube_owner": columns.category(_OWNER[acts.owner], _DTYPE["cube_owner"]),
        "n_legal": columns.integers(np.ones(n, np.int64), ~acts.single),
        "illegal": acts.illegal,
        **more,
    }  # fmt: skip
    if options is not None:
        first = np.minimum(np.cumsum(kept) - kept, max(options.n - 1, 0))
        data["best"] = columns.pick(options["option"], first, kept > 0)
        data["level"] = columns.pick(options["level"], first, kept > 0)
        data["n_options"] = columns.integers(kept)
    return Columns("decisions", data, n)


def _acts_of(rows, kept):
    """The arrays of a record that was played through.

    Parameters
    ----------
    rows : Rows
    kept : ndarray of int, shape (rows,)
        How many options each row has.

    Returns
    -------
    Acts
    """
    n = len(rows)
    kind = np.array(rows.kind, np.int8)
    points = np.array(rows.points, np.int8).reshape(n, 26)
    steps = np.frombuffer(b"".join(rows.play), "u1").reshape(n, 2 * STEPS)
    illegal = np.array(rows.illegal, bool)
    plays = play_bytes(steps, points)
    plays[kind != CHECKER] = 0
    said = np.zeros_like(plays)
    said[:, : PLAYED_WORDS.shape[1]] = PLAYED_WORDS[np.array(rows.word, int)]
    return Acts(
        kind=kind,
        seat=np.array(rows.seat, int),
        points=points,
        dice=np.frombuffer(b"".join(rows.dice), "u1").reshape(n, 2),
        cube=np.array(rows.cube, int),
        owner=np.array(rows.owner, int),
        offered=np.isin(kind, ANSWERS),
        single=(kind == CHECKER) & ((~steps.any(axis=1) & ~illegal) | (kept == 1)),
        illegal=illegal,
        played=plays | said,
        known=np.array(rows.known, bool),
    )


def replayed(rows, options, depths, equities, match, match_id, games, matches, problems, figures=None, **more):
    """The draft of a match that was played through.

    Parameters
    ----------
    rows : Rows
    options : record.options.Options
    depths : Words
        What the options' levels say.
    equities : ndarray, shape (rows, 3)
        No double, double/take, double/pass in the doubler's view.
    match : object
        players, length (None: money), scores (games, 2), crawford, sound (games,) and rules().
    match_id : str
    games, matches, figures : Columns
    problems : Problems
    **more : arrays
        Further columns of `decisions`.

    Returns
    -------
    Draft
    """
    n = len(rows)
    key = Key([match_id], np.zeros(n, int), np.array(rows.game, int), np.arange(1, n + 1))
    kept = np.bincount(options.row, minlength=n)
    acts = _acts_of(rows, kept)
    listed = option_columns(
        key, options.row, options.rank, options.words, options.equity, depths.column(options.level),
        _with_losses(options.chances), options.played,
    )  # fmt: skip
    named = dict(zip(("no_double", "double_take", "double_pass"), equities.T.copy(), strict=True))
    decisions = decision_columns(
        acts, Scores.of_matches([match], key, acts.seat)[0], key, match.players, listed, kept,
        **{**named, "luck": np.array(rows.luck, float), "note": columns.text(rows.note), **more},
    )  # fmt: skip
    return Draft(
        decisions, games, matches, [problems], listed, options.row,
        figures=Columns("figures") if figures is None else figures, boards=acts.points,
    )  # fmt: skip


def option_columns(key, row, rank, words, equity, level, chances, played):
    """The columns of `options`; costs are derived later.

    Parameters
    ----------
    key : Key
        Of the decisions.
    row : ndarray of int, shape (options,)
        Which decision each belongs to.
    rank, equity, played : ndarray, shape (options,)
    words : ndarray of uint8, shape (options, width)
        Zero-padded text.
    level : array of str
    chances : ndarray, shape (options, 6)
        In the order of `CHANCES`.

    Returns
    -------
    Columns
    """
    return Columns(
        "options",
        {
            **key.columns(row),
            "rank": columns.integers(rank),
            "option": columns.text_from_bytes(words),
            "equity": equity,
            "level": level,
            **{name: np.ascontiguousarray(of) for name, of in zip(CHANCES, chances.T, strict=True)},
            "played": played,
        },
        len(row),
    )


def _with_losses(chances):
    """Six chances from the five of a program that leaves out losing, 1 − win.

    Parameters
    ----------
    chances : ndarray, shape (n, 5)
        win, win gammon, win backgammon, lose gammon, lose backgammon.

    Returns
    -------
    ndarray, shape (n, 6)
        In the order of `CHANCES`.
    """
    return np.concatenate([chances[:, :3], 1 - chances[:, :1], chances[:, 3:]], axis=1)


def game_columns(ids, match, game, scores, crawford, winner=None, points=None, ended=None):
    """The columns of `games`.

    Parameters
    ----------
    ids : list of str
    match, game : ndarray of int, shape (games,)
        Index into ids; number in the match.
    scores : (ndarray, ndarray)
        At the start.
    crawford : ndarray of int8
    winner, points, ended : ndarray of int, optional
        Below 0 is NA: unfinished, unknown. `ended` is a code of ENDINGS.

    Returns
    -------
    Columns
    """
    data = {
        "match_id": columns.take_text(ids, match),
        "game": columns.integers(game),
        "score0": columns.integers(scores[0]),
        "score1": columns.integers(scores[1]),
        "crawford": columns.category(crawford, _GAME_DTYPE["crawford"]),
    }
    if winner is not None:
        data["winner"] = columns.integers(winner, winner < 0)
        data["points"] = columns.integers(points, points < 0)
        data["ended"] = columns.category(np.asarray(ended, np.int8), _GAME_DTYPE["ended"])
    return Columns("games", data, len(game))
