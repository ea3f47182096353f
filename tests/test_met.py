"""Match equity tables against published values, the rules of the game and gnuBG's own tables.

"W…" and "S-…" in a test's id name the source of its numbers in the project's list of known answers.
"""

import json
import os
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from blunderlab import met

SIXTH_DIGIT = 5.001e-7  # half a unit of the sixth decimal, and the noise of a float


@pytest.fixture(scope="module")
def table():
    return met.load("kazaross-xg2")


@pytest.fixture(scope="module")
def gnubg_table():
    return met.load("kazaross-xg2", beyond="gnubg")


def scores(longest=25):
    """(away, opponent_away) of every score, as two flat arrays."""
    return (n.ravel() + 1 for n in np.indices((longest, longest)))


# -- loading --------------------------------------------------------------------------------------


def test_load_is_cached_and_passes_objects_through(table):
    assert met.load() is table
    assert met.load("Kazaross-XG2") is table
    assert met.load(table, beyond="gnubg") is table
    assert (table.name, table.beyond) == ("kazaross-xg2", "zadeh")
    assert met.load(beyond="gnubg").beyond == "gnubg"
    assert met.names() == ["kazaross-xg2"]


def test_unknown_names_are_listed():
    with pytest.raises(ValueError, match=r"'g11'.*kazaross-xg2"):
        met.load("g11")
    with pytest.raises(ValueError, match=r"'linear'.*zadeh, gnubg"):
        met.load(beyond="linear")


def test_table_cannot_be_changed(table):
    with pytest.raises(ValueError, match="read-only"):
        table.table[0, 1, 1] = 0.6
    with pytest.raises(AttributeError):
        table.name = "other"


def test_notice_travels_with_the_table():
    text = (met.resources.files("blunderlab") / "data" / "kazaross-xg2.csv").read_text("utf-8")
    assert "Copyright (C) 2011 Neil Kazaross" in text
    assert "notice and this notice are preserved" in text


# -- chances --------------------------------------------------------------------------------------

BEFORE_CRAWFORD = {
    (1, 1): 0.5, (1, 2): 0.67736, (2, 3): 0.59947, (3, 4): 0.57150, (4, 7): 0.69924,
    (5, 6): 0.56635, (7, 6): 0.43739, (24, 25): 0.53086,
}  # fmt: skip
AFTER_CRAWFORD = {
    1: 0.5, 2: 0.48803, 3: 0.32264, 4: 0.31002, 5: 0.19012, 6: 0.18072, 7: 0.11559, 8: 0.10906,
    24: 0.00182,
}  # fmt: skip


@pytest.mark.parametrize("beyond", ["zadeh", "gnubg"])
@pytest.mark.parametrize(
    ("score", "chance"),
    [pytest.param(*case, id=f"W3.4:{case[0]}") for case in BEFORE_CRAWFORD.items()],
)
def test_chance_before_crawford(score, chance, beyond):
    assert met.load(beyond=beyond).mwc(*score, "none") == chance
    assert met.load(beyond=beyond).mwc(*score, "crawford") == chance


@pytest.mark.parametrize("beyond", ["zadeh", "gnubg"])
@pytest.mark.parametrize(
    ("away", "chance"),
    [pytest.param(*case, id=f"W3.4:post-{case[0]}-away") for case in AFTER_CRAWFORD.items()],
)
def test_chance_of_the_trailer_after_crawford(away, chance, beyond):
    assert met.load(beyond=beyond).mwc(away, 1, "post") == chance
    assert met.load(beyond=beyond).mwc(1, away, "post") == 1 - chance


@pytest.mark.parametrize(
    ("away", "opponent", "chance"),
    [
        (25, 26, 0.529797), (26, 26, 0.5), (26, 25, 0.470203), (26, 24, 0.439931),
        (30, 25, 0.359448), (30, 20, 0.222836), (33, 32, 0.473768), (40, 33, 0.332034),
        (64, 60, 0.425588), (26, 1, 0.000516),
    ],
)  # fmt: skip
def test_zadeh_beyond_25_points(table, away, opponent, chance):
    """W3.4."""
    assert table.mwc(away, opponent, "none") == pytest.approx(chance, abs=SIXTH_DIGIT)


