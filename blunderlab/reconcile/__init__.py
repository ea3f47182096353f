"""Our figures beside those that another program printed, and the rows on which two rule sets part.

>>> import blunderlab as bl
>>> t = bl.datasets.tables("aachen-double-7pt")
>>> bl.reconcile.compare(t, "xg").loc[0, ["seat", "name", "theirs", "within"]].tolist()
[0, 'n_checker', 138.0, True]
"""

from blunderlab.reconcile.beside import compare
from blunderlab.reconcile.figures import typed
from blunderlab.reconcile.rows import differences

__all__ = ["compare", "differences", "typed"]
