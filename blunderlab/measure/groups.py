"""What every grouped measure does first: check its keys, number the groups, find the units of the interval."""

import numpy as np
import pandas as pd

__all__ = ["interval_units", "keys_of", "numbered", "whole"]


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
