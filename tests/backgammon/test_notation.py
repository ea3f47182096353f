"""Written plays: one text for a play, whether written alone or with thousands."""

import numpy as np
import pytest
from backgammon.test_moves import position, random_positions, xg_moves

from blunderlab.backgammon.board import START
from blunderlab.backgammon.moves import apply, legal_plays
from blunderlab.backgammon.notation import format_play, parse_play, play_bytes


def texts(rows, points):
    """What `play_bytes` writes, as strings."""
    return [
        row.tobytes().replace(b"\0", b"").decode("ascii")
        for row in play_bytes(np.asarray(rows), np.asarray(points))
    ]


def row(play):
    """A play as a row of eight numbers."""
    numbers = [number for pair in play for number in pair]
    return numbers + [0] * (8 - len(numbers))


def steps(numbers):
    """The pairs of a row of eight numbers, as far as its play goes."""
    play = []
    for start, end in zip(numbers[0::2], numbers[1::2], strict=True):
        if start < 1 or start == end:
            break
        play.append((start, end))
    return play


WRITTEN = [
    # play, the opponent's checkers, text
    ([(13, 11), (6, 5)], {5: 1}, "13/11 6/5*"),
    ([(6, 5), (13, 11)], {5: 1}, "13/11 6/5*"),
    ([(25, 20)], {20: 1}, "bar/20*"),
    ([(6, 0), (6, 0)], {}, "6/off(2)"),
    ([(6, -1), (6, 0)], {}, "6/off(2)"),
    ([(24, 20), (20, 18)], {20: 1}, "24/20*/18"),
    ([(24, 20), (20, 18)], {20: 1, 18: 1}, "24/20*/18*"),
    ([(24, 20), (20, 18)], {18: 1}, "24/18*"),
    ([(24, 20), (20, 18)], {20: 2}, "24/18"),
    ([(24, 18)], {}, "24/18"),
    ([(8, 7)] * 4, {}, "8/7(4)"),
    ([(8, 4), (8, 4)], {4: 1}, "8/4*(2)"),
    ([(6, 4), (8, 4)], {4: 1}, "8/4* 6/4"),
    ([(24, 20), (20, 16), (24, 20)], {}, "24/20 24/16"),
    ([(24, 20), (20, 16), (24, 20)], {20: 1}, "24/20* 24/16"),
    ([(24, 20), (20, 16)] * 2, {20: 1}, "24/20*/16(2)"),
    ([(24, 20), (20, 16)] * 2, {16: 1}, "24/16*(2)"),
    ([(25, 22), (22, 19), (19, 16), (16, 13)], {22: 1, 16: 1}, "bar/22*/16*/13"),
    ([(7, 4), (4, 1), (4, 1), (1, -2)], {}, "7/off 4/1"),
    ([(10, 5), (5, 0)], {5: 1}, "10/5*/off"),
    ([(6, 5), (4, 0)], {}, "6/5 4/off"),
    ([], {}, "Cannot Move"),
]


@pytest.mark.parametrize(("play", "opponent", "text"), WRITTEN)
def test_a_play_is_written_as_players_write_it(play, opponent, text):
    points = position({}, opponent)
    assert format_play(play, points) == text
    assert texts([row(play)], [points]) == [text]


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("13/11 6/5*", ((13, 11), (6, 5))),
        ("bar/20*", ((25, 20),)),
        ("BAR/20 6/OFF", ((25, 20), (6, 0))),
        ("25/20 6/0", ((25, 20), (6, 0))),
        ("6/off(2)", ((6, 0), (6, 0))),
        ("6/5*(2)", ((6, 5), (6, 5))),
        ("6/5(2)*", ((6, 5), (6, 5))),
        ("24/20*/18", ((24, 20), (20, 18))),
        ("24/20/18(2)", ((24, 20), (20, 18), (24, 20), (20, 18))),
        ("  24/23   13/11 ", ((24, 23), (13, 11))),
        ("Cannot Move", ()),
        ("cannot move", ()),
        ("Can't Move", ()),
        ("Can\u2019t move", ()),
    ],
)
def test_a_written_play_is_read(text, play):
    assert parse_play(text) == play


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("????", "is not a checker's move"),
        ("13", "is not a checker's move"),
        ("off/6", "is not a checker's move"),
        ("6/5(0)", "is not a checker's move"),
        ("6/5(5)", "is not a checker's move"),
        ("6/5, 8/5", "is not a checker's move"),
        ("\u0666/5", "is not a checker's move"),
        ("5/6", "does not move forward"),
        ("6/6", "does not move forward"),
        ("26/20", "does not move forward"),
        ("0/0", "does not move forward"),
        ("6/5(4) 8/7", "at most 4"),
        ("Doubles => 2", "is not a checker's move"),
    ],
)
def test_what_is_no_play_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse_play(text)


