"""The report: a first page about the matches, and the notebooks executed on them. It needs no network.

blunderlab.report.build(["my_matches/"])  # writes report/index.html
"""

from pathlib import Path

import nbformat

from blunderlab.places import shipped
from blunderlab.report.notebooks import (
    ReportError,
    Run,
    absolute,
    execute,
    find,
    raise_failed,
    write,
    write_notebooks,
)

__all__ = ["ReportError", "Run", "build", "execute", "find", "read", "shipped", "write_notebooks"]


def read(paths=(), progress=False):
    """Read what a report is about; give it to `build` to have the files read once.

    Parameters
    ----------
    paths, progress
        As in `build`.

    Returns
    -------
    blunderlab.report.first.Reading
        Nothing that fails is raised here: `failures` has the errors when no file could be read.
    """
    from blunderlab.report import first

    return first.read(paths, progress)


def build(paths=(), out="report", notebooks=None, progress=False, reading=None):
    """Write the first page and the notebooks, executed, as HTML.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, folders and globs to run on; the shipped data when empty.
    out : str or Path
        Folder for the pages, the executed copies and index.html. Each file is replaced as a whole;
        other files in it are left alone.
    notebooks : sequence of str or Path, optional
        Which ones (see `find`); all of them when None.
    progress : bool
        Show a bar on stderr.
    reading : Reading, optional
        What `read` gave for these paths, when it was called before.

    Returns
    -------
    Path
        `out`.

    Raises
    ------
    ReadError
        A path where nothing is, or no file that can be read; in the second case the index, already
        written, says of each why.
    ReportError
        At least one notebook failed; the index, already written, shows which and why. A notebook
        that cannot run on these files is no failure.
    """
    from blunderlab.report import first, pages

    for path in paths:
        absolute(path)
    out = Path(out)
    reading = reading or first.read(paths, progress)
    summary = first.summarise(reading)
    if reading.failures:
        write(out / "index.html", pages.index([], summary))
        raise reading.failures[0]
    runs = execute(paths, notebooks, progress)
    for run in runs:
        write(out / f"{run.name}.ipynb", nbformat.writes(run.notebook) + "\n")
        write(out / f"{run.name}.html", pages.page(run))
    write(out / "index.html", pages.index(runs, summary))
    raise_failed(runs, out / "index.html")
    return out
