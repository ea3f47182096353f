"""The decisions of a record while it is played through: what every format of gnuBG's kind collects."""

from dataclasses import dataclass, fields

from blunderlab.tables import columns
from blunderlab.tables.schema import KINDS

__all__ = [
    "ANSWERS", "CHECKER", "DOUBLE", "LARGEST_CUBE", "NO_DOUBLE", "PASS", "PLAYED_WORDS", "ROLL", "TAKE", "Rows",
]  # fmt: skip

CHECKER, NO_DOUBLE, DOUBLE, TAKE, PASS, ROLL = map(
    KINDS.index, ("checker", "no_double", "double", "take", "pass", "roll")
)
ANSWERS = (TAKE, PASS)
PLAYED_WORDS = columns.words("", "No double", "Double", "Take", "Pass", "Beaver", "Raccoon")
LARGEST_CUBE = 14  # exponent: 2^14 is the largest that the tables' Int16 holds


@dataclass
class Rows:
    """Decisions in the order of the match: one list entry each while a match is read."""

    offset: list  # byte of the node
    game: list
    kind: list  # code of KINDS
    seat: list
    points: list  # boards (26), the player's view
    known: list  # the board is known
    dice: list  # ASCII, b"00" before the roll
    cube: list  # log2, before any double
    owner: list  # 1 player, 0 centre, -1 opponent
    answered: list  # cubes offered before in this decision
    word: list  # of PLAYED_WORDS, 0 for a play
    play: list  # eight bytes, from and to as the player counts them
    illegal: list
    luck: list
    note: list
    moves: list  # the analysis of a play as its reader understands it, or None
    cubes: list  # that of a cube decision, or None

    @classmethod
    def empty(cls):
        """No rows yet."""
        return cls(**{f.name: [] for f in fields(cls)})

    def __len__(self):
        return len(self.offset)
