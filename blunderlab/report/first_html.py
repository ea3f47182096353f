"""The first page's summary as HTML: what was read, the matches, players of several, how it is counted."""

from pathlib import PurePath

import pandas as pd

from blunderlab.measure.intervals import FEWEST_UNITS
from blunderlab.measure.rules import RULES
from blunderlab.report import first
from blunderlab.report.cells import TOOLS, esc, interval, number, short
from blunderlab.report.figures import boards
from blunderlab.report.matches_html import cards, ranked_by, table

__all__ = ["BOUND", "MOST_LISTED", "draw"]

# Bytes of this part of the page, whatever is read: lists end, names are cut, boards are few.
BOUND = 1_500_000
MOST_LISTED = 100  # files, problems, players


def draw(summary):
    """Draw a `first.Summary`.

    Returns
    -------
    str
        HTML for a page's body, without links to anything outside it.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables("aachen-double-7pt")
    >>> "3.13" in draw(first.summarise(first.Reading((), t)))
    True
    """
    names = _names([*summary.files, *summary.failed["path"], *summary.problems["path"]])
    few = len(summary.matches) <= first.FEW
    parts = [
        _read(summary, names),
        _failed(summary.failed),
        _same(summary.same, names),
        _problems(summary.problems, names),
        cards(summary, names) if few else table(summary, names),
        "" if few else _costliest(summary.costliest),
        _players(summary.players),
        _legend(summary.matches) if summary.matches["analysed"].any() else "",
    ]
    return "\n".join(part for part in parts if part)


def _names(paths):
    """What to call each file: its name, its whole path where two have the same name."""
    paths = list(dict.fromkeys(p for p in paths if isinstance(p, str)))
    name = {p: PurePath(p).name for p in paths}
    times = pd.Series(list(name.values()), dtype="str").value_counts()
    return {p: short(n if times[n] == 1 else p, 90) for p, n in name.items()}


def _read(summary, names):
    """How much was read, of what."""
    on = ", ".join(f"<code>{esc(short(p, 90))}</code>" for p in summary.paths[:5])
    more = f" and {len(summary.paths) - 5} more" if len(summary.paths) > 5 else ""
    n, files = len(summary.matches), len(summary.files)
    bare = int((~summary.matches["analysed"]).sum())
    words = f"{_many(n, 'match', 'matches')} from {_many(files, 'file')}"
    words += f", {bare} of them not analysed" if bare else ""
    words += f"; {_many(len(summary.failed), 'file')} not read" if len(summary.failed) else ""
    head = f'<p class="on">{words}. Given: {on + more or "the shipped data"}.</p>'
    if files < 2:
        return head
    items = [f"<code>{esc(names[p])}</code>" for p in summary.files]
    return f"{head}\n<details><summary>Files read: {files}</summary>{_list(items)}</details>"


def _failed(failed):
    """Files that could not be read, each with its reason."""
    if not len(failed):
        return ""
    items = [
        f"<code>{esc(short(path, 160))}</code>: {esc(short(reason, 300))}"
        for path, reason in zip(failed["path"], failed["reason"], strict=True)
    ]
    return (
        f'<div class="box bad"><h2>Not read: {_many(len(failed), "file")}</h2>{_list(items)}</div>'
    )


def _same(same, names):
    """Matches that came twice."""
    items = [
        f"<code>{esc(names.get(path, short(path, 90)))}</code> holds the same match as "
        f"<code>{esc(names.get(other, short(other, 90)))}</code>"
        + (": both are shown, players count it once" if kept else ", byte by byte: read once")
        for path, other, kept in same.itertuples(index=False)
    ]
    return _box(items, f"The same match twice: {len(items)}")


def _problems(problems, names):
    """What could not be read or believed inside files, counted by kind."""
    items = [
        f"<code>{esc(names.get(path, short(path, 90)))}</code>: "
        + (f"{n} times, first: " if n > 1 else "")
        + esc(short(message, 200))
        for path, _, n, message in problems.itertuples(index=False)
    ]
    total = int(problems["n"].sum())
    return _box(items, f"Not believed or left out inside files: {_many(total, 'record')}")


def _costliest(rows):
    if not len(rows):
        return ""
    return f"<h2>Costliest decisions of all, by {ranked_by(rows)}</h2>\n{boards(rows, match=True)}"


def _players(players):
    """One line a player of several matches."""
    shown = players[players["n_analysed"] > 0]
    if not len(shown):
        return ""
    rows = "\n".join(
        f"<tr><th>{esc(short(p.player))}</th><td>{number(p.pr, 2)}</td>"
        f"<td>{interval(p.pr_low, p.pr_high, p.n_analysed, 'match', 'matches')}</td>"
        f"<td>{p.n_decisions}</td><td>{p.n_matches}</td><td>{p.n_analysed}</td>"
        f'<td class="words">{", ".join(TOOLS[r] for r in p.rules)}</td></tr>'
        for p in shown.head(MOST_LISTED).itertuples()
    )
    heads = ("PR", "95 %", "decisions", "matches", "analysed")
    head = "".join(f"<th>{h}</th>" for h in heads)
    notes = [f"Intervals are over matches; under {FEWEST_UNITS} there is none."]
    if len(shown) > MOST_LISTED:
        notes.append(f"{len(shown) - MOST_LISTED} more are not listed.")
    if len(players) > len(shown):
        notes.append(f"Of {len(players) - len(shown)} more no match is analysed.")
    return (
        '<h2>Players of several matches</h2>\n<div class="scroll" tabindex="0" role="region" aria-label="Players">'
        f'<table class="many"><thead><tr><th>Player</th>{head}<th class="words">rules</th></tr></thead>\n'
        f'<tbody>\n{rows}\n</tbody></table></div>\n<p class="on">{" ".join(notes)}</p>'
    )


def _legend(matches):
    """How the figures are counted, and in which unit they are."""
    used = set(matches.loc[matches["analysed"], "rules"])
    rules = " ".join(_rules(RULES[name]) for name in RULES if name in used)
    return (
        f'<p class="on legend">PR: 500 × error in equity a decision, with its 95 % interval over the games of the match. '
        "Loss: match winning chances (MWC) given away; L₇ is the same for a match to 7. A millipoint is 0.001 of what "
        "is at stake at the current cube. Net luck: own less the opponent’s. Result without luck: the result less the chance "
        f"at the start and the net luck. {rules}</p>"
    )


def _rules(rules):
    error, blunder = (f"{1000 * x:.0f}" for x in rules.thresholds[-2:])
    edge = "above" if rules.strict else "from"
    only = ", in checker plays only" if rules.plays_only else ""
    return f"By {TOOLS[rules.name]}’s rules an error counts {edge} {error} millipoints, a blunder {edge} {blunder}{only}."


def _box(items, head):
    """A list that is folded when it is long; nothing when it is empty."""
    if not items:
        return ""
    fold = "" if len(items) > 5 else " open"
    return f'<details class="box"{fold}><summary>{head}</summary>{_list(items)}</details>'


def _many(n, one, more=None):
    return f"{n:,} {one if n == 1 else more or one + 's'}"


def _list(items):
    """A list that ends at `MOST_LISTED`."""
    left = len(items) - MOST_LISTED
    items = items[:MOST_LISTED] + ([f"and {left} more"] if left > 0 else [])
    return f'<ul class="files">{"".join(f"<li>{item}</li>" for item in items)}</ul>'
