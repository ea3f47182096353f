"""A backgammon board as SVG: both sides, cube, score, dice, pip counts, plays as arrows."""

from html import escape

import numpy as np

from blunderlab.backgammon.board import BAR, OPPONENT_BAR, borne_off, pips
from blunderlab.backgammon.notation import parse_play
from blunderlab.backgammon.xgid import parse
from blunderlab.errors import SchemaError

__all__ = ["svg"]

COLUMN, RADIUS = 42, 19.5
LEFT, TOP, TRAY = 12, 46, 62
HEIGHT = 440
POINT = 5 * 2 * RADIUS + 6  # length of a point
WIDTH = LEFT + 13 * COLUMN + TRAY + 8
BAR_X = LEFT + 6.5 * COLUMN
BOTTOM = TOP + HEIGHT
STACKED = 5  # checkers drawn before a number says how many

# Okabe and Ito's palette: told apart in every common colour vision.
PLAYED, BEST = "#D55E00", "#0072B2"
THEMES = {
    "light": {
        "paper": "#ffffff", "ink": "#1b1b1b", "board": "#f4efe3", "edge": "#5b4b36", "dark": "#c9b48c",
        "pale": "#e4d7bb", "bar": "#ded2b8", "player": "#ffffff", "opponent": "#33302c",
        "rim": "#33302c", "rim2": "#f4efe3", "cube": "#ffffff", "best": BEST, "played": PLAYED,
    },
    "dark": {
        "paper": "#111417", "ink": "#e8e6e1", "board": "#23282d", "edge": "#8a8f94", "dark": "#4b5a66",
        "pale": "#36424c", "bar": "#191d21", "player": "#f2efe8", "opponent": "#0b0c0d",
        "rim": "#0b0c0d", "rim2": "#b9bdc1", "cube": "#e8e6e1", "best": "#56B4E9", "played": "#E69F00",
    },
}  # fmt: skip
_PIPS = {
    1: [4],
    2: [2, 6],
    3: [2, 4, 6],
    4: [0, 2, 6, 8],
    5: [0, 2, 4, 6, 8],
    6: [0, 2, 3, 5, 6, 8],
}


def svg(text, played=None, best=None, theme="light", width=None, title=None):
    """Draw an XGID; see `blunderlab.boards.svg`."""
    try:
        position = parse(text)
    except ValueError as error:
        raise SchemaError(f"{text!r} is no position that can be drawn: {error}") from error
    if theme not in THEMES:
        raise SchemaError(f"no theme {theme!r}: choose from {', '.join(THEMES)}")
    colour = THEMES[theme]
    points = np.array(position.points, np.int8)
    plays = [
        (name, play) for name, play in (("best", best), ("played", played)) if isinstance(play, str)
    ]
    if len(plays) == 2 and played == best:
        plays = [("best", best)]
    height = BOTTOM + 46 + (30 if plays else 0)
    size = f' width="{width}" height="{round(width * height / WIDTH)}"' if width else ""
    label = title or _words(position)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"{size} role="img" '
        f'aria-label="{escape(label, quote=True)}" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(label)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{colour["paper"]}"/>',
        *_board(colour),
        *_sides(position, points, colour),
        *_checkers(points, colour),
        *_cube(position, colour),
        *_dice(position.dice, colour),
    ]
    for row, (name, play) in enumerate(reversed(plays)):
        parts += _play(points, play, name, position, colour, row)
    return "".join([*parts, "</svg>"])


