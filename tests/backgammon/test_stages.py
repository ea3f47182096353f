"""Phases, plans and likeness: the fixtures of backgammon.md W3.14 and W4.3–4.4."""

import numpy as np
import pytest

from blunderlab.backgammon.board import BAR, OPPONENT_BAR, START, flip
from blunderlab.backgammon.likeness import like, like_vectors, pairs_alike
from blunderlab.backgammon.stages import phase, plan


def board(black, white="", bar=0):
    """Black as in "5@13 5@8", White beside it in Black's count; `bar` of White's checkers on the bar."""
    points = np.zeros(26, np.int8)
    for text, sign in ((black, 1), (white, -1)):
        for word in text.split():
            n, at = word.split("@")
            points[int(at)] = sign * int(n)
    points[OPPONENT_BAR] = -bar
    return points


def moved(n):
    """The start after n Black checkers have left their points."""
    points = START.copy()
    points[13] -= n
    points[10] += n
    return points


def on_bar():
    points = START.copy()
    points[24] -= 1
    points[BAR] = 1
    return points


PHASES = {
    "start": (START, "opening"),
    "5 Black checkers moved": (moved(5), "middlegame"),
    "4 Black checkers moved": (moved(4), "opening"),
    "a checker on the bar": (on_bar(), "middlegame"),
    "race": (board("5@2 5@3 5@9", "5@20 5@21 5@22"), "race"),
    "bearoff": (board("5@1 5@2 5@3", "5@22 5@23 5@24"), "bearoff"),
    "one White on 18": (board("5@1 5@2 5@3", "1@18 4@22 5@23 5@24"), "race"),
    "10 off": (board("3@1 2@2", "4@23 1@24"), "bearoff"),
    "White back on 1": (board("5@2 5@3 5@4", "2@1 8@20 5@21"), "middlegame"),
}


@pytest.mark.parametrize(("points", "name"), PHASES.values(), ids=[f"W3.14 phase {k}" for k in PHASES])  # fmt: skip
def test_phase(points, name):
    assert phase(points) == name
    assert phase(flip(points)) == name or name == "opening"  # the roll plays no part


_HELD = "2@20 5@13 4@8 4@6", "4@19 4@21 4@12 3@17"
PLANS = {
    "over": board("", "5@20 5@21 5@22"),
    "race": board("5@6 5@5 5@4", "5@10 5@12 5@14"),
    "crunch": board("7@1 6@2 2@20", "5@19 5@18 5@8"),
    "backgame": board("2@23 2@22 5@13 3@8 3@6", "2@1 5@12 3@17 5@19"),
    "ace-point": board("2@24 5@13 4@8 4@6", "5@19 4@20 4@21 2@12"),
    "blitz": board("2@1 2@2 2@3 2@4 5@13 2@8", "5@19 4@20 5@17", bar=1),
    "holding": board(*_HELD),
    "mutual holding": board(_HELD[0], "2@5 5@19 5@12 3@17"),
}


@pytest.mark.parametrize("name", PLANS, ids=[f"W3.14 plan {k}" for k in PLANS])
def test_plan(name):
    assert plan(PLANS[name]) == name


def test_white_does_not_hold():
    assert plan(flip(board(*_HELD))) not in ("holding", "mutual holding")


def test_bear_in_and_primes():
    # all Black home, White's anchor on 3; then 4-primes 4-7 and 18-21, two checkers of each behind the other's
    assert plan(board("5@6 5@5 5@4", "2@3 5@19 8@20")) == "bear-in"
    primes = board("2@24 2@4 2@5 2@6 2@7 3@13 2@8", "2@1 2@18 2@19 2@20 2@21 3@12 2@11")
    assert plan(primes) == "prime-vs-prime"
    assert plan(flip(primes)) == "prime-vs-prime"
    free = board("2@17 2@4 2@5 2@6 2@7 3@13 2@8", "2@1 2@18 2@19 2@20 2@21 3@12 2@11")
    assert plan(free) != "prime-vs-prime"  # nobody of Black's behind White's prime


def test_many_at_once():
    boards = np.stack(list(PLANS.values()))
    assert plan(boards).tolist() == list(PLANS)
    assert plan(boards.reshape(2, 4, 26)).shape == (2, 4)
    assert phase(boards[:0]).shape == (0,)


_BASE = "5@8 5@6", "5@17 5@19 5@21"


@pytest.mark.parametrize(("to", "distance"), [(12, 1), (10, 3), (7, 6)], ids=["W3.14 like 13/12", "W3.14 like 13/10", "W3.14 like 13/7"])  # fmt: skip
def test_like(to, distance):
    base = board("5@13 " + _BASE[0], _BASE[1])
    one = board(f"4@13 1@{to} {_BASE[0]}", _BASE[1])
    assert like(base, one) == like(one, base) == distance
    assert like(base, base) == 0


def test_flipping_the_roll_swaps_the_vectors():
    points = board("5@13 " + _BASE[0], _BASE[1])
    own, other = np.split(like_vectors(points), 2)
    swapped = np.split(like_vectors(flip(points)), 2)
    assert own.tolist() == swapped[1].tolist()
    assert other.tolist() == swapped[0].tolist()
    assert board("15@1")[1:].sum() == like_vectors(board("15@1"))[24] == 15  # all below the bar


def test_checkers_off_and_on_the_bar_count_their_pips():
    # a checker from the bar (25) to off (0) is 25 pips away; one from 3 to off is 3
    one = board("14@1")
    one[BAR] = 1
    assert like(one, board("14@1")) == 25
    assert like(board("14@1 1@3"), board("14@1")) == 3


def test_pairs_are_those_of_the_distance():
    rng = np.random.default_rng(5)
    boards = []
    for _ in range(300):
        points = np.zeros(26, np.int8)
        np.add.at(points, rng.integers(1, 7, 15), 1)
        boards.append(points)
    boards = np.array(boards)
    alike = pairs_alike(boards).toarray()
    distance = like(boards[:, None], boards[None])
    assert (alike == (distance <= 12)).all()
    assert 0 < alike.mean() < 1
