"""Matches of the first page as HTML: a card for each of a few, one table for many."""

import pandas as pd

from blunderlab.report.cells import (
    TOOLS,
    date,
    esc,
    loss,
    luck_adjusted,
    mistakes,
    net_luck,
    pr,
    short,
)
from blunderlab.report.figures import boards

__all__ = ["MOST_ROWS", "cards", "ranked_by", "table"]

MOST_ROWS = 300  # matches in the table
_CELLS = {
    "PR": pr,
    "Loss": loss,
    "Errors / blunders": mistakes,
    "Net luck": net_luck,
    "Result without luck": luck_adjusted,
}


def cards(summary, names):
    """Draw one card a match: who, result, both players' figures, reconciliation, boards.

    Parameters
    ----------
    summary : first.Summary
    names : dict of str to str
        What to call each file.
    """
    seats = dict(list(summary.seats.groupby("match_id", sort=False)))
    costly = dict(list(summary.costliest.groupby("match_id", sort=False)))
    return "\n".join(
        _card(match, list(seats[match.match_id].itertuples()), costly.get(match.match_id), names)
        for match in summary.matches.itertuples()
    )


def table(summary, names):
    """Draw one row a match and player, in the order of reading; parameters as in `cards`."""
    shown = summary.matches.head(MOST_ROWS)
    seats = dict(list(summary.seats.groupby("match_id", sort=False)))
    body = "\n".join(
        _pair(match, list(seats[match.match_id].itertuples()), names)
        for match in shown.itertuples()
    )
    left = len(summary.matches) - len(shown)
    more = (
        f'<p class="note">{left} more matches are not listed; '
        "<code>blunderlab decisions PATH… -o all.parquet</code> writes every decision.</p>"
        if left
        else ""
    )
    heads = ("Match, and whether our figures equal the tool’s", "Player", *_CELLS)
    head = "".join(f"<th>{h}</th>" for h in heads)
    return (
        f'<h2>Matches</h2>\n<div class="scroll" tabindex="0" role="region" aria-label="Matches"><table class="many">'
        f"<thead><tr><th>No.</th>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>{more}{_hints(shown)}"
    )


def ranked_by(rows):
    """Say what boards are ranked by."""
    return "loss" if rows["by"].iloc[0] == "loss" else "error (not every decision has a loss)"


def _card(match, seats, costly, names):
    head = f'<h2>{_who(seats)}</h2>\n<p class="on">{"; ".join(_about(match, seats, names))}.</p>'
    if not match.analysed:
        body = (
            '<p class="note cannot">Not analysed: the file holds the plays alone, so nothing of PR, loss or luck is '
            "known. Let XG or gnuBG analyse it (<code>bl.engines.gnubg.analyse</code>).</p>"
        )
        return f'<section class="match">{head}\n{body}</section>'
    rows = "\n".join(
        f"<tr><th>{label}</th>{''.join(f'<td>{cell(seat)}</td>' for seat in seats)}</tr>"
        for label, cell in _CELLS.items()
    )
    names_ = "".join(f"<th>{_name(seat)}</th>" for seat in seats)
    table = f'<table class="seats"><thead><tr><td></td>{names_}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>'
    drawn = ""
    if costly is not None:
        drawn = f"<h3>Costliest decisions, by {ranked_by(costly)}</h3>\n{boards(costly)}"
    return f'<section class="match">{head}\n{table}\n<p class="equal">{_equal(match)}</p>\n{drawn}</section>'


def _pair(match, seats, names):
    """The two rows of a match."""
    about = "<br>".join([*_about(match, seats, names), _equal(match, brief=True)])
    # First, so that a narrow window shows which match it is; the figures scroll.
    first = f'<td rowspan="2">{match.place}</td><td rowspan="2" class="about">{about}</td>'
    rows = []
    for seat in seats:
        own = f"<th>{_name(seat)}</th>" + "".join(
            f"<td>{cell(seat)}</td>" for cell in _CELLS.values()
        )
        rows.append(f"<tr>{first if seat.seat == 0 else ''}{own}</tr>")
    return "\n".join(rows)


def _about(match, seats, names):
    """Length, result, date, event, file and rules of a match, as far as they are known."""
    length = "money" if pd.isna(match.length) else f"match to {match.length}"
    yield f"{length}, {_result(match, seats)}"
    known = [x for x in (date(match.date), match.event, match.round) if isinstance(x, str) and x]
    if known:
        yield esc(", ".join(short(x) for x in known))
    file = f"<code>{esc(names[match.path])}</code>" if isinstance(match.path, str) else ""
    tool = " ".join(x for x in (match.tool, match.version) if isinstance(x, str))
    if match.analysed:
        by = f"analysed by {esc(short(tool) or 'an unnamed tool')}, {TOOLS[match.rules]}’s rules"
        yield f"{file}, {by}" if file else by
    elif file:
        yield file


def _result(match, seats):
    score = (
        f"{esc(short(match.result.replace('-', '–'), 20))}, "
        if isinstance(match.result, str)
        else ""
    )
    if pd.isna(match.winner):
        return f"{score}unfinished"
    return f"{score}{_name(seats[int(match.winner)])} won"


def _equal(match, brief=False):
    """Our figures beside the tool's: how many are equal, or why none is compared (and what to do, unless brief)."""
    if not match.n:
        reason = match.reason.partition(": ")[0] if brief else match.reason
        return f"– {'not compared' if brief else 'no figures to compare with'}: {_code(reason)}"
    tool = esc(short(match.tool)) if isinstance(match.tool, str) else "the file"
    left = f"; {match.n_not_finite} more are not finite" if match.n_not_finite else ""
    if match.n_within == match.n:
        return f"✓ {match.n_within} of {match.n} figures equal {tool}’s own{left}"
    off = esc(short(match.reason, 200))
    return f'<span class="off">✗ {match.n_within} of {match.n} figures equal {tool}’s own: {off}</span>{left}'


def _hints(matches):
    """What to do about each kind of missing figures, once."""
    reasons = matches.loc[matches["n"] == 0, "reason"]
    hints = reasons[reasons.str.contains(": ")].drop_duplicates()
    return "".join(f'<p class="on legend">{_code(hint)}.</p>' for hint in hints)


def _code(text):
    """Escape a text; what stands between backquotes is code."""
    parts = enumerate(esc(text).split("`"))
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in parts)


def _who(seats):
    return " – ".join(_name(seat) for seat in seats)


def _name(seat):
    known = isinstance(seat.player, str) and seat.player.strip()
    return esc(short(seat.player)) if known else f"seat {seat.seat} (no name)"
