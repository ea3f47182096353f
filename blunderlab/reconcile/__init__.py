"""Our figures beside those that another program printed, and the rows on which two rule sets part.

>>> import blunderlab as bl
>>> t = bl.datasets.tables("aachen-double-7pt")
>>> found = bl.reconcile.compare(t, "xg")
>>> len(found), int(found["within"].sum())
(30, 30)
"""

from blunderlab.backgammon.record.same import same_matches
from blunderlab.reconcile.beside import compare
from blunderlab.reconcile.figures import typed
from blunderlab.reconcile.rows import differences
from blunderlab.reconcile.twice import analyses, one_match, shares

__all__ = ["analyses", "compare", "differences", "one_match", "same_matches", "shares", "typed"]
