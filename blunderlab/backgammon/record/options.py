"""The options that an analysis kept, as arrays: what every format of gnuBG's kind collects."""

from dataclasses import dataclass, fields

import numpy as np

from blunderlab.tables import columns

__all__ = ["CHANCES", "Options", "Words", "joined", "sound"]

CHANCES = 5  # win, win gammon, win backgammon, lose gammon, lose backgammon
_NOISE = 0.1  # a rollout with variance reduction may give a chance a little outside 0 … 1


@dataclass
class Options:
    """Options, one array entry each, sorted by row and rank."""

    row: np.ndarray  # index into Rows
    rank: np.ndarray
    words: np.ndarray  # zero-padded text
    equity: np.ndarray
    chances: np.ndarray  # (n, 5)
    level: np.ndarray  # index into the levels
    played: np.ndarray


class Words(dict):
    """Depths as written, numbered as they come; None is not said."""

    def __missing__(self, written):
        self[written] = len(self)
        return self[written]

    def column(self, numbers):
        """Their words as a `str` column."""
        return columns.take_text(list(self), numbers)


def sound(rows, row, chances, equity, possible, problems):
    """Mask of the entries to keep: a value that cannot be costs all entries of its row, and one problem."""
    finite = np.isfinite(chances).all(axis=1) & np.isfinite(equity)
    likely = ((chances >= -_NOISE) & (chances <= 1 + _NOISE)).all(axis=1)
    bad = np.unique(row[~(likely & possible)])
    for i in bad:
        code, what = "not_finite", "is not a number"
        if finite[row == i].all():
            code, what = "bad_value", "has a value that cannot be"
        problems.add(code, f"an evaluation {what}: the row has no analysis",
                     rows.game[i], int(i) + 1, rows.offset[i])  # fmt: skip
    return ~np.isin(row, bad)


def joined(first, second):
    """The options of both kinds as one, in the order of the rows."""
    order = np.argsort(np.concatenate([first.row, second.row]), kind="stable")
    both = {}
    for name in (f.name for f in fields(Options)):
        pair = getattr(first, name), getattr(second, name)
        stacked = columns.stack_bytes(pair) if name == "words" else np.concatenate(pair)
        both[name] = stacked[order]
    return Options(**both)
