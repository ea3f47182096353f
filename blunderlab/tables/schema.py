"""The contract: six tables, each column declared once with its dtype, unit, meaning and range.

Readers build them (`blunderlab.tables.draft`), `Tables.validate` checks them, the documentation is printed from them.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pandas as pd
from pandas.api.internals import create_dataframe_from_blocks

from blunderlab.errors import SchemaError
from blunderlab.tables import columns

__all__ = [
    "CRAWFORD", "DECISION_KEY", "DISCIPLINES", "ENDINGS", "KEYS", "KINDS", "MOST_DECISIONS", "OWNERS", "PHASES",
    "SCHEMA", "Column", "declared_dtypes", "describe", "empty", "fit", "frame", "framed",
]  # fmt: skip

DISCIPLINES = ("backgammon", "chess", "shogi")
KINDS = ("checker", "no_double", "double", "take", "pass", "move", "roll")
CRAWFORD = ("none", "crawford", "post")
OWNERS = ("centre", "player", "opponent")
PHASES = ("opening", "middlegame", "endgame", "race", "bearoff")
ENDINGS = (
    "pass", "single", "gammon", "backgammon", "resigned", "resigned single", "resigned gammon",
    "resigned backgammon", "settled", "mate", "stalemate", "draw", "time", "abandoned", "illegal",
    "other",
)  # fmt: skip

DECISION_KEY = ["match_id", "game", "decision"]
MOST_DECISIONS = 32767  # of one match: what the Int16 of its key holds


@dataclass(frozen=True)
class Column:
    """One declared column.

    Parameters
    ----------
    name : str
    dtype : str or tuple of str
        A pandas dtype name; a tuple is a fixed categorical with these categories.
    unit : str
    meaning : str
        What the number says, and what NA means where it is not just "unknown".
    low, high : float, optional
        Allowed range, both ends included.
    """

    name: str
    dtype: str | tuple
    unit: str
    meaning: str
    low: float | None = None
    high: float | None = None

    @property
    def pandas(self):
        """The dtype as pandas takes it."""
        return _CATEGORICALS.get(self.dtype, self.dtype)

    @cached_property
    def bounds(self):
        """Least and largest value: the declared ones, and what a whole number's dtype holds; None without any."""
        if isinstance(self.dtype, str) and self.dtype.startswith("Int"):
            held = np.iinfo(self.dtype.lower())
            return (
                held.min if self.low is None else self.low,
                held.max if self.high is None else self.high,
            )
        if self.low is None and self.high is None:
            return None
        return (
            -np.inf if self.low is None else self.low,
            np.inf if self.high is None else self.high,
        )


_CATEGORICALS = {
    c: pd.CategoricalDtype(list(c)) for c in (DISCIPLINES, KINDS, CRAWFORD, OWNERS, PHASES, ENDINGS)
}

_MATCH = Column("match_id", "str", "", "16 hex digits of a hash of the record's bytes")
_GAME = Column("game", "Int16", "", "number of the game in the match, from 1", 1)
_DECISION = Column("decision", "Int16", "", "number of the decision in the match, from 1", 1)
_CHANCES = [
    Column(name, "float64", "probability", f"the player's chance to {words}", 0, 1)
    for name, words in (
        ("win", "win"),
        ("win_gammon", "win a gammon or more"),
        ("win_backgammon", "win a backgammon"),
        ("lose", "lose"),
        ("lose_gammon", "lose a gammon or more"),
        ("lose_backgammon", "lose a backgammon"),
    )
]

