"""Match equity and what a mistake costs at each score."""

import numpy as np

from blunderlab import met as tables_of_equity
from blunderlab.plots.style import MILLI, PALETTE, PER_CENT, new_axes

__all__ = ["met_surface", "price_surface"]


def met_surface(met="kazaross-xg2", to=9, ax=None):
    """Draw a match equity table: the chance to win the match at each score.

    Parameters
    ----------
    met : str or MatchEquity
    to : int
        Points away of the last row and column.
    ax : Axes, optional

    Returns
    -------
    Axes
        Cells hold per cent. The 1-away row and column are the Crawford game; the column before them is after it.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = met_surface(to=3, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.texts][:4]             # 1-away: after Crawford, then at 1, 2, 3
    ['50.0', '50.0', '67.7', '75.1']
    """
    met = tables_of_equity.load(met)
    away = np.arange(1, to + 1)
    before = met.mwc(away[:, None], away, "none")
    after = met.mwc(away, 1, "post")
    values = PER_CENT * np.column_stack([after, before])
    ax = _surface(values, "{:.1f}", "PuOr", (0, 100), ax)
    ax.axvline(0.5, color="white", lw=4)
    ax.set_xticks(range(to + 1), ["1\nafter", "1\nCrawford", *map(str, away[1:])])
    ax.set_yticks(range(to), ["1", *map(str, away[1:])])
    ax.set(xlabel="opponent needs (points)", ylabel="player needs (points)")
    ax.set_title(f"Chance to win the match (%), {met.name}", loc="left", fontsize=10)
    return ax


def price_surface(met="kazaross-xg2", cube=1, error=0.100, to=9, most=None, ax=None):
    """Draw what one and the same error costs at each score.

    Parameters
    ----------
    met : str or MatchEquity
    cube : int
        Points at stake: the cube before any double.
    error : float
        Normalised equity.
    to : int
        Points away of the last row and column.
    most : float, optional
        Loss, in percentage points, at the dark end of the colours, so that several pictures can share them.
    ax : Axes, optional

    Returns
    -------
    Axes
        Cells hold percentage points of match winning chance.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = price_surface(cube=2, to=3, ax=Figure().subplots())
    >>> ax.texts[0].get_text()                                 # double match point: 100 millipoints are 5 points
    '5.00'
    """
    met = tables_of_equity.load(met)
    away = np.arange(1, to + 1)
    values = PER_CENT * error * met.price(away[:, None], away, cube, "none")
    most = np.nanmax(values) if most is None else most
    ax = _surface(values, "{:.2f}", "YlGnBu", (0, most), ax)
    ax.set_xticks(range(to), away)
    ax.set_yticks(range(to), away)
    ax.set(xlabel="opponent needs (points)", ylabel="player needs (points)")
    words = f"Loss for {MILLI * error:.0f} millipoints (percentage points of MWC), cube at {cube}"
    ax.set_title(words, loc="left", fontsize=10)
    return ax


def _surface(values, form, colours, limits, ax):
    """A heat map with its values in the cells, readable on every colour."""
    ax = new_axes(ax, (0.64 * values.shape[1] + 1.1, 0.44 * values.shape[0] + 1.2))
    image = ax.imshow(values, cmap=colours, vmin=limits[0], vmax=limits[1], aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            continue
        red, green, blue, _ = image.cmap(image.norm(value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        ax.text(
            column, row, form.format(value), ha="center", va="center", fontsize=9,
            color="white" if dark else PALETTE["black"],
        )  # fmt: skip
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax
