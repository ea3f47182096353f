"""Transcriptions, dialect by dialect: small texts written here, each with its right value."""

from pathlib import Path

import numpy as np
import pytest

from blunderlab import ReadError
from blunderlab.backgammon.xgid import parse
from blunderlab.pricing import derive
from blunderlab.readers import mat

CASES = Path(__file__).parents[1] / "cases"
LEFT, RIGHT = 5, 34  # columns of the cells
CLOSED = "------E-C----E-----bbbbbbA"  # the left player is on the bar before six points
ACES = "-B----------------------b-"  # two checkers against one, all others are off
GAMMON = "-B-----------------o------"
BACKGAMMON = "-B---a-------------n------"
OPENING = ("31: 8/5 6/5", "42: 8/4 6/4")
OFF = ("21: 1/off(2)", "")
WON_LEFT, WON_RIGHT = " " * 6 + "Wins {} point", " " * RIGHT + "Wins {} point"


def game(*cells, number=1, names=("Ann", "Bob"), scores=(0, 0), end="", position=None):
    """One game; a cell is (left, right), and `end` the line below them."""
    heads = [f"{name} : {score}" for name, score in zip(names, scores, strict=True)]
    lines = [f" Game {number}", f" {heads[0]:<{RIGHT - 3}} {heads[1]}"]
    if position:
        lines.append(f"; Set Pos={position}/0")
    lines += [f"{n:3d}) {left:<{RIGHT - LEFT}}{right}" for n, (left, right) in enumerate(cells, 1)]
    return "\n".join([*lines, *([end] if end else []), ""])


def record(*games, length=7, header=""):
    return f"{header}{length} point match\n\n" + "\n".join(games)


def read(text):
    data = text if isinstance(text, bytes) else text.encode()
    assert mat.looks_like(data)
    t = derive(mat.read(data, "a.mat").tables()).validate()
    assert not t.decisions["scored"].any()
    assert t.decisions[["error", "loss", "luck", "difficulty"]].isna().all(axis=None)
    assert t.matches["met"].isna().all()
    return t


def shown(t, *names):
    return (
        t.decisions[list(names)].astype(object).where(lambda d: d.notna(), None).to_numpy().tolist()
    )


def results(t):
    return (
        t.games[["winner", "points", "ended"]]
        .astype(object)
        .where(lambda d: d.notna(), None)
        .to_numpy()
        .tolist()
    )


def codes(t):
    """What was found wrong; that a short text's match is not over is left out."""
    return [code for code in t.problems["code"] if code != "unfinished"]


def match(t, *names):
    return t.matches.loc[0, list(names)].tolist()


# --- backgammon.md W1.2: Galaxy ------------------------------------------------------------------

GALAXY = (
    '; [Site "BackgammonGalaxy"]\n; [Match ID "1"]\n; [Player 1 "Ann"]\n; [Player 2 "Bob"]\n'
    '; [Player 1 Elo "5,25/0"]\n; [Player 2 Elo "-2,00/0"]\n; [EventDate "2024.08.01"]\n; [EventTime "20.53"]\n'
    '; [Variation "Backgammon"]\n; [Unrated "Off"]\n; [Crawford "On"]\n; [CubeLimit "1024"]\n\n'
)


def test_w1_2_galaxy_plays():
    # 25 is the bar and 0 off, doubles one checker at a time, no star for a hit, nothing after the dice of a dance
    t = read(record(
        game(("62: 24/18 13/11", "61: 13/7 8/7"), ("43: 25/22 24/20", "11: 8/7 6/5 6/5 24/23"), end=WON_LEFT.format(1)),
        game(("54:", "21: 2/0 1/0"), ("65:", ""), number=2, scores=(1, 0), position=CLOSED, end=WON_RIGHT.format(2)),
        game(("21: 1/0 1/0", ""), number=3, scores=(1, 2), position=ACES, end=WON_LEFT.format(1)),
        header=GALAXY,
    ))  # fmt: skip
    assert shown(t, "kind", "played", "n_legal")[:4] == [
        ["checker", "24/18 13/11", None], ["checker", "13/7* 8/7", None], ["checker", "bar/22 24/20", None],
        ["checker", "24/23 8/7 6/5*(2)", None],
    ]  # fmt: skip
    assert shown(t, "kind", "played", "n_legal")[4:] == [
        ["checker", "Cannot Move", 1], ["checker", "2/off 1/off", None], ["checker", "Cannot Move", 1],
        ["checker", "1/off(2)", None],
    ]  # fmt: skip