SCHEMA = {
    "decisions": [
        _MATCH, _GAME, _DECISION,
        Column("discipline", DISCIPLINES, "", "the game played"),
        Column("player", "str", "", "name as written"),
        Column("seat", "Int16", "", "0 = XG's player 1, gnuBG's W, left column, green, White, sente; else 1", 0, 1),
        Column("kind", KINDS, "", "what was decided; roll = rolled, never played"),
        Column("position", "str", "XGID/FEN/SFEN", "before the decision, seen by the player (take and pass: with the cube offered)"),
        Column("roll", "str", "", "dice, the higher first, as in 31"),
        Column("played", "str", "", "what was done, in the notation of the field"),
        Column("best", "str", "", "the analyser's first choice; NA where nothing was analysed"),
        Column("match_length", "Int16", "points", "NA = money", 1),
        Column("away", "Int16", "points", "what the player still needs; 1 in and after the Crawford game", 1),
        Column("opponent_away", "Int16", "points", "what the opponent still needs", 1),
        Column("crawford", CRAWFORD, "", "the Crawford game, after it, or neither"),
        Column("cube", "Int16", "", "value of the cube before any double", 1),
        Column("cube_owner", OWNERS, "", "who may double next, seen by the player"),
        Column("level", "str", "", "depth of the analysis in the tool's own words"),
        Column("n_options", "Int16", "options", "options that the analysis kept", 0),
        Column("n_legal", "Int16", "options", "legal options, counted where they decide", 0),
        Column("no_double", "float64", "equity", "equity of not doubling, the doubler's view"),
        Column("double_take", "float64", "equity", "equity of double and take, the doubler's view"),
        Column("double_pass", "float64", "equity", "equity of double and pass, the doubler's view"),
        Column("spread", "float64", "equity", "first minus lowest of the kept options"),
        Column("flat", "bool", "", "highest minus lowest of the kept options below 0.001"),
        Column("illegal", "bool", "", "the play breaks the rules: unscored, its luck kept"),
        Column("cp_before", "Int32", "centipawns", "engine's score before, mover's view, uncut"),
        Column("mate_before", "Int16", "moves", "mate in so many before, negative when mated"),
        Column("cp_after", "Int32", "centipawns", "engine's score after, mover's view, uncut"),
        Column("mate_after", "Int16", "moves", "mate in so many after, negative when mated"),
        Column("mark", "str", "", "NAG or judgement as written"),
        Column("forced", "bool", "", "there was no choice"),
        Column("scored", "bool", "", "the played option has a value"),
        Column("counted", "bool", "", "enters the denominator of the tool that analysed it"),
        Column("equity_best", "float64", "equity", "of the best option"),
        Column("equity_played", "float64", "equity", "of the played option"),
        Column("error", "float64", "equity", "what the decision cost; NA when unscored", 0),
        Column("loss", "float64", "match winning chance", "the error's price; NA for money and unscored", 0, 1),
        Column("difficulty", "float64", "match winning chance", "expected loss of a player who chooses by softmax", 0, 1),
        Column("luck", "float64", "equity", "of the roll; NA = unknown"),
        Column("luck_loss", "float64", "match winning chance", "luck at its price, signed", -1, 1),
        Column("duration", "float64", "seconds", "time taken", 0),
        Column("clock", "float64", "seconds", "time left after it"),
        Column("phase", PHASES, "", "phase of the game"),
        Column("note", "str", "", "the comment"),
    ],
    "options": [
        _MATCH, _GAME, _DECISION,
        Column("rank", "Int16", "", "1 = the analyser's first choice", 1),
        Column("option", "str", "", "the play, the cube action or the line"),
        Column("equity", "float64", "equity", "the player's view"),
        Column("cost", "float64", "equity", "what choosing it costs", 0),
        Column("level", "str", "", "depth of this option's analysis"),
        *_CHANCES,
        Column("cp", "Int32", "centipawns", "engine's score, mover's view"),
        Column("mate", "Int16", "moves", "mate in so many"),
        Column("played", "bool", "", "this one was played"),
    ],
    "games": [
        _MATCH, _GAME,
        Column("score0", "Int16", "points", "seat 0 at the start", 0),
        Column("score1", "Int16", "points", "seat 1 at the start", 0),
        Column("crawford", CRAWFORD, "", "the Crawford game, after it, or neither"),
        Column("winner", "Int16", "", "seat; NA = unfinished or drawn", 0, 1),
        Column("points", "Int16", "points", "won, as the file says: mostly not capped by the match length", 0),
        Column("ended", ENDINGS, "", "how; NA = unfinished"),
    ],
    "matches": [
        _MATCH,
        Column("path", "str", "", "the file as the caller named it"),
        Column("sha256", "str", "", "of the file"),
        Column("format", "str", "", "xg, sgf, mat, …"),
        Column("tool", "str", "", "program whose analysis or record this is"),
        Column("version", "str", "", "of the tool or of its file format"),
        Column("player0", "str", "", "seat 0"),
        Column("player1", "str", "", "seat 1"),
        Column("rating0", "float64", "", "as written"),
        Column("rating1", "float64", "", "as written"),
        Column("length", "Int16", "points", "NA = money", 1),
        Column("jacoby", "boolean", "", "NA = not said"),
        Column("beaver", "boolean", "", "NA = not said"),
        Column("variant", "str", "", "standard, nackgammon, chess960, …"),
        Column("date", "str", "ISO 8601", "day, with time (UTC) where known"),
        Column("event", "str", "", ""),
        Column("round", "str", "", ""),
        Column("time_control", "str", "", "as written"),
        Column("result", "str", "", "as written"),
        Column("termination", "str", "", "as written"),
        Column("winner", "Int16", "", "seat; NA = unfinished or drawn", 0, 1),
        Column("met", "str", "", "match equity table that the analysis assumed"),
    ],
    "figures": [
        _MATCH,
        Column("game", "Int16", "", "NA = the whole match", 1),
        Column("seat", "Int16", "", "0 or 1", 0, 1),
        Column("tool", "str", "", "whose figure it is"),
        Column("name", "str", "", "column of measure.rates, sums joined by +"),
        Column("value", "float64", "as in rates", "the figure as printed"),
        Column("digits", "Int16", "", "printed decimals of value in its own unit; NA = full precision"),
    ],
    "problems": [
        Column("path", "str", "", "the file as the caller named it"),
        _MATCH,
        Column("game", "Int16", "", "NA = not tied to one", 1),
        Column("decision", "Int16", "", "NA = not tied to one", 1),
        Column("offset", "Int64", "bytes", "in the file, or in the unpacked records of a container", 0),
        Column("code", "str", "", "stable name of the kind of trouble"),
        Column("message", "str", "", "what is wrong and what was done"),
    ],
}  # fmt: skip


