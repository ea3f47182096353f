"""The nodes of a gnuBG file as decisions: plays the game through, so that each has its board and cube."""

import re

import numpy as np

from blunderlab.backgammon.board import BAR, CHECKERS, OPPONENT_BAR, flip
from blunderlab.backgammon.moves import apply, legal_positions
from blunderlab.backgammon.record.rows import (
    CHECKER,
    DOUBLE,
    LARGEST_CUBE,
    NO_DOUBLE,
    PASS,
    PLAYED_WORDS,
    ROLL,
    TAKE,
)
from blunderlab.errors import ReadError
from blunderlab.readers.sgf.tree import first

__all__ = ["POINTS", "play_game"]

_PLAY, _NOT, _DOUBLED, _TAKEN, _PASSED, _BEAVER, _RACCOON = range(len(PLAYED_WORDS))

_PLAYERS = {b"W": 0, b"B": 1}
_MOVE = re.compile(rb"([1-6])([1-6])((?:[a-y][a-z]){0,4})")
_DICE = re.compile(rb"[1-6][1-6]")
_SETUP = {b"AE", b"AB", b"AW", b"PL", b"CV", b"CP"}
_LOST = "the board of the rest of this game is not known"
_LETTERS = b"abcdefghijklmnopqrstuvwx"
# A letter's point as each seat counts it, to be used with bytes.translate; y is the bar and all else is off.
POINTS = [bytearray(256), bytearray(256)]
for _number, _letter in enumerate(_LETTERS, 1):
    POINTS[0][_letter], POINTS[1][_letter] = _number, BAR - _number
POINTS[0][ord("y")] = POINTS[1][ord("y")] = BAR


def play_game(game, tree, match, rows):
    """Add a game's decisions to the rows.

    Returns
    -------
    (passed, cube) : tuple of bool and int
        Whether it ended with a pass, and the log2 of the cube then.

    Raises
    ------
    ReadError
        When a position that the file sets up has more than 15 checkers on a side.
    """
    state = _State(game, match, rows)
    root, *nodes = tree.nodes
    for offset in tree.variations:
        match.problems.add("variation", "another line of play: only the first is read",
                           game.number, offset=offset)  # fmt: skip
    if not _SETUP.isdisjoint(root.properties):
        state.set_up(root, cube=False)
    for node in nodes:
        state.read(node, last=node is nodes[-1])
    state.settle()
    return state.passed, state.cube


