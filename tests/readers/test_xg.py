"""XG files: what is in the tables, what bad bytes do, what a changed byte moves."""

import collections
import contextlib
import os
from pathlib import Path

import numpy as np
import pytest
from xgbytes import XG

import blunderlab as bl
from blunderlab.backgammon.moves import legal_positions
from blunderlab.backgammon.xgid import parse
from blunderlab.readers.xg import records as layout
from blunderlab.readers.xg import rows as xg_rows

DATA = os.environ.get("BLUNDERLAB_DATA", "")
FILES = sorted(Path(DATA, "backgammon/xg").glob("*.xg")) if DATA else []
pytestmark = pytest.mark.skipif(not FILES, reason="BLUNDERLAB_DATA with backgammon/xg is not set")
AACHEN = "aachen-double-7pt.xg"


def path_of(stem):
    return next(p for p in FILES if p.name.startswith(stem))


@pytest.fixture(scope="module")
def tables():
    return {p.name: bl.read(p) for p in FILES}


@pytest.fixture
def xg():
    return XG(path_of(AACHEN).read_bytes())


def read(data, tmp_path, name="changed.xg"):
    path = tmp_path / name
    path.write_bytes(data)
    return bl.read(path)


def rates(t):
    return bl.measure.rates(t.decisions, "xg", by="seat")


# --- what is in the tables -----------------------------------------------------------------------


def test_every_file_gives_valid_tables_and_no_problem(tables):
    assert len(tables) == 10
    for t in tables.values():
        t.validate()
        assert len(t.problems) == 0


@pytest.mark.parametrize(
    ("stem", "winners", "final"),
    [  # by hand from the game footers as XG shows them; paris, B4_S and C07O also published (F-24, W3.14)
        ("3WNK", [0, 1, 1, 0, 1, 0, 1], "6-7"),
        ("5nqf", [1, 0, 1, 1, 0, 1], "2-7"),
        ("B4_S", [0, 1, 0], "7-1"),
        ("C07O", [1, 1, 1, 1, 0, 0, 0], "9-10"),
        ("UL-C", [0, 1, 1, 0, 1], "3-5"),
        ("XCu3", [1, 1], "0-5"),
        ("aachen-double-7pt", [1, 0, 1, 0, 1, 0, 0, 0], "7-6"),
        ("aachen-double-r2", [1, 1, 1, 1, 0, 0, 1], "2-8"),
        ("paris", [0, 0, 1, 1, 1, 0, 0], "7-4"),
        ("with-comments", [0, 0, 1, 1, 0, 1, 1, 1], "4-10"),
    ],
)
def test_winners_and_points(tables, stem, winners, final):
    t = tables[path_of(stem).name]
    assert t.games["winner"].tolist() == winners
    assert t.matches["result"].tolist() == [final]
    points = t.games.groupby("winner")["points"].sum().reindex([0, 1], fill_value=0)
    assert f"{points[0]}-{points[1]}" == final
    assert t.matches["winner"].tolist() == [int(points[1] > points[0])]


def test_values_equal_an_independent_parse(tables):
    xgparse = pytest.importorskip("xgparse")
    for path in FILES:
        moves = [
            r
            for r in xgparse.convert_xg_to_py_dataclasses(str(path))
            if type(r).__name__ == "MoveEntry"
        ]
        d = tables[path.name].decisions
        d = d[d["kind"].isin(["checker", "roll"])]
        assert len(moves) == len(d)
        dice = ["".join(map(str, sorted(m.dice, reverse=True))) for m in moves]
        assert d["roll"].tolist() == dice
        np.testing.assert_allclose(d["luck"], [m.err_luck for m in moves])
        error = np.array([abs(m.err_move) for m in moves])
        scored = d["scored"].to_numpy()
        np.testing.assert_allclose(d["error"][scored], error[scored])
        assert (error[~scored] * (error[~scored] < 999) == 0).all()
        assert d["n_options"].tolist() == [m.data_moves.n_moves for m in moves]


def test_one_option_is_one_legal_position_and_plays_are_legal(tables):
    single, checked = 0, 0
    for t in tables.values():
        d = t.decisions[t.decisions["kind"].isin(["checker", "roll"])]
        for position, roll, n_options, illegal in zip(
            d["position"], d["roll"], d["n_options"], d["illegal"], strict=True
        ):
            legal = len(legal_positions(np.array(parse(position).points, np.int8), roll))
            assert (n_options == 1) == (legal == 1)
            assert n_options <= legal or illegal
            single += n_options == 1
            checked += 1
    assert (single, checked) == (335, 2198)


