"""What is at stake in each decision of a gnuBG match: the scale between equities and chances to win it."""

import numpy as np

from blunderlab import met as tables_of_equity
from blunderlab.backgammon.record.rows import ANSWERS
from blunderlab.tables import columns
from blunderlab.tables.schema import CRAWFORD, declared_dtypes

__all__ = ["Stakes"]

_CRAWFORD_DTYPE = declared_dtypes("games")["crawford"]
_NONE, _POST = CRAWFORD.index("none"), CRAWFORD.index("post")
_NOISE = 0.01  # a rollout with variance reduction may end a little outside 0 … 1
_NO_EQUITY = 9999  # gnuBG's own "no value" is beyond it


class Stakes:
    """Chances of the doubler, on other rows of the player, after winning and losing the cube before any double.

    gnuBG's own: Kazaross-XG2 and, beyond its 25 points, gnuBG's extension.

    Parameters
    ----------
    rows : Rows
    match : Match

    Attributes
    ----------
    won, lost : ndarray, shape (rows,)
        NaN for money and where the score is not known.
    scaled : ndarray of bool, shape (rows,)
        What gnuBG writes can be turned into equities.
    """

    def __init__(self, rows, match):
        n = len(rows)
        self._match = match.length is not None
        self.won = self.lost = np.full(n, np.nan)
        self.scaled = np.full(n, not self._match)
        if not self._match or not n:
            return
        game, seat = np.array(rows.game) - 1, np.array(rows.seat)
        doubler = np.where(np.isin(rows.kind, ANSWERS), 1 - seat, seat)
        away = np.where(match.sound[:, None], match.length - match.scores, -1)[game]
        own, other = away[np.arange(n), doubler], away[np.arange(n), 1 - doubler]
        cube = 1 << np.array(rows.cube, np.int64)
        # In and after the Crawford game, what it leads to is after it.
        code = np.where(match.crawford[game] == _NONE, _NONE, _POST).astype(np.int8)
        after = columns.category(code, _CRAWFORD_DTYPE)
        table = tables_of_equity.load("kazaross-xg2", beyond="gnubg")
        self.won = np.where(own < 0, np.nan, table.mwc(own - cube, other, after))
        self.lost = np.where(own < 0, np.nan, table.mwc(own, other - cube, after))
        self.scaled = ~np.isnan(self.won + self.lost)

    def equity(self, row, written):
        """Normalised equities from what gnuBG writes on these rows: chances to win in a match."""
        if not self._match:
            return written
        won, lost = self.won[row, None], self.lost[row, None]
        return (2 * written - (won + lost)) / (won - lost)

    def possible(self, row, equity):
        """Mask of the equities that can be: they leave the player between losing and winning the match."""
        won, lost = self.won[row], self.lost[row]
        chance = (won + lost + equity * (won - lost)) / 2
        outside = (chance < -_NOISE) | (chance > 1 + _NOISE)
        return (np.abs(equity) < _NO_EQUITY) & ~outside