KEYS = {
    "decisions": DECISION_KEY, "options": [*DECISION_KEY, "rank"], "games": DECISION_KEY[:2],
    "matches": DECISION_KEY[:1],
}  # fmt: skip


def declared_dtypes(table):
    """Pandas dtype of every column of a table.

    Examples
    --------
    >>> declared_dtypes("games")["score0"]
    'Int16'
    """
    return dict(_dtypes(table))


@cache
def _dtypes(table):
    return {c.name: c.pandas for c in SCHEMA[table]}


def frame(table, data, n):
    """Build one table: the given columns, in declared order, the others missing.

    Parameters
    ----------
    table : str
        A key of `SCHEMA`.
    data : dict of str to array
        Columns of length n; each must already have its declared dtype (see `blunderlab.tables.columns`), but for whole
        numbers, which may be wider.
    n : int
        Number of rows.

    Raises
    ------
    SchemaError
        For a column that the table does not have, or a value that its column cannot hold.

    Examples
    --------
    >>> frame("games", {}, 0).columns.tolist()[:3]
    ['match_id', 'game', 'score0']
    """
    data, outside = fit(table, data, n)
    if outside:
        raise SchemaError(f"{table}: {', '.join(outside)} out of range")
    return framed(table, data, n)


def framed(table, data, n):
    """Build one table from all its columns, complete, in order and with their dtypes (see `fit`).

    Each column is a block of its own, taken as it is: pandas' own way from a dict costs three times as much, and a match
    is mostly cost of building.
    """
    blocks = [
        (values.reshape(1, n) if isinstance(values, np.ndarray) else values, at)
        for values, at in zip(data.values(), _places(table), strict=True)
    ]
    return create_dataframe_from_blocks(blocks, pd.RangeIndex(n), _labels(table).view())


@cache
def _places(table):
    return [np.array([i]) for i in range(len(SCHEMA[table]))]


@cache
def _labels(table):
    return pd.Index([c.name for c in SCHEMA[table]])


def fit(table, data, n):
    """Complete the columns of one table; what lies outside its declared range becomes NA and is told.

    Parameters
    ----------
    table, data, n
        As in `frame`.

    Returns
    -------
    columns : dict of str to array
        Every declared column, in order, with its dtype.
    outside : dict of str to ndarray of bool, shape (n,)
        For each column with values outside its range, or beyond what its dtype holds, which rows these are.

    Raises
    ------
    SchemaError
        For a column that the table does not have.

    Examples
    --------
    >>> found, outside = fit("options", {"win": np.array([0.4, -0.1])}, 2)
    >>> found["win"].tolist(), outside["win"].tolist()
    ([0.4, nan], [False, True])
    """
    unknown = data.keys() - _dtypes(table).keys()
    if unknown:
        raise SchemaError(f"{table} has no column {sorted(unknown)}")
    built, outside = {}, {}
    for column in SCHEMA[table]:
        values = data.get(column.name)
        if values is None:
            values = columns.missing(column.pandas, n)
        elif column.bounds is not None:
            values, off = columns.within(values, *column.bounds, dtype=column.dtype)
            if off is not None:
                outside[column.name] = off
        built[column.name] = values
    return built, outside


def empty(table):
    """Give a declared table without rows."""
    return _empty(table).copy(deep=False)  # copy on write: nobody can change the cached one


@cache
def _empty(table):
    return frame(table, {}, 0)


def describe(table):
    """List a table's columns with unit and meaning, for documentation.

    Examples
    --------
    >>> describe("games").loc[0, "column"]
    'match_id'
    """
    return pd.DataFrame(
        [
            (c.name, "category" if isinstance(c.dtype, tuple) else c.dtype, c.unit, c.meaning)
            for c in SCHEMA[table]
        ],
        columns=["column", "dtype", "unit", "meaning"],
    )


