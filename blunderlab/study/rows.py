"""What the study tools all ask of a row: which part of the game it is, and whether its price is known."""

import numpy as np
import pandas as pd

__all__ = ["CUBE", "ERROR", "excess", "of_player", "part", "priced"]

ERROR = 0.050  # equity; from here on, inclusive, a decision was an error
CUBE = "cube"  # the part that doubling, taking and passing make


def part(decisions):
    """Say which part of the game each row decides.

    Parameters
    ----------
    decisions : DataFrame
        Rows of the decisions table.

    Returns
    -------
    Series of str
        "checker", "cube" (double or not, take or pass) or "move" (chess, shogi); NA for a roll that was never
        played. With the frame's index.

    Examples
    --------
    >>> import pandas as pd
    >>> part(pd.DataFrame({"kind": ["checker", "take", "roll"]})).tolist()
    ['checker', 'cube', nan]
    """
    parts = {"checker": "checker", "move": "move"}
    parts |= dict.fromkeys(("no_double", "double", "take", "pass"), CUBE)
    return decisions["kind"].astype("str").map(parts).astype("str")


def priced(decisions):
    """Mask of the rows whose ℓ says something: counted, with a known loss."""
    known = decisions["loss"].notna().to_numpy(bool)
    return known & decisions["counted"].to_numpy(bool)


def excess(decisions):
    """ℓ − d of each row, an unknown d taken as 0; NaN where ℓ is unknown.

    Returns
    -------
    ndarray of float, shape (rows,)
        Fractions of a match.
    """
    difficulty = decisions["difficulty"].to_numpy(float)
    return decisions["loss"].to_numpy(float) - np.where(np.isnan(difficulty), 0, difficulty)


def of_player(decisions, player):
    """Mask of the rows of a player, given by one name or several.

    Raises
    ------
    ValueError
        When no row is theirs; it names who is there.
    """
    names = [player] if isinstance(player, str) else list(player)
    mine = decisions["player"].isin(names).to_numpy(bool)
    if not mine.any():
        there = ", ".join(sorted(pd.unique(decisions["player"].dropna()))) or "nobody"
        raise ValueError(f"no decision of {' or '.join(map(repr, names))}; there are: {there}")
    return mine
