"""Whether our figures equal those of the tool, match by match, and why not where nothing can be compared."""

import numpy as np
import pandas as pd

from blunderlab.measure.rules import rules_of_tool
from blunderlab.reconcile import compare
from blunderlab.tables import SCHEMA, Tables

__all__ = ["compared", "reconciled"]

_TYPE = "`blunderlab reconcile FILE --figures window.json`"
_NO_FIGURES = {
    "xg": f".xg stores no figures: type those of XG's window, {_TYPE}",
    "bgf": ".bgf stores no figures, and there are no rules of BGBlitz to compare by",
    "sgf": "this .sgf holds no statistics: let gnuBG analyse the match and save it again",
}


def compared(t):
    """Set our figures beside those in the files, by the rules of each tool.

    Parameters
    ----------
    t : Tables

    Yields
    ------
    tool : str
    part : Tables
        The matches that have figures of this tool.
    table : DataFrame
        See `blunderlab.reconcile.compare`.
    """
    for tool, figures in t.figures.groupby("tool"):
        keep = set(figures["match_id"])
        part = Tables(**{n: f[f["match_id"].isin(keep)] for n in SCHEMA for f in [getattr(t, n)]})
        yield tool, part, compare(part, rules_of_tool(tool), figures=figures)


def reconciled(t, comparisons=None):
    """Say of every match how many of our figures equal the tool's, or why there is nothing to compare.

    Parameters
    ----------
    t : Tables
        Derived.
    comparisons : list, optional
        What `compared` gave, when it was called before.

    Returns
    -------
    DataFrame
        match_id, n (figures compared), n_within, n_not_finite (theirs, left out), reason: of what is not
        within, or of n = 0; else empty. In the order of `t.matches`.

    Examples
    --------
    >>> import blunderlab as bl
    >>> reconciled(bl.datasets.tables("aachen-double-7pt"))[["n", "n_within", "reason"]].values.tolist()
    [[30, 30, '']]
    """
    comparisons = list(compared(t)) if comparisons is None else comparisons
    out = t.matches[["match_id", "format"]].drop_duplicates("match_id", ignore_index=True)
    match = out["match_id"]
    tables = [table for _, _, table in comparisons]
    rows = pd.concat(tables) if tables else pd.DataFrame({"match_id": [], "within": []})
    holes = t.figures[~np.isfinite(t.figures["value"])]
    scored = t.decisions.loc[t.decisions["scored"], "match_id"]
    out["n"] = _count(rows["match_id"], match)
    out["n_within"] = _count(rows.loc[rows["within"].astype(bool), "match_id"], match)
    out["n_not_finite"] = _count(holes["match_id"], match)
    analysed = _count(scored, match) > 0
    out["reason"] = [
        "" if n else _why_nothing(form, known, n_holes)
        for n, form, known, n_holes in zip(
            out["n"], out["format"], analysed, out["n_not_finite"], strict=True
        )
    ]
    off = rows[~rows["within"].astype(bool)]
    if len(off):
        words = off["name"] + " of seat " + off["seat"].astype("str") + " (" + off["reason"] + ")"
        first = words.groupby(off["match_id"]).first()
        out["reason"] = match.map(first).fillna(out["reason"])
    return out.drop(columns="format")


def _count(values, of):
    """How often each of `of` is among the values."""
    return of.map(values.value_counts()).fillna(0).astype("int64")


def _why_nothing(form, analysed, holes):
    """Why a match without a compared figure has none."""
    if holes:
        return f"none of the {holes} figures in the file is finite"
    if not analysed:
        return "not analysed"
    return _NO_FIGURES.get(form, "this format stores no figures")