def test_w1_2_galaxy_header():
    # decimal commas, a dot in the time; F-18: the length stands after the tenth line
    t = read(record(game(OPENING), header=GALAXY))
    assert match(t, "tool", "rating0", "rating1", "date", "variant", "length") == [
        "BackgammonGalaxy", 5.25, -2.0, "2024-08-01T20:53:00", "backgammon", 7]  # fmt: skip
    old = GALAXY.replace('; [EventDate "2024.08.01"]\n; [EventTime "20.53"]\n', "")
    assert read(record(game(OPENING), header=old)).matches["date"].isna().all()


def test_w1_2_galaxy_16_point_match_is_an_unfinished_match():
    t = read(
        record(
            game((" Doubles => 2", " Drops"), end=WON_LEFT.format(1) + " and the match"), length=16
        )
    )
    assert results(t) == [[0, 1, "pass"]]
    assert t.problems["code"].tolist() == ["unfinished"]
    assert match(t, "length", "result") == [16, "1-0"]
    assert t.matches["winner"].isna().all()


def test_w1_2_galaxy_losses():
    # "Losses" in the resigner's column, "Wins" below or in the same line; the smallest file has one roll
    t = read(
        record(
            game(
                ("42: 8/4 6/4", " Losses 3 point"), end="\n" + WON_LEFT.format(3) + " and the match"
            ),
            length=3,
        )
    )
    assert shown(t, "kind", "seat", "played") == [["checker", 0, "8/4 6/4"]]
    assert results(t) == [[0, 3, "resigned backgammon"]]
    assert (match(t, "winner", "result"), codes(t)) == ([0, "3-0"], [])
    line = (" Losses 3 point", " " * 20 + "Wins 3 point and the match")
    t = read(record(game(("", "42: 8/4 6/4"), line), length=3))
    assert (results(t), match(t, "result"), codes(t)) == (
        [[1, 3, "resigned backgammon"]],
        ["0-3"],
        [],
    )
    alone = read(record(game(("42: 8/4 6/4", " Losses 3 point")), length=3))
    assert results(alone) == [[0, 3, "resigned backgammon"]]
    assert codes(alone) == []


@pytest.mark.parametrize("names", [("", "Bob"), ("Ann", ""), ("beaver_take_all", "Bob"), ("Ann", "Mrs Doubles Wins"),
                                   ("A: 12 B", "Game 7"), ("[team] Ann", "; Bob"), ("1) Ann", "2:1")])  # fmt: skip
def test_w1_2_names_empty_or_like_something_else(names):
    # F-19: with spaces or empty; match944196: a name with "beaver" is no beaver
    t = read(
        record(game(OPENING, (" Doubles => 2", " Drops"), names=names, end=WON_LEFT.format(1)))
    )
    assert match(t, "player0", "player1") == list(names)
    assert shown(t, "kind", "player") == [
        ["checker", names[0]], ["checker", names[1]], ["double", names[0]], ["pass", names[1]]]  # fmt: skip
    assert codes(t) == []


# --- backgammon.md W1.2: XG and Backgammon Studio ------------------------------------------------


@pytest.mark.parametrize("marks", ["????", "???", ""])
def test_w1_2_rolled_but_not_played_before_a_resignation(marks):
    t = read(record(game(OPENING, (f"54: {marks}", "Wins 2 point"))))
    assert shown(t, "kind", "seat", "roll", "played")[2:] == [["roll", 0, "54", None]]
    assert (results(t), codes(t)) == ([[1, 2, "resigned gammon"]], [])


@pytest.mark.parametrize("cell", ["????", "00: ????"])
def test_w1_2_rolled_but_no_dice(cell):
    t = read(record(game(OPENING, (cell, "Wins 1 point and the match")), length=1))
    assert len(t.decisions) == 2
    assert (results(t), codes(t)) == ([[1, 1, "resigned single"]], ["no_dice"])
    assert t.problems["game"].tolist() == [1]


@pytest.mark.parametrize("word", ["Cannot Move", "Can't Move", "", "cannot move"])
def test_w1_2_dance(word):
    # F-16: "Can't Move"; F-35: a dance is no play
    t = read(record(game((f"54: {word}", "21: 2/off 1/off"), position=CLOSED)))
    assert shown(t, "kind", "played", "n_legal", "illegal") == [
        ["checker", "Cannot Move", 1, False], ["checker", "2/off 1/off", None, False]]  # fmt: skip
    assert t.decisions["forced"].tolist() == [True, False]


