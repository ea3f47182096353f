"""BGBlitz's files: six matches that XG analysed too, BGBlitz's own totals, and small matches written here."""

import itertools
import json

import numpy as np
import pytest
from bgfbytes import (
    GREEN,
    NONE,
    RED,
    action,
    cube,
    dance,
    encode,
    game,
    match,
    pack,
    play,
    value,
    zipped,
)

from blunderlab import measure
from blunderlab.backgammon.moves import apply
from blunderlab.backgammon.notation import parse_play
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.pricing import derive
from blunderlab.readers import bgf, xg
from blunderlab.readers.bgf.container import document

STEMS = ["3WNK_g1Z-PLsh_HyvQ5j4a", "5nqfGw9bWG3deTaU", "B4_SrGcsKAQmoTyHlgJCbM", "C07OQCKyw4Pe-CnjFiAMYO",
         "UL-CV6F9jMM-E1Pu", "XCu3RJ0UvDg_Tldl"]  # fmt: skip
OPENING = [(24, 23), (13, 8)]
FRAME = 0.06  # of bgfbytes.play: chances to win the match for one equity
PLAY = play(
    GREEN, (5, 1), OPENING, [([(13, 8), (6, 5)], 0.02), (OPENING, -0.03)], luck=0.1, error=0.05
)


def read(data, path="a.bgf"):
    return derive(bgf.read(data, path).tables()).validate()


def small(*games, **about):
    return read(pack(match(*games, **about)))


def shown(t, *names):
    return (
        t.decisions[list(names)].astype(object).where(lambda d: d.notna(), None).to_numpy().tolist()
    )


@pytest.fixture(scope="module")
def both(reference):
    """One match from BGBlitz and from XG."""
    kept = {}

    def find(stem):
        if stem not in kept:
            paths = [reference(f"backgammon/{kind}/{stem}.{kind}") for kind in ("bgf", "xg")]
            kept[stem] = [
                derive(m.read(p.read_bytes(), p).tables()).validate()
                for m, p in zip((bgf, xg), paths, strict=True)
            ]
        return kept[stem]

    return find


# --- one match by two programs -------------------------------------------------------------------


@pytest.mark.parametrize("stem", STEMS)
def test_the_same_match_as_from_xg(both, stem):  # W5.12, F-33: green is XG's player 1
    ours, theirs = both(stem)
    names = ["game", "score0", "score1", "crawford", "winner", "points"]
    assert ours.games[names].equals(theirs.games[names])
    ended = ours.games["ended"].astype(str).tolist()
    theirs_ended = theirs.games["ended"].astype(str).tolist()
    # Of a resigned last game XG says only that (104); BGBlitz knows for how much.
    assert [a for a, b in zip(ended, theirs_ended, strict=True) if a != b] in (
        [],
        ["resigned single"],
    )
    a, b = ours.decisions, theirs.decisions
    for name in ["game", "kind", "seat", "position", "cube", "cube_owner", "crawford", "illegal"]:
        assert a[name].equals(b[name]), name
    for name in ["roll", "played", "away", "opponent_away"]:
        assert a[name].astype(object).where(a[name].notna(), None).tolist() == (
            b[name].astype(object).where(b[name].notna(), None).tolist()
        ), name
    assert a["luck"].notna().equals(b["luck"].notna())  # S-27
    squashed = [
        [name.replace("_", " ") for name in t.matches[["player0", "player1"]].iloc[0]]
        for t in (ours, theirs)
    ]
    assert squashed[0] == squashed[1]
    assert ours.matches["result"].tolist() == theirs.matches["result"].tolist()
    assert ours.matches["winner"].tolist() == theirs.matches["winner"].tolist()
    assert ours.matches["date"].iloc[0] == theirs.matches["date"].iloc[0][:10]
    assert not len(ours.problems) or ours.problems["code"].tolist() == ["illegal_play"]


@pytest.mark.parametrize("stem", STEMS)
def test_boards_follow_from_the_plays(both, stem):
    d = both(stem)[0].decisions
    plays = d[d["kind"].isin(["checker"])]
    boards = points_of(plays["position"].tolist())
    after = [apply(b, parse_play(p)) for b, p in zip(boards, plays["played"], strict=True)]
    turned = [-b[::-1] for b in after]
    same_game = (plays["game"].to_numpy()[1:] == plays["game"].to_numpy()[:-1]).nonzero()[0]
    assert all((turned[i] == boards[i + 1]).all() for i in same_game)