def _board(colour):
    yield (
        f'<rect x="{LEFT}" y="{TOP}" width="{13 * COLUMN}" height="{HEIGHT}" '
        f'fill="{colour["board"]}" stroke="{colour["edge"]}" stroke-width="2"/>'
    )
    yield (
        f'<rect x="{BAR_X - COLUMN / 2}" y="{TOP}" width="{COLUMN}" height="{HEIGHT}" '
        f'fill="{colour["bar"]}" stroke="{colour["edge"]}"/>'
    )
    yield (
        f'<rect x="{LEFT + 13 * COLUMN + 6}" y="{TOP}" width="{TRAY - 6}" height="{HEIGHT}" '
        f'fill="{colour["bar"]}" stroke="{colour["edge"]}"/>'
    )
    for point in range(1, 25):
        x, top = _x(point), point > 12
        base, tip = (TOP, TOP + POINT) if top else (BOTTOM, BOTTOM - POINT)
        shade = colour["dark" if point % 2 else "pale"]
        yield (
            f'<path d="M{x - COLUMN / 2 + 1} {base}L{x} {tip}L{x + COLUMN / 2 - 1} {base}Z" '
            f'fill="{shade}"/>'
        )
        yield _text(x, TOP - 6 if top else BOTTOM + 17, point, 16, colour["ink"])


def _sides(position, points, colour):
    """Pip count and score of each side, above and below the board."""
    own, other = pips(points)
    for y, who, count, away in (
        (20, "Opponent", other, position.match_length - position.opponent_score),
        (
            BOTTOM + 40,
            "To decide" if position.offered else "On roll",
            own,
            position.match_length - position.score,
        ),
    ):
        score = f"{away} away" if position.match_length else "money"
        if position.match_length and y > TOP:
            score += f", match to {position.match_length}" + ", Crawford" * position.crawford
        yield _text(LEFT, y, f"{who}: pip {int(count)}", 21, colour["ink"], "start")
        yield _text(LEFT + 13 * COLUMN, y, score, 21, colour["ink"], "end")


def _checkers(points, colour):
    for point in range(26):
        count = int(points[point])
        if not count:
            continue
        side = "player" if count > 0 else "opponent"
        yield f'<g class="stack" data-point="{point}" data-side="{side}" data-count="{abs(count)}">'
        for at in range(min(abs(count), STACKED)):
            yield _checker(*_spot(point, at), side, colour)
        if abs(count) > STACKED:  # the circles that are not drawn are counted by a number
            x, y = _spot(point, STACKED - 1)
            ink = colour["opponent" if count > 0 else "player"]
            yield _text(x, y + 7, abs(count), 20, ink, weight="bold")
        yield "</g>"
    for side, count in zip(("player", "opponent"), borne_off(points), strict=True):
        if count:
            x, bottom = LEFT + 13 * COLUMN + 6 + (TRAY - 6) / 2, side == "player"
            y = BOTTOM - 34 if bottom else TOP + 26
            yield _text(x, y, int(count), 24, colour["ink"], weight="bold")
            yield _text(x, y + 20, "off", 16, colour["ink"])


def _checker(x, y, side, colour):
    rim = colour["rim" if side == "player" else "rim2"]
    return (
        f'<circle class="{side}" cx="{x:g}" cy="{y:g}" r="{RADIUS - 1}" '
        f'fill="{colour[side]}" stroke="{rim}" stroke-width="1.6"/>'
    )


def _cube(position, colour):
    side = 40
    x = LEFT + 13 * COLUMN + 6 + (TRAY - 6) / 2
    y = {"centre": TOP + HEIGHT / 2, "player": BOTTOM - 92, "opponent": TOP + 92}[
        position.cube_owner
    ]
    value = position.cube
    if position.offered:  # turned, on the side of the one who must answer
        x, y, value = LEFT + 10 * COLUMN, TOP + HEIGHT / 2, 2 * position.cube
    # A cube in the middle shows 64: nobody has doubled yet.
    shown = 64 if value == 1 else value
    yield (
        f'<g class="cube" data-value="{value}" data-owner="{position.cube_owner}">'
        f'<rect x="{x - side / 2}" y="{y - side / 2}" width="{side}" height="{side}" rx="6" '
        f'fill="{colour["cube"]}" stroke="{colour["edge"]}" stroke-width="2"/>'
        + _text(x, y + 7.5, shown, 22 if shown < 100 else 17, "#1b1b1b", weight="bold")
        + "</g>"
    )


