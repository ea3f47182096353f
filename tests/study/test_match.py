"""The match report: known answers of a small match, and what real ones must obey."""

import numpy as np
import pandas as pd
import pytest
from measure.frames import checker, decisions, no_double

import blunderlab as bl
from blunderlab import study
from blunderlab.study.match import VERDICTS

# The match of backgammon.md W3.8: losses, luck in match winning chance, seconds. Player 2 wins it.
_P1, _P2 = {"player": "P1", "seat": 0}, {"player": "P2", "seat": 1}
_W38 = [
    checker(0.0, loss=0.0, luck_loss=-0.10, duration=10, game=1, **_P1),
    checker(0.080, loss=0.02, luck_loss=0.20, duration=3, game=1, **_P2),
    checker(0.100, loss=0.03, difficulty=0.025, duration=2, game=1, **_P1),
    checker(0.060, loss=0.01, duration=20, game=2, **_P1),
    no_double(0.5, 0.4, loss=0.0, game=2, **_P2),
]


def w38(length=5, winner=1):
    rows = decisions(_W38)
    rows = rows.assign(scored=True, counted=True, match_length=length, away=length, opponent_away=length, cube=1)  # fmt: skip
    rows = rows.astype({c: "Int16" for c in ("match_length", "away", "opponent_away", "cube")})
    of = {"match_id": ["m"], "player0": ["P1"], "player1": ["P2"]}
    matches = pd.DataFrame(of, dtype="str").assign(
        tool="eXtreme Gammon", length=length, winner=winner
    )
    games = pd.DataFrame({"match_id": ["m", "m"], "game": [1, 2], "score0": [0, 0], "score1": [0, 4], "winner": [1, winner],
                          "points": [4, 1], "crawford": ["none", "crawford"]})  # fmt: skip
    numbers = {"length": "Int16", "winner": "Int16"}
    for column in bl.tables.SCHEMA["matches"]:
        if column.name not in matches:
            matches[column.name] = bl.tables.empty("matches")[column.name].reindex([0])
    empty = bl.Tables.build()
    games = games.astype({"match_id": "str", "game": "Int16", "score0": "Int16", "score1": "Int16", "winner": "Int16",
                          "points": "Int16"})  # fmt: skip
    return bl.Tables(rows, empty.options, games, matches.astype(numbers), empty.figures, empty.problems)  # fmt: skip


@pytest.fixture(scope="module")
def told():
    return study.match_report(w38(), "P1")


def test_luck_and_play(told):
    # R = 0 − .5; C = −.10 − .20 = −.30; A = R − C = −.20
    row = told.result.iloc[0]
    assert row["luck_net"] == pytest.approx(-0.30, abs=1e-12)
    assert row["luck_adjusted"] == pytest.approx(-0.20, abs=1e-12)
    assert row["verdict"] == "lost by play"
    assert row["error_balance"] == pytest.approx(0.02 - 0.04, abs=1e-12)
    assert (row["n_rolls"], row["coverage"]) == (4, 0.5)
    other = study.match_report(w38(), "P2").result.iloc[0]
    assert other["luck_adjusted"] == pytest.approx(0.20, abs=1e-12)
    assert other["verdict"] == "won by play"


def test_review(told):
    # the .01 has no difficulty, so all of it is avoidable; then .03 − .025
    assert told.review["loss"].tolist() == [0.01, 0.03]
    assert told.review["excess"].tolist() == pytest.approx([0.01, 0.005], abs=1e-12)
    assert told.review["place"].tolist() == [1, 2]


def test_pace(told):
    own = told.paces[told.paces["player"] == "P1"].set_index("pace")
    assert own["median"].tolist() == [10, 10]
    assert own.loc["hasty", ["n", "loss"]].tolist() == [1, 0.03]
    assert own.loc["considered", ["n", "loss"]].tolist() == [2, 0.01]  # 10 s, the median, and 20 s


