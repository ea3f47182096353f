"""Pictures of the tables: each function takes a frame, draws on Axes and gives them back.

>>> from matplotlib.figure import Figure
>>> from blunderlab import plots
>>> ax = plots.met_surface(to=5, ax=Figure().subplots())      # or without ax, on a new figure of pyplot's
>>> ax.get_ylabel()
'player needs (points)'

Colours are Okabe and Ito's, which eyes of every kind tell apart, and no picture relies on colour alone. Units
are on the axes, n is in the picture, and what is missing is not drawn as zero. matplotlib is imported when
something is drawn. Errors are shown in millipoints (1000 · equity), losses in percentage points of match
winning chance.
"""

import numpy as np
import pandas as pd

from blunderlab import met as tables_of_equity

__all__ = [
    "PALETTE", "balance", "counted_by", "error_by_decision", "loss_against_error", "met_surface",
    "price_surface", "reconciliation", "rule_sets",
]  # fmt: skip

#: M. Okabe and K. Ito, *Color Universal Design* (2002).
PALETTE = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "purple": "#CC79A7",
    "black": "#222222",
    "grey": "#8A8A8A",
    "faint": "#D9D9D9",
}
_SEAT = [PALETTE["blue"], PALETTE["vermilion"]]
_KINDS = {  # group: (kinds, marker, words)
    "play": (("checker", "move"), "o", "checker play"),
    "double": (("no_double", "double"), "D", "double or not"),
    "answer": (("take", "pass"), "s", "take or pass"),
}
_RULES = {
    "xg": (PALETTE["blue"], "o"),
    "gnubg": (PALETTE["orange"], "s"),
    "blunderdb": (PALETTE["green"], "D"),
}
_MILLI, _PER_CENT = 1000, 100


# -- the price of equity --------------------------------------------------------------------------


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
    values = _PER_CENT * np.column_stack([after, before])
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
    values = _PER_CENT * error * met.price(away[:, None], away, cube, "none")
    most = np.nanmax(values) if most is None else most
    ax = _surface(values, "{:.2f}", "YlGnBu", (0, most), ax)
    ax.set_xticks(range(to), away)
    ax.set_yticks(range(to), away)
    ax.set(xlabel="opponent needs (points)", ylabel="player needs (points)")
    words = f"Loss for {_MILLI * error:.0f} millipoints (percentage points of MWC), cube at {cube}"
    ax.set_title(words, loc="left", fontsize=10)
    return ax


def _surface(values, form, colours, limits, ax):
    """A heat map with its values in the cells, readable on every colour."""
    ax = _axes(ax, (0.64 * values.shape[1] + 1.1, 0.44 * values.shape[0] + 1.2))
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


# -- decisions ------------------------------------------------------------------------------------


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
    ax = _axes(ax, (9, 4.2))
    number = decisions["decision"].to_numpy(float)
    error = _MILLI * decisions["error"].to_numpy(float)
    sign = np.where(decisions["seat"].eq(0).to_numpy(bool), 1, -1)
    known = ~np.isnan(error)
    for seat, side in enumerate((1, -1)):
        here = known & (error > 0) & (sign == side)
        ax.vlines(number[here], 0, side * error[here], color=_SEAT[seat], lw=1)
        for kinds, marker, _ in _KINDS.values():
            rows = here & decisions["kind"].isin(kinds).to_numpy()
            ax.plot(number[rows], side * error[rows], marker, color=_SEAT[seat], ms=4.5)
        worst = np.flatnonzero(here)[np.argsort(-error[here], kind="stable")[:label]]
        _numbers(number[worst], side * error[worst], np.ptp(number), ax)
    ax.plot(number[~known], np.zeros((~known).sum()), "|", color=PALETTE["grey"], ms=9)
    ax.axhline(0, color=PALETTE["black"], lw=0.6)
    # Room above and below for the names.
    up, down = (error[known & (sign == side)].max(initial=5) for side in (1, -1))
    ax.set_ylim(-down - 0.18 * (up + down), up + 0.18 * (up + down))
    ax.set_xlim(number.min(initial=1) - 3, number.max(initial=1) + 3)
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


