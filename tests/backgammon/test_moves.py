"""Legal plays, against the rules, another generator and the plays of real files."""

import os
import random
import struct
import zlib
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from gvformat import legality

from blunderlab.backgammon import moves
from blunderlab.backgammon.board import START, borne_off, excess, flip
from blunderlab.readers.mat import plays as mat_plays


@cache
def xg_moves():
    """Every checker record of the reference XG files, one array a field.

    Skips the test, saying why, where the files are not at hand.
    """
    root = os.environ.get("BLUNDERLAB_DATA")
    if not root:
        pytest.skip("BLUNDERLAB_DATA does not name the folder of reference records")
    files = sorted(Path(root, "backgammon", "xg").glob("*.xg"))
    if not files:
        pytest.skip(f"there are no XG files in {root}/backgammon/xg")
    records = np.concatenate([_xg_records(path.read_bytes()) for path in files])
    records = records[records[:, 8] == 3]

    def field(offset, dtype, *shape):
        size = np.dtype(dtype).itemsize * int(np.prod(shape))
        values = np.ascontiguousarray(records[:, offset : offset + size]).view(dtype)
        return values.reshape(len(records), *shape) if shape else values[:, 0]

    return SimpleNamespace(
        points=field(124, "i1", 26),
        end=field(35, "i1", 26),
        moves=field(68, "<i4", 8) + 1,  # XG counts points from 0, its bar is 24
        dice=field(100, "<i4", 2),
        n_moves=field(188, "<i4"),
        candidates=field(192, "i1", 32, 26),
        candidate_moves=field(1024, "i1", 32, 8) + 1,
        played=field(2308, "u1") == 1,
        invalid=field(2480, "<i4"),
    )


def _xg_records(data):
    _, count, _, registry, size, _ = struct.unpack("<IiiiiI", data[-36:-12])
    names = data[len(data) - 36 - registry : len(data) - 36]
    names = names if len(names) == 532 * count else zlib.decompress(names)
    start = len(data) - 36 - registry - size
    for entry in (names[532 * k : 532 * k + 532] for k in range(count)):
        if entry[1 : 1 + entry[0]].lower() == b"temp.xg":
            packed, offset = struct.unpack("<ii", entry[516:524])
            content = zlib.decompress(data[start + offset : start + offset + packed])
            return np.frombuffer(content, np.uint8).reshape(-1, 2560)
    raise ValueError("no temp.xg in the archive")


def position(mover, opponent):
    points = np.zeros(26, np.int8)
    for point, checkers in mover.items():
        points[point] = checkers
    for point, checkers in opponent.items():
        points[point] = -checkers
    return points


def plays(points, dice):
    return {play for play, _ in moves.legal_plays(points, dice)}


def left(points, dice):
    """The points the mover can be left on, one for each checker."""
    results = moves.legal_positions(points, dice)
    return {tuple(np.repeat(np.arange(26), np.maximum(row, 0)).tolist()) for row in results}


# fmt: off
OPENING_PLAYS = {  # as many as the hints of gnuBG 1.07 list
    "21": 15, "31": 16, "41": 14, "51": 8, "61": 10, "32": 17, "42": 18, "52": 8, "62": 14,
    "43": 17, "53": 9, "63": 14, "54": 9, "64": 14, "65": 7,
    "11": 42, "22": 75, "33": 73, "44": 52, "55": 4, "66": 11,
}
# fmt: on


@pytest.mark.parametrize(("dice", "count"), OPENING_PLAYS.items())
def test_the_opening_rolls_have_the_known_number_of_plays(dice, count):
    assert len(moves.legal_positions(START, dice)) == count


def test_the_bar_comes_first():
    points = position({25: 1, 13: 2}, {24: 2, 1: 2})
    assert plays(points, "31") == {((25, 22), (13, 12)), ((25, 22), (22, 21))}
    assert plays(position({25: 2, 13: 2}, {24: 2}), "31") == {((25, 22),)}


def test_a_dance_leaves_the_one_unchanged_board():
    points = position({25: 1, 6: 2}, {p: 2 for p in range(19, 25)})
    result = moves.legal_positions(points, (6, 5))
    assert result.shape == (1, 26)
    assert (result[0] == points).all()
    assert plays(points, "65") == {()}


def test_both_dice_are_played_when_they_can_be():
    # 12/10 would leave no 6: 14 and 4 are held.
    points = position({20: 1, 12: 1}, {14: 2, 4: 2})
    assert plays(points, "62") == {((20, 18), (12, 6)), ((20, 18), (18, 12))}


