"""Write matches as Jellyfish text (`.mat`), which every backgammon program imports."""

import numpy as np

from blunderlab.backgammon.board import flip
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.errors import SchemaError

__all__ = ["to_mat"]

_WIDTH = 33  # of the left column
_DANCE = "Cannot Move"
_UNPLAYED = "????"
_ANSWERS = {"Take": "Takes", "Pass": "Drops"}
_AGAIN = {"Beaver": 4, "Raccoon": 8}  # times the cube before the double
_VARIANTS = {
    "nackgammon": "NackGammon", "hypergammon 1": "HyperGammon (1)", "hypergammon 2": "HyperGammon (2)",
    "hypergammon": "HyperGammon (3)",
}  # fmt: skip


def to_mat(t, match_id=None, names=None):
    """Write one match as `.mat` text.

    Parameters
    ----------
    t : Tables
        Analysis is not needed, only plays, cube actions and how the games ended.
    match_id : str, optional
        Which match; may be left out when there is only one.
    names : (str, str), optional
        Of the left and the right column, instead of the players' own.

    Returns
    -------
    str
        Seat 0 stands in the left column. A roll that was never played is written `????`; an illegal play as XG and
        gnuBG write it, as the position that it led to.

    Raises
    ------
    SchemaError
        When there is no such match, or it is not backgammon.

    Notes
    -----
    Written for gnuBG's `import.c`: a left column is always filled up with spaces, since gnuBG 1.07 reads beyond the
    end of a short line, into what the line before it left there (a drop then becomes a second double). The take
    that ends a beaver is not written, because gnuBG adds it by itself at the next roll; a beaver that is passed is
    called a raccoon, after which gnuBG adds nothing.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables("aachen-double-7pt")
    >>> print(*(line.rstrip() for line in to_mat(t).splitlines()[:6]), sep="\\n")
    ; [EventDate "2024.08.18"]
     7 point match
    <BLANKLINE>
     Game 1
     seat 0 : 0                         seat 1 : 0
      1)                                61: 13/7 8/7
    >>> to_mat(bl.Tables.build())
    Traceback (most recent call last):
    ...
    blunderlab.errors.SchemaError: 0 matches here: say which one to write
    """
    matches = t.matches if match_id is None else t.matches[t.matches["match_id"] == match_id]
    if len(matches) != 1:
        raise SchemaError(f"{len(matches)} matches here: say which one to write")
    match = matches.iloc[0]
    decisions = t.decisions[t.decisions["match_id"] == match["match_id"]].sort_values("decision")
    if not (decisions["discipline"] == "backgammon").all():
        raise SchemaError(f"match {match['match_id']} is not backgammon")
    games = t.games[t.games["match_id"] == match["match_id"]].sort_values("game")
    length = 0 if np.isnan(_number(match["length"])) else int(match["length"])
    names = [_name(match[f"player{seat}"], seat) for seat in (0, 1)] if names is None else names
    lines = [*_about(match), f" {length} point match"]
    for game in games.itertuples():
        lines += ["", f" Game {game.game}"]
        heads = [
            f"{name} : {score}"
            for name, score in zip(names, (game.score0, game.score1), strict=True)
        ]
        lines.append(f" {heads[0]:<{_WIDTH}}  {heads[1]}")
        lines += _game(decisions[decisions["game"] == game.game], length)
        if not (np.isnan(_number(game.winner)) or np.isnan(_number(game.points))):
            lines.append(_end(game, length))
    return "\n".join([*lines, ""])


def _about(match):
    """Comment lines of the header, where something is known."""
    for label, value in (
        ("Event", match["event"]),
        ("Round", match["round"]),
        (
            "EventDate",
            str(match["date"])[:10].replace("-", ".") if isinstance(match["date"], str) else None,
        ),
        ("Variation", _VARIANTS.get(match["variant"])),
    ):
        if isinstance(value, str):
            one_line = " ".join(value.split()).replace('"', "'")
            yield f'; [{label} "{one_line}"]'


def _game(decisions, length):
    """Numbered lines: a left and a right action each."""
    rows, cells = [], [None, None]
    for seat, text in _actions(decisions[decisions["kind"] != "no_double"], length):
        if cells[seat] is not None or (seat == 0 and cells[1] is not None):
            rows.append(cells)
            cells = [None, None]
        cells[seat] = text
    if cells != [None, None]:
        rows.append(cells)
    for number, (left, right) in enumerate(rows, 1):
        yield f"{number:3d}) {left or '':<{_WIDTH - 4}}  {right or ''}"


def _actions(decisions, length):
    """Seat and text of each thing done."""
    rows = list(decisions.itertuples())
    before = None
    for d, after in zip(rows, [*rows[1:], None][: len(rows)], strict=True):
        seat = int(d.seat)
        if d.kind == "double":
            yield seat, f" Doubles => {2 * d.cube}"
        elif d.kind in ("take", "pass"):
            beavered = before is not None and before.kind == "take" and before.played in _AGAIN
            if d.played in _AGAIN:
                word = "Raccoons" if after is not None and after.kind == "pass" else "Beavers"
                yield seat, f" {word} => {_AGAIN[d.played] * d.cube}"
            elif not (beavered and d.kind == "take"):
                yield seat, f" {_ANSWERS.get(d.played, 'Takes' if d.kind == 'take' else 'Drops')}"
        elif isinstance(d.roll, str):
            yield seat, f"{d.roll}:{_play(d, after, length)}"
        before = d


def _play(d, after, length):
    if d.kind == "roll" or not isinstance(d.played, str):
        return f" {_UNPLAYED}"
    if d.played == _DANCE:
        return ""
    if d.illegal and after is not None and isinstance(after.position, str):
        return f" Illegal play ({_position(after, length)})"
    return f" {d.played}"


def _position(d, length):
    """The board before a row in Snowie's text; all else in it is idle, but a turn of 1 makes seat 0's checkers positive."""
    board = points_of([d.position])[0]
    board = board if d.seat == 0 else flip(board)
    return (
        ";".join(map(str, (length, 0, 0, 0, 1, "A", "B", 0, 0, 0, 1, 0, *board.tolist(), 0, 0)))
        + ";"
    )


def _end(game, length):
    won = int((game.score0, game.score1)[int(game.winner)]) + int(game.points)
    words = f"Wins {game.points} point{'s' if game.points != 1 else ''}"
    words += " and the match" if length and won >= length else ""
    return " " * (6 if game.winner == 0 else 6 + _WIDTH) + words


def _name(name, seat):
    """A name that the line of scores can hold: the first colon there ends it."""
    shown = " ".join(name.split()).replace(":", ";") if isinstance(name, str) else ""
    return shown or f"Player {seat + 1}"


def _number(value):
    return float(value) if isinstance(value, int | float | np.number) else np.nan