def _numbers(x, y, width, ax):
    """Write each x at its stem's end; neighbours lean away from each other."""
    order = np.argsort(x)
    x, y = x[order], y[order]
    near = np.diff(x) < 0.03 * width
    before, after = np.r_[False, near], np.r_[near, False]
    for at in range(len(x)):
        lean = {(True, False): "left", (False, True): "right"}.get((before[at], after[at]), "center")
        below = y[at] < 0
        ax.annotate(
            f"{x[at]:.0f}", (x[at], y[at]), (0, -5 if below else 5), textcoords="offset points",
            ha=lean, va="top" if below else "bottom", fontsize=8,
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
    handles = [Line2D([], [], marker=m, ls="", color=grey, ms=5, label=w) for _, m, w in _KINDS.values()]
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
    >>> from matplotlib.figure import Figure
    >>> one = pd.DataFrame({"error": [0.1, 0.0, np.nan], "loss": [0.05, 0.0, np.nan], "cube": 1})
    >>> ax = loss_against_error(one, ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    'n = 1 errors; not drawn: 1 of size 0, 0 without price'
    """
    ax = _axes(ax, (6.8, 4.6))
    error = _MILLI * decisions["error"].to_numpy(float)
    loss = _PER_CENT * decisions["loss"].to_numpy(float)
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
        ax.plot(ends, ends * 0.05, color=PALETTE["black"], lw=0.8, ls="--", label="double match point")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(lambda x, _: f"{x:g}")
        ax.legend(frameon=False, fontsize=8, loc="upper left")
    ax.set(xlabel="error (millipoints)", ylabel="loss (percentage points of MWC)")
    none, unpriced = int((error == 0).sum()), int((~np.isnan(error) & np.isnan(loss)).sum())
    ax.set_title(f"n = {drawn.sum()} errors; not drawn: {none} of size 0, {unpriced} without price", loc="left", fontsize=10)  # fmt: skip
    return ax


# -- what counts ----------------------------------------------------------------------------------


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
    ax = _axes(ax, (7.6, 0.4 * len(rates) + 1.9))
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
    ax = _axes(ax, (7.6, 0.4 * len(sets) + 1.4))
    # A long bar beside bars of 1 to 5: the root keeps both readable, the numbers say the rest.
    ax.barh(sets.index, sets["n"], color=PALETTE["sky"], height=0.62)
    for y, n in sets["n"].items():
        ax.annotate(f"{n}", (n, y), (5, 0), textcoords="offset points", va="center", fontsize=9)
    ax.set_xscale("function", functions=(np.sqrt, np.square))
    if len(sets):
        ax.set_xlim(0, 1.15 * sets["n"].max())
    words = [" + ".join(name for name in names if row[name]) for _, row in sets.iterrows()]
    ax.set_yticks(sets.index, words)
    ax.invert_yaxis()
    ax.set(xlabel="rows counted (square-root axis)")
    none = len(counted) - len(some)
    ax.set_title(
        f"n = {len(some)} rows that a rule set counts; {none} {'row' if none == 1 else 'rows'} counted by none",
        loc="left", fontsize=10,
    )  # fmt: skip
    return ax


# -- against other tools --------------------------------------------------------------------------


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
        The axis is the share of the published tolerance, logarithmic from 0.01 %; a difference of 0 lies on its
        left edge.
    """
    rows = compared[compared["name"].isin(published)]
    worst = rows.assign(size=rows["difference"].abs()).groupby("name")[["size", "tolerance"]]
    worst, n = worst.max(), rows.groupby("name").size()
    names = [name for name in published if name in worst.index]
    ax = _axes(ax, (8.6, 0.46 * len(names) + 1.4))
    edge = 0.01
    for y, name in enumerate(names):
        limit = published[name]
        size, own = worst.loc[name, "size"], worst.loc[name, "tolerance"]
        ax.barh(y, _PER_CENT, color=PALETTE["faint"], height=0.62)
        ax.barh(y, max(_PER_CENT * own / limit, edge), color=PALETTE["sky"], height=0.62)
        share = max(_PER_CENT * size / limit, edge)
        ax.plot(share, y, "o", color=PALETTE["black"], ms=6, zorder=3, clip_on=False)
        factor = (words or {}).get(name, (name, 1))[1]
        told = (f"{factor * x:.3g}" for x in (size, own, limit))
        ax.annotate(
            "{} | {} | {}   n = {}".format(*told, n[name]), (_PER_CENT, y), (8, 0),
            textcoords="offset points", va="center", fontsize=9,
        )  # fmt: skip
    ax.set_xscale("log")
    ax.set_xlim(edge, _PER_CENT)
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:g} %")
    ax.set_yticks(range(len(names)), [(words or {}).get(name, (name, 1))[0] for name in names])
    ax.invert_yaxis()
    ax.set(xlabel="share of the published tolerance (logarithmic; 0 lies on the left edge)")
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


def balance(games, ax=None):
    """Draw what luck and errors say against what happened, game by game.

    Parameters
    ----------
    games : DataFrame
        change: MWC at the end of the game minus at its start, for seat 0; balance: net luck − own loss +
        opponent's loss; both fractions of a match. Rows with either missing are left out.
    ax : Axes, optional

    Returns
    -------
    Axes
        On the diagonal the two agree; the title has the mean and the standard deviation of what is left.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> games = pd.DataFrame({"change": [0.10, -0.25], "balance": [0.11, -0.24]})
    >>> ax = balance(games, ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    'residual +1.0 ± 0.0 pp (mean ± sd, n = 2 games)'
    """
    ax = _axes(ax, (5.6, 5.2))
    known = games.dropna(subset=["change", "balance"])
    change, told = (_PER_CENT * known[name].to_numpy(float) for name in ("change", "balance"))
    left = told - change
    ends = np.array([-1, 1]) * (1.1 * max(np.abs([*change, *told, 1]).max(), 1))
    ax.plot(ends, ends, color=PALETTE["grey"], lw=1, ls="--")
    ax.plot(change, told, "o", color=PALETTE["blue"], ms=6, alpha=0.8)
    ax.axhline(0, color=PALETTE["faint"], lw=0.8, zorder=0)
    ax.axvline(0, color=PALETTE["faint"], lw=0.8, zorder=0)
    ax.set(xlim=ends, ylim=ends, aspect="equal")
    ax.set(
        xlabel="what happened: change of MWC in the game (pp)",
        ylabel="net luck − own loss + opponent's loss (pp)",
    )
    if len(left) > 1:
        ax.set_title(
            f"residual {left.mean():+.1f} ± {left.std(ddof=1):.1f} pp (mean ± sd, n = {len(left)} games)",
            loc="left", fontsize=10,
        )  # fmt: skip
    return ax


def _axes(ax, size):
    """The caller's Axes, or new ones on a figure of this size in inches."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
