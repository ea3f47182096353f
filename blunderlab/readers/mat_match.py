"""What a transcription says of its match: header, scores, who won which game by how much, and who the match."""

import re
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from blunderlab import columns
from blunderlab.backgammon.board import BAR, START
from blunderlab.backgammon.scores import crawford_codes
from blunderlab.errors import ReadError
from blunderlab.tables import CRAWFORD, ENDINGS, SCHEMA, frame

__all__ = ["Match"]

_LONGEST = 32767  # what the columns of lengths, scores and points hold
_GAME_DTYPE = {c.name: c.pandas for c in SCHEMA["games"]}
_TIMES = {1: "single", 2: "gammon", 3: "backgammon"}
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


@dataclass
class _Result:
    """Who won a game (-1 nobody), how many points (-1 unknown), and how (-1 unfinished)."""

    winner: int = -1
    points: int = -1
    ended: int = -1


class Match:
    """The match around its games.

    Parameters
    ----------
    written : mat_lines.Transcript
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
            raise ReadError(path, "mat", None, f"a match to {written.length} points: the header is damaged")
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
            self.problems.add("variant", f"'{self.variant}' is not known: its rows have no positions")
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
                game.names = first or (self.headers.get("player 1", ""), self.headers.get("player 2", ""))
            found = [_NAME_WITH_RATING.fullmatch(name) for name in game.names]
            if all(found):
                game.names = tuple(one[1] for one in found)
                self.ratings = [float(one[2]) for one in found]
            first = first or game.names
            if game.names != first and game.names == first[::-1]:
                game.names, game.scores = first, game.scores and game.scores[::-1]
                for item in game.items:
                    item.seat = 1 - item.seat
            elif game.names != first:
                self._problem("names_differ", f"'{game.names[0]}' and '{game.names[1]}' were called otherwise before", i)
        self.players = first
        # "Player 1" of a header may be the right column: the names over the columns decide, where they say so.
        named = [self.headers.get(f"player {n}") for n in (1, 2)]
        swapped = first[0] != first[1] and (named[0] == first[1] or named[1] == first[0])
        for seat in (0, 1):
            rating = _RATING.match(self.headers.get(f"player {(seat ^ swapped) + 1} elo", ""))
            if rating:
                self.ratings[seat] = float(rating[0].replace(",", "."))

    # -- scores and results -------------------------------------------------------------------

    def _take_scores(self):
        """Scores at the start of the games, as written; `sound` where the match can have them."""
        before = (0, 0)
        limit = _LONGEST if self.length is None else self.length - 1
        self.sound = np.ones(len(self.games), bool)
        for i, game in enumerate(self.games):
            self.sound[i] = game.scores is None or max(game.scores) <= limit
            if game.scores is None:
                self._problem("no_score", "no line of scores: taken from the game before", i)
                game.scores = before
            if not self.sound[i]:
                self._problem("bad_score", f"{game.scores[0]}-{game.scores[1]} is no score of this match: the game's decisions have none", i)
                game.scores = tuple(min(s, _LONGEST) for s in game.scores)
            if i and game.number != self.games[i - 1].number + 1:
                self._problem("game_missing", f"game {game.number} follows game {self.games[i - 1].number}", i)
            before = game.scores
        self.scores = np.array([game.scores for game in self.games])

    def settle(self, ends):
        """Decide who won each game, from what is written, what was played and the score of the next game.

        Parameters
        ----------
        ends : list of mat_game.End
        """
        self.results = [self._result(i, end) for i, end in enumerate(ends)]
        if any(self.scores[0]):
            self._problem("score_gap", "the first game does not begin at 0-0", 0)
        for i, game in enumerate(self.games[1:], 1):
            reached = self._after(i - 1)
            if reached is None or reached != list(game.scores):
                shown = "an unknown score" if reached is None else f"{reached[0]}-{reached[1]}"
                self._problem("score_gap", f"the game begins at {game.scores[0]}-{game.scores[1]} after {shown}: the line of scores is believed", i)
        self._look_for_a_cut()

    def _result(self, i, end):
        written = [item for item in self.games[i].items if item.kind in ("wins", "losses")]
        seats = [item.seat ^ (item.kind == "losses") for item in written]
        points = next((item.value for item in written if item.value is not None), None)
        gained = self._gained(i)
        column = seats[0] if seats else None
        votes = [seat for seat in (gained and gained[0], end.winner, column) if seat is not None]
        if not votes:
            return _Result()
        winner = max(votes, key=votes.count)  # the first where each has one
        if column is None:
            self._problem("no_end", "no line says who won: taken from what was played and the next score", i)
        elif len({winner, *seats}) > 1:
            self._problem("winner_differs", "the winner's column, what was played and the next score do not agree: two of three are believed", i)
        if points is None:
            points = self._worth(i, end, gained, winner)
        return self._checked(_Result(winner, points, 0), i, end)

    def _gained(self, i):
        """(seat, points) where the next line of scores shows one side's gain, else None."""
        if i + 1 >= len(self.games):
            return None
        gain = self.scores[i + 1] - self.scores[i]
        if (gain > 0).sum() != 1 or (gain < 0).any():
            return None
        return int(gain.argmax()), int(gain.max())

    def _worth(self, i, end, gained, winner):
        """Points of a game that no line gives any; -1 unknown."""
        if gained:
            return gained[1]
        if end.how in ("forfeits", "time"):
            # A match is forfeited as a whole, a game for money as a single one.
            return 1 << end.cube if self.length is None else max(self.length - self.games[i].scores[winner], 1)
        if end.how == "pass":
            return 1 << end.cube
        if end.how == "borne off" and end.times and (end.times == 1 or not self._jacoby_applies(end)):
            return end.times << end.cube
        return -1

    def _jacoby_applies(self, end):
        """A gammon may count as a single game: money, an unturned cube, and the rule on or not known."""
        return self.length is None and end.cube == 0 and self.jacoby is not False

    def _checked(self, result, i, end):
        """The result with how the game ended, and a note where the points cannot be."""
        cube, points = 1 << end.cube, result.points
        times = points / cube
        if points >= 0:
            possible = times == 1 if end.how == "pass" else times in _TIMES
            if end.how == "borne off" and end.times and end.known:
                possible = times == end.times or (times == 1 and self._jacoby_applies(end))
            # Some servers write no more points than the winner still needs.
            capped = self.length is not None and points == self.length - self.games[i].scores[result.winner]
            if not (possible or capped and points <= max(_TIMES) * cube):
                self._problem("bad_points", f"{points} points, with the cube at {cube}: kept as written", i)
            if points > _LONGEST:
                result.points = -1
        if end.how in ("forfeits", "time"):
            ended = "abandoned" if end.how == "forfeits" else "time"
        elif end.how == "borne off" and end.times and end.known:
            ended = _TIMES[end.times]
        elif end.how == "resigned" or (end.how is None and end.known):
            ended = f"resigned {_TIMES[times]}" if times in _TIMES else "resigned"
        else:
            ended = "pass" if end.how == "pass" else _TIMES.get(times, "other")
        result.ended = ENDINGS.index(ended)
        return result

    def _after(self, i):
        """Points of both seats after a game; None while they are not known."""
        result = self.results[i]
        if result.winner < 0 or result.points < 0:
            return None
        return [int(s) + result.points * (seat == result.winner) for seat, s in enumerate(self.scores[i])]

    def _look_for_a_cut(self):
        """A match that is not over must not look as if it were."""
        last = self.games[-1]
        if self.results[-1].winner < 0:
            self.problems.add("cut_short", "the last game has no end: an unfinished match, or a file that was cut short",
                              game=len(self.games), offset=self.size)  # fmt: skip
        elif self.length is not None and not self._is_won():
            final = self._after(-1)
            shown = f"ends at {final[0]}-{final[1]}" if final else "has no final score"
            self.problems.add("unfinished", f"a match to {self.length} that {shown}: unfinished, or a file that was cut short",
                              game=len(self.games), offset=last.offset)  # fmt: skip

    def _is_won(self):
        final = self._after(-1)
        return final is not None and max(final) >= self.length

    def _problem(self, code, message, i):
        self.problems.add(code, message, game=i + 1, offset=self.games[i].offset)

    # -- tables -------------------------------------------------------------------------------

    def games_frame(self, match_id):
        """The `games` table."""
        n = len(self.games)
        winner, points, ended = np.array([(r.winner, r.points, r.ended) for r in self.results]).T
        return frame(
            "games",
            {
                "match_id": columns.repeat(match_id, n),
                "game": columns.integers(np.arange(1, n + 1)),
                "score0": columns.integers(self.scores[:, 0]),
                "score1": columns.integers(self.scores[:, 1]),
                "crawford": columns.category(self.crawford, _GAME_DTYPE["crawford"]),
                "winner": columns.integers(winner, winner < 0),
                "points": columns.integers(points, points < 0),
                "ended": columns.category(ended.astype(np.int8), _GAME_DTYPE["ended"]),
            },
            n,
        )

    def frame(self, path, sha256, match_id):
        """The `matches` table, one row."""
        final = self._after(-1)
        winner = -1
        if final and final[0] != final[1]:
            ahead = int(final[1] > final[0])
            # Both at the length is no match that anybody played.
            if self.length is None or final[ahead] >= self.length > final[1 - ahead]:
                winner = ahead
        header = self.headers.get
        # XG, which alone names a transcriber, puts the place into Site; servers and other programs themselves.
        one = {
            "match_id": match_id, "path": str(path), "sha256": sha256, "format": "mat",
            "tool": None if "transcriber" in self.headers else header("site") or None,
            "player0": self.players[0], "player1": self.players[1], "variant": self.variant,
            "date": _date(header("eventdate") or header("date", ""), header("eventtime") or header("time", "")),
            "event": header("event") or None, "round": header("round") or None,
            "time_control": header("clocktype") or None, "result": f"{final[0]}-{final[1]}" if final else None,
        }  # fmt: skip
        data = {name: columns.repeat(value, 1) for name, value in one.items()}
        for seat, rating in enumerate(self.ratings):
            data[f"rating{seat}"] = np.array([rating])
        data["length"] = columns.integers([self.length or 0], np.array([self.length is None]))
        data["winner"] = columns.integers([winner], np.array([winner < 0]))
        for rule in ("jacoby", "beaver"):
            value = getattr(self, rule)
            data[rule] = columns.flags([bool(value)], np.array([value is None]))
        return frame("matches", data, 1)


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
        date = date.replace(hour=int(clock[1]), minute=int(clock[2]), second=int(clock[3] or 0)) if clock else date
    except ValueError:
        clock = None
    return date.isoformat() if clock else date.date().isoformat()