def test_position_is_seen_by_the_player_who_decides(tables):
    d = tables[AACHEN].decisions
    first = d.iloc[0]
    assert first["position"].startswith("XGID=-b----E-C---eE---c-e----B-:0:0:1:")
    assert first["position"].endswith(":0:0:0:7:10")
    take = d[d["kind"].isin(["take", "pass"])]
    assert take["position"].str.contains(":-1:D:").all()
    assert all(parse(p).offered for p in take["position"])
    before = d.shift(1).loc[take.index]
    assert (before["kind"] == "double").all()
    assert (before["seat"] + take["seat"] == 1).all()
    assert (before["cube"] == take["cube"]).all()


def test_a_take_is_seen_by_the_taker(tables):
    d = tables[AACHEN].decisions
    answers = d[d["kind"].isin(["take", "pass"])]
    own = np.where(answers["kind"] == "take", -answers["double_take"], -1.0)
    np.testing.assert_allclose(answers["equity_played"], own)
    assert (answers["double_pass"] == 1).all()


def test_dance_is_an_unscored_checker_row_with_its_luck(tables):
    d = tables[AACHEN].decisions
    dance = d[d["played"] == "Cannot Move"]
    assert len(dance) == 18
    assert (dance["kind"] == "checker").all()
    assert not dance["scored"].any()
    assert dance["error"].isna().all()
    assert (dance["n_legal"] == 1).all()
    assert dance["luck"].notna().all()


def test_unplayed_roll_has_luck_and_no_decision(tables):
    rolls = tables[AACHEN].decisions.query("kind == 'roll'")
    assert len(rolls) == 5
    assert rolls["luck"].notna().all()
    assert rolls["played"].isna().all()
    assert rolls["error"].isna().all()
    assert not rolls["counted"].any()


def test_illegal_play_is_unscored_and_keeps_its_luck(tables):
    illegal = tables[AACHEN].decisions.query("illegal")
    assert len(illegal) == 1
    assert illegal["error"].isna().all()
    assert illegal["luck"].notna().all()
    assert not illegal["counted"].any()


def test_comments_are_notes(tables):
    notes = tables["with-comments-9pt.xg"].decisions["note"].dropna().tolist()
    assert notes == ["coup assez difficile", "les double 66 sont toujpurs difficiles à trouver"]


def test_rollout_level_names_its_games(tables):
    o = tables[path_of("B4_S").name].options
    assert o["level"].value_counts()["rollout 500"] == 2


def test_names_come_from_the_unicode_fields(tables):
    t = tables[AACHEN]
    assert t.matches["player0"].tolist() == ["Squire/Jørgensen"]
    assert t.matches.loc[0, "event"] == "World Doubles Championship"
    assert t.matches.loc[0, "date"] == "2024-08-18T23:36:00"


def test_money_has_no_length_no_loss_and_keeps_pr(tables):
    t = tables[path_of("C07O").name]
    d = t.decisions
    assert t.matches["length"].isna().all()
    assert (
        d[["match_length", "away", "crawford", "loss", "luck_loss", "difficulty"]]
        .isna()
        .all()
        .all()
    )
    assert d["error"].notna().sum() > 300
    assert rates(t)["loss_total"].isna().all()
    assert rates(t)["pr"].notna().all()


def test_doubling_costs_follow_the_three_equities(tables):
    # S-1: best is the larger of no double and the reply the doubler must expect.
    for t in tables.values():
        d = t.decisions
        cube = d[d["kind"].isin(["no_double", "double"]) & d["no_double"].notna()]
        double = np.minimum(cube["double_take"], cube["double_pass"])
        best = np.maximum(cube["no_double"], double)
        own = np.where(cube["kind"] == "double", double, cube["no_double"])
        np.testing.assert_allclose(cube["error"], best - own, atol=1.01e-4)
        np.testing.assert_allclose(cube["equity_best"], best)


