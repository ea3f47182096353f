"""One match analysed by two programs: which decisions they price differently."""

from dataclasses import fields

import numpy as np
import pandas as pd

from blunderlab.errors import SchemaError
from blunderlab.tables import Tables

__all__ = ["analyses", "one_match", "shares"]

_PLACE = ["game", "seat", "kind", "position", "roll"]
_VALUES = ["decision", "played", "best", "scored", "counted", "error", "loss", "level"]


def analyses(a, b):
    """Put two analyses of the same match side by side, decision by decision.

    Decisions meet where game, seat, kind, position and roll are the same; a position that comes twice in a game
    meets in its order.

    Parameters
    ----------
    a, b : Tables
        One match each.

    Returns
    -------
    DataFrame
        One row a decision that either has: game, seat, kind, position, roll, then decision, played, best,
        scored, counted, error, loss and level of each with the endings _a and _b (missing where that analysis
        has no such row), and difference = error_a − error_b in equity (NaN unless both are scored).

    Raises
    ------
    SchemaError
        When one of them holds more than one match, or no decision is in both.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables("aachen-double-7pt")
    >>> float(analyses(t, t)["difference"].abs().max())
    0.0
    """
    for t in (a, b):
        if len(t.matches) != 1:
            raise SchemaError(
                f"two analyses of one match are compared, and here are {len(t.matches)} matches"
            )
    sides = []
    for t in (a, b):
        d = t.decisions.sort_values("decision")[[*_PLACE, *_VALUES]]
        sides.append(d.assign(time=d.groupby(_PLACE, dropna=False, observed=True).cumcount()))
    both = sides[0].merge(sides[1], on=[*_PLACE, "time"], how="outer", suffixes=("_a", "_b"))
    if not both["decision_a"].notna().mul(both["decision_b"].notna()).any():
        raise SchemaError("these are two different matches: no decision is in both")
    both["difference"] = both["error_a"] - both["error_b"]
    order = both["decision_a"].fillna(both["decision_b"])
    return both.drop(columns="time").iloc[np.argsort(order, kind="stable")].reset_index(drop=True)


def one_match(t, match_id):
    """Keep the rows of one match in every table.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables()
    >>> len(one_match(t, t.matches["match_id"].iloc[0]).matches)
    1
    """
    frames = (getattr(t, field.name) for field in fields(Tables))
    return Tables(*(f[f["match_id"] == match_id].reset_index(drop=True) for f in frames))


def shares(table):
    """Split the difference of two figures into analysis and counting rule.

    Each share is averaged over both orders (first the analysis, then the rule, and the other way round), so that
    the two shares add up to the whole.

    Parameters
    ----------
    table : DataFrame, shape (2, 2)
        A figure: rows are the analyses, columns the rules, both in the same order of the programs.

    Returns
    -------
    Series
        difference (first program on its own analysis − second on its own), analysis, rule.

    Examples
    --------
    >>> import pandas as pd
    >>> shares(pd.DataFrame([[8.0, 7.5], [7.0, 6.0]])).tolist()
    [2.0, 1.25, 0.75]
    """
    (aa, ab), (ba, bb) = table.to_numpy(float)
    analysis = ((aa - ba) + (ab - bb)) / 2
    rule = ((aa - ab) + (ba - bb)) / 2
    return pd.Series({"difference": aa - bb, "analysis": analysis, "rule": rule})
