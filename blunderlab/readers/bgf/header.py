"""What a BGBlitz match says of itself and of each game: who, how long, from which score, who won."""

import math
from datetime import date

import numpy as np

from blunderlab.backgammon.board import BAR, CHECKERS, SIZE, START
from blunderlab.backgammon.record.columns import game_columns
from blunderlab.backgammon.record.rows import LARGEST_CUBE
from blunderlab.backgammon.record.scores import crawford_codes
from blunderlab.readers.bgf.container import refuse
from blunderlab.tables.schema import CRAWFORD, ENDINGS

__all__ = ["GREEN", "MET", "RED", "Match", "note", "number", "whole"]

GREEN, RED = -1, 1  # as a move's `player` has them; green is seat 0
MET = "bgblitz"  # BGBlitz's own match equity table
_LONGEST = 32767  # what the columns of lengths and points hold
_POINTS = 24
_ENDED = {1: "single", 2: "gammon", 3: "backgammon"}
_SIDES = ("Green", "Red")


class Match:
    """The match header and its games.

    Parameters
    ----------
    header, document : dict
        As of `container.document`.
    path : str or Path
    problems : Problems

    Raises
    ------
    ReadError
        When there is no game, a length makes no sense or a side begins with more than 15 checkers.
    """

    def __init__(self, header, document, path, problems):
        self.path, self.problems = path, problems
        self.version = _text(header.get("version"))
        length = whole(document.get("matchlen"), 0, _LONGEST)
        if length is None:
            raise refuse(
                path, None, f"a match length of {document.get('matchlen')!r}: the match is damaged"
            )
        self.length = length or None
        games = document.get("games")
        if not isinstance(games, list) or not games or not all(isinstance(g, dict) for g in games):
            raise refuse(path, None, "the match has no games: save it again with BGBlitz")
        if len(games) > _LONGEST:
            raise refuse(path, None, f"{len(games)} games in one match; the tables hold {_LONGEST}")
        self.games = games
        self._document = document
        self.players = [_text(document.get(f"name{side}")) or "" for side in _SIDES]
        self.cubeless = document.get("useCube") is False
        self.jacoby, self.beaver = (
            self.length is None and document.get(rule) is True
            for rule in ("useJacoby", "useBeaver")
        )
        self._said = [
            self.length is not None or isinstance(document.get(r), bool)
            for r in ("useJacoby", "useBeaver")
        ]
        if (count := whole(document.get("count"), 0)) is not None and count != len(games):
            problems.add(
                "game_missing",
                f"the match is said to have {count} games, and {len(games)} are there",
            )
        self._read_scores()
        self.crawford = self._crawford()
        self.starts = [self._start(i) for i in range(len(games))]
        self.winner, self.points, self.ended = self._results()

    # -- scores -------------------------------------------------------------------------------

    def _read_scores(self):
        """Set `scores`, shape (games, 2), at the start of each game; `sound`, where they can be; `final`."""
        limit = _LONGEST if self.length is None else self.length - 1
        written = [[whole(g.get(f"score{side}"), 0, limit) for side in _SIDES] for g in self.games]
        self.sound = np.array([None not in pair for pair in written])
        for i in np.flatnonzero(~self.sound):
            self.problems.add("bad_score", "a score that this match cannot have: the game's decisions have none",
                              game=int(i) + 1)  # fmt: skip
        self.scores = np.array([[0 if s is None else s for s in pair] for pair in written])
        final = [whole(self._document.get(f"final{side}"), 0, _LONGEST) for side in _SIDES]
        self.final = None if None in final else final

    def _crawford(self):
        """Codes of the games: by the file's mark, else (the rule being on) the first with just one side 1 away.

        A match that begins there without the mark may as well begin after that game.
        """
        flagged = [g.get("isCrawford") is True for g in self.games]
        marks = any("isCrawford" in g for g in self.games)
        begins_there = marks and (self.scores[0] == (self.length or 0) - 1).any()
        rule = self._document.get("useCrawford") is True and not begins_there
        return crawford_codes(*self.scores.T, self.length, flagged, rule)

    def _results(self):
        """Winner (seat or -1), points (or -1) and how it ended so far as the header knows (or None), of each game.

        The score that follows decides: of the next game, and of the match after the last. `wonPoints` is 0 in the
        last game of a money session, and above what the match took of it in the last of a match.
        """
        n = len(self.games)
        winner, points, ended = np.full(n, -1), np.full(n, -1), [None] * n
        after = [*self.scores[1:].tolist(), self.final]
        usable = [*self.sound[1:], self.final is not None]
        for i, game in enumerate(self.games):
            won = whole(game.get("wonPoints"), 0, _LONGEST) or 0
            if game.get("wasForfeit") is True:
                ended[i] = "abandoned"
            elif game.get("lostOnTime") is True:
                ended[i] = "time"
            elif game.get("wasResignation") is True:
                ended[i] = "resigned"
            if not (self.sound[i] and usable[i]):
                continue
            gain = np.subtract(after[i], self.scores[i])
            if (gain == 0).all():
                if i < n - 1 or (won and ended[i] is None):
                    self.problems.add(
                        "bad_result",
                        "the score does not change: the game has no result",
                        game=i + 1,
                    )
            elif gain.min() == 0:
                winner[i], points[i] = int(gain.argmax()), int(gain.max())
                capped = (
                    self.length is not None
                    and after[i][winner[i]] == self.length
                    and won > points[i]
                )
                if won and won != points[i] and not capped:
                    self.problems.add("bad_result", f"{won} points are written and the score rises by {points[i]}: "
                                      "the score is believed", game=i + 1)  # fmt: skip
            else:
                self.problems.add("game_missing", "the score after this game is not one that it can lead to: "
                                  "it has no result", game=i + 1)  # fmt: skip
        return winner, points, ended

    def settle(self, ends):
        """Complete the results with how each game was seen to end.

        Parameters
        ----------
        ends : list of rows.End
        """
        for i, end in enumerate(ends):
            if self.ended[i] == "abandoned":
                self._forfeit(i, end)
            if self.winner[i] < 0:
                self.ended[i] = None
            elif self.ended[i] in (None, "resigned"):
                won = whole(self.games[i].get("wonPoints"), 1, _LONGEST) or int(self.points[i])
                word = _ENDED.get(max(won, int(self.points[i])) / (1 << end.cube))
                if end.passed:
                    self.ended[i] = "pass"
                elif end.borne_off and self.ended[i] is None:
                    self.ended[i] = word or "other"
                else:
                    self.ended[i] = f"resigned {word}" if word else "resigned"

    def _forfeit(self, i, end):
        """A forfeit gives the other side what it needs; in money play one game at the cube."""
        if self.winner[i] < 0 and end.winner is not None:
            self.winner[i] = end.winner
            self.points[i] = (
                1 << end.cube if self.length is None else self.length - self.scores[i, end.winner]
            )
            if i == len(self.games) - 1:
                self.final = self.scores[i].tolist()
                self.final[end.winner] += int(self.points[i])

    # -- games --------------------------------------------------------------------------------

    def _start(self, i):
        """Board as green sees it, log2 of the cube and its owner's seat (None: the centre)."""
        initial = self.games[i].get("initial")
        if not isinstance(initial, dict):
            return START, 0, None
        cube = whole(initial.get("cube"), 1) or 1
        owner = {GREEN: 0, RED: 1}.get(whole(initial.get("cubeOwner"), GREEN, RED))
        return (
            self._board(initial.get("points"), i),
            min(cube.bit_length() - 1, LARGEST_CUBE),
            owner,
        )

    def _board(self, points, i):
        if points is None:
            return START
        ok = isinstance(points, list) and len(points) >= SIZE
        counts = [whole(p, -99, 99) for p in points[:SIZE]] if ok else [None]
        if None in counts:
            self.problems.add(
                "bad_record", "its first board cannot be read: the usual one is taken", game=i + 1
            )
            return START
        # Points are numbered as red counts them, green's checkers positive; then the two bars.
        board = np.zeros(SIZE, np.int64)
        board[1:BAR] = counts[:_POINTS][::-1]
        board[BAR], board[0] = abs(counts[_POINTS]), -abs(counts[_POINTS + 1])
        if board.clip(min=0).sum() > CHECKERS or board.clip(max=0).sum() < -CHECKERS:
            raise refuse(
                self.path, None, f"a side has more than {CHECKERS} checkers (game {i + 1}, move 1)"
            )
        return board.astype(np.int8)

    def rules(self):
        """The XGID's rule field of each game: 1 in the Crawford game, for money Jacoby + 2 · beaver."""
        if self.length is None:
            return np.full(len(self.games), self.jacoby + 2 * self.beaver)
        return self.crawford == CRAWFORD.index("crawford")

    # -- tables -------------------------------------------------------------------------------

    def game_columns(self, match_id):
        """The columns of `games`."""
        n = len(self.games)
        ended = [-1 if word is None else ENDINGS.index(word) for word in self.ended]
        return game_columns(
            [match_id], np.zeros(n, int), np.arange(1, n + 1), self.scores.T, self.crawford, self.winner, self.points,
            ended,
        )  # fmt: skip

    def match_row(self, path, sha256, match_id):
        """The row of `matches`."""
        about = self._document
        mode = whole(about.get("gameMode"))
        ratings = [number(about.get(f"rating{side}")) for side in _SIDES]
        winner = self._match_winner()
        rules = zip((self.jacoby, self.beaver), self._said, strict=True)
        jacoby, beaver = (rule if said else None for rule, said in rules)
        return {
            "match_id": match_id, "path": str(path), "sha256": sha256, "format": "bgf",
            "tool": "BGBlitz", "version": self.version, "player0": self.players[0], "player1": self.players[1],
            **{f"rating{seat}": r if r and math.isfinite(r) else None for seat, r in enumerate(ratings)},
            "length": self.length, "jacoby": jacoby, "beaver": beaver,
            "variant": f"mode {mode}" if mode else "backgammon", "date": _date(_text(about.get("date")) or ""),
            "event": _text(about.get("event")), "round": _text(about.get("round")),
            "result": None if self.final is None else f"{self.final[0]}-{self.final[1]}",
            "winner": None if winner < 0 else winner, "met": MET,
        }  # fmt: skip

    def _match_winner(self):
        if self.winner[-1] < 0 or self.final is None or self.final[0] == self.final[1]:
            return -1
        if self.length is not None and min(self.final) >= self.length:
            self.problems.add(
                "bad_result", "both sides reached the length of the match: it has no winner"
            )
            return -1
        ahead = int(self.final[1] > self.final[0])
        return ahead if self.length is None or self.final[ahead] >= self.length else -1


def whole(value, low=None, high=None):
    """A whole number within limits, or None."""
    if (
        type(value) is not int
        or (low is not None and value < low)
        or (high is not None and value > high)
    ):
        return None
    return value


def number(value):
    """A number, which BGBlitz writes as text; NaN where there is none.

    Examples
    --------
    >>> number("-0.25000000"), number(3), number(None)
    (-0.25, 3.0, nan)
    """
    if type(value) not in (str, int, float):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def _text(value):
    """A text that is not empty, or None; half a surrogate pair, which JSON can hold, becomes a question mark."""
    return (
        value.encode("utf-8", "replace").decode("utf-8") or None if isinstance(value, str) else None
    )


def note(value):
    """A comment without the space around it, or None."""
    return _text(value.strip()) if isinstance(value, str) else None


def _date(written):
    try:
        year, month, day = map(int, written.replace("-", ".").split("."))
        return date(year, month, day).isoformat()
    except ValueError:
        return None
