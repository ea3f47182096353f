"""The cells of the first page: a number with its n, or a dash with the reason. A missing number is never 0."""

from html import escape

import pandas as pd

from blunderlab.measure.intervals import FEWEST_UNITS

__all__ = ["TOOLS", "dash", "date", "esc", "interval", "loss", "luck_adjusted", "mistakes", "net_luck", "number", "pr",
           "short"]  # fmt: skip

TOOLS = {"xg": "XG", "gnubg": "gnuBG", "blunderdb": "blunderDB"}  # whose rules a rule set holds
_NAME = 48  # letters of a name; longer ones would widen every table
_SPELT = {"mwc": (100, 1, " %"), "points": (1, 2, " points"), "equity": (1, 2, " equity")}


def esc(text):
    """Escape a text from a file."""
    return escape(str(text))


def short(text, most=_NAME):
    """Cut a text that is too long.

    Examples
    --------
    >>> short("Maxence Job", 8)
    'Maxence…'
    """
    text = " ".join(str(text).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def date(text):
    """The day of a date."""
    return text[:10] if isinstance(text, str) else None


def number(value, digits, sign=False, unit=""):
    """A number with a true minus.

    Examples
    --------
    >>> number(-0.5, 1, sign=True, unit=" %")
    '−0.5 %'
    """
    if pd.isna(value):
        return dash()
    value = round(value, digits) + 0.0  # no minus before a zero
    return f"{value:{'+' if sign and value else ''}.{digits}f}".replace("-", "−") + unit


def dash(reason=""):
    """What stands for an unknown number, with why it is unknown.

    Examples
    --------
    >>> dash("not analysed")
    '– <small>not analysed</small>'
    """
    return f"– <small>{esc(reason)}</small>" if reason else "–"


def interval(low, high, units, one, more=None):
    """A 95 % interval, or why there is none.

    Examples
    --------
    >>> interval(1.851, 4.404, 8, "game")
    '1.85–4.40'
    >>> interval(float("nan"), float("nan"), 1, "game")
    '– (1 game: 3 needed)'
    """
    if not pd.isna(low):
        return f"{low:.2f}–{high:.2f}"
    units = 0 if pd.isna(units) else int(units)
    if units < FEWEST_UNITS:
        return f"– ({units} {one if units == 1 else more or one + 's'}: {FEWEST_UNITS} needed)"
    return "– (no spread)"


def pr(seat):
    """PR, its interval and the number of decisions."""
    if pd.isna(seat.pr):
        return dash(_unknown(seat))
    between = interval(seat.pr_low, seat.pr_high, seat.n_games, "game")
    n = int(seat.n_decisions)
    what = "decision" if n == 1 else "decisions"
    return f"<b>{seat.pr:.2f}</b> <small>{between}, {n} {what}</small>"


def loss(seat):
    """Chances to win the match that were given away, the same for a match to 7, and what has no price."""
    if pd.isna(seat.length):
        return dash("money: no MWC")
    if pd.isna(seat.pr):
        return dash(_unknown(seat))
    if pd.isna(seat.loss):
        return dash("no price: the tool’s own match equities")
    sevenths = (
        "" if pd.isna(seat.l7) or seat.length == 7 else f" <small>L₇ {100 * seat.l7:.2f} %</small>"
    )
    bare = f" <small>{int(seat.n_unpriced)} without a price</small>" if seat.n_unpriced > 0 else ""
    return f"<b>{100 * seat.loss:.2f} %</b>{sevenths}{bare}"


def mistakes(seat):
    """Errors (blunders included) and blunders."""
    if pd.isna(seat.n_errors):
        return dash(_unknown(seat))
    return f"{int(seat.n_errors)} / {int(seat.n_blunders)}"


def net_luck(seat):
    """Own luck less the opponent's, and for how many rolls of both it is known."""
    if pd.isna(seat.net_luck):
        return dash("no roll’s luck is known" if seat.n_rolls else "no rolls")
    return f"{_spelt(seat.net_luck, seat.luck_unit)} <small>{_rolls(seat)}</small>"


def luck_adjusted(seat):
    """The result without luck."""
    if pd.isna(seat.luck_adjusted):
        if pd.isna(seat.net_luck):
            return dash("luck unknown")
        return dash("luck has no price" if seat.luck_unit == "equity" else "unfinished")
    unit = "points" if pd.isna(seat.length) else "mwc"
    part = "" if seat.n_luck == seat.n_rolls else f" <small>{_rolls(seat)}</small>"
    return f"{_spelt(seat.luck_adjusted, unit)}{part}"


def _unknown(seat):
    return (
        "not analysed"
        if not seat.n_decisions > 0 and pd.isna(seat.error_total)
        else "no decision counts"
    )


def _spelt(value, unit):
    factor, digits, words = _SPELT[unit]
    return number(factor * value, digits, sign=True, unit=words)


def _rolls(seat):
    return f"{seat.n_luck} of {seat.n_rolls} rolls"
