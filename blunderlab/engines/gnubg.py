"""GNU Backgammon, run without a window on records that have no analysis."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from blunderlab import columns
from blunderlab.backgammon.mat import to_mat
from blunderlab.errors import EngineError
from blunderlab.tables import Tables

__all__ = ["analyse", "find"]

HINT = "install it from your distribution (Debian and Ubuntu: apt install gnubg) or from gnu.org/software/gnubg"
_GAMES = "/usr/games"  # Debian puts it there, and a daemon's PATH does not look
_TABLE = "Kazaross-XG2"
_FOLDERS = ("/usr/share/gnubg", "/usr/local/share/gnubg", "/opt/homebrew/share/gnubg")


def find():
    """Path of the installed gnuBG.

    Raises
    ------
    EngineError
        When there is none, with a hint where to get it.
    """
    found = shutil.which("gnubg", path=os.pathsep.join([os.environ.get("PATH", ""), _GAMES]))
    if not found:
        raise EngineError(f"gnuBG is not installed: {HINT}")
    return found


def analyse(path_or_tables, plies=2, threads=1, timeout=None, progress=False, keep=None):
    """Analyse matches with gnuBG.

    Parameters
    ----------
    path_or_tables : str, Path or Tables
        A file that gnuBG imports (`.mat`, or its own `.sgf`), or Tables of any source: their plays are written
        as `.mat` first, and what they said about equities is not used.
    plies : int
        Depth as gnuBG counts (its 2 is XG's 3-ply), for plays and cubes; luck is always at 0.
    threads : int
    timeout : float, optional
        Seconds allowed for one match.
    progress : bool
        Show a bar, one step a match.
    keep : str or Path, optional
        Folder for the analysed `.sgf` files.

    Returns
    -------
    Tables
        Read back from gnuBG's `.sgf` and derived; `match_id` is the source's where Tables were given.

    Raises
    ------
    EngineError
        No gnuBG, no result, or out of time.
    """
    program = find()
    if isinstance(path_or_tables, Tables):
        sources = [(match, to_mat(path_or_tables, match)) for match in path_or_tables.matches["match_id"]]
    else:
        sources = [(None, Path(path_or_tables))]
    if progress:
        from tqdm.auto import tqdm

        sources = tqdm(sources, unit="match")
    return Tables.concat(
        [_one(program, match, source, plies, threads, timeout, keep) for match, source in sources]
    )


def _one(program, match, source, plies, threads, timeout, keep):
    from blunderlab.readers.choose import read  # a reader needs no engine, an engine needs a reader

    with tempfile.TemporaryDirectory(prefix="gnubg-") as folder:
        if isinstance(source, Path):
            given = Path(folder, "in.sgf" if source.suffix.lower() == ".sgf" else "in.mat")
            shutil.copyfile(source, given)
            name = source.with_suffix(".sgf").name
        else:
            given = Path(folder, "in.mat")
            given.write_text(source, "utf-8")
            name = f"{match}.sgf"
        out = Path(folder, "out.sgf")
        script = _script(given, out, plies, threads)
        said = _run(program, script, folder, timeout)
        if not out.exists():
            tail = " ".join(said.split())[-300:]
            raise EngineError(f"gnuBG saved nothing for {name}; its last words: {tail or 'none'}")
        if keep is not None:
            Path(keep).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(out, Path(keep, name))
        t = read(out)
    path = columns.repeat(str(source) if isinstance(source, Path) else name, len(t.matches))
    t = replace(t, matches=t.matches.assign(path=path))
    return t if match is None else _renamed(t, match)


def _script(given, out, plies, threads):
    table = next((p for f in _FOLDERS if (p := Path(f, "met", f"{_TABLE}.xml")).exists()), None)
    return "\n".join(
        [
            "set automatic game off",
            "set confirm new off",
            "set confirm save off",
            "set display off",
            f"set threads {int(threads)}",
            f'set met "{table}"' if table else "",
            f"set analysis chequerplay evaluation plies {int(plies)}",
            f"set analysis cubedecision evaluation plies {int(plies)}",
            f'{"load" if given.suffix == ".sgf" else "import mat"} {"match " if given.suffix == ".sgf" else ""}"{given.name}"',
            "analyse match",
            f'save match "{out.name}"',
            "",
        ]
    )


def _run(program, script, folder, timeout):
    try:
        done = subprocess.run(
            [program, "-t", "-q"],
            input=script,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=folder,
            timeout=timeout,
            env={**os.environ, "HOME": folder},  # the user's own settings would change the analysis
        )
    except subprocess.TimeoutExpired as error:
        raise EngineError(f"gnuBG needed more than {timeout} s for one match: allow more, or fewer plies") from error
    except OSError as error:
        raise EngineError(f"gnuBG does not start ({error}): {HINT}") from error
    return done.stdout + done.stderr


def _renamed(t, match):
    """The tables under the source's match_id, so that both analyses of a match can be joined."""
    return Tables(
        **{
            name: frame.assign(match_id=columns.repeat(match, len(frame)))
            for name in ("decisions", "options", "games", "matches", "figures", "problems")
            for frame in [getattr(t, name)]
        }
    )