def test_w1_2_studio():
    # (N), bar/20*, 6/off(4), two blank lines between games, blank numbered last line without an end of line, latin-1
    studio = '; [Site "Backgammon Studio"]\n; [Player 1 "J\u00fcrgen"]\n; [Round "Round 0"]\n; [ClockType "Standard 360/10"]\n\n'
    text = record(
        game(("62: 24/18 13/11", "61: 13/7* 8/7"), ("53: bar/20* 6/3", "66: Bar/19 24/18* 13/7(2)"),
             names=("J\u00fcrgen", "Bob"), end="\n"),
        game(("33: 6/3(2) 8/2", ""), number=2, names=("J\u00fcrgen", "Bob")), header=studio, length=1,
    )  # fmt: skip
    text = text.replace("66: Bar/19 24/18* 13/7(2)", "62: 24/22 13/7").replace(
        "53: bar/20* 6/3", "53: Bar/20 6/3"
    )
    data = (text.replace("\n", "\r\n") + "  2)                      ").encode("latin-1")
    t = read(data)
    assert match(t, "player0", "time_control", "round", "tool") == [
        "J\u00fcrgen", "Standard 360/10", "Round 0", "Backgammon Studio"]  # fmt: skip
    assert shown(t, "player", "played")[:3] == [
        ["J\u00fcrgen", "24/18 13/11"], ["Bob", "13/7* 8/7"], ["J\u00fcrgen", "bar/20 6/3"]]  # fmt: skip
    assert shown(t, "played")[-1] == ["8/2 6/3(2)"]
    four = read(record(game(("66: 6/off(4)", ""), position="------F------------o------")))
    assert shown(four, "played") == [["6/off(4)"]]
    moved = read(record(game(("11: 8/7(4)", ""), position="------B-D----------o------")))
    assert shown(moved, "played") == [["8/7(4)"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_w1_2_charsets(encoding):
    header = '; [Event "R\u00e9gion \u2013 Fran\u00e7aise"]\n'
    t = read(
        record(game(OPENING, names=("Zo\u00eb", "Bj\u00f6rn")), header=header).encode(encoding)
    )
    assert match(t, "player0", "player1", "event") == [
        "Zo\u00eb",
        "Bj\u00f6rn",
        "R\u00e9gion \u2013 Fran\u00e7aise",
    ]


def test_w1_2_a_site_of_xg_is_a_place_and_player_1_may_be_the_right_column():
    # W5.12, F-33: the names over the columns decide
    header = ('; [Site "Paris"]\n; [Player 1 "Bob"]\n; [Player 2 "Ann"]\n; [Player 1 Elo "1700.00/30"]\n'
              '; [Player 2 Elo "1500.00/20"]\n; [Transcriber "Ann"]\n')  # fmt: skip
    t = read(record(game(OPENING), header=header))
    assert match(t, "player0", "player1", "rating0", "rating1") == ["Ann", "Bob", 1500.0, 1700.0]
    assert t.matches["tool"].isna().all()


# --- backgammon.md W1.2: HedgeHog, gnuBG, others -------------------------------------------------


def test_w1_2_hedgehog_money():
    header = '; [Site "HedgeHog"]\n; [Date "2026.01.04"]\n; [Time "13:00"]\n; [Jacoby "On"]\n; [Beaver "Off"]\n'
    money = record(
        game(("26: 24/18 13/11", "13: 8/5 6/5"), (" Resigns", "Wins 1 points")),
        game(("", ""), number=2, scores=(0, 1), end="   Wins 1 points and the match" + " " * 20),
        header=header, length=0,
    ).replace(" : ", ": ")  # fmt: skip
    t = read(money.rstrip("\n"))
    assert shown(t, "roll", "position", "away") == [
        ["62", "XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:1:0:10", None],
        ["31", "XGID=-a----EaC---dEa--c-e----B-:0:0:1:31:0:0:1:0:10", None]]  # fmt: skip
    assert results(t) == [[1, 1, "resigned single"], [0, 1, "resigned single"]]
    assert match(t, "jacoby", "beaver", "date", "result") == [
        True,
        False,
        "2026-01-04T13:00:00",
        "1-1",
    ]
    assert t.matches[["length", "winner"]].isna().all(axis=None)  # S-9: money at 4-4 is a draw
    assert codes(t) == []
    assert match(read(money.replace("0 point", "-1 point")), "result") == ["1-1"]  # F-35


@pytest.mark.parametrize("line", ['; [EventTime "17:44"]', '; [Time "17.44"]'])
def test_w1_2_times(line):
    t = read(record(game(OPENING), header=f'; [EventDate "2026.01.08"]\n{line}\n'))
    assert match(t, "date") == ["2026-01-08T17:44:00"]
    assert (
        read(record(game(OPENING), header=f'{line}\n; [EventDate "2026.02.30"]\n'))
        .matches["date"]
        .isna()
        .all()
    )


def test_w1_2_gnubg_beaver_and_raccoon():
    # the take that ends it is not written: it is no row
    t = read(record(game(("", "63: 24/18 13/10"), (" Doubles => 2", "Beavers => 4"), (" Beavers => 8", ""),
                         ("65: ", "Wins 24 points")), length=0))  # fmt: skip
    assert shown(t, "seat", "kind", "played", "cube", "cube_owner")[1:] == [
        [0, "double", "Double", 1, "centre"], [1, "take", "Beaver", 1, "centre"],
        [0, "take", "Raccoon", 1, "centre"], [0, "roll", None, 8, "opponent"]]  # fmt: skip
    assert (results(t), codes(t)) == ([[1, 24, "resigned backgammon"]], [])
    assert t.decisions["loss"].isna().all()


def test_a_beaver_that_is_passed_costs_the_double():
    t = read(
        record(
            game(OPENING, (" Doubles => 2", "Beavers => 4"), (" Drops", "Wins 2 points")), length=0
        )
    )
    assert shown(t, "kind", "played")[2:] == [
        ["double", "Double"],
        ["take", "Beaver"],
        ["pass", "Pass"],
    ]
    assert (results(t), codes(t)) == ([[1, 2, "pass"]], [])


def test_w1_2_a_pass_costs_the_cube_before_the_double():
    t = read(
        record(
            game(
                OPENING,
                (" Doubles => 2", " Takes"),
                ("31: 24/20", "Doubles => 4"),
                (" Drops", "Wins 2 point"),
            )
        )
    )
    assert shown(t, "kind", "cube", "cube_owner")[2:] == [
        ["double", 1, "centre"], ["take", 1, "centre"], ["checker", 2, "opponent"], ["double", 2, "player"],
        ["pass", 2, "opponent"]]  # fmt: skip
    assert (results(t), codes(t)) == ([[1, 2, "pass"]], [])
    t = read(record(game(OPENING, (" Doubles => 2", " Drops"), end=WON_LEFT.format(2))))
    assert (results(t), codes(t)) == ([[0, 2, "pass"]], ["bad_points"])


def test_the_answer_sees_the_cube_offered():
    # F-37: the taker decides on the cube before the double, which is offered to him
    t = read(record(game(OPENING, (" Doubles => 2", " Takes")), length=5))
    double, take = (parse(p) for p in t.decisions["position"][2:])
    assert (double.offered, double.dice, double.cube) == (False, "", 1)
    assert (take.offered, take.cube, take.cube_owner) == (True, 1, "centre")


# --- F-16 … F-35, S-9 … S-26 ---------------------------------------------------------------------


def test_f16_no_game_is_lost_and_the_column_says_who_won():
    ends = [WON_LEFT, WON_RIGHT] * 3 + [WON_RIGHT]
    scores = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3)]
    t = read(
        record(
            *(
                game(OPENING, number=n, scores=s, end=e.format(1))
                for n, (s, e) in enumerate(zip(scores, ends, strict=True), 1)
            ),
            length=4,
        )
    )
    assert t.games[["score0", "score1"]].to_numpy().tolist() == [list(s) for s in scores]
    assert t.games["winner"].tolist() == [0, 1, 0, 1, 0, 1, 1]
    assert match(t, "winner", "result") == [1, "3-4"]
    assert t.games["crawford"].tolist() == ["none"] * 5 + ["crawford", "post"]
    assert not len(t.problems)


