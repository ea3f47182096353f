"""The formats that can be read, and how to tell them apart: by what a file holds, never by its name.

A format is a folder here with two verbs. `looks_like(data)` says whether bytes are of it, whole or not. `read(data, path)`
takes a whole file's bytes and its path (for messages and the `matches` table) and gives a `Draft`, whose derived columns
are still missing; it raises `ReadError` for what cannot be read. A format that can build the tables of many files at
once has two more verbs: `extract(data, path)`, as far as a file goes alone, and `build(extracted)`.
"""

from dataclasses import dataclass
from importlib import import_module

__all__ = ["FORMATS", "Format", "format_of"]


@dataclass(frozen=True)
class Format:
    """One folder of readers.

    Parameters
    ----------
    name : str
        Of the folder, and in `matches.format`.
    words : str
        As messages name it.
    """

    name: str
    words: str

    @property
    def verbs(self):
        """The module, which is imported when a file needs it."""
        return import_module(f"blunderlab.readers.{self.name}")


# In the order they are asked. A position's text may hold the words by which a transcription is known.
FORMATS = (
    Format("xg", "eXtreme Gammon (.xg, .xgp)"),
    Format("bgf", "BGBlitz (.bgf)"),
    Format("sgf", "gnuBG (.sgf)"),
    Format("text", "one position as text from XG or BGBlitz"),
    Format("mat", "transcriptions (.mat, .txt)"),
)


def format_of(data):
    """The verbs of the format that these bytes are in; None where they are in none.

    Examples
    --------
    >>> format_of(b"(;FF[4]GM[6])").__name__
    'blunderlab.readers.sgf'
    >>> format_of(b"") is None
    True
    """
    return next((f.verbs for f in FORMATS if f.verbs.looks_like(data)), None)