def test_options_agree_with_their_decision(tables):
    key = ["match_id", "game", "decision"]
    for t in tables.values():
        o = t.options.merge(t.decisions, on=key, suffixes=("", "_d"))
        first = o[o["rank"] == 1]
        assert (first["option"] == first["best"]).all()
        np.testing.assert_allclose(first["equity"], first["equity_best"])
        assert (first["cost"] == 0).all()
        played = o[o["played"] & o["scored"]]
        np.testing.assert_allclose(played["equity"], played["equity_played"])
        np.testing.assert_allclose(played["cost"], played["error"], atol=1.01e-4)
        checker = played[played["kind"] == "checker"]
        assert (checker["option"] == checker["played_d"]).all()
        assert (t.options.groupby(key)["played"].sum() <= 1).all()
        chances = t.options[["win", "lose"]].dropna().sum(axis=1)
        np.testing.assert_allclose(chances, 1, atol=1e-5)


# --- what bad bytes do -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "size", [0, 1, 10, 24056, 24057]
)  # F-30: cuts at which a short match once looked whole
def test_truncated_file_is_an_error(tmp_path, size):
    with pytest.raises(bl.ReadError) as caught:
        read(path_of(AACHEN).read_bytes()[:size], tmp_path)
    assert "changed.xg" in str(caught.value)
    assert caught.value.offset is not None


def test_no_cut_of_either_form_reads_as_whole(tmp_path, xg):
    for data in (path_of("XCu3").read_bytes(), xg.bare()):
        for size in np.linspace(0, len(data) - 1, 60).astype(int):
            with pytest.raises(bl.ReadError):
                read(data[:size], tmp_path)


def test_unrelated_text_is_an_error(tmp_path):  # F-26, F-30
    with pytest.raises(bl.ReadError, match="none of the formats"):
        read(b"Dear diary, today I rolled 66 and danced.\n", tmp_path)


def test_missing_file_and_empty_file_are_errors(tmp_path):
    with pytest.raises(bl.ReadError, match="check the path"):
        bl.read(tmp_path / "nowhere.xg")
    with pytest.raises(bl.ReadError, match="empty"):
        read(b"", tmp_path)


@pytest.mark.parametrize("field", ["points", "points_after", "results"])
def test_sixteen_checkers_name_game_and_move(tmp_path, xg, field):  # F-31
    starts = np.cumsum([r[layout.TYPE_OFFSET] == layout.GAME for r in xg.records])
    third = [
        r.view(layout.MOVE_RECORD)[0]
        for r, game in zip(xg.records, starts, strict=True)
        if game == 3 and r[layout.TYPE_OFFSET] == layout.MOVE
    ][0]
    board = third[field] if field != "results" else third[field][0]
    board[6] += 15
    with pytest.raises(bl.ReadError, match="game 3, move 1: more than 15") as caught:
        read(xg.archive(), tmp_path)
    assert caught.value.offset % 2560 == 0


def test_one_nan_evaluation_costs_its_row_and_one_problem(tmp_path, xg):  # F-29
    whole = bl.read(path_of(AACHEN))
    move = next(m for m in xg.of(layout.MOVE) if m["n_options"] > 3 and m["error"] == 0)
    move["chances"][2][6] = np.nan
    t = read(xg.archive(), tmp_path).validate()
    assert t.problems["code"].tolist() == ["not_finite"]
    assert len(t.decisions) == len(whole.decisions)
    assert t.decisions["scored"].sum() == whole.decisions["scored"].sum() - 1
    assert rates(t)["n_checker"].sum() == rates(whole)["n_checker"].sum() - 1
    assert rates(t)["n_moves"].sum() == rates(whole)["n_moves"].sum()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("field", ["equities", "error", "take_error"])
def test_one_bad_cube_number_costs_its_row(tmp_path, xg, field, value):
    cube = next(c for c in xg.of(layout.CUBE) if c["double"] == 1 and c["take"] == 1)
    cube[field] = value
    t = read(xg.archive(), tmp_path).validate()
    assert t.problems["code"].tolist() == ["not_finite"]
    assert t.decisions["kind"].value_counts()["double"] == 7


def test_bad_luck_is_missing_and_named(tmp_path, xg):
    xg.of(layout.MOVE)[4]["luck"] = np.nan
    t = read(xg.archive(), tmp_path)
    assert t.problems["code"].tolist() == ["not_finite"]
    assert t.decisions["luck"].notna().sum() == 336


def test_luck_that_is_always_zero_is_unknown(tmp_path, xg):  # S-8
    for move in xg.of(layout.MOVE):
        move["luck"] = 0
    assert read(xg.archive(), tmp_path).decisions["luck"].isna().all()


