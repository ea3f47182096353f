"""Matches as .mat text: by hand, and as two other programs understand them."""

import re
from dataclasses import replace

import pandas as pd
import pytest

import blunderlab as bl
from blunderlab.backgammon.record.mat import to_mat
from blunderlab.engines import gnubg_run
from blunderlab.readers import sgf

XG = [
    "3WNK_g1Z-PLsh_HyvQ5j4a", "5nqfGw9bWG3deTaU", "B4_SrGcsKAQmoTyHlgJCbM", "C07OQCKyw4Pe-CnjFiAMYO", "UL-CV6F9jMM-E1Pu",
    "XCu3RJ0UvDg_Tldl", "aachen-double-7pt", "aachen-double-r2-7pt", "paris-7pt", "with-comments-9pt",
]  # fmt: skip


def from_sgf(*games, length=3, rules="Crawford"):
    """Tables of (score, score, result, nodes)."""
    trees = "".join(
        f"(;FF[4]GM[6]CA[UTF-8]MI[length:{length}][game:{i}][ws:{white}][bs:{black}]PW[Ann]PB[Bob]RU[{rules}]"
        f"{f'RE[{result}]' if result else ''}{nodes})"
        for i, (white, black, result, nodes) in enumerate(games)
    )
    return sgf.read(trees.encode(), "a.sgf").tables()


# -- by hand --------------------------------------------------------------------------------------


def test_a_tiny_match():
    t = from_sgf(
        (0, 0, "B+1", ";B[31qtst];W[66xrxrmgmg];B[double];W[take];B[21abac];W[65]"),
        (0, 1, "B+1", ";W[31hefe];B[double];W[drop]"),
        (0, 2, "W+1R", ";W[31hefe];B[double];W[take];B[61]"),
    )
    assert to_mat(t).replace(" \n", "|\n") == (
        " 3 point match\n"
        "\n"
        " Game 1\n"
        " Ann : 0                            Bob : 0\n"
        "  1)                                31: 8/5 6/5\n"
        "  2) 66: 24/18(2) 13/7(2)            Doubles => 2\n"
        "  3)  Takes                         21: 24/23 24/22\n"
        "  4) 65: ????                      |\n"
        "                                       Wins 1 point\n"
        "\n"
        " Game 2\n"
        " Ann : 0                            Bob : 1\n"
        "  1) 31: 8/5 6/5                     Doubles => 2\n"
        "  2)  Drops                        |\n"
        "                                       Wins 1 point\n"
        "\n"
        " Game 3\n"
        " Ann : 0                            Bob : 2\n"
        "  1) 31: 8/5 6/5                     Doubles => 2\n"
        "  2)  Takes                         61: ????\n"
        "      Wins 1 point\n"
    )


def test_the_winner_of_the_match_and_points():
    t = from_sgf((1, 0, "W+2", ";W[31hefe];B[double];W[take];B[double];W[drop]"))
    assert to_mat(t).splitlines()[-1] == "      Wins 2 points and the match"
    t = from_sgf((1, 0, "B+4", ";W[31hefe]"), length=0, rules="Jacoby")
    lines = to_mat(t).splitlines()
    assert lines[0] == " 0 point match"
    assert lines[-1].split() == ["Wins", "4", "points"]
    assert lines[-1].index("Wins") > 15
    unfinished = to_mat(from_sgf((1, 0, "", ";W[31hefe]")))
    assert "Wins" not in unfinished


def test_beavers():
    nodes = ";B[63aglo];W[double];B[double];W[double];B[take];W[65xrrm]"
    lines = to_mat(from_sgf((0, 0, "", nodes), length=0)).splitlines()
    assert [line.split(")", 1)[1].split() for line in lines[4:]] == [
        ["63:", "24/18", "13/10"],
        ["Doubles", "=>", "2", "Beavers", "=>", "4"],
        ["Beavers", "=>", "8"],
        ["65:", "24/13"],
    ]
    passed = to_mat(from_sgf((0, 0, "B+2", ";B[63aglo];W[double];B[double];W[drop]"), length=0))
    assert "Raccoons => 4" in passed
    assert "Drops" in passed


def test_a_left_column_is_filled_up():
    t = bl.Tables.load(bl.datasets.path("aachen-double-7pt"))
    numbered = [line for line in to_mat(t).splitlines() if re.match(r" *\d+\)", line)]
    assert len(numbered) > 150
    assert min(map(len, numbered)) >= 35


def test_what_the_header_says():
    t = from_sgf((0, 0, "", ";W[31hefe]"), rules="Crawford:Nackgammon")
    matches = t.matches.assign(
        event='The "Open"\n2024',
        round="Final",
        date="2024-05-06T10:00",
        player0="A:B",
        player1=None,
    )
    text = to_mat(replace(t, matches=matches.astype(t.matches.dtypes)))
    assert text.splitlines()[:4] == [
        "; [Event \"The 'Open' 2024\"]",
        '; [Round "Final"]',
        '; [EventDate "2024.05.06"]',
        '; [Variation "NackGammon"]',
    ]
    assert " A;B : 0" in text
    assert "Player 2 : 0" in text
    assert " left : 0" in to_mat(t, names=("left", "right"))


