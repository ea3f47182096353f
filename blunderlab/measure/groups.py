"""What every grouped measure does first: check its keys, number the groups, find the units of the interval."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from blunderlab.tables.columns import bare

__all__ = ["Codes", "codes_of", "combined", "interval_units", "joint", "keys_of", "numbered", "whole"]

_NEAR = 1 << 16  # room that costs nothing
_SAMPLE = 1 << 12


def keys_of(decisions, by):
    """Columns to group by, each once.

    Raises
    ------
    ValueError
        When the frame lacks one.
    """
    by = list(dict.fromkeys([by] if isinstance(by, str) else by))
    absent = [name for name in by if name not in decisions]
    if absent:
        raise ValueError(f"there is no column {', '.join(absent)} to group by")
    return by


class Codes(NamedTuple):
    """A column as numbers.

    Attributes
    ----------
    code : ndarray of int64, shape (rows,)
    size : int
        Above every code.
    meanings : array, length size, optional
        What each code stands for.
    """

    code: np.ndarray
    size: int
    meanings: object = None

    def meaning(self, rows):
        """The column's values in some rows."""
        return self.meanings[self.code[rows]]

    def of(self, rows):
        """Those of some rows."""
        return self._replace(code=self.code[rows])


def codes_of(column):
    """Number the values of a column; NA has a number of its own.

    Parameters
    ----------
    column : Series or array

    Returns
    -------
    Codes
    """
    values = bare(column)
    if isinstance(values, pd.Categorical):
        known = np.arange(-1, len(values.categories))
        different = pd.Categorical.from_codes(known, dtype=values.dtype)
        return Codes(values.codes.astype(np.int64) + 1, len(known), different)
    if isinstance(values, pd.arrays.IntegerArray):
        numbers = values.to_numpy(np.int64, na_value=0)
        low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
        if high - low < _NEAR:
            codes = numbers - (low - 1)
            codes[values.isna()] = 0
            known = np.arange(low - 1, high + 1).astype(values.dtype.numpy_dtype)
            return Codes(codes, len(known), pd.arrays.IntegerArray(known, known < low))
    if isinstance(values, pd.arrays.ArrowStringArray) and _in_runs(values[:_SAMPLE]):
        starts = _changes(values)
        codes, different = pd.factorize(values[starts], use_na_sentinel=False)
        codes = np.repeat(codes, np.diff(starts, append=len(values)))
    else:
        codes, different = pd.factorize(values, use_na_sentinel=False)
    return Codes(codes.astype(np.int64, copy=False), len(different), different)


def _in_runs(values):
    """Whether equal texts mostly follow each other, as the keys of a match do."""
    return len(values) == _SAMPLE and len(_changes(values)) < _SAMPLE // 8


def _changes(values):
    """Rows whose text is not that of the row before."""
    texts = values._pa_array.combine_chunks()
    differs = pc.not_equal(texts[1:], texts[:-1]).fill_null(True).to_numpy(zero_copy_only=False)
    return np.flatnonzero(np.concatenate([[True], differs]))


def combined(columns):
    """Number the combinations of several columns' codes; not every number need occur.

    Parameters
    ----------
    columns : list of Codes
        At least one.

    Returns
    -------
    ndarray of int64, shape (rows,)
        Below 65536 + 4 · rows.
    """
    first, *others = columns
    code, size = first.code, first.size
    for other in others:
        code = code * other.size
        code += other.code
        size *= other.size
        if size > _NEAR + 4 * len(code):
            code, different = pd.factorize(code)
            size = len(different)
    return code


def joint(columns, n):
    """Number the combinations of several columns' codes that occur, from 0 without a gap.

    Parameters
    ----------
    columns : list of Codes
        None is one combination.
    n : int
        Rows.

    Returns
    -------
    code : ndarray of int64, shape (rows,)
    first : ndarray of intp, shape (combinations,)
        A row of each.
    """
    code = combined(columns) if columns else np.zeros(n, np.int64)
    place = np.full(int(code.max(initial=-1)) + 1, -1)
    place[code] = np.arange(n)  # a row of each that occurs
    present = place >= 0
    first = place[present]
    if len(first) < len(place):
        code = (np.cumsum(present) - 1)[code]
    return code, first


def numbered(rows, by):
    """Number the groups of a frame in the order of their keys; NA is a group of its own.

    Parameters
    ----------
    rows : DataFrame
    by : list of str
        None is one group.

    Returns
    -------
    group : ndarray of int, shape (rows,)
    keys : DataFrame
        The `by` columns, a row a group.
    """
    if not by:
        n = min(len(rows), 1)
        return np.zeros(len(rows), np.intp), pd.DataFrame(index=pd.RangeIndex(n))
    group = rows.groupby(by, dropna=False, observed=True, sort=True).ngroup().to_numpy()
    first = np.unique(group, return_index=True)[1]
    return group, rows[by].iloc[first].reset_index(drop=True)


def interval_units(match, game, group, n):
    """Number the units of an interval: games where a group has a single match, else matches.

    Parameters
    ----------
    match, game, group : ndarray of int, shape (rows,)
        Numbers of the match, of the game (in the match or of all) and of the group, 0 … n − 1.
    n : int

    Returns
    -------
    ndarray of int, shape (rows,)
        0 … units − 1; a unit belongs to one group.
    """
    pair, pairs = pd.factorize(group.astype(np.int64) << 32 | match)
    matches = np.bincount(pairs >> 32, minlength=n)
    single = matches[group] == 1
    # Behind the numbers of the pairs, each with room for its games.
    room = int(game.max(initial=0)) + 1
    return pd.factorize(np.where(single, len(pairs) + pair * room + game, pair))[0]


def whole(sums):
    """Sums of counts as whole numbers."""
    return np.asarray(sums).round().astype(np.int64)
