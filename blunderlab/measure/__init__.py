"""Frame in, frame out: the figures that a table of decisions gives.

Nothing here knows a file, an index or a row order.
"""

from blunderlab.measure.elo import elo_is_floored, elo_vs_engine, l7, strength
from blunderlab.measure.intervals import ratio_interval
from blunderlab.measure.luck import result
from blunderlab.measure.pr import rates
from blunderlab.measure.rules import RULES, count
from blunderlab.measure.softmax import difficulty

__all__ = ["RULES", "count", "difficulty", "elo_is_floored", "elo_vs_engine", "l7", "rates", "ratio_interval", "result",
           "strength"]  # fmt: skip
