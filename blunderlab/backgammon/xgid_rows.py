"""Many positions as XGID texts at once."""

import numpy as np

from blunderlab.backgammon.xgid import position_bytes
from blunderlab.tables import columns

__all__ = ["points_of", "xgid_column"]

_PREFIX = columns.words("XGID=")[0]
_COLON = ord(":")
_SIGNS = columns.words("0", "1", "-1")  # looked up by -1, 0, 1
_OFFERED = columns.words("D")
_COUNTS = np.zeros(128, np.int8)  # by letter
_COUNTS[ord("A") : ord("P")] = np.arange(1, 16)
_COUNTS[ord("a") : ord("p")] = -np.arange(1, 16)
_BOARD = slice(len("XGID="), len("XGID=") + 26)
_MOST = columns.words(":10")[0]  # XG's largest cube, 2^10


def xgid_column(
    points, exponent, owner, offered, dice, score, opponent_score, rules, length, missing=None
):
    """Write decisions' positions from the view of the player who decides.

    Parameters
    ----------
    points : ndarray of int8, shape (n, 26)
        Boards in the player's view.
    exponent, owner : ndarray of int, shape (n,)
        log2 of the cube before any double; its owner, 1 player, 0 centre, -1 opponent.
    offered : ndarray of bool, shape (n,)
        The opponent has doubled: XG writes the doubler's turn and D for dice.
    dice : ndarray of uint8, shape (n, 2)
        ASCII digits, "00" before the roll.
    score, opponent_score, rules : ndarray of int, shape (n,)
        Points won; rules is 1 in the Crawford game, for money Jacoby + 2 · beaver.
    length : int or ndarray of int, shape (n,)
        0 for money.
    missing : ndarray of bool, shape (n,), optional
        Rows whose position is NA: their score cannot be.

    Returns
    -------
    pandas.arrays.ArrowStringArray, length n
    """
    n = len(points)
    length = np.broadcast_to(length, n)
    width = len(str(max(x.max(initial=0) for x in (score, opponent_score, length))))
    dice = dice.copy()
    dice[offered] = (_OFFERED[0, 0], 0)
    fields = (
        position_bytes(points), columns.digits(exponent, 2), _SIGNS[owner], _SIGNS[np.where(offered, -1, 1)], dice,
        columns.digits(score, width), columns.digits(opponent_score, width), columns.digits(rules, 1),
        columns.digits(length, width),
    )  # fmt: skip
    text = np.full((n, len(_PREFIX) + sum(f.shape[1] + 1 for f in fields) + len(_MOST) - 1), _COLON, "u1")
    text[:, : len(_PREFIX)] = _PREFIX
    text[:, -len(_MOST) :] = _MOST
    at = len(_PREFIX)
    for field in fields:
        text[:, at : at + field.shape[1]] = field
        at += field.shape[1] + 1
    return columns.text_from_bytes(text, missing)


def points_of(positions):
    """Read the boards of XGIDs that `xgid_column` wrote, in the view of the player who decides.

    Parameters
    ----------
    positions : iterable of str, length n

    Returns
    -------
    ndarray of int8, shape (n, 26)

    Examples
    --------
    >>> points_of(["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"])[0, [1, 24]].tolist()
    [-2, 2]
    """
    letters = "".join(position[_BOARD] for position in positions).encode("ascii")
    return _COUNTS[np.frombuffer(letters, "u1").reshape(-1, 26)]