def test_what_cannot_be_written():
    t = from_sgf((0, 0, "", ";W[31hefe]"))
    with pytest.raises(bl.SchemaError, match="2 matches here"):
        to_mat(bl.Tables.concat([t, t]))
    with pytest.raises(bl.SchemaError, match="0 matches here"):
        to_mat(t, "no such id")
    chess = t.decisions.assign(
        discipline=t.decisions["discipline"].where(t.decisions["seat"] > 1, "chess")
    )
    with pytest.raises(bl.SchemaError, match="is not backgammon"):
        to_mat(replace(t, decisions=chess))
    assert to_mat(t, t.matches["match_id"].iloc[0]) == to_mat(t)


# -- as gammonview's reader understands it --------------------------------------------------------


def actions(t):
    """Of each game: rolls and cube actions by seat, in order."""
    words = {"double": "double", "take": "take", "pass": "drop"}
    rows = t.decisions[t.decisions["kind"] != "no_double"]
    names = rows["kind"].astype("str").map(words).where(rows["roll"].isna(), rows["roll"])
    return [
        list(zip(rows["seat"][g], names[g], strict=True))
        for g in (rows["game"] == n for n in t.games["game"])
    ]


def read_by_gvformat(text, tmp_path):
    gvformat = pytest.importorskip("gvformat")
    (tmp_path / "a.mat").write_text(text, "utf-8")
    return gvformat.convert_mat(tmp_path / "a.mat")


@pytest.mark.parametrize("name", ["paris-7pt", "aachen-double-7pt"])
def test_gvformat_reads_the_shipped_tables(name, tmp_path):
    same_in_gvformat(bl.Tables.load(bl.datasets.path(name)), tmp_path)


@pytest.mark.parametrize("name", XG)
def test_gvformat_reads_xg_matches(name, reference, tmp_path):
    same_in_gvformat(bl.read(reference(f"backgammon/xg/{name}.xg")), tmp_path)


def same_in_gvformat(t, tmp_path):
    found = read_by_gvformat(to_mat(t), tmp_path)
    length = t.matches["length"].fillna(0).iloc[0]
    assert found["match_length"] == length
    assert len(found["games"]) == len(t.games)
    played = t.decisions.set_index("game")["illegal"].groupby("game").any()
    for game, ours, theirs in zip(t.games.itertuples(), actions(t), found["games"], strict=True):
        if played.get(game.game, False):
            continue  # gvformat knows no illegal plays
        assert theirs["points_won"] == game.points
        rolls = [
            f"{max(p['d1'], p['d2'])}{min(p['d1'], p['d2'])}"
            for p in theirs["plies"]
            if p.get("d1")
        ]
        assert rolls == [what for _, what in ours if what.isdigit()]


# -- as gnuBG understands it ----------------------------------------------------------------------


def read_by_gnubg(text, folder, money=False):
    """Import and save, without analysis; the Jacoby rule off, as in the XG files."""
    (folder / "in.mat").write_text(text, "utf-8")
    commands = [
        "set automatic game off",
        "set jacoby off" if money else "",
        'import mat "in.mat"',
        'save match "out.sgf"',
    ]
    assert gnubg_run.run(gnubg_run.find(), commands, folder, 60, "in.mat") == []
    return sgf.read((folder / "out.sgf").read_bytes(), "out.sgf").tables()


def same_in_gnubg(t, folder):
    again = read_by_gnubg(to_mat(t), folder, t.matches["length"].isna().all())
    columns = ["game", "seat", "kind", "roll", "position", "player", "cube", "cube_owner"]
    ours, theirs = (
        x.decisions[x.decisions["kind"] != "no_double"][columns]
        .astype(object)
        .reset_index(drop=True)
        for x in (t, again)
    )
    illegal = t.decisions[t.decisions["kind"] != "no_double"]["illegal"].to_numpy(bool)
    assert (theirs["kind"][illegal] == "roll").all()  # and the board set up after it
    theirs.loc[illegal, "kind"] = "checker"
    pd.testing.assert_frame_equal(ours, theirs)
    games = ["game", "score0", "score1", "crawford", "winner"]
    games = games if t.matches["length"].notna().all() else [g for g in games if g != "crawford"]
    pd.testing.assert_frame_equal(t.games[games], again.games[games])
    return again


@pytest.mark.engine("gnubg")
@pytest.mark.parametrize("name", XG)
def test_gnubg_reads_xg_matches(name, reference, tmp_path):
    same_in_gnubg(bl.read(reference(f"backgammon/xg/{name}.xg")), tmp_path)


@pytest.mark.engine("gnubg")
@pytest.mark.parametrize("name", ["a-3pt", "b-5pt", "c-7pt"])
def test_gnubg_reads_its_own_matches_back(name, tmp_path):
    t = bl.read(bl.datasets.path(f"{name}.sgf"))
    again = same_in_gnubg(t, tmp_path)
    assert again.games["points"].tolist() == t.games["points"].tolist()
    assert again.games["ended"].tolist() == t.games["ended"].tolist()
    with_own = read_by_gnubg(bl.datasets.path(f"{name}.mat").read_text("utf-8"), tmp_path)
    pd.testing.assert_frame_equal(
        with_own.decisions.drop(columns="match_id"), again.decisions.drop(columns="match_id")
    )


@pytest.mark.engine("gnubg")
def test_a_beaver_that_is_passed_costs_no_roll_of_the_next_game(tmp_path):
    one = (0, 0, "B+2", ";B[63aglo];W[double];B[double];W[drop]")
    two = (0, 2, "", ";B[31qtst];W[66xrxrmgmg]")
    same_in_gnubg(from_sgf(one, two, length=0, rules=""), tmp_path)
