"""eXtreme Gammon's `.xg` and `.xgp`: one row per decision, all that the file knows."""

from blunderlab.readers.xg.container import looks_like
from blunderlab.readers.xg.tables import build, extract, read

__all__ = ["build", "extract", "looks_like", "read"]
