"""Transcriptions, `.mat` and `.txt`: the plays, cubes and scores of a match, as programs and servers write them."""

from blunderlab.readers.mat.tables import looks_like, read

__all__ = ["looks_like", "read"]
