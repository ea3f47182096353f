"""One position as text, as XG and BGBlitz copy it to the clipboard, in any of their languages.

The XGID says what the position is; what follows the board says how it was judged. Words are read over wherever the
shape of a line tells what it is, so that a translation needs no list: decimal commas are points, a line of three
percentages is a side's chances, three signed numbers are no double, double/take and double/pass. Nothing was played,
so the row has options and no `played`, and no error: kind checker for a roll, no_double for a cube that may be
turned, take for one that is offered.
"""

import codecs
import hashlib
import re
from dataclasses import dataclass

import numpy as np

from blunderlab.backgammon.record.columns import game_columns, replayed
from blunderlab.backgammon.record.options import Words
from blunderlab.backgammon.record.rows import CHECKER, NO_DOUBLE, TAKE, Rows
from blunderlab.backgammon.record.scores import crawford_codes
from blunderlab.backgammon.xgid import parse
from blunderlab.errors import ReadError
from blunderlab.readers.text.analysis import cube, plays
from blunderlab.tables import columns
from blunderlab.tables.draft import of_rows
from blunderlab.tables.problems import Problems

__all__ = ["looks_like", "read"]

_XGID = re.compile(r"^\s*XGID=(\S+)", re.MULTILINE)
_EDGE = re.compile(r"\+-*\d+(?:-+\d+){11}-*\+")  # above and below the board: twelve points
_FIRST_BYTES = 1 << 16
_LONGEST = 32767  # what the columns of lengths and scores hold
_XG = re.compile(r"^\s*eXtreme Gammon\D*([^\s,]+)(?:,[^:]*:\s*(.+?))?\s*$", re.MULTILINE)
_XG_NAMES = re.compile(r"^\s*X:(.*?)\s+O:(.*?)\s*$", re.MULTILINE)
_BGBLITZ_NAME = r"-\+\s+{}:[ \t]*(.*?)\s+\d+[ \t]*$"
_AGAIN = "copy it again from the program"


def looks_like(data):
    """Whether the content is one position as text: an XGID and a drawn board.

    Examples
    --------
    >>> looks_like(b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\\n"
    ...            b" +13-14-15-16-17-18------19-20-21-22-23-24-+"), looks_like(b"XGID=")
    (True, False)
    """
    head = data[:_FIRST_BYTES]
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        head = head.replace(b"\0", b"")
    return b"XGID=" in head and _EDGE.search(head.decode("latin-1")) is not None


def read(data, path):
    """Read one position.

    As every format's `read` (see `blunderlab.readers.formats`): the file's bytes and its path in, a `Draft` out, of one
    match of one unfinished game with one decision.

    Raises
    ------
    ReadError
        When there is no XGID that can be, or the text ends before its board does.
    """
    text = _decoded(data)
    found = _XGID.search(text)
    if not found:
        raise ReadError(
            path, "text", None, "no line begins with XGID=, so it is no position of XG or BGBlitz"
        )
    offset = max(data.find(b"XGID="), 0)
    try:
        position = parse(found[1])
    except ValueError as error:
        raise ReadError(path, "text", offset, f"{error}; {_AGAIN}") from error
    edges = list(_EDGE.finditer(text))
    if len(edges) < 2:
        raise ReadError(
            path, "text", len(data), f"the board does not end: it was cut short; {_AGAIN}"
        )
    for words, number in (("match length", position.match_length), ("score", position.score),
                          ("score", position.opponent_score)):  # fmt: skip
        if number > _LONGEST:
            raise ReadError(path, "text", offset, f"a {words} of {number}; {_AGAIN}")
    sha256 = hashlib.sha256(data).hexdigest()
    problems = Problems(path, "text", sha256[:16])
    if len(edges) > 2 or len(_XGID.findall(text)) > 1:
        problems.add(
            "more_positions", "several positions in one text: only the first is read", offset=offset
        )
    end = edges[2].start() if len(edges) > 2 else len(text)
    about = _about(text, found[1], position)

    rows, words = _row(position, about), Words()
    analysis = text[edges[1].end() : end]
    if rows.kind == [CHECKER]:
        options, equities = plays(analysis, rows, about, words, problems), np.full((1, 3), np.nan)
    else:
        options, equities = cube(analysis, rows, about, words, problems)
    match_id = sha256[:16]
    draft = replayed(
        rows, options, words, equities, about, match_id,
        games=game_columns([match_id], np.zeros(1, int), np.ones(1, int), about.scores.T, about.crawford),
        matches=of_rows("matches", [_match_row(about, position, path, sha256)]),
        problems=problems,
    )  # fmt: skip
    # An empty play is a dance elsewhere; here nothing was done.
    draft.decisions["played"] = columns.missing("str", 1)
    draft.decisions["n_legal"] = columns.integers([1], np.array([len(options.row) != 1]))
    return draft


@dataclass
class _About:
    """What the text says about the match; the attributes that `replayed` asks for."""

    tool: str
    version: str | None
    met: str | None
    players: list
    seat: int  # of who decides
    on_roll: str  # X or O, whoever is on roll
    length: int | None
    scores: np.ndarray  # (1, 2)
    crawford: np.ndarray
    rule: int
    sound = np.ones(1, bool)

    def rules(self):
        return np.array([self.rule])


def _about(text, xgid, position):
    last = _XG.search(text)
    names = _XG_NAMES.search(text)
    turn = int(xgid.split(":")[3])
    on_roll = "X" if turn == 1 else "O"  # X sits at the bottom
    if last or names:
        tool, version = "XG", last[1] if last else None
        met = "-".join(last[2].lower().split()) if last and last[2] else None
        sides, players = "XO", list(names.groups()) if names else ["", ""]
    else:
        tool, version, met = "BGBlitz", None, "bgblitz"
        sides = "OX"  # green, then red
        shown = (re.search(_BGBLITZ_NAME.format(side), text, re.MULTILINE) for side in sides)
        players = [one[1] if one else "" for one in shown]
    seat = sides.index(on_roll) ^ (position.offered and position.reply != "B")
    scores = [position.score, position.opponent_score]
    scores = np.array([scores if seat == 0 else scores[::-1]])
    length = position.match_length or None
    return _About(
        tool=tool, version=version, met=met, players=players, seat=seat, on_roll=on_roll, length=length,
        scores=scores, crawford=crawford_codes(*scores.T, length, [position.crawford], rule=False),
        rule=int(position.crawford) or position.jacoby + 2 * position.beaver,
    )  # fmt: skip


def _row(position, about):
    kind = CHECKER if position.dice else TAKE if position.offered else NO_DOUBLE
    one = {
        "offset": None, "game": 1, "kind": kind, "seat": about.seat, "points": position.points, "known": True,
        "dice": (position.dice or "00").encode(), "cube": position.cube.bit_length() - 1,
        "owner": {"centre": 0, "player": 1, "opponent": -1}[position.cube_owner], "answered": 0, "word": 0,
        "play": bytes(8), "illegal": False, "luck": np.nan, "note": None, "moves": None, "cubes": None,
    }  # fmt: skip
    return Rows(**{name: [value] for name, value in one.items()})


def _match_row(about, position, path, sha256):
    return {
        "match_id": sha256[:16], "path": str(path), "sha256": sha256, "format": "text", "tool": about.tool,
        "version": about.version, "player0": about.players[0], "player1": about.players[1], "length": about.length,
        "jacoby": position.jacoby, "beaver": position.beaver, "variant": "backgammon", "met": about.met,
    }  # fmt: skip


def _decoded(data):
    """The text, with one kind of line end and of colon."""
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("：", ":")
