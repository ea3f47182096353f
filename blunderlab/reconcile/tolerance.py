"""How far a figure may be off because the file stores only so many digits."""

import numpy as np
import pandas as pd

from blunderlab import met as tables_of_equity
from blunderlab.measure.rules import View

__all__ = ["CLASSES", "met_of", "near_thresholds", "with_slack"]

# The last digit that a format stores: of a play's equity (EMG), a cube's (MWC in a match), of luck (EMG).
# Formats that are not here store binary floats.
STORED = {"sgf": {"play": 1e-6, "cube": 1e-6, "luck": 1e-5}}

# Thresholds, from the last, that part a count of errors from the rest.
CLASSES = {"n_blunders": (-1,), "n_errors": (-2,), "n_doubtful": (-2, -3)}

_MET = {"gnubg": ("kazaross-xg2", "gnubg")}
_NOISE = 1e-9


def met_of(rules):
    """The table of match equities that the tool of these rules has."""
    return tables_of_equity.load(*_MET.get(rules.name, ("kazaross-xg2",)))


def with_slack(decisions, matches, rules):
    """Put how far it may be off in the place of each error, loss and luck.

    That is half the last stored digit of each value in it, in the column's unit: two values in an error, one in
    luck, none where the best option was chosen, whose error is 0 whatever the digits. A digit of MWC is worth
    2/(W₊ − W₋) in EMG. Summed by `measure.rates`, these rows give how far a sum may be off.
    """
    view = View(decisions)
    price = met_of(rules).price(
        *(decisions[c] for c in ("away", "opponent_away", "cube", "crawford"))
    )
    known = [STORED.get(name, {}) for name in matches["format"]]
    stored = pd.DataFrame(
        known, index=matches["match_id"].array, columns=["play", "cube", "luck"]
    ).fillna(0.0)
    play, cube, luck = stored.reindex(decisions["match_id"]).to_numpy().T
    of_cube = view.is_kind("cube") | view.is_kind("answer")
    error = np.where(of_cube, cube / np.where(np.isnan(price), 1, price), play)
    gap = np.where(view.is_kind("answer"), view.take - view.passed, view.no_double - view.double)
    tied = np.where(
        of_cube, np.abs(gap) <= error, decisions["played"].ne(decisions["best"]).to_numpy(bool)
    )
    error = np.where((view.error > 0) | tied, error, 0)
    new = {"error": error, "loss": error * price, "luck": luck / 2, "luck_loss": luck / 2 * price}
    return decisions.assign(**{c: np.where(decisions[c].isna(), np.nan, x) for c, x in new.items()})


def near_thresholds(decisions, digit, rules):
    """Find the errors that a stored digit may put on either side of a threshold.

    Parameters
    ----------
    decisions : DataFrame
    digit : ndarray of float, shape (decisions,)
        The last stored digit, in equity; 0 or NaN = none.
    rules : RuleSet

    Returns
    -------
    DataFrame
        One row an error and threshold: match_id, game, seat, edge (the threshold's place from the last, -1) and
        `words` that name it.
    """
    view = View(decisions)
    classed = rules.in_sum(view, rules.counted(view)) & (digit > 0)
    if rules.plays_only:
        classed &= view.is_kind("checker")
    rows = decisions[["match_id", "game", "seat", "decision", "error"]]
    found = []
    for edge, limit in enumerate(rules.thresholds, -len(rules.thresholds)):
        near = rows[classed & (np.abs(view.error - limit) <= digit + _NOISE)]
        words = [
            f"the error {e:.6f} of game {g}, decision {d}, is within a stored digit of {limit:g}"
            for g, d, e in zip(near["game"], near["decision"], near["error"], strict=True)
        ]
        found.append(near.assign(edge=edge, words=pd.Series(words, near.index, dtype="str")))
    return pd.concat(found)[["match_id", "game", "seat", "edge", "words"]]
