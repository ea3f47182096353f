"""The errors that callers can act on.

Every one derives from `BlunderlabError`; anything else that escapes is a fault of the package.
"""

__all__ = ["BlunderlabError", "EngineError", "FitError", "ReadError", "SchemaError"]


class BlunderlabError(Exception):
    """Base of every error that blunderlab raises on purpose."""


class ReadError(BlunderlabError):
    """A file, or a part of it, that cannot be read as what it claims to be.

    Parameters
    ----------
    path : str or Path
        The file as the caller named it.
    format : str
        What it was taken for ("xg", "sgf", …); "unknown" where nothing fits.
    offset : int or None
        Byte offset of the trouble in the file, or in the unpacked records of a container
        (`reason` says which); None where there is no such place.
    reason : str
        What is wrong and what to do.

    Examples
    --------
    >>> print(ReadError("a.xg", "xg", 10, "the file ends inside its header"))
    a.xg: cannot be read as xg, byte 10: the file ends inside its header
    """

    def __init__(self, path, format, offset, reason):
        self.path, self.format, self.offset, self.reason = str(path), format, offset, reason
        what = "" if format == "unknown" else f" as {format}"
        where = "" if offset is None else f", byte {offset}"
        super().__init__(f"{self.path}: cannot be read{what}{where}: {reason}")

    def __reduce__(self):
        return type(self), (self.path, self.format, self.offset, self.reason)


class SchemaError(BlunderlabError):
    """A frame that is not one of the declared tables, or a choice that no table has."""


class EngineError(BlunderlabError):
    """An engine that is missing, silent or wrong."""


class FitError(BlunderlabError):
    """A fit that has no answer, with the reason."""
