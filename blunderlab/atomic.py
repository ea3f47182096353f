"""Files that are replaced whole, or not at all."""

import os
from contextlib import contextmanager
from pathlib import Path

__all__ = ["replacing"]


@contextmanager
def replacing(path):
    """Give a name to write under, in the same folder; the file takes its place when the block ends well.

    Parameters
    ----------
    path : str or Path
        Its folder is made when it is not there.

    Yields
    ------
    Path
        Ends like `path`, so that writers choose the same format.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with replacing(folder + "/a.txt") as fresh:
    ...         _ = fresh.write_text("whole")
    ...     Path(folder, "a.txt").read_text()
    'whole'
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{os.getpid()}-{path.name}")
    try:
        yield fresh
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
