"""How large the errors are, and how hard the decisions were."""

import numpy as np

from blunderlab.plots.style import MILLI, PALETTE, PER_CENT, new_axes

__all__ = ["error_histogram", "loss_against_difficulty"]

_EDGES = np.array([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, np.inf])  # millipoints


def error_histogram(decisions, by="player", most=4, ax=None):
    """Count errors by size, in millipoints, as a share of each group's counted decisions.

    Parameters
    ----------
    decisions : DataFrame
        Derived rows; the counted and scored ones are drawn.
    by : str
        Column whose groups stand side by side; the `most` largest are drawn.
    most : int
    ax : Axes, optional

    Returns
    -------
    Axes
        The classes are 1–2–5 steps, lower end included; what is below 1 millipoint is not drawn, the legend says
        how much that is. n is the number of counted decisions.
    """
    ax = new_axes(ax, (8, 3.8))
    use = decisions[decisions["counted"] & decisions["error"].notna()]
    groups = use.groupby(by, dropna=False, observed=True)
    sizes = groups.size().sort_values(ascending=False, kind="stable").head(most)
    colours = [PALETTE[c] for c in ("blue", "vermilion", "green", "orange", "purple", "sky")]
    hatches = ("", "//", "..", "xx", "\\\\", "--")
    width = 0.84 / max(len(sizes), 1)
    at = np.arange(len(_EDGES) - 1)
    for i, (name, n) in enumerate(sizes.items()):
        error = MILLI * use.loc[use[by].isna() if name is np.nan else use[by] == name, "error"].to_numpy(float)  # fmt: skip
        # 1e-9 lifts a value that binary fractions put a hair below its edge
        share = PER_CENT * np.histogram(error + 1e-9, _EDGES)[0] / n
        none = (error + 1e-9 < _EDGES[0]).mean()
        ax.bar(
            at + (i - (len(sizes) - 1) / 2) * width, share, width, color=colours[i % 6], hatch=hatches[i % 6],
            edgecolor="white", linewidth=0.5, label=f"{name} (n = {n}; {none:.0%} below 1)",
        )  # fmt: skip
    low = [f"{edge:g}" for edge in _EDGES[:-1]]
    ax.set_xticks(at, [f"{a}–{b}" for a, b in zip(low, low[1:], strict=False)] + [f"≥ {low[-1]}"])
    ax.tick_params(axis="x", labelsize=8)
    ax.set(xlabel="error (millipoints)", ylabel="share of decisions (%)")
    if len(sizes):
        left = groups.ngroups - len(sizes)
        ax.legend(frameon=False, fontsize=9, title=f"{left} more not drawn" if left else None)
    return ax


def loss_against_difficulty(decisions, threshold=0.050, label=5, ax=None):
    """Draw what each error cost against what the choice would cost a softmax player.

    Parameters
    ----------
    decisions : DataFrame
        Derived rows; drawn are the counted ones with a loss above 0 and a known difficulty.
    threshold : float
        Errors of at least this equity stand out.
    label : int
        How many of the largest ℓ − d bear their `decision` number.
    ax : Axes, optional

    Returns
    -------
    Axes
        Both axes in percentage points of MWC, logarithmic: right of the dashed line ℓ = d the play cost more than
        its difficulty; left of it, less. Below the dotted line d = ℓ/10 an error is avoidable.
    """
    ax = new_axes(ax, (6.5, 5))
    loss = PER_CENT * decisions["loss"].to_numpy(float)
    hard = PER_CENT * decisions["difficulty"].to_numpy(float)
    counted = decisions["counted"].to_numpy(bool)
    drawn = counted & (loss > 0) & (hard > 0)
    large = decisions["error"].to_numpy(float) >= threshold
    if drawn.any():
        for rows, marker, colour, words in (
            (drawn & ~large, "o", PALETTE["sky"], f"error below {MILLI * threshold:.0f} mpt"),
            (drawn & large, "D", PALETTE["vermilion"], f"{MILLI * threshold:.0f} mpt or more"),
        ):
            ax.plot(
                loss[rows], hard[rows], marker, ms=4.5, alpha=0.7, color=colour, label=f"{words} (n = {rows.sum()})"
            )  # fmt: skip
        low, high = loss[drawn].min(), loss[drawn].max()
        ends = np.array([min(low, hard[drawn].min()), high])
        ax.plot(ends, ends, "--", color=PALETTE["black"], lw=0.8, label="ℓ = d")
        ax.plot(
            ends, ends / 10, ":", color=PALETTE["black"], lw=1, label="d = ℓ/10: avoidable below"
        )
        ax.set(xscale="log", yscale="log")
        ax.set_ylim(max(hard[drawn].min() / 1.5, high / 3000), 1.5 * hard[drawn].max())
        ax.set_xlim(low / 1.5, 1.5 * high)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda x, _: f"{x:g}")
        best = np.argsort(-np.where(drawn, loss - hard, -np.inf), kind="stable")[:label]
        for i in best[drawn[best]]:
            ax.annotate(
                str(decisions["decision"].iloc[i]), (loss[i], hard[i]), (4, 3), textcoords="offset points", fontsize=8,
                clip_on=True,
            )  # fmt: skip
        ax.legend(frameon=False, fontsize=8, loc="upper left")
    unknown = int((counted & (loss > 0) & np.isnan(hard)).sum())
    ax.set(xlabel="loss ℓ (percentage points of MWC)", ylabel="difficulty d (percentage points)")
    ax.set_title(f"n = {drawn.sum()} counted errors; {unknown} more without difficulty", loc="left", fontsize=10)  # fmt: skip
    return ax
