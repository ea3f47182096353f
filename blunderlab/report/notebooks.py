"""The notebooks, executed on somebody's files."""

import asyncio
import glob
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat

from blunderlab import errors
from blunderlab.atomic import replacing
from blunderlab.places import shipped

__all__ = ["ReportError", "Run", "absolute", "execute", "find", "raise_failed", "write",
           "write_notebooks"]  # fmt: skip

# Asked of the kernel after the last cell: the largest Tables that the notebook held.
_COUNT = """max((len(v.matches) for v in list(globals().values())
     if type(v).__name__ == "Tables" and hasattr(v, "matches")), default=-1)"""


class ReportError(errors.BlunderlabError):
    """Notebooks that failed; what could be written is written."""


@dataclass
class Run:
    """One executed notebook.

    Attributes
    ----------
    source : Path
        The notebook itself, which is never touched.
    notebook : nbformat.NotebookNode
        The executed copy, as far as it came.
    state : str
        "done"; "cannot" = it raised one of blunderlab's own errors, because these files lack what
        it needs; "failed" = anything else.
    message : str
        The error, empty when done.
    matches : int or None
        Matches in the largest Tables it held; None where it held none.
    """

    source: Path
    notebook: object
    state: str
    message: str = ""
    matches: int | None = None

    @property
    def name(self):
        """The stem of the file, as in 01_first_look."""
        return self.source.stem

    @property
    def title(self):
        """The first heading."""
        return _opening(self.notebook)[0] or self.name

    @property
    def question(self):
        """What it answers: its first question under the heading, else the first paragraph there."""
        return _opening(self.notebook)[1]


def write_notebooks(paths=(), out="executed", notebooks=None, progress=False):
    """Execute the notebooks and write the executed copies alone; parameters as in `blunderlab.report.build`.

    A copy that failed never replaces its own source, so `out` may be the notebooks' own folder.

    Returns
    -------
    list of Path
        The copies.
    """
    runs = execute(paths, notebooks, progress)
    written = []
    for run in runs:
        target = Path(out) / run.source.name
        if run.state == "done" or target.resolve() != run.source.resolve():
            write(target, nbformat.writes(run.notebook) + "\n")
            written.append(target)
    raise_failed(runs, out)
    return written


def execute(paths=(), notebooks=None, progress=False):
    """Execute copies of the notebooks, two or more at a time, and return a `Run` for each.

    Parameters
    ----------
    paths, notebooks, progress
        As in `blunderlab.report.build`.
    """
    sources = find(notebooks)
    environment = {k: v for k, v in os.environ.items() if k not in _NOT_INHERITED}
    if len(paths):
        environment["BLUNDERLAB_FILES"] = os.pathsep.join(absolute(p) for p in paths)
    with ThreadPoolExecutor(max_workers=max(1, min(4, os.cpu_count() or 1))) as pool:
        runs = pool.map(lambda source: _run(source, environment), sources)
        if progress:
            from tqdm.auto import tqdm

            runs = tqdm(runs, total=len(sources), desc="notebooks", unit="")
        return list(runs)


def find(notebooks=None):
    """Give the notebooks' paths, sorted by number.

    Parameters
    ----------
    notebooks : sequence of str or Path, optional
        Files, or names of shipped notebooks: the whole name, its number or what follows it
        ("03_luck", "03", "luck"). All shipped ones when None or empty.
    """
    folder = shipped("notebooks")
    have = sorted(folder.glob("*.ipynb"))
    if notebooks is None or not len(notebooks):
        if not have:
            raise errors.BlunderlabError(f"{folder}: no notebooks there")
        return have
    return [_one(name, have) for name in notebooks]


# The reader's own settings must not change what a copy does.
_NOT_INHERITED = {"BLUNDERLAB_FILES", "MPLBACKEND"}


def _one(name, have):
    """Find one notebook by path or by name."""
    if Path(name).suffix == ".ipynb" and Path(name).is_file():
        return Path(name)
    wanted = Path(name).name.removesuffix(".ipynb")
    for path in have:
        if wanted in (path.stem, *path.stem.split("_", 1)):
            return path
    raise errors.BlunderlabError(
        f"no notebook {str(name)!r}; there are {', '.join(p.stem for p in have)}"
    )


def absolute(path):
    """Make a file, folder or glob absolute, so that it means the same in another folder."""
    path = os.path.abspath(os.path.expanduser(path))
    if not os.path.exists(path) and not glob.glob(path, recursive=True):
        raise errors.ReadError(path, "a record", None, "no such file or folder")
    if os.pathsep in path:
        raise errors.ReadError(
            path, "a record", None, f"a path with {os.pathsep!r} in it can't be passed on: rename"
        )
    return path


def _run(source, environment):
    """Execute a copy of one notebook in an empty folder."""
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    notebook = nbformat.read(source, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(_COUNT))
    client = _client(notebook)
    state, message = "done", ""
    with tempfile.TemporaryDirectory(prefix="blunderlab-") as folder:
        try:
            # A loop of its own for each thread, closed at the end.
            asyncio.run(client.async_execute(env=environment, cwd=folder))
        except CellExecutionError as error:
            own = getattr(errors, error.ename, None)
            state = "failed" if own is None else "cannot"
            message = error.evalue if own else f"{error.ename}: {error.evalue}"
        except DeadKernelError as error:
            state, message = "failed", str(error)
    count = notebook.cells.pop()
    # The exact Python would be a difference of every run on another machine.
    notebook.metadata.get("language_info", {}).pop("version", None)
    matches = int(count.outputs[0].data["text/plain"]) if state == "done" else -1
    return Run(source, notebook, state, message, matches if matches >= 0 else None)


def _client(notebook):
    """Give the client that executes a notebook with this very Python."""
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class ThisPython(AsyncKernelManager):
        # Not the kernel named in the notebook: that name may belong to another environment.
        kernel_spec = KernelSpec(**get_kernel_dict())

    return NotebookClient(
        notebook,
        kernel_manager_class=ThisPython,
        extra_arguments=["--log-level=ERROR"],
        timeout=None,
        record_timing=False,
    )


def _opening(notebook):
    """Give the first heading and the first question (else paragraph) of the first text cells."""
    text = "\n\n".join(c.source for c in notebook.cells[:3] if c.cell_type == "markdown")
    heading = re.search(r"^#+\s+(.+?)\s*#*\s*$", text, re.MULTILINE)
    title = heading[1] if heading else ""
    rest = text[heading.end() :] if heading else text
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", rest)]
    paragraphs = [
        p for p in paragraphs if p and not p.startswith(("#", "|", "$$", "```", "<", "!["))
    ]
    asked = (re.search(r"(?:^|(?<=[.!?:] ))[^.!?:]*\?", p) for p in paragraphs)
    question = next((m[0] for m in asked if m), paragraphs[0] if paragraphs else "")
    return title, question.strip("*_ ")


def write(path, text):
    """Replace a file as a whole."""
    with replacing(path) as fresh:
        fresh.write_text(text, encoding="utf-8")


def raise_failed(runs, where):
    """Raise when a notebook failed, with the first lines of each message."""
    failed = [f"{r.name} ({r.message.splitlines()[0]})" for r in runs if r.state == "failed"]
    if failed:
        raise ReportError(
            f"{len(failed)} of {len(runs)} notebooks failed, see {where}: {'; '.join(failed)}"
        )