@pytest.mark.parametrize(
    ("stem", "ours", "theirs"),
    [  # PR by blunderDB's rules, measured: two engines and two match equity tables, so near, not equal
        ("3WNK", [8.796, 6.592], [7.561, 5.403]),
        ("5nqf", [9.021, 6.047], [9.928, 5.433]),
        ("B4_S", [11.345, 13.841], [11.411, 12.695]),
        ("C07O", [4.164, 14.724], [3.778, 15.075]),
        ("UL-C", [19.452, 7.010], [21.609, 8.556]),
        ("XCu3", [17.620, 3.587], [19.190, 3.837]),
    ],
)
def test_pr_is_near_that_of_xg(both, stem, ours, theirs):
    stem = next(s for s in STEMS if s.startswith(stem))
    found = [measure.rates(t.decisions, "blunderdb", by=("seat",)) for t in both(stem)]
    assert found[0]["pr"].tolist() == pytest.approx(ours, abs=0.001)
    assert found[1]["pr"].tolist() == pytest.approx(theirs, abs=0.001)
    assert (found[0]["pr"] - found[1]["pr"]).abs().max() < 2.2
    assert (found[0]["n_decisions"] - found[1]["n_decisions"]).abs().max() <= 3
    assert (found[0]["luck"] - found[1]["luck"]).abs().max() < 1.3


@pytest.mark.parametrize("stem", STEMS)
def test_equities_are_near_those_of_xg(both, stem):
    a, b = (t.decisions for t in both(stem))
    for name, far in [("no_double", 0.06), ("double_take", 0.16), ("equity_best", 0.06)]:
        apart = (a[name] - b[name]).abs()
        assert apart.notna().sum() > 40
        assert apart.median() < far
    known = a["double_pass"].notna()
    assert a.loc[known, "double_pass"].tolist() == pytest.approx([1.0] * known.sum(), abs=1e-4)


# --- BGBlitz's own figures -----------------------------------------------------------------------


@pytest.mark.parametrize("stem", STEMS)
def test_stored_errors_sum_to_the_totals_in_the_file(reference, stem):
    path = reference(f"backgammon/bgf/{stem}.bgf")
    data = path.read_bytes()
    raw, (_, about) = bgf.read(data, path).tables().decisions, document(data, path)
    for seat, side in enumerate(("Green", "Red")):
        own, total = raw[raw["seat"] == seat], about[f"pr{side}"]
        for plays, name in [(True, "checkerError"), (False, "cubeError")]:
            error = own.loc[(own["kind"] == "checker") == plays, "error"]
            assert error.sum() == pytest.approx(-float(total[name]), abs=2e-7)


@pytest.mark.parametrize("stem", STEMS)
def test_errors_and_luck_equal_gammonviews(reference, both, stem):
    convert = pytest.importorskip("gvformat.bgf").convert_bgf
    from gvformat.stats import compute_aggregates

    theirs = convert(reference(f"backgammon/bgf/{stem}.bgf"))
    totals = compute_aggregates(theirs)["match"]
    d = both(stem)[0].decisions
    for colour in ("white", "black"):  # gvformat orders seats by name
        own = d[d["player"] == theirs[f"player_{colour}"]]
        assert own["luck"].sum() == pytest.approx(totals[colour]["total_luck"], abs=5e-3)
        assert own["luck"].notna().sum() == totals[colour]["luck_rolls"]
        assert own["error"].sum() == pytest.approx(totals[colour]["total_error"], abs=5e-3)


def test_its_own_table_is_named_and_nothing_is_priced_with_another(both):  # F-25
    for stem in STEMS[:3]:
        t = both(stem)[0]
        assert t.matches[["tool", "met", "version"]].values.tolist() == [
            ["BGBlitz", "bgblitz", "1.0"]
        ]
        assert t.decisions[["loss", "difficulty", "luck_loss"]].isna().all().all()
        assert t.decisions["error"].notna().any()


def test_equity_and_chances_lie_on_one_line_whose_ends_are_its_own_table(reference):  # F-25
    path = reference(f"backgammon/bgf/{STEMS[0]}.bgf")
    _, about = document(path.read_bytes(), path)
    pairs = [
        (float(c["eq"]["emg"]), float(c["eq"]["cubeDecision"]["eqCubeFul"]))
        for m in about["games"][0]["moves"] for c in m["moveAnalysis"] if c["eq"]["cubeDecision"]
    ]  # fmt: skip
    half, middle = np.polyfit(*zip(*pairs, strict=True), 1)
    assert (half, middle) == (pytest.approx(0.05954434, abs=1e-7), pytest.approx(0.5, abs=1e-7))


