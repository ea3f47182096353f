"""95 % intervals of a ratio of sums, over games or matches."""

import numpy as np

__all__ = ["FEWEST_UNITS", "Z", "grouped_interval", "ratio_interval"]

Z = 1.96
FEWEST_UNITS = 3
_NOISE = 1e-12  # relative; residuals below it are rounding, so the width is 0


def ratio_interval(e, n):
    """Ratio of two sums over units, with its 95 % interval.

    R = Σe/Σn; Var = G/(G−1) · Σ(e_u − R n_u)² / (Σn_u)²; R ± 1.96 √Var, the lower end at least 0.

    Parameters
    ----------
    e, n : array_like of float, shape (units,)
        Numerator and denominator of each unit (a game, a match). A unit with neither is none; one with a missing
        number is none either.

    Returns
    -------
    ratio, low, high : float
        The interval is NaN under three units and where it has no width; all are NaN when Σn is 0.

    Examples
    --------
    >>> [round(float(x), 6) for x in ratio_interval([0, 10, 20], [10, 10, 10])]
    [1.0, 0.0, 2.131607]
    """
    e, n = np.broadcast_arrays(np.asarray(e, float), np.asarray(n, float))
    found = grouped_interval(e.ravel(), n.ravel(), np.zeros(e.size, np.intp), 1)
    return tuple(x[0] for x in found)


def grouped_interval(e, n, group, groups):
    """`ratio_interval` for many groups of units at once.

    Parameters
    ----------
    e, n : ndarray of float, shape (units,)
    group : ndarray of int, shape (units,)
        Group number of each unit, 0 … groups − 1.
    groups : int

    Returns
    -------
    ratio, low, high : ndarray of float, shape (groups,)
    """
    use = ~(np.isnan(e) | np.isnan(n)) & ((e != 0) | (n != 0))
    e, n, group = e[use], n[use], group[use]

    def total(values=None):
        return np.bincount(group, values, groups)

    units, sum_e, sum_n = total(), total(e), total(n)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(sum_n > 0, sum_e / sum_n, np.nan)
        expected = ratio[group] * n
        residual = e - expected
        residual[np.abs(residual) <= _NOISE * np.maximum(np.abs(e), np.abs(expected))] = 0
        half = Z * np.sqrt(units / (units - 1) * total(residual**2)) / sum_n
        silent = (units < FEWEST_UNITS) | ~(half > 0)
    low = np.where(silent, np.nan, np.maximum(ratio - half, 0))
    high = np.where(silent, np.nan, ratio + half)
    return ratio, low, high
