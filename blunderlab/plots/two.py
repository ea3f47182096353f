"""Two programs on the same decisions."""

import numpy as np

from blunderlab.plots.style import MILLI, PALETTE, new_axes

__all__ = ["two_analyses"]

_MARKS = {"checker": ("o", "blue", "plays"), "cube": ("s", "vermilion", "cube decisions")}


def two_analyses(found, names=("first", "second"), label=5, ax=None):
    """Draw what two analyses say that each decision cost.

    Parameters
    ----------
    found : DataFrame
        From `reconcile.analyses`.
    names : (str, str)
        The two programs.
    label : int
        How many of the largest differences carry their decision's number.
    ax : matplotlib.axes.Axes, optional

    Returns
    -------
    matplotlib.axes.Axes
        Errors in millipoints; decisions that one of the two has not scored are counted below, not drawn.

    Examples
    --------
    >>> import blunderlab as bl
    >>> from matplotlib.figure import Figure
    >>> t = bl.datasets.tables("paris-7pt")
    >>> two_analyses(bl.reconcile.analyses(t, t), ax=Figure().subplots()).get_xlabel()
    'error by first (millipoints)'
    """
    ax = new_axes(ax, (6.6, 6.2))
    known = found[found["difference"].notna()]
    x, y = (MILLI * known[f"error_{side}"].to_numpy(float) for side in "ab")
    checker = (known["kind"] == "checker").to_numpy()
    for mask, kind in ((checker, "checker"), (~checker, "cube")):
        mark, colour, words = _MARKS[kind]
        ax.plot(
            x[mask], y[mask], mark, color=PALETTE[colour], markersize=6, alpha=0.75,
            markeredgecolor="white", label=f"{words} (n = {int(mask.sum())})",
        )  # fmt: skip
    top = 1.05 * max(x.max(initial=1), y.max(initial=1))
    ax.plot([0, top], [0, top], "--", color=PALETTE["grey"], linewidth=1, label="the same to both")
    for at in np.argsort(-np.abs(x - y), kind="stable")[:label]:
        right = x[at] > 0.8 * top
        ax.annotate(
            str(int(known["decision_a"].iloc[at])), (x[at], y[at]), (-7 if right else 7, 4),
            textcoords="offset points", ha="right" if right else "left", fontsize=9,
        )  # fmt: skip
    ax.set(xlim=(-0.02 * top, top), ylim=(-0.02 * top, top), aspect="equal")
    ax.set_xlabel(f"error by {names[0]} (millipoints)")
    ax.set_ylabel(f"error by {names[1]} (millipoints)")
    unscored = len(found) - len(known)
    ax.set_title(f"{len(known)} decisions; {unscored} not scored by both", fontsize=10, loc="left")
    ax.legend(loc="upper left", frameon=False, fontsize=9)
    return ax
