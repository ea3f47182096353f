"""gnuBG's candidates: every A as options.

An entry of A is ``move E ver 3 win wing winbg loseg losebg SCORE plies…`` (SCORE normalised to the cube) or a
rollout, ``move X ver 3 Score SCORE … Trials n Output win wing winbg loseg losebg cubeless cubeful …``.
"""

import numpy as np
import pyarrow as pa
from pyarrow import csv

from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.record.options import CHANCES, Options, Words, sound
from blunderlab.readers.sgf.rows import POINTS
from blunderlab.tables import columns

__all__ = ["Levels", "candidates", "rollout"]

_ROLLOUT = b"rollout"

# One entry is a line of words, and reading such lines is what Arrow is fast at.
_NUMBERS = ["win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "score"]
_FIXED = {"kind": [b"E"], "ver": [b"ver"], "version": [b"3"]}
_ENTRY = ["move", *_FIXED, *_NUMBERS, "plies", "reduced", "deterministic", "noise", "prune"]
_TEXTS = ["move", *_FIXED, "plies"]
_ONE_THREAD = csv.ReadOptions(use_threads=False, column_names=_ENTRY)
_SPACES = csv.ParseOptions(delimiter=" ", quote_char=False)
_COLUMNS = csv.ConvertOptions(
    include_columns=_TEXTS + _NUMBERS,
    column_types=dict.fromkeys(_TEXTS, pa.binary()) | dict.fromkeys(_NUMBERS, pa.float64()),
    null_values=[],
)


class Levels(Words):
    """gnuBG's depths as written."""

    def __missing__(self, written):
        if not _is_depth(written):
            raise ValueError(f"{written!r} is no depth")
        return super().__missing__(written)

    def column(self, numbers):
        """Their words as a `str` column: "2-ply", "rollout 1296"."""
        words = [w if w.startswith(_ROLLOUT) else w.removesuffix(b"C") + b"-ply" for w in self]
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
    row, entries = [], []
    for i, values in enumerate(rows.moves):
        if values is None:
            continue
        if values[0].strip().isdigit():
            chosen[i] = int(values[0])
            row += [i] * (len(values) - 1)
            entries += values[1:]
        else:
            _unread(rows, i, problems)
    row = np.array(row, np.int64)
    read = _regular(entries)
    if read is None:
        read, kept = _any(entries, row, rows, problems)
        row = row[kept]
    letters, table, written, depth = read
    plays = np.array(POINTS, "u1")[np.array(rows.seat, int)[row][:, None], letters]
    level = np.array([depths[w] for w in written], np.int64)[depth]
    equity = table[:, CHANCES]
    kept = sound(rows, row, table[:, :CHANCES], equity, stakes.possible(row, equity), problems)
    row, table, plays, level = row[kept], table[kept], plays[kept], level[kept]
    boards = np.array(rows.points, np.int8).reshape(-1, 26)[row]
    first = np.searchsorted(row, row)
    return (
        Options(
            row=row,
            rank=np.arange(len(row)) - first + 1,
            words=play_bytes(plays, boards),
            equity=table[:, CHANCES],
            chances=table[:, :CHANCES],
            level=level,
            played=np.zeros(len(row), bool),
        ),
        chosen,
        plays,
    )


def _regular(entries):
    """Read entries that are all as gnuBG writes evaluations today; None where one is something else.

    Returns
    -------
    tuple
        Letters of the plays, shape (n, 8); numbers, shape (n, 6); the different depths; which of them each
        has, shape (n,).
    """
    n = len(entries)
    if not n:
        return np.zeros((0, 2 * STEPS), "u1"), np.zeros((0, CHANCES + 1)), [], np.zeros(0, np.int64)
    try:
        read = csv.read_csv(pa.BufferReader(b"\n".join(entries)), _ONE_THREAD, _SPACES, _COLUMNS)
    except pa.ArrowInvalid:
        return None
    shape = [read[name].unique().to_pylist() for name in _FIXED]
    move = read["move"].combine_chunks()
    depth = read["plies"].combine_chunks().dictionary_encode()
    written = depth.dictionary.to_pylist()
    offsets = (
        np.frombuffer(move.buffers()[1], np.int32, n + 1) if read.num_rows == n else np.zeros(1)
    )
    length = np.diff(offsets)
    short = len(length) == n and length.max() <= 2 * STEPS
    if shape != list(_FIXED.values()) or not short or not all(map(_is_depth, written)):
        return None
    letters = np.zeros((n, 2 * STEPS), "u1")
    letters[np.arange(2 * STEPS) < length[:, None]] = np.frombuffer(move.buffers()[2], "u1")[
        : offsets[-1]
    ]
    numbers = np.stack([read[name].to_numpy() for name in _NUMBERS], axis=1)
    return letters, numbers, written, depth.indices.to_numpy()


def _any(entries, row, rows, problems):
    """Read entries one by one: rollouts, other versions, candidates without a value, faults.

    Returns
    -------
    read : tuple
        As of `_regular`.
    kept : ndarray of int
        Which entries these are.
    """
    letters, numbers, written, kept, broken = [], [], [], [], set()
    for k, entry in enumerate(entries):
        words = entry.split()
        if len(words) < 2:
            continue  # listed, not evaluated
        try:
            if words[1] == b"E":
                at = 4 if words[2] == b"ver" else 2
                values, depth = words[at : at + CHANCES + 1], words[at + CHANCES + 1]
            else:
                output, score = words.index(b"Output", 1) + 1, words.index(b"Score", 1) + 1
                values = [*words[output : output + CHANCES], words[score]]
                depth = rollout(words[words.index(b"Trials", 1) + 1])
            if len(words[0]) > 2 * STEPS or not _is_depth(depth):
                raise ValueError("no play or no depth")
            numbers.append([float(value) for value in values])
        except (ValueError, IndexError):
            if row[k] not in broken:
                _unread(rows, int(row[k]), problems)
            broken.add(row[k])
            continue
        letters.append(words[0])
        written.append(depth)
        kept.append(k)
    sane = [i for i, k in enumerate(kept) if row[k] not in broken]
    different, at = np.unique(np.array([written[i] for i in sane], "S"), return_inverse=True)
    table = np.array([numbers[i] for i in sane], float).reshape(-1, CHANCES + 1)
    plays = np.array([letters[i] for i in sane], f"S{2 * STEPS}").view("u1").reshape(-1, 2 * STEPS)
    return (plays, table, different.tolist(), at), np.array([kept[i] for i in sane], np.int64)


def _unread(rows, i, problems):
    problems.add("bad_analysis", "an entry of A that cannot be read: the row has no analysis",
                 rows.game[i], i + 1, rows.offset[i])  # fmt: skip


def rollout(trials):
    """Write the depth of a rollout of so many games.

    Examples
    --------
    >>> rollout(b"1296")
    b'rollout 1296'
    """
    return b"%s %d" % (_ROLLOUT, int(trials))


def _is_depth(written):
    return written.startswith(_ROLLOUT) or written.removesuffix(b"C").isdigit()
