"""The luck-adjusted result against what gnuBG prints; silence where there is nothing to adjust."""

from dataclasses import replace

import numpy as np
import pytest

import blunderlab as bl


@pytest.mark.parametrize(
    ("name", "adjusted", "decimals"),
    [  # "Luck adjusted result" of player 0 in the match statistics of each printed report
        ("galaxy-3pt", 0.1345, 4),
        ("galaxy-5pt", 0.1664, 4),
        ("m1_dmp", -0.1137, 4),
        ("m3_utf8", -0.0596, 4),
        ("money_beaver_raccoon_resign", -23.981, 3),
    ],
)
def test_equals_gnubgs_printed_digit(reference, name, adjusted, decimals):
    r = bl.measure.result(bl.read(reference(f"backgammon/sgf/{name}.sgf")))
    assert r["seat"].tolist() == [0, 1]
    half = 0.5 * 10**-decimals + 1e-5  # five stored decimals of luck a roll
    assert r["luck_adjusted"].tolist() == [
        pytest.approx(adjusted, abs=half),
        pytest.approx(-adjusted, abs=half),
    ]


def test_unfinished_has_no_result(reference):
    r = bl.measure.result(bl.read(reference("backgammon/sgf/m5_midgame.sgf")))
    assert r["luck_adjusted"].isna().all()
    assert r["luck_loss"].notna().all()


def test_unknown_luck_is_not_neutral(reference):
    t = bl.read(reference("backgammon/xg/paris-7pt.xg"))
    known = t.decisions["luck_loss"].where(t.decisions["game"] == 1)
    none = replace(t, decisions=t.decisions.assign(luck_loss=np.nan))
    some = replace(t, decisions=t.decisions.assign(luck_loss=known))
    assert bl.measure.result(none)[["luck_loss", "luck_adjusted"]].isna().all(axis=None)
    assert (bl.measure.result(none)["coverage"] == 0).all()
    rolls = t.decisions["luck"].notna()
    share = (rolls & (t.decisions["game"] == 1)).sum() / rolls.sum()
    assert bl.measure.result(some)["coverage"].tolist() == [pytest.approx(share)] * 2


def test_by_hand_from_the_sums(reference):
    t = bl.read(reference("backgammon/xg/aachen-double-7pt.xg"))
    d, r = t.decisions, bl.measure.result(t).set_index("seat")
    own, other = (float(d.loc[d["seat"] == s, "luck_loss"].sum()) for s in (0, 1))
    # Seat 0 won 7-6 from 0-0: 1 - 0.5 - own luck + the opponent's.
    assert r.loc[0, "luck_adjusted"] == pytest.approx(0.5 - own + other)
    assert r.loc[0, "error_balance"] == pytest.approx(0.1439 - 0.1985, abs=1e-4)
    assert (r["coverage"] == 1).all()


def test_row_order_does_not_matter(reference):
    t = bl.read_many(
        [reference(f"backgammon/xg/{n}.xg") for n in ("paris-7pt", "aachen-double-7pt")]
    )
    shuffled = replace(
        t,
        decisions=t.decisions.sample(frac=1, random_state=1),
        games=t.games.sample(frac=1, random_state=2),
        matches=t.matches.iloc[::-1],
    )
    one, two = bl.measure.result(t), bl.measure.result(shuffled)
    assert one["match_id"].tolist() == two["match_id"].tolist()
    np.testing.assert_allclose(one.iloc[:, 2:].to_numpy(float), two.iloc[:, 2:].to_numpy(float))
