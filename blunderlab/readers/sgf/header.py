"""The first node of each game of a gnuBG file: who plays for what, from which score, and who won."""

import codecs
import re
from dataclasses import dataclass
from datetime import date

import numpy as np

from blunderlab.backgammon.board import BAR, START
from blunderlab.backgammon.record.columns import game_columns
from blunderlab.backgammon.record.rows import LARGEST_CUBE
from blunderlab.backgammon.record.scores import crawford_codes
from blunderlab.errors import ReadError
from blunderlab.readers.sgf.tree import first, text
from blunderlab.tables.schema import CRAWFORD, ENDINGS

__all__ = ["Game", "Match"]

_LONGEST = 32767  # what the columns of lengths and points hold
_BACKGAMMON = b"6"
_WHOLE = re.compile(rb"\s*(\d{1,9})\s*")
_RESULT = re.compile(rb"([BW])\s*\+\s*(\d{0,9})\s*(R?)", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_ENDED = {1: "single", 2: "gammon", 3: "backgammon"}
_VARIANTS = {
    "Nackgammon": "nackgammon", "Hypergammon1": "hypergammon 1", "Hypergammon2": "hypergammon 2",
    "Hypergammon3": "hypergammon",
}  # fmt: skip


@dataclass
class Game:
    """What the root of one game says; -1 is unknown."""

    number: int  # from 1, in the order of the file
    offset: int
    length: int  # 0 = money
    score: tuple  # seat 0, seat 1
    rules: frozenset
    named: int  # the number that the file gives it
    winner: int
    points: int
    resigned: bool
    cube: int  # log2 of the cube at the start: automatic doubles

    @property
    def start(self):
        """The board at the start, the same for both seats."""
        if "Nackgammon" in self.rules:
            return _board({24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
        for checkers in (1, 2, 3):
            if f"Hypergammon{checkers}" in self.rules:
                return _board({24 - n: 1 for n in range(checkers)})
        return START.copy()


class Match:
    """The match, and the games of it that are backgammon.

    Parameters
    ----------
    trees : list of Tree
    path : str or Path
    problems : Problems

    Raises
    ------
    ReadError
        When no game is backgammon or a header makes no sense.
    """

    def __init__(self, trees, path, problems):
        self.problems, self.path = problems, path
        self.trees = [tree for tree in trees if first(tree.nodes[0], b"GM") == _BACKGAMMON]
        if not self.trees:
            kind = (first(trees[0].nodes[0], b"GM") or b"none").decode("latin-1")
            raise ReadError(path, "sgf", trees[0].offset,
                            f"GM[{kind}]: the games of this SGF are not backgammon, which is GM[6]")  # fmt: skip
        for tree in trees:
            if first(tree.nodes[0], b"GM") != _BACKGAMMON:
                problems.add("not_backgammon", "a game of another kind than backgammon: left out",
                             offset=tree.offset)  # fmt: skip
        root = self.trees[0].nodes[0]
        self.charset = self._charset(root)
        self.players = [self.text(root, b"PW") or "", self.text(root, b"PB") or ""]
        program, _, version = (self.text(root, b"AP") or "").partition(":")
        self.tool = "gnuBG" if program in ("", "GNU Backgammon") else program
        self.version = version or None
        self.games = [self._game(i, tree) for i, tree in enumerate(self.trees, 1)]
        one = self.games[0]
        self.length = one.length or None
        # gnuBG writes RU only where a rule is on, other programs not at all: without it nothing is said.
        self.jacoby = self.length is None and "Jacoby" in one.rules
        self.jacoby_known = self.length is not None or b"RU" in root.properties
        self._check()
        self.crawford = crawford_codes(*self.scores.T, self.length, self._flagged())

    @property
    def scores(self):
        """Points of both seats at the start of each game, shape (games, 2)."""
        return np.array([game.score for game in self.games])

    def text(self, node, name):
        """Read a property's text in the file's charset; None where there is none."""
        value = first(node, name)
        return None if value is None else self.decoded(value, node.offset)

    def decoded(self, value, offset):
        """Read a text in the file's charset, in Latin-1 where it is not that."""
        try:
            return text(value, self.charset)
        except UnicodeDecodeError:
            if not self._noted:
                self.problems.add("bad_text", f"a text is not {self.charset}: read as Latin-1",
                                  offset=offset)  # fmt: skip
                self._noted = True
            return text(value, "latin-1")

    def _charset(self, root):
        named = first(root, b"CA")
        # Without CA the format says Latin-1, but writers of today mean UTF-8.
        self._noted = named is None
        if named is None:
            return "utf-8"
        try:
            return codecs.lookup(named.decode("latin-1")).name
        except (LookupError, ValueError):
            self.problems.add("bad_text", "a charset that is not known: read as UTF-8",
                              offset=root.offset)  # fmt: skip
            return "utf-8"

    def _game(self, number, tree):
        root = tree.nodes[0]
        about = {}
        for value in root.properties.get(b"MI", ()):
            key, _, rest = value.partition(b":")
            about[key.strip()] = rest
        length = _whole(about.get(b"length", b"0"))
        if length is None or length > _LONGEST:
            written = about[b"length"].decode("latin-1")
            raise ReadError(self.path, "sgf", tree.offset,
                            f"a match length of '{written}' (game {number}): the header is damaged")  # fmt: skip
        score = [_whole(about.get(key, b"0")) for key in (b"ws", b"bs")]
        named = _whole(about.get(b"game", b""))
        winner, points, resigned = self._result(root, number)
        cube = _whole(first(root, b"CV") or b"1") or 1
        return Game(
            number=number,
            offset=tree.offset,
            length=length,
            score=tuple(-1 if s is None or s > _LONGEST else s for s in score),
            rules=frozenset((first(root, b"RU") or b"").decode("latin-1").split(":")),
            named=number - 1 if named is None else named,
            winner=winner,
            points=points,
            resigned=resigned,
            cube=min(cube.bit_length() - 1, LARGEST_CUBE),
        )

    def _result(self, root, number):
        written = first(root, b"RE")
        found = _RESULT.fullmatch(written or b"")
        if not found:
            if written and written not in (b"?", b"Void", b"0"):
                self.problems.add("bad_result", f"'{written.decode('latin-1')}' is no result: the game has none",
                                  game=number, offset=root.offset)  # fmt: skip
            return -1, -1, False
        points = max(int(found[2] or 1), 1)
        if points > _LONGEST:
            self.problems.add("bad_result", f"a game won by {points} points: it has no result",
                              game=number, offset=root.offset)  # fmt: skip
            return -1, -1, False
        return int(found[1].upper() == b"B"), points, bool(found[3])

    def _flagged(self):
        """Which game is the Crawford game: the file's flag, else the first with a side 1 away."""
        flagged = np.array(["CrawfordGame" in game.rules for game in self.games])
        close = (self.scores == (self.length or 0) - 1).any(axis=1)
        for game in self.games[1:]:
            i = game.number - 1
            if close[i] and not close[:i].any() and not flagged[i] and "Crawford" in game.rules:
                self.problems.add("bad_rules", "the first game with a side 1 away bears no Crawford mark: taken for it",
                                  game=game.number, offset=game.offset)  # fmt: skip
                flagged[i] = True
        return flagged

    def _check(self):
        """Scores must be possible, and each game must begin where the one before ended."""
        limit = _LONGEST if self.length is None else self.length - 1
        self.sound = np.ones(len(self.games), bool)
        for i, game in enumerate(self.games):
            if not all(0 <= s <= limit for s in game.score) or (game.length or None) != self.length:
                self.sound[i] = False
                game.score = tuple(min(max(s, 0), limit) for s in game.score)
                self.problems.add("bad_score", "a score that this match cannot have: the game's decisions have none",
                                  game=game.number, offset=game.offset)  # fmt: skip
        for before, game in zip(self.games, self.games[1:], strict=False):
            if game.named != before.named + 1 or self.final(before) != list(game.score):
                self.problems.add("game_missing", "the game does not begin where the one before ended",
                                  game=game.number, offset=game.offset)  # fmt: skip

    @staticmethod
    def final(game):
        """Points of both seats after a game; None while it is unfinished."""
        if game.winner < 0:
            return None
        return [s + game.points * (seat == game.winner) for seat, s in enumerate(game.score)]

    def game_columns(self, match_id, passed, cubes):
        """The columns of `games`.

        Parameters
        ----------
        match_id : str
        passed : list of bool
            The last thing done in the game was to pass a double.
        cubes : list of int
            log2 of the cube at its end.
        """
        n = len(self.games)
        return game_columns(
            [match_id],
            np.zeros(n, int),
            np.arange(1, n + 1),
            self.scores.T,
            self.crawford,
            np.array([game.winner for game in self.games]),
            np.array([game.points for game in self.games]),
            [_ended(*one) for one in zip(self.games, passed, cubes, strict=True)],
        )

    def match_row(self, path, sha256, match_id):
        """The row of `matches`."""
        root = self.trees[0].nodes[0]
        final = self.final(self.games[-1])
        winner = -1
        if final and final[0] != final[1]:
            ahead = int(final[1] > final[0])
            if self.length is None or final[ahead] >= self.length:
                winner = ahead
        variant = [_VARIANTS[rule] for rule in self.games[0].rules if rule in _VARIANTS]
        return {
            "match_id": match_id, "path": str(path), "sha256": sha256, "format": "sgf",
            "tool": self.tool, "version": self.version,
            "player0": self.players[0], "player1": self.players[1],
            "rating0": _rating(self.text(root, b"WR")), "rating1": _rating(self.text(root, b"BR")),
            "length": self.length, "jacoby": self.jacoby if self.jacoby_known else None,
            "beaver": None if self.length is None else False, "variant": (variant or ["backgammon"])[0],
            "date": _date(self.text(root, b"DT") or ""),
            "event": self.text(root, b"EV") or None, "round": self.text(root, b"RO") or None,
            "result": f"{final[0]}-{final[1]}" if final else None, "winner": None if winner < 0 else winner,
            "met": "kazaross-xg2",
        }  # fmt: skip

    def rules(self):
        """The XGID's rule field of each game: 1 in the Crawford game, for money 1 with Jacoby."""
        if self.length is None:
            return np.full(len(self.games), self.jacoby)
        return self.crawford == CRAWFORD.index("crawford")


def _board(side):
    board = np.zeros_like(START)
    for point, checkers in side.items():
        board[point] += checkers
        board[BAR - point] -= checkers
    return board


def _ended(game, passed, cube):
    """Code of how a game ended, -1 while it has not."""
    if game.winner < 0:
        return -1
    times = game.points / (1 << cube)
    if game.resigned:
        word = f"resigned {_ENDED[times]}" if times in _ENDED else "resigned"
    else:
        word = "pass" if passed else _ENDED.get(times, "other")
    return ENDINGS.index(word)


def _whole(value):
    found = _WHOLE.fullmatch(value)
    return int(found[1]) if found else None


def _rating(written):
    try:
        value = float(written or "nan")
    except ValueError:
        return np.nan
    return value if np.isfinite(value) else np.nan


def _date(written):
    """The (first) day as written, where the calendar has it."""
    found = _DATE.match(written)
    if not found:
        return None
    try:
        date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return None
    return found[0]
