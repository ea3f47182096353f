"""From what a file says to what it cost: equities, error, loss, difficulty, luck, and what counts."""

from dataclasses import replace

import numpy as np
import pandas as pd

from blunderlab.backgammon import worth
from blunderlab.backgammon.notation import CANNOT_MOVE
from blunderlab.errors import SchemaError
from blunderlab.measure.rules import View, rules_of_tool
from blunderlab.measure.softmax import TAU, check_tau, grouped_difficulty, pair_difficulty
from blunderlab.tables.columns import bare, equals
from blunderlab.tables.draft import checked
from blunderlab.tables.schema import DISCIPLINES

__all__ = ["derive", "derived"]

FLAT = 0.001  # equity; below it all options are equal to the three digits that tools show
_HALF = 0.5  # price of one equity unit in a single game: a win is worth 1, a loss 0


def derive(t, met="kazaross-xg2", tau=TAU, curve=None, legal=False):
    """Fill the derived columns of `decisions` and the costs of `options`.

    Parameters
    ----------
    t : Tables
        From a reader, or derived before: call it again for another table or τ.
    met : str or MatchEquity
        Match equity table that prices errors: loss = error · (W₊ − W₋)/2 at the score and cube. Rows that were
        analysed under a table which this package does not have (BGBlitz's own) stay unpriced unless `met`
        bears that table's name.
    tau : float
        Temperature of `difficulty`, in equity.
    curve : object, optional
        Fitted winning-chance curve for chess and shogi rows; backgammon's need none.
    legal : bool
        Count legal plays on every roll, not only where the count decides what is forced.

    Returns
    -------
    Tables
        New; the given ones are not changed. A derived value beyond its declared range is NA, with a row of
        `problems`.

    Raises
    ------
    ValueError
        For an unknown table, or when tau is not above 0.
    SchemaError
        When an option belongs to no decision.

    Examples
    --------
    >>> import blunderlab as bl
    >>> derive(bl.Tables.build())
    <Tables: 0 decisions, 0 options, 0 games, 0 matches, 0 figures, 0 problems>
    """
    check_tau(tau)
    decisions, options = t.decisions, t.options
    if not len(decisions):
        if len(options):
            raise SchemaError(f"{len(options)} options belong to no decision of these tables")
        return t
    row = _decision_of(decisions, options)
    new, cost = _derived(decisions, options, row, t.matches, None, met, tau, legal)
    new, problems = checked("decisions", new, decisions, t.matches, t.problems)
    return replace(
        t,
        decisions=decisions.assign(**new),
        options=options.assign(cost=cost),
        problems=problems,
    )


def derived(draft, met="kazaross-xg2", tau=TAU, curve=None, legal=False):
    """The same for a reader's draft, before its frames are built.

    Parameters
    ----------
    draft : Draft
        Its columns are filled in place.
    met, tau, curve, legal
        As in `derive`.

    Returns
    -------
    Draft
        The given one.
    """
    check_tau(tau)
    if draft.decisions.n:
        new, draft.options["cost"] = _derived(
            draft.decisions, draft.options, draft.option_row, draft.matches, draft.boards, met, tau, legal
        )  # fmt: skip
        draft.decisions.update(new)
    return draft


def _derived(decisions, options, row, matches, boards, met, tau, legal):
    """The derived columns of `decisions`, and the costs of `options`; both may be frames or columns."""
    view = View(decisions)
    n = len(view.error)
    cost, best, played, spread, flat, hardness = _from_options(n, options, row, tau)
    cube = view.is_kind("cube") | view.is_kind("answer")
    _from_cube(view, cube, best, played, hardness, tau)
    written = bare(decisions["played"])
    played[cube & written.isna()] = np.nan  # a position by itself: nothing was done
    spread[cube], flat[cube] = np.nan, False

    error = np.where(np.isnan(view.error), np.maximum(best - played, 0), view.error)
    dance = equals(written, CANNOT_MOVE)  # False where nothing was played
    error[view.illegal | view.kind("roll") | dance] = np.nan
    scored = ~np.isnan(error)
    backgammon = bare(decisions["discipline"]).codes == DISCIPLINES.index("backgammon")
    price = worth.prices(decisions, matches, met)
    price[~backgammon] = _HALF
    wanted = backgammon & (legal | (flat & (view.n_options > 1)))
    new = {
        "spread": spread,
        "flat": flat,
        "equity_best": best,
        "equity_played": np.where(scored, played, np.nan),
        "scored": scored,
        "error": error,
        "loss": error * price,
        "difficulty": np.where(scored, hardness * price, np.nan),
        "luck_loss": bare(decisions["luck"]) * price,
        "n_legal": worth.n_legal(decisions, view, boards, wanted),
        "phase": worth.phases(decisions, boards, backgammon),
    }
    new |= _counted(view.updated(new), decisions["match_id"], matches)
    return new, cost