def test_the_row_of_a_pass_and_its_options(both):
    d, options = both(STEMS[0])[0].decisions, both(STEMS[0])[0].options
    row = d[(d["game"] == 3) & (d["kind"] == "pass")].iloc[0]
    # 0.55249392, 0.56287390, 0.56657466 at 0.5 ± 0.06657466; BGBlitz's own error 0.05558814
    assert row[["no_double", "double_take", "double_pass"]].tolist() == pytest.approx(
        [0.788497, 0.944412, 1], abs=2e-6
    )
    assert row["error"] == pytest.approx(0.05558814)
    assert row["level"] == "3-ply"
    own = options[options["decision"] == row["decision"]]
    assert own[["option", "played"]].values.tolist() == [["Take", False], ["Pass", True]]
    doubler = options[options["decision"] == row["decision"] - 1].set_index("option")
    take = own.set_index("option").loc["Take"]
    assert take["win"] + doubler.loc["Double/Take", "win"] == pytest.approx(1)  # F-37
    assert take["lose_gammon"] == doubler.loc["Double/Take", "win_gammon"]
    assert row["position"].split(":")[4] == "D"


def test_an_illegal_play_is_unscored_and_keeps_its_luck(both):
    d = both(STEMS[1])[0].decisions
    assert d["illegal"].sum() == 1
    row = d[d["illegal"]].iloc[0]
    assert (row["roll"], row["played"]) == ("31", "14/10 13/12")
    assert not row["scored"]
    assert np.isfinite(row["luck"])
    assert not both(STEMS[1])[0].options.query("decision == @row.decision")["played"].any()


# --- forms of the file ---------------------------------------------------------------------------


@pytest.mark.parametrize("stem", STEMS[2:3])
@pytest.mark.parametrize(
    ("smile", "wrapper"), list(itertools.product([True, False], [None, zipped]))
)
def test_packed_or_not_smile_or_json(reference, both, stem, smile, wrapper):
    path = reference(f"backgammon/bgf/{stem}.bgf")
    _, about = document(path.read_bytes(), path)
    t = read(pack(about, smile, wrapper))
    drop = ["match_id"]
    assert t.decisions.drop(columns=drop).equals(both(stem)[0].decisions.drop(columns=drop))
    assert t.options.drop(columns=drop).equals(both(stem)[0].options.drop(columns=drop))


@pytest.mark.parametrize("header", [
    {"format": "BGF", "version": "0.9", "compression": "gzip", "encoding": "smile"},
    {"format": "BGF", "version": "1.0"},
])  # fmt: skip
def test_what_is_there_decides_not_what_the_first_line_calls_it(header):
    t = read(pack(match(game(PLAY)), header=header))
    assert len(t.decisions) == 1
    assert t.matches["version"].tolist() == [header["version"]]


def test_shared_values_and_windows_line_ends():
    head = json.dumps({"format": "BGF", "version": "1.0"}).encode()
    body = encode(match(game(PLAY, PLAY | {"player": RED})), names=True, values=True)
    assert len(read(head + b"\r\n" + body).decisions) == 2
    assert bgf.looks_like(head + b"\r\n")
    assert not bgf.looks_like(b'{"format":"other"}\n')


# --- rows of small matches -----------------------------------------------------------------------


def test_a_play_with_its_candidates():
    t = small(game(PLAY))
    assert shown(
        t, "player", "seat", "roll", "played", "best", "level", "luck", "error", "away", "scored"
    ) == [["Ann", 0, "51", "24/23 13/8", "13/8 6/5", "3-ply", 0.1, 0.05, 7, True]]
    assert t.options[["rank", "option", "equity", "cost", "played"]].values.tolist() == [
        [1, "13/8 6/5", 0.02, 0, False], [2, "24/23 13/8", -0.03, pytest.approx(0.05), True]
    ]  # fmt: skip
    assert t.options["win_gammon"].tolist() == [0.1, 0.1]
    assert t.games["winner"].isna().all()
    assert t.matches["winner"].isna().all()


def test_an_error_that_bgblitz_does_not_count_comes_from_the_equities():
    record = PLAY | {"pr": {"checkerError": "-99.00000000"}}
    assert small(game(record)).decisions["error"].tolist() == pytest.approx([0.05])


def test_a_stored_error_that_does_not_fit_is_named_and_used():
    t = small(game(PLAY | {"pr": {"checkerError": "-0.08000000"}}))
    assert t.problems["code"].tolist() == ["error_differs"]
    assert t.decisions["error"].tolist() == [0.08]


def test_a_checker_may_be_written_by_its_ends():
    # 24/13 on 65 by its ends alone: through 18, for the bar point of the other side is open
    ends = play(GREEN, (6, 5), [(24, 13)])
    t = small(game(ends))
    assert shown(t, "played", "illegal") == [["24/13", False]]
    marked = play(GREEN, (6, 5), [(24, 13)], [([(24, 18), (18, 13)], 0.1)])
    marked["moveAnalysis"][0]["played"] = True
    t = small(game(marked))
    assert t.options["played"].tolist() == [True]
    assert shown(t, "played", "scored") == [["24/13", True]]


def doubled(nd, dt, dp, emg, mwc, *, answer, error=None):
    record = value(mwc, emg, cube=cube(nd, dt, dp))
    pr = {"cubeError": "-99.0" if error is None else f"{-error:.8f}", "checkerError": "-99.0"}
    return [
        action(RED, 1, record, pr=pr),
        action(GREEN, answer, value(1 - mwc, -emg, cube=cube(1 - nd, 1 - dt, 1 - dp))),
    ]


@pytest.mark.parametrize(
    ("three", "best", "answer", "errors"),
    [  # S-1, S-3, S-20: chances 0.5 + 0.06 · equity
        ((0.5, 0.75, 1.0), "Double/Take", 2, [0, 0]),
        ((0.5, 0.75, 1.0), "Double/Take", 3, [0, 0.25]),
        ((0.9, 1.4, 1.0), "Double/Pass", 2, [0, 0.4]),
        ((1.1, 0.9, 1.0), "No double", 3, [0.2, 0.1]),
        ((1.2, 1.3, 1.0), "No double", 3, [0.2, 0]),
    ],
)
def test_doubles_and_answers(three, best, answer, errors):
    mwc = [0.5 + FRAME * x for x in three]
    t = small(game(PLAY, *doubled(*mwc, emg=0.4, mwc=0.5 + FRAME * 0.4, answer=answer)))
    d = t.decisions.iloc[1:]
    assert d["kind"].tolist() == ["double", "take" if answer == 2 else "pass"]
    assert d["best"].iloc[0] == best
    assert d["error"].tolist() == pytest.approx(errors, abs=1e-6)
    assert (
        d[["no_double", "double_take", "double_pass"]].values.tolist()
        == [pytest.approx(three, abs=1e-6)] * 2
    )
    assert d["cube"].tolist() == [1, 1]  # S-5: the cube before the double


def test_the_cube_changes_hands():
    taken = doubled(0.53, 0.545, 0.56, emg=0.4, mwc=0.524, answer=2)
    t = small(
        game(
            PLAY,
            *taken,
            play(RED, (6, 1), [(13, 7), (8, 7)]),
            play(GREEN, (6, 1), [(13, 7), (8, 7)]),
        )
    )
    assert shown(t, "kind", "cube", "cube_owner") == [
        ["checker", 1, "centre"], ["double", 1, "centre"], ["take", 1, "centre"],
        ["checker", 2, "opponent"], ["checker", 2, "player"],
    ]  # fmt: skip


def test_where_the_chances_cannot_be_scaled_nothing_is_guessed():
    record = value(
        0.56, 1.0, cube=cube(0.53, 0.545, 0.56)
    )  # two points of the line, and they are one
    t = small(game(PLAY, action(RED, 1, record), action(GREEN, 2, record)))
    assert t.problems["code"].tolist() == ["bad_analysis"] * 2
    assert t.decisions["no_double"].isna().all()
    assert t.decisions["scored"].tolist() == [True, False, False]


def test_minus_999_is_not_analysed():
    none = cube(-999.9, -999.9, -999.9)
    unread = play(
        RED,
        (6, 1),
        [(13, 7), (8, 7)],
        [([(13, 7), (8, 7)], -999.0)],
        equity=value(cube=none),
        luck=-999.0,
    )
    t = small(game(PLAY, unread))
    assert t.decisions["kind"].tolist() == ["checker", "checker"]
    assert shown(t, "scored", "n_options", "luck")[1] == [False, 0, None]
    assert not len(t.problems)


def test_no_double_only_where_it_was_analysed_and_the_cube_may_be_turned():
    record = value(0.524, 0.4, cube=cube(0.53, 0.52, 0.56))
    red = play(RED, (6, 1), [(13, 7), (8, 7)], equity=record)
    assert small(game(PLAY, red)).decisions["kind"].tolist() == ["checker", "no_double", "checker"]
    mine = small(game(PLAY, red, initial={"cube": 2, "cubeOwner": GREEN}))
    assert mine.decisions["kind"].tolist() == ["checker", "checker"]
    assert mine.decisions["cube"].tolist() == [2, 2]


def test_a_dance_names_its_dice_in_from_and_to():
    closed = [0] * 28
    closed[24] = 1  # green on the bar
    for point in (1, 2, 3, 4, 5, 6):
        closed[point - 1] = -2  # red's home, as red counts: where green must enter
    start = {"cube": 1, "cubeOwner": 0, "points": closed}
    t = small(game(dance(GREEN, (2, 5)), initial=start))
    assert shown(t, "roll", "played", "n_legal", "scored") == [["52", "Cannot Move", 1, False]]
    assert shown(t, "position") == [["XGID=-------------------bbbbbbA:0:0:1:52:0:0:0:7:10"]]


def test_luck_of_money_is_plain_and_all_zero_is_unknown():  # S-8
    money = play(GREEN, (5, 1), OPENING) | {
        "luck": {"luckPlain": "0.1", "luckWeighted": "0.2", "mode": "Money"}
    }
    zero = play(RED, (5, 1), OPENING) | {
        "luck": {"luckPlain": "0.0", "luckWeighted": "0.0", "mode": "Money"}
    }
    assert small(game(money, zero), matchlen=0).decisions["luck"].tolist() == [0.1, 0]
    assert small(game(zero), matchlen=0).decisions["luck"].isna().all()


# --- scores --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "about", "winners", "points"),
    [  # F-24, F-32, W3.14: of the next game, the last of the match, else unfinished
        ([(0, 0, 2), (2, 0, 1), (2, 1, 4)], {"finalGreen": 2, "finalRed": 5}, [0, 1, 1], [2, 1, 4]),
        ([(0, 0, 2), (2, 0, 1), (2, 1, 4)], {"finalGreen": None}, [0, 1, None], [2, 1, None]),
        ([(0, 0, 0)], {}, [None], [None]),
        ([(0, 0, 1), (1, 0, 0)], {"matchlen": 0, "finalGreen": 7, "finalRed": 0}, [0, 0], [1, 6]),
        ([(6, 6, 2)], {"finalGreen": 6, "finalRed": 7}, [1], [1]),
    ],
)
def test_winners_and_points(scores, about, winners, points):
    games = [game(PLAY, green=g, red=r, won=won) for g, r, won in scores]
    t = small(*games, **about)
    assert (
        t.games["winner"].astype(object).where(t.games["winner"].notna(), None).tolist() == winners
    )
    assert (
        t.games["points"].astype(object).where(t.games["points"].notna(), None).tolist() == points
    )


@pytest.mark.parametrize(
    ("final", "length", "winner"),
    [((7, 3), 7, 0), ((6, 4), 7, None), ((8, 9), 7, None), ((5, 3), 0, 0), ((4, 4), 0, None)],
)
def test_the_winner_of_the_match(final, length, winner):  # S-9
    games = [game(PLAY, green=final[0] - 1, red=final[1] if final[1] < 7 else 6, won=1)]
    t = small(*games, matchlen=length, finalGreen=final[0], finalRed=final[1])
    assert t.matches["winner"].astype(object).where(t.matches["winner"].notna(), None).tolist() == [
        winner
    ]


@pytest.mark.parametrize(
    ("marks", "rule", "first", "codes"),
    [
        ([False, True, False], True, 5, ["none", "crawford", "post"]),
        ([False, False, False], True, 5, ["none", "crawford", "post"]),  # S-18
        ([None, None, None], True, 6, ["crawford", "post", "post"]),
        ([False, False, False], True, 6, ["post", "post", "post"]),  # begins after it
        ([False, False, False], False, 5, ["none", "post", "post"]),
    ],
)
def test_the_crawford_game_and_after_it(marks, rule, first, codes):
    games = [game(PLAY, green=g, red=r) for g, r in [(0, first), (0, 6), (1, 6)]]
    for one, mark in zip(games, marks, strict=True):
        one["isCrawford"] = mark
        if mark is None:
            del one["isCrawford"]
    assert small(*games, useCrawford=rule).games["crawford"].tolist() == codes


