"""The cells of a game as decisions: plays the game through, so that each has its board and cube."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np

from blunderlab.backgammon.board import BAR, CHECKERS, OPPONENT_BAR, START, excess
from blunderlab.backgammon.notation import CANNOT_MOVE, OFF
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.errors import ReadError
from blunderlab.readers.mat.plays import flipped, only_play, play, snowie_board, steps_of
from blunderlab.tables import columns
from blunderlab.tables.schema import KINDS

__all__ = ["ANSWERS", "CHECKER", "PLAYED_WORDS", "End", "Rows", "play_game"]

CHECKER, DOUBLE, TAKE, PASS, ROLL = map(KINDS.index, ("checker", "double", "take", "pass", "roll"))
ANSWERS = (TAKE, PASS)
PLAYED_WORDS = columns.words("", "Double", "Take", "Pass", "Beaver", "Raccoon")
_PLAY, _DOUBLED, _TAKEN, _PASSED, _BEAVER, _RACCOON = range(len(PLAYED_WORDS))
_ANSWER_WORDS = {"take": _TAKEN, "pass": _PASSED, "beaver": _BEAVER, "raccoon": _RACCOON}

_LARGEST_CUBE = 14  # exponent: 2^14 is the largest that the tables' Int16 holds
_OVER = {"wins", "losses", "resigns", "forfeits", "time", "unplayed"}
_NO_DICE = "00"
_STEP_BYTES = 8


NAMES = (
    "game",
    "kind",  # code of KINDS
    "seat",
    "points",  # boards, 26 bytes, the player's view
    "known",  # the board is known
    "dice",  # "00" before the roll
    "cube",  # log2, before any double
    "owner",  # 1 player, 0 centre, -1 opponent
    "word",  # of PLAYED_WORDS, 0 for a play
    "play",  # eight bytes, from and to as the player counts them; empty where it cannot be read
    "written",  # the play's own text
    "illegal",
    "dance",
)
_PLACE = {name: place for place, name in enumerate(NAMES)}


class Rows:
    """Decisions in the order of the match, all values in one list: what `NAMES` names, decision after decision."""

    def __init__(self):
        self.flat = []

    def __len__(self):
        return len(self.flat) // len(NAMES)

    def change(self, **named):
        """Change what was said of the last one."""
        for name, value in named.items():
            self.flat[_PLACE[name] - len(NAMES)] = value

    @staticmethod
    def columns(many):
        """The decisions of several matches, one after the other, as one list for each of `NAMES`."""
        flat = list(chain.from_iterable(one.flat for one in many))
        return {name: flat[place :: len(NAMES)] for name, place in _PLACE.items()}


@dataclass
class End:
    """How a game stood when its cells ended.

    `winner` is who won by what was done, not by what is written: who bore off, or whose opponent passed or gave up.
    """

    cube: int  # log2
    winner: int | None = None
    how: str | None = None  # pass, borne off, resigned, forfeits, time
    times: int | None = None  # cubes that a game borne off is worth, where the board says so
    known: bool = True  # the board was


def play_game(number, game, start, rows, problems, path):
    """Add a game's decisions to the rows.

    Parameters
    ----------
    number : int
        Of the game, from 1 in the order of the file.
    game : lines.Game
    start : bytes or None
        The board at the start, the same for both seats; None when it is not known.
    rows : Rows
    problems : Problems
    path : str or Path
        For messages.

    Returns
    -------
    End

    Raises
    ------
    ReadError
        When the file ends within a play.
    """
    state = _State(number, game, start, rows, problems, path)
    items = game.items
    last_act = max((i for i, item in enumerate(items) if item.kind not in _OVER), default=-1)
    for i, item in enumerate(items):
        state.read(item, is_last=i >= last_act)
    return state.end


class _State:
    """Where a game stands."""

    def __init__(self, number, game, start, rows, problems, path):
        self.number, self.rows, self.problems, self.path = number, rows, problems, path
        self.left = game.left
        self.board, self.view = start or START.tobytes(), 0  # the board as this seat sees it
        self.known = start is not None
        self.owner = None  # None: in the centre
        self.end = End(cube=0, known=self.known)
        self.offered = []  # who has turned the cube in a decision that is not answered yet
        self.turn = None
        if game.position:
            self.set_position(*game.position, game.offset)

    def read(self, item, is_last):
        if item.kind in _OVER:
            self.finish(item)
        elif item.kind == "roll":
            self.roll(item, is_last)
        elif item.kind == "double":
            self.double(item)
        else:
            self.answer(item)

    # -- the cube -----------------------------------------------------------------------------

    def double(self, item):
        seat = item.seat
        if self.offered and self.offered[-1] != seat:
            self.answer(item, "beaver")  # written as one more double
            return
        self.add(item, DOUBLE, _DOUBLED)
        self.expected(item, self.turn)
        if self.offered or self.owner == 1 - seat:
            self.misplaced(item, "a double by a player who may not double")
        if item.value is not None and item.value != 2 << self.end.cube:
            self.problem(
                "cube_value", f"a double to {item.value} of a cube at {1 << self.end.cube}", item
            )
            if item.torn:
                self.cut(item)
            if 2 <= item.value <= 2 << _LARGEST_CUBE and not item.value & (item.value - 1):
                self.end.cube = item.value.bit_length() - 2
                self.rows.change(cube=self.end.cube)
        self.offered = [seat]
        self.turn = 1 - seat

    def answer(self, item, kind=None):
        kind = kind or item.kind
        if kind == "beaver" and len(self.offered) > 1:
            kind = "raccoon"  # gnuBG calls both beavers
        seat = item.seat
        self.add(item, PASS if kind == "pass" else TAKE, _ANSWER_WORDS[kind])
        if not self.offered or self.offered[-1] == seat:
            self.misplaced(item, "an answer to a double that was not offered")
            return
        if self.owner == seat:
            # A redouble was beavered, and an XGID offers no cube to its owner.
            self.rows.change(known=False)
        if kind == "pass":
            self.end.winner, self.end.how = 1 - seat, "pass"
            # A beaver that is passed costs the cube that the first double put up.
            self.end.cube = self.after(len(self.offered) - 1)
            self.offered = []
        elif kind == "take":
            self.taken()
        else:
            self.offered.append(seat)
            self.turn = 1 - seat

    def taken(self):
        doubler = self.offered[0]
        self.owner = 1 - doubler
        self.end.cube = self.after(len(self.offered))
        self.offered = []
        self.turn = doubler

    def after(self, turns):
        return min(self.end.cube + turns, _LARGEST_CUBE)

    # -- dice and plays -----------------------------------------------------------------------

    def roll(self, item, is_last):
        if _NO_DICE[0] in item.dice:
            self.problem("no_dice", f"a roll of '{item.dice}': left out", item, row=False)
            self.end.how = self.end.how or "resigned"
            return
        if self.offered:
            if len(self.offered) == 1:
                self.problem(
                    "no_answer",
                    "a roll after a double that nobody answered: taken for a take",
                    item,
                    row=False,
                )
            self.taken()
        turn, self.turn = self.turn, 1 - item.seat
        text = item.text.strip()
        dice = item.dice if item.dice[0] >= item.dice[1] else item.dice[::-1]
        if not text.strip("?"):
            self.unwritten(item, dice, is_last, asked=bool(text))
        elif text[: len("illegal")].lower() == "illegal":
            self.set_after(item, dice, text)
        else:
            self.play(item, dice, text)
        self.expected(item, turn)

    def unwritten(self, item, dice, is_last, asked):
        """A roll without a play: a dance, or one that was never played."""
        board = self.seen_by(item.seat)
        stuck = only_play(board, dice) == board if self.known else not is_last
        if stuck and not asked:
            self.add(item, CHECKER, dice=dice, dance=True)
            return
        self.add(item, ROLL, dice=dice)
        if is_last:
            if asked:
                self.end.how = "resigned"
            return
        self.problem("no_play", f"{dice} has no play here, and the game goes on", item)
        self.move_on(item, board, dice)

    def move_on(self, item, board, dice):
        """The board after a play that nobody knows: there may be only one."""
        only = only_play(board, dice) if self.known else None
        if only is None:
            self.lose(item)
        else:
            self.board = only

    def play(self, item, dice, text):
        seat = item.seat
        board = self.seen_by(seat)
        steps, reason = steps_of(text)
        if steps is None:
            if item.torn:
                self.cut(item)
            self.add(item, CHECKER, dice=dice, play=b"", written=text)
            self.problem("bad_play", f"a play that cannot be read: {reason}", item)
            self.move_on(item, board, dice)
            return
        if not self.known:
            self.add(item, CHECKER, dice=dice, play=_bytes(steps), written=text, dance=not steps)
            return
        found = play(board, dice, steps, text.count("*"))
        if item.torn and not found.legal:
            self.cut(item)
        self.add(
            item,
            CHECKER,
            dice=dice,
            play=_bytes(found.steps),
            written=text,
            dance=found.legal and not steps,
        )
        if not found.legal:
            self.rows.change(illegal=True)
            self.problem("illegal_play", f"{dice}: {text} breaks the rules, {found.reason}", item)
        if found.after is None:
            self.lose(item)
            return
        self.board = found.after
        if _may_end(found.steps) and not any(0 < n < 128 for n in self.board):
            self.end.winner, self.end.how, self.end.times = seat, "borne off", _times(self.board)

    def set_after(self, item, dice, text):
        """A play that breaks the rules, given as the position that it led to."""
        self.add(item, CHECKER, dice=dice, play=b"", written=text)
        self.rows.change(illegal=True)
        self.problem(
            "illegal_play",
            f"{dice} was played against the rules: the board after it is the file's",
            item,
        )
        after = snowie_board(text)
        if after is None:
            self.problem("bad_position", "the position after an illegal play cannot be read", item)
            self.lose(item)
            return
        self.board, self.view = after, self.left
        self.known = self.end.known = True

    # -- the end ------------------------------------------------------------------------------

    def finish(self, item):
        if item.kind == "unplayed":
            self.problem("no_dice", "a roll whose dice are not written: left out", item, row=False)
        if item.kind != "wins" and self.end.how in (None, "resigned"):
            self.end.how = item.kind if item.kind in ("forfeits", "time") else "resigned"
            if item.kind != "unplayed":
                self.end.winner = 1 - item.seat

    # -- the board ----------------------------------------------------------------------------

    def set_position(self, letters, cube, offset):
        """Begin from a position: XG's letters, capitals for the left column."""
        board = points_of(["XGID=" + letters])[0]
        if excess(board) or board[OPPONENT_BAR] > 0 or board[BAR] < 0:
            self.known = self.end.known = False
            self.problems.add("bad_position", "the position at the start cannot be: the game has none", self.number,
                              offset=offset)  # fmt: skip
            return
        self.board, self.view = board.tobytes(), self.left
        self.end.cube = abs(int(cube))
        if self.end.cube:
            self.owner = self.left if cube.startswith("-") else 1 - self.left

    def seen_by(self, seat):
        if self.view != seat:
            self.board, self.view = flipped(self.board), seat
        return self.board

    def lose(self, item):
        if self.known:
            self.known = self.end.known = False
            self.problem("lost_board", "the board of the rest of this game is not known", item)

    # -- rows and problems --------------------------------------------------------------------

    def add(
        self,
        item,
        kind,
        word=_PLAY,
        dice=_NO_DICE,
        play=bytes(_STEP_BYTES),
        written="",
        dance=False,
    ):
        seat, owner = item.seat, self.owner
        self.rows.flat += (
            self.number, kind, seat, self.seen_by(seat), self.known, dice, self.end.cube,
            0 if owner is None else 1 if owner == seat else -1, word, play, CANNOT_MOVE if dance else written, False,
            dance,
        )  # fmt: skip

    def expected(self, item, turn):
        if turn == 1 - item.seat:
            self.problem("turn_order", "not this player's turn: kept as it is written", item)

    def misplaced(self, item, what):
        self.rows.change(known=False)  # no position can say this
        self.problem("cube_order", f"{what}: kept, without a position", item)

    def problem(self, code, message, item, row=True):
        self.problems.add(code, message, self.number, len(self.rows) if row else None, item.offset)

    def cut(self, item):
        raise ReadError(self.path, "mat", item.offset,
                        f"the file ends within a line: '{item.text}' is no complete play (game {self.number})")  # fmt: skip


@lru_cache(maxsize=1 << 14)
def _bytes(steps):
    flat = [n for step in steps for n in step]
    return bytes(flat).ljust(_STEP_BYTES, b"\0")


@lru_cache(maxsize=1 << 14)
def _may_end(steps):
    """Whether no checker need be left after the steps: one that moves on the board is."""
    return not steps or any(end <= OFF for _, end in steps)


def _times(board):
    """Cubes that a game is worth to the side without a checker: the other one's are negative in its view."""
    left = np.frombuffer(board, np.int8)
    if -left.sum() < CHECKERS:
        return 1
    return 3 if (left[:7] < 0).any() else 2