def test_f17_a_long_left_play_leaves_one_space():
    left, right = "66: 24/18 24/18 13/7 13/7", "42: 8/4 6/4"
    t = read(
        record(
            f" Game 1\n Ann : 0                   Bob : 0\n  1) {left} {right}\n  2) 31: 8/5 6/5            64: 8/2 6/2\n"
        )
    )
    assert shown(t, "seat", "roll") == [[0, "66"], [1, "42"], [0, "31"], [1, "64"]]
    assert codes(t) == ["cut_short"]


def test_f26_a_file_of_another_kind():
    for data in (b"RGMH\x01\x00", b"(;FF[4]GM[6])", b"a 7 point match\nthat we lost\n", b""):
        assert not mat.looks_like(data)
        with pytest.raises(ReadError, match="no transcription"):
            mat.read(data, "match.mat").tables()


def test_f34_a_game_that_was_given_up_without_a_word():
    # neither a pass nor a bear-off: the loser resigned
    t = read(record(game(OPENING, end=WON_RIGHT.format(2))))
    assert (results(t), codes(t)) == ([[1, 2, "resigned gammon"]], [])
    t = read(record(game(OPENING, ("", ""), (" Concedes", ""), end=WON_RIGHT.format(1))))
    assert (results(t), codes(t)) == ([[1, 1, "resigned single"]], [])


