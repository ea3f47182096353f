"""Boards of the first page: drawn once, coloured by the reader's light or dark scheme."""

import re

import pandas as pd

from blunderlab.backgammon.drawing import THEMES
from blunderlab.boards import svg
from blunderlab.errors import SchemaError
from blunderlab.report.cells import esc, short

__all__ = ["boards", "scheme"]

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # HTML needs none, and it looks like an address


def boards(rows, match=False):
    """Draw rows of decisions side by side, each with a caption.

    Parameters
    ----------
    rows : DataFrame
        As `first.Summary.costliest`.
    match : bool
        Name the match in the caption, too.

    Returns
    -------
    str
    """
    figures = "\n".join(_figure(row, match) for row in rows.itertuples())
    return f'<style>{scheme()}</style>\n<div class="boards">{figures}</div>'


def scheme():
    """The colours of boards as variables of a style sheet."""
    pairs = _pairs()
    light = ";".join(f"--b{i}:{a}" for i, (a, _) in enumerate(pairs))
    dark = ";".join(f"--b{i}:{b}" for i, (_, b) in enumerate(pairs))
    return f".boards{{{light}}}@media (prefers-color-scheme:dark){{.boards{{{dark}}}}}"


def _pairs():
    """Colours of the two themes that have the same parts, each pair once."""
    light, dark = THEMES["light"], THEMES["dark"]
    return list(dict.fromkeys((light[part], dark[part]) for part in light))


def _drawing(row, title):
    """One board in both themes: where they differ in colour stands a variable."""
    try:
        light, dark = (
            svg(row.position, row.played, row.best, theme=theme, title=title) for theme in THEMES
        )
    except SchemaError as error:
        return f'<p class="note cannot">no board: {esc(short(error, 200))}</p>'
    name = {pair: f"var(--b{i})" for i, pair in enumerate(_pairs())}
    other = iter(_COLOUR.findall(dark))
    drawn = _COLOUR.sub(lambda c: name.get((c[0], next(other)), c[0]), light)
    return drawn.replace(_NAMESPACE, "")


def _figure(row, match):
    """A board and what it shows in words."""
    played, best = (x if isinstance(x, str) else "unknown" for x in (row.played, row.best))
    who = short(row.player) if isinstance(row.player, str) else f"seat {row.seat}"
    where = f"Match {row.place}, game {row.game}" if match else f"Game {row.game}"
    roll = f" with {row.roll}" if isinstance(row.roll, str) else ""
    cost = f"{1000 * row.error:.0f} millipoints"
    cost += "" if pd.isna(row.loss) else f", {100 * row.loss:.2f} % of the match"
    title = (
        f"{where}, decision {row.decision}, {who}{roll}: played {played}, best {best}, cost {cost}"
    )
    caption = (
        f"{where}, decision {row.decision}: <b>{esc(who)}</b>{roll}<br>"
        f'played <b class="played">{esc(short(played))}</b>, best <b class="best">{esc(short(best))}</b><br>'
        f"cost {cost}"
    )
    return f"<figure>{_drawing(row, title)}<figcaption>{caption}</figcaption></figure>"