@pytest.mark.parametrize(
    ("away", "chance"),
    [(25, 0.000888), (26, 0.000861), (27, 0.000522), (28, 0.000506), (29, 0.000307)],
)
def test_zadeh_after_crawford_beyond_24_away(table, away, chance):
    """W3.4."""
    assert table.mwc(away, 1, "post") == pytest.approx(chance, abs=SIXTH_DIGIT)


@pytest.mark.parametrize(
    ("away", "opponent", "chance"),
    [
        (25, 26, 0.531528), (26, 24, 0.436520), (30, 20, 0.212148), (40, 33, 0.321727),
        (26, 1, 0.000821),
    ],
)  # fmt: skip
def test_gnubg_beyond_25_points(gnubg_table, away, opponent, chance):
    """W3.4."""
    assert gnubg_table.mwc(away, opponent, "none") == pytest.approx(chance, abs=SIXTH_DIGIT)


def test_gnubg_after_crawford_25_away(gnubg_table):
    """W3.4."""
    assert gnubg_table.mwc(25, 1, "post") == pytest.approx(0.00118, abs=5e-6)


@pytest.mark.parametrize(("longest", "most"), [(25, 0.0), (30, 0.011), (64, 0.017)])
def test_extensions_differ_little(table, gnubg_table, longest, most):
    """W3.4 gives .011, which holds up to 30 points."""
    a, b = scores(longest)
    assert np.abs(table.mwc(a, b, "none") - gnubg_table.mwc(a, b, "none")).max() <= most


@pytest.mark.parametrize("beyond", ["zadeh", "gnubg"])
@pytest.mark.parametrize("crawford", ["none", "crawford", "post"])
def test_the_two_players_share_the_match(beyond, crawford):
    t = met.load(beyond=beyond)
    a, b = scores(met.MAX_AWAY)
    ours, theirs = t.mwc(a, b, crawford), t.mwc(b, a, crawford)
    assert ((ours > 0) & (ours < 1)).all()
    np.testing.assert_allclose(ours + theirs, 1, rtol=0, atol=1e-7)  # float32 beyond the table
    within = (a <= 24) & (b <= 24)
    np.testing.assert_allclose((ours + theirs)[within], 1, rtol=0, atol=1e-12)
    assert (ours[a == b] == 0.5).all()


@pytest.mark.parametrize("beyond", ["zadeh", "gnubg"])
def test_a_point_never_hurts(beyond):
    t = met.load(beyond=beyond).table[0, :-1, :-1]
    steps = np.diff(t[1:26, 1:26], axis=0), np.diff(t[26:, 26:], axis=0)
    assert all((s < 0).all() for s in steps)


def test_post_changes_only_scores_with_a_side_1_away(table):
    a, b = scores(met.MAX_AWAY)
    same = table.mwc(a, b, "post") == table.mwc(a, b, "none")
    np.testing.assert_array_equal(same, ((a > 1) & (b > 1)) | (a + b == 2))


def test_a_match_won_or_lost(table):
    assert table.mwc(0, 3, "none") == 1
    assert table.mwc(-4, 3, "post") == 1
    assert table.mwc(3, 0, "crawford") == 0
    assert np.isnan(table.mwc(0, 0, "none"))


# -- prices ---------------------------------------------------------------------------------------

# millipoints, the two scores, mover, cube, length, which game, loss
CONVERSIONS = [
    (200, 0, 0, 0, 1, 1, "post", 0.1),
    (100, 0, 0, 0, 1, 7, "none", 0.006261),
    (100, 0, 0, 0, 2, 7, "none", 0.012638),
    (120, 3, 4, 0, 1, 7, "none", 0.010122),
    (100, 2, 4, 0, 1, 7, "none", 0.008604),
    (100, 2, 4, 0, 2, 7, "none", 0.017090),
    (100, 6, 2, 0, 1, 7, "crawford", 0.015501),
    (100, 6, 2, 1, 1, 7, "crawford", 0.015501),
    (100, 6, 3, 1, 1, 7, "post", 0.016132),
    (100, 6, 3, 1, 2, 7, "post", 0.024401),
    (100, 6, 6, 0, 1, 7, "post", 0.05),
    (100, 0, 0, 1, 1, 3, "none", 0.009947),
    (100, 10, 8, 0, 4, 21, "none", 0.018602),
    (100, 7, 4, 0, 2, 11, "none", 0.013247),
    (100, 0, 3, 1, 1, 5, "none", 0.008654),
    (1000, 5, 5, 0, 2, 7, "none", 0.5),
    (1000, 5, 5, 0, 4, 7, "none", 0.5),
    (0, 3, 3, 0, 1, 7, "none", 0.0),
]