def test_of_two_dice_that_exclude_each_other_the_larger_is_played():
    points = position({13: 1}, {2: 2})
    assert plays(points, "65") == {((13, 7),)}


def test_the_smaller_die_is_played_when_the_larger_cannot():
    points = position({13: 1}, {7: 2, 2: 2})
    assert plays(points, "65") == {((13, 8),)}


def test_doubles_play_as_many_as_they_can():
    assert plays(position({13: 1}, {4: 2}), "33") == {((13, 10), (10, 7))}
    assert plays(position({13: 1}, {10: 2}), "33") == {()}


def test_bearing_off_waits_for_the_last_checker_to_come_home():
    assert left(position({8: 1, 6: 1}, {24: 1}), "61") == {(2, 5), (1, 6)}
    assert left(position({7: 1, 6: 1}, {24: 1}), "61") == {(6,), (1, 5)}


def test_a_larger_die_bears_off_from_the_highest_point_only():
    assert left(position({4: 1, 2: 1}, {24: 1}), "65") == {()}
    assert left(position({6: 1, 4: 1}, {24: 1}), "51") == {(4,), (1, 3)}
    assert left(position({6: 1, 3: 2}, {24: 1}), "54") == {(2, 3), (1, 3)}


def test_a_hit_sends_the_checker_to_the_bar():
    points = position({6: 1}, {5: 1, 24: 14})
    (result,) = moves.legal_positions(points, "11")
    assert result[0] == -1
    assert result[2] == 1


@pytest.mark.parametrize("dice", ["31", "13", (3, 1), (1, 3), np.array([1, 3], np.int32)])
def test_dice_come_in_any_order_and_kind(dice):
    assert len(moves.legal_positions(START, dice)) == 16


@pytest.mark.parametrize("dice", ["", "3", "311", "07", "3x", (0, 1), (7, 1), 31, None])
def test_what_is_no_roll_is_refused(dice):
    with pytest.raises(ValueError, match="dice are two numbers"):
        moves.legal_positions(START, dice)


def test_what_is_no_board_is_refused():
    with pytest.raises(ValueError, match="26 numbers"):
        moves.legal_positions(START[:25], "31")
    with pytest.raises(ValueError, match="26 numbers"):
        moves.apply(START[:25], [(6, 5)])


def test_a_play_is_applied_in_any_order_and_off_may_be_below_zero():
    points = position({24: 1, 2: 2}, {20: 1})
    after = moves.apply(points, [(20, 18), (24, 20), (2, -3)])
    assert after[[0, 20, 18, 2]].tolist() == [-1, 0, 1, 1]
    assert (points == position({24: 1, 2: 2}, {20: 1})).all()


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ([(7, 5)], "no checker on 7"),
        ([(25, 20)], "no checker on 25"),
        ([(24, 23), (24, 22), (24, 21)], "no checker on 24"),
        ([(26, 20)], "no checker on 26"),
        ([(0, -1)], "no checker on 0"),
        ([(8, 1)], "land on 1,"),
        ([(13, 12)], "land on 12"),
        ([(13, 26)], "no point 26"),
    ],
)
def test_a_play_without_its_checker_or_onto_a_held_point_is_refused(play, reason):
    with pytest.raises(ValueError, match=reason):
        moves.apply(START, play)


def random_positions(count, seed):
    """Boards and rolls from random games, and boards strewn at random."""
    rng = random.Random(seed)
    points = START
    for k in range(count):
        dice = rng.randint(1, 6), rng.randint(1, 6)
        if k % 2:
            strewn = np.zeros(26, np.int8)
            spread = rng.choice([6, 12, 24])
            for _ in range(rng.randint(1, 15)):
                strewn[rng.choice([25, *range(1, spread + 1)])] += 1
            for _ in range(rng.randint(1, 15)):
                free = [p for p in range(25) if strewn[p] <= 0]
                strewn[rng.choice(free)] -= 1
            yield strewn, dice
        else:
            yield points, dice
            points = flip(rng.choice(moves.legal_positions(points, dice)))
            if max(borne_off(points)) == 15:
                points = START


def test_every_play_leads_where_it_says_and_no_board_comes_twice():
    for points, dice in random_positions(400, seed=1):
        results = moves.legal_positions(points, dice)
        assert len({row.tobytes() for row in results}) == len(results)
        assert not excess(results).any()
        listed = moves.legal_plays(points, dice)
        assert (np.array([result for _, result in listed]) == results).all()
        for play, result in listed:
            assert (moves.apply(points, play) == result).all()
            assert list(play) == sorted(play, reverse=True)