def test_one_luck_that_is_not_zero_keeps_the_zeros(tmp_path, xg):  # S-8
    for move in xg.of(layout.MOVE)[1:]:
        move["luck"] = 0
    assert read(xg.archive(), tmp_path).decisions["luck"].notna().sum() == 337


@pytest.mark.parametrize(
    ("field", "value"), [("dice", 7), ("actor", 0), ("n_options", 33), ("cube", 40)]
)
def test_impossible_move_record_costs_itself(tmp_path, xg, field, value):
    xg.of(layout.MOVE)[10][field] = value
    t = read(xg.archive(), tmp_path).validate()
    assert t.problems["code"].tolist() == ["bad_record", "record_missing"]  # and the hole it leaves
    assert t.decisions["roll"].notna().sum() == 336


def test_unknown_record_is_named(tmp_path, xg):
    xg.records[20][layout.TYPE_OFFSET] = 9
    assert "unknown_record" in read(xg.archive(), tmp_path).problems["code"].tolist()


def test_missing_game_is_named(tmp_path, xg):
    starts = [i for i, r in enumerate(xg.records) if r[layout.TYPE_OFFSET] == layout.GAME]
    del xg.records[starts[2] : starts[3]]
    t = read(xg.archive(), tmp_path)
    assert t.problems["code"].tolist() == ["game_missing"]
    assert t.problems["game"].tolist() == [3]


def test_match_without_footers_is_unfinished_not_lost(tmp_path, xg):  # F-9
    ends = (layout.GAME_END, layout.MATCH_END)
    last = max(i for i, r in enumerate(xg.records) if r[layout.TYPE_OFFSET] == layout.GAME_END)
    xg.records = [
        r for i, r in enumerate(xg.records) if r[layout.TYPE_OFFSET] not in ends or i < last
    ]
    t = read(xg.archive(), tmp_path, "position.xgp").validate()
    assert len(t.games) == 8
    assert t.games["winner"].isna().tolist() == [False] * 7 + [True]
    assert t.matches["winner"].isna().all()


def test_strict_raises_instead_of_noting(tmp_path, xg):
    xg.of(layout.MOVE)[4]["luck"] = np.nan
    path = tmp_path / "a.xg"
    path.write_bytes(xg.archive())
    with pytest.raises(bl.ReadError, match="the luck is no number"):
        bl.read(path, strict=True)