@pytest.mark.parametrize(
    ("length", "scores", "end", "winner"),
    [(7, (6, 4), WON_LEFT.format(6), 0), (7, (6, 3), WON_RIGHT.format(1), None), (7, (6, 6), WON_RIGHT.format(1), 1),
     (7, (8, 0), WON_RIGHT.format(9), None), (0, (0, 3), WON_LEFT.format(5), 0)],
)  # fmt: skip
def test_s9_winner_by_points(length, scores, end, winner):
    # beyond the length counts, both at the length is corrupt, "and the match" is never trusted
    t = read(record(game(OPENING, scores=scores, end=end + " and the match"), length=length))
    assert t.matches["winner"].astype(object).where(t.matches["winner"].notna(), None).tolist() == [
        winner
    ]


def test_s23_jacoby_and_beavers_are_rules_of_money():
    header = '; [Jacoby "On"]\n; [Beaver "On"]\n'
    assert match(read(record(game(OPENING), header=header)), "jacoby", "beaver") == [False, False]
    assert match(read(record(game(OPENING), header=header, length=0)), "jacoby", "beaver") == [
        True,
        True,
    ]
    assert read(record(game(OPENING), length=0)).matches[["jacoby", "beaver"]].isna().all(axis=None)


@pytest.mark.parametrize(("word", "ended"), [("Forfeits", "abandoned"), ("Lost on time", "time")])
def test_s26_a_forfeit_gives_the_match_or_a_single_game(word, ended):
    t = read(record(game(OPENING, ("", word), scores=(2, 5)), length=7))
    assert results(t) == [[0, 5, ended]]
    assert match(t, "winner") == [0]
    assert results(
        read(record(game(OPENING, (" Doubles => 2", " Takes"), ("", word)), length=0))
    ) == [[0, 2, ended]]


def test_s18_crawford_game_by_scores_and_rule():
    # S-19: once; nobody has it where the rule is off; none in a match to one point
    scores = [(1, 0), (2, 0), (2, 1)]
    ends = [WON_LEFT, WON_RIGHT, WON_RIGHT]
    games = [
        game(OPENING, number=n, scores=s, end=end.format(1))
        for n, (s, end) in enumerate(zip(scores, ends, strict=True), 1)
    ]
    t = read(record(*games, length=3))
    assert t.games["crawford"].tolist() == ["none", "crawford", "post"]
    assert shown(t, "away", "opponent_away", "crawford")[2:4] == [
        [1, 3, "crawford"],
        [3, 1, "crawford"],
    ]
    assert [parse(p).crawford for p in t.decisions["position"]] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    t = read(record(*games, length=3, header='; [Crawford "Off"]\n'))
    assert t.games["crawford"].tolist() == ["none", "post", "post"]
    assert read(record(game(OPENING), length=1)).games["crawford"].tolist() == ["none"]


# --- how games end -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "points", "ended"),
    [(ACES, 1, "single"), (GAMMON, 2, "gammon"), (BACKGAMMON, 3, "backgammon")],
)
def test_borne_off(position, points, ended):
    whole = record(game(OFF, position=position, end=WON_LEFT.format(points)))
    assert (results(read(whole)), codes(read(whole))) == ([[0, points, ended]], [])
    # no line says so: the board does
    t = read(record(game(OFF, position=position)))
    assert (results(t), codes(t)) == ([[0, points, ended]], ["no_end"])
    t = read(whole.replace(f"Wins {points}", "Wins 4016"))
    assert (results(t), codes(t)) == ([[0, 4016, ended]], ["bad_points"])
    t = read(whole.replace(f"Wins {points}", "Wins 99999"))
    assert (results(t), codes(t)) == ([[0, None, ended]], ["bad_points"])


def test_no_more_points_than_are_needed_is_how_some_servers_write():
    t = read(
        record(
            game(OFF, position=GAMMON, scores=(6, 2), end=WON_LEFT.format(1) + "s and the match")
        )
    )
    assert (results(t), codes(t)) == ([[0, 1, "gammon"]], ["score_gap"])


