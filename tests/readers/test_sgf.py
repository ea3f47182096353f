"""gnuBG's files: small ones written here, one with rollouts that gnuBG made, and other people's records."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import blunderlab as bl
from blunderlab import ReadError, measure, met
from blunderlab.backgammon.moves import legal_positions
from blunderlab.backgammon.xgid import parse
from blunderlab.pricing import derive
from blunderlab.readers import sgf

ROLLOUTS = Path(__file__).parent / "data" / "gnubg_rollouts.sgf"
NAMES = ["galaxy-3pt", "galaxy-5pt", "m1_comment_escaped", "m1_dmp", "m3_utf8", "m5_midgame",
         "money_beaver_raccoon_resign", "paris-7pt"]  # fmt: skip
GNUBG = met.load("kazaross-xg2", beyond="gnubg")


def read(data, path="a.sgf"):
    return derive(sgf.read(data, path).tables(), met=GNUBG).validate()


def game(nodes, about=b"length:7", ws=0, bs=0, number=0, more=b""):
    scores = b"[game:%d][ws:%d][bs:%d]" % (number, ws, bs)
    return b"(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[%s]%sPW[Ann]PB[Bob]%s\n%s)\n" % (
        about, scores, more, nodes)  # fmt: skip


def shown(t, *names):
    return (
        t.decisions[list(names)].astype(object).where(lambda d: d.notna(), None).to_numpy().tolist()
    )


def rates(t, by=("game", "seat")):
    r = measure.rates(t.decisions, "gnubg", by=list(by))
    for unit in ("error", "loss"):
        r[f"{unit}_cube+{unit}_answer"] = r[f"{unit}_cube"].fillna(0) + r[f"{unit}_answer"].fillna(
            0
        )
    return r


@pytest.fixture
def record(reference):
    return lambda name: reference(f"backgammon/sgf/{name}.sgf").read_bytes()


# --- against gnuBG's own figures -----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_that_gnubg_wrote_into_the_file(record, name):
    t = read(record(name))
    assert not len(t.problems)
    ours = rates(t).melt(id_vars=["game", "seat"], value_name="ours")
    both = t.figures.merge(
        ours, left_on=["game", "seat", "name"], right_on=["game", "seat", "variable"], how="left"
    )
    assert len(both) == len(t.figures) > 20
    # gnuBG writes 0 where there is nothing, and so does not tell unknown from none
    ours = both["ours"].astype(float).fillna(0)
    tolerance = both["name"].map(
        lambda n: 1e-4 if n == "luck" else 2e-5 if n == "luck_loss" else 5e-6 if "loss" in n else 5e-5
    ).where(both["digits"] > 0, 0)  # fmt: skip
    off = both[(ours - both["value"]).abs() > tolerance + 1e-9]
    assert off[["game", "seat", "name", "value", "ours"]].to_numpy().tolist() == []


def test_paris_by_seat(record):
    # expected.json: the GS record, and `show statistics match` for the close cubes
    r = rates(read(record("paris-7pt")), by=["seat"])
    for name, values in {
        "n_checker": [147, 127], "n_moves": [166, 165], "n_cube_total": [112, 95], "n_double": [3, 4],
        "n_take": [2, 2], "n_pass": [2, 1],
    }.items():  # fmt: skip
        assert r[name].tolist() == values
    assert (r["n_cube"] + r["n_answer"]).tolist() == [18, 12]
    for name, values in {
        "error_checker": [2.152127, 3.376956], "loss_checker": [0.274279, 0.457539],
        "error_cube+error_answer": [0.442874, 0.292371], "loss_cube+loss_answer": [0.033765, 0.022441],
        "snowie": [3.9199, 5.5428],
    }.items():  # fmt: skip
        assert r[name].to_numpy(float) == pytest.approx(values, abs=5e-5)


@pytest.mark.parametrize("name", ["paris-7pt", "galaxy-3pt"])
def test_our_figures_do_not_come_from_theirs(record, name):
    data = record(name)
    bare = re.sub(rb"(?<=\])(?:GS|BM|DO|BC|DC|GB|GW)(?:\[[^\]]*\])+", b"", data)
    assert len(bare) < len(data)
    with_, without = read(data), read(bare)
    assert not len(without.figures)
    pd.testing.assert_frame_equal(with_.decisions.drop(columns="match_id"), without.decisions.drop(columns="match_id"))  # fmt: skip


# --- what is in the tables -----------------------------------------------------------------------


def test_winners_of_paris(record):
    t = read(record("paris-7pt"))
    assert t.games["winner"].tolist() == [0, 0, 1, 1, 1, 0, 0]
    assert t.matches.loc[0, ["winner", "result", "date", "event", "round", "version"]].tolist() == [
        0, "7-4", "2023-11-26", "HSBT Paris 2023", "Tableau Or 2", "1.08.003"]  # fmt: skip
    assert t.games["ended"].tolist() == [
        "pass", "resigned single", "pass", "pass", "resigned single", "single", "resigned single"]  # fmt: skip
    rolls = t.decisions[t.decisions["kind"] == "roll"]  # three games were resigned after the roll
    assert rolls["luck"].tolist() == [0, 0, -0.01029]
    assert rolls["played"].isna().all()
    assert not rolls["scored"].any()


@pytest.mark.parametrize("name", ["paris-7pt", "galaxy-5pt", "m3_utf8"])
def test_candidates_are_all_legal_plays_and_the_played_one_is_among_them(record, name):
    t = read(record(name))
    plays = t.decisions[(t.decisions["kind"] == "checker") & (t.decisions["n_options"] > 0)]
    for row in plays.iloc[::9].itertuples():
        legal = legal_positions(parse(row.position).points, row.roll)
        assert row.n_options == len(legal)
    chosen = t.options[t.options["played"]].set_index(["game", "decision"])["option"]
    written = plays.set_index(["game", "decision"])["played"]
    assert (
        chosen.reindex(written.index)
        .str.split()
        .map(sorted)
        .equals(written.str.split().map(sorted))
    )
    assert plays["level"].str.fullmatch(r"\d-ply").all()


def test_positions_follow_from_each_other(record):
    t = read(record("paris-7pt"))
    for row in t.decisions.itertuples():
        position = parse(row.position)
        assert position.dice == (row.roll if isinstance(row.roll, str) else "")
        assert position.offered == (row.kind in ("take", "pass"))
        assert (position.match_length - position.score, position.cube) == (row.away, row.cube)
        assert position.crawford == (row.crawford == "crawford")
    answers = t.decisions[t.decisions["kind"].isin(["take", "pass"])]
    assert (answers["equity_best"] == -answers[["double_take", "double_pass"]].min(axis=1)).all()


def test_names_comments_and_the_unplayed_roll(record):
    t = read(record("m3_utf8"))
    assert t.matches[["player0", "player1"]].to_numpy().tolist() == [["Zoë_Müller", "Łukasz"]]
    t = read(record("m1_comment_escaped"))
    assert t.decisions["note"].dropna().to_dict() == {
        0: "note with ] bracket, \\ backslash, semi;colon (;paren) A[fake] déjà vu\nline2 ;B[42acab]"
    }
    t = read(record("m5_midgame"))
    assert shown(t, "kind", "roll", "luck", "n_options") == [
        ["checker", "63", 0.02037, 14], ["roll", "65", -0.0039, 0]]  # fmt: skip
    assert t.matches["winner"].isna().all()
    assert t.games["winner"].isna().all()
    assert t.games["ended"].isna().all()


def test_beaver_and_raccoon_are_answers(record):
    t = read(record("money_beaver_raccoon_resign"))
    assert shown(t, "seat", "kind", "played", "cube", "cube_owner", "error")[1:] == [
        [0, "double", "Double", 1, "centre", pytest.approx(0.345285)],
        [1, "take", "Beaver", 1, "centre", 0],
        [0, "take", "Raccoon", 1, "centre", None],
        [1, "take", "Take", 1, "centre", None],
        [0, "roll", None, 8, "opponent", None],
    ]
    assert t.decisions["loss"].isna().all()
    assert shown(t, "match_length", "away")[0] == [None, None]
    assert t.games[["winner", "points", "ended"]].to_numpy().tolist() == [
        [1, 24, "resigned backgammon"]
    ]
    assert t.matches[["player0", "player1", "result"]].to_numpy().tolist() == [
        ["A]B\\C:D", "O'Neil; (x)", "0-24"]
    ]
    assert t.matches[["length", "jacoby", "beaver"]].isna().all(axis=None)  # the file does not say
    assert "loss" not in "".join(t.figures["name"])


def test_rollouts_as_gnubg_reads_them_back():
    # made with gnuBG 1.07 (36 truncated games each); figures: its own statistics of this file, in full precision
    t = read(ROLLOUTS.read_bytes())
    assert not len(t.problems)
    r = rates(t)
    assert r["error_checker"].to_numpy(float) == pytest.approx([0.06862172, 0.30808043], abs=1e-7)
    assert r["loss_checker"].to_numpy(float) == pytest.approx([0.0068258, 0.03064477], abs=1e-7)
    assert r["luck_loss"].to_numpy(float) == pytest.approx([0.00699672, 0.01027325], abs=1e-7)
    assert r["n_cube_total"].tolist() == [2, 3]
    assert t.decisions["level"].tolist()[:5] == [
        "0-ply",
        "0-ply",
        "0-ply",
        "rollout 36",
        "rollout 36",
    ]
    mixed = t.options[t.options["decision"] == 5]
    assert mixed["level"].tolist() == ["rollout 36", "rollout 36", "0-ply", "0-ply"]
    assert mixed["equity"].tolist()[:2] == [0.3032238483, 0.2859404981]


# --- small files ---------------------------------------------------------------------------------

A31 = b"A[0][hefe E ver 3 0.55 0.15 0.01 0.12 0.005 0.16 2C 0 1 0.000000 1][xuut E ver 3 0.50 0.14 0.01 0.13 0.005 0.00 0C 0 1 0.000000 1]"
DA = b"DA[E ver 3 2C 1 0.000000 1 0.6 0.2 0.01 0.1 0.005 0.3 %s 0.6 0.2 0.01 0.1 0.005 0.3 %s]"


def test_a_cube_record_is_turned_into_equities_of_the_doubler():
    won, lost = GNUBG.mwc(2, 5, "none"), GNUBG.mwc(3, 4, "none")
    mwc = [(won + lost) / 2 + e * (won - lost) / 2 for e in (0.4, 0.7)]
    da = DA % tuple(b"%.9f" % m for m in mwc)
    t = read(game(b";W[double]%s;B[take]%s;W[31hefe]LU[0.1]" % (da, da), ws=4, bs=2))
    assert t.decisions["no_double"].tolist()[:2] == pytest.approx([0.4, 0.4], abs=1e-6)
    assert t.decisions["double_take"].tolist()[:2] == pytest.approx([0.7, 0.7], abs=1e-6)
    assert t.decisions["error"].tolist()[:2] == [0, 0]
    assert shown(t, "kind", "seat", "away", "cube", "cube_owner") == [
        ["double", 0, 3, 1, "centre"], ["take", 1, 5, 1, "centre"], ["checker", 0, 3, 2, "opponent"]]  # fmt: skip
    o = t.options
    assert o["option"].tolist() == ["Double/Take", "No double", "Double/Pass", "Take", "Pass"]
    assert o["equity"].tolist() == pytest.approx([0.7, 0.4, 1, -0.7, -1], abs=1e-6)
    assert o["played"].tolist() == [True, False, False, True, False]
    assert o[["win", "win_gammon", "lose", "lose_gammon"]].iloc[[0, 3]].to_numpy().tolist() == [
        [0.6, 0.2, 0.4, 0.1], [0.4, 0.1, 0.6, 0.2]]  # fmt: skip
    assert o["win"].isna().tolist() == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("ws", "bs", "length", "rules", "away"),
    [
        (6, 2, 7, b"Crawford", "post"),
        (6, 2, 7, b"Crawford:CrawfordGame", "post"),
        (5, 2, 7, b"Crawford", "none"),
        (3, 9, 40, b"Crawford", "none"),  # 37 and 31 away: gnuBG's extension
    ],
)
def test_the_scale_at_other_scores(ws, bs, length, rules, away):
    won = GNUBG.mwc(length - ws - 1, length - bs, away)
    lost = GNUBG.mwc(length - ws, length - bs - 1, away)
    mwc = [(won + lost) / 2 + e * (won - lost) / 2 for e in (0.25, -0.5)]
    nodes = b";W[31hefe]%sLU[0.1]" % (DA % tuple(b"%.12f" % m for m in mwc))
    t = read(game(nodes, b"length:%d" % length, ws, bs, more=b"RU[%s]" % rules))
    assert shown(t, "kind", "played") == [["no_double", "No double"], ["checker", "8/5 6/5"]]
    assert t.decisions.loc[
        0, ["no_double", "double_take", "double_pass"]
    ].tolist() == pytest.approx([0.25, -0.5, 1])


@pytest.mark.parametrize(
    ("rules", "jacoby", "flag"),
    [(b"", pd.NA, "0"), (b"RU[Jacoby]", True, "1"), (b"RU[NoCube]", False, "0")],
)
def test_money_is_in_equities_already(rules, jacoby, flag):
    t = read(
        game(
            b";W[31hefe]%sLU[0.1];B[65aggl]%s%s" % (A31, DA % (b"0.3", b"0.1"), A31),
            b"length:0",
            3,
            9,
            more=rules,
        )
    )
    assert t.decisions["no_double"].tolist()[1] == 0.3
    assert t.matches["jacoby"].tolist() == [jacoby]
    assert t.matches["length"].isna().all()
    assert t.decisions["position"].str.split(":").str[7].tolist() == [flag] * 3
    assert t.decisions["position"].str.split(":").str[5:7].tolist() == [
        ["3", "9"],
        ["9", "3"],
        ["9", "3"],
    ]


def test_a_file_that_was_never_analysed_has_no_errors():
    nodes = b";W[31hefe]%sLU[-inf];B[65aggl]%s" % (A31, DA % (b"0.51", b"0.49"))
    t = read(game(nodes))
    assert len(t.options) == 5
    assert not t.decisions["scored"].any()
    assert t.decisions["error"].isna().all()
    assert t.decisions["luck"].isna().all()
    assert measure.rates(t.decisions, "gnubg", by=[])["error_total"].isna().all()
    t = read(game(nodes.replace(b"LU[-inf]", b"LU[0.02]")))
    assert t.decisions["scored"].tolist() == [True, True, False]
    t = read(game(nodes.replace(b"W[31hefe]A[0]", b"W[31xuut]A[1]")))
    assert t.decisions["error"].tolist()[0] == pytest.approx(0.16)
    assert t.decisions["luck"].isna().all()


def test_the_play_is_found_by_its_board_where_the_index_lies():
    listed = b"A[1]" + A31[4:]
    t = read(game(b";W[31fehe]%sLU[0.1]" % listed))
    assert t.options["played"].tolist() == [True, False]
    assert not len(t.problems)
    t = read(game(b";W[31xwxu]%sLU[0.1]" % listed))
    assert not t.options["played"].any()
    assert t.problems[["code", "game", "decision"]].to_numpy().tolist() == [
        ["play_not_listed", 1, 1]
    ]
    assert not t.decisions["scored"].any()


def test_a_dance_is_no_decision_and_an_unplayed_roll_no_dance():
    closed = b";AE[a:y]AW%sAB[y]%s" % (
        b"".join(b"[%c][%c]" % (c, c) for c in b"abcdef") + b"[m][m][m]",
        b"".join(b"[%c][%c][%c]" % (c, c, c) for c in b"stuv"),
    )
    t = read(game(b"%s;B[64]LU[-0.2];W[31mjml];B[21]" % closed))
    assert shown(t, "kind", "played", "n_legal", "scored", "luck") == [
        ["checker", "Cannot Move", 1, False, -0.2],
        ["checker", "13/12 13/10", None, False, None],
        ["checker", "Cannot Move", 1, False, None],
    ]
    t = read(game(b";W[31hefe];PL[B]DI[65]LU[0.3]C[hm];B[65]"))
    assert shown(t, "kind", "roll", "luck", "note")[1:] == [["roll", "65", 0.3, "hm"]]
    t = read(game(b";W[31hefe];PL[B]DI[65]LU[0.3];B[65aggl]LU[0.25]"))
    assert shown(t, "kind", "luck")[1:] == [["checker", 0.25]]
    t = read(game(b";W[31hefe];B[65];W[31xwxu]"))
    assert shown(t, "kind", "illegal", "n_legal")[1] == ["checker", True, None]


@pytest.mark.parametrize(
    ("play", "code", "played"),
    [
        (b"31hhee", "illegal_play", None),
        (b"31hdfe", "illegal_play", "8/4 6/5"),
        (b"31mbfe", "illegal_play", "13/2 6/5"),
        (b"31gffe", "illegal_play", None),
        (b"31he", "illegal_play", "8/5"),
    ],
)
def test_a_play_against_the_rules_is_noted_and_the_game_goes_on(play, code, played):
    t = read(game(b";W[%s]LU[0.1]%s;B[65aggl]LU[0.2]%s;W[double]" % (play, A31, A31)))
    assert t.problems[["code", "game", "decision"]].to_numpy().tolist()[0] == [code, 1, 1]
    assert (t.problems["offset"] > 0).all()
    first = t.decisions.iloc[0]
    assert first["illegal"]
    assert not first["scored"]
    assert first["luck"] == 0.1
    assert played is None or first["played"] == played
    assert t.decisions["kind"].tolist() == ["checker", "checker", "double"]
    assert t.decisions.loc[0, "position"].startswith("XGID=-b----E-C---eE---c-e----B-:")


@pytest.mark.parametrize(
    ("node", "rows", "code"),
    [
        (b";W[79abcd]", [], "bad_move"),
        (b";W[31hef]", [], "bad_move"),
        (b";W[resign]", [], "bad_move"),
        (b";W[take]", [], "bad_record"),
        (b";W[double];W[double]", ["double"], "bad_record"),
        (b";W[double];B[31]", ["double", "checker"], "bad_record"),
        (b";DI[31]", [], "bad_move"),
        (b";PL[W]DI[38]", [], "bad_move"),
        (
            b";W[31hefe]A[0][hefe E ver 3 0.5 0.1 x 0.1 0.0 0.1 0C 0 1 0.0 1]",
            ["checker"],
            "bad_analysis",
        ),
        (b";W[31hefe]A[zero]" + A31[4:], ["checker"], "bad_analysis"),
        (b";W[31hefe]A[0][hefe X ver 3 Score 0.1 0.2 Trials 36]", ["checker"], "bad_analysis"),
        (
            b";W[31hefe]DA[X ver 3 Eq Trials 36 NoDouble Output 1 2]",
            ["no_double", "checker"],
            "bad_analysis",
        ),
        (
            b";W[31hefe]A[0][hefe E ver 3 0.5 0.1 0.0 0.1 0.0 nan 0C 0 1 0.0 1]",
            ["checker"],
            "not_finite",
        ),
        (
            b";W[31hefe]A[0][hefe E ver 3 0.5 0.1 0.0 0.1 0.0 50 0C 0 1 0.0 1]",
            ["checker"],
            "bad_value",
        ),
        (
            b";W[31hefe]A[0][hefe E ver 3 1.5 0.1 0.0 0.1 0.0 0.1 0C 0 1 0.0 1]",
            ["checker"],
            "bad_value",
        ),
        (b";W[31hefe]" + DA % (b"nan", b"0.5"), ["no_double", "checker"], "not_finite"),
        (b";W[31hefe]" + DA % (b"0.5", b"7"), ["no_double", "checker"], "bad_value"),
    ],
)
def test_what_cannot_be_believed_costs_its_row(node, rows, code):
    t = read(game(b"%s;PL[B];B[double]" % node))
    assert t.problems["code"].tolist()[:1] == [code]
    assert t.decisions["kind"].tolist()[: len(rows)] == rows
    assert t.problems["game"].tolist()[0] == 1
    assert len(t.options) == 0


def test_one_bad_number_leaves_the_other_rows_alone(record):
    data = record("galaxy-3pt")
    whole = read(data)
    t = read(data.replace(b" 0.504301 ", b" nan ", 1))
    assert t.problems[["game", "decision", "code"]].to_numpy().tolist() == [[1, 1, "not_finite"]]
    assert len(t.options) < len(whole.options)
    changed = t.decisions["error"].fillna(-1) != whole.decisions["error"].fillna(-1)
    assert changed.tolist() == [True] + [False] * (len(t.decisions) - 1)


def test_older_formats_of_an_evaluation():
    t = read(game(
        b";W[31hefe]LU[0.1]A[0][hefe E 0.55 0.15 0.01 0.12 0.005 0.16 1C 0 0 0.0][xuut ]"
        b";B[65aggl]DA[E 0 0 0 0 2C 0 0 0.0 0.6 0.2 0.01 0.1 0.005 0.3 0.3 0.6 0.2 0.01 0.1 0.005 0.3 0.1]",
        b"length:0"))  # fmt: skip
    assert not len(t.problems)
    assert shown(t, "level", "no_double", "n_options") == [
        ["1-ply", None, 1],
        ["2-ply", 0.3, 3],
        [None, None, 0],
    ]


# --- scores, winners, headers --------------------------------------------------------------------


def test_crawford_comes_from_the_flag_else_from_the_scores():
    games = [((5, 6), b"Crawford"), ((6, 6), b"Crawford")]
    data = b"".join(
        game(b";W[31hefe]", ws=ws, bs=bs, number=i, more=b"RU[%s]RE[W+1]" % rules)
        for i, ((ws, bs), rules) in enumerate(games)
    )
    assert read(data).games["crawford"].tolist() == ["post", "post"]
    late = game(b"", ws=0, bs=0, more=b"RU[Crawford]RE[W+6]") + game(
        b"", ws=6, bs=0, number=1, more=b"RU[Crawford]"
    )
    t = read(late)
    assert t.games["crawford"].tolist() == ["none", "crawford"]
    assert t.problems["code"].tolist() == ["bad_rules"]
    t = read(
        late.replace(b"[ws:6][bs:0]", b"[ws:6][bs:0]").replace(
            b"RU[Crawford])", b"RU[Crawford:CrawfordGame])"
        )
    )
    assert t.games["crawford"].tolist()[1] == "crawford"


@pytest.mark.parametrize(
    ("result", "winner", "points", "ended", "match_winner"),
    [
        (b"RE[B+8]", 1, 8, "other", 1),
        (b"RE[W+1R]", 0, 1, "resigned single", None),
        (b"RE[W+2]", 0, 2, "gammon", None),
        (b"RE[B+]", 1, 1, "single", None),
        (b"RE[?]", None, None, None, None),
        (b"RE[W+99999]", None, None, None, None),
        (b"", None, None, None, None),
    ],
)
def test_who_won(result, winner, points, ended, match_winner):
    t = read(game(b";W[31hefe]", more=result))
    row = t.games[["winner", "points", "ended"]].astype(object).where(lambda g: g.notna(), None)
    assert row.to_numpy().tolist() == [[winner, points, ended]]
    assert t.matches["winner"].astype(object).where(lambda w: w.notna(), None).tolist() == [
        match_winner
    ]


def test_a_passed_double_and_a_game_without_a_move():
    t = read(
        game(b";W[double];B[drop]", more=b"RE[W+1]") + game(b"", ws=1, number=1, more=b"RE[B+3R]")
    )
    assert t.games["ended"].tolist() == ["pass", "resigned backgammon"]
    assert t.decisions["kind"].tolist() == ["double", "pass"]
    assert t.matches["result"].tolist() == ["1-3"]
    assert not len(t.problems)
    assert len(read(game(b"")).decisions) == 0


def test_a_missing_game_and_an_impossible_score_are_noted():
    two = game(b";W[31hefe]", more=b"RE[W+1]") + game(b";W[31hefe]", ws=3, number=2)
    assert read(two).problems[["code", "game"]].to_numpy().tolist() == [["game_missing", 2]]
    t = read(game(b";W[31hefe]LU[0.1]%s%s" % (DA % (b"0.5", b"0.4"), A31), ws=9))
    assert t.problems["code"].tolist() == ["bad_score"]
    assert t.decisions["away"].isna().all()
    assert t.decisions["loss"].isna().all()


def test_nackgammon_and_automatic_doubles_and_positions():
    t = read(game(b";W[31hefe]", b"length:0", more=b"RU[Nackgammon]CV[4]"))
    assert t.decisions["position"].tolist() == [
        "XGID=-bb---D-C---dD---c-d---BB-:2:0:1:31:0:0:0:0:10"
    ]
    assert t.matches["variant"].tolist() == ["nackgammon"]
    t = read(game(b";PL[B]AE[a:y]AW[a][b][y]AB[x][x][w];CV[2];CP[w];PL[B]DI[21]"))
    assert shown(t, "kind", "position", "cube", "cube_owner") == [
        ["roll", "XGID=aBA--------------------aa-:1:-1:1:21:0:0:0:7:10", 2, "opponent"]]  # fmt: skip


def test_texts_in_other_charsets():
    latin = game(b"").replace(b"Ann", "Jürgen".encode("latin-1"))
    t = read(latin)
    assert t.matches["player0"].tolist() == ["Jürgen"]
    assert t.problems["code"].tolist() == ["bad_text"]
    for named in (b"CA[ISO-8859-1]", b""):
        t = read(latin.replace(b"CA[UTF-8]", named))
        assert (t.matches["player0"].tolist(), len(t.problems)) == (["Jürgen"], 0)
    assert read(game(b"").replace(b"UTF-8", b"what?")).problems["code"].tolist() == ["bad_text"]


def test_statistics_are_kept_as_printed_and_what_is_no_number_is_left_out():
    moves = b"GS[M:3 4 5 6 1 0 2 1 0 0 2 3 0.5 0.05 0.25 0.0125]"
    t = read(game(b"", more=moves + b"[D:0 0 0 0 5 6 0 0 0 0 -inf -inf 0.125 nan][C:1 2][Q:9]"))
    wide = t.figures.pivot_table(index="seat", columns="name", values="value")
    assert wide["n_errors"].tolist() == [3, 1]
    assert wide["n_blunders"].tolist() == [1, 0]
    assert wide["error_checker"].tolist() == [0.5, 0.25]
    assert wide["loss_checker"].tolist() == [0.05, 0.0125]
    assert wide["luck"].dropna().tolist() == [0.125]
    assert "luck_loss" not in wide
    assert set(t.figures["digits"]) == {0, 6}
    assert t.problems["code"].tolist() == ["bad_statistics"]


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"(;FF[4]GM[1]SZ[19];B[aa])", "GM[1]"),
        (b"(;FF[4];B[31])", "GM[none]"),
        (game(b"", b"length:x"), "match length"),
        (game(b"", b"length:99999"), "match length"),
        (game(b";AW%s" % (b"[a]" * 16)), "more than 15 checkers (game 1, move 1)"),
        (
            game(b"") + game(b";W[31hefe];AB%s" % (b"[x]" * 14), number=1),
            "more than 15 checkers (game 2, move 2)",
        ),
        (game(b";W[31hefe];B[65xr")[:-2], "cut short"),
    ],
)
def test_refused(data, words):
    with pytest.raises(ReadError) as error:
        read(data)
    assert words in str(error.value)
    assert error.value.path == "a.sgf"


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_a_file_that_was_cut_gives_no_match(record, share):
    data = record("paris-7pt")
    with pytest.raises(ReadError, match="cut short"):
        read(data[: int(share * len(data))])


def test_a_file_that_ends_between_two_games_is_unfinished(record):
    data = record("paris-7pt")
    t = read(data[: data.index(b")\n(;FF", 200000) + 2])
    assert t.matches["winner"].isna().all()
    assert 0 < len(t.games) < 7


def test_the_facade_reads_it(record, reference):
    path = reference("backgammon/sgf/m3_utf8.sgf")
    t = bl.read(path)
    assert t.matches.loc[0, ["format", "tool", "met", "length"]].tolist() == [
        "sgf",
        "gnuBG",
        "kazaross-xg2",
        3,
    ]
    assert np.array_equal(t.decisions["decision"], np.arange(1, len(t.decisions) + 1))