def test_a_planted_fault_escapes(monkeypatch, tmp_path):
    def broken(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(xg_rows, "_view", broken)
    with pytest.raises(ZeroDivisionError):
        bl.read(path_of(AACHEN))
    with pytest.raises(ZeroDivisionError):
        bl.read_many([path_of(AACHEN)])


def test_both_container_forms_give_the_same_rows(tmp_path, xg):
    one = read(xg.archive(), tmp_path, "one.xg").decisions.drop(columns="match_id")
    two = read(xg.bare(), tmp_path, "two.xg").decisions.drop(columns="match_id")
    assert one.equals(two)


def test_unknown_segment_is_ignored(tmp_path, xg):  # F-5
    xg.others["temp.xgr2"] = b"\1" * 100
    assert len(read(xg.archive(), tmp_path).decisions) == 464


def test_beaver_is_one_double_and_two_answers(tmp_path, xg):
    cube = next(c for c in xg.of(layout.CUBE) if c["double"] == 1 and c["take"] == 1)
    cube["take"], cube["beaver"], cube["beaver_error"] = 2, 1, -0.25
    t = read(xg.archive(), tmp_path).validate()
    at = t.decisions.index[t.decisions["played"] == "Beaver"][0]
    rows = t.decisions.loc[at - 1 : at + 1]
    assert rows["kind"].tolist() == ["double", "take", "take"]
    assert rows["played"].tolist() == ["Double", "Beaver", "Take"]
    assert rows["seat"].diff().abs().tolist()[1:] == [1, 1]
    assert rows["error"].iloc[2] == 0.25
    assert (t.decisions["kind"] == "double").sum() == 7


# --- what a changed byte moves -----------------------------------------------------------------------


def test_two_equal_candidates_are_forced(tmp_path, xg):
    before = rates(bl.read(path_of(AACHEN))).set_index("seat")
    move = next(m for m in xg.of(layout.MOVE) if m["n_options"] == 2 and m["error"] == 0 and m["played"]
                and m["chances"][0][6] - m["chances"][1][6] > 0.01)  # fmt: skip
    move["chances"][1][6] = move["chances"][0][6]
    after = rates(read(xg.archive(), tmp_path)).set_index("seat")
    seat = int(move["actor"] < 0)
    assert after.loc[seat, "n_checker"] == before.loc[seat, "n_checker"] - 1
    assert after.loc[seat, "error_total"] == before.loc[seat, "error_total"]
    # By hand: seat 0 lost 0.97593 in 156 decisions, seat 1 0.98852 in 161; one decision less.
    by_hand = {0: 500 * 0.97593 / 155, 1: 500 * 0.98852 / 160}
    assert after.loc[seat, "pr"] == pytest.approx(by_hand[seat], abs=2e-4)


def test_no_double_far_from_doubling_is_not_counted(tmp_path, xg):
    before = rates(bl.read(path_of(AACHEN))).set_index("seat")
    cube = next(c for c in xg.of(layout.CUBE) if c["double"] == 0 and c["error"] == 0
                and 0 < c["equities"][0] < 0.6 and c["equities"][0] - min(c["equities"][1:]) < 0.19)  # fmt: skip
    cube["equities"][0] = min(cube["equities"][1:]) + 0.21
    after = rates(read(xg.archive(), tmp_path)).set_index("seat")
    seat = int(cube["actor"] < 0)
    assert after.loc[seat, "n_cube"] == before.loc[seat, "n_cube"] - 1
    assert after.loc[seat, "n_cube_total"] == before.loc[seat, "n_cube_total"]
    assert after.loc[seat, "error_total"] == before.loc[seat, "error_total"]


def test_an_error_of_a_tenth_adds_a_tenth_and_its_price(tmp_path, xg):
    before = rates(bl.read(path_of(AACHEN))).set_index("seat")
    # First game, 7-away 7-away, cube 1. Kazaross-XG2: 7-6 → .56261 and .43739 (6-7), so 0.1 costs .1 · .12522 / 2.
    move = next(
        m for m in xg.of(layout.MOVE) if m["n_options"] > 1 and m["error"] == 0 and m["cube"] == 0
    )
    move["error"] = -0.1
    t = read(xg.archive(), tmp_path)
    after = rates(t).set_index("seat")
    seat = int(move["actor"] < 0)
    gain = after.loc[seat] - before.loc[seat]
    assert gain["error_checker"] == pytest.approx(0.1, abs=1e-12)
    assert gain["loss_checker"] == pytest.approx(0.1 * (0.56261 - 0.43739) / 2, abs=1e-9)
    assert gain["n_errors"] == gain["n_blunders"] == 1
    assert t.problems["code"].tolist() == ["error_differs"]


def test_read_many_keeps_order_and_notes_what_fails(tmp_path, tables):
    bad = tmp_path / "bad.xg"
    bad.write_bytes(b"RGMH")
    names = [path_of("paris"), bad, path_of("XCu3")]
    t = bl.read_many(names)
    assert [Path(p).name[:5] for p in t.matches["path"]] == ["paris", "XCu3R"]
    assert t.problems["code"].tolist() == ["unreadable"]
    assert len(t.decisions) == sum(len(tables[p.name].decisions) for p in (names[0], names[2]))
    with pytest.raises(bl.ReadError):
        bl.read_many(names, strict=True)
    two = bl.read_many(names, workers=2)
    assert two.decisions.equals(t.decisions)


def test_saved_tables_come_back_with_every_dtype(tmp_path, tables):
    t = bl.Tables.concat(tables.values())
    t.save(tmp_path / "saved")
    back = bl.Tables.load(tmp_path / "saved").validate()
    for name in ("decisions", "options", "games", "matches", "figures", "problems"):
        assert getattr(back, name).equals(getattr(t, name))
    again = bl.read(tmp_path / "saved")
    assert again.decisions.equals(t.decisions)


def test_kinds_of_paris(tables):
    # Counted from the records by hand: 334 move records (3 unplayed), 195 - 0 no doubles analysed, 7 doubles.
    kinds = collections.Counter(tables["paris-7pt.xg"].decisions["kind"])
    assert kinds == {"checker": 331, "roll": 3, "no_double": 195, "double": 7, "take": 4, "pass": 3}


# --- faults that once were: nothing shorter looks whole, nothing unknown looks known --------------------


def codes(data, tmp_path):
    return set(read(data, tmp_path).validate().problems["code"])


def of_game(xg, number):
    """Indices of a game's records."""
    game = np.cumsum([r[layout.TYPE_OFFSET] == layout.GAME for r in xg.records])
    kinds = np.array([r[layout.TYPE_OFFSET] for r in xg.records])
    return np.flatnonzero((game == number) & (kinds != layout.MATCH_END))


def test_a_match_without_its_last_game_is_named(tmp_path, xg):
    gone = set(of_game(xg, 8))
    xg.records = [r for i, r in enumerate(xg.records) if i not in gone]
    assert "game_missing" in codes(xg.archive(), tmp_path)


def test_two_games_run_together_are_named(tmp_path, xg):
    del xg.records[of_game(xg, 8)[0]]
    assert {"bad_record", "record_missing"} & codes(xg.archive(), tmp_path)


def test_records_cut_out_of_a_game_are_named(tmp_path, xg):
    first = of_game(xg, 3)[5]
    del xg.records[first : first + 10]
    assert "record_missing" in codes(xg.archive(), tmp_path)


@pytest.mark.parametrize("copy", [layout.MATCH, layout.MATCH_END, layout.GAME_END])
def test_a_second_header_or_end_is_named(tmp_path, xg, copy):
    at = max(i for i, r in enumerate(xg.records) if r[layout.TYPE_OFFSET] == copy)
    xg.records.insert(at + 1, xg.records[at].copy())
    t = read(xg.archive(), tmp_path).validate()
    assert "bad_record" in set(t.problems["code"])
    assert t.matches["result"].tolist() == ["7-6"]


@pytest.mark.parametrize(("field", "value"), [("winner", -1), ("points", 9), ("score0", 100)])
def test_an_end_that_contradicts_the_scores_is_named(tmp_path, xg, field, value):
    xg.of(layout.GAME_END)[7][field] = value
    assert {"bad_score", "game_missing"} & codes(xg.archive(), tmp_path)


def test_both_beyond_the_length_have_no_winner(tmp_path, xg):  # S-9
    end = xg.of(layout.GAME_END)[7]
    end["score0"], end["score1"] = 8, 9
    t = read(xg.archive(), tmp_path)
    assert t.matches["winner"].isna().all()
    assert "bad_score" in set(t.problems["code"])


def test_never_written_evaluations_are_no_perfect_play(tmp_path, xg):  # F-7, S-11
    for move in xg.of(layout.MOVE):
        move["error"], move["chances"] = -1000, 0
    for cube in xg.of(layout.CUBE):
        cube["equities"] = 0
    t = read(xg.archive(), tmp_path).validate()
    assert not t.decisions["scored"].any()
    assert rates(t)[["error_total", "pr", "snowie"]].isna().all(axis=None)
    assert bl.measure.rates(t.decisions, "blunderdb", by="seat")["pr"].isna().all()


def test_an_error_that_xg_did_not_store_comes_from_the_equities(tmp_path, xg):
    whole = bl.read(path_of(AACHEN)).decisions
    for move in xg.of(layout.MOVE):
        move["error"] = -1000
    for cube in xg.of(layout.CUBE):
        cube["error"] = cube["take_error"] = -1000
    d = read(xg.archive(), tmp_path).validate().decisions
    assert d["kind"].tolist() == whole["kind"].tolist()
    assert d["scored"].tolist() == whole["scored"].tolist()
    np.testing.assert_allclose(d["error"], whole["error"], atol=1.1e-4)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300, -998.0])
