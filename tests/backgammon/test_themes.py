"""Themes of errors: the fixtures of backgammon.md W3.14, and boards after plays against the one-board rule."""

import numpy as np
import pandas as pd
import pytest
from measure.frames import checker, decisions, no_double

import blunderlab as bl
from blunderlab.backgammon.board import START
from blunderlab.backgammon.moves import apply, legal_plays
from blunderlab.backgammon.notation import format_play
from blunderlab.backgammon.themes import after, blots, themes, unlike_blots

_START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:7:10"


def tables(rows, options=()):
    empty = bl.Tables.build()
    frame = empty.options.reindex(range(len(options)))
    for name, value in pd.DataFrame(list(options)).items():
        frame[name] = value.astype(empty.options[name].dtype)
    d = decisions(rows)
    return bl.Tables(d, frame, empty.games, empty.matches, empty.figures, empty.problems)


def option(rank, played=False, **chances):
    return {"match_id": "m", "game": 1, "decision": 1, "rank": rank, "played": played, **chances}


@pytest.mark.parametrize(
    ("row", "theme", "swing"),
    [
        pytest.param(no_double(0.5, 0.62, error=0.120), "doubletoolate", 120, id="W3.14 best D/T, played ND"),
        pytest.param({**no_double(0.5, 0.41, error=0.090), "kind": "double"}, "doubletooearly", 90, id="W3.14 best ND, played D/T"),
        pytest.param({**no_double(0.9, 1.15, error=0.150), "kind": "take"}, "taketooloose", 150, id="W3.14 best D/P, played take"),
        pytest.param({**no_double(0.5, 0.80, error=0.200), "kind": "pass"}, "passtootight", 200, id="W3.14 best D/T, played pass"),
        pytest.param(no_double(0.5, 0.51, error=0.010), None, None, id="W3.14 10 mp is silent"),
        pytest.param(no_double(None, None, error=None), None, None, id="W3.14 unknown is silent"),
    ],
)  # fmt: skip
def test_cube(row, theme, swing):
    got = themes(tables([row])).iloc[0]
    if theme is None:
        assert got.isna().all()
    else:
        assert got["theme"] == theme
        assert got["swing"] == pytest.approx(swing)


def play(best, played, roll="31", error=0.150, position=_START):
    return checker(error, best=best, played=played, position=position.format(roll), roll=roll)


@pytest.mark.parametrize(
    ("best", "played", "roll", "chances", "theme", "swing"),
    [
        pytest.param("24/21 24/23", "13/10 24/23", "31", [(.5, .30), (.5, .18)], "gammon", 12, id="W3.14 gammon 30 vs 18"),
        pytest.param("24/22 13/11", "13/11 6/5", "21", [(.5, .10), (.5, .10)], None, None, id="one blot more fits nothing"),
        pytest.param("13/11 13/10", "24/22 6/3", "32", [(.5, .14), (.5, .101)], None, None, id="3.9 points of gammons are too few"),
        pytest.param("8/5 6/5", "13/10 24/23", "31", [(.5, .1), (.5, .1)], "blots", 3, id="blots before point"),
        pytest.param("8/5 6/5", "13/9", "31", [(.5, .1), (.5, .1)], "point", 1, id="point"),
        pytest.param("13/11 13/8", "13/8 24/22", "52", [(.55, .1), (.52, .1)], None, None, id="more blots is not passive"),
        pytest.param("13/9 24/23", "13/8", "41", [(.55, .1), (.52, .1)], "passive", 3, id="passive"),
        pytest.param("13/9 24/23", "13/8", "41", [(.55, .1), (.521, .1)], None, None, id="2.9 points are not passive"),
    ],
)  # fmt: skip
def test_checker(best, played, roll, chances, theme, swing):
    options = [option(1, win=chances[0][0], win_gammon=chances[0][1]),
               option(2, True, win=chances[1][0], win_gammon=chances[1][1])]  # fmt: skip
    got = themes(tables([play(best, played, roll)], options)).iloc[0]
    if theme is None:
        assert got.isna().all()
    else:
        assert got["theme"] == theme
        assert got["swing"] == pytest.approx(swing)


def test_a_play_that_cannot_be_made_has_no_theme_of_its_boards():
    rows = [play("8/5 6/5", "12/9 6/5"), play("8/5 6/5", None), play(None, "8/5 6/5")]
    assert themes(tables(rows))["theme"].isna().all()


def test_blots_after_the_play_less_after_the_best():
    # 13/10 24/23 leaves blots on 10, 24, 23 and none after 8/5 6/5: the fourth on 13 is no blot
    rows = decisions([play("8/5 6/5", "13/10 24/23"), play("8/5 6/5", "13/10 24/23", error=0.0), play("8/5 6/5", "1/0")])  # fmt: skip
    assert unlike_blots(rows).tolist() == pytest.approx([3, 0, np.nan], nan_ok=True)


def test_boards_after_all_legal_plays():
    boards, texts, expected = [], [], []
    rng = np.random.default_rng(11)
    points = START
    for _ in range(120):
        roll = tuple(rng.integers(1, 7, 2))
        plays = legal_plays(points, roll)
        for steps, _result in plays:
            boards.append(points)
            texts.append(format_play(steps, points))
            expected.append(apply(points, steps))
        points = -plays[rng.integers(len(plays))][1][::-1]
    got, made = after(np.array(boards), pd.Series(texts, dtype="str"))
    assert made.all()
    assert (got == np.array(expected)).all()


def test_blots_leave_the_bar_out():
    points = START.copy()
    points[24], points[25] = 1, 1
    assert blots(points) == 1
