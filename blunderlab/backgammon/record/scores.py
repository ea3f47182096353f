"""What a score means: how far each side is from winning, and where the Crawford game stands."""

import numpy as np

__all__ = ["crawford_codes"]

NONE, CRAWFORD, POST = range(3)  # codes of the fixed categorical in `blunderlab.tables`


def crawford_codes(score0, score1, length, flagged, rule=False):
    """Say for each game whether it is the Crawford game, comes after it, or neither.

    Parameters
    ----------
    score0, score1 : array_like of int, shape (games,)
        Points at the start of each game.
    length : int or None
        Match length; None for money, where no game is either.
    flagged : array_like of bool, shape (games,)
        The record says that this is the Crawford game.
    rule : bool
        The match is played with the Crawford rule: when no game is flagged, the first with just one side 1 away
        is the Crawford game.

    Returns
    -------
    ndarray of int8
        0 none, 1 crawford, 2 post. A match to one point has neither: nobody came to be 1 away.

    Examples
    --------
    >>> crawford_codes([0, 6, 6], [0, 2, 3], 7, [False, True, False]).tolist()
    [0, 1, 2]
    """
    score0, score1 = np.asarray(score0), np.asarray(score1)
    if length is None or length == 1:
        return np.full(len(score0), NONE, np.int8)
    one, two = score0 == length - 1, score1 == length - 1
    flagged = np.asarray(flagged) & (one ^ two)
    if rule and not flagged.any() and (one ^ two).any():
        flagged = np.arange(len(one)) == np.argmax(one ^ two)
    return np.where(one | two, np.where(flagged, CRAWFORD, POST), NONE).astype(np.int8)