def test_an_error_that_cannot_be_unscores_its_row(tmp_path, xg, value):
    move = next(m for m in xg.of(layout.MOVE) if m["n_options"] > 3)
    move["error"] = value
    t = read(xg.archive(), tmp_path).validate()
    assert t.problems["code"].tolist() == ["not_finite"]
    row = t.decisions[t.decisions["decision"] == t.problems["decision"][0]].iloc[0]
    assert not row["scored"]
    assert np.isnan(row["error"])


@pytest.mark.parametrize(("at", "value"), [(3, 1.5), (0, -0.2), (6, 1e30)])
def test_an_evaluation_that_cannot_be_unscores_its_row(tmp_path, xg, at, value):
    move = next(m for m in xg.of(layout.MOVE) if m["n_options"] > 3)
    move["chances"][1][at] = value
    assert codes(xg.archive(), tmp_path) == {"not_finite"}


def test_a_cube_far_out_of_range_costs_its_record(tmp_path, xg):
    xg.of(layout.MOVE)[10]["cube"] = -(2**31)
    assert "bad_record" in codes(xg.archive(), tmp_path)


def test_far_apart_equities_do_not_overflow(tmp_path, xg):
    cube = next(c for c in xg.of(layout.CUBE) if c["double"] == 1)
    cube["equities"] = [90, 0.1, 1]
    read(xg.archive(), tmp_path).validate()


