"""Transcriptions, `.mat` and `.txt`: the plays, cubes and scores of a match, as programs and servers write them."""

from blunderlab.readers.mat.tables import build, extract, looks_like, read

__all__ = ["build", "extract", "looks_like", "read"]
