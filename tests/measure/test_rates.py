"""Rates: what counts under each rule set, worked out by hand; invariance; missing is not zero."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from measure.frames import checker, decisions, no_double

import blunderlab as bl
from blunderlab.measure import count, rates
from blunderlab.met import load

DATA = os.environ.get("BLUNDERLAB_DATA", "")
AACHEN = Path(DATA, "backgammon/xg/aachen-double-7pt.xg")
PARIS = Path(DATA, "backgammon/xg/paris-7pt.xg")
needs_files = pytest.mark.skipif(
    not (DATA and AACHEN.exists()), reason="BLUNDERLAB_DATA is not set"
)


def one(rows, rules="xg", **more):
    frame = rates(decisions(rows), rules, by=(), **more)
    return pd.Series({name: frame[name].iloc[0] for name in frame}, dtype=object)


# --- against the printed figures --------------------------------------------------------------------


@needs_files
def test_aachen_equals_what_xg_prints():
    # The eXtreme Gammon window of this match, both sides (expected.json).
    r = rates(bl.read(AACHEN).decisions, "xg", by="seat")
    counts = ["n_decisions", "n_checker", "n_cube", "n_answer", "n_errors", "n_blunders"]
    assert r[counts].to_numpy().tolist() == [[156, 138, 16, 2, 18, 2], [161, 144, 12, 5, 14, 3]]
    assert r["pr"].round(2).tolist() == [3.13, 3.07]
    sums = r[["error_total", "error_checker", "error_cube", "error_answer"]].to_numpy()
    assert sums.round(3).tolist() == [[0.976, 0.894, 0.037, 0.045], [0.989, 0.977, 0.011, 0.0]]
    losses = 100 * r[["loss_total", "loss_checker", "loss_cube", "loss_answer"]].to_numpy()
    assert losses.round(2).tolist() == [[19.85, 18.77, 0.42, 0.66], [14.39, 14.24, 0.15, 0.0]]


@needs_files
def test_paris_equals_what_xg_prints():
    # Published for this match: PR 7.84 and 13.77, unforced plays 144 and 125 (backgammon.md §3).
    r = rates(bl.read(PARIS).decisions, "xg", by="seat")
    assert r["n_checker"].tolist() == [144, 125]
    assert r["pr"].round(2).tolist() == [7.84, 13.77]


@needs_files
def test_net_luck_play_and_result_nearly_balance():
    # §2.9: net luck − own loss + opponent's loss is ±50 % up to a few points, whoever the players are.
    d = bl.read(AACHEN).decisions
    r = rates(d, "xg", by="seat")
    net = r["luck_loss"][0] - r["luck_loss"][1]
    balance = net - r["loss_total"][0] + r["loss_total"][1]
    assert abs(abs(balance) - 0.5) < 0.041


@needs_files
def test_a_take_priced_at_the_doubled_cube_would_be_wrong():  # S-5
    d = bl.read(AACHEN).decisions
    takes = d[d["kind"].isin(["take", "pass"]) & (d["seat"] == 0)]
    price = load("kazaross-xg2").price(
        takes["away"], takes["opponent_away"], 2 * takes["cube"], takes["crawford"]
    )
    assert round(100 * takes["loss"].sum(), 2) == 0.66
    assert round(100 * (takes["error"] * price).sum(), 2) == 1.53


# --- what counts -----------------------------------------------------------------------------------


def test_pr_is_a_sum_over_a_sum():
    # measures.md: 10 decisions with 50 mpt and 90 with 270 mpt are 3.2 mpt a decision, not 4.0.
    rows = [checker(0.005)] * 10 + [checker(0.003)] * 90
    assert one(rows)["pr"] == pytest.approx(500 * 0.0032)


def test_xg_sums_every_error_and_counts_the_unforced():
    # Forced by a spread of 0.00004; its error 0.00003 is in the sum, the play is not in the count.
    rows = [checker(0.1), checker(0.00003, spread=0.00004), checker(0.0, options=1, spread=0)]
    r = one(rows)
    assert (r["n_checker"], r["n_decisions"], r["n_moves"]) == (1, 1, 3)
    assert r["error_total"] == pytest.approx(0.10003)


@pytest.mark.parametrize(
    ("row", "xg", "gnubg", "blunderdb"),
    [
        (no_double(0.5, 0.45), 1, 1, 1),  # W3.5: best ND, DT within .16
        (no_double(0.5, 0.20), 0, 0, 0),  # .30 apart
        (no_double(0.5, 0.32), 1, 0, 1),  # .18 apart: inside XG's .2, outside gnuBG's .16
        (no_double(0.90, 1.40), 1, 1, 1),  # double/pass not doubled: ND below DP
        (no_double(-0.1, -0.05), 0, 1, 0),  # ND not above 0
        (no_double(-0.1, -0.05, error=0.05), 1, 1, 0),  # a missed double there: XG sums it
        (no_double(1.3, 1.2), 0, 0, 0),  # too good by .3
    ],
)
def test_which_no_doubles_count(row, xg, gnubg, blunderdb):
    found = [int(one([row], rules)["n_cube"]) for rules in ("xg", "gnubg", "blunderdb")]
    assert found == [xg, gnubg, blunderdb]


def test_blunderdb_forces_equal_plays_only_when_all_are_covered():
    rows = [
        checker(0.0004, options=3, spread=0.0005, flat=True, n_legal=3),
        checker(0.0004, options=3, spread=0.0005, flat=True, n_legal=9),
        checker(0.0004, options=3, spread=0.0005, flat=True),
    ]
    assert count(decisions(rows), "blunderdb")["forced"].tolist() == [True, False, False]
    assert one(rows, "blunderdb")["n_checker"] == 2


def test_blunderdb_rounds_half_away_from_zero():
    rows = [checker(0.0005), checker(0.0015), checker(0.00049), checker(0.0345)]
    counted = count(decisions(rows), "blunderdb")
    assert counted["error"].tolist() == [0.001, 0.002, 0.0, 0.035]
    assert one(rows, "blunderdb")["error_total"] == pytest.approx(0.038)


def test_blunderdb_blanks_loss_and_difficulty_where_not_counted():
    rows = [
        checker(0.1, loss=0.01, difficulty=0.002),
        no_double(0.5, 0.2, loss=0.0, difficulty=0.001),
    ]
    found = count(decisions(rows), "blunderdb")
    assert found["loss"].isna().tolist() == [False, True]
    assert found["difficulty"].isna().tolist() == [False, True]
    assert found["error"].tolist() == [0.1, 0.0]


def test_thresholds_are_inclusive_but_gnubgs():
    rows = [checker(0.02), checker(0.08), checker(0.0199), no_double(0.1, 0.2, error=0.08)]
    assert one(rows)[["n_errors", "n_blunders"]].tolist() == [3, 2]
    rows = [checker(e) for e in (0.03, 0.031, 0.06, 0.061, 0.12, 0.121)]
    assert one(rows, "gnubg")[["n_doubtful", "n_errors", "n_blunders"]].tolist() == [2, 3, 1]
    assert one(rows, "xg", thresholds=(0.05, 0.12))[["n_errors", "n_blunders"]].tolist() == [4, 2]
    with pytest.raises(ValueError, match="2 thresholds"):
        one(rows, "xg", thresholds=(0.1,))


def test_snowie_divides_by_both_sides_and_the_player_filter_narrows_only_the_sum():  # S-10
    # Error 1.174 over 79 + 80 moves is 3.69 at the factor 500.
    rows = [checker(1.174)] + [checker(0.0)] * 78 + [checker(0.0, seat=1, player="B")] * 80
    d = decisions(rows)
    everyone, mine = rates(d, by="player"), rates(d, by="player", player="A")
    assert mine["player"].tolist() == ["A"]
    assert round(mine["snowie"][0], 2) == 3.69
    assert everyone["snowie"][0] == mine["snowie"][0]
    assert rates(d, by=())["snowie"][0] == pytest.approx(everyone["snowie"].sum())


def test_a_roll_never_played_is_a_move_for_xg_not_for_gnubg():
    rows = [checker(0.1, luck=0.2), {"kind": "roll", "luck": 0.3, "n_options": 5}]
    assert one(rows)[["n_moves", "luck", "n_luck"]].tolist() == [2, 0.5, 2]
    assert one(rows, "gnubg")[["n_moves", "luck", "n_luck"]].tolist() == [1, 0.2, 1]


def test_unscored_is_not_zero():  # S-11
    r = one([checker(None), {"kind": "double"}, {"kind": "take"}])
    assert r[["n_decisions", "n_double", "n_take", "n_moves"]].tolist() == [0, 1, 1, 1]
    unknown = [
        "pr",
        "snowie",
        "error_total",
        "error_cube",
        "loss_total",
        "luck",
        "n_errors",
        "n_blunders",
    ]
    assert r[unknown].isna().all()
    mixed = one([checker(0.1), {"kind": "double"}])
    assert mixed["error_checker"] == 0.1
    assert np.isnan(mixed["error_cube"])
    assert mixed["error_answer"] == 0  # no answer was asked for


def test_gnubg_calls_only_the_answer_that_ends_the_doubling_a_take():
    rows = [{"kind": "double", "played": "Double"}] + [
        {"kind": "take", "played": p} for p in ("Beaver", "Raccoon", "Take")
    ]
    assert [int(one(rows, r)["n_take"]) for r in ("xg", "gnubg")] == [3, 1]


def test_illegal_rows_are_left_out():
    assert one([checker(0.1, illegal=True), checker(0.0)])["error_total"] == 0


def test_units_are_games_of_one_match_and_matches_of_many():
    # Games (0, 10), (10, 10), (20, 10) in thousandths: R = .001, half width 1.96 · sqrt(300)/30 · .001 (W3.3).
    def unit(total, **where):
        return [checker(total / 1000, **where)] + [checker(0.0, **where)] * 9

    games = sum((unit(e, game=g) for g, e in ((1, 0), (2, 10), (3, 20))), [])
    matches = sum((unit(e, match_id=m) for m, e in (("a", 0), ("b", 10), ("c", 20))), [])
    for rows in (games, matches):
        r = one(rows)
        assert r["pr"] == pytest.approx(0.5)
        assert r["pr_low"] == 0
        assert r["pr_high"] == pytest.approx(0.5 * 2.1316065, abs=1e-7)
    two = one(matches[:20])
    assert np.isnan(two["pr_low"])


def test_both_seats_of_one_match_are_one_unit():  # S-25
    rows = [checker(0.1, seat=s, match_id=m) for s in (0, 1) for m in "ab"]
    assert np.isnan(one(rows)["pr_low"])


def test_with_game_among_the_keys_snowies_moves_are_that_games():
    rows = [checker(0.1, game=1), checker(0.0, game=2), checker(0.0, game=2)]
    assert rates(decisions(rows), by="game")["snowie"].tolist() == [50, 0]


def test_clear_words_for_wrong_arguments():
    d = decisions([checker(0.1)])
    with pytest.raises(ValueError, match="choose from xg, gnubg, blunderdb"):
        rates(d, "snowie")
    with pytest.raises(ValueError, match="no column name"):
        rates(d, by="name")


# --- invariance ------------------------------------------------------------------------------------

kinds = st.sampled_from(["checker", "no_double", "double", "take", "pass", "roll"])
maybe = st.one_of(st.none(), st.floats(0, 1.5).map(lambda x: round(x, 4)))
row = st.fixed_dictionaries(
    {
        "kind": kinds, "error": maybe, "loss": maybe.map(lambda x: x and min(x, 1)), "luck": maybe,
        "no_double": maybe, "double_take": maybe, "double_pass": maybe, "spread": maybe,
        "n_options": st.one_of(st.none(), st.integers(0, 10)), "flat": st.booleans(),
        "player": st.sampled_from(["A", "B", None]), "match_id": st.sampled_from(["x", "y", "z", None]),
        "game": st.sampled_from([1, 2, 3, None]), "seat": st.integers(0, 1),
        "phase": st.sampled_from(["opening", "race", None]),
    }
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(row, min_size=1, max_size=40),
    st.sampled_from(["xg", "gnubg", "blunderdb"]),
    st.sampled_from([(), ("player",), ("phase", "seat"), ("match_id", "game"), ("game", "player")]),
    st.randoms(use_true_random=False),
)
def test_row_order_and_index_do_not_matter(rows, rules, by, random):
    d = decisions(rows)
    order = list(range(len(d)))
    random.shuffle(order)
    shuffled = d.iloc[order]
    odd = shuffled.set_axis(pd.Index([7] * len(d), name="player"), axis=0)
    first = rates(d, rules, by)
    for other in (shuffled, odd):
        pd.testing.assert_frame_equal(first, rates(other, rules, by), rtol=1e-9, atol=1e-12)
    keys = d[list(by)].drop_duplicates()
    assert len(first) == (len(keys) if by else 1)
    assert first["n_moves"].sum() == rates(d, rules, ())["n_moves"].sum()
    back = count(odd, rules)
    assert back.index.equals(odd.index)
    assert back["counted"].tolist() == count(d, rules)["counted"].iloc[order].tolist()