def test_two_games_give_no_interval(told):
    row = told.rates.set_index("player").loc["P1"]
    assert row["n_decisions"] == 3
    assert row["pr"] == pytest.approx(500 * 0.160 / 3)
    assert np.isnan(row["pr_low"])
    assert np.isnan(row["pr_high"])


@pytest.mark.parametrize("t", [w38(length=None), w38(winner=None)], ids=["money", "unfinished"])
def test_no_luck_block(t):
    row = study.match_report(t, "P1").result.iloc[0]
    assert row[["luck_net", "luck_adjusted", "verdict"]].isna().all()


def test_won_by_the_dice_and_a_tie_of_the_sign():
    from blunderlab.study.match import _verdict

    won = pd.Series([True, True, False, False, False, pd.NA], dtype="boolean")
    adjusted = np.array([-0.1, 0.1, 0.1, -0.1, 0.0, 0.1])
    words = _verdict(won, adjusted)
    assert words[:4].tolist() == [VERDICTS[2], VERDICTS[3], VERDICTS[0], VERDICTS[1]]
    assert words[4:].isna().all()


def test_cumulative_loss(told):
    own = told.course[told.course["player"] == "P1"]
    assert own["loss_so_far"].tolist() == pytest.approx([0, 0.03, 0.04])
    assert own["error_so_far"].tolist() == pytest.approx([0, 0.1, 0.16])


@pytest.mark.parametrize(
    ("durations", "words"),
    [
        ([4, 6, 10, 20], ["hasty", "hasty", "considered", "considered"]),  # 8: mean of the two
        ([5, 5, 5], ["considered"] * 3),
        ([None, 3, None], ["unknown", "considered", "unknown"]),
    ],
    ids=["even", "equal", "unknown"],
)
def test_the_median_decides(durations, words):
    rows = decisions([checker(0.1, loss=0.01, duration=d) for d in durations])
    assert study.pace(rows.assign(counted=True)).tolist() == words


def test_pace_is_of_the_match_and_the_part():
    rows = decisions(
        [checker(0.1, loss=0.01, duration=d) for d in (4, 6)]
        + [no_double(0.5, 0.4, loss=0.01, duration=d) for d in (30, 50)]
        + [checker(0.1, loss=0.01, duration=d, match_id="n") for d in (100, 200)]
        + [checker(None, duration=1), checker(0.1, duration=1)]
    )
    got = study.pace(rows.assign(counted=True))
    assert got[:6].tolist() == ["hasty", "considered"] * 3
    assert got[6:].isna().all()  # unscored; without a price


def test_pace_follows_the_index():
    rows = decisions([checker(0.1, loss=0.01, duration=d) for d in (4, 6, 10, 20)])
    rows = rows.assign(counted=True).set_axis([7, 7, 3, 0])
    mixed = rows.iloc[[2, 0, 3, 1]]
    assert study.pace(mixed).tolist() == ["considered", "hasty", "considered", "hasty"]
    assert study.pace(mixed).index.tolist() == mixed.index.tolist()


def test_a_stranger_is_told_who_is_there():
    with pytest.raises(ValueError, match="no decision of 'Nobody'; there are: P1, P2"):
        study.match_report(w38(), "Nobody")


@pytest.mark.parametrize("name", ["aachen-double-7pt", "paris-7pt", "paris-7pt-gnubg"])
def test_real_match(name):
    t = bl.datasets.tables(name)
    own = study.match_report(t, "seat 0")
    other = study.match_report(t, "seat 1")
    # the same match from the other side
    pair = [own.result.iloc[0], other.result.iloc[0]]
    for figure in ("luck_net", "luck_adjusted", "error_balance"):
        assert pair[0][figure] == pytest.approx(-pair[1][figure], abs=1e-12)
    assert own.course["loss_so_far"].max() <= 1
    last = own.course.groupby("seat")["loss_so_far"].last().to_numpy()
    scored = t.decisions[t.decisions["scored"]].groupby("seat")["loss"].sum().to_numpy()
    assert last == pytest.approx(scored)
    assert len(own.review) == 3
    assert own.review["excess"].is_monotonic_decreasing
    assert "<svg" in own._repr_html_()