def test_jacoby_a_gammon_on_an_unturned_cube():
    one = record(game(OFF, position=GAMMON, end=WON_LEFT.format(1)), length=0)
    assert codes(read(one)) == []
    assert codes(read('; [Jacoby "Off"]\n' + one)) == ["bad_points"]
    assert results(read(record(game(OFF, position=GAMMON), length=0))) == [[0, None, "gammon"]]


def test_a_winner_without_a_line_from_the_next_score():
    t = read(record(game(OPENING), game(OPENING, number=2, scores=(0, 2), end=WON_LEFT.format(1))))
    assert results(t)[0] == [1, 2, "resigned gammon"]
    assert codes(t) == ["no_end"]


def test_a_winner_in_the_wrong_column():
    t = read(
        record(
            game((" Doubles => 2", " Drops"), end=WON_RIGHT.format(1)),
            game(OPENING, number=2, scores=(1, 0), end=WON_LEFT.format(1)),
        )
    )
    assert results(t)[0] == [0, 1, "pass"]
    assert codes(t) == ["winner_differs"]


def test_scores_that_do_not_add_up():
    t = read(
        record(
            game(OPENING, end=WON_LEFT.format(1)),
            game(OPENING, number=3, scores=(3, 0), end=WON_LEFT.format(1)),
        )
    )
    assert codes(t) == ["game_missing", "score_gap"]
    assert t.problems["game"].dropna().tolist() == [2, 2, 2]
    assert t.games["score0"].tolist() == [0, 3]  # the line of scores is believed
    assert match(t, "result") == ["4-0"]


def test_a_score_that_the_match_cannot_have():
    t = read(record(game(OPENING, scores=(9, 0), end=WON_LEFT.format(1))))
    assert codes(t) == ["bad_score", "score_gap"]
    assert t.decisions[["away", "opponent_away"]].isna().all(axis=None)
    assert [parse(p).score for p in t.decisions["position"]] == [6, 0]
    text = record(game(OPENING, scores=(9, 0)), " Game 2\n  1) 31: 8/5 6/5\n")
    assert codes(read(text)).count("bad_score") == 2  # taken over where a game has none


def test_a_game_without_a_line_of_scores_or_without_anything():
    text = record(
        game(OPENING, end=WON_LEFT.format(1)),
        game(OPENING, number=2, scores=(1, 0), end=WON_LEFT.format(1)),
    )
    second = text.index(" Ann : 1")
    t = read(text[:second] + text[text.index("\n", second) + 1 :])
    assert t.games["score0"].tolist() == [0, 0]
    assert codes(t) == ["no_score", "score_gap"]
    t = read(record(game(end=WON_RIGHT.format(3) + " and the match"), length=3))
    assert (len(t.decisions), results(t), match(t, "winner"), codes(t)) == (
        0,
        [[1, 3, "resigned backgammon"]],
        [1],
        [],
    )


def test_columns_that_change_places_keep_their_seats():
    t = read(record(
        game(OPENING, end=WON_LEFT.format(1)),
        game(OPENING, number=2, names=("Bob", "Ann"), scores=(0, 1), end=WON_LEFT.format(2)),
    ))  # fmt: skip
    assert shown(t, "seat", "player") == [[0, "Ann"], [1, "Bob"], [1, "Bob"], [0, "Ann"]]
    one = game(OPENING, end=WON_LEFT.format(1))
    two = game(
        OFF,
        number=2,
        names=("Bob", "Ann"),
        scores=(0, 1),
        position=ACES.replace("a", "b"),
        end=WON_LEFT.format(1),
    )
    assert shown(read(record(one, two)), "seat", "position")[2] == [
        1,
        f"XGID={ACES}:0:0:1:21:0:1:0:7:10",
    ]
    assert (t.games["winner"].tolist(), match(t, "result"), codes(t)) == ([0, 1], ["1-2"], [])
    t = read(
        record(
            game(OPENING, end=WON_LEFT.format(1)),
            game(OPENING, number=2, names=("Ann", "Bobby"), scores=(1, 0), end=WON_LEFT.format(1)),
        )
    )
    assert codes(t) == ["names_differ"]
    assert t.decisions["player"].tolist() == ["Ann", "Bob", "Ann", "Bobby"]


# --- plays that cannot be ------------------------------------------------------------------------


def where(t, code):
    """Game, decision and the line's text of a problem."""
    return t.problems.loc[t.problems["code"] == code, ["game", "decision"]].to_numpy().tolist()