@pytest.mark.parametrize("beyond", ["zadeh", "gnubg"])
@pytest.mark.parametrize(
    ("mp", "score0", "score1", "mover", "cube", "length", "crawford", "loss"),
    [pytest.param(*c, id="W3.4:{}mp-{}-{}-P{}-cube{}-{}pt-{}".format(*c)) for c in CONVERSIONS],
)
def test_conversion(mp, score0, score1, mover, cube, length, crawford, loss, beyond):
    away = [length - score0, length - score1]
    price = met.load(beyond=beyond).price(away[mover], away[1 - mover], cube, crawford)
    assert mp / 1000 * price == pytest.approx(loss, abs=SIXTH_DIGIT)


def test_answer_is_priced_at_the_cube_before_the_double(table):
    """S-5: the cube turned to 2 at 2-4 in 7 would make a take's 100 millipoints twice too big."""
    before, after = table.price(5, 3, [1, 2], "none")
    assert 0.1 * before == pytest.approx(0.008604, abs=SIXTH_DIGIT)
    assert after / before == pytest.approx(2, abs=0.05)


def test_1_away_after_crawford_is_1(table):
    """S-6: 6-4 in 7 is 1 and 3 away; 0 away is a match won, which has no price."""
    assert table.price(1, 3, 1, "post") == pytest.approx((1 - (1 - 0.48803)) / 2)
    assert np.isnan(table.price(0, 3, 1, "post"))


def test_crawford_game_and_the_one_after(table):
    """S-18, S-19: 6-2 in 7 is the Crawford game; the cube lives again at 6-3."""
    assert table.price(5, 1, 1, "crawford") == pytest.approx(0.31002 / 2)
    live = table.price(4, 1, [1, 2, 4], "post")
    np.testing.assert_allclose(live, [0.32264 / 2, 0.48803 / 2, 0.5])


@pytest.mark.parametrize("length", range(2, 26))
def test_flag_is_redundant_with_a_side_1_away(table, length):
    """W3.4: the same value with the flag on and off."""
    other, cube = np.arange(1, length + 1), np.array([[1], [2], [4]])
    off = table.price(1, other, cube, "none")
    for flag in ("crawford", "post", True, False):
        np.testing.assert_array_equal(table.price(1, other, cube, flag), off)
        np.testing.assert_allclose(table.price(other, 1, cube, flag), off, rtol=0, atol=1e-12)


def test_flag_is_not_inert_elsewhere(table):
    """W3.4: at 2-2 a score that results is the Crawford game, unless the flag says it was."""
    assert table.price(2, 2, 1, "none") == pytest.approx((0.67736 - 0.32264) / 2)
    assert table.price(2, 2, 1, "crawford") == pytest.approx((1 - 2 * 0.48803) / 2)
    assert table.price(2, 2, 1, "post") == table.price(2, 2, 1, "crawford")
    assert table.price(2, 2, 1, False) == table.price(2, 2, 1, "none")


def test_both_players_have_the_same_price(table):
    a, b = scores(met.MAX_AWAY)
    for cube in (1, 2, 8):
        ours, theirs = table.price(a, b, cube, "none"), table.price(b, a, cube, "none")
        assert (ours > 0).all()
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-7)


def test_price_is_half_the_difference_of_the_chances(table):
    rng = np.random.default_rng(0)
    a, b = rng.integers(2, 65, (2, 500))
    cube = 2 ** rng.integers(0, 7, 500)
    expected = (table.mwc(a - cube, b, "none") - table.mwc(a, b - cube, "none")) / 2
    np.testing.assert_array_equal(table.price(a, b, cube, "none"), expected)


