"""The board: views, pips, contact and what cannot be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blunderlab.backgammon import board


def position(mover, opponent):
    """A board from {point: checkers} of each side, both in the mover's count."""
    points = np.zeros(26, np.int8)
    for point, checkers in mover.items():
        points[point] = checkers
    for point, checkers in opponent.items():
        points[point] = -checkers
    return points


boards = st.lists(st.integers(-15, 15), min_size=26, max_size=26).map(
    lambda numbers: np.array(numbers, np.int8)
)


def test_the_start_has_fifteen_checkers_and_167_pips_a_side():
    assert [int(n) for n in board.pips(board.START)] == [167, 167]
    assert [int(n) for n in board.borne_off(board.START)] == [0, 0]
    assert (board.flip(board.START) == board.START).all()
    assert board.problems(board.START) == []


def test_the_start_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        board.START[1] = 0


@given(boards)
def test_flipping_twice_changes_nothing_and_once_swaps_the_sides(points):
    flipped = board.flip(points)
    assert flipped.dtype == np.int8
    assert (board.flip(flipped) == points).all()
    assert [int(n) for n in board.pips(flipped)] == [int(n) for n in board.pips(points)[::-1]]
    assert board.contact(flipped) == board.contact(points)
    assert board.excess(flipped) == board.excess(points)


@given(st.lists(boards, min_size=1, max_size=5))
def test_many_boards_at_once_are_each_board_alone(many):
    stack = np.stack(many).reshape(1, len(many), 26)
    for function in (board.contact, board.excess):
        assert function(stack).shape == (1, len(many))
        assert function(stack)[0].tolist() == [bool(function(points)) for points in many]
    for function in (board.pips, board.borne_off):
        for side in (0, 1):
            alone = [int(function(points)[side]) for points in many]
            assert function(stack)[side][0].tolist() == alone


def test_the_bar_counts_25_pips_for_either_side():
    points = position({25: 2}, {0: 1})
    assert [int(n) for n in board.pips(points)] == [50, 25]
    assert [int(n) for n in board.borne_off(points)] == [13, 14]


@pytest.mark.parametrize(
    ("mover", "opponent", "expected"),
    [
        ({2: 5, 3: 5, 9: 5}, {20: 5, 21: 5, 22: 5}, False),
        ({1: 5, 2: 5, 3: 5}, {22: 5, 23: 5, 24: 5}, False),
        ({1: 3, 2: 2}, {23: 4, 24: 1}, False),
        ({6: 5, 5: 5, 4: 5}, {10: 5, 12: 5, 14: 5}, False),
        ({2: 5, 3: 5, 4: 5}, {1: 2, 20: 8, 21: 5}, True),
        ({12: 1}, {11: 1}, True),
        ({11: 1}, {12: 1}, False),
        ({25: 1}, {24: 1}, True),
        ({1: 1}, {0: 1}, True),
        ({}, {1: 15}, False),
        ({24: 15}, {}, False),
    ],
)
def test_contact_ends_when_the_rearmost_checkers_have_passed(mover, opponent, expected):
    assert bool(board.contact(position(mover, opponent))) is expected


def test_sixteen_checkers_are_an_excess_of_that_side():
    points = board.START.copy()
    points[20] = 1
    assert board.excess([board.START, points, board.flip(points)]).tolist() == [False, True, True]
    assert board.problems(points) == ["the mover has 16 checkers, and a side has 15"]
    assert board.problems(board.flip(points)) == ["the opponent has 16 checkers, and a side has 15"]
    with pytest.raises(ValueError, match="the mover has 16 checkers"):
        board.check(points)


def test_a_checker_on_the_other_bar_is_named():
    assert board.problems(position({0: 1}, {25: 2})) == [
        "a checker of the opponent is on the mover's bar",
        "a checker of the mover is on the opponent's bar",
    ]


def test_checking_gives_the_board_back_as_small_integers():
    checked = board.check(board.START.tolist())
    assert checked.dtype == np.int8
    assert (checked == board.START).all()


@pytest.mark.parametrize("points", [[0] * 25, [[0] * 26], 3, [0.5] + [0] * 25])
def test_what_is_not_one_board_is_refused(points):
    with pytest.raises(ValueError, match="a board"):
        board.check(points)


@pytest.mark.parametrize("function", [board.flip, board.pips, board.contact, board.excess])
def test_a_wrong_last_axis_is_refused(function):
    with pytest.raises(ValueError, match="26 numbers"):
        function(np.zeros((3, 25)))
