"""How hard a decision was: what a player who chooses by softmax would lose on average."""

import numpy as np

__all__ = ["TAU", "check_tau", "difficulty", "grouped_difficulty", "pair_difficulty"]

TAU = 0.025  # equity; a guess of the literature, not a fit


def difficulty(costs, tau=TAU):
    """Expected cost of choosing among options by softmax.

    d = Σ π(i) Δᵢ with π(i) ∝ exp(−Δᵢ/τ), Δᵢ the cost of option i against the best.

    Parameters
    ----------
    costs : array_like of float, shape (..., options)
        Costs or minus equities, in normalised equity; shifted so that the best is 0. NaN is an option without a
        value and is left out.
    tau : float
        Temperature, in equity, above 0.

    Returns
    -------
    float or ndarray, shape (...)
        In the unit of `costs`; NaN where no option has a value.

    Raises
    ------
    ValueError
        When tau is not above 0, or a cost is infinite.

    Examples
    --------
    >>> difficulty([0, 0.032]).round(7)
    np.float64(0.0069616)
    >>> difficulty([])
    np.float64(nan)
    """
    costs = np.asarray(costs, float)
    check_tau(tau)
    if np.isinf(costs).any():
        raise ValueError("a cost is infinite")
    if not costs.size:
        return np.full(costs.shape[:-1], np.nan)[()]
    best = np.fmin.reduce(costs, axis=-1, keepdims=True)
    gap = costs - best
    weight = np.exp(-gap / tau)
    total = np.nansum(weight, axis=-1)
    found = np.nansum(weight * gap, axis=-1)
    return np.where(total > 0, found / np.where(total > 0, total, 1), np.nan)[()]


def check_tau(tau):
    """Refuse what is no temperature."""
    if not (tau > 0 and np.isfinite(tau)):
        raise ValueError(f"tau is {tau}, but a temperature is a number above 0")


def grouped_difficulty(costs, starts, tau=TAU):
    """The same for groups of options that lie one after the other.

    Parameters
    ----------
    costs : ndarray of float, shape (options,)
        The best of each group is 0; NaN is left out.
    starts : ndarray of int, shape (groups,)
        Where each group begins, ascending from 0; no group is empty.

    Returns
    -------
    ndarray of float, shape (groups,)
    """
    if not len(starts):
        return np.empty(0)
    best = np.repeat(np.fmin.reduceat(costs, starts), np.diff(starts, append=len(costs)))
    gap = costs - best
    known = ~np.isnan(gap)
    weight = np.where(known, np.exp(-gap / tau), 0)
    total = np.add.reduceat(weight, starts)
    found = np.add.reduceat(weight * np.where(known, gap, 0), starts)
    return np.where(total > 0, found / np.where(total > 0, total, 1), np.nan)


def pair_difficulty(gap, tau=TAU):
    """The same for two options.

    Parameters
    ----------
    gap : ndarray of float
        How far apart they lie, whichever is better; NaN stays NaN.
    tau : float

    Examples
    --------
    >>> pair_difficulty(np.array([-0.032])).round(7)
    array([0.0069616])
    """
    gap = np.abs(gap)
    weight = np.exp(-gap / tau)  # at most 1: a large gap cannot overflow
    return gap * weight / (1 + weight)
