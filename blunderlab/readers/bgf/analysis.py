"""BGBlitz's evaluations: candidates with their equities, cube decisions, and the errors that it stores.

What was measured on six matches (6,659 candidates, 889 stored errors of plays, 8 digits each):

- In a match, a candidate's `emg` is the cubeful equity normalised to the cube before the play, an exact straight
  line in its chances to win the match (`eqCubeFul`; `matchEquity`, cubeless, where there is no live cube): +1 at
  the chances after winning what is at stake, −1 after losing it, by BGBlitz's own table.
- In money play `emg` is −999, and `eqCubeFul` is the cubeful equity for the cube as it stands.
- The three of a cube decision are chances to win the match, in money play equities for the cube before the double;
  `eqDoublePass` is +1 on that line. The pre-roll `emg` belongs to the cubeless `matchEquity`, and these two with
  `eqDoublePass` give the line.
- `pr.checkerError` and `pr.cubeError` are such equities (played − best); −99 is "does not count", not "no error".
"""

from operator import itemgetter

import numpy as np

from blunderlab.backgammon.board import BAR
from blunderlab.backgammon.notation import STEPS, play_bytes
from blunderlab.backgammon.record.options import CHANCES, Options, sound
from blunderlab.backgammon.record.rows import ANSWERS, CHECKER, DOUBLE, NO_DOUBLE, ROLL
from blunderlab.readers.bgf.header import number, whole
from blunderlab.readers.bgf.rows import NOT_ANALYSED

__all__ = ["candidates", "cube_records", "stored_errors"]

_CHANCES = itemgetter("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
_LARGEST = 100.0  # equity; close to a match's end the normalised ones go well beyond 3
_UNCOUNTED = -98.0  # BGBlitz writes -99
_APART = 1e-4  # equity between two points that a line is drawn through: 8 digits give it to 1e-4
_STORED = 2e-8  # two values of 8 digits
_ND, _DT, _DP = range(3)


def _depth(ply):
    """A depth in words, in plies as BGBlitz counts them; None is not known."""
    return None if ply is None else f"{ply}-ply"


def candidates(rows, match, depths, problems):
    """Read every candidate of every play.

    Returns
    -------
    Options
        With `played` False everywhere.
    chosen : ndarray of int, shape (rows,)
        The rank that is marked as played, from 0; -1 where none is.
    plays : ndarray of uint8, shape (options, 8)
    """
    row, plays, numbers, level, marked = [], [], [], [], []
    for i, record in enumerate(rows.moves):
        if rows.kind[i] not in (CHECKER, ROLL):
            continue
        listed = record.get("moveAnalysis") or ()
        if not listed:
            continue
        try:
            read = [_candidate(one, match) for one in listed]
        except (KeyError, TypeError, ValueError, AttributeError):
            problems.add("bad_analysis", "a candidate without an equity, or that cannot be read: the row has no analysis",
                         rows.game[i], i + 1)  # fmt: skip
            continue
        for play, values, ply, played in read:
            if values[CHANCES] > NOT_ANALYSED or values[CHANCES] != values[CHANCES]:
                row.append(i)
                plays.append(play)
                numbers.append(values)
                level.append(depths[_depth(ply)])
                marked.append(played)
    row = np.array(row, np.int64)
    table = np.array(numbers, float).reshape(-1, CHANCES + 1)
    plays = np.array(plays, "u1").reshape(-1, 2 * STEPS)
    equity = table[:, CHANCES]
    kept = sound(rows, row, table[:, :CHANCES], equity, np.abs(equity) <= _LARGEST, problems)
    row, table, plays = row[kept], table[kept], plays[kept]
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    marked = np.array(marked, bool)[kept]
    chosen = np.full(len(rows), -1)
    chosen[row[marked]] = rank[marked]
    return (
        Options(
            row=row,
            rank=rank + 1,
            words=play_bytes(plays, np.array(rows.points, np.int8).reshape(-1, 26)[row]),
            equity=table[:, CHANCES],
            chances=table[:, :CHANCES],
            level=np.array(level, np.int64)[kept],
            played=np.zeros(len(row), bool),
        ),
        chosen,
        plays,
    )


def _candidate(one, match):
    """Play as eight numbers, chances and equity, depth, mark."""
    move, value = one["move"], one["eq"]
    cube = value.get("cubeDecision")
    if value.get("hasEMG", match.length is not None):
        equity = value["emg"]
    elif match.length is None and cube is not None:
        equity = cube["eqCubeFul"]
    elif match.length is None and match.cubeless:
        equity = value["equity"]
    else:  # chances to win the match, or a cubeless equity: what they are worth is not in the file
        raise ValueError("no equity")
    play = []
    for start, end in zip(move["from"], move["to"], strict=True):
        if start == -1:
            break
        end = max(end, 0)
        if not end < start <= BAR:
            raise ValueError("no step on a board")
        play += (start, end)
    play += [0] * (2 * STEPS - len(play))
    if len(play) > 2 * STEPS:
        raise ValueError("too many steps")
    return (
        play,
        [*map(float, _CHANCES(value)), float(equity)],
        whole(one.get("ply"), 0),
        one.get("played") is True,
    )


def cube_records(rows, match, depths, problems):
    """Read the evaluation of every cube decision.

    Returns
    -------
    equities : ndarray, shape (rows, 3)
        No double, double/take, double/pass in the doubler's view, normalised to the cube before the double.
    chances : ndarray, shape (rows, 2, 5)
        The doubler's before the roll, once for each of his two choices.
    level : ndarray of int, shape (rows,)
    """
    n = len(rows)
    equities, outcomes = np.full((n, 3), np.nan), np.full((n, 2, CHANCES), np.nan)
    level = np.zeros(n, np.int64)
    row, numbers = [], []
    for i, record in enumerate(rows.cubes):
        if record is None:
            continue
        level[i] = depths[_depth(whole(record.get("ply"), 0))]
        value = record.get("equity")
        if value is None or (isinstance(value, dict) and value.get("cubeDecision") is None):
            continue
        try:
            cube = value["cubeDecision"]
            three = [float(cube[name]) for name in ("eqNoDouble", "eqDoubleTake", "eqDoublePass")]
            if min(three) <= NOT_ANALYSED:
                continue
            if match.length is not None:
                three = _on_line(three, record)
            numbers.append([*map(float, _CHANCES(value)), *three])
        except (KeyError, TypeError, ValueError, AttributeError):
            problems.add("bad_analysis", "a cube decision that cannot be read: the row has no analysis",
                         rows.game[i], i + 1)  # fmt: skip
            continue
        row.append(i)
    row = np.array(row, np.int64)
    table = np.array(numbers, float).reshape(-1, CHANCES + 3)
    chances, three = table[:, :CHANCES], table[:, CHANCES:]
    kept = sound(
        rows, row, chances, three.sum(axis=1), (np.abs(three) <= _LARGEST).all(axis=1), problems
    )
    equities[row[kept]] = three[kept]
    outcomes[row[kept]] = chances[kept, None]
    return equities, outcomes, level


def _on_line(three, record):
    """Equities from chances to win the match, on the line through the two points that lie farthest apart."""
    value = record["equity"]
    points = [(1.0, three[_DP]), (number(value["emg"]), number(value["matchEquity"]))]
    if abs(points[1][0] - 1.0) < _APART:
        for candidate in record.get("moveAnalysis") or ():
            points.append(
                (
                    number(candidate["eq"]["emg"]),
                    number(candidate["eq"]["cubeDecision"]["eqCubeFul"]),
                )
            )
    points = [p for p in points if p[0] > NOT_ANALYSED and p[1] > NOT_ANALYSED]
    (low, bottom), (high, top) = min(points), max(points)
    if high - low < _APART or top <= bottom:
        raise ValueError("no line")
    half = (top - bottom) / (high - low)
    return [high + (chance - top) / half for chance in three]


def stored_errors(rows, options, equities, problems):
    """The errors that BGBlitz counted; NaN where it counted none.

    One that is not what its equities give is a problem, and is used.
    """
    kind = np.array(rows.kind, np.int8)
    plays = kind == CHECKER
    stored = np.full(len(rows), np.nan)
    for i, record in enumerate(rows.moves):
        pr = record.get("pr")
        if isinstance(pr, dict):
            stored[i] = number(pr.get("checkerError" if plays[i] else "cubeError"))
    stored[~(stored > _UNCOUNTED) | np.isinf(stored) | (stored > 0) | (kind == ROLL)] = np.nan
    stored = np.abs(stored)

    recomputed = np.full(len(rows), np.nan)
    first = np.searchsorted(options.row, options.row[options.played])
    at = options.row[options.played]
    recomputed[at] = options.equity[first] - options.equity[options.played]
    cube = ~np.isnan(equities[:, _ND])
    nd, dt, dp = equities[cube].T
    double = np.minimum(dt, dp)
    cost = {NO_DOUBLE: double - nd, DOUBLE: nd - double, ANSWERS[0]: dt - dp, ANSWERS[1]: dp - dt}
    recomputed[cube] = np.select([kind[cube] == k for k in cost], list(cost.values()), np.nan)
    stored[np.isnan(recomputed)] = np.nan
    scale = np.where(plays, _STORED, 1e-5)
    off = np.abs(stored - np.maximum(recomputed, 0)) > scale
    for i in np.flatnonzero(off):
        problems.add("error_differs", "the stored error is not what the stored equities give: the stored one is used",
                     rows.game[i], int(i) + 1)  # fmt: skip
    return stored
