"""The options of a cube decision, from the three equities that the doubler sees."""

import numpy as np

from blunderlab.backgammon.record.options import Options
from blunderlab.backgammon.record.rows import ANSWERS, DOUBLE, NO_DOUBLE, TAKE
from blunderlab.tables import columns

__all__ = ["cube_options"]

_ND, _DT, _DP = range(3)
_WORDS = columns.words("No double", "Double/Take", "Double/Pass", "Take", "Pass")


def cube_options(rows, equities, chances, level):
    """Three options for the doubler, two for the one who answers; the better action first."""
    nd, dt, dp = equities.T
    kind = np.array(rows.kind)
    answer = np.isin(kind, ANSWERS)
    double = np.where(dt <= dp, _DT, _DP)  # the reply that the doubler must expect
    other = np.where(dt <= dp, _DP, _DT)
    best = np.where(nd >= np.minimum(dt, dp), _ND, double)
    second = np.where(best == _ND, double, _ND)
    ranked = np.stack([best, second, other], axis=1)
    ranked[answer] = np.stack([double, other, other], axis=1)[answer]
    use = np.repeat(~np.isnan(nd)[:, None], 3, axis=1)
    use[answer, 2] = False
    row, rank = np.nonzero(use)
    which, turned = ranked[row, rank], answer[row]

    outcome = np.where(which == _ND, 0, 1)
    win, win_g, win_b, lose_g, lose_b = chances[row, outcome].T
    own = np.stack([win, win_g, win_b, lose_g, lose_b], axis=1)
    theirs = np.stack([1 - win, lose_g, lose_b, win_g, win_b], axis=1)
    shown = np.where(turned[:, None], theirs, own)
    shown[which == _DP] = np.nan
    done = np.select([kind == NO_DOUBLE, kind == DOUBLE, kind == TAKE], [_ND, double, _DT], _DP)
    return Options(
        row=row,
        rank=rank + 1,
        words=_WORDS[which + 2 * turned],
        equity=equities[row, which] * np.where(turned, -1.0, 1.0),
        chances=shown,
        level=level[row],
        played=which == done[row],
    )