def test_f23_an_illegal_play_is_kept_and_the_board_follows_it():
    text = record(game(("31: 8/5 6/4", "42: 8/4 6/4"), ("65: 24/13", "")))
    t = read(text)
    assert shown(t, "played", "illegal") == [
        ["8/5 6/4", True],
        ["8/4 6/4", False],
        ["24/13", False],
    ]
    assert where(t, "illegal_play") == [[1, 1]]
    assert t.decisions["position"][1] == "XGID=-b----E-C---eE---b-daa--B-:0:0:1:42:0:0:0:7:10"
    [offset] = t.problems.loc[t.problems["code"] == "illegal_play", "offset"]
    assert text[offset:].startswith("  1) 31: 8/5 6/4")


def test_a_play_that_cannot_be_followed_loses_the_board_of_its_game_only():
    t = read(record(
        game(("31: 8/5 7/6", "42: 8/4 6/4"), (" Doubles => 2", " Takes"), ("64: 24/18* 13/9", "11:"), ("52: 25/20 4/2*", ""), end=WON_LEFT.format(2)),
        game(OPENING, number=2, scores=(2, 0), end=WON_LEFT.format(1)),
    ))  # fmt: skip
    assert t.decisions["position"].notna().tolist() == [True] + [False] * 6 + [True, True]
    assert shown(t, "played", "illegal")[:7] == [
        ["8/5 7/6", True], ["8/4 6/4", False], ["Double", False], ["Take", False], ["24/18* 13/9", False],
        ["Cannot Move", False], ["25/20 4/2*", False]]  # fmt: skip
    assert codes(t) == ["illegal_play", "lost_board"]


@pytest.mark.parametrize(
    "play", ["8/5 6/", "8/5 5/6", "a knight", "8/5 6/5 4/3 3/2 2/1", "\u0661/off"]
)
def test_a_play_that_cannot_be_read(play):
    t = read(record(game((f"31: {play}", "42: 8/4 6/4"), end=WON_LEFT.format(1))))
    assert shown(t, "kind", "played", "illegal") == [
        ["checker", None, False],
        ["checker", "8/4 6/4", False],
    ]
    assert codes(t)[:2] == ["bad_play", "lost_board"]
    # where only one thing could happen, the board is known all the same
    t = read(
        record(game((f"54: {play}", "21: 2/off 1/off"), position=CLOSED, end=WON_LEFT.format(1)))
    )
    assert codes(t) == ["bad_play"]
    assert t.decisions["position"].notna().all()


def test_a_roll_that_nobody_played_in_the_middle_of_a_game():
    t = read(record(game(("31:", "42: 8/4 6/4"), end=WON_LEFT.format(1))))
    assert shown(t, "kind", "played") == [["roll", None], ["checker", "8/4 6/4"]]
    assert codes(t) == ["no_play", "lost_board"]
    assert where(t, "no_play") == [[1, 1]]


def test_a_dance_that_is_none():
    t = read(record(game(("31: Cannot Move", "42: 8/4 6/4"), end=WON_LEFT.format(1))))
    assert shown(t, "played", "illegal", "n_legal") == [
        ["Cannot Move", True, None],
        ["8/4 6/4", False, None],
    ]
    assert codes(t) == ["illegal_play"]


def test_an_illegal_play_as_a_position():
    # gnuBG and XG: the board after it, Snowie's way; a turn of 1 makes the left player's checkers positive
    board = "0;-2;0;0;0;1;4;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0"
    text = record(
        game(
            (f"31: Illegal play (7;0;0;0;1;Ann;Bob 12: x;0;0;0;1;0;{board};0;0;)", ""),
            ("", "42: 8/4 6/4"),
        )
    )
    t = read(text)
    assert shown(t, "played", "illegal") == [[None, True], ["8/4 6/4", False]]
    assert t.decisions["position"][1] == "XGID=-b----E-C---eE---c-da---B-:0:0:1:42:0:0:0:7:10"
    assert codes(t) == ["illegal_play", "cut_short"]
    t = read(text.replace(";5;0;0;0;-3", ";9;0;0;0;-3"))
    assert codes(t) == ["illegal_play", "bad_position", "lost_board", "cut_short"]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([("31: 8/5 6/5", " Takes")], "cube_order"),
        (
            [
                ("31: 8/5 6/5", " Doubles => 2"),
                (" Takes", "42: 8/4 6/4"),
                ("21: 13/10", " Doubles => 4"),
            ],
            "cube_order",
        ),
        ([("31: 8/5 6/5", " Doubles => 2"), ("", "42: 8/4 6/4")], "no_answer"),
        ([("31: 8/5 6/5", " Doubles => 4")], "cube_value"),
        ([("31: 8/5 6/5", ""), ("31: 13/10 24/23", "")], "turn_order"),
    ],
)
def test_what_is_out_of_order_is_kept_and_said(cells, found):
    t = read(record(game(*cells, end=WON_LEFT.format(1))))
    assert found in codes(t)
    assert len(t.decisions) == sum(bool(cell) for line in cells for cell in line)
    for position in t.decisions["position"].dropna():
        parse(position)  # whatever has a position has a possible one


