"""One position as text: four positions by two programs in four languages, and what a cut or odd text gives."""

import codecs
import random
import re

import pytest

from blunderlab import ReadError
from blunderlab.backgammon.xgid import parse
from blunderlab.pricing import derive
from blunderlab.readers import text as text_reader

LANGUAGES = ["DE", "EN", "FR", "JP"]
POSITIONS = ["01_checkerPosition", "02_NDT", "04_DP", "06_RT"]
BOARD = """
 +13-14-15-16-17-18------19-20-21-22-23-24-+{green}
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+{red}
"""
XG_BOARD = "\nX:Ann   O:Bob Lee\nScore is X:0 O:0 7 pt.(s) match." + BOARD.format(green="", red="")
XG_PLAY = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:{roll}:{score}:7:10\n" + XG_BOARD
    + "X to play 31\n\n    1. XG Roller++ {play}   eq:{eq}\n"
    "      Player:   55,10% (G:17,80% B:0,50%)\n      Opponent: 44,90% (G:12,20% B:0,40%)\n\n"
    "eXtreme Gammon Version: 2.10, MET: Kazaross XG2\n"
)  # fmt: skip
BGBLITZ_PLAY = (
    BOARD.format(green="   O: Bob  167", red="   X: Ann  167")
    + " XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:{length}:10\n\nEvaluation  (EMG)\n ==========\n"
    "  1.   {mwc}0.164            8/5, 6/5 \n       0.551  0.178  0.005  -  0.449  0.122  0.004 \n\n"
)


def read(text, path="a.txt"):
    data = text if isinstance(text, bytes) else text.encode()
    assert text_reader.looks_like(data)
    return derive(text_reader.read(data, path).tables()).validate()


def xg(roll="31", score="0:0:0", play="8/5 6/5", eq="+0,164"):
    return XG_PLAY.format(roll=roll, score=score, play=play, eq=eq)


@pytest.fixture
def text(reference):
    return lambda name: reference(f"backgammon/text/{name}.txt").read_bytes()


# --- other people's texts ------------------------------------------------------------------------


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("tool", ["xg", "bgblitz"])
def test_the_same_row_in_four_languages(text, tool, position):  # F-20
    own_words = ["match_id", "player", "level"]
    first = read(text(f"{tool}-{position}-EN"))
    assert not len(first.problems)
    assert len(first.options) == (5 if position.startswith("01") else 3)
    for language in LANGUAGES:
        t = read(text(f"{tool}-{position}-{language}"))
        assert not len(t.problems)
        for one, other in [(t.decisions, first.decisions), (t.options, first.options)]:
            words = [name for name in own_words if name in one]
            assert one.drop(columns=words).equals(other.drop(columns=words))
        assert t.games.drop(columns="match_id").equals(first.games.drop(columns="match_id"))


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("tool", ["xg", "bgblitz"])
def test_nothing_was_played_so_nothing_is_scored(text, tool, position):
    d = read(text(f"{tool}-{position}-EN")).decisions
    assert d["kind"].tolist() == ["checker" if position.startswith("01") else "no_double"]
    assert d["played"].isna().all()
    assert d[["equity_played", "error", "loss"]].isna().all().all()
    assert d[["scored", "counted"]].values.tolist() == [[False, False]]


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("tool", ["xg", "bgblitz"])
def test_position_and_score_are_those_of_the_xgid(text, tool, position):
    data = text(f"{tool}-{position}-EN")
    t = read(data)
    written = re.search(r"XGID=\S+", data.decode())[0]
    assert t.decisions["position"].tolist() == [written]
    seen = parse(written)
    assert t.matches["length"].tolist() == [seen.match_length]
    assert t.decisions[["away", "opponent_away"]].values.tolist() == [
        [seen.match_length - seen.score, seen.match_length - seen.opponent_score]
    ]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("xg-01_checkerPosition", [("19/18 14/12", -0.491, 0.2545), ("19/18 3/1", -0.556, 0.2219),
                                   ("19/17 18/17", -0.576, 0.2119), ("14/11", -0.568, 0.2162), ("14/12 3/2", -0.572, 0.2141)]),
        ("bgblitz-01_checkerPosition", [("19/18 14/12", -0.492, 0.254), ("19/18 3/1", -0.545, 0.227),
                                        ("19/17 18/17", -0.577, 0.211), ("14/12 3/2", -0.578, 0.211), ("14/11", -0.585, 0.208)]),
        ("xg-02_NDT", [("No double", 0.337, 0.544), ("Double/Take", 0.215, None), ("Double/Pass", 1, None)]),
        ("bgblitz-02_NDT", [("No double", 0.287, 0.541), ("Double/Take", 0.164, 0.541), ("Double/Pass", 1, None)]),
        ("xg-04_DP", [("Double/Pass", 1, None), ("No double", 0.735, 0.6665), ("Double/Take", 1.336, None)]),
        ("bgblitz-04_DP", [("Double/Pass", 1, None), ("No double", 0.767, 0.656), ("Double/Take", 1.287, 0.656)]),
        ("xg-06_RT", [("Double/Take", 0.852, None), ("No double", 0.797, 0.6621), ("Double/Pass", 1, None)]),
        ("bgblitz-06_RT", [("Double/Take", 0.76, 0.659), ("No double", 0.685, 0.659), ("Double/Pass", 1, None)]),
    ],
)  # fmt: skip
def test_options(text, name, options):  # read off the texts
    t = read(text(f"{name}-EN"))
    found = t.options[["option", "equity", "win"]].astype(object).where(lambda o: o.notna(), None)
    for one, wanted in zip(found.values.tolist(), options, strict=True):
        assert one == [wanted[0], pytest.approx(wanted[1]), wanted[2] and pytest.approx(wanted[2])]
    assert t.decisions["best"].tolist() == [options[0][0]]
    assert not t.options["played"].any()


