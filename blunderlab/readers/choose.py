"""The one that finds the right reader: by what a file holds, never by its name."""

from pathlib import Path

import pandas as pd

from blunderlab.errors import ReadError
from blunderlab.pricing import derive, derived
from blunderlab.readers.formats import FORMATS, format_of
from blunderlab.tables import Tables

__all__ = ["opened", "read"]


def read(path, strict=False, legal=False):
    """Read any supported file into Tables.

    Parameters
    ----------
    path : str or Path
        A match file, or a folder that `Tables.save` wrote.
    strict : bool
        Raise on the first thing that could not be read or believed instead of noting it in `problems`.
    legal : bool
        Count the legal options of every row, not only where the count decides something. Slow.

    Returns
    -------
    Tables
        With derived columns, priced by Kazaross-XG2 (see `derive`).

    Raises
    ------
    ReadError
        When nothing can be read: no such file, an unknown format, a damaged container.

    Examples
    --------
    >>> import blunderlab as bl
    >>> bl.read(bl.datasets.path("paris-7pt"))
    <Tables: 543 decisions, 2,962 options, 7 games, 1 matches, 4 figures, 0 problems>
    """
    if Path(path).is_dir():
        t = Tables.load(path)
        t = derive(t, legal=True) if legal else t
    else:
        data, format = opened(path)
        t = derived(format.read(data, path), legal=legal).tables()
    if strict and len(t.problems):
        first = t.problems.iloc[0]
        offset = None if pd.isna(first["offset"]) else int(first["offset"])
        raise ReadError(path, _format(t), offset, f"{first['code']}: {first['message']}")
    return t


def _format(t):
    known = t.matches["format"].dropna()
    return known.iloc[0] if len(known) else "unknown"


def opened(path):
    """Give a file's bytes and the verbs of the format that their content is in.

    Raises
    ------
    ReadError
        When the file cannot be opened or is of no known format.
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        words = getattr(error, "strerror", None) or error
        raise ReadError(path, "unknown", None, f"{words}: check the path") from error
    if not data:
        raise ReadError(path, "unknown", 0, "the file is empty; copy it again from its source")
    found = format_of(data)
    if found is None:
        known = ", ".join(format.words for format in FORMATS)
        reason = f"this is none of the formats that can be read: {known}"
        raise ReadError(path, "unknown", 0, reason)
    return data, found
