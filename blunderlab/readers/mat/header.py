"""What a transcription says of its match: the header, the names over the columns, the scores."""

import re
from datetime import datetime

import numpy as np

from blunderlab.backgammon.board import BAR, START
from blunderlab.backgammon.record.scores import crawford_codes
from blunderlab.errors import ReadError
from blunderlab.tables.schema import CRAWFORD

__all__ = ["Match"]

_LONGEST = 32767  # what the columns of lengths, scores and points hold
_DATE = re.compile(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})")
_TIME = re.compile(r"(\d{1,2})[.:](\d\d)(?:[.:](\d\d))?")
_RATING = re.compile(r"-?\d+(?:[.,]\d+)?")
_NAME_WITH_RATING = re.compile(r"(.*\S)\s*,\s*(\d{3,4}(?:\.\d+)?)")  # GridGammon
_VARIANTS = {
    "": "backgammon", "standard": "backgammon", "backgammon": "backgammon", "nackgammon": "nackgammon",
    "hypergammon1": "hypergammon 1", "hypergammon2": "hypergammon 2", "hypergammon3": "hypergammon",
    "hypergammon": "hypergammon",
}  # fmt: skip
_STARTS = {
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, "hypergammon 1": {24: 1}, "hypergammon 2": {24: 1, 23: 1},
    "hypergammon": {24: 1, 23: 1, 22: 1},
}  # fmt: skip


class Match:
    """The match around its games.

    Parameters
    ----------
    written : lines.Transcript
    path : str or Path
    problems : Problems

    Raises
    ------
    ReadError
        When the match length is none.
    """

    def __init__(self, written, path, problems):
        self.problems, self.path, self.size = problems, path, written.size
        if written.length > _LONGEST:
            raise ReadError(
                path, "mat", None, f"a match to {written.length} points: the header is damaged"
            )
        self.length = written.length or None
        self.headers, self.games = written.headers, written.games
        self.ratings = [np.nan, np.nan]
        self._take_names()
        variant = self.headers.get("variation", "").lower()
        self.variant = _VARIANTS.get(re.sub(r"\W", "", variant), variant)
        self._take_scores()
        self.crawford = crawford_codes(
            *self.scores.T, self.length, np.zeros(len(self.games), bool),
            rule=self.headers.get("crawford", "").lower() != "off",
        )  # fmt: skip

    # -- the header ---------------------------------------------------------------------------

    @property
    def start(self):
        """The board at the start, the same for both seats, as bytes; None for a variant that is not known."""
        if self.variant == "backgammon":
            return START.tobytes()
        if self.variant not in _STARTS:
            self.problems.add(
                "variant", f"'{self.variant}' is not known: its rows have no positions"
            )
            return None
        board = np.zeros_like(START)
        for point, checkers in _STARTS[self.variant].items():
            board[point] += checkers
            board[BAR - point] -= checkers
        return board.tobytes()

    @property
    def jacoby(self):
        """True, False, or None where a money session does not say."""
        return self._rule("jacoby")

    @property
    def beaver(self):
        """True, False, or None where a money session does not say."""
        return self._rule("beaver")

    def rules(self):
        """The XGID's rule field of each game: 1 in the Crawford game, for money Jacoby + 2 · beaver."""
        if self.length is None:
            return np.full(len(self.games), bool(self.jacoby) + 2 * bool(self.beaver))
        return self.crawford == CRAWFORD.index("crawford")

    def _rule(self, name):
        if self.length is not None:
            return False
        return {"on": True, "off": False}.get(self.headers.get(name, "").lower())

    def _take_names(self):
        """Names of the seats, game by game: two columns that change places keep their seats."""
        first = None
        for i, game in enumerate(self.games):
            if game.names is None:
                game.names = first or (
                    self.headers.get("player 1", ""),
                    self.headers.get("player 2", ""),
                )
            found = [_NAME_WITH_RATING.fullmatch(name) for name in game.names]
            if all(found):
                game.names = tuple(one[1] for one in found)
                self.ratings = [float(one[2]) for one in found]
            first = first or game.names
            if game.names != first and game.names == first[::-1]:
                game.names, game.scores, game.left = first, game.scores and game.scores[::-1], 1
                for item in game.items:
                    item.seat = 1 - item.seat
            elif game.names != first:
                shown = "' and '".join(game.names)
                self.problem("names_differ", f"'{shown}' were called otherwise before", i)
        self.players = first
        # "Player 1" of a header may be the right column: the names over the columns decide, where they say so.
        named = [self.headers.get(f"player {n}") for n in (1, 2)]
        swapped = first[0] != first[1] and (named[0] == first[1] or named[1] == first[0])
        for seat in (0, 1):
            rating = _RATING.match(self.headers.get(f"player {(seat ^ swapped) + 1} elo", ""))
            if rating:
                self.ratings[seat] = float(rating[0].replace(",", "."))

    def _take_scores(self):
        """Scores at the start of the games, as written; `sound` where the match can have them."""
        before = (0, 0)
        limit = _LONGEST if self.length is None else self.length - 1
        self.sound = np.ones(len(self.games), bool)
        for i, game in enumerate(self.games):
            if game.scores is None:
                self.problem("no_score", "no line of scores: taken from the game before", i)
                game.scores = before
            self.sound[i] = max(game.scores) <= limit
            if not self.sound[i]:
                shown = f"{game.scores[0]}-{game.scores[1]}"
                self.problem(
                    "bad_score",
                    f"{shown} is no score of this match: the game's decisions have none",
                    i,
                )
                game.scores = tuple(min(s, _LONGEST) for s in game.scores)
            if i and game.number != self.games[i - 1].number + 1:
                self.problem(
                    "game_missing", f"game {game.number} follows game {self.games[i - 1].number}", i
                )
            before = game.scores
        self.scores = np.array([game.scores for game in self.games])

    def problem(self, code, message, i):
        """Note trouble with a game."""
        self.problems.add(code, message, game=i + 1, offset=self.games[i].offset)

    # -- tables --------------------------------------------------------------------------------

    def match_row(self, path, sha256, match_id, results):
        """The row of `matches`."""
        final, winner = results.after(-1), results.winner
        header = self.headers.get
        ratings = [None if np.isnan(rating) else rating for rating in self.ratings]
        # XG, which alone names a transcriber, puts the place into Site; servers and other programs themselves.
        return {
            "match_id": match_id, "path": str(path), "sha256": sha256, "format": "mat",
            "tool": None if "transcriber" in self.headers else header("site") or None,
            "player0": self.players[0], "player1": self.players[1], "rating0": ratings[0], "rating1": ratings[1],
            "length": self.length, "jacoby": self.jacoby, "beaver": self.beaver, "variant": self.variant,
            "date": _date(header("eventdate") or header("date", ""), header("eventtime") or header("time", "")),
            "event": header("event") or None, "round": header("round") or None,
            "time_control": header("clocktype") or None, "result": f"{final[0]}-{final[1]}" if final else None,
            "winner": None if winner < 0 else winner,
        }  # fmt: skip


def _date(day, time):
    """ISO 8601 where the calendar has it; the time as written, in the time zone of the place."""
    found = _DATE.match(day)
    if not found:
        return None
    clock = _TIME.fullmatch(time.strip())
    try:
        date = datetime(*(int(n) for n in found.groups()))
    except ValueError:
        return None
    try:
        date = (
            date.replace(hour=int(clock[1]), minute=int(clock[2]), second=int(clock[3] or 0))
            if clock
            else date
        )
    except ValueError:
        clock = None
    return date.isoformat() if clock else date.date().isoformat()