def test_levels_tools_versions_and_tables(text):
    first = read(text("xg-01_checkerPosition-FR"))
    assert first.options["level"].tolist() == ["4-plis"] * 3 + ["3-plis"] * 2
    assert read(text("xg-06_RT-JP")).decisions["level"].tolist() == ["XG Roller++"]
    named = ["format", "tool", "version", "met", "player0", "player1"]
    found = [
        read(text(f"{name}-DE")).matches[named].astype(object).values.tolist()[0]
        for name in ("xg-04_DP", "bgblitz-04_DP")
    ]
    assert found[0] == [
        "text",
        "XG",
        "2.19.211.pre-release",
        "kazaross-xg2",
        "Spieler 1",
        "Spieler 2",
    ]
    assert found[1][:2] + found[1][3:] == ["text", "BGBlitz", "bgblitz", "Grün", "Rot"]
    assert read(text("bgblitz-04_DP-DE")).decisions[["player", "seat"]].values.tolist() == [
        ["Rot", 1]
    ]


# --- texts written here --------------------------------------------------------------------------


def test_a_text_of_xg_with_decimal_commas():
    t = read(xg())
    assert t.matches[["player0", "player1"]].values.tolist() == [["Ann", "Bob Lee"]]
    one = t.options.iloc[0]
    assert one[["option", "equity", "level", "win", "lose_gammon", "lose_backgammon"]].tolist() == [
        "8/5 6/5", 0.164, "XG Roller++", pytest.approx(0.551), pytest.approx(0.122), pytest.approx(0.004)
    ]  # fmt: skip
    assert t.games[["score0", "score1", "crawford"]].values.tolist() == [[0, 0, "none"]]
    assert t.games[["winner", "points", "ended"]].isna().all().all()


@pytest.mark.parametrize(("flag", "code"), [(0, "post"), (1, "crawford")])
def test_one_away_without_the_crawford_mark_is_after_it(flag, code):
    assert read(xg(score=f"6:3:{flag}")).games["crawford"].tolist() == [code]


@pytest.mark.parametrize(
    ("roll", "play", "option"),
    [
        ("31", "Bar/22 6/5", "bar/22 6/5"),
        ("61", "6/raus, 5/4", "6/off 5/4"),
        ("11", "8/7(2), 6/5(2)", "8/7(2) 6/5(2)"),
    ],
)
def test_words_of_other_languages_in_a_play(roll, play, option):
    assert read(xg(roll=roll, play=play)).options["option"].tolist() == [option]


@pytest.mark.parametrize(
    ("length", "mwc", "codes"), [(7, "0.512 mwp /   ", []), (0, "", []), (7, "", ["bad_analysis"])]
)
def test_chances_of_a_match_are_no_equity(length, mwc, codes):
    t = read(BGBLITZ_PLAY.format(length=length, mwc=mwc))
    assert t.problems["code"].tolist() == codes
    assert t.options["equity"].tolist() == ([] if codes else [0.164])
    assert t.matches["met"].tolist() == ["bgblitz"]


