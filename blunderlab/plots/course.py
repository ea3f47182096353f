"""How a match went: what each decision cost, and what that adds up to."""

import numpy as np

from blunderlab.plots.style import MILLI, PALETTE, PER_CENT, new_axes

__all__ = ["cumulative_loss"]

_SEAT = (PALETTE["blue"], PALETTE["vermilion"])
_DASH = ("-", "--")


def cumulative_loss(course, ax=None):
    """Draw the running loss of both seats of one match, and a bar for each decision.

    Parameters
    ----------
    course : DataFrame
        Rows of a single match of `study.match_report(…).course`.
    ax : Axes, optional

    Returns
    -------
    Axes
        The losses in percentage points of match winning chance; errors in millipoints where no loss is known, as
        in a money game. Bars of seat 0 go up, those of seat 1 down, both on the scale at the right; the lines are on
        the scale at the left. Decisions whose price is unknown are not drawn; the legend counts them.

    Raises
    ------
    ValueError
        The rows belong to more than one match.
    """
    if len(course["match_id"].unique()) > 1:
        raise ValueError("one match at a time: choose its rows first")
    ax = new_axes(ax, (9, 4.2))
    loss = course["loss"].notna().any() or not course["error"].notna().any()
    name, scale, unit = ("loss", PER_CENT, "percentage points of MWC") if loss else ("error", MILLI, "millipoints")  # fmt: skip
    bars = ax.twinx()
    bars.spines["top"].set_visible(False)
    number = course["decision"].to_numpy(float)
    cost = scale * course[name].to_numpy(float)
    total = scale * course[f"{name}_so_far"].to_numpy(float)
    known = ~np.isnan(cost)
    tallest = max(cost[known].max(initial=0), 1e-9)
    for seat, side in ((0, 1), (1, -1)):
        rows = course["seat"].eq(seat).to_numpy(bool)
        there = rows & known
        if rows.any():
            player = course.loc[rows, "player"].iloc[0]
            words = f"{player}: {cost[there].sum():.1f} (n = {there.sum()}"
            unknown = (rows & ~known).sum()
            words += f", {unknown} without price)" if unknown else ")"
            ax.step(
                number[there], total[there], _DASH[seat], where="post", color=_SEAT[seat], lw=1.8, label=words
            )  # fmt: skip
            bars.vlines(number[there], 0, side * cost[there], color=_SEAT[seat], lw=2, alpha=0.55)
    first = course.groupby("game", dropna=True)["decision"].min().to_numpy(float)
    for start in np.sort(first)[1:]:
        ax.axvline(start, color=PALETTE["faint"], lw=0.8, zorder=0)
    # The bars keep to the lower third, so that they never hide a line's end.
    bars.set_ylim(-1.15 * tallest, 5 * tallest)
    bars.axhline(0, color=PALETTE["grey"], lw=0.6)
    ticks = np.array([-tallest, 0, tallest])
    bars.set_yticks(ticks, [f"{abs(y):.1f}" if loss else f"{abs(y):.0f}" for y in ticks])
    bars.set_ylabel(f"one decision ({unit})", fontsize=9, loc="bottom")
    ax.set_ylim(bottom=-0.3 * max(total[known].max(initial=0), 1e-9))
    ax.yaxis.set_major_formatter(lambda y, _: f"{y:g}" if y >= 0 else "")
    ax.set(xlabel="decision (number in the match)", ylabel=f"{name} so far ({unit})")
    ax.set_zorder(bars.get_zorder() + 1)
    ax.patch.set_visible(False)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize=9, loc="upper left")
    return ax
