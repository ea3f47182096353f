"""Estimates with their intervals, one a line."""

import numpy as np

from blunderlab.plots.style import PALETTE, new_axes

__all__ = ["forest"]

_LINE = 0.34  # inches


def forest(
    frame, value="pr", label="player", n="n_decisions", unit="PR (lower is better)", ax=None
):
    """Draw an estimate and its 95 % interval for each row.

    Parameters
    ----------
    frame : DataFrame
        With columns `value`, `value`_low and `value`_high (as `measure.rates` gives them); rows from top to bottom.
    value, n : str
        Columns of the estimate and of the number it rests on.
    label : str or sequence of str
        Column, or columns joined by a comma, that names a line.
    unit : str
        Words for the axis.
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes
        A dot without a bar has no interval; a row without a value is named and has no dot. A few decisions can give a
        value or an interval so large that no other could be read: the axis then ends earlier, and an arrow with the
        number says what lies beyond.

    Examples
    --------
    >>> import pandas as pd
    >>> from matplotlib.figure import Figure
    >>> rows = pd.DataFrame({"player": ["A"], "pr": [5.0], "pr_low": [3.0], "pr_high": [7.0], "n_decisions": [80]})
    >>> forest(rows, ax=Figure().subplots()).get_yticklabels()[0].get_text()
    'A (n = 80)'
    """
    columns = [label] if isinstance(label, str) else list(label)
    ax = new_axes(ax, (7.5, 1.1 + _LINE * max(len(frame), 2)))
    y = np.arange(len(frame))[::-1]
    x, low, high = (
        frame[name].to_numpy(float) for name in (value, f"{value}_low", f"{value}_high")
    )
    known = ~np.isnan(low)
    end = _end(x, high)
    ax.hlines(y[known], low[known], np.fmin(high[known], end), color=PALETTE["blue"], linewidth=2.5)
    inside = x <= end
    ax.plot(x[inside], y[inside], "o", color=PALETTE["blue"], markersize=7, markeredgecolor="white")
    for at in np.flatnonzero((x > end) | (high > end)):
        told = f"{x[at]:.1f} →" if x[at] > end else f"to {high[at]:.1f} →"
        ax.annotate(
            told, (end, y[at]), (0, 4), textcoords="offset points", color=PALETTE["blue"], ha="right", va="bottom",
            fontsize=8,
        )  # fmt: skip
    for at in np.flatnonzero(np.isnan(x)):
        ax.annotate("no value", (0, y[at]), color=PALETTE["grey"], va="center")
    names = frame[columns].astype(str).agg(", ".join, axis=1)
    ax.set_yticks(y, [f"{name} (n = {count})" for name, count in zip(names, frame[n], strict=True)])
    ax.set_ylim(-0.7, len(frame) - 0.3)
    ax.set_xlim(0, 1.02 * end if np.isfinite(end) else None)
    ax.set_xlabel(f"{unit}, 95 % interval")
    ax.grid(axis="x", color=PALETTE["faint"], linewidth=0.7)
    ax.set_axisbelow(True)
    return ax


def _end(x, high):
    """Where the axis ends: infinity, unless the rest would be squashed by what lies beyond."""
    known = np.fmax(x, high)
    known = known[~np.isnan(known)]
    usual = 3 * np.median(x[~np.isnan(x)]) if len(known) else np.inf
    return usual if 0 < usual < known.max(initial=0) / 1.5 else np.inf