@pytest.mark.parametrize("play", [[(0, -1)], [(26, 20)], [(5, 6)], [(5, 5)]])
def test_numbers_that_are_no_play_are_refused_alone(play):
    with pytest.raises(ValueError, match="no checker moves"):
        format_play(play, START)


def test_numbers_that_are_no_play_are_an_empty_text_among_many():
    rows = [[26, 20, 0, 0, 0, 0, 0, 0], [5, 6, 0, 0, 0, 0, 0, 0], row([(6, 5)])]
    assert texts(rows, [START] * 3) == ["", "", "6/5"]


def test_the_play_ends_at_the_first_pair_that_goes_nowhere():
    rows = [[6, 5, 0, 0, 8, 7, 0, 0], [1, 1, 6, 5, 0, 0, 0, 0], [1] * 8, [0] * 8, [-1] * 8]
    assert texts(rows, [START] * 5) == ["6/5"] + ["Cannot Move"] * 4


def test_no_plays_are_no_rows():
    assert play_bytes(np.zeros((0, 8), int), np.zeros((0, 26), int)).shape[0] == 0


@pytest.mark.parametrize(("moves", "points"), [((2, 7), (2, 26)), ((2, 8), (1, 26)), ((8,), (26,))])
def test_wrong_shapes_are_refused(moves, points):
    with pytest.raises(ValueError, match="plays are"):
        play_bytes(np.zeros(moves, int), np.zeros(points, int))


def test_every_legal_play_is_read_back_and_written_alike_among_many():
    for points, dice in random_positions(200, seed=3):
        plays = legal_plays(points, dice)
        written = [format_play(play, points) for play, _ in plays]
        assert len(set(written)) == len(written)
        assert texts([row(play[::-1]) for play, _ in plays], [points] * len(plays)) == written
        for text, (_, result) in zip(written, plays, strict=True):
            assert (apply(points, parse_play(text)) == result).all()


def test_the_plays_of_real_files_are_written_alike_alone_and_together():
    xg = xg_moves()
    together = texts(xg.moves, xg.points)
    assert together == [
        format_play(steps(numbers), points)
        for numbers, points in zip(xg.moves.tolist(), xg.points, strict=True)
    ]
    for k in np.flatnonzero(xg.played):
        assert (apply(xg.points[k], parse_play(together[k])) == xg.end[k]).all()


def test_the_illegal_play_of_a_real_file_is_written_as_it_was_played():
    xg = xg_moves()
    illegal = np.flatnonzero(xg.invalid == 2)
    assert "14/10 13/12" in texts(xg.moves[illegal], xg.points[illegal])


def test_a_board_reached_by_the_steps_of_a_file_or_of_the_generator_has_one_text():
    xg = xg_moves()
    compared = 0
    for k in np.flatnonzero(xg.invalid == 0):
        kept = xg.n_moves[k]
        written = {
            result.tobytes(): format_play(play, xg.points[k])
            for play, result in legal_plays(xg.points[k], xg.dice[k])
        }
        candidates = texts(xg.candidate_moves[k, :kept], [xg.points[k]] * kept)
        assert candidates == [written[end.tobytes()] for end in xg.candidates[k, :kept]]
        compared += kept
    assert compared > 15000