# -- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("away", "opponent"),
    [
        pytest.param(0, 0, id="S-7:length-0"),
        pytest.param(-1, -1, id="S-7:length--1"),
        pytest.param(99999, 99999, id="S-7:length-99999"),
        pytest.param(65, 65, id="S-7:length-65"),
        pytest.param(7 - 99999, 7 - 99999, id="S-7:scores-99999"),
        (65, 3),
        (3, 65),
        (float("nan"), 3),
        (3, None),
        (pd.NA, 3),
        (2.5, 3),
        (float("inf"), 3),
    ],
)
def test_no_such_score(table, away, opponent):
    for flag in ("none", "crawford", "post"):
        assert np.isnan(table.mwc(away, opponent, flag))
        assert np.isnan(table.price(away, opponent, 1, flag))


@pytest.mark.parametrize(("away", "opponent"), [(0, 7), (7, 0), (-1, 4), (4, -1)])
def test_no_price_once_the_match_is_won(table, away, opponent):
    """S-7: scores (7, 0) and (0, 7) in 7."""
    assert np.isnan(table.price(away, opponent, 1, "none"))


@pytest.mark.parametrize("cube", [0, -1, 1.5, None, pd.NA, float("nan")])
def test_no_such_cube(table, cube):
    assert np.isnan(table.price(3, 3, cube, "none"))


def test_a_huge_cube_is_for_the_match(table):
    np.testing.assert_array_equal(table.price(64, 64, [64, 65, 4096, np.inf], "none"), 0.5)


@pytest.mark.parametrize("missing", [None, pd.NA, float("nan")])
def test_no_game(table, missing):
    assert np.isnan(table.mwc(3, 3, missing))
    assert np.isnan(table.price(3, 3, 1, missing))


@pytest.mark.parametrize("wrong", ["Crawford", "", 2, ["none", "yes"]])
def test_unknown_game(table, wrong):
    with pytest.raises(ValueError, match="none, crawford, post"):
        table.price([3, 3], 3, 1, wrong)


def test_bool_is_the_crawford_game(table):
    assert table.mwc(2, 1, True) == table.mwc(2, 1, "crawford")
    assert table.mwc(2, 1, False) == table.mwc(2, 1, "post")
    np.testing.assert_array_equal(
        table.mwc(2, [1, 3], np.array([True, False])), table.mwc(2, [1, 3], "crawford")
    )


def frame(n=300):
    rng = np.random.default_rng(1)
    games = ["none", "crawford", "post"]
    d = pd.DataFrame(
        {
            "away": rng.integers(-1, 67, n).astype(float),
            "opponent_away": rng.integers(-1, 67, n).astype(float),
            "cube": 2.0 ** rng.integers(0, 7, n),
            "crawford": pd.Categorical(rng.choice(games, n), categories=games),
        }
    )
    for i, column in enumerate(d):
        d.loc[i :: 13 + i, column] = None
    return d


def test_arrays_are_scalars_in_a_row(table):
    d = frame()
    chances = table.mwc(d["away"], d["opponent_away"], d["crawford"])
    prices = table.price(d["away"], d["opponent_away"], d["cube"], d["crawford"])
    rows = list(d.itertuples(index=False))
    one = [table.mwc(r.away, r.opponent_away, r.crawford) for r in rows]
    assert {type(x) for x in one} == {float}
    np.testing.assert_array_equal(chances, one)
    np.testing.assert_array_equal(prices, [table.price(*r) for r in rows])
    assert type(prices) is np.ndarray
    assert 0 < np.isnan(prices).sum() < len(d)


@pytest.mark.parametrize(
    "convert",
    [
        lambda d: d.astype({c: "Int16" for c in ("away", "opponent_away", "cube")}),
        lambda d: d.astype(object),
        lambda d: d.astype({"crawford": "str"}),
        lambda d: d.astype({"crawford": object}),
        lambda d: d.set_axis(range(len(d), 0, -1)),
        lambda d: {c: list(d[c]) for c in d},
        lambda d: {c: d[c].array for c in d},
        lambda d: {c: pd.Index(d[c]) for c in d},
    ],
    ids="Int16 object str object-flag index lists arrays Index".split(),
)
def test_types_of_columns(table, convert):
    d = frame()
    expected = table.price(*(d[c] for c in d)), table.mwc(d.away, d.opponent_away, d.crawford)
    c = convert(d)
    np.testing.assert_array_equal(table.price(*(c[k] for k in d)), expected[0])
    chances = table.mwc(c["away"], c["opponent_away"], c["crawford"])
    np.testing.assert_array_equal(chances, expected[1])


