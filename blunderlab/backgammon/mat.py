"""Write matches as Jellyfish text (`.mat`), which every backgammon program imports."""

import numpy as np

from blunderlab.errors import SchemaError

__all__ = ["to_mat"]

_WIDTH = 33  # of the left column
_ANSWERS = {"Take": "Takes", "Pass": "Drops", "Beaver": "Beavers", "Raccoon": "Beavers"}


def to_mat(t, match_id=None):
    """Write one match as `.mat` text.

    Parameters
    ----------
    t : Tables
        Analysis is not needed, only plays, cube actions and how the games ended.
    match_id : str, optional
        Which match; may be left out when there is only one.

    Returns
    -------
    str
        Seat 0 stands in the left column. A roll that was never played is written `????`.

    Raises
    ------
    SchemaError
        When there is no such match, or it is not backgammon.

    Examples
    --------
    >>> import blunderlab as bl
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
    names = [_name(match[f"player{seat}"], seat) for seat in (0, 1)]
    lines = [f" {length} point match"]
    for game in games.itertuples():
        lines += ["", f" Game {game.game}"]
        heads = [f"{name} : {score}" for name, score in zip(names, (game.score0, game.score1), strict=True)]
        lines.append(f" {heads[0]:<{_WIDTH}} {heads[1]}")
        lines += _game(decisions[decisions["game"] == game.game])
        if not np.isnan(_number(game.winner)):
            lines.append(_end(game, length))
    return "\n".join([*lines, ""])


def _game(decisions):
    """Numbered lines: a left and a right action each."""
    rows, cells = [], [None, None]
    for d in decisions[decisions["kind"] != "no_double"].itertuples():
        seat, text = int(d.seat), _action(d)
        if cells[seat] is not None or (seat == 0 and cells[1] is not None):
            rows.append(cells)
            cells = [None, None]
        cells[seat] = text
    if cells != [None, None]:
        rows.append(cells)
    for number, (left, right) in enumerate(rows, 1):
        yield f"{number:3d}) {left or '':<{_WIDTH - 4}} {right or ''}".rstrip()


def _action(d):
    if d.kind == "double":
        return f" Doubles => {2 * d.cube}"
    if d.kind in ("take", "pass"):
        return f" {_ANSWERS[d.played]}"
    if d.kind == "roll":
        return f"{d.roll}: ????"
    return f"{d.roll}:" + ("" if d.played == "Cannot Move" else f" {d.played}")


def _end(game, length):
    won = int((game.score0, game.score1)[int(game.winner)]) + int(game.points)
    words = f"Wins {game.points} point{'s' if game.points != 1 else ''}"
    words += " and the match" if length and won >= length else ""
    return " " * (6 if game.winner == 0 else 6 + _WIDTH) + words


def _name(name, seat):
    return name if isinstance(name, str) and name.strip() else f"Player {seat + 1}"


def _number(value):
    return float(value) if isinstance(value, int | float | np.number) else np.nan