def test_stray_text_and_a_third_cell():
    t = read(
        record(
            "they sat down at eight",
            game((*OPENING,), end="good luck to both"),
            game(number=2) + "  3) 31: 8/5 6/5     42: 8/4 6/4    64: 8/2 6/2\n",
        )
    )
    assert sorted(codes(t)) == [
        "cut_short",
        "extra_cell",
        "score_gap",
        "stray_text",
        "stray_text",
        "turn_order",
    ]


def test_a_second_match_in_one_file_is_left_out():
    one = record(game(OPENING, end=WON_LEFT.format(1)))
    t = read(one + one)
    assert len(t.games) == 1
    assert codes(t) == ["second_match"]
    again = record(
        game(OPENING, end=WON_LEFT.format(1)),
        "7 point match\n",
        game(OPENING, number=2, scores=(1, 0), end=WON_LEFT.format(1)),
    )
    assert len(read(again).games) == 2


@pytest.mark.parametrize(("variant", "name", "board"), [
    ("NackGammon", "nackgammon", "-bb---D-C---dD---c-d---BB-"), ("HyperGammon (3)", "hypergammon", "-aaa------------------AAA-"),
    ("HyperGammon (1)", "hypergammon 1", "-a----------------------A-"),
])  # fmt: skip
def test_variants(variant, name, board):
    t = read(record(game(("31: 24/20", "")), header=f'; [Variation "{variant}"]\n'))
    assert match(t, "variant") == [name]
    assert t.decisions["position"][0].startswith(f"XGID={board}:")


def test_a_variant_that_nobody_knows():
    t = read(record(game(("31: 24/20", "")), header='; [Variation "Tapa"]\n'))
    assert (match(t, "variant"), codes(t)) == (["tapa"], ["variant", "cut_short"])
    assert t.decisions["position"].isna().all()


def test_a_position_that_the_file_sets_up():
    # XG: 26 letters, capitals are the left player's, and the cube
    t = read(
        record(game(("21: 1/off(2)", "")), length=0).replace("  1)", f"; Set Pos={ACES}/-2\n  1)")
    )
    assert shown(t, "position", "cube", "cube_owner") == [
        [f"XGID={ACES}:2:1:1:21:0:0:0:0:10", 4, "player"]
    ]
    t = read(record(game(("21: 1/off(2)", ""), position="-O" + "A" + ACES[3:])))
    assert t.decisions["position"].isna().all()
    assert codes(t) == ["bad_position", "cut_short"]  # F-31: sixteen checkers


# --- files that once broke something -------------------------------------------------------------


def test_case_a_name_in_brackets_is_no_comment():
    t = read((CASES / "mat-name-in-brackets" / "match.txt").read_bytes())
    assert match(t, "player0", "player1") == ["[team] Ann", ";Bob: 7"]
    assert results(t) == [[1, 1, "pass"]]


def test_case_a_redouble_that_was_beavered():
    # an XGID offers no cube to its owner: the doubler's answer to the beaver has no position
    text = (CASES / "mat-beavered-redouble" / "match.mat").read_text()
    t = read(text)
    assert (results(t), codes(t)) == ([[1, 8, "resigned single"]], [])
    t = read(text.replace("65: 24/13", " Takes"))
    assert shown(t, "played", "cube", "position")[-1] == ["Take", 2, None]


def test_case_hit_in_passing():
    # "18/11*" means 18/14*/11 where only that way hits
    t = read((CASES / "mat-hit-in-passing" / "match.txt").read_bytes())
    assert t.decisions["played"].tolist()[2:] == ["18/14*/11", "bar/23 13/7"]
    assert codes(t) == []


def test_every_row_has_its_columns():
    t = read(record(game(OPENING)))
    d = t.decisions
    assert d[["best", "level", "n_options", "no_double", "note", "clock"]].isna().all(axis=None)
    assert d["forced"].tolist() == [False, False]
    assert np.array_equal(d["decision"], [1, 2])
    assert (t.options.empty, t.figures.empty) == (True, True)
    assert match(t, "format", "path") == ["mat", "a.mat"]