def test_crawford_game_is_found_by_the_score_where_no_flag_stands(tmp_path, xg):  # S-18
    for game in xg.of(layout.GAME):
        game["crawford"] = 0
    t = read(xg.archive(), tmp_path)
    assert t.games["crawford"].tolist() == ["none"] * 5 + ["crawford", "post", "post"]
    assert t.problems["code"].tolist() == ["bad_rules"]


def test_a_play_that_no_candidate_fits_is_named(tmp_path, xg):
    move = next(m for m in xg.of(layout.MOVE) if m["n_options"] > 3)
    move["results"][: move["n_options"], 6] = 0
    t = read(xg.archive(), tmp_path)
    assert "play_not_listed" in set(t.problems["code"])
    assert t.decisions["scored"].sum() == bl.read(path_of(AACHEN)).decisions["scored"].sum()


def test_a_dance_is_seen_on_the_board(tmp_path, xg):
    move = next(m for m in xg.of(layout.MOVE) if m["n_options"] > 3)
    move["moves"], move["option_moves"] = 100, 100
    t = read(xg.archive(), tmp_path).validate()
    assert (t.decisions["played"] == "Cannot Move").sum() == 18
    assert "play_not_listed" in set(t.problems["code"])


def test_comments_that_are_damaged(tmp_path, xg):
    xg.of(layout.MOVE)[3]["comment"] = 0
    xg.of(layout.MOVE)[4]["comment"] = 1
    xg.of(layout.MOVE)[5]["comment"] = 7
    xg.others["temp.xgc"] = (
        b"{\\rtf1\\ansi \\u-10179?\\u-8704? ok}\r\n{\\rtf1\\ansi \\u-99999?}\r\n"
    )
    t = read(xg.archive(), tmp_path).validate()
    notes = t.decisions["note"].dropna().tolist()
    assert notes[0].endswith("ok")
    assert len(notes) == 2
    assert set(t.problems["code"]) == {"bad_comment"}


def test_another_match_equity_table_is_not_ours(tmp_path, xg):
    for cube in xg.of(layout.CUBE):
        cube["met"] = 5
    t = read(xg.archive(), tmp_path)
    assert t.matches["met"].tolist() == ["xg-table-5"]
    assert t.decisions["loss"].isna().all()
    assert t.decisions["error"].notna().any()
    assert t.problems["code"].tolist() == ["other_met"]


def test_position_file_asks_for_its_play_alone(tmp_path, xg):  # F-8
    header = xg.records[:2]
    cube = next(
        r
        for r in xg.records
        if r[layout.TYPE_OFFSET] == layout.CUBE and r.view(layout.CUBE_RECORD)[0]["double"] == 0
    )
    move = next(r for r in xg.records if r[layout.TYPE_OFFSET] == layout.MOVE)
    xg.records = [*header, cube, move]
    t = read(xg.archive(), tmp_path, "position.xgp").validate()
    assert t.decisions["kind"].tolist() == ["checker"]
    assert t.games["winner"].isna().all()


def test_random_damage_gives_an_error_or_valid_tables(tmp_path):
    rng = np.random.default_rng(5)
    source = path_of("XCu3").read_bytes()
    for _ in range(60):
        xg = XG(source)
        for _ in range(rng.integers(1, 6)):
            record = xg.records[rng.integers(len(xg.records))]
            record[rng.integers(9, 2540)] = rng.integers(256)
        with contextlib.suppress(bl.ReadError):  # nothing else may come out
            read(xg.bare(), tmp_path).validate()


def test_strict_with_a_problem_that_has_no_place(tmp_path, xg):
    xg.of(layout.GAME)[3]["score0"] = 5
    path = tmp_path / "a.xg"
    path.write_bytes(xg.archive())
    with pytest.raises(bl.ReadError):
        bl.read(path, strict=True)
    bl.read(path).save(tmp_path / "saved")
    with pytest.raises(bl.ReadError):
        bl.read(tmp_path / "saved", strict=True)