def test_an_offered_cube_is_the_row_of_a_take(text):
    offered = text("xg-04_DP-EN").replace(b":00:0:2:", b":D:0:2:")
    t = read(offered)
    d = t.decisions
    assert d[["kind", "seat", "player"]].values.tolist() == [["take", 1, "Player 2"]]
    assert d[["no_double", "double_take", "double_pass"]].values.tolist() == [[0.735, 1.336, 1.0]]
    assert t.options[["option", "equity"]].values.tolist() == [["Pass", -1.0], ["Take", -1.336]]
    assert d["scored"].tolist() == [False]


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b.replace(b"\n", b"\r\n"),
        lambda b: codecs.BOM_UTF8 + b,
        lambda b: codecs.BOM_UTF16_LE + b.decode().encode("utf-16-le"),
        lambda b: b.decode().encode("cp1252"),
    ],
)
def test_line_ends_and_encodings(text, change):
    data = text("xg-02_NDT-DE")
    whole, t = read(data), read(change(data))
    assert not len(t.problems)
    assert t.options.drop(columns="match_id").equals(whole.options.drop(columns="match_id"))


# --- trouble -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no line begins with XGID="),
        (xg().replace("XGID=", "ID=").encode(), "no line begins with XGID="),
        (xg().replace(":10\n", "\n", 1).encode(), "10 fields"),
        (xg().replace("-b----E", "-b----*").encode(), "not a letter"),
        (xg().replace("-b----E", "-b----H").encode(), "18 checkers"),
        (xg().partition("\n +12")[0].encode(), "board does not end"),
    ],
)
def test_what_is_no_position_is_refused(data, words):
    with pytest.raises(ReadError, match=words) as caught:
        text_reader.read(data, "a.txt").tables()
    assert caught.value.format == "text"


@pytest.mark.parametrize(
    "name",
    [
        "xg-01_checkerPosition-EN",
        "bgblitz-02_NDT-EN",
        "xg-04_DP-JP",
        "bgblitz-01_checkerPosition-JP",
    ],
)
def test_a_cut_text_is_refused_or_named(text, name):
    data = text(name)
    whole = read(data)
    for cut in range(0, len(data), 7):
        try:
            t = derive(text_reader.read(data[:cut], "a.txt").tables()).validate()
        except ReadError:
            continue
        fewer = len(t.options) < len(whole.options)
        ends_between = name.startswith(("xg-01", "bgblitz-01")) and len(t.options)
        assert not fewer or len(t.problems) or ends_between


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda t: t.replace("8/5 6/5", "8/5 6/9"), "bad_analysis"),
        (lambda t: t.replace("8/5 6/5", "somewhere"), "bad_analysis"),
        (lambda t: t.replace("      Player:", "      Nobody"), None),
        (lambda t: t.replace("%", ""), "bad_analysis"),
        (lambda t: t.replace("55,10%", "955,10%"), "bad_value"),
        (lambda t: t.partition("    1.")[0] + "eXtreme Gammon Version: 2.10\n", "no_analysis"),
        (lambda t: t + t, "more_positions"),
    ],
)
def test_a_fault_costs_the_analysis_and_is_named(change, code):
    t = read(change(xg()))
    assert t.problems["code"].tolist() == ([code] if code else [])
    assert len(t.options) == (code in (None, "more_positions"))
    assert t.decisions["kind"].tolist() == ["checker"]


@pytest.mark.parametrize(
    "name",
    [
        "xg-01_checkerPosition-DE",
        "bgblitz-02_NDT-FR",
        "xg-06_RT-EN",
        "bgblitz-01_checkerPosition-EN",
    ],
)
def test_changed_bytes_give_a_read_error_or_valid_tables(text, name):
    data, rng = text(name), random.Random(3)
    for _ in range(80):
        changed = bytearray(data)
        for _ in range(rng.choice([1, 2, 5])):
            changed[rng.randrange(len(changed))] = rng.choice(
                [0, 10, 32, 45, 46, 47, 48, 57, 58, 255, rng.randrange(256)]
            )
        try:
            derive(text_reader.read(bytes(changed), "a.txt").tables()).validate()
        except ReadError:
            pass


def test_other_texts_are_not_taken_for_positions():
    assert not text_reader.looks_like(
        b" 7 point match\n\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5\n"
    )
    assert not text_reader.looks_like(b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
