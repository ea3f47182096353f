"""XG's match and game headers and footers: who, how long, which score, who won."""

from datetime import datetime, timedelta

import numpy as np

from blunderlab.backgammon.record.columns import game_columns
from blunderlab.backgammon.record.scores import crawford_codes
from blunderlab.errors import ReadError
from blunderlab.readers.xg import records as layout
from blunderlab.tables.schema import CRAWFORD, ENDINGS

__all__ = ["Match", "columns_of_games", "games", "match_row"]

_UNICODE_SINCE = 24  # older versions have no UTF-16 names
_VARIATIONS = {0: "backgammon", 1: "nackgammon", 2: "hypergammon", 3: "longgammon"}
_EPOCH = datetime(1899, 12, 30)  # Delphi's day 0
_DAYS = (1, 2_958_465)  # up to the year 9999
_LONGEST = 32767  # what the length column holds
_SETTLED = 1000  # and above: how the game ended by agreement
_ENDED = {
    0: "pass", 1: "single", 2: "gammon", 3: "backgammon", 100: "resigned", 101: "resigned single",
    102: "resigned gammon", 103: "resigned backgammon", 104: "resigned",
}  # fmt: skip


class Match:
    """What the match header says.

    `length` is None for money; `rules` is the XGID's Jacoby + 2 · beaver, 0 in a match.
    """

    def __init__(self, record, path):
        length = int(record["length"])
        if length != layout.UNLIMITED and not 1 <= length <= _LONGEST:
            raise ReadError(path, "xg", 92, f"a match length of {length}: the header is damaged")
        self.length = None if length == layout.UNLIMITED else length
        self.crawford = bool(record["crawford"])
        self.jacoby = self.length is None and bool(record["jacoby"])
        self.beaver = self.length is None and bool(record["beaver"])
        self.rules = int(self.jacoby) + 2 * int(self.beaver)
        self.version = int(record["version"])
        self.variant = _VARIATIONS.get(int(record["variation"]), f"variation {record['variation']}")
        self.date = _date(float(record["date"]))
        self.ratings = [float(record["rating0"]), float(record["rating1"])]
        if self.version >= _UNICODE_SINCE:
            self.players = [_utf16(record["player0"]), _utf16(record["player1"])]
            self.event, self.round = _utf16(record["event"]), _utf16(record["round"])
        else:
            self.players = [_pascal(record["ansi_player0"]), _pascal(record["ansi_player1"])]
            self.event = self.round = ""


def games(raw, kinds, game_of, match, problems):
    """Collect the games.

    Returns
    -------
    dict of ndarray, one entry a game
        score0, score1, crawford (code), winner (seat or -1), points, end (termination or -1),
        final0, final1 (scores after it, -1 unknown).
    """
    game_at = np.flatnonzero(kinds == layout.GAME)
    head = raw[game_at].view(layout.GAME_RECORD)
    n = len(head)
    if n > _LONGEST:
        raise ReadError(
            problems.path, "xg", None, f"{n} games in one match; the tables hold {_LONGEST}"
        )
    if not n:
        raise ReadError(problems.path, "xg", layout.RECORD_SIZE,
                        "the match has no game: it was cut short (offset in the unpacked temp.xg)")  # fmt: skip
    found = {
        "score0": head["score0"].astype(np.int64),
        "score1": head["score1"].astype(np.int64),
        "winner": np.full(n, -1), "points": np.full(n, -1), "end": np.full(n, -1),
        "final0": np.full(n, -1), "final1": np.full(n, -1),
    }  # fmt: skip
    end_at = np.flatnonzero(kinds == layout.GAME_END)
    for record, end in zip(end_at, raw[end_at].view(layout.GAME_END_RECORD), strict=True):
        game = game_of[record] - 1
        impossible = game < 0 or abs(int(end["winner"])) != 1 or not 0 <= end["points"] <= _LONGEST
        if impossible or found["winner"][game] >= 0:
            problems.add("bad_record", "a game's end that no game has, or a second one: left out",
                         game=int(game) + 1 or None, offset=int(record) * layout.RECORD_SIZE)  # fmt: skip
            continue
        found["winner"][game] = 0 if end["winner"] == 1 else 1
        found["points"][game] = end["points"]
        found["end"][game] = end["termination"]
        found["final0"][game], found["final1"][game] = end["score0"], end["score1"]
    _check(found, head["number"], match, problems, game_at)
    _check_ends(raw, kinds, found, match, problems, end_at)
    flagged = head["crawford"] != 0
    # A record that begins at such a score and bears no flag began after the Crawford game.
    began = match.length is not None and match.length - 1 in (
        found["score0"][0],
        found["score1"][0],
    )
    found["crawford"] = crawford_codes(
        found["score0"],
        found["score1"],
        match.length,
        flagged,
        rule=match.crawford and not began,
    )
    named = found["crawford"] == CRAWFORD.index("crawford")
    for game in np.flatnonzero(named != flagged):
        problems.add(
            "bad_rules",
            "the file's Crawford flag does not fit the scores: the scores decide",
            game=int(game) + 1,
            offset=int(game_at[game]) * layout.RECORD_SIZE,
        )
    return found


