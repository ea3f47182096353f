"""What a reader hands over: tables whose frames are not built yet.

A reader fills columns, `blunderlab.pricing` adds the derived ones, and `Draft.tables` builds every frame once. There,
and only there, values are held against their declared ranges: one outside becomes NA with a problem, so that what is
read is always valid.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from blunderlab.tables import columns
from blunderlab.tables.container import Tables
from blunderlab.tables.problems import Problems
from blunderlab.tables.schema import SCHEMA, declared_dtypes, empty, fit, framed

__all__ = ["Columns", "Draft", "checked", "of_rows"]


class Columns(dict):
    """One table as columns: name → array of length n; a column that is not there is missing.

    Parameters
    ----------
    table : str
        A key of `SCHEMA`.
    data : dict of str to array
        With the declared dtypes; whole numbers may be wider.
    n : int
    """

    def __init__(self, table, data=(), n=0):
        super().__init__(data)
        self.table, self.n = table, n

    def __missing__(self, name):
        self[name] = columns.missing(declared_dtypes(self.table)[name], self.n)
        return self[name]


def of_rows(table, rows):
    """Columns of a short table, from one dict of Python values a row; None and absent are NA.

    Parameters
    ----------
    table : str
    rows : list of dict
        Whole numbers, floats, texts, booleans and, for categories, their words.

    Returns
    -------
    Columns

    Examples
    --------
    >>> of_rows("games", [{"match_id": "a", "game": 1, "ended": "pass"}])["ended"].tolist()
    ['pass']
    """
    named, n = set().union(*rows), len(rows)
    declared = [c for c in SCHEMA[table] if c.name in named]
    texts = [c.name for c in declared if c.dtype == "str"]
    # One buffer for all texts: each has a cost of its own, and most tables of matches have one row.
    flat = columns.text([row.get(name) for name in texts for row in rows])
    data = {name: flat[i * n : i * n + n] for i, name in enumerate(texts)}
    data |= {
        c.name: _column(c, [row.get(c.name) for row in rows]) for c in declared if c.name not in data
    }
    return Columns(table, data, n)


def _column(declared, values):
    absent = np.array([value is None for value in values], bool)
    if isinstance(declared.dtype, tuple):
        codes = [-1 if value is None else declared.dtype.index(value) for value in values]
        return columns.category(np.array(codes, np.int8), declared.pandas)
    if declared.dtype == "float64":
        return np.array([np.nan if value is None else value for value in values], float)
    if declared.dtype == "boolean":
        return columns.flags([bool(value) for value in values], absent)
    return columns.integers([0 if value is None else value for value in values], absent)


@dataclass
class Draft:
    """The tables of one or several records, still as columns.

    Attributes
    ----------
    decisions, options, games, matches, figures : Columns
        `figures` may be left out; so may `options`.
    problems : list of Problems
        One a record, in the order of `matches`.
    option_row : ndarray of int, shape (options,)
        Which row of `decisions` each option belongs to; ascending, as are the ranks within.
    boards : ndarray of int8, shape (decisions, 26), optional
        Backgammon: what `position` shows, where it is known.
    """

    decisions: Columns
    games: Columns
    matches: Columns
    problems: list
    options: Columns = field(default_factory=lambda: Columns("options"))
    option_row: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    figures: Columns = field(default_factory=lambda: Columns("figures"))
    boards: np.ndarray | None = None

    def tables(self):
        """Build the frames.

        Returns
        -------
        Tables
            That validate: a value outside its declared range is NA, with a `bad_analysis` row in `problems` that
            names the columns.
        """
        built = {}
        for name in ("decisions", "options", "games", "matches", "figures"):
            one = getattr(self, name)
            if not one.n:
                built[name] = empty(name)
                continue
            found, outside = fit(name, one, one.n)
            if outside:
                _tell(name, found, outside, {one.match_id: one for one in self.problems})
            built[name] = framed(name, found, one.n)
        return Tables(**built, problems=Problems.together(self.problems))


def checked(table, new, frame, matches, problems):
    """Hold new columns of a frame against their declared ranges, as `Draft.tables` does.

    Parameters
    ----------
    table : str
    new : dict of str to array
        Columns of the frame, in its order; whole numbers may be wider than declared.
    frame, matches, problems : DataFrame

    Returns
    -------
    new : dict of str to array
        With their declared dtypes; NA where they were outside.
    problems : DataFrame
        With a row for each row that lost a value, where there is none yet.
    """
    found, outside = fit(table, new, len(frame))
    new = {name: found[name] for name in new}
    if not outside:
        return new, problems
    paths = zip(*(matches[c].tolist() for c in ("match_id", "path", "format")), strict=True)
    known = {match: Problems(path, format, match) for match, path, format in paths}
    _tell(table, frame, outside, known)
    more = Problems.together(list(known.values()))
    return new, pd.concat([problems, more], ignore_index=True).drop_duplicates(ignore_index=True)


def _tell(table, found, outside, problems):
    """Note every row that lost a value; `problems` are those of each match."""
    rows = np.flatnonzero(np.logical_or.reduce(list(outside.values())))
    keys = [key for key in ("match_id", "game", "decision", "rank") if key in found]
    where = {key: columns.bare(found[key])[rows].tolist() for key in keys}
    for i, row in enumerate(rows.tolist()):
        lost = ", ".join(column for column, off in outside.items() if off[row])
        key = {key: None if pd.isna(values[i]) else values[i] for key, values in where.items()}
        option = f" of option {key.pop('rank')}" if "rank" in key else ""
        problems[key.pop("match_id")].add(
            "bad_analysis", f"{lost}{option}: beyond what can be, so it is missing", **key
        )