@pytest.mark.parametrize(
    ("moves", "about", "game_about", "ended"),
    [
        ([PLAY], {"finalRed": 2}, {"won": 2}, "resigned gammon"),
        (
            [PLAY, action(RED, 9), action(GREEN, 4)],
            {"finalGreen": 1},
            {"won": 1},
            "resigned single",
        ),
        ([PLAY], {"finalRed": 1}, {"wasResignation": True}, "resigned single"),
        ([PLAY], {"finalRed": 1}, {"lostOnTime": True}, "time"),
        (
            [PLAY, *doubled(0.53, 0.545, 0.56, emg=0.4, mwc=0.524, answer=3)],
            {"finalRed": 1},
            {"won": 1},
            "pass",
        ),
        ([PLAY], {}, {}, None),
    ],
)
def test_how_a_game_ended(moves, about, game_about, ended):  # F-22
    t = small(game(*moves, **game_about), **about)
    assert t.games["ended"].astype(object).where(t.games["ended"].notna(), None).tolist() == [ended]


def test_borne_off_is_not_resigned():
    points = [0] * 28
    points[0], points[23] = -1, 1  # each has one checker, on its ace point: red's 1 is green's 24
    last = game(
        play(GREEN, (6, 5), [(1, 0)]), initial={"cube": 2, "cubeOwner": RED, "points": points}
    )
    t = small(last | {"wonPoints": 4}, finalGreen=4)
    assert t.games[["winner", "points", "ended"]].values.tolist() == [[0, 4, "gammon"]]
    assert shown(t, "played", "cube", "cube_owner") == [["1/off", 2, "opponent"]]


@pytest.mark.parametrize(
    ("length", "points", "result", "winner"),
    [(7, 5, "7-3", 0), (0, 2, "4-3", 0)],
)
def test_a_forfeit_gives_the_other_side_what_it_needs(length, points, result, winner):  # S-26
    start = {"cube": 2, "cubeOwner": GREEN}
    one = game(PLAY, action(GREEN, 4), green=2, red=3, wasForfeit=True, initial=start)
    t = small(one, matchlen=length, finalGreen=2, finalRed=3)
    assert t.games[["winner", "points", "ended"]].values.tolist() == [[0, points, "abandoned"]]
    assert t.matches[["result", "winner"]].values.tolist() == [[result, winner]]


@pytest.mark.parametrize(("length", "rules"), [(0, [True, True]), (7, [False, False])])
def test_jacoby_and_beavers_are_rules_of_money_play(length, rules):  # S-23
    t = small(game(PLAY), matchlen=length, useJacoby=True, useBeaver=True)
    assert t.matches[["jacoby", "beaver"]].values.tolist() == [rules]
    assert t.decisions["position"].iloc[0].split(":")[7] == ("3" if length == 0 else "0")


def test_rules_that_the_file_does_not_name_are_unknown():
    about = match(game(PLAY), matchlen=0)
    del about["useJacoby"], about["useBeaver"]
    assert read(pack(about)).matches[["jacoby", "beaver"]].isna().all().all()


def test_texts_and_notes():
    about = {
        "nameGreen": "Zoë 緑",
        "event": "Cup",
        "round": "",
        "ratingGreen": 1712,
        "ratingRed": 0,
    }
    t = small(game(PLAY | {"comment": " why not 6/5? "}), **about)
    assert t.matches[["player0", "event", "rating0"]].values.tolist() == [["Zoë 緑", "Cup", 1712]]
    assert t.matches[["round", "rating1"]].isna().all().all()
    assert t.decisions["note"].tolist() == ["why not 6/5?"]
    # JSON can hold half a surrogate pair, a table cannot
    half = pack(match(game(PLAY), nameGreen="half \ud83d"), smile=False)
    assert read(half).matches["player0"].tolist() == ["half ?"]


def test_a_roll_without_a_play_ends_an_unfinished_game():
    t = small(game(PLAY, play(RED, (6, 1), []) | {"from": NONE, "to": NONE}))
    assert shown(t, "kind", "roll", "played")[1] == ["roll", "61", None]
