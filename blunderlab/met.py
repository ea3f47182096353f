"""Match equity tables: the chance to win a match, and what a unit of equity is worth at a score.

>>> from blunderlab import met
>>> table = met.load("kazaross-xg2")
>>> table.mwc(2, 3, "none")                                # 2-away, 3-away
0.59947
>>> round(0.100 * table.price(5, 3, 1, "none"), 6)         # 100 millipoints at 2-4 in 7
0.008604

One call prices every decision of a frame:

>>> table.price([5, 5, 1], [3, 3, 5], [1, 2, 1], ["none", "none", "crawford"]).round(5)
array([0.08604, 0.1709 , 0.15501])

Sources: the table is Neil Kazaross's (``data/kazaross-xg2.csv``, with its notice). Beyond its 25
points "zadeh" is the model of N. Zadeh, *On Doubling in Tournament Backgammon*, Management Science
23 (1977) 986, with the parameters of gnuBG's ``met/zadeh.xml``; "gnubg" is what gnuBG itself does
there (``matchequity.c``): David Montgomery's normal approximation before and in the Crawford game,
Zadeh's recursion after it.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from importlib import resources

import numpy as np
import pandas as pd

#: Points away of the longest match that has a price: gnuBG's MAXSCORE.
MAX_AWAY = 64

_OUT = MAX_AWAY + 1  # the index of "no such score": NaN in the dense tables
_FILES = {"kazaross-xg2": "kazaross-xg2.csv"}


def names():
    """Names that `load` knows.

    Returns
    -------
    list of str

    Examples
    --------
    >>> names()
    ['kazaross-xg2']
    """
    return sorted(_FILES)


def load(name="kazaross-xg2", beyond="zadeh"):
    """A match equity table by its name.

    Parameters
    ----------
    name : str or MatchEquity
        One of `names`, in any case. A `MatchEquity` is given back as it is (and `beyond` is not
        looked at), so that a caller can take either.
    beyond : {"zadeh", "gnubg"}
        What continues the table past its last score (25-away for Kazaross-XG2) up to `MAX_AWAY`.
        "gnubg" inverts the winning chances of a gnuBG file; our own prices take "zadeh".

    Returns
    -------
    MatchEquity
        The same object at every call.

    Raises
    ------
    ValueError
        `name` or `beyond` is not known.

    Examples
    --------
    >>> round(load().mwc(40, 33, "none"), 6)
    0.332034
    >>> round(load("kazaross-xg2", beyond="gnubg").mwc(40, 33, "none"), 6)
    0.321727
    """
    if isinstance(name, MatchEquity):
        return name
    key = name.lower() if isinstance(name, str) else name
    if key not in _FILES:
        raise ValueError(f"unknown match equity table {name!r}; known: {', '.join(names())}")
    if beyond not in _EXTENSIONS:
        raise ValueError(f"unknown extension {beyond!r}; known: {', '.join(_EXTENSIONS)}")
    return _load(key, beyond)


@dataclass(frozen=True)
class MatchEquity:
    """A match equity table, ready for lookup; made by `load`.

    Attributes
    ----------
    name, beyond : str
        The table, and what continues it past its last score.
    table : numpy.ndarray of float64, shape (3, MAX_AWAY + 2, MAX_AWAY + 2), read-only
        The player's chance to win the match (0..1) by [0 before, 1 after the Crawford game, away,
        opponent's away]. Away 0 is a match already won; the last index of each axis is NaN.
    """

    name: str
    beyond: str
    table: np.ndarray = field(repr=False, compare=False)

    def mwc(self, away, opponent_away, crawford):
        """The player's chance to win the match, before a game at this score.

        Parameters
        ----------
        away, opponent_away : scalar or array_like of numbers
            Points still needed: 1 in and after the Crawford game, 0 or less when the match is won.
        crawford : {"none", "crawford", "post"}, bool, or array_like of these
            Which game it is. "post" with a side 1 away reads the post-Crawford vector, all else the
            plain table. A bool says whether it *is* the Crawford game: False with a side 1 away is
            after it.

        Returns
        -------
        float or numpy.ndarray of float64
            In 0..1, in the broadcast shape; a float for scalars. NaN where an argument is missing,
            not whole or above `MAX_AWAY`, or both sides have won (money written as 0, 0).

        Raises
        ------
        ValueError
            `crawford` holds another value.

        Examples
        --------
        >>> table = load()
        >>> table.mwc(2, 1, "crawford"), table.mwc(2, 1, "post")
        (0.32264, 0.48803)
        >>> table.mwc([0, 3, 99999], [3, 0, 99999], "none")
        array([ 1.,  0., nan])
        """
        return _get(self.table, _game(crawford, _AFTER), _points(away), _points(opponent_away))

    def price(self, away, opponent_away, cube, crawford):
        """What one unit of equity is worth in chances to win the match: (W₊ − W₋) / 2.

        W₊ and W₋ are the player's chances after winning and losing `cube` points from this score.
        In the Crawford game and after it (a side 1 away before the game, or `crawford` says so) a
        resulting score with a side 1 away is after the Crawford game; reached from any other score
        it is the Crawford game itself.

        Parameters
        ----------
        away, opponent_away : scalar or array_like of numbers
            Points still needed before the game, 1 to `MAX_AWAY`.
        cube : scalar or array_like of numbers
            Points at stake, 1 or more: the cube *before* the double, for a take and a pass too.
        crawford : {"none", "crawford", "post"}, bool, or array_like of these
            Which game it is, as in `mwc`; with a side 1 away it makes no difference.

        Returns
        -------
        float or numpy.ndarray of float64
            Fraction of a match per unit of equity, in the broadcast shape; a float for scalars.
            NaN where an argument is missing, not whole or out of range: a money game and a match
            already won have no price.

        Raises
        ------
        ValueError
            `crawford` holds another value.

        Examples
        --------
        >>> table = load()
        >>> table.price(1, 1, 1, "post")                       # double match point
        0.5
        >>> table.price([2, None], 2, [[2], [4]], "none")      # a dead cube; no score
        array([[0.5, nan],
               [0.5, nan]])
        """
        game = _game(crawford, _RESULTS_AFTER)
        points = _points(away), _points(opponent_away), _points(cube, most=MAX_AWAY)
        return _get(self._prices, game, *points)

    @functools.cached_property
    def _prices(self):
        """Every price by [which game, away, opponent's away, cube]: a lookup is one gather."""
        flag, mine, theirs, cube = np.ix_(range(3), *[range(_OUT + 1)] * 3)
        after = np.where((mine == 1) | (theirs == 1), np.maximum(flag, 1), flag)
        won = self.table[after, np.maximum(mine - cube, 0), theirs]
        lost = self.table[after, mine, np.maximum(theirs - cube, 0)]
        real = (mine > 0) & (theirs > 0) & (cube > 0) & (cube < _OUT)
        return np.where(real, (won - lost) / 2, np.nan)


# -- arguments ------------------------------------------------------------------------------------

# What a value of `crawford` selects on the first axis: for the score before the game, and for the
# scores that result from it. A missing one selects NaN.
_AFTER = {"none": 0, "crawford": 0, "post": 1, True: 0, False: 1}
_RESULTS_AFTER = {"none": 0, "crawford": 1, "post": 1, True: 1, False: 0}
_UNKNOWN = 2


def _get(table, *index):
    value = table[index]
    return value if value.ndim else float(value)


def _points(x, most=None):
    """Whole numbers as indices 0 … `most`; all that is no score (NaN, 2.5, 65) as `_OUT`."""
    if hasattr(x, "to_numpy"):
        numpy_backed = isinstance(x.dtype, np.dtype)
        x = x.to_numpy() if numpy_backed else x.to_numpy(dtype=np.float64, na_value=np.nan)
    x = np.asarray(x)
    if x.dtype.kind not in "iuf":  # None and pd.NA do not convert by themselves
        x = np.where(pd.isna(x), np.nan, x).astype(np.float64)
    x = x if most is None else np.minimum(x, most)
    x = np.maximum(np.fmin(x, _OUT), 0)  # of a NaN and a number fmin takes the number
    whole = x.astype(np.intp)
    return np.where(whole == x, whole, _OUT) if x.dtype.kind == "f" else whole


def _game(crawford, meaning):
    """The first index that each value of `crawford` selects."""
    if isinstance(crawford, str | bool):
        return np.asarray(_one(crawford, meaning))
    dtype = getattr(crawford, "dtype", None)
    if isinstance(dtype, pd.CategoricalDtype):  # a decisions frame: no pass over the values
        codes, values = getattr(crawford, "array", crawford).codes, dtype.categories
    elif isinstance(dtype, pd.api.extensions.ExtensionDtype):
        codes, values = pd.factorize(crawford)
    else:
        crawford = np.asarray(crawford, dtype=object)
        codes, values = pd.factorize(crawford.ravel())
        codes = codes.reshape(crawford.shape)
    lookup = [*(_one(value, meaning) for value in values), _UNKNOWN]  # NA has code -1: the last
    return np.array(lookup, dtype=np.intp)[codes]


def _one(value, meaning):
    if value not in meaning:
        raise ValueError(f"crawford is none, crawford, post or a bool, not {value!r}")
    return meaning[value]


# -- building a table -----------------------------------------------------------------------------


@functools.cache
def _load(name, beyond):
    text = (resources.files("blunderlab") / "data" / _FILES[name]).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = np.loadtxt(lines[1:], delimiter=",")  # away, the chances by opponent's away, post
    known, post = rows[:, 1:-1], rows[:, -1]
    length = len(known)

    # A match of `length` points never gets to `length`-away after the Crawford game: gnuBG leaves
    # the last entry of the vector to the extension, and so do we for both.
    before, vector = _EXTENSIONS[beyond](post[:-1])
    before[1 : length + 1, 1 : length + 1] = known
    vector[1:length] = post[:-1]

    table = np.full((3, _OUT + 1, _OUT + 1), np.nan)
    table[:2, :_OUT, :_OUT] = before
    table[1, 1:_OUT, 1] = vector[1:]
    table[1, 1, 1:_OUT] = 1 - vector[1:]
    table.flags.writeable = False
    return MatchEquity(name, beyond, table)


def _zadeh(post):
    """Zadeh's model: (before[away, opponent's away], the trailer's chance after the Crawford game).

    A player cashes from `bar` on if the cube is dead once doubled, else from the point which the
    opponent's redouble, `delta` short of efficient, leaves. The two cash points and the scores one
    point on give the chance at a score. All scores on the way have fewer points to go together,
    hence the loop over that sum; the opponent's side of one sum is the same array backwards.
    """
    f = np.float32  # the sixth digit of published values depends on it and on the order of sums
    leader, trailer, delta, delta_bar = f(0.25), f(0.15), f(0.08), f(0.06)  # met/zadeh.xml
    one, half = f(1), f(0.5)
    vector = _after_crawford([])
    before = _won_or_lost(f)
    n = np.arange(1, _OUT)
    two_on, one_on = vector[np.maximum(n - 2, 0)], vector[n - 1]
    before[1:, 1] = leader * half * two_on + (one - leader) * half * one_on
    before[1, 1:] = one - before[1:, 1]

    for total in range(4, 2 * MAX_AWAY + 1):
        a = np.arange(max(2, total - MAX_AWAY), min(MAX_AWAY, total - 2) + 1)
        b = total - a

        def at(won, lost, a=a, b=b):
            return before[np.maximum(a - won, 0), np.maximum(b - lost, 0)]

        cash = None
        for cube in (64, 32, 16, 8, 4, 2, 1):
            if cube > 1 and cube >= total // 2:
                continue  # the next one, too, is dead at every score of this sum
            # The opponent of a player for whom the cube is dead turns it at once.
            stake = np.where((a <= 2 * cube) & (b > 2 * cube), 2 * cube, cube)
            win = leader * at(4 * stake, 0) + (one - leader) * at(2 * stake, 0)
            lose = trailer * at(0, 4 * stake) + (one - trailer) * at(0, 2 * stake)
            bar = (at(cube, 0) - lose) / (win - lose)
            if cash is None:
                cash = bar
            else:
                live = one + (cash[::-1] + delta) * (bar - one)
                cash = np.where((a <= 2 * cube) | (b <= 2 * cube), bar, live)
        theirs = cash[::-1]
        chance = (theirs + delta_bar - half) * at(1, 0) + (cash + delta_bar - half) * at(0, 1)
        chance /= cash + delta_bar + theirs + delta_bar - one
        # gnuBG computes the trailer's half and mirrors it.
        before[a, b] = np.where(a > b, chance, np.where(a < b, one - chance[::-1], half))
    before = before.astype(np.float64)
    return np.where(np.tri(_OUT, dtype=bool), before, 1 - before.T), vector  # no leader at 1.0


# Standard deviation of the points of a game for a player 1, 2 … 10 and more than 10 away (gnuBG).
_SD = np.array([np.nan, 1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72, 1.77])


def _montgomery(post):
    """gnuBG's extension: a normal deviate must make up the difference in (a + b) / 2 games."""
    before = _won_or_lost(np.float64)
    n = np.arange(1, _OUT)
    sd = _SD[np.minimum(n, len(_SD) - 1)]
    sigma = np.hypot(sd[:, None], sd) * np.sqrt((n[:, None] + n) / 2)
    upper_tail = np.frompyfunc(math.erfc, 1, 1)((n[:, None] - n) / (sigma * math.sqrt(2)))
    before[1:, 1:] = upper_tail.astype(np.float64) / 2
    return before, _after_crawford(post)


def _after_crawford(start):
    """Zadeh's chance of the trailer: every game doubled, a quarter of the wins gammons."""
    gammon, free_drop = 0.25, {2: 0.015, 4: 0.004}  # gnuBG's met/zadeh.xml
    vector = np.ones(_OUT)
    vector[1 : len(start) + 1] = start
    for n in range(len(start) + 1, _OUT):
        four_on, two_on = vector[max(n - 4, 0)], vector[max(n - 2, 0)]
        vector[n] = gammon / 2 * four_on + (1 - gammon) / 2 * two_on - free_drop.get(n, 0)
    return vector


def _won_or_lost(dtype):
    before = np.full((_OUT, _OUT), np.nan, dtype)
    before[0, 1:], before[1:, 0] = 1, 0
    return before


_EXTENSIONS = {"zadeh": _zadeh, "gnubg": _montgomery}