def _dice(dice, colour):
    side = 38
    for at, die in enumerate(dice):
        x, y = LEFT + (9.1 + 1.3 * at) * COLUMN, TOP + HEIGHT / 2 - side / 2
        dots = "".join(
            f'<circle cx="{x + 9 + 10 * (spot % 3)}" cy="{y + 9 + 10 * (spot // 3)}" r="3.6" '
            f'fill="{colour["rim"]}"/>'
            for spot in _PIPS[int(die)]
        )
        yield (
            f'<g class="die" data-value="{die}"><rect x="{x}" y="{y}" width="{side}" height="{side}" '
            f'rx="7" fill="{colour["player"]}" stroke="{colour["rim"]}" stroke-width="1.6"/>{dots}</g>'
        )


def _play(points, play, name, position, colour, row):
    """Arrows of a checker play and its words in the legend."""
    y = BOTTOM + 68
    x = LEFT + row * 6.7 * COLUMN
    dash = ' stroke-dasharray="7 5"' if name == "best" else ""
    yield (
        f'<path d="M{x} {y - 6}h34" stroke="{colour[name]}" stroke-width="6"{dash}/>'
        + _text(x + 42, y, f"{name}: {play}", 20, colour["ink"], "start")
    )
    if not position.dice:
        return
    try:
        steps = parse_play(play)
    except ValueError as error:
        raise SchemaError(f"{play!r} is no play: {error}") from error
    heights = {}
    for start, end in steps:
        x1, y1 = _top(points, start, heights.get(start, 0))
        heights[start] = heights.get(start, 0) - 1
        gained = heights.get(end, 0) + 1
        heights[end] = gained
        x2, y2 = _landing(points, end, gained)
        yield _arrow(x1, y1, x2, y2, colour[name], dash, 9 if name == "best" else -9)


def _top(points, point, change):
    count = max(int(points[point]) + change, 1)
    return _spot(point, min(count, STACKED) - 1)


def _landing(points, point, gained):
    if point < 1:
        return LEFT + 13 * COLUMN + 6 + (TRAY - 6) / 2, BOTTOM - 60
    here = max(int(points[point]), 0) + gained
    return _spot(point, min(here, STACKED) - 1)


def _arrow(x1, y1, x2, y2, ink, dash, bend):
    """A bowed line with a head, so that two plays over the same points stay apart."""
    dx, dy = x2 - x1, y2 - y1
    length = max(np.hypot(dx, dy), 1.0)
    ux, uy = dx / length, dy / length
    cx, cy = (x1 + x2) / 2 - uy * bend * 2, (y1 + y2) / 2 + ux * bend * 2
    tx, ty = x2 - cx, y2 - cy
    norm = max(np.hypot(tx, ty), 1.0)
    tx, ty = tx / norm, ty / norm
    back = 13
    bx, by = x2 - tx * back, y2 - ty * back
    head = f"M{x2:.1f} {y2:.1f}L{bx - ty * 8:.1f} {by + tx * 8:.1f}L{bx + ty * 8:.1f} {by - tx * 8:.1f}Z"
    return (
        f'<path class="arrow" d="M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {bx:.1f} {by:.1f}" fill="none" '
        f'stroke="{ink}" stroke-width="5" stroke-linecap="round"{dash}/><path d="{head}" fill="{ink}"/>'
    )


def _x(point):
    """Middle of a point's column; the player's home is bottom right."""
    column = 12 - point if point <= 12 else point - 13
    return LEFT + (column + 0.5 + (column > 5)) * COLUMN


def _spot(point, at):
    """Where checker number `at` of a stack lies."""
    step = 2 * RADIUS
    if point == BAR:
        return BAR_X, BOTTOM - HEIGHT / 2 + 40 + at * step * 0.8
    if point == OPPONENT_BAR:
        return BAR_X, TOP + HEIGHT / 2 - 40 - at * step * 0.8
    if point > 12:
        return _x(point), TOP + RADIUS + 1 + at * step
    return _x(point), BOTTOM - RADIUS - 1 - at * step


def _text(x, y, words, size, ink, anchor="middle", weight="normal"):
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(str(words))}</text>'
    )


def _words(position):
    doing = (
        "to answer a double"
        if position.offered
        else f"to play {position.dice}"
        if position.dice
        else "on roll"
    )
    return f"Backgammon position, player at the bottom {doing}"
