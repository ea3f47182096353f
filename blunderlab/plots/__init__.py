"""Pictures of the tables: each function takes a frame, draws on Axes and gives them back.

>>> from matplotlib.figure import Figure
>>> from blunderlab import plots
>>> ax = plots.met_surface(to=5, ax=Figure().subplots())      # or without ax, on a new figure of pyplot's
>>> ax.get_ylabel()
'player needs (points)'

Units are on the axes, n is in the picture, no picture relies on colour alone, and what is missing is not drawn
as zero. Errors are shown in millipoints (1000 · equity), losses in percentage points of match winning chance.
matplotlib is imported when something is drawn.
"""

from blunderlab.plots.agreement import balance, reconciliation
from blunderlab.plots.counting import counted_by, rule_sets
from blunderlab.plots.course import cumulative_loss
from blunderlab.plots.decisions import error_by_decision, loss_against_error
from blunderlab.plots.hardness import error_histogram, loss_against_difficulty
from blunderlab.plots.intervals import forest
from blunderlab.plots.prices import met_surface, price_surface
from blunderlab.plots.style import PALETTE
from blunderlab.plots.two import two_analyses

__all__ = [
    "PALETTE", "balance", "counted_by", "cumulative_loss", "error_by_decision", "error_histogram", "forest",
    "loss_against_difficulty", "loss_against_error", "met_surface", "price_surface", "reconciliation", "rule_sets",
    "two_analyses",
]  # fmt: skip