def test_another_generator_finds_the_same_boards():
    for points, dice in random_positions(400, seed=2):
        mine, theirs = np.maximum(points, 0).tolist(), np.maximum(-points, 0).tolist()
        found, _ = legality.legal_plays(mine, theirs, *dice)
        expected = {moves.apply(points, play).tobytes() for play in found} or {points.tobytes()}
        assert {row.tobytes() for row in moves.legal_positions(points, dice)} == expected


def test_counting_boards_finds_as_many_as_making_them():
    boards, dice = zip(*random_positions(4000, seed=3), strict=True)
    counts = moves.count_legal(np.array(boards), [f"{one}{other}" for one, other in dice])
    expected = [len(moves.legal_positions(*row)) for row in zip(boards, dice, strict=True)]
    assert counts.tolist() == expected
    assert min(np.bincount([low == high for low, high in dice])) > 400
    assert (np.array(boards)[:, 25] > 0).sum() > 400


def test_no_boards_are_counted_as_none():
    assert moves.count_legal(np.zeros((0, 26), np.int8), []).tolist() == []


def test_boards_and_rolls_to_count_come_in_equal_numbers():
    with pytest.raises(ValueError, match="2 rolls need boards of 26 numbers"):
        moves.count_legal([START], ["31", "42"])
    with pytest.raises(ValueError, match="dice are two numbers"):
        moves.count_legal([START], ["07"])


def random_plays(points, dice, rng):
    """Legal plays as the generator has them and with the steps of a checker joined, and plays made up."""
    plays = [play for play, _ in moves.legal_plays(points, dice)]
    for play in rng.sample(plays, min(len(plays), 4)):
        yield play
        if len(play) > 1 and play[0][1] == play[1][0]:
            yield ((play[0][0], play[1][1]), *play[2:])
        yield play[1:]
        yield play[:-1] + tuple((start, max(end - 1, 0)) for start, end in play[-1:])
    own = np.flatnonzero(points[1:] > 0) + 1
    for number in (1, 2, 2, 3, 4, 4):
        starts = rng.choices(own.tolist(), k=number) if len(own) else []
        yield tuple((start, max(start - rng.choice((*dice, sum(dice))), 0)) for start in starts)


def test_the_quick_verdict_on_a_play_is_that_of_the_generator():
    rng, verdicts = random.Random(5), {True: 0, False: 0, None: 0}
    for points, (one, other) in random_positions(3000, seed=4):
        board, dice = points.tobytes(), f"{max(one, other)}{min(one, other)}"
        reached = {row.tobytes() for row in moves.legal_positions(points, dice)}
        assert moves.can_move(board, dice) == (reached != {board})
        for play in random_plays(points, dice_of(dice), rng):
            try:
                after = moves.apply(points, play).tobytes()
            except ValueError:
                after = None
            quick = mat_plays._quick(board, dice, play)
            assert quick is None or (quick == after and after in reached)
            verdicts[None if quick is None and after in reached else quick is not None] += 1
    # A legal play that the quick verdict leaves to the generator has a die that cannot be played, or hits on its way.
    assert verdicts[True] > 10 * verdicts[None] > 0
    assert verdicts[False] > 10000


def dice_of(text):
    return int(text[0]), int(text[1])


def test_real_files_hold_one_candidate_exactly_where_one_board_is_legal():
    xg = xg_moves()
    counts = np.array(
        [len(moves.legal_positions(*row)) for row in zip(xg.points, xg.dice, strict=True)]
    )
    assert ((counts == 1) == (xg.n_moves == 1)).all()
    assert (xg.n_moves <= counts).all()
    assert (len(counts), int((counts == 1).sum())) == (2198, 335)


def test_every_legal_play_of_real_files_is_in_the_list():
    xg = xg_moves()
    sound = np.flatnonzero(xg.played & (xg.invalid == 0))
    for k in sound:
        assert (moves.legal_positions(xg.points[k], xg.dice[k]) == xg.end[k]).all(axis=1).any()
    assert len(sound) == 2181


def test_the_illegal_plays_of_real_files_are_not_in_the_list():
    xg = xg_moves()
    illegal = np.flatnonzero(xg.played & (xg.invalid != 0))
    for k in illegal:
        assert not (moves.legal_positions(xg.points[k], xg.dice[k]) == xg.end[k]).all(axis=1).any()
    assert len(illegal) == 2
