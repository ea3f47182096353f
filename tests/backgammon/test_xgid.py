"""XGIDs: read into the view of the player who decides, written from it."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blunderlab.backgammon import xgid
from blunderlab.backgammon.board import START, flip
from blunderlab.backgammon.xgid import Position

BOARD = "-b----E-C---eE---c-e----B-"

PUBLISHED = [
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:7:10",
    "XGID=--A-bBBBB--BbB-----dbbc-B-:0:0:1:31:6:4:1:7:10",
    "XGID=-b----E-C---eE---b-d-b--B-:0:0:1:64:0:0:3:0:10",
    "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10",
    "XGID=---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10",
    "XGID=---c--CCB---dB-B---c-BcAb-:1:1:1:00:0:1:0:7:10",
    "XGID=--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10",
    "XGID=aa--BBBB----dE---d-e----B-:0:0:1:00:0:0:0:0:10",
]


@st.composite
def positions(draw):
    points = np.zeros(26, int)
    for _ in range(draw(st.integers(0, 15))):
        points[draw(st.integers(1, 25))] += 1
    free = np.flatnonzero(points[:25] == 0).tolist()
    for _ in range(draw(st.integers(0, 15))):
        points[draw(st.sampled_from(free))] -= 1
    length = draw(st.sampled_from([0, 1, 7, 25]))
    scores = st.integers(0, length - 1 if length else 30)
    offered = draw(st.booleans())
    reply = draw(st.sampled_from(["", "B", "R"])) if offered else ""
    roll = st.one_of(st.just(""), st.tuples(st.integers(1, 6), st.integers(1, 6)))
    dice = "" if offered else "".join(map(str, draw(roll)))
    owners = ["centre", "opponent"] if offered and not reply else xgid.OWNERS
    return Position(
        points=points,
        cube=2 ** draw(st.integers(0, 10)),
        cube_owner=draw(st.sampled_from(owners)),
        dice=dice,
        offered=offered,
        reply=reply,
        score=draw(scores),
        opponent_score=draw(scores),
        match_length=length,
        crawford=bool(length) and draw(st.booleans()),
        jacoby=not length and draw(st.booleans()),
        beaver=not length and draw(st.booleans()),
        max_cube=draw(st.integers(0, 12)),
    )


def from_the_top(text):
    """The same XGID with the players' places exchanged."""
    board, cube, owner, turn, roll, bottom, top, *rest = text.removeprefix("XGID=").split(":")
    board = board[::-1].swapcase()
    return ":".join([board, cube, str(-int(owner)), str(-int(turn)), roll, top, bottom, *rest])


@given(positions())
def test_what_is_written_is_read_back(position):
    assert xgid.parse(xgid.format(position)) == position


@given(positions())
def test_the_place_of_the_players_changes_nothing(position):
    text = xgid.format(position)
    assert xgid.parse(from_the_top(text)) == position
    assert xgid.format(xgid.parse(from_the_top(text))) == text


@pytest.mark.parametrize("text", PUBLISHED)
def test_published_ids_are_read_and_written_unchanged(text):
    assert xgid.format(xgid.parse(text)) == text


def test_an_id_is_read_into_the_view_of_the_player_on_turn():
    position = xgid.parse("-b----E-C---eE---c-e----AA:2:1:-1:31:2:3:0:7:10")
    assert position.points == tuple(flip([*START[:24], 1, 1]).tolist())
    assert (position.cube, position.cube_owner, position.dice) == (4, "opponent", "31")
    assert (position.score, position.opponent_score, position.match_length) == (3, 2, 7)


@pytest.mark.parametrize("turn", [1, -1])
def test_a_double_is_decided_by_the_player_who_is_not_on_turn(turn):
    position = xgid.parse(f"XGID={BOARD}:1:{turn}:{turn}:D:{2 + turn}:{2 - turn}:0:7:10")
    assert position.offered
    assert (position.cube, position.cube_owner) == (2, "opponent")
    assert (position.score, position.opponent_score) == (1, 3)
    assert xgid.format(position) == f"XGID={BOARD}:1:-1:-1:D:1:3:0:7:10"


def test_beavers_and_raccoons_are_kept():
    beaver = xgid.parse(f"XGID={BOARD}:0:0:1:B:5:2:3:0:10")
    raccoon = xgid.parse(f"XGID={BOARD}:0:0:1:R:5:2:3:0:10")
    assert (beaver.offered, beaver.reply, beaver.score) == (True, "B", 5)
    assert (raccoon.offered, raccoon.reply, raccoon.score) == (True, "R", 2)
    assert beaver.jacoby
    assert beaver.beaver
    assert not beaver.crawford


