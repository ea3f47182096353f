"""gnuBG's cube records: what DA says, as equities of the doubler and as options of who decides.

DA is ``E ver 3 plies…`` or ``X ver 3 … Trials n NoDouble Output … DoubleTake Output …`` with seven numbers for no
double and for double/take: five chances, the cubeless and the cubeful equity. In a match gnuBG writes the cubeful
ones as chances to win it, under its match equity table and what it continues that with beyond 25 points.
"""

import numpy as np

from blunderlab import columns
from blunderlab import met as tables_of_equity
from blunderlab.readers.sgf_analysis import CHANCES, Options, sound
from blunderlab.readers.sgf_rows import ANSWERS, DOUBLE, NO_DOUBLE, TAKE
from blunderlab.tables import CRAWFORD, SCHEMA

__all__ = ["cube_options", "cube_records"]

_OUTPUTS = 7  # the chances, the cubeless equity, the cubeful equity
_ND, _DT, _DP = range(3)
_NONE, _POST = CRAWFORD.index("none"), CRAWFORD.index("post")
_CRAWFORD_DTYPE = {c.name: c.pandas for c in SCHEMA["games"]}["crawford"]
_WORDS = columns.words("No double", "Double/Take", "Double/Pass", "Take", "Pass")


def cube_records(rows, depths, match, problems):
    """Read every DA that is of its row's own decision; what answers a beaver has none.

    Returns
    -------
    equities : ndarray, shape (rows, 3)
        No double, double/take, double/pass in the doubler's view, normalised to the cube before the double.
    chances : ndarray, shape (rows, 2, 5)
        The doubler's, after no double and after double/take.
    level : ndarray of int, shape (rows,)
    """
    n = len(rows)
    row, numbers = [], []
    level = np.zeros(n, np.int64)
    for i, value in enumerate(rows.cubes):
        if value is None or rows.answered[i] > 1:
            continue
        words = value.split()
        try:
            if words[0] == b"E":
                level[i] = depths[words[3 if words[1] == b"ver" else 5]]
                two = [float(w) for w in words[-2 * _OUTPUTS :]]
            else:
                level[i] = depths.rollout(words[words.index(b"Trials") + 1])
                at = [words.index(b"Output", words.index(name)) + 1 for name in (b"NoDouble", b"DoubleTake")]
                two = [float(w) for start in at for w in words[start : start + _OUTPUTS]]
        except (ValueError, IndexError):
            two = []
        if len(two) != 2 * _OUTPUTS:
            problems.add("bad_analysis", "a DA that cannot be read: the row has no analysis",
                         rows.game[i], i + 1, rows.offset[i])  # fmt: skip
            continue
        row.append(i)
        numbers.append(two)
    row = np.array(row, np.int64)
    table = np.array(numbers, float).reshape(-1, 2, _OUTPUTS)
    chances, cubeful = table[..., :CHANCES], table[..., -1]
    likely = [chances.reshape(-1, 2 * CHANCES)] + [cubeful] * (match.length is not None)
    kept = sound(rows, row, cubeful, np.concatenate(likely, axis=1), problems)
    row, chances, cubeful = row[kept], chances[kept], cubeful[kept]

    equities, outcomes = np.full((n, 3), np.nan), np.full((n, 2, CHANCES), np.nan)
    outcomes[row] = chances.clip(0, 1)
    if match.length is not None:
        won, lost = _stakes(rows, row, match)
        cubeful = (2 * cubeful - (won + lost)[:, None]) / (won - lost)[:, None]
    equities[row, :_DP] = cubeful
    equities[row, _DP] = np.where(np.isnan(cubeful).any(axis=1), np.nan, 1.0)
    return equities, outcomes, level


def _stakes(rows, row, match):
    """The doubler's chances to win the match after winning and losing the cube before the double."""
    table = tables_of_equity.load("kazaross-xg2", beyond="gnubg")
    game = np.array(rows.game)[row] - 1
    kind, seat = np.array(rows.kind)[row], np.array(rows.seat)[row]
    doubler = np.where(np.isin(kind, ANSWERS), 1 - seat, seat)
    away = np.where(match.sound[:, None], match.length - match.scores, -1)[game]
    own, other = away[np.arange(len(row)), doubler], away[np.arange(len(row)), 1 - doubler]
    unknown = own < 0
    cube = 1 << np.array(rows.cube, np.int64)[row]
    # In and after the Crawford game, what it leads to is after it.
    code = np.where(match.crawford[game] == _NONE, _NONE, _POST).astype(np.int8)
    after = columns.category(code, _CRAWFORD_DTYPE)
    won = np.where(unknown, np.nan, table.mwc(own - cube, other, after))
    lost = np.where(unknown, np.nan, table.mwc(own, other - cube, after))
    return won, lost


def cube_options(rows, equities, chances, level):
    """Three options for the doubler, two for the one who answers; the better action first."""
    nd, dt, dp = equities.T
    kind = np.array(rows.kind)
    answer = np.isin(kind, ANSWERS)
    double = np.where(dt <= dp, _DT, _DP)  # the reply that the doubler must expect
    other = np.where(dt <= dp, _DP, _DT)
    best = np.where(nd >= np.minimum(dt, dp), _ND, double)
    second = np.where(best == _ND, double, _ND)
    ranked = np.stack([best, second, other], axis=1)
    ranked[answer] = np.stack([double, other, other], axis=1)[answer]
    use = np.repeat(~np.isnan(nd)[:, None], 3, axis=1)
    use[answer, 2] = False
    row, rank = np.nonzero(use)
    which, turned = ranked[row, rank], answer[row]

    outcome = np.where(which == _ND, 0, 1)
    win, win_g, win_b, lose_g, lose_b = chances[row, outcome].T
    own = np.stack([win, win_g, win_b, lose_g, lose_b], axis=1)
    theirs = np.stack([1 - win, lose_g, lose_b, win_g, win_b], axis=1)
    shown = np.where(turned[:, None], theirs, own)
    shown[which == _DP] = np.nan
    done = np.select([kind == NO_DOUBLE, kind == DOUBLE, kind == TAKE], [_ND, double, _DT], _DP)
    return Options(
        row=row,
        rank=rank + 1,
        words=_WORDS[which + 2 * turned],
        equity=equities[row, which] * np.where(turned, -1.0, 1.0),
        chances=shown,
        level=level[row],
        played=which == done[row],
    )
