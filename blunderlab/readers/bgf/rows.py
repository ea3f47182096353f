"""BGBlitz's move records as decisions: plays each game through, so that each has its board and cube.

A record is a play (red and green are the dice, from and to as its player counts them) or, where green is 7, an
action named by red: 1 double, 2 take, 3 pass, 4 the end of the game, 5 a dance (the dice in from and to),
9 a resignation.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from blunderlab.backgammon.board import BAR, flip
from blunderlab.backgammon.moves import apply, legal_plays, legal_positions
from blunderlab.backgammon.record.rows import (
    CHECKER,
    DOUBLE,
    LARGEST_CUBE,
    NO_DOUBLE,
    PASS,
    ROLL,
    TAKE,
)
from blunderlab.readers.bgf.container import refuse
from blunderlab.readers.bgf.header import GREEN, RED, note, number, whole

__all__ = ["NOT_ANALYSED", "End", "play_game"]

NOT_ANALYSED = -900.0  # BGBlitz writes -999 and -999.9
_NOT, _DOUBLED, _TAKEN, _PASSED = 1, 2, 3, 4  # of PLAYED_WORDS
_ACTION = 7  # what green says where red is no die
_DOUBLE, _TAKE, _PASS, _END, _DANCE, _RESIGN = 1, 2, 3, 4, 5, 9
_STEPS = 4
_LOST = "the board of the rest of this game is not known"


@dataclass
class End:
    """How a game was seen to end."""

    cube: int  # log2
    passed: bool
    borne_off: bool  # a side has no checkers left
    winner: int | None  # by its last record, None where that does not say


def play_game(i, match, rows):
    """Add a game's decisions to the rows.

    Parameters
    ----------
    i : int
        Which game, from 0.
    match : Match
    rows : sgf.rows.Rows
        `moves` is given the record of each row, `cubes` the one whose evaluation is of its cube.

    Returns
    -------
    End
    """
    records = match.games[i].get("moves")
    if not isinstance(records, list):
        raise refuse(match.path, None, f"game {i + 1} has no list of moves: the match is damaged")
    state = _State(i, match, rows)
    last = max((k for k, r in enumerate(records) if _rolls(r)), default=-1)
    for k, record in enumerate(records):
        state.number = k + 1
        state.read(record, k == last)
    return state.end()


def _rolls(record):
    return isinstance(record, dict) and (
        record.get("green") != _ACTION or record.get("red") == _DANCE
    )


class _State:
    """Where a game stands."""

    def __init__(self, i, match, rows):
        self.game, self.match, self.rows = i + 1, match, rows
        self.board, self.cube, self.owner = match.starts[i]
        self.view = 0  # the board as this seat sees it
        self.known = True
        self.doubled = None  # the record of a double that is not answered yet
        self.offered = None  # and who has offered it
        self.passed, self.winner = False, None
        self.number = 0

    def read(self, record, last):
        seat = (
            {GREEN: 0, RED: 1}.get(whole(record.get("player")))
            if isinstance(record, dict)
            else None
        )
        if seat is None:
            self.lose("a record of no player")
            return
        red, green = whole(record.get("red")), whole(record.get("green"))
        if green == _ACTION:
            self.act(record, seat, red)
        elif red in range(1, 7) and green in range(1, 7):
            self.play(record, seat, (red, green), _pairs(record), last)
        else:
            self.lose(f"a record whose dice are {red} and {green}")

    def act(self, record, seat, action):
        if action == _DOUBLE:
            self.double(record, seat)
        elif action in (_TAKE, _PASS):
            self.answer(record, seat, action == _TAKE)
        elif action == _DANCE:
            dice = [whole(_first(record.get(name)), 1, 6) for name in ("from", "to")]
            if None in dice:
                self.lose("a dance without dice")
            else:
                self.play(record, seat, dice, [], last=False)
        elif action == _END:
            self.winner = seat
        elif action == _RESIGN:
            self.winner = 1 - seat
        else:
            self.problem(
                "unknown_record", f"an action of a kind that is not known ({action}): left out"
            )

    def double(self, record, seat):
        if self.doubled is not None or self.owner == 1 - seat:
            self.problem("bad_record", "a double by a player who may not double: left out")
            return
        self.add(record, DOUBLE, seat, word=_DOUBLED, cubes=record)
        self.doubled, self.offered = record, seat

    def answer(self, record, seat, taken):
        if self.doubled is None or self.offered == seat:
            self.problem("bad_record", "an answer to a double that was not offered: left out")
            return
        self.add(
            record,
            TAKE if taken else PASS,
            seat,
            word=_TAKEN if taken else _PASSED,
            cubes=self.doubled,
        )
        self.passed = not taken
        if taken:
            self.owner = seat
            self.cube = min(self.cube + 1, LARGEST_CUBE)
        self.doubled = None

    def play(self, record, seat, dice, pairs, last):
        dice = b"%d%d" % (max(dice), min(dice))
        if self.doubled is not None:
            self.problem("bad_record", "a roll before the double was answered")
            self.doubled = None
        if pairs is None:
            self.lose("a play whose points are none")
            return
        if self.owner != 1 - seat and _cube_analysed(record):
            self.add(record, NO_DOUBLE, seat, word=_NOT, cubes=record)
        luck = _luck(record)
        board = self.seen_by(seat)
        if not pairs and last and self.known and not _stuck(board, dice):
            self.add(record, ROLL, seat, dice=dice, luck=luck)
            return
        pairs = self.steps(record, board, dice, pairs)
        self.add(record, CHECKER, seat, dice=dice, luck=luck, play=pairs)
        if not self.known:
            return
        try:
            self.board = apply(board, pairs)
        except ValueError as error:
            self.rows.illegal[-1] = True
            self.known = False
            self.problem("illegal_play", f"{error}: the play is unscored, and {_LOST}", row=True)

    def steps(self, record, board, dice, pairs):
        """The play in steps of a die each: a record may hold only where each checker began and ended."""
        for candidate in record.get("moveAnalysis") or ():
            if isinstance(candidate, dict) and candidate.get("played") is True:
                marked = _pairs(candidate.get("move"))
                if marked and (sorted(marked) == sorted(pairs) or _net(marked) == _net(pairs)):
                    return marked
        if self.known and not _fit(pairs, dice):
            wanted = _net(pairs)
            for play, _ in legal_plays(board, dice.decode()):
                if _net(play) == wanted:
                    return list(play)
        return pairs

    def end(self):
        borne_off = self.known and bool((self.board <= 0).all() or (self.board >= 0).all())
        return End(self.cube, self.passed, borne_off, self.winner)

    # -- rows ---------------------------------------------------------------------------------

    def seen_by(self, seat):
        if self.view != seat:
            self.board, self.view = flip(self.board), seat
        return self.board

    def add(self, record, kind, seat, dice=b"00", word=0, play=(), luck=np.nan, cubes=None):
        rows = self.rows
        rows.offset.append(None)
        rows.game.append(self.game)
        rows.kind.append(kind)
        rows.seat.append(seat)
        rows.points.append(self.seen_by(seat))
        rows.known.append(self.known)
        rows.dice.append(dice)
        rows.cube.append(self.cube)
        rows.owner.append(0 if self.owner is None else 1 if self.owner == seat else -1)
        rows.answered.append(int(cubes is not None and kind in (TAKE, PASS)))
        rows.word.append(word)
        rows.play.append(bytes(point for pair in play for point in pair).ljust(2 * _STEPS, b"\0"))
        rows.illegal.append(False)
        rows.luck.append(luck)
        rows.note.append(None if kind == NO_DOUBLE else note(record.get("comment")))
        rows.moves.append(record)
        rows.cubes.append(cubes)

    def lose(self, what):
        self.known = False
        self.problem("bad_record", f"{what}: left out, and {_LOST}")

    def problem(self, code, message, row=False):
        decision = len(self.rows) if row else None
        self.match.problems.add(
            code, f"{message} (move {self.number} of the game)", self.game, decision
        )


def _pairs(record):
    """From and to of each checker; None where they are no points."""
    if not isinstance(record, dict):
        return None
    start, end = record.get("from"), record.get("to")
    if not isinstance(start, list) or not isinstance(end, list) or len(start) != len(end):
        return None
    pairs = []
    for a, b in zip(start, end, strict=True):
        if a == -1:
            break
        if type(a) is not int or type(b) is not int or not 0 <= max(b, 0) < a <= BAR:
            return None
        pairs.append((a, max(b, 0)))
    return pairs if len(pairs) <= _STEPS else None


def _net(pairs):
    """What the player's own checkers changed, whatever the order of the steps."""
    change = Counter(b for _, b in pairs)
    change.subtract(a for a, _ in pairs)
    return {point: n for point, n in change.items() if n and point}


def _fit(pairs, dice):
    """Is every step as long as a die, or shorter and off?"""
    dice = [die - ord("0") for die in dice]
    return all(a - b in dice or (b == 0 and a < max(dice)) for a, b in pairs)


def _stuck(board, dice):
    reached = legal_positions(board, dice.decode())
    return len(reached) == 1 and bool((reached[0] == board).all())


def _cube_analysed(record):
    equity = record.get("equity")
    cube = equity.get("cubeDecision") if isinstance(equity, dict) else None
    return isinstance(cube, dict) and number(cube.get("eqNoDouble")) > NOT_ANALYSED


def _luck(record):
    """Luck of the roll in equity: in a match BGBlitz writes it as chances (plain) and as equity (weighted)."""
    luck = record.get("luck")
    if not isinstance(luck, dict):
        return np.nan
    value = number(luck.get("luckPlain" if luck.get("mode") == "Money" else "luckWeighted"))
    return value if np.isfinite(value) and value > NOT_ANALYSED else np.nan


def _first(values):
    return values[0] if isinstance(values, list) and values else None
