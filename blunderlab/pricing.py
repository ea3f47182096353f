"""From what a file says to what it cost: equities, error, loss, difficulty, luck, and what counts."""

import numpy as np
import pandas as pd

from blunderlab import met as tables_of_equity
from blunderlab.backgammon.moves import legal_positions
from blunderlab.backgammon.notation import CANNOT_MOVE
from blunderlab.backgammon.stages import phase
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.columns import category, integers
from blunderlab.errors import SchemaError
from blunderlab.measure.rules import View, rules_of_tool
from blunderlab.measure.softmax import TAU, check_tau, grouped_difficulty, pair_difficulty
from blunderlab.tables import DISCIPLINES, Tables

__all__ = ["derive"]

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
        New; the given ones are not changed.

    Raises
    ------
    ValueError
        For an unknown table, or when tau is not above 0.
    SchemaError
        When an option belongs to no decision.

    Examples
    --------
    >>> derive(Tables.build())
    <Tables: 0 decisions, 0 options, 0 games, 0 matches, 0 figures, 0 problems>
    """
    check_tau(tau)
    decisions, options = t.decisions, t.options
    if not len(decisions):
        if len(options):
            raise SchemaError(f"{len(options)} options belong to no decision of these tables")
        return t
    view = View(decisions)
    cost, best, played, spread, flat, hardness = _from_options(decisions, options, tau)
    cube = view.is_kind("cube") | view.is_kind("answer")
    _from_cube(view, cube, best, played)
    played[cube & decisions["played"].isna().to_numpy()] = (
        np.nan
    )  # a position by itself: nothing was done
    hardness[cube] = pair_difficulty(_cube_gap(view)[cube], tau)
    spread[cube], flat[cube] = np.nan, False

    error = np.where(np.isnan(view.error), np.maximum(best - played, 0), view.error)
    dance = decisions["played"].array == CANNOT_MOVE  # False where nothing was played
    error[view.illegal | view.kind("roll") | dance] = np.nan
    scored = ~np.isnan(error)
    price = _prices(decisions, t.matches, met)
    new = {
        "spread": spread,
        "flat": flat,
        "equity_best": best,
        "equity_played": np.where(scored, played, np.nan),
        "scored": scored,
        "error": error,
        "loss": error * price,
        "difficulty": np.where(scored, hardness * price, np.nan),
        "luck_loss": decisions["luck"].to_numpy(float) * price,
        "n_legal": _legal_plays(decisions, view, flat, legal),
        "phase": _phases(decisions),
    }
    new |= _counted(view.updated(new), decisions["match_id"], t.matches)
    return Tables(
        decisions.assign(**new),
        options.assign(cost=cost),
        t.games,
        t.matches,
        t.figures,
        t.problems,
    )


def _from_options(decisions, options, tau):
    """Costs of the options, and for each decision best, played, spread, flat and difficulty in equity."""
    n = len(decisions)
    best, played, spread, hardness = (np.full(n, np.nan) for _ in range(4))
    flat = np.zeros(n, bool)
    equity = options["equity"].to_numpy(float)
    if not len(options):
        return equity, best, played, spread, flat, hardness
    row = _decision_of(decisions, options)
    rank = options["rank"].to_numpy(np.int64)
    place = row << 16 | rank
    # Readers write options in order, and a sort is the dearest step here.
    order = slice(None) if (np.diff(place) > 0).all() else np.argsort(place)
    row, sorted_equity = row[order], equity[order]
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    size = np.diff(starts, append=len(row))
    first = np.repeat(sorted_equity[starts], size)
    sorted_cost = np.maximum(first - sorted_equity, 0)
    cost = np.empty_like(equity)
    cost[order] = sorted_cost

    at = row[starts]
    best[at] = sorted_equity[starts]
    chosen = options["played"].to_numpy(bool)[order]
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


def _from_cube(view, cube, best, played):
    """Equities of cube decisions, from the three that the doubler sees, in the player's view."""
    doubler, double = view.is_kind("cube"), view.double
    best[cube] = np.where(
        doubler, np.maximum(view.no_double, double), np.maximum(-view.take, -view.passed)
    )[cube]
    own = np.select(
        [view.kind("no_double"), view.kind("double"), view.kind("take")],
        [view.no_double, double, -view.take],
        -view.passed,
    )
    played[cube] = own[cube]


def _cube_gap(view):
    """Distance between the two choices of a cube decision."""
    return np.where(view.is_kind("answer"), view.take - view.passed, view.no_double - view.double)


def _prices(decisions, matches, met):
    """What one unit of equity is worth in chances to win, row by row; NaN for money."""
    met = tables_of_equity.load(met)
    price = np.full(len(decisions), _HALF)
    backgammon = decisions["discipline"].array.codes == DISCIPLINES.index("backgammon")
    score = [decisions[name].array for name in ("away", "opponent_away", "cube", "crawford")]
    if not backgammon.all():
        score = [values[backgammon] for values in score]
    price[backgammon] = met.price(*score)
    known = {*tables_of_equity.names(), met.name}
    strange = [
        match
        for match, assumed in zip(
            matches["match_id"].tolist(), matches["met"].tolist(), strict=True
        )
        if isinstance(assumed, str) and assumed not in known
    ]
    if strange:
        price[decisions["match_id"].isin(strange).to_numpy()] = np.nan
    return price


def _legal_plays(decisions, view, flat, everywhere):
    """`n_legal`, counted where it decides whether a play was forced, or everywhere."""
    known = decisions["n_legal"]
    rolled = view.is_kind("checker") | view.kind("roll")
    unknown = known.isna().to_numpy() & decisions["position"].notna().to_numpy()
    wanted = rolled & unknown & (everywhere | (flat & (view.n_options > 1)))
    if not wanted.any():
        return known
    boards = points_of(decisions["position"].array[wanted].tolist())
    counts = known.to_numpy(np.int16, na_value=0)
    counts[wanted] = [
        len(legal_positions(board, roll))
        for board, roll in zip(boards, decisions["roll"].array[wanted].tolist(), strict=True)
    ]
    return integers(counts, known.isna().to_numpy() & ~wanted)


def _phases(decisions):
    """`phase` of backgammon rows, from the board; other games' readers know theirs."""
    known = decisions["phase"]
    backgammon = decisions["discipline"].array.codes == DISCIPLINES.index("backgammon")
    wanted = backgammon & decisions["position"].notna().to_numpy(bool)
    if not wanted.any():
        return known
    codes = known.array.codes.copy()
    boards = points_of(decisions["position"].array[wanted].tolist())
    codes[wanted] = known.array.categories.get_indexer(phase(boards))
    return category(codes, known.dtype)


def _counted(view, match_id, matches):
    """`forced` and `counted` by the rules of the tool that analysed each match."""
    rules = [rules_of_tool(tool) for tool in matches["tool"]] or [rules_of_tool(None)]
    if len({r.name for r in rules}) == 1:
        return {"forced": rules[0].forced(view), "counted": rules[0].counted(view)}
    forced, counted = np.zeros(len(match_id), bool), np.zeros(len(match_id), bool)
    name = match_id.map(dict(zip(matches["match_id"], (r.name for r in rules), strict=True)))
    for one in {r.name: r for r in rules}.values():
        rows = name.eq(one.name).to_numpy(bool)
        forced[rows] = one.forced(view)[rows]
        counted[rows] = one.counted(view)[rows]
    return {"forced": forced, "counted": counted}
