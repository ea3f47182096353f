"""XGIDs: one position with its cube, roll and score, as eXtreme Gammon writes it.

    XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10

The fields are the board seen by the player at the bottom (capitals), the cube as
a power of two, its owner, the turn (1 bottom, -1 top), the roll, the scores of
bottom and top, the Crawford flag (at money: 1 Jacoby + 2 beavers), the match
length (0 money) and the largest cube as a power of two. A roll of ``00`` is not
yet rolled. With ``D`` a double is offered: the turn still names the doubler and
the cube is the one before the double, so the other player decides.

A position is read into the view of the player who decides, and written with that
player at the bottom.
"""

from dataclasses import dataclass

import numpy as np

from .board import CHECKERS, SIZE, START, check, flip

PREFIX = "XGID="
MAX_CUBE = 10
OWNERS = ("centre", "player", "opponent")

_FIELDS = 10
_NOT_ROLLED = "00"
_OFFERS = ("D", "B", "R")
_OWNER_NUMBERS = {"centre": 0, "player": 1, "opponent": -1}


@dataclass(frozen=True)
class Position:
    """What a player sees who must decide.

    Parameters
    ----------
    points : sequence of int, length 26
        The board in the decider's view (`blunderlab.backgammon.board`); kept as
        a tuple.
    cube : int
        1, 2, 4 ...; before any double that is offered.
    cube_owner : {"centre", "player", "opponent"}
        The player is the one who decides; before any double that is offered.
    dice : str
        As in "31"; kept high first. Empty when not rolled.
    offered : bool
        A cube is offered to the decider.
    reply : {"", "B", "R"}
        "B" when the cube offered is a beaver, "R" when it is a raccoon.
    score, opponent_score : int
        Points won before this game, the decider's first.
    match_length : int
        0 is money play.
    crawford : bool
        This is the Crawford game of a match.
    jacoby, beaver : bool
        The rules of money play.
    max_cube : int
        The largest cube, as a power of two.

    Raises
    ------
    ValueError
        When a value is none of those above, the board cannot be, or two values
        contradict each other.

    Examples
    --------
    >>> Position(START, dice="13", match_length=7).dice
    '31'
    """

    points: tuple = tuple(START.tolist())
    cube: int = 1
    cube_owner: str = "centre"
    dice: str = ""
    offered: bool = False
    reply: str = ""
    score: int = 0
    opponent_score: int = 0
    match_length: int = 0
    crawford: bool = False
    jacoby: bool = False
    beaver: bool = False
    max_cube: int = MAX_CUBE

    def __post_init__(self):
        object.__setattr__(self, "points", tuple(check(self.points).tolist()))
        object.__setattr__(self, "dice", "".join(sorted(str(self.dice), reverse=True)))
        problem = _contradiction(self)
        if problem:
            raise ValueError(problem)


def parse(text):
    """Read an XGID.

    Parameters
    ----------
    text : str
        With or without ``XGID=``.

    Returns
    -------
    Position
        In the view of the player who must decide: the player on turn, or the
        other one when a double is offered (``D``) or a raccoon (``R``). With
        ``B``, a beaver, it is the doubler again, whom the turn is taken to name.

    Raises
    ------
    ValueError
        When it does not have ten fields, or a field cannot be.

    Examples
    --------
    >>> position = parse("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:3:0:7:10")
    >>> position.offered, position.cube, position.cube_owner, position.score
    (True, 2, 'opponent', 2)
    """
    text = text.strip()
    if text[: len(PREFIX)].upper() == PREFIX:
        text = text[len(PREFIX) :]
    fields = [field.strip() for field in text.split(":")]
    if len(fields) != _FIELDS:
        raise ValueError(f"an XGID has {_FIELDS} fields, and '{text}' has {len(fields)}")
    points = _parse_points(fields[0])
    cube = _number("cube", fields[1], 0, 30)
    owner = _number("cube owner", fields[2], -1, 1)
    turn = _number("turn", fields[3], -1, 1)
    if turn == 0:
        raise ValueError("the turn of an XGID is 1 or -1, not '0'")
    roll = fields[4].upper()
    score = _number("score", fields[5], 0)
    opponent_score = _number("score", fields[6], 0)
    match_length = _number("match length", fields[8], 0)
    flags = _number("Crawford or Jacoby", fields[7], 0, 1 if match_length else 3)
    max_cube = _number("largest cube", fields[9], 0, 30)

    offered = roll in _OFFERS
    decider = -turn if roll in ("D", "R") else turn
    if decider == -1:
        points, owner = flip(points), -owner
        score, opponent_score = opponent_score, score
    return Position(
        points=points,
        cube=1 << cube,
        cube_owner=OWNERS[owner],
        dice="" if offered or roll == _NOT_ROLLED else roll,
        offered=offered,
        reply=roll if roll in ("B", "R") else "",
        score=score,
        opponent_score=opponent_score,
        match_length=match_length,
        crawford=bool(match_length and flags),
        jacoby=bool(not match_length and flags & 1),
        beaver=bool(not match_length and flags & 2),
        max_cube=max_cube,
    )


