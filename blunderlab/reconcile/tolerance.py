"""How far a figure may be off because the file stores only so many digits."""

import numpy as np
import pandas as pd

from blunderlab import met as tables_of_equity
from blunderlab.measure.rules import View

__all__ = ["CLASSES", "half_digits", "met_of", "near_thresholds"]

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


def half_digits(decisions, matches, rules):
    """Put half the last stored digit in the place of each error, loss and luck.

    A digit of MWC is worth 2/(W₊ − W₋) in EMG. Summed by `measure.rates`, these rows give the tolerance of a sum.
    """
    view = View(decisions)
    price = met_of(rules).price(*(decisions[c] for c in ("away", "opponent_away", "cube", "crawford")))
    stored = pd.DataFrame(matches["format"].map(STORED).map(lambda x: x if isinstance(x, dict) else {}).tolist())
    stored = stored.reindex(columns=["play", "cube", "luck"]).fillna(0.0).set_axis(matches["match_id"].array)
    play, cube, luck = stored.reindex(decisions["match_id"]).to_numpy().T / 2
    of_cube = view.is_kind("cube") | view.is_kind("answer")
    error = np.where(of_cube, cube / np.where(np.isnan(price), 1, price), play)
    new = {"error": error, "loss": error * price, "luck": luck, "luck_loss": luck * price}
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