class _State:
    """Where a game stands."""

    def __init__(self, game, match, rows):
        self.game, self.match, self.rows = game, match, rows
        self.board, self.view = game.start, 0  # the board as this seat sees it
        self.known = True
        self.cube, self.owner = game.cube, None  # None: in the centre
        self.offered = []  # who has turned the cube in a decision that is not answered yet
        self.double = None  # analysis of that double
        self.turn = None
        self.rolled = None  # a roll that stands in a node of its own
        self.passed = False
        self.moves = 0

    def read(self, node, last):
        properties = node.properties
        name = next((n for n in properties if n in _PLAYERS), None)
        if not _SETUP.isdisjoint(properties) and name is None:
            self.set_up(node)
        if name is None:
            if b"DI" in properties:
                self.roll(node)
            return
        self.moves += 1
        seat = _PLAYERS[name]
        action = first(node, name)
        if action == b"double":
            self.settle()
            self.offer(node, seat)
        elif action in (b"take", b"drop"):
            self.settle()
            self.answer(node, seat, action == b"take")
        elif found := _MOVE.fullmatch(action):
            self.play(node, seat, *found.groups(), last)
        else:
            self.problem("bad_move", f"'{action.decode('latin-1')}' is no play: left out, and {_LOST}",
                         node, row=False)  # fmt: skip
            self.known = False

    # -- the cube -----------------------------------------------------------------------------

    def offer(self, node, seat):
        if self.offered and self.offered[-1] == seat or not self.offered and self.owner == 1 - seat:
            self.problem(
                "bad_record", "a double by a player who may not double: left out", node, row=False
            )
            return
        if self.offered:
            word = _BEAVER if len(self.offered) == 1 else _RACCOON
            self.add(node, TAKE, seat, word=word, cubes=first(node, b"DA") or self.double)
        else:
            self.double = first(node, b"DA")
            self.add(node, DOUBLE, seat, word=_DOUBLED, cubes=self.double)
        self.offered.append(seat)
        self.turn = seat

    def answer(self, node, seat, taken):
        if not self.offered or self.offered[-1] == seat:
            self.problem(
                "bad_record",
                "an answer to a double that was not offered: left out",
                node,
                row=False,
            )
            return
        kind, word = (TAKE, _TAKEN) if taken else (PASS, _PASSED)
        self.add(node, kind, seat, word=word, cubes=first(node, b"DA") or self.double)
        self.passed = not taken
        if taken:
            self.owner = 1 - self.offered[0]
            self.cube = min(self.cube + len(self.offered), LARGEST_CUBE)
        self.offered = []

    # -- dice and plays -----------------------------------------------------------------------

    def roll(self, node):
        """Keep a roll that stands in a node of its own: what it was for comes after it."""
        dice = first(node, b"DI")
        if not _DICE.fullmatch(dice):
            self.problem(
                "bad_move", f"'{dice.decode('latin-1')}' is no roll: left out", node, row=False
            )
        elif self.turn is None:
            self.problem("bad_move", "a roll of nobody: left out", node, row=False)
        else:
            self.rolled = node, self.turn, dice

    def settle(self):
        """A roll that nothing came after was never played."""
        if self.rolled:
            node, seat, dice = self.rolled
            self.rolled = None
            self.add(node, ROLL, seat, dice=dice, luck=self.luck(node))

    def play(self, node, seat, high, low, letters, last):
        dice = max(high, low) + min(high, low)
        luck, note = self.luck(node), None
        if self.rolled:
            before, who, shown = self.rolled
            self.rolled = None
            if who == seat and sorted(shown) == sorted(dice):
                luck = self.luck(before) if np.isnan(luck) else luck
                note = self.note(before)
        if self.offered:
            self.problem("bad_record", "a roll before the double was answered", node, row=False)
            self.offered = []
        if b"DA" in node.properties:
            self.add(node, NO_DOUBLE, seat, word=_NOT, cubes=first(node, b"DA"), note=None)
        unplayed = not letters and last and self.game.winner < 0
        moves = node.properties.get(b"A")
        steps = letters.translate(POINTS[seat])
        board = self.seen_by(seat)
        if not letters and self.known:
            reached = legal_positions(board, dice.decode())
            stuck = len(reached) == 1 and (reached[0] == board).all()
            unplayed = not stuck and last
        if unplayed:
            self.add(node, ROLL, seat, dice=dice, luck=luck, moves=moves, before=note)
            return
        self.add(node, CHECKER, seat, dice=dice, luck=luck, moves=moves, before=note,
                 play=steps.ljust(8, b"\0"))  # fmt: skip
        self.turn = 1 - seat
        if not self.known:
            return
        try:
            self.board = apply(board, zip(steps[0::2], steps[1::2], strict=True))
        except ValueError as error:
            self.rows.illegal[-1] = True
            self.known = False
            self.problem("illegal_play", f"{error}: the play is unscored, and {_LOST}", node)

    @staticmethod
    def luck(node):
        written = first(node, b"LU")
        try:
            value = float(written or "nan")
        except ValueError:
            return np.nan
        return value if np.isfinite(value) else np.nan

    def note(self, node):
        written = node.properties.get(b"C")
        return None if written is None else self.match.decoded(written[0], node.offset) or None

    # -- what the file sets up ----------------------------------------------------------------

    def set_up(self, node, cube=True):
        """Take over a board, a turn or a cube that the file gives."""
        turn = first(node, b"PL")
        if turn in _PLAYERS:
            self.turn = _PLAYERS[turn]
        if not {b"AE", b"AB", b"AW"}.isdisjoint(node.properties):
            self.settle()
            self.set_board(node)
        owner = first(node, b"CP")
        if owner in (b"c", b"w", b"b"):
            self.owner = {b"c": None, b"w": 0, b"b": 1}[owner]
        value = first(node, b"CV")
        if cube and value and value.isdigit():
            self.cube = min(max(int(value).bit_length() - 1, 0), LARGEST_CUBE)

    def set_board(self, node):
        board = np.array(self.seen_by(0), np.int16)
        for at in self.listed(node, b"AE"):
            board[[at] if at < BAR else [BAR, OPPONENT_BAR]] = 0
        for name, sign in ((b"AW", 1), (b"AB", -1)):
            for at in self.listed(node, name):
                board[at if at < BAR or sign > 0 else OPPONENT_BAR] += sign
        if board.clip(min=0).sum() > CHECKERS or board.clip(max=0).sum() < -CHECKERS:
            where = f"game {self.game.number}, move {self.moves + 1}"
            raise ReadError(self.match.path, "sgf", node.offset,
                            f"a side has more than 15 checkers ({where})")  # fmt: skip
        self.board, self.view, self.known = board.astype(np.int8), 0, True

    def listed(self, node, name):
        """The points of a list of letters, or of ranges as in a:y, as White counts them."""
        for value in node.properties.get(name, ()):
            start, _, end = value.strip().partition(b":")
            for letter in range(start[0], (end or start)[0] + 1) if start else ():
                if point := POINTS[0][letter]:
                    yield point

    # -- rows ---------------------------------------------------------------------------------

    def seen_by(self, seat):
        if self.view != seat:
            self.board, self.view = flip(self.board), seat
        return self.board

    def add(self, node, kind, seat, dice=b"00", word=_PLAY, play=bytes(8), luck=np.nan, moves=None, cubes=None,
            note="", before=None):  # fmt: skip
        rows = self.rows
        rows.offset.append(node.offset)
        rows.game.append(self.game.number)
        rows.kind.append(kind)
        rows.seat.append(seat)
        rows.points.append(self.seen_by(seat))
        rows.known.append(self.known)
        rows.dice.append(dice)
        rows.cube.append(self.cube)
        rows.owner.append(0 if self.owner is None else 1 if self.owner == seat else -1)
        rows.answered.append(len(self.offered))
        rows.word.append(word)
        rows.play.append(play)
        rows.illegal.append(False)
        rows.luck.append(luck)
        own = self.note(node) if note is not None else None
        rows.note.append("\n".join(filter(None, (before, own))) or None)
        rows.moves.append(moves)
        rows.cubes.append(cubes)

    def problem(self, code, message, node, row=True):
        self.match.problems.add(
            code, message, self.game.number, len(self.rows) if row else None, node.offset
        )
