"""The contract: six tables, each column declared once.

Readers build them, `Tables.validate` checks them, the documentation is printed from them.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from blunderlab import columns
from blunderlab.errors import ReadError, SchemaError

__all__ = [
    "DECISION_KEY",
    "MOST_DECISIONS",
    "SCHEMA",
    "Column",
    "Tables",
    "describe",
    "empty",
    "frame",
    "is_saved",
]

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


def frame(table, data, n):
    """Build one table: the given columns, in declared order, the others missing.

    Parameters
    ----------
    table : str
        A key of `SCHEMA`.
    data : dict of str to array
        Columns of length n; each must already have its declared dtype (see `blunderlab.columns`).
    n : int
        Number of rows.

    Examples
    --------
    >>> frame("games", {}, 0).columns.tolist()[:3]
    ['match_id', 'game', 'score0']
    """
    unknown = data.keys() - {c.name for c in SCHEMA[table]}
    if unknown:
        raise SchemaError(f"{table} has no column {sorted(unknown)}")
    built = {}
    for column in SCHEMA[table]:
        value = data.get(column.name)
        built[column.name] = columns.missing(column.pandas, n) if value is None else value
    return pd.DataFrame(built, copy=False)


def empty(table):
    """Give a declared table without rows."""
    return _empty(table).copy()


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


@dataclass(frozen=True, repr=False, eq=False)
class Tables:
    """Six plain DataFrames that belong together.

    Every table has every declared column with its dtype, even with no rows; missing is NA, never 0.
    Keys (`match_id`, `game`, `decision`) join them. See `blunderlab.tables.describe`.
    """

    decisions: pd.DataFrame
    options: pd.DataFrame
    games: pd.DataFrame
    matches: pd.DataFrame
    figures: pd.DataFrame
    problems: pd.DataFrame

    @classmethod
    def build(cls, **given):
        """Make Tables from the given frames; the others are empty."""
        return cls(**{name: given[name] if name in given else empty(name) for name in SCHEMA})

    @classmethod
    def concat(cls, many):
        """Put several Tables one after the other, in the order given.

        Examples
        --------
        >>> len(Tables.concat([]).decisions)
        0
        """
        many = list(many)
        if len(many) == 1:
            return many[0]
        joined = {}
        for name in SCHEMA:
            parts = [part for t in many if len(part := getattr(t, name))]
            joined[name] = pd.concat(parts, ignore_index=True) if parts else empty(name)
        return cls(**joined)

    def validate(self):
        """Check names, order, dtypes and ranges of every column.

        Returns
        -------
        Tables
            Itself, so that a reader can end with it.

        Raises
        ------
        SchemaError
            Naming every column that is off.
        """
        faults = [fault for name in SCHEMA for fault in _faults(name, getattr(self, name))]
        faults += [
            f"{name}: {int(twice.sum())} rows repeat a key"
            for name, key in _KEYS.items()
            if not faults and (twice := getattr(self, name).duplicated(key)).any()
        ]
        if faults:
            raise SchemaError("; ".join(faults))
        return self

    def save(self, folder):
        """Write the six tables as Parquet files into a folder, all or nothing.

        An existing folder of saved Tables and nothing else is replaced; any other is refused.

        Raises
        ------
        SchemaError
            When there is something else in that place.
        """
        folder = Path(folder).resolve()
        if folder.exists():
            strange = (
                [folder] if not folder.is_dir() else {p.name for p in folder.iterdir()} - _FILES
            )
            if strange or folder == Path.cwd():
                raise SchemaError(f"{folder} holds something else: choose a new folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            for name in SCHEMA:
                getattr(self, name).to_parquet(fresh / f"{name}.parquet", index=False)
            fresh.chmod(0o755)
            if folder.exists():
                old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
                os.replace(folder, old / "old")
                os.replace(fresh, folder)
                shutil.rmtree(old)
            else:
                os.replace(fresh, folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    @classmethod
    def load(cls, folder):
        """Read Tables that `save` wrote.

        Raises
        ------
        ReadError
            When the folder holds no saved Tables, or one of them is not what it should be.
        """
        folder = Path(folder)
        if not is_saved(folder):
            raise ReadError(
                folder,
                "saved tables",
                None,
                f"it does not hold {', '.join(sorted(_FILES))}: give a folder of save()",
            )
        loaded = {}
        for name, declared in SCHEMA.items():
            path = folder / f"{name}.parquet"
            try:
                loaded[name] = _declared(pq.read_table(path).to_pandas(), declared)
            except _DAMAGED as error:
                raise ReadError(
                    path, "parquet", None, f"damaged or not of save(): {error}"
                ) from error
        try:
            return cls(**loaded).validate()
        except SchemaError as error:
            raise ReadError(folder, "saved tables", None, str(error)) from error

    def __repr__(self):
        rows = ", ".join(f"{len(getattr(self, f.name)):,} {f.name}" for f in fields(self))
        return f"<Tables: {rows}>"


_FILES = {f"{name}.parquet" for name in SCHEMA}
# What pyarrow and pandas raise for damaged bytes and wrong types (pyarrow's own classes derive from some of these).
_DAMAGED = (OSError, ValueError, TypeError, KeyError, NotImplementedError, pa.ArrowException)
_KEYS = {
    "decisions": DECISION_KEY, "options": [*DECISION_KEY, "rank"], "games": DECISION_KEY[:2],
    "matches": DECISION_KEY[:1],
}  # fmt: skip


def is_saved(folder):
    """Whether a folder holds what `Tables.save` writes."""
    return all((folder / name).is_file() for name in _FILES)


def _declared(table, declared):
    """The declared columns with their dtypes; a value that they cannot hold is an error, never NA."""
    absent = [c.name for c in declared if c.name not in table]
    if absent:
        raise ValueError(f"no column {', '.join(absent)}")
    for c in declared:
        if isinstance(c.dtype, tuple) and not table[c.name].dropna().isin(c.dtype).all():
            raise ValueError(f"column {c.name} holds words that it cannot have")
        if c.dtype == "bool" and table[c.name].dtype != bool:
            raise ValueError(f"column {c.name} is no flag")
    return table[[c.name for c in declared]].astype({c.name: c.pandas for c in declared})


def _faults(name, table):
    declared = SCHEMA[name]
    names = [c.name for c in declared]
    if list(table.columns) != names:
        off = set(table.columns) ^ set(names)
        yield f"{name}: columns differ: {sorted(off) or 'their order'}"
        return
    for column in declared:
        values = table[column.name]
        if values.dtype != column.pandas:
            yield f"{name}.{column.name} is {values.dtype}, not {column.pandas}"
            continue
        if column.low is not None and (values < column.low).fillna(False).any():
            yield f"{name}.{column.name} has values below {column.low}"
        if column.high is not None and (values > column.high).fillna(False).any():
            yield f"{name}.{column.name} has values above {column.high}"
