"""gnuBG's candidates: every A as options, and which of them was played.

An entry of A is ``move E ver 3 win wing winbg loseg losebg SCORE plies…`` (SCORE normalised to the cube) or a
rollout, ``move X ver 3 Score SCORE … Trials n Output win wing winbg loseg losebg cubeless cubeful …``.
"""

from dataclasses import dataclass, fields

import numpy as np

from blunderlab import columns
from blunderlab.backgammon.moves import apply, legal_positions
from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.readers.sgf_rows import CHECKER, POINTS

__all__ = ["CHANCES", "Levels", "Options", "candidates", "joined", "mark_played", "sound"]

_ROLLOUT = b"rollout"
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


class Levels(dict):
    """Depths as written, numbered as they come."""

    def __missing__(self, written):
        if not written.rstrip(b"C").isdigit() and not written.startswith(_ROLLOUT):
            raise ValueError("no depth")
        self[written] = len(self)
        return self[written]

    def rollout(self, trials):
        """Number the depth of a rollout of so many games."""
        return self[b"%s %d" % (_ROLLOUT, int(trials))]

    def column(self, numbers):
        """Their words as a `str` column: "2-ply", "rollout 1296"."""
        words = [w if w.startswith(_ROLLOUT) else w.rstrip(b"C") + b"-ply" for w in self]
        return columns.take_text([w.decode("ascii") for w in words], numbers)


def candidates(rows, depths, stakes, problems):
    """Read every A.

    Returns
    -------
    Options
        With `played` False everywhere.
    chosen : ndarray of int, shape (rows,)
        The rank that A names as played, from 0; -1 where there is no A.
    plays : ndarray of uint8, shape (options, 8)
    """
    chosen = np.full(len(rows), -1)
    row, numbers, plays, level = [], [], [], []
    for i, values in enumerate(rows.moves):
        if values is None:
            continue
        points = POINTS[rows.seat[i]]
        start = len(row)
        try:
            chosen[i] = int(values[0])
            for entry in values[1:]:
                words = entry.split()
                if len(words) < 2:
                    continue  # listed, not evaluated
                play, kind, *_ = words
                if kind == b"E":
                    at = 4 if words[2] == b"ver" else 2
                    numbers += map(float, words[at : at + CHANCES + 1])
                    level.append(depths[words[at + CHANCES + 1]])
                else:
                    score, trials = words.index(b"Score", 1) + 1, words.index(b"Trials", 1) + 1
                    output = words.index(b"Output", 1) + 1
                    numbers += map(float, words[output : output + CHANCES])
                    numbers.append(float(words[score]))
                    level.append(depths.rollout(words[trials]))
                plays.append(play.translate(points).ljust(2 * STEPS, b"\0"))
                row.append(i)
            broken = any(len(play) > 2 * STEPS for play in plays[start:])
        except (ValueError, IndexError):
            broken = True
        if broken:
            del row[start:], plays[start:], level[start:], numbers[(CHANCES + 1) * start :]
            problems.add("bad_analysis", "an entry of A that cannot be read: the row has no analysis",
                         rows.game[i], i + 1, rows.offset[i])  # fmt: skip
    row = np.array(row, np.int64)
    table = np.array(numbers, float).reshape(-1, CHANCES + 1)
    plays = np.frombuffer(b"".join(plays), "u1").reshape(-1, 2 * STEPS)
    kept = sound(rows, row, table[:, :CHANCES], stakes.possible(row, table[:, CHANCES]), problems)
    row, table, plays = row[kept], table[kept], plays[kept]
    boards = np.array(rows.points, np.int8).reshape(-1, 26)[row]
    first = np.searchsorted(row, row)
    return Options(
        row=row,
        rank=np.arange(len(row)) - first + 1,
        words=play_bytes(plays, boards),
        equity=table[:, CHANCES],
        chances=table[:, :CHANCES].clip(0, 1),
        level=np.array(level, np.int64)[kept],
        played=np.zeros(len(row), bool),
    ), chosen, plays


def mark_played(rows, options, chosen, plays, problems):
    """Mark the option that was played, and in `rows.illegal` the plays that break the rules.

    The entry that A names is believed where it moves the same checkers; else the one that leads to the same
    board, as gnuBG itself looks for it.
    """
    written = np.frombuffer(b"".join(rows.play), "u1").reshape(-1, 2 * STEPS)
    checker = (np.array(rows.kind) == CHECKER) & ~np.array(rows.illegal, bool)
    same = (_pairs(plays) == _pairs(written)[options.row]).all(axis=1) & checker[options.row]
    same &= options.rank - 1 == chosen[options.row]
    options.played |= same
    found = np.zeros(len(rows), bool)
    found[options.row[same]] = True
    doubtful = checker & np.array(rows.known, bool) & ~(found & _fits(written, rows.dice))
    start = np.searchsorted(options.row, np.arange(len(rows) + 1))
    for i in np.flatnonzero(doubtful):
        board, listed = rows.points[i], slice(start[i], start[i + 1])
        result = apply(board, _steps(written[i]))
        if not (legal_positions(board, rows.dice[i].decode()) == result).all(axis=1).any():
            rows.illegal[i] = True
            options.played[listed] = False
            problems.add("illegal_play", "the play breaks the rules: it is unscored",
                         rows.game[i], i + 1, rows.offset[i])  # fmt: skip
        elif not found[i] and len(plays[listed]):
            at = [k for k in range(start[i], start[i + 1]) if _leads_to(plays[k], board, result)]
            options.played[at[:1]] = True
            if not at:
                problems.add("play_not_listed", "the play is not among its candidates: it is unscored",
                             rows.game[i], i + 1, rows.offset[i])  # fmt: skip


def _pairs(plays):
    """Steps as sorted numbers: equal rows move the same checkers."""
    pairs = plays[:, 0::2].astype(np.int16) << 5 | plays[:, 1::2]
    return np.sort(pairs, axis=1)


def _fits(plays, dice):
    """Is every step the length of a die of its own, or a bear-off with a larger one?"""
    first, second = np.frombuffer(b"".join(dice), "u1").reshape(-1, 2).T - ord("0")
    start, end = plays[:, 0::2].astype(np.int64), plays[:, 1::2].astype(np.int64)
    none = start == 0

    def by(die, step):
        exact = start[:, step] - end[:, step] == die
        return none[:, step] | exact | ((end[:, step] == 0) & (start[:, step] <= die))

    mixed = (by(first, 0) & by(second, 1)) | (by(second, 0) & by(first, 1))
    double = np.logical_and.reduce([by(first, step) for step in range(STEPS)])
    return np.where(first == second, double, mixed & none[:, 2:].all(axis=1))


def _steps(play):
    return [(a, b) for a, b in zip(play[0::2].tolist(), play[1::2].tolist(), strict=True) if a]


def _leads_to(play, board, result):
    try:
        return (apply(board, _steps(play)) == result).all()
    except ValueError:
        return False


def sound(rows, row, chances, possible, problems):
    """Mask of the entries to keep: a value that cannot be costs all entries of its row, and one problem."""
    likely = ((chances >= -_NOISE) & (chances <= 1 + _NOISE)).all(axis=1)
    bad = np.unique(row[~(likely & possible)])
    for i in bad:
        problems.add("bad_value", "an evaluation has a value that cannot be: the row has no analysis",
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