def columns_of_games(many):
    """The columns of `games` of several matches: pairs of what `games` found and a match_id."""
    sizes = [len(found["score0"]) for found, _ in many]
    every = {name: np.concatenate([found[name] for found, _ in many]) for name in many[0][0]}
    ended = [
        -1 if e < 0 else ENDINGS.index("settled" if e >= _SETTLED else _ENDED.get(int(e), "other"))
        for e in every["end"]
    ]
    return game_columns(
        [m for _, m in many],
        np.repeat(np.arange(len(many)), sizes),
        np.concatenate([np.arange(1, size + 1) for size in sizes]),
        (every["score0"], every["score1"]),
        every["crawford"],
        every["winner"],
        every["points"],
        ended,
    )


def match_row(match, found, path, sha256, met):
    """The row of `matches`."""
    final = [int(found["final0"][-1]), int(found["final1"][-1])]
    winner = None
    if final[0] >= 0 and final[0] != final[1]:
        ahead = int(final[1] > final[0])
        if match.length is None or final[1 - ahead] < match.length <= final[ahead]:
            winner = ahead
    ratings = [rating if np.isfinite(rating) else None for rating in match.ratings]
    return {
        "match_id": sha256[:16], "path": path, "sha256": sha256, "format": "xg", "tool": "XG",
        "version": str(match.version), "player0": match.players[0], "player1": match.players[1],
        "rating0": ratings[0], "rating1": ratings[1], "length": match.length, "jacoby": match.jacoby,
        "beaver": match.beaver, "variant": match.variant, "date": match.date, "event": match.event or None,
        "round": match.round or None, "met": met,
        "result": None if final[0] < 0 else f"{final[0]}-{final[1]}", "winner": winner,
    }  # fmt: skip


def _check(found, number, match, problems, game_at):
    """Scores must be possible and each game must begin where the one before ended."""
    limit = _LONGEST if match.length is None else match.length - 1
    for game, (one, two) in enumerate(zip(found["score0"], found["score1"], strict=True)):
        if not (0 <= one <= limit and 0 <= two <= limit):
            problems.add("bad_score", f"the game begins at {one}-{two}: its decisions have no score",
                         game=game + 1, offset=int(game_at[game]) * layout.RECORD_SIZE)  # fmt: skip
    found["sound"] = (np.minimum(found["score0"], found["score1"]) >= 0) & (
        np.maximum(found["score0"], found["score1"]) <= limit
    )
    for name in ("score0", "score1"):
        found[name] = np.clip(found[name], 0, _LONGEST)
    ended = found["final0"][:-1] >= 0
    gap = ended & (
        (found["final0"][:-1] != found["score0"][1:])
        | (found["final1"][:-1] != found["score1"][1:])
    )
    gap |= ~ended | (np.diff(number) != 1)
    for game in np.flatnonzero(gap):
        problems.add("game_missing", "the game does not begin where the one before ended",
                     game=int(game) + 2, offset=int(game_at[game + 1]) * layout.RECORD_SIZE)  # fmt: skip


def _check_ends(raw, kinds, found, match, problems, end_at):
    """Points must lead from one score to the next, and the match's end must say what its last game says."""
    for seat in (0, 1):
        won = np.where(found["winner"] == seat, found["points"], 0)
        off = (found["winner"] >= 0) & (found[f"score{seat}"] + won != found[f"final{seat}"])
        for game in np.flatnonzero(off):
            problems.add(
                "bad_score",
                f"the points of the game do not lead to the score after it for seat {seat}",
                game=int(game) + 1,
            )
    last = [int(found["final0"][-1]), int(found["final1"][-1])]
    if match.length is not None and min(last) >= match.length:
        problems.add("bad_score", f"both sides have won at {last[0]}-{last[1]}: there is no winner")
    feet = np.flatnonzero(kinds == layout.MATCH_END)
    for record in feet:
        foot = raw[record : record + 1].view(layout.MATCH_END_RECORD)[0]
        if [foot["score0"], foot["score1"]] != last:
            problems.add(
                "game_missing",
                f"the match ended {foot['score0']}-{foot['score1']}, its last game here {last[0]}-{last[1]}",
                offset=int(record) * layout.RECORD_SIZE,
            )
    for extra in [*np.flatnonzero(kinds == layout.MATCH)[1:], *feet[1:]]:
        problems.add("bad_record", "a second beginning or end of the match: left out",
                     offset=int(extra) * layout.RECORD_SIZE)  # fmt: skip


def _utf16(units):
    end = np.flatnonzero(units == 0)
    return units[: end[0] if len(end) else len(units)].tobytes().decode("utf-16-le", "replace")


def _pascal(data):
    return data[1 : 1 + int(data[0])].tobytes().decode("cp1252", "replace")


def _date(days):
    if not _DAYS[0] <= days <= _DAYS[1]:
        return None
    moment = _EPOCH + timedelta(seconds=round(days * 86400))
    return moment.isoformat() if moment.time() != datetime.min.time() else moment.date().isoformat()
