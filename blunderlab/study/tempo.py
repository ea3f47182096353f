"""Hasty or considered: each decision against the player's own pace in the match."""

import numpy as np
import pandas as pd

from blunderlab.study.rows import part, priced

__all__ = ["PACES", "pace", "paces"]

PACES = ("hasty", "considered", "unknown")
_OWN = ["match_id", "seat", "part"]


def pace(decisions):
    """Call each priced decision hasty or considered.

    The threshold is the median of the known durations of the player's priced decisions of the same part (checker,
    cube, move) in the match. Strictly faster is hasty; the rest is considered; an unknown time is neither.

    Parameters
    ----------
    decisions : DataFrame
        Derived rows, in any order; all rows of a match, or the median is that of the rows given.

    Returns
    -------
    Series of category
        "hasty", "considered" or "unknown" (priced, but no time is known); NA where the row is not priced, that is
        not counted or without a loss. With the frame's index.

    Examples
    --------
    >>> import blunderlab as bl
    >>> pace(bl.Tables.build().decisions).tolist()
    []
    """
    rows = _priced_rows(decisions)
    limit = rows.groupby(_OWN, dropna=False)["duration"].transform("median")
    code = np.where(rows["duration"].isna(), 2, np.where(rows["duration"] < limit, 0, 1))
    out = np.full(len(decisions), -1, np.int8)
    out[rows["at"].to_numpy(np.intp)] = code
    return pd.Series(
        pd.Categorical.from_codes(out, categories=list(PACES)), decisions.index, name="pace"
    )


def paces(decisions):
    """Sum up hasty and considered decisions, by match, seat and part.

    Parameters
    ----------
    decisions : DataFrame

    Returns
    -------
    DataFrame
        A row for each match_id, seat, player, part and pace that has decisions: median (seconds; NaN where no time is
        known), n, error (normalised equity), loss (fraction of a match) and loss_each (its mean).
    """
    rows = _priced_rows(decisions)
    of = decisions.iloc[rows["at"].to_numpy(np.intp)]
    rows["pace"] = pace(decisions).iloc[rows["at"].to_numpy(np.intp)].to_numpy()
    rows["pace"] = pd.Categorical(rows["pace"], categories=list(PACES), ordered=True)
    for name in ("player", "error", "loss"):
        rows[name] = of[name].array
    rows["median"] = rows.groupby(_OWN, dropna=False)["duration"].transform("median")
    keys = ["match_id", "seat", "player", "part", "pace"]
    out = rows.groupby(keys, observed=True, dropna=False).agg(
        median=("median", "first"),
        n=("loss", "size"),
        error=("error", "sum"),
        loss=("loss", "sum"),
        loss_each=("loss", "mean"),
    )
    return out.reset_index()


def _priced_rows(decisions):
    """The priced rows: where they are, whose, of which part, and how long they took."""
    at = np.flatnonzero(priced(decisions))
    rows = decisions[["match_id", "seat", "duration"]].iloc[at].reset_index(drop=True)
    return rows.assign(part=part(decisions).array[at], at=at)
