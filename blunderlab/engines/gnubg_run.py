"""The program: where it is, and one run of it with a list of commands."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from blunderlab.errors import EngineError

__all__ = ["FOLDERS", "find", "run"]

HINT = "install it from your distribution (Debian and Ubuntu: apt install gnubg) or from gnu.org/software/gnubg"
FOLDERS = (
    "/usr/share/gnubg",
    "/usr/local/share/gnubg",
    "/opt/homebrew/share/gnubg",
)  # where its data lie
_GAMES = "/usr/games"  # Debian puts it there, and a daemon's PATH does not look

_COMMANDS = "commands.txt"
_NOISE = re.compile(r"^\(?gnubg:\d+|\b(?:Gtk|GLib|Gdk)\b")
_COMPLAINT = re.compile(
    r"WARNING.*|The format of .* is not recognized|Unrecogni[sz]ed .*|.*doesn't follow a double.*|Illegal .*"
)
_MOST = 20  # complaints worth repeating


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


def run(program, commands, folder, timeout, record):
    """Let gnuBG carry out commands in a folder, without the user's own settings.

    Parameters
    ----------
    program : str
    commands : list of str
    folder : str or Path
        Where it runs, and what it takes for the user's home.
    timeout : float or None
        Seconds; then gnuBG and all that it started are ended.
    record : str
        For messages.

    Returns
    -------
    list of str
        What it complained of, each once, in its own words.

    Raises
    ------
    EngineError
        It does not start, breaks off, or is out of time.
    """
    Path(folder, _COMMANDS).write_text("\n".join([*commands, ""]), "utf-8")
    # The user's settings, language and Python would change what gnuBG does or says.
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LC_", "LANG"))}
    try:
        process = subprocess.Popen(
            [program, "-t", "-q", "-r", "-c", _COMMANDS],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**kept, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
    except OSError as error:
        raise EngineError(f"gnuBG does not start ({error}): {HINT}") from error
    try:
        output = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise EngineError(
            f"gnuBG needed more than {timeout:g} s for {record} and was ended: allow more, or fewer plies"
        ) from error
    finally:
        _end(process)
    said = complaints(*(part.decode("utf-8", "replace") for part in output))
    if process.returncode:
        code = process.returncode
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        raise EngineError(
            f"gnuBG broke off at {record} ({how}); it said: {'; '.join(said) or 'nothing'}"
        )
    return said


def _end(process):
    """End a run that is not over, with all that it started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
    for pipe in (process.stdout, process.stderr):
        pipe.close()


def complaints(output, errors):
    """What gnuBG found wrong, each once, in its own words.

    Examples
    --------
    >>> complaints("Will not display boards.", "a.mat: not a valid .mat file\\na.mat: not a valid .mat file")
    ['a.mat: not a valid .mat file']
    """
    lines = [
        line.strip() for line in errors.splitlines() if line.strip() and not _NOISE.search(line)
    ]
    lines += [
        found[0].strip() for line in output.splitlines() if (found := _COMPLAINT.search(line))
    ]
    return list(dict.fromkeys(lines))[:_MOST]
