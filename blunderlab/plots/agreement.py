"""Our figures against another program's, and luck and mistakes against what happened."""

import numpy as np

from blunderlab.plots.style import PALETTE, PER_CENT, new_axes

__all__ = ["balance", "reconciliation"]


def reconciliation(compared, published, words=None, ax=None):
    """Draw our largest difference to a tool's figures beside our tolerance and a published one.

    Parameters
    ----------
    compared : DataFrame
        From `reconcile.compare`: name, difference, tolerance.
    published : dict of str to float
        Tolerance by the name of the figure, in the unit of `compared`. Other figures are not drawn.
    words : dict of str to (str, float), optional
        What to call a figure and by what to multiply it for the text, as in {"loss_total": ("loss (pp)", 100)}.
    ax : Axes, optional

    Returns
    -------
    Axes
        The axis is the share of the published tolerance, logarithmic from 0.01 %; what is smaller lies on its left
        edge, and the text there says "0" or "< 0.01 %".
    """
    rows = compared[compared["name"].isin(published)]
    worst = rows.assign(size=rows["difference"].abs()).groupby("name")[["size", "tolerance"]]
    worst, n = worst.max(), rows.groupby("name").size()
    names = [name for name in published if name in worst.index]
    ax = new_axes(ax, (8.6, 0.46 * len(names) + 1.4))
    edge = 0.01
    for y, name in enumerate(names):
        limit = published[name]
        size, own = worst.loc[name, "size"], worst.loc[name, "tolerance"]
        ax.barh(y, PER_CENT, color=PALETTE["faint"], height=0.62)
        ax.barh(y, max(PER_CENT * own / limit, edge), color=PALETTE["sky"], height=0.62)
        share = max(PER_CENT * size / limit, edge)
        ax.plot(share, y, "o", color=PALETTE["black"], ms=6, zorder=3, clip_on=False)
        factor = (words or {}).get(name, (name, 1))[1]
        told = [f"{factor * x:.2g}" for x in (size, own, limit)]
        if 0 < PER_CENT * size < edge * limit:
            told[0] = f"< {edge:g} %"
        ax.annotate(
            "{} | {} | {}   n = {}".format(*told, n[name]), (PER_CENT, y), (8, 0),
            textcoords="offset points", va="center", fontsize=9,
        )  # fmt: skip
    ax.set_xscale("log")
    ax.set_xlim(edge, PER_CENT)
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:g} %")
    ax.set_yticks(range(len(names)), [(words or {}).get(name, (name, 1))[0] for name in names])
    ax.invert_yaxis()
    ax.set(
        xlabel="share of the published tolerance (logarithmic; less than 0.01 % on the left edge)"
    )
    ax.text(
        1, 1.012, "  difference | ours | published", transform=ax.transAxes, va="bottom", fontsize=9,
        color=PALETTE["grey"],
    )  # fmt: skip
    _tolerances_legend(ax)
    return ax


def _tolerances_legend(ax):
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = [
        Line2D([], [], marker="o", ls="", color=PALETTE["black"], label="largest difference"),
        Patch(color=PALETTE["sky"], label="our tolerance"),
        Patch(color=PALETTE["faint"], label="published tolerance"),
    ]
    ax.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9
    )


def balance(games, by=None, ax=None):
    """Draw what luck and errors say against what happened, game by game.

    Parameters
    ----------
    games : DataFrame
        change: MWC at the end of the game minus at its start, for seat 0; balance: net luck − own loss +
        opponent's loss; both fractions of a match. Rows with either missing are left out.
    by : str, optional
        Column whose values, as the program that analysed, are drawn apart.
    ax : Axes, optional

    Returns
    -------
    Axes
        On the diagonal the two agree; the title, or with `by` the legend, has the mean and the standard deviation of
        what is left.

    Examples
    --------
    >>> import pandas as pd
    >>> from matplotlib.figure import Figure
    >>> games = pd.DataFrame({"change": [0.10, -0.25], "balance": [0.11, -0.24]})
    >>> ax = balance(games, ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    'residual +1.0 ± 0.0 pp (n = 2 games)'
    """
    ax = new_axes(ax, (5.6, 5.2))
    known = games.dropna(subset=["change", "balance"])
    change, told = (PER_CENT * known[name].to_numpy(float) for name in ("change", "balance"))
    left = told - change
    ends = np.array([-1, 1]) * (1.1 * max(np.abs([*change, *told, 1]).max(), 1))
    ax.plot(ends, ends, color=PALETTE["grey"], lw=1, ls="--")
    groups = {"": np.ones(len(known), bool)}
    if by is not None:
        groups = {name: known[by].eq(name).to_numpy(bool) for name in known[by].unique()}
    for at, (name, rows) in enumerate(groups.items()):
        colour, mark = _GROUPS[at % len(_GROUPS)]
        words = f"{name}: {_residual(left[rows])}"
        ax.plot(change[rows], told[rows], mark, color=PALETTE[colour], ms=6, alpha=0.8, label=words)
    ax.axhline(0, color=PALETTE["faint"], lw=0.8, zorder=0)
    ax.axvline(0, color=PALETTE["faint"], lw=0.8, zorder=0)
    ax.set(xlim=ends, ylim=ends, aspect="equal")
    ax.set(
        xlabel="what happened: change of MWC in the game (pp)",
        ylabel="net luck − own loss + opponent's loss (pp)",
    )
    if by is not None:
        ax.set_title("residual, mean ± standard deviation", loc="left", fontsize=10)
        if len(known):
            ax.legend(loc="upper left", frameon=False, fontsize=9)
    elif len(left) > 1:
        ax.set_title(f"residual {_residual(left)}", loc="left", fontsize=10)
    return ax


_GROUPS = (("blue", "o"), ("vermilion", "^"), ("green", "s"), ("purple", "D"))


def _residual(left):
    """Mean, standard deviation and number in words."""
    games = "1 game" if len(left) == 1 else f"{len(left)} games"
    if len(left) < 2:
        return f"n = {games}"
    return f"{left.mean():+.1f} ± {left.std(ddof=1):.1f} pp (n = {games})"
