"""gnuBG's cube records: what DA says, as equities of the doubler.

DA is ``E ver 3 plies…`` or ``X ver 3 … Trials n NoDouble Output … DoubleTake Output …`` with seven numbers for
no double and for double/take: five chances, the cubeless and the cubeful equity. In a match gnuBG writes the
cubeful ones as chances to win it.
"""

import numpy as np

from blunderlab.backgammon.record.options import CHANCES, sound
from blunderlab.readers.sgf.analysis import rollout

__all__ = ["cube_records"]

_OUTPUTS = 7  # the chances, the cubeless equity, the cubeful equity
_DP = 2


def cube_records(rows, depths, stakes, problems):
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
                level[i] = depths[rollout(words[words.index(b"Trials") + 1])]
                at = [
                    words.index(b"Output", words.index(name)) + 1
                    for name in (b"NoDouble", b"DoubleTake")
                ]
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
    scaled = stakes.scaled[row]
    row, table = row[scaled], table[scaled]
    chances, cubeful = table[..., :CHANCES], stakes.equity(row, table[..., -1])
    possible = np.stack([stakes.possible(row, side) for side in cubeful.T], axis=1).all(axis=1)
    kept = sound(
        rows, row, chances.reshape(-1, 2 * CHANCES), cubeful.sum(axis=1), possible, problems
    )
    row, chances, cubeful = row[kept], chances[kept], cubeful[kept]

    equities, outcomes = np.full((n, 3), np.nan), np.full((n, 2, CHANCES), np.nan)
    outcomes[row] = chances
    equities[row, :_DP], equities[row, _DP] = cubeful, 1.0
    return equities, outcomes, level