def test_shapes(table):
    assert table.price(np.ones((2, 1)), np.ones(3), 1, "post").shape == (2, 3)
    assert table.mwc([], [], []).shape == (0,)
    assert table.price(3, 3, 1, ["none", "post"]).shape == (2,)
    assert table.price(pd.Series([], dtype="Int16"), 3, 1, "none").shape == (0,)
    assert type(table.price(np.int64(3), np.float64(3), 1, np.str_("none"))) is float
    with pytest.raises((ValueError, IndexError), match="broadcast"):
        table.mwc([1, 2], [1, 2, 3], "none")


# -- against gnuBG itself -------------------------------------------------------------------------

GNUBG_SCRIPT = """
import gnubg, json
out = {"kazaross": gnubg.met(64)}
def price(cube, mover, length, score, crawford):
    info = gnubg.cubeinfo(cube, -1, mover, length, tuple(score), crawford)
    return (gnubg.eq2mwc(1.0, info) - gnubg.eq2mwc(-1.0, info)) / 2
out["prices"] = [price(*case) for case in json.load(open("cases.json"))]
gnubg.command('set met "no such table"')  # gnuBG then builds all 64 points by Zadeh's model
out["zadeh"] = gnubg.met(64)
json.dump(out, open("out.json", "w"))
"""


@pytest.fixture(scope="module")
def gnubg_says(tmp_path_factory):
    """gnuBG's tables and prices: its default table is Kazaross-XG2; a new home keeps it so."""
    rng = np.random.default_rng(2)
    cases = []
    for _ in range(3000):
        length = int(rng.integers(2, 65))
        score = sorted(int(s) for s in rng.integers(0, length, 2))
        if rng.random() < 0.3:
            score[1] = length - 1
        if rng.random() < 0.5:
            score.reverse()
        crawford = int(length - 1 in score and score[0] != score[1] and rng.random() < 0.5)
        cases.append([int(2 ** rng.integers(0, 5)), int(rng.integers(2)), length, score, crawford])
    folder = tmp_path_factory.mktemp("gnubg")
    (folder / "cases.json").write_text(json.dumps(cases))
    (folder / "ask.py").write_text(GNUBG_SCRIPT)
    subprocess.run(
        [shutil.which("gnubg"), "-t", "-q", "-p", "ask.py"],
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
    )
    return {"cases": cases, **json.loads((folder / "out.json").read_text())}


@pytest.mark.engine("gnubg")
def test_gnubg_extension_is_gnubgs(gnubg_table, gnubg_says):
    before, *after = gnubg_says["kazaross"]
    n = np.arange(1, 65)
    ours = gnubg_table.mwc(n[:, None], n, "none")
    np.testing.assert_allclose(ours, before, rtol=0, atol=1e-7)
    for vector in after:
        np.testing.assert_allclose(gnubg_table.mwc(n, 1, "post"), vector, rtol=0, atol=1e-7)


@pytest.mark.engine("gnubg")
def test_zadeh_is_gnubgs_model(table, gnubg_says):
    before, after, _ = gnubg_says["zadeh"]
    a, b = scores(64)
    beyond = (a > 25) | (b > 25)
    theirs = np.asarray(before).ravel()
    np.testing.assert_allclose(table.mwc(a, b, "none")[beyond], theirs[beyond], rtol=0, atol=1e-6)
    n = np.arange(25, 65)
    np.testing.assert_allclose(table.mwc(n, 1, "post"), after[24:], rtol=0, atol=1e-9)


@pytest.mark.engine("gnubg")
def test_prices_are_gnubgs(gnubg_table, gnubg_says):
    cube, mover, length, score, crawford = zip(*gnubg_says["cases"], strict=True)
    away = np.asarray(length)[:, None] - np.asarray(score)
    rows, mover = np.arange(len(away)), np.asarray(mover)
    ours = gnubg_table.price(
        away[rows, mover], away[rows, 1 - mover], cube, np.asarray(crawford) == 1
    )
    np.testing.assert_allclose(ours, gnubg_says["prices"], rtol=0, atol=1.5e-7)
