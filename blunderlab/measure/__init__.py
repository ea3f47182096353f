"""Frame in, frame out: the figures that a table of decisions gives.

Nothing here knows a file, an index or a row order.
"""

from blunderlab.measure.difficulty import difficulty
from blunderlab.measure.intervals import ratio_interval
from blunderlab.measure.rates import rates
from blunderlab.measure.result import result
from blunderlab.measure.rules import RULES, count

__all__ = ["RULES", "count", "difficulty", "rates", "ratio_interval", "result"]
