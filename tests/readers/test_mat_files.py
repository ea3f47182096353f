"""Other people's transcriptions: read whole, equal to their twins in other formats, equal to other readers."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

import blunderlab as bl
from blunderlab.backgammon.record.mat import to_mat
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.pricing import derive
from blunderlab.readers import mat

DATA = os.environ.get("BLUNDERLAB_DATA", "")
FILES = sorted(Path(DATA, "backgammon/mat").glob("*")) if DATA else []
XG = sorted(Path(DATA, "backgammon/xg").glob("*.xg")) if DATA else []
pytestmark = pytest.mark.skipif(not FILES, reason="BLUNDERLAB_DATA with backgammon/mat is not set")

GAMES = ["score0", "score1", "crawford", "winner", "points"]
PLAYS = ["game", "seat", "player", "kind", "position", "roll", "played", "match_length", "away", "opponent_away",
         "crawford", "cube", "cube_owner", "illegal"]  # fmt: skip
# What is wrong with these records, and nothing else is.
ODD = {
    "5nqfGw9bWG3deTaU.mat": ["illegal_play"],  # F-23: 14/10 13/12 on 31
    "bgc-054.txt": ["no_dice"],  # "00: ????"
    "bgc-114.txt": ["no_dice"],  # "18) ????"
    "m5_midgame.mat": ["cut_short"],
}


def read(path):
    return derive(mat.read(path.read_bytes(), path).tables()).validate()


@pytest.fixture(scope="module")
def tables():
    return {path.name: read(path) for path in FILES}


def same(left, right, names):
    for name in names:
        a, b = (
            frame[name].astype(object).where(frame[name].notna(), None).tolist()
            for frame in (left, right)
        )
        assert a == b, name


def test_every_file_is_read_and_what_is_odd_is_said(tables):
    assert len(tables) == 55
    found = {name: t.problems["code"].tolist() for name, t in tables.items() if len(t.problems)}
    assert found == ODD


def test_nothing_is_lost(tables):
    # games, rolls, doubles and answers as an independent scan of the text counts them
    patterns = (
        rb"(?m)^\s*Game \d+",
        rb"(?<![\d:])[1-6][1-6]:",
        rb"\bDoubles\b",
        rb"\b(?:Takes|Drops|Beavers)\b",
    )
    for path in FILES:
        lines = [
            x
            for x in path.read_bytes().splitlines()
            if not x.lstrip().startswith((b";", b"[", b"\xef"))
        ]
        t = tables[path.name]
        kind = t.decisions["kind"]
        ours = [
            len(t.games),
            t.decisions["roll"].notna().sum(),
            (kind == "double").sum(),
            kind.isin(["take", "pass"]).sum(),
        ]
        assert ours == [len(re.findall(p, b"\n".join(lines))) for p in patterns], path.name


def test_who_won(tables):
    # W1.2: decided by points; points may exceed the length
    results = {
        name: (*t.matches.loc[0, ["winner", "result"]],)
        for name, t in tables.items()
        if name != "m5_midgame.mat"
    }
    assert results["galaxy-match12456124.txt"] == (0, "12-0")
    assert results["B4_SrGcsKAQmoTyHlgJCbM.mat"] == (0, "7-1")  # F-24
    assert results["C07OQCKyw4Pe-CnjFiAMYO.mat"] == (1, "9-10")
    assert results["bgc-003.txt"] == (0, "11-10")
    assert results["money_beaver_raccoon_resign.mat"] == (1, "0-24")
    for name, (winner, result) in results.items():
        length = tables[name].matches["length"][0]
        points = [int(p) for p in result.split("-")]
        assert winner == np.argmax(points)
        assert (
            np.isnan(float(tables[name].matches["length"].astype(float)[0]))
            or max(points) >= length
        )


@pytest.mark.parametrize("path", XG, ids=lambda p: p.stem)
def test_the_same_match_from_xg(path, tables):
    # games, winners, points, plays, boards, cubes and seats; what XG did not ask has no row in a transcription
    theirs = bl.read(path)
    plays = theirs.decisions[theirs.decisions["kind"] != "no_double"]
    twins = [t for name, t in tables.items() if name.startswith(path.stem)]
    if not twins:
        pytest.skip("no transcription of this match")
    for t in twins:
        same(t.games, theirs.games, GAMES)
        same(
            t.matches,
            theirs.matches,
            ["player0", "player1", "length", "winner", "result", "jacoby", "beaver"],
        )
        same(t.decisions, plays, PLAYS)
        # XG says of a match that ended so only that it was resigned
        ended = theirs.games["ended"].tolist()
        assert [e for e, x in zip(t.games["ended"], ended, strict=True) if x != "resigned"] == [
            e for e in ended if e != "resigned"
        ]


@pytest.mark.parametrize(
    "name", ["m1_dmp", "m3_utf8", "m5_midgame", "paris-7pt", "money_beaver_raccoon_resign"]
)
def test_the_same_match_from_gnubg(name, tables, reference):
    theirs = bl.read(reference(f"backgammon/sgf/{name}.sgf"))
    t = tables[f"{name}.mat"]
    same(t.games, theirs.games, [*GAMES, "ended"])
    plays = theirs.decisions[theirs.decisions["kind"] != "no_double"]
    if name.startswith("money"):
        plays = plays[
            plays["played"] != "Take"
        ]  # the take after a raccoon, which a .mat does not write
    same(t.decisions, plays, PLAYS)


@pytest.mark.parametrize("path", XG, ids=lambda p: p.stem)
def test_written_and_read_again(path):
    before = bl.read(path)
    t = derive(mat.read(to_mat(before).encode(), "again.mat").tables()).validate()
    plays = before.decisions[before.decisions["kind"] != "no_double"]
    same(t.games, before.games, GAMES)
    same(
        t.matches,
        before.matches,
        ["player0", "player1", "length", "winner", "result", "variant", "event", "round"],
    )
    # an illegal play is written as the position that it led to
    illegal = plays["illegal"].tolist()
    same(t.decisions, plays, [name for name in PLAYS if name != "played"])
    same(t.decisions[~t.decisions["illegal"]], plays[~plays["illegal"]], ["played"])
    assert t.problems["code"].tolist() == ["illegal_play"] * sum(illegal)


@pytest.mark.parametrize(
    "name",
    [
        "bgc-003.txt",
        "bgc-084.txt",
        "galaxy-match9949189.txt",
        "m3_utf8.mat",
        "UL-CV6F9jMM-E1Pu.mat",
    ],
)
def test_boards_equal_those_of_another_reader(name, tables, reference):
    gvformat = pytest.importorskip("gvformat")
    theirs = gvformat.convert_mat(reference(f"backgammon/mat/{name}"))
    d = tables[name].decisions
    for number, game in enumerate(theirs["games"], 1):
        rows = d[(d["game"] == number) & d["roll"].notna()]
        boards = points_of(rows["position"].tolist())
        ids = [ply["ogid_before"] for ply in game["plies"] if ply["ogid_before"].split(":")[_DICE]]
        ours = [_both(_own(board), _own(-board[::-1])) for board in boards]
        # where a game was given up after a roll, that reader leaves the roll out
        assert [_both(*_sides(one)) for one in ids] == ours[: len(ids)]
        assert len(ids) >= len(ours) - 1


_DICE = 3  # field of an OGID


def _own(board):
    """Points of a side's checkers in its own view, each as often as it holds some."""
    return sorted(np.repeat(np.arange(26), np.maximum(board, 0)).tolist())


def _both(one, two):
    return sorted([one, two])


def _sides(ogid):
    """Both sides of an OGID in their own views: a character is a point in base 36, white goes up."""
    white, black = (sorted(int(c, 36) for c in side) for side in ogid.split(":")[:2])
    return sorted(25 - p for p in white), black
