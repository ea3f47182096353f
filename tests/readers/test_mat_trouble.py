"""Transcriptions that were cut short or damaged: none looks whole, none does worse than a ReadError."""

import os
import random
import time
from pathlib import Path

import pytest

from blunderlab import ReadError
from blunderlab.pricing import derive
from blunderlab.readers import mat

DATA = os.environ.get("BLUNDERLAB_DATA", "")
FILES = sorted(Path(DATA, "backgammon/mat").glob("*")) if DATA else []

WHOLE = b"""; [Site "Here"]
; [Player 1 "Ann"]

3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                42: 8/4 6/4
  2)  Doubles => 2               Takes
  3) 64: 8/2 6/2                65: 24/13
      Wins 2 points

 Game 2
 Ann : 2                        Bob : 0
  1) 62: 24/18 13/11            61: 13/7* 8/7
  2) 54: bar/20 24/20            Losses 2 point
      Wins 2 points and the match
"""


def outcome(data):
    """What became of a file: "refused", "said to be cut", or "whole"."""
    try:
        t = mat.read(data, "cut.mat").tables().validate()
    except ReadError:
        return "refused"
    said = set(t.problems["code"]) & {"cut_short", "unfinished"}
    if not said:
        return "whole"
    assert t.matches["winner"].isna().all()
    assert said == {"unfinished"} or t.games["winner"].isna().iloc[-1]
    return "said to be cut"


def test_the_whole_is_whole():
    t = mat.read(WHOLE, "whole.mat").tables()
    assert (outcome(WHOLE), len(t.problems), t.matches["result"][0]) == ("whole", 0, "4-0")


def test_f30_no_cut_looks_whole():
    # From the loser's "Losses 2 point" on, everything has been said.
    said = WHOLE.index(b"Losses 2 point") + len(b"Losses 2 point")
    found = [outcome(WHOLE[:end]) for end in range(len(WHOLE))]
    assert set(found[: said - 1]) == {"refused", "said to be cut"}
    assert "whole" in found[said:]
    # Where a game ends so does a line: what comes before the first cannot be kept.
    assert set(found[: WHOLE.index(b"  1) 31") - 40]) == {"refused"}


@pytest.mark.parametrize("end", [
    b"; [Player 1", b"3 point mat", b"3 point match\n", b" Game 1\n", b"Bob : ", b"Bob : 0", b"  1", b"31: 8/5 6", b"31: 8/5",
    b"42: 8/4 6/", b"42: 8/4", b"Doub", b"Doubles =>", b"Doubles => ", b"Wins 2", b"Wins 2 poin", b" Game 2\n",
    b"Losses", b"Losses 2 po", b"and the mat",
])  # fmt: skip
def test_f30_cut_within_something(end):
    with pytest.raises(ReadError):
        mat.read(WHOLE[: WHOLE.index(end) + len(end)], "cut.mat").tables()


@pytest.mark.parametrize(
    "end",
    [
        b"Bob : 0\n",
        b"  1) ",
        b"31: ",
        b"31: 8/5 6/5",
        b"42: 8/4 6/4\n",
        b"Doubles => 2",
        b"Takes",
        b"65: 24/13",
    ],
)
def test_cut_between_two_things(end):
    t = mat.read(WHOLE[: WHOLE.index(end) + len(end)], "cut.mat").tables()
    assert t.problems["code"].tolist() == ["cut_short"]
    assert t.games[["winner", "points", "ended"]].isna().iloc[-1].all()
    assert t.matches[["winner", "result"]].isna().all(axis=None)


def test_cut_between_two_games():
    t = mat.read(WHOLE[: WHOLE.index(b" Game 2")], "cut.mat").tables()
    assert t.problems["code"].tolist() == ["unfinished"]
    assert (t.games["winner"].tolist(), t.matches["winner"].isna().tolist()) == ([0], [True])


def test_f30_reference_files_cut_anywhere():
    if not FILES:
        pytest.skip("BLUNDERLAB_DATA with backgammon/mat is not set")
    rng = random.Random(20)
    for path in FILES[::3]:
        data = path.read_bytes()
        length = mat.read(data, path).tables().matches["length"].astype(float)[0]
        if length != length:
            continue  # nobody knows how many games a money session had
        over = len(data.rstrip())
        # The winner's last checker, pass or resignation is at most two lines from the end.
        last = data.rfind(b"\n", 0, data.rfind(b"\n", 0, data.rfind(b"\n", 0, over)))
        for part in (0.3, 0.5, 0.7, 0.9, *(rng.random() for _ in range(2))):
            assert outcome(data[: int(part * last)]) != "whole", (path.name, part)


WORDS = [b"Doubles => 2", b" Takes", b" Drops", b"Beavers => 4", b"Raccoons => 8", b"Wins 4016 point", b"Losses 3 point", b"????",
         b"64:", b"66: 24/18(2) 13/7(2)", b"\n Game 2\n", b"\n7 point match\n", b" : 3    x : 99999999\n", b"Resigns", b"Forfeits", b"13/",
         b"31: Illegal play (7;0;0;0;1;A;B;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;)", b"\xff\xfe", b"\t",
         b"\r", b"\0", b"Lost on time", b"Doubles => 99999999999", b"bar/off", b"25/0", b"; [Variation \"HyperGammon (3)\"]\n",
         b"; [Variation \"?\"]\n", b"-1 point match\n", b"999999999 point match\n", b"; Set Pos=-b----E-C---eE---c-e----B-/-2\n"]  # fmt: skip


def mutant(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 10, 40])):
        at, kind = rng.randrange(len(data) + 1), rng.randrange(6)
        if kind == 0:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            data[at:at] = rng.choice(WORDS)
        elif kind == 2:
            del data[at : at + rng.choice([1, 2, 10, 100])]
        elif kind == 3:
            data[at : at + 1] = bytes([rng.choice(b"0123456789/:()*? \n")])
        else:
            lines = bytes(data).split(b"\n")
            line = lines.pop(rng.randrange(len(lines)))
            if kind == 4:
                place = rng.randrange(len(lines) + 1)
                lines[place:place] = [line, line]
            data = bytearray(b"\n".join(lines))
    return bytes(data)


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_file_is_refused_or_gives_valid_tables(seed):
    rng = random.Random(seed)
    seeds = [WHOLE, *(p.read_bytes() for p in FILES if p.stat().st_size < 6000)]
    read = 0
    for _ in range(60):
        try:
            derive(mat.read(mutant(rng.choice(seeds), rng), "mutant.mat").tables()).validate()
            read += 1
        except ReadError:
            pass
    assert read > 20


@pytest.mark.parametrize(
    "line",
    [
        b" : 1 ",
        b"11: illegal play (",
        b"[",
        b"\t",
        b"31: ",
        b"Game 1 ",
        b" ",
        b"9",
        b"8/5 ",
        b'; [a "b',
    ],
)
def test_long_lines_and_many_lines_are_read_in_time(line):
    head = b"3 point match\n Game 1\n"
    begin = time.process_time()
    for data in (
        head + line * 100_000,
        head + (line + b"\n") * 10_000,
        (line + b"\n") * 10_000 + head,
        line * 100_000,
    ):
        try:
            mat.looks_like(data)
            mat.read(data, "long.mat").tables().validate()
        except ReadError:
            pass
    assert time.process_time() - begin < 20
