"""gnuBG's `.sgf`: one row per decision, all that the file knows."""

from blunderlab.readers.sgf.tables import looks_like, read

__all__ = ["looks_like", "read"]