@pytest.mark.parametrize(
    ("length", "flag", "expected"),
    [
        (7, 0, (False, False, False)),
        (7, 1, (True, False, False)),
        (0, 0, (False, False, False)),
        (0, 1, (False, True, False)),
        (0, 2, (False, False, True)),
        (0, 3, (False, True, True)),
    ],
)
def test_the_flag_is_crawford_in_a_match_and_jacoby_and_beavers_at_money(length, flag, expected):
    position = xgid.parse(f"{BOARD}:0:0:1:00:0:0:{flag}:{length}:10")
    assert (position.crawford, position.jacoby, position.beaver) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"XGID={BOARD}:0:0:1:13:0:0:0:7:10",
        f"xgid={BOARD}:0:0:1:31:0:0:0:7:10",
        f"  {BOARD}:0:0:1:31:0:0:0:7:10\n",
    ],
)
def test_prefix_spaces_and_the_order_of_the_dice_do_not_matter(text):
    assert xgid.parse(text) == Position(dice="31", match_length=7)


@pytest.mark.parametrize("roll", ["d", "D"])
def test_an_offer_is_read_in_either_case(roll):
    assert xgid.parse(f"{BOARD}:0:0:-1:{roll}:0:0:0:7:10").offered


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "10 fields"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", "10 fields"),
        (f"{BOARD}:0:0:1:31:0:0:0:7", "10 fields"),
        (f"{BOARD[:-1]}:0:0:1:31:0:0:0:7:10", "26 characters"),
        (f"{BOARD}-:0:0:1:31:0:0:0:7:10", "26 characters"),
        (f"{BOARD[:-1]}*:0:0:1:31:0:0:0:7:10", "not a letter"),
        (f"{BOARD[:-1]}\u00c9:0:0:1:31:0:0:0:7:10", "not a letter"),
        (f"{BOARD[:-2]}C-:0:0:1:31:0:0:0:7:10", "16 checkers"),
        ("-P-----------------------o:0:0:1:31:0:0:0:7:10", "16 checkers"),
        ("Ab----E-C---eE---c-e----A-:0:0:1:31:0:0:0:7:10", "on the opponent's bar"),
        ("-a----E-C---eE---c-e----Ba:0:0:1:31:0:0:0:7:10", "on the mover's bar"),
        (f"{BOARD}:x:0:1:31:0:0:0:7:10", "cube of an XGID"),
        (f"{BOARD}:-1:0:1:31:0:0:0:7:10", "cube of an XGID"),
        (f"{BOARD}:0:2:1:31:0:0:0:7:10", "cube owner"),
        (f"{BOARD}:0:0:0:31:0:0:0:7:10", "turn"),
        (f"{BOARD}:0:0:1:71:0:0:0:7:10", "a roll is"),
        (f"{BOARD}:0:0:1:30:0:0:0:7:10", "a roll is"),
        (f"{BOARD}:0:0:1:3:0:0:0:7:10", "a roll is"),
        (f"{BOARD}:0:0:1:31:-1:0:0:7:10", "score"),
        (f"{BOARD}:0:0:1:31:0:7:0:7:10", "a match to 7 is over"),
        (f"{BOARD}:0:0:1:31:0:0:2:7:10", "Crawford or Jacoby"),
        (f"{BOARD}:0:0:1:31:0:0:4:0:10", "Crawford or Jacoby"),
        (f"{BOARD}:0:0:1:31:0:0:0:-7:10", "match length"),
        (f"{BOARD}:0:0:1:31:0:0:0:7:", "largest cube"),
        (f"{BOARD}:1:-1:1:D:0:0:0:7:10", "a cube that he owns"),
    ],
)
def test_what_is_no_xgid_is_refused_with_the_field(text, reason):
    with pytest.raises(ValueError, match=reason):
        xgid.parse(text)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"cube": 3}, "power of two"),
        ({"cube": 0}, "power of two"),
        ({"cube_owner": "center"}, "cube's owner"),
        ({"dice": "07"}, "a roll is"),
        ({"reply": "D"}, "B or R"),
        ({"reply": "B"}, "an offered cube"),
        ({"offered": True, "dice": "31"}, "before the roll"),
        ({"score": -1}, "not negative"),
        ({"crawford": True}, "no Crawford game"),
        ({"match_length": 7, "jacoby": True}, "money play"),
        ({"points": [0] * 25}, "26 numbers"),
    ],
)
def test_a_position_that_contradicts_itself_is_refused(values, reason):
    with pytest.raises(ValueError, match=reason):
        Position(**values)


def test_a_position_is_frozen_and_takes_any_sequence():
    position = Position(points=np.asarray(START))
    assert position == Position(points=START.tolist())
    assert hash(position) == hash(Position())
    with pytest.raises(dataclasses.FrozenInstanceError):
        position.cube = 2


def test_many_boards_are_written_at_once():
    many = xgid.position_bytes(np.stack([START, flip(START), np.zeros(26, np.int8)]))
    assert [row.tobytes().decode() for row in many] == [BOARD, BOARD, "-" * 26]
    assert xgid.position_bytes(START[None, None]).shape == (1, 1, 26)


def test_letters_go_to_fifteen_and_then_ask():
    points = np.zeros(26, np.int8)
    points[[0, 1, 2, 3, 4, 25]] = [-15, 16, -16, 15, -1, 1]
    assert xgid.position_bytes(points).tobytes() == b"o??Oa" + b"-" * 20 + b"A"


def test_boards_of_another_length_are_refused():
    with pytest.raises(ValueError, match="26 numbers"):
        xgid.position_bytes(START[:25])
