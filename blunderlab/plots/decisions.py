"""The mistakes of a match, and their price."""

import numpy as np

from blunderlab.plots.style import MILLI, PALETTE, PER_CENT, new_axes

__all__ = ["error_by_decision", "loss_against_error"]

_SEAT = [PALETTE["blue"], PALETTE["vermilion"]]
_KINDS = (  # kinds, marker, words
    (("checker", "move"), "o", "checker play"),
    (("no_double", "double"), "D", "double or not"),
    (("take", "pass"), "s", "take or pass"),
)


def error_by_decision(decisions, label=3, ax=None):
    """Draw the errors of one match in the order of play, seat 0 upwards and seat 1 downwards.

    Parameters
    ----------
    decisions : DataFrame
        Rows of the decisions table of a single match.
    label : int
        How many of each seat's largest errors bear their `decision` number.
    ax : Axes, optional

    Returns
    -------
    Axes
        Unscored rows lie on the zero line as grey ticks: nothing is known of their cost.

    Raises
    ------
    ValueError
        The rows belong to more than one match.
    """
    if len(decisions["match_id"].unique()) > 1:
        raise ValueError("one match at a time: choose its rows first")
    ax = new_axes(ax, (9, 4.2))
    number = decisions["decision"].to_numpy(float)
    error = MILLI * decisions["error"].to_numpy(float)
    sign = np.where(decisions["seat"].eq(0).to_numpy(bool), 1, -1)
    known = ~np.isnan(error)
    up, down = (error[known & (sign == side)].max(initial=5) for side in (1, -1))
    room = 0.18 * (up + down)  # for the names
    ax.set_ylim(-down - room, up + room)
    ax.set_xlim(number.min(initial=1) - 3, number.max(initial=1) + 3)
    for seat, side in enumerate((1, -1)):
        here = known & (error > 0) & (sign == side)
        ax.vlines(number[here], 0, side * error[here], color=_SEAT[seat], lw=1)
        for kinds, marker, _ in _KINDS:
            rows = here & decisions["kind"].isin(kinds).to_numpy()
            ax.plot(number[rows], side * error[rows], marker, color=_SEAT[seat], ms=4.5)
        worst = np.flatnonzero(here)[np.argsort(-error[here], kind="stable")[:label]]
        _numbers(number[worst], side * error[worst], ax)
    ax.plot(number[~known], np.zeros((~known).sum()), "|", color=PALETTE["grey"], ms=9)
    ax.axhline(0, color=PALETTE["black"], lw=0.6)
    _games(decisions, ax)
    _kinds_legend(ax, f"not scored (n = {(~known).sum()})" if (~known).any() else None)
    ax.yaxis.set_major_formatter(lambda y, _: f"{abs(y):.0f}")
    ax.set(xlabel="decision (number in the match)", ylabel="error (millipoints)")
    for seat, (side, place) in enumerate(((1, 0.97), (-1, 0.03))):
        here = known & (sign == side)
        rows = decisions["seat"].eq(seat).to_numpy(bool)
        name = decisions.loc[rows, "player"].iloc[0] if rows.any() else f"seat {seat}"
        words = f"{name}: {error[here].sum():.0f} millipoints, n = {here.sum()} scored"
        ax.text(
            0.008, place, words, transform=ax.transAxes, color=_SEAT[seat], fontweight="bold",
            va="top" if side > 0 else "bottom", fontsize=9,
        )  # fmt: skip
    return ax


def _numbers(x, y, ax):
    """Write each x at its stem's end; neighbours lean away from each other."""
    order = np.argsort(x)
    x, y = x[order], y[order]
    near = np.diff(x) < 0.03 * np.ptp(ax.get_xlim())
    lean = np.r_[0, near] - np.r_[near, 0].astype(int) if len(x) else []
    for at, way in enumerate(lean):
        below = y[at] < 0
        ax.annotate(
            f"{x[at]:.0f}", (x[at], y[at]), (0, -5 if below else 5), textcoords="offset points",
            ha=("center", "left", "right")[way], va="top" if below else "bottom", fontsize=8,
        )  # fmt: skip


def _games(decisions, ax):
    """Mark where each game begins."""
    first = decisions.groupby("game")["decision"].min().to_numpy(float)
    for number in first[1:]:
        ax.axvline(number - 0.5, color=PALETTE["faint"], lw=1, zorder=0)
    above = ax.secondary_xaxis("top")
    above.set_xticks(first, [f"game {i}" if i == 1 else str(i) for i in range(1, len(first) + 1)])
    above.tick_params(length=0, labelsize=8, colors=PALETTE["grey"])
    above.spines[:].set_visible(False)


def _kinds_legend(ax, unscored):
    from matplotlib.lines import Line2D

    grey = PALETTE["grey"]
    handles = [Line2D([], [], marker=m, ls="", color=grey, ms=5, label=w) for _, m, w in _KINDS]
    if unscored:
        handles.append(Line2D([], [], marker="|", ls="", color=grey, ms=9, label=unscored))
    ax.legend(
        handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4, frameon=False,
        fontsize=8,
    )  # fmt: skip


def loss_against_error(decisions, ax=None):
    """Draw each error against its price, so that the score's lever can be seen.

    Parameters
    ----------
    decisions : DataFrame
        Rows with no price (money, unscored) are left out and counted in the title.
    ax : Axes, optional

    Returns
    -------
    Axes
        Both axes are logarithmic; errors of 0 have no place there and are counted in the title.

    Examples
    --------
    >>> import pandas as pd
    >>> from matplotlib.figure import Figure
    >>> one = pd.DataFrame({"error": [0.1, 0.0, np.nan], "loss": [0.05, 0.0, np.nan], "cube": 1})
    >>> ax = loss_against_error(one, ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    'n = 1 errors; not drawn: 1 of size 0, 0 without price'
    """
    ax = new_axes(ax, (6.8, 4.6))
    error = MILLI * decisions["error"].to_numpy(float)
    loss = PER_CENT * decisions["loss"].to_numpy(float)
    drawn = (error > 0) & (loss > 0)
    cube = decisions["cube"].to_numpy(float, na_value=np.nan)
    styles = [(PALETTE["blue"], "o"), (PALETTE["orange"], "s"), (PALETTE["vermilion"], "^")]
    for value, (colour, marker) in zip((1, 2, 4), styles, strict=True):
        rows = drawn & ((cube == value) if value < 4 else (cube >= value))
        if rows.any():
            words = f"cube {value}{' or more' if value == 4 else ''} (n = {rows.sum()})"
            ax.plot(error[rows], loss[rows], marker, color=colour, ms=4.5, alpha=0.75, label=words)
    if drawn.any():
        ax.set(xscale="log", yscale="log")
        ends = np.array([error[drawn].min(), error[drawn].max()])
        # 1000 millipoints at double match point are 50 points.
        ax.plot(
            ends, ends * 0.05, color=PALETTE["black"], lw=0.8, ls="--", label="double match point"
        )
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda x, _: f"{x:g}")
        ax.legend(frameon=False, fontsize=8, loc="upper left")
    ax.set(xlabel="error (millipoints)", ylabel="loss (percentage points of MWC)")
    none, unpriced = int((error == 0).sum()), int((~np.isnan(error) & np.isnan(loss)).sum())
    ax.set_title(f"n = {drawn.sum()} errors; not drawn: {none} of size 0, {unpriced} without price", loc="left", fontsize=10)  # fmt: skip
    return ax
