"""GNU Backgammon, run without a window on records that have no analysis.

A record goes in as `.mat` or `.sgf`, gnuBG's analysed `.sgf` comes back and is read like any other; what gnuBG made of
the record is then held against the record itself, play by play.
"""

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from blunderlab.backgammon.record.mat import to_mat
from blunderlab.engines.gnubg_follow import Written, follow, renamed
from blunderlab.engines.gnubg_run import FOLDERS, find, run
from blunderlab.errors import EngineError, ReadError
from blunderlab.readers.sgf import tree as sgf_tree
from blunderlab.tables import Tables, columns
from blunderlab.tables.problems import Problems

__all__ = ["analyse", "find"]

_TABLE = "Kazaross-XG2"
_MAT = re.compile(rb"^\s*(?:\xef\xbb\xbf)?\s*\d+\s+point\s+match", re.IGNORECASE | re.MULTILINE)
_NAMES = (
    "White",
    "Black",
)  # while gnuBG has the match: at a colon in a name it breaks off, an empty one it misreads
_NAMED = b"PW[White]PB[Black]"
_EPOCH = (
    86_400  # modification time of the record: gnuBG takes it for the day where the record has none
)
_NO_DAY = re.compile(rb"DT\[19(?:69|70)-[^\]]*\]")
_BEAVERS = 3  # in a row, gnuBG's own default


def analyse(path_or_tables, plies=2, threads=1, timeout=None, progress=False, keep=None):
    """Analyse matches with gnuBG.

    Parameters
    ----------
    path_or_tables : str, Path or Tables
        A record that gnuBG imports (`.mat`, or its own `.sgf`), any other that `bl.read` reads, or Tables: their
        plays are written as `.mat` first. What a record said about equities is not used.
    plies : int
        Depth as gnuBG counts (its 2 is XG's 3-ply), for plays and cubes; luck is always at 0.
    threads : int
        They change the time, not the result.
    timeout : float, optional
        Seconds allowed for one match.
    progress : bool
        Show a bar, one step a match.
    keep : str or Path, optional
        Folder for the analysed `.sgf` files, made if need be: `<name of the record>.sgf`, of Tables
        `<match_id>.sgf`.

    Returns
    -------
    Tables
        Derived. `match_id`, players, games and everything else that the record itself says are the record's (of a
        `.mat`, the id is made of the file's bytes); tool, version and met are gnuBG's, and format is the "sgf" that
        the numbers went through. Decisions are numbered anew, for gnuBG asks for cube decisions in more places, so
        rows join on match_id, game, seat, kind, roll and position. A roll that was never played is a played one
        where only one play was legal, as gnuBG has it. Money: the Jacoby rule and beavers as the record says, on where
        it says nothing.

        `problems` names what gnuBG did not make of the record, and of Tables with several matches those that failed
        ("not_analysed"). From the first play on that gnuBG has otherwise, a game has no rows ("not_followed").

    Raises
    ------
    EngineError
        gnuBG is not installed, cannot import the record, breaks off, is out of time (it is ended), or this happens
        to every match.
    ReadError
        When there is no such file.
    SchemaError
        When Tables hold no backgammon.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.engines.gnubg.analyse("match.mat", plies=2, threads=4)   # doctest: +SKIP
    >>> bl.measure.rates(t.decisions, "gnubg")                          # doctest: +SKIP
    """
    program = find()
    matches = list(_records(path_or_tables))
    shown = matches
    if progress:
        from tqdm.auto import tqdm

        shown = tqdm(matches, unit="match")
    done, failed = [], []
    for one in shown:
        try:
            done.append(_one(program, one, int(plies), int(threads), timeout, keep))
        except EngineError as error:
            if len(matches) == 1:
                raise
            failed.append(error)
            problems = Problems(one.path, "mat", one.match_id)
            problems.add("not_analysed", str(error))
            done.append(Tables.build(problems=problems.frame()))
    if failed and len(failed) == len(matches):
        raise failed[0]
    return Tables.concat(done)


@dataclass
class _Record:
    """One match for gnuBG: what it is given, and what is known of it."""

    path: str
    name: str
    match_id: str
    data: bytes  # as gnuBG gets it
    command: str
    written: Written
    source: Tables | None = None  # None where only gnuBG reads the record
    players: tuple | None = None  # None where gnuBG is given the names
    sha256: str | None = None

    @property
    def given(self):
        """The name of the file that gnuBG gets."""
        return "in.sgf" if self.command == "load match" else "in.mat"

    @property
    def rules(self):
        """Jacoby rule and beavers."""
        if self.source is None:
            return True, True
        match = self.source.matches.iloc[0]
        return tuple(
            bool(match[name]) if pd.notna(match[name]) else True for name in ("jacoby", "beaver")
        )


def _records(given):
    """The matches of a path or of Tables."""
    if isinstance(given, Tables):
        for i, match_id in enumerate(given.matches["match_id"]):
            source = Tables(
                **{name: f[f["match_id"] == match_id] for name, f in vars(given).items()}
            )
            match = given.matches.iloc[i]
            yield _Record(
                path=match["path"] if isinstance(match["path"], str) else match_id,
                name=match_id,
                match_id=match_id,
                data=to_mat(source, match_id, _NAMES).encode(),
                command="import mat",
                written=Written.of(source),
                source=source,
                players=_players(match),
            )
        return
    from blunderlab.readers.choose import read  # a reader needs no engine, an engine needs a reader

    path = Path(given)
    if path.is_dir():
        yield from _records(read(path))
        return
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ReadError(given, "unknown", None, f"{error.strerror}: check the path") from error
    try:
        source = read(given)
    except ReadError:
        source = None
    mat = _MAT.search(data) is not None
    if source is not None and not mat and not sgf_tree.looks_like(data):
        yield from _records(source)
        return
    sha256 = hashlib.sha256(data).hexdigest()
    record = _Record(
        str(given),
        path.stem,
        sha256[:16],
        data,
        "import auto",
        Written.nothing(),
        source,
        None,
        sha256,
    )
    if sgf_tree.looks_like(data):
        record.command = "load match"
    elif mat:
        record.command, record.written = "import mat", Written.of_mat(data)
        record.data, record.players = renamed(data, _NAMES)
    if source is not None:
        record.written = Written.of(source)
    yield record


def _one(program, record, plies, threads, timeout, keep):
    from blunderlab.readers.choose import read

    with tempfile.TemporaryDirectory(prefix="gnubg-", ignore_cleanup_errors=True) as folder:
        given, out = Path(folder, record.given), Path(folder, "out.sgf")
        given.write_bytes(record.data)
        os.utime(given, (_EPOCH, _EPOCH))
        commands = _script(record, out.name, plies, threads)
        said = run(program, commands, folder, timeout, record.path)
        said = [words.replace(record.given, Path(record.path).name) for words in said]
        if not out.exists():
            raise EngineError(f"gnuBG cannot import {record.path}; it said: {_words(said)}")
        out.write_bytes(_named(out.read_bytes(), record.players))
        try:
            t = read(out)
        except ReadError as error:
            raise EngineError(
                f"gnuBG's analysis of {record.path} cannot be read: {error.reason}"
            ) from error
        if not len(t.decisions):
            raise EngineError(f"gnuBG found no play in {record.path}; it said: {_words(said)}")
        t = follow(_as_the_record(t, record), record.written, record.path, record.match_id, said)
        if keep is not None:
            Path(keep).mkdir(parents=True, exist_ok=True)
            Path(keep, f"{record.name}.sgf").write_bytes(out.read_bytes())
    return t


def _words(said):
    return "; ".join(said) or "nothing"


def _script(record, out, plies, threads):
    table = next((p for f in FOLDERS if (p := Path(f, "met", f"{_TABLE}.xml")).exists()), None)
    jacoby, beaver = record.rules
    return [
        "set automatic game off",
        "set automatic roll off",
        "set automatic move off",
        "set automatic bearoff off",
        "set confirm new off",
        "set confirm save off",
        "set display off",
        f"set threads {threads}",
        f'set met "{table}"' if table else "",
        f"set jacoby {'on' if jacoby else 'off'}",
        f"set beavers {_BEAVERS if beaver else 0}",
        f"set analysis chequerplay evaluation plies {plies}",
        f"set analysis cubedecision evaluation plies {plies}",
        f'{record.command} "{record.given}"',
        "analyse clear match",  # gnuBG keeps what is as deep as asked for
        "analyse match",
        f'save match "{out}"',
    ]


def _named(data, players):
    """gnuBG's file with the players' names, and without a day that nobody wrote."""
    data = _NO_DAY.sub(b"", data)
    if players is None:
        return data
    white, black = (re.sub(r"([\]\\])", r"\\\1", name or "").encode() for name in players)
    return data.replace(_NAMED, b"PW[" + white + b"]PB[" + black + b"]")


def _players(match):
    """Both names, None where there is none."""
    names = (match[f"player{seat}"] for seat in (0, 1))
    return tuple(name if isinstance(name, str) else None for name in names)


def _as_the_record(t, record):
    """The tables under the record's id, with all that the record says about the match."""
    match, source = t.matches, record.source
    if source is not None:
        own = source.matches.reset_index(drop=True)
        theirs = {name: match[name].array for name in ("format", "tool", "version", "met")}
        match = own.assign(
            **theirs, **{name: own[name].fillna(match[name]) for name in ("jacoby", "beaver")}
        )
        player = columns.take_text(_players(match.iloc[0]), t.decisions["seat"].to_numpy(int))
        t = replace(
            t,
            decisions=t.decisions.assign(player=player),
            games=source.games.reset_index(drop=True),
        )
    else:
        match = match.assign(
            path=columns.repeat(record.path, 1), sha256=columns.repeat(record.sha256, 1)
        )
    t = replace(t, matches=match)
    return Tables(
        **{
            name: f.assign(match_id=columns.repeat(record.match_id, len(f)))
            for name, f in vars(t).items()
        }
    )
