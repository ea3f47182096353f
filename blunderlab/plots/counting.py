"""The same decisions under several rule sets."""

import numpy as np
import pandas as pd

from blunderlab.plots.style import PALETTE, new_axes

__all__ = ["counted_by", "rule_sets"]

_RULES = {
    "xg": (PALETTE["blue"], "o"),
    "gnubg": (PALETTE["orange"], "s"),
    "blunderdb": (PALETTE["green"], "D"),
}


def rule_sets(rates, ax=None):
    """Draw PR with its interval, and Snowie's rate, of each player under each rule set.

    Parameters
    ----------
    rates : DataFrame
        Frames of `measure.rates` one after the other, with the name of the rule set in a column `rules`.
    ax : Axes, optional

    Returns
    -------
    Axes
        One line a player and rule set, in the order of the frame, with n = counted decisions. Where PR has no
        interval none is drawn.
    """
    who = rates.get("player", pd.Series("all", rates.index)).astype("str").to_numpy()
    place = np.arange(len(rates)) + 0.6 * np.r_[0, np.cumsum(who[1:] != who[:-1])][: len(rates)]
    ax = new_axes(ax, (7.6, 0.4 * len(rates) + 1.9))
    for y, row in zip(place, rates.itertuples(), strict=True):
        colour, marker = _RULES.get(row.rules, (PALETTE["purple"], "^"))
        if np.isfinite(row.pr_low):
            ax.plot([row.pr_low, row.pr_high], [y, y], color=colour, lw=2, solid_capstyle="butt")
        ax.plot(row.pr, y, marker, color=colour, ms=8)
        ax.plot(row.snowie, y, marker, mfc="white", mec=colour, ms=6)
    counts = zip(who, rates["rules"], rates["n_decisions"], strict=True)
    ax.set_yticks(place, [f"{name}, {rules} (n = {n})" for name, rules, n in counts])
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.grid(axis="x", color=PALETTE["faint"], lw=0.6)
    ax.set(xlabel="500 × equity lost for each counted decision (PR) or move of both (Snowie)")
    _rates_legend(ax)
    return ax


def _rates_legend(ax):
    from matplotlib.lines import Line2D

    black = PALETTE["black"]
    handles = [
        Line2D([], [], marker="o", color=black, lw=2, ms=7, label="PR with its 95 % interval"),
        Line2D([], [], marker="o", ls="", mfc="white", mec=black, ms=6, label="Snowie error rate"),
    ]
    ax.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, fontsize=9
    )


def counted_by(counted, ax=None):
    """Draw how many rows are counted by which rule sets together.

    Parameters
    ----------
    counted : DataFrame of bool
        One row a decision, one column a rule set. Rows that none counts are left out and counted in the title.
    ax : Axes, optional

    Returns
    -------
    Axes
        One bar for each combination that occurs, the most frequent first; its label names the rule sets.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> rows = pd.DataFrame({"xg": [True, True, False, True], "gnubg": [True, False, False, True]})
    >>> ax = counted_by(rows, ax=Figure().subplots())
    >>> [int(bar.get_width()) for bar in ax.patches], ax.get_title(loc="left")
    ([2, 1], 'n = 3 rows that a rule set counts; 1 row counted by none')
    """
    names = list(counted.columns)
    some = counted[counted.any(axis=1)]
    sets = some.value_counts(sort=False).reset_index(name="n")
    sets = sets.sort_values(["n", *names], ascending=False, kind="stable").reset_index(drop=True)
    ax = new_axes(ax, (7.6, 0.4 * len(sets) + 1.4))
    ax.barh(sets.index, sets["n"], color=PALETTE["sky"], height=0.62)
    for y, n in sets["n"].items():
        ax.annotate(f"{n}", (n, y), (5, 0), textcoords="offset points", va="center", fontsize=9)
    ax.set_xlim(0, 1.15 * max(sets["n"].max() if len(sets) else 0, 1))
    words = [" + ".join(name for name in names if row[name]) for _, row in sets.iterrows()]
    ax.set_yticks(sets.index, words)
    ax.invert_yaxis()
    ax.set(xlabel="rows counted")
    none = len(counted) - len(some)
    ax.set_title(
        f"n = {len(some)} rows that a rule set counts; {none} {'row' if none == 1 else 'rows'} counted by none",
        loc="left", fontsize=10,
    )  # fmt: skip
    return ax