def format(position):
    """Write an XGID, with the player who must decide at the bottom.

    Parameters
    ----------
    position : Position

    Returns
    -------
    str
        Begins with ``XGID=``; `parse` reads the same position back.

    Examples
    --------
    >>> format(Position(dice="31", match_length=7))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10'
    >>> format(Position(offered=True, match_length=7))
    'XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:7:10'
    """
    offer = position.reply or "D"
    roll = offer if position.offered else position.dice or _NOT_ROLLED
    turn = -1 if roll in ("D", "R") else 1
    flags = int(position.crawford) or position.jacoby + 2 * position.beaver
    fields = (
        position_bytes(position.points).tobytes().decode(),
        position.cube.bit_length() - 1,
        _OWNER_NUMBERS[position.cube_owner],
        turn,
        roll,
        position.score,
        position.opponent_score,
        flags,
        position.match_length,
        position.max_cube,
    )
    return PREFIX + ":".join(map(str, fields))


def position_bytes(points):
    """The boards of many XGIDs at once.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)
        Boards in the view of the player to stand at the bottom.

    Returns
    -------
    ndarray of uint8, shape (..., 26)
        ASCII: ``A`` to ``O`` for 1 to 15 of the player's checkers, ``a`` to
        ``o`` for the opponent's, ``-`` for none, ``?`` for more than 15.

    Raises
    ------
    ValueError
        When the last axis does not have 26 entries.

    Examples
    --------
    >>> position_bytes(START).tobytes()
    b'-b----E-C---eE---c-e----B-'
    """
    points = np.ascontiguousarray(points, np.int8)
    if points.ndim == 0 or points.shape[-1] != SIZE:
        raise ValueError(f"a board has {SIZE} numbers, not an array of shape {points.shape}")
    return _LETTERS.take(points.view(np.uint8))


# Indexed by the count as an unsigned byte, so that -1 is 255.
_LETTERS = np.full(256, ord("?"), np.uint8)
_LETTERS[0] = ord("-")
_LETTERS[1 : CHECKERS + 1] = ord("A") + np.arange(CHECKERS)
_LETTERS[: -CHECKERS - 1 : -1] = ord("a") + np.arange(CHECKERS)


def _parse_points(text):
    if len(text) != SIZE:
        raise ValueError(f"an XGID's board has {SIZE} characters, and '{text}' has {len(text)}")
    points = []
    for letter in text:
        if "A" <= letter <= "Z":
            points.append(ord(letter) - ord("A") + 1)
        elif "a" <= letter <= "z":
            points.append(ord("a") - ord(letter) - 1)
        elif letter == "-":
            points.append(0)
        else:
            raise ValueError(f"'{letter}' is not a letter of an XGID's board")
    return check(points)


def _number(name, text, low, high=None):
    digits = text.removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() else None
    if number is None or number < low or (high is not None and number > high):
        limits = f"{low} or more" if high is None else f"{low} to {high}"
        raise ValueError(f"the {name} of an XGID is a number of {limits}, not '{text}'")
    return number


def _contradiction(position):
    """Why these values are no position, or None."""
    if position.cube < 1 or position.cube & (position.cube - 1):
        return f"a cube is a power of two, not {position.cube}"
    if position.cube_owner not in OWNERS:
        return f"the cube's owner is one of {', '.join(OWNERS)}, not '{position.cube_owner}'"
    if position.dice and (len(position.dice) != 2 or not set(position.dice) <= set("123456")):
        return f"a roll is two of 1 to 6, not '{position.dice}'"
    if position.reply not in ("", "B", "R"):
        return f"the reply to a double is B or R, not '{position.reply}'"
    if position.reply and not position.offered:
        return "a beaver or raccoon is an offered cube"
    if position.offered and position.dice:
        return "a cube is offered before the roll"
    if position.offered and not position.reply and position.cube_owner == "player":
        return "nobody is offered a cube that he owns"
    if min(position.score, position.opponent_score, position.match_length, position.max_cube) < 0:
        return "scores, match length and largest cube are not negative"
    if position.match_length:
        if max(position.score, position.opponent_score) >= position.match_length:
            score = f"{position.score}-{position.opponent_score}"
            return f"a match to {position.match_length} is over at {score}"
        if position.jacoby or position.beaver:
            return "Jacoby and beavers are rules of money play"
    elif position.crawford:
        return "there is no Crawford game in money play"
    return None
