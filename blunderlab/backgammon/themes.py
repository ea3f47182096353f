"""What kind of mistake it was: the theme of an error, and the blots a play left."""

import numpy as np
import pandas as pd

from blunderlab.backgammon.board import SIZE
from blunderlab.backgammon.notation import STEPS, parse_play
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.tables import DECISION_KEY

__all__ = ["CHECKER_THEMES", "CUBE_THEMES", "after", "best_and_played", "blots", "themes", "unlike_blots"]

CHECKER_THEMES = ("gammon", "blots", "point", "passive")
CUBE_THEMES = {
    "no_double": "doubletoolate",
    "double": "doubletooearly",
    "take": "taketooloose",
    "pass": "passtootight",
}

SILENT_BELOW = 0.060  # equity; smaller errors have no theme
GAMMON = 0.04  # of the games: the best play wins so many more gammons
BLOTS = 2  # more after the play than after the best
PASSIVE = 0.03  # of the games: the best play, with more blots, wins so many more
_NOISE = 1e-9  # lifts a difference that binary fractions put a hair below its bound
_POINTS = slice(1, 25)
_HOME = slice(1, 7)


def themes(t):
    """Name the theme of each error in backgammon.

    A cube error's theme is its direction. A checker play's is the first that fits: gammon (the best play wins 4 points of
    gammons more), blots (the play left two blots more), point (the best play makes more home points), passive (the
    best play left more blots, and wins 3 points of games more).

    Parameters
    ----------
    t : Tables
        Derived.

    Returns
    -------
    DataFrame
        With the index of `t.decisions`: theme (str; NA where the error is below 0.060, unknown, or fits none) and swing
        (percentage points for gammon and passive; blots or points more; millipoints for the cube; NaN without a
        theme).

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables("paris-7pt")
    >>> themes(t)["theme"].value_counts().index[0] in (*CHECKER_THEMES, *CUBE_THEMES.values())
    True
    """
    d = t.decisions
    wrong = d["error"].to_numpy(float) >= SILENT_BELOW - _NOISE
    wrong &= d["discipline"].eq("backgammon").to_numpy(bool)
    theme = d["kind"].astype("str").map(CUBE_THEMES).astype("str").where(wrong)
    swing = np.where(theme.notna(), 1000 * d["error"].to_numpy(float), np.nan)
    at = np.flatnonzero(wrong & d["kind"].eq("checker").to_numpy(bool))
    if len(at):
        found, by = _checker(d.iloc[at], t.options)
        theme = theme.to_numpy(object)
        theme[at], swing[at] = found, by
    return pd.DataFrame({"theme": pd.Series(theme, d.index, "str"), "swing": swing}, d.index)


def _checker(d, options):
    """Theme and swing of wrong checker plays."""
    best, played, ok = best_and_played(d)
    own = _chances(d, options)
    gammon = own["win_gammon_best"] - own["win_gammon_played"]
    win = own["win_best"] - own["win_played"]
    more = np.where(ok, blots(played) - blots(best), 0)
    made = np.where(ok, _home_points(best) - _home_points(played), 0)
    fits = {
        "gammon": gammon >= GAMMON - _NOISE,
        "blots": more >= BLOTS,
        "point": made > 0,
        "passive": (more < 0) & (win >= PASSIVE - _NOISE),
    }
    swings = [100 * gammon, more, made, 100 * win]
    theme = np.select(list(fits.values()), [np.array(x, object) for x in fits], None)
    return theme, np.select(list(fits.values()), swings, np.nan)


def _chances(d, options):
    """Chances to win and to win a gammon after the best and after the played option, row by row."""
    names = ["win", "win_gammon"]
    keys = d[DECISION_KEY].reset_index(drop=True)
    parts = []
    for suffix, rows in (("best", options["rank"].eq(1)), ("played", options["played"])):
        chosen = options.loc[rows.to_numpy(bool), [*DECISION_KEY, *names]]
        chosen = chosen.drop_duplicates(DECISION_KEY)
        parts.append(keys.merge(chosen, "left", DECISION_KEY)[names].add_suffix(f"_{suffix}"))
    return {name: part[name].to_numpy(float) for part in parts for name in part}


def unlike_blots(d):
    """Blots after the play less blots after the best play.

    Parameters
    ----------
    d : DataFrame
        Checker rows of the decisions table.

    Returns
    -------
    ndarray of float, shape (rows,)
        NaN where one of the two plays cannot be made on the board. A play that cost nothing counts as the best.
    """
    best, played, ok = best_and_played(d)
    free = d["error"].eq(0).to_numpy(bool, na_value=False)
    return np.where(free, 0, np.where(ok, blots(played) - blots(best), np.nan))


def blots(points):
    """Count the single checkers of the side in view, the bar left out.

    Parameters
    ----------
    points : ndarray of int, shape (..., 26)

    Returns
    -------
    ndarray of int, shape (...)
    """
    return (points[..., _POINTS] == 1).sum(-1)


def _home_points(points):
    return (points[..., _HOME] >= 2).sum(-1)


def best_and_played(d):
    """Boards after the best and after the actual play of checker rows, and a mask: both are known."""
    known = d["position"].notna().to_numpy(bool)
    start = np.zeros((len(d), SIZE), np.int8)
    start[known] = points_of(d["position"].array[known].tolist())
    best, one = after(start, d["best"])
    played, two = after(start, d["played"])
    return best, played, known & one & two


def after(points, plays):
    """Make one written play on each board.

    Parameters
    ----------
    points : ndarray of int8, shape (n, 26)
        Before the plays, each in the mover's view.
    plays : Series of str, length n
        In the notation of the field; NA is none.

    Returns
    -------
    boards : ndarray of int8, shape (n, 26)
        After the plays, still in the mover's view.
    made : ndarray of bool, shape (n,)
        False where the text is no play, or cannot be made on that board: that board is unchanged.
    """
    code, texts = pd.factorize(plays)
    steps = np.zeros((len(texts) + 1, STEPS, 2), np.int64)  # the last for no text, code -1
    readable = np.zeros(len(texts) + 1, bool)
    for i, text in enumerate(texts):
        try:
            play = sorted(parse_play(text), reverse=True)
        except ValueError:
            continue
        readable[i] = True
        steps[i, : len(play)] = np.array(play).reshape(-1, 2)
    boards, made, rows = points.copy(), readable[code], np.arange(len(points))
    # From high to low: a checker that moves twice arrives before it goes on.
    for start, end in steps[code].transpose(1, 2, 0):
        there = start > 0
        made &= ~there | ((boards[rows, start] > 0) & ((end == 0) | (boards[rows, end] >= -1)))
        moves = there & made
        boards[rows, start] -= moves
        lands = moves & (end > 0)
        hit = lands & (boards[rows, end] == -1)
        boards[rows, end] += lands.astype(np.int8) + hit
        boards[:, 0] -= hit
    boards[~made] = points[~made]
    return boards, made