def _from_options(n, options, row, tau):
    """Costs of the options, and for each decision best, played, spread, flat and difficulty in equity."""
    best, played, spread, hardness = (np.full(n, np.nan) for _ in range(4))
    flat = np.zeros(n, bool)
    equity = bare(options["equity"])
    if not len(row):
        return equity, best, played, spread, flat, hardness
    place = row << 16 | bare(options["rank"]).to_numpy(np.int64)
    # Readers write options in order, and a sort is the dearest step here.
    order = slice(None) if (place[1:] > place[:-1]).all() else np.argsort(place)
    row, sorted_equity = row[order], equity[order]
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    size = np.diff(starts, append=len(row))
    first = np.repeat(sorted_equity[starts], size)
    sorted_cost = np.maximum(first - sorted_equity, 0)
    cost = np.empty_like(equity)
    cost[order] = sorted_cost

    at = row[starts]
    best[at] = sorted_equity[starts]
    chosen = bare(options["played"])[order]
    played[row[chosen]] = sorted_equity[chosen]
    lowest = np.fmin.reduceat(sorted_equity, starts)
    spread[at] = best[at] - lowest
    flat[at] = np.fmax.reduceat(sorted_equity, starts) - lowest < FLAT
    hardness[at] = grouped_difficulty(sorted_cost, starts, tau)
    return cost, best, played, spread, flat, hardness


def _decision_of(decisions, options):
    """Row number in `decisions` of every option; `decision` numbers a match, so two keys are enough."""
    n = len(decisions)
    key = np.concatenate([f["decision"].to_numpy(np.int64) for f in (decisions, options)])
    match, different = pd.factorize(pd.concat([decisions["match_id"], options["match_id"]]))
    if len(different) > 1:
        key |= match.astype(np.int64) << 32
    mine, theirs = key[:n], key[n:]
    # Readers number decisions in order; only frames that a caller shuffled need the sort.
    known = np.argsort(mine, kind="stable") if (np.diff(mine) < 0).any() else np.arange(n)
    row = known[np.minimum(np.searchsorted(mine, theirs, sorter=known), n - 1)]
    orphan = mine[row] != theirs
    if orphan.any():
        raise SchemaError(f"{int(orphan.sum())} options belong to no decision of these tables")
    return row


def _from_cube(view, cube, best, played, hardness, tau):
    """Fill in the cube decisions of backgammon."""
    if not cube.any():
        return
    found = worth.cube_equities(view)
    best[cube], played[cube] = found[0][cube], found[1][cube]
    hardness[cube] = pair_difficulty(found[2][cube], tau)


def _counted(view, match_id, matches):
    """`forced` and `counted` by the rules of the tool that analysed each match."""
    rules = [rules_of_tool(tool) for tool in bare(matches["tool"]).tolist()] or [rules_of_tool(None)]  # fmt: skip
    if len({r.name for r in rules}) == 1:
        return {"forced": rules[0].forced(view), "counted": rules[0].counted(view)}
    code, ids = pd.factorize(match_id)
    of = dict(zip(bare(matches["match_id"]).tolist(), rules, strict=True))
    name = np.array([of[i].name if i in of else "" for i in ids])[code]
    forced, counted = np.zeros(len(code), bool), np.zeros(len(code), bool)
    for one in {r.name: r for r in rules}.values():
        rows = name == one.name
        forced[rows] = one.forced(view)[rows]
        counted[rows] = one.counted(view)[rows]
    return {"forced": forced, "counted": counted}
