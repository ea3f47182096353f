"""The judgement below a position's board: candidates with their chances, or the three cube equities."""

import re

import numpy as np

from blunderlab.backgammon.board import BAR
from blunderlab.backgammon.notation import STEPS, parse_play, play_bytes
from blunderlab.backgammon.record.cubes import cube_options
from blunderlab.backgammon.record.options import CHANCES, Options, sound

__all__ = ["cube", "plays"]

_NUMBER = r"[-+]?\d+[.,]\d+"
_STEP = r"\w+(?:/\w+\*?)+(?:\(\d\))?\*?"
_PLAY = rf"{_STEP}(?:,?\s+{_STEP})*"
# XG: "1. 4-ply  19/18 14/12  eq:-0.491 (-0.065)"; BGBlitz: "1.  0.124 mwp /  -0.492  (-0.053)  19/18, 14/12".
_XG_PLAY = re.compile(
    rf"^\s*\d+\.\s+(\S.*?)\s+({_PLAY})\s+[^\s\d:]+:\s*({_NUMBER})\s*(?:\(.*\))?\s*$"
)
_BGBLITZ_PLAY = re.compile(
    rf"^\s*\d+\.\s+(?:({_NUMBER})\s+\S+\s+/\s+)?({_NUMBER})\s+(?:\(\s*{_NUMBER}\)\s+)?({_PLAY})\s*$"
)
_ANY_PLAY = re.compile(r"^\s*\d+\.\s+\S")
_PERCENT = re.compile(rf"({_NUMBER}|\d+)\s*%")
_THREE = rf"({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})"
_BGBLITZ_CHANCES = re.compile(rf"^\s*{_THREE}\s+-\s+{_THREE}\s*$")
_BGBLITZ_SIDE = re.compile(rf"^\s*\S.*?\s+{_THREE}\s*$")
_XG_CUBE = re.compile(r"^\s*[^\s:=][^:=]*:\s*([-+]\d+[.,]\d+)\s*(?:\(.*\))?\s*$")
_BGBLITZ_CUBE = re.compile(
    rf"^\s*(\S[^:]*?)\s*:\s+({_NUMBER})\s+\(\s*{_NUMBER}\s*\)(?:\s+({_NUMBER})\s+\(\s*{_NUMBER}\s*\))?\s*$"
)
_LEVEL = re.compile(r"(XG Roller\S*|\d+-\w+(?: red)?|Rollout|Book\w*|Opening book)", re.IGNORECASE)
_FOOTNOTES = "¹²³⁴⁵⁶⁷⁸⁹"
_ONE = 0.0005  # a pass is worth 1 at three digits
_LARGEST = 100.0  # equity


def plays(text, rows, about, words, problems):
    """Read the candidates; a fault costs all of them and is a problem.

    Returns
    -------
    Options
        None of them played.
    """
    lines = text.splitlines()
    found = []
    for k, line in enumerate(lines):
        if not _ANY_PLAY.match(line):
            continue
        try:
            found.append(_xg_play(line, lines[k + 1 : k + 3]) if about.tool == "XG" else
                         _bgblitz_play(line, lines[k + 1 : k + 2], about))  # fmt: skip
        except ValueError as error:
            problems.add(
                "bad_analysis", f"'{line.strip()}': {error}: the row has no analysis", 1, 1
            )
            return _none()
    if not found:
        problems.add("no_analysis", "no candidate follows the board: the row has no analysis", 1, 1)
        return _none()
    steps, numbers, levels = zip(*found, strict=True)
    n = len(found)
    row, table = np.zeros(n, np.int64), np.array(numbers, float)
    equity = table[:, CHANCES]
    if not sound(rows, row, table[:, :CHANCES], equity, np.abs(equity) <= _LARGEST, problems).all():
        return _none()
    board = np.broadcast_to(np.array(rows.points[0], np.int8), (n, BAR + 1))
    return Options(
        row=row,
        rank=np.arange(1, n + 1),
        words=play_bytes(np.array(steps), board),
        equity=equity,
        chances=table[:, :CHANCES],
        level=np.array([words[level] for level in levels]),
        played=np.zeros(n, bool),
    )


def _xg_play(line, after):
    found = _XG_PLAY.match(line)
    if not found:
        raise ValueError("no candidate of XG")
    sides = [_percentages(one) for one in after]
    if [len(side) for side in sides] != [3, 3]:
        raise ValueError("its chances are missing")
    return (
        _steps(found[2]),
        [*sides[0], *sides[1][1:], _number(found[3])],
        found[1].strip().rstrip(_FOOTNOTES),
    )


def _bgblitz_play(line, after, about):
    found = _BGBLITZ_PLAY.match(line)
    if not found:
        raise ValueError("no candidate of BGBlitz")
    chances = _BGBLITZ_CHANCES.match(after[0]) if after else None
    if not chances:
        raise ValueError("its chances are missing")
    if about.length is not None and found[1] is None:
        raise ValueError("it has no equity beside its chances to win the match")
    win, win_g, win_b, _, lose_g, lose_b = map(_number, chances.groups())
    return _steps(found[3]), [win, win_g, win_b, lose_g, lose_b, _number(found[2])], None


def cube(text, rows, about, words, problems):
    """Read the three cube equities, in the doubler's view, and the options of who decides.

    Returns
    -------
    (Options, ndarray of shape (1, 3))
    """
    read = _xg_cube if about.tool == "XG" else _bgblitz_cube
    equities, chances = np.full((1, 3), np.nan), np.full((1, 2, CHANCES), np.nan)
    try:
        three, sides, level = read(text.splitlines(), about)
    except ValueError as error:
        problems.add("bad_analysis", f"{error}: the row has no analysis", 1, 1)
    else:
        table = np.array([side for side in sides if side], float)
        one = np.zeros(len(table), np.int64)
        possible = np.full(len(table), max(map(abs, three)) <= _LARGEST)
        if sound(rows, one, table, np.full(len(table), sum(three)), possible, problems).all():
            equities[0] = three
            for at, side in enumerate(sides):
                chances[0, at] = side or np.nan
    options = cube_options(
        rows, equities, chances, np.array([words[level if ~np.isnan(equities[0, 0]) else None]])
    )
    options.played[:] = False
    return options, equities


def _xg_cube(lines, about):
    sides = [side for side in map(_percentages, lines) if len(side) == 3]
    three = [_number(found[1]) for found in map(_XG_CUBE.match, lines) if found]
    if len(three) != 3 or len(sides) not in (2, 4):
        raise ValueError(
            f"{len(three)} equities and {len(sides)} lines of chances, not three and two"
        )
    before = lines[: next(k for k, line in enumerate(lines) if len(_percentages(line)) == 3)]
    level = next((found[1] for found in map(_LEVEL.search, reversed(before)) if found), None)
    pairs = [own + other[1:] for own, other in zip(sides[0::2], sides[1::2], strict=True)]
    return three, [pairs[0], pairs[1] if len(pairs) == 2 else None], level


def _bgblitz_cube(lines, about):
    found = [found for found in map(_BGBLITZ_CUBE.match, lines) if found]
    if len(found) != 3:
        raise ValueError(f"{len(found)} cube equities, not three")
    if about.length is not None and any(one[3] is None for one in found):
        raise ValueError("the cube actions have no equity beside their chances to win the match")
    value = {one[1]: _number(one[3] or one[2]) for one in found}
    if len(value) != 3:
        raise ValueError("a cube action stands twice, and another is missing")
    doubled = [word for word in value if "/" in word]
    # The best action comes first, in words of any language: a pass is the one worth 1.
    passed = [word for word in doubled if abs(value[word] - 1) < _ONE]
    if len(doubled) != 2 or not passed:
        raise ValueError("the three cube actions are not no double, take and pass")
    taken = next(word for word in doubled if word != passed[-1])
    none = next(word for word in value if word not in doubled)
    three = [value[none], value[taken], value[passed[-1]]]

    sides = [list(map(_number, one.groups())) for one in map(_BGBLITZ_SIDE.match, lines) if one]
    if len(sides) < 2:
        raise ValueError("the chances of both sides are missing")
    green, red = ([value / 100 for value in side] for side in sides[:2])
    own, other = (red, green) if about.on_roll == "X" else (green, red)
    both = own + other[1:]
    return three, [both, both], None


def _percentages(line):
    return [_number(value) / 100 for value in _PERCENT.findall(line)]


def _steps(written):
    """A play as eight numbers; words before the first stroke are the bar, after the last off, in any language."""
    play = []
    for word in written.replace(",", " ").split():
        first, *rest = word.split("/")
        last, times, count = rest[-1].partition("(")
        first = first if first.isdigit() else "bar"
        last = last if last.strip("*").isdigit() else "off"
        play += parse_play("/".join([first, *rest[:-1], last]) + times + count)
    if len(play) > STEPS:
        raise ValueError(f"more than {STEPS} steps")
    return [point for pair in play for point in pair] + [0] * (2 * STEPS - 2 * len(play))


def _number(written):
    return float(written.replace(",", "."))


def _none():
    return Options(
        row=np.zeros(0, np.int64), rank=np.zeros(0, np.int64), words=np.zeros((0, 1), "u1"), equity=np.zeros(0),
        chances=np.zeros((0, CHANCES)), level=np.zeros(0, np.int64), played=np.zeros(0, bool),
    )  # fmt: skip
