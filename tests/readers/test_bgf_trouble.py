"""BGBlitz's files that are cut, changed or odd: what is refused, what costs a row, what is never swallowed."""

import gzip
import json
import random
import zlib

import pytest
from bgfbytes import GREEN, HEADER, RED, action, cube, dance, encode, game, match, pack, play, value

from blunderlab import ReadError
from blunderlab.pricing import derive
from blunderlab.readers import bgf
from blunderlab.readers.bgf import rows as bgf_rows

OPENING = [(24, 23), (13, 8)]
PLAY = play(GREEN, (5, 1), OPENING, [([(13, 8), (6, 5)], 0.02), (OPENING, -0.03)], luck=0.1)
REPLY = play(RED, (6, 1), [(13, 7), (8, 7)], [([(13, 7), (8, 7)], 0.2)], luck=0.2,
             equity=value(0.524, 0.4, cube=cube(0.53, 0.52, 0.56)))  # fmt: skip
DOUBLE = value(0.524, 0.4, cube=cube(0.53, 0.545, 0.56))
START = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0]
SMALL = match(
    game(PLAY, REPLY, action(GREEN, 1, DOUBLE), action(RED, 2), play(GREEN, (2, 1), [(24, 21)]), dance(RED, (3, 3)),
         action(RED, 9), action(GREEN, 4), won=2, initial={"cube": 1, "cubeOwner": 0, "points": START}),
    game(PLAY, REPLY, action(GREEN, 1, DOUBLE), action(RED, 3), action(GREEN, 4), green=2, won=1),
    finalGreen=3, count=2,
)  # fmt: skip


def fresh(document=SMALL):
    """A copy in which no two places share an object."""
    return json.loads(json.dumps(document))


def read(data):
    return derive(bgf.read(data, "a.bgf").tables()).validate()


def small(*moves, **about):
    return read(pack(match(game(*moves), **about)))


def refused(data):
    with pytest.raises(ReadError) as caught:
        bgf.read(data, "a.bgf").tables()
    assert caught.value.format == "bgf"
    assert caught.value.path == "a.bgf"
    return caught.value


def test_the_small_match_itself_is_whole():
    t = read(pack(SMALL))
    assert t.problems["code"].tolist() == ["illegal_play"]  # red could enter: his dance is none
    assert t.games["winner"].tolist() == [0, 0]


# --- the file ------------------------------------------------------------------------------------


@pytest.mark.parametrize("smile", [True, False])
@pytest.mark.parametrize("wrapper", [gzip.compress, None])
def test_a_cut_file_is_never_a_shorter_match(smile, wrapper):
    data = pack(SMALL, smile, wrapper)
    for cut in sorted({0, 1, 10, *range(0, len(data), max(len(data) // 60, 1)), len(data) - 1}):
        error = refused(data[:cut])
        assert error.offset is None or 0 <= error.offset <= 1 << 26
        assert "copy it again" in error.reason


def test_a_changed_byte_of_a_packed_match_is_found_by_its_check_sum():
    data = bytearray(pack(SMALL))
    for at in range(len(data) - 10, 80, -37):
        data[at] ^= 0x10
        refused(bytes(data))
        data[at] ^= 0x10


@pytest.mark.parametrize(
    ("data", "offset", "words"),
    [
        (b"", 0, "first line does not end"),
        (b'{"format":"BGF"}', 16, "first line does not end"),
        (b'{"format":"OGXM"}\n', 0, "names the format"),
        (b'["BGF"]\n{}', 0, "names the format"),
        (b'{"format":"BGF"\n{}', 15, "no JSON"),
        (b'{"format":"BGF"}\n', 17, "the match is missing"),
        (b'{"format":"BGF"}\nRGMH', 17, "nothing that is packed"),
        (b'{"format":"BGF"}\n{"games":', 26, "no JSON"),
        (b'{"format":"BGF"}\n{"a":"\xff"}', 23, "not UTF-8"),
        (b'{"format":"BGF"}\n{"a":' + b"9" * 5000 + b"}", 17, "no JSON that a match has"),
        (b'{"format":"BGF"}\n' + b'{"a":' * 100000, 17, "no JSON that a match has"),
        (b'{"format":"BGF"}\n' + encode([1]), 17, "is no match"),
        (b'{"format":"BGF"}\n' + encode("x")[:-1], 22, "ends too early"),
        (b'{"format":"BGF"}\n' + zlib.compress(encode({}) + b"x"), 6, "goes on after its value"),
        (
            b'{"format":"BGF"}\n' + gzip.compress(encode({}), mtime=0) + b"more",
            17 + len(gzip.compress(encode({}), mtime=0)),
            "follows",
        ),
        (b'{"format":"BGF"}\n' + gzip.compress(b":)\n\x01\xe8", mtime=0), 4, "binary data"),
    ],
)
def test_what_is_no_file_of_bgblitz_is_refused_with_its_place(data, offset, words):
    error = refused(data)
    assert words in error.reason
    assert error.offset == offset


def test_a_bomb_is_not_unpacked():
    error = refused(json.dumps(HEADER).encode() + b"\n" + gzip.compress(bytes(1 << 27), 1))
    assert "unpacks to more than" in error.reason


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"matchlen": -3}, "match length of -3"),
        ({"matchlen": 40000}, "match length of 40000"),
        ({"matchlen": None}, "match length of None"),
        ({"games": []}, "no games"),
        ({"games": None}, "no games"),
        ({"games": [3]}, "no games"),
        ({"games": [{"scoreGreen": 0}]}, "no list of moves"),
    ],
)
def test_a_document_that_is_no_match_is_refused(about, words):  # F-26
    assert words in refused(pack({**SMALL, **about})).reason


def test_sixteen_checkers_are_refused_by_game_and_move():  # F-31
    document = fresh()
    document["games"][1]["initial"] = {"points": [*START[:18], 6, *START[19:]]}
    error = refused(pack(document))
    assert "more than 15 checkers" in error.reason
    assert "game 2, move 1" in error.reason


# --- a record ------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["NaN", "Infinity", "-7.0", "two", None, "1e999"])
@pytest.mark.parametrize("name", ["myWins", "emg"])
def test_one_bad_evaluation_costs_its_row(bad, name):  # F-29
    document = fresh()
    document["games"][0]["moves"][0]["moveAnalysis"][1]["eq"][name] = bad
    t, whole = read(pack(document)), read(pack(SMALL))
    assert len(t.problems) == len(whole.problems) + (name == "myWins" or bad != "-7.0")
    odd = t.decisions["scored"] != whole.decisions["scored"]
    assert t.decisions.index[odd].tolist() == ([0] if len(t.problems) > len(whole.problems) else [])
    assert t.decisions["luck"].equals(whole.decisions["luck"])
    assert t.decisions["played"].equals(whole.decisions["played"])


@pytest.mark.parametrize("bad", ["NaN", "x", None, "77.0"])
def test_one_bad_cube_evaluation_costs_its_rows(bad):
    document = fresh()
    document["games"][1]["moves"][2]["equity"] = fresh(DOUBLE)
    document["games"][1]["moves"][2]["equity"]["cubeDecision"]["eqDoubleTake"] = bad
    t, whole = read(pack(document)), read(pack(SMALL))
    rows = (t.decisions["game"] == 2) & t.decisions["kind"].isin(["double", "pass"])
    assert t.decisions.loc[rows, "no_double"].isna().all()
    assert (t.decisions["scored"] == (whole.decisions["scored"] & ~rows)).all()
    assert t.problems["code"].value_counts().drop("illegal_play").sum() == 2


@pytest.mark.parametrize(
    ("moves", "code", "kinds"),
    [
        ([PLAY, action(RED, 17)], "unknown_record", ["checker"]),
        ([PLAY, action(RED, 2)], "bad_record", ["checker"]),
        ([PLAY, action(RED, 1), action(RED, 3)], "bad_record", ["checker", "double"]),
        ([PLAY, action(RED, 1), action(RED, 1)], "bad_record", ["checker", "double"]),
        (
            [PLAY, action(RED, 1), action(GREEN, 2), PLAY, action(RED, 1)],
            "bad_record",
            ["checker", "double", "take", "checker"],
        ),
        (
            [PLAY, action(RED, 1), REPLY],
            "bad_record",
            ["checker", "double", "no_double", "checker"],
        ),
        ([PLAY, {**REPLY, "player": 0}, PLAY], "bad_record", ["checker", "checker"]),
        ([PLAY, {**REPLY, "red": 8}, PLAY], "bad_record", ["checker", "checker"]),
        ([PLAY, {**REPLY, "from": [30, 1, -1, -1]}, PLAY], "bad_record", ["checker", "checker"]),
        ([PLAY, {**REPLY, "from": "x"}, PLAY], "bad_record", ["checker", "checker"]),
        ([PLAY, {**dance(RED, (1, 1)), "from": [9]}, PLAY], "bad_record", ["checker", "checker"]),
        ([PLAY, None, PLAY], "bad_record", ["checker", "checker"]),
        ([play(GREEN, (5, 1), [(6, 1), (6, 5)])], "illegal_play", ["checker"]),
        ([play(GREEN, (5, 1), [(13, 9), (6, 5)])], "illegal_play", ["checker"]),
        ([play(GREEN, (5, 1), [(6, 5)], [([(13, 8), (6, 5)], 0.1)])], "illegal_play", ["checker"]),
        (
            [play(GREEN, (5, 1), OPENING, [([(13, 8), (6, 5)], 0.1)])],
            "play_not_listed",
            ["checker"],
        ),
        ([{**PLAY, "moveAnalysis": [3]}], "bad_analysis", ["checker"]),
        ([{**PLAY, "moveAnalysis": {"a": 1}}], "bad_analysis", ["checker"]),
    ],
)
def test_an_odd_record_is_named_with_game_and_move(moves, code, kinds):
    t = small(*moves)
    assert set(t.problems["code"]) == {code}
    assert t.problems["game"].tolist()[:1] == [1]
    assert t.decisions["kind"].tolist() == kinds


def test_what_follows_a_record_that_is_lost_has_no_board():
    t = small(PLAY, {**REPLY, "red": 8}, PLAY)
    assert t.decisions["position"].isna().tolist() == [False, True]
    assert "not known" in t.problems["message"].iloc[0]


@pytest.mark.parametrize(
    ("about", "games", "code"),
    [
        ({"count": 3}, [{}], "game_missing"),
        ({}, [{"scoreGreen": 9}], "bad_score"),
        ({}, [{"scoreGreen": "x"}], "bad_score"),
        ({"finalGreen": 1}, [{}, {}], "bad_result"),  # the score does not move between the games
        ({"finalGreen": 2}, [{}, {"scoreGreen": 1, "scoreRed": 1}], "game_missing"),
        ({"finalGreen": 2}, [{"wonPoints": 4}], "bad_result"),
        ({}, [{"wonPoints": 4}], "bad_result"),
        ({}, [{"initial": {"points": [1, 2]}}], "bad_record"),
    ],
)
def test_scores_that_do_not_fit_are_named(about, games, code):
    t = read(pack(match(*[{**game(PLAY), **one} for one in games], **about)))
    assert code in t.problems["code"].tolist()


def test_a_game_whose_score_cannot_be_has_rows_without_score():
    t = small(PLAY)
    assert t.decisions["away"].tolist() == [7]
    bad = read(pack(match({**game(PLAY), "scoreGreen": 8})))
    assert bad.decisions["away"].isna().all()


# --- anything ------------------------------------------------------------------------------------

ODD = [None, True, False, -1, 0, 7, 25, 26, 99, 1 << 40, -(1 << 70), 0.5, float("nan"), "", "x", "NaN", "-999.0",
       "1e999", [], [3], {}, {"from": 1}, "BGF"]  # fmt: skip


def mutants(document, n, seed):
    """Copies of a document with one to three of its values, names or entries changed."""
    rng = random.Random(seed)
    for _ in range(n):
        changed = fresh(document)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            box, way = changed, []
            while True:
                keys = list(box) if isinstance(box, dict) else range(len(box))
                if not len(keys):
                    break
                key = rng.choice(list(keys))
                way.append((box, key))
                if not isinstance(box[key], dict | list) or rng.random() < 0.08:
                    break
                box = box[key]
            if not way:
                continue
            box, key = way[-1]
            what = rng.random()
            if what < 0.7:
                box[key] = rng.choice(ODD)
            elif what < 0.85:
                del box[key]
            elif isinstance(box, list):
                box.append(fresh(box[key]))
            else:
                box[key] = fresh(rng.choice(list(box.values())))
        yield changed


@pytest.mark.parametrize("seed", range(4))
def test_changed_documents_give_a_read_error_or_valid_tables(seed):
    refusals = 0
    for document in mutants(SMALL, 90, seed):
        try:
            read(pack(document, smile=False, wrapper=None))
        except ReadError:
            refusals += 1
    assert 0 < refusals < 45


@pytest.mark.parametrize("smile", [True, False])
def test_changed_bytes_give_a_read_error_or_valid_tables(smile):
    whole, rng = pack(SMALL, smile, wrapper=None), random.Random(7)
    for _ in range(100):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 5])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            read(bytes(data))
        except ReadError:
            pass


def test_a_planted_fault_escapes(monkeypatch):
    def broken(*args):
        raise ZeroDivisionError

    monkeypatch.setattr(bgf_rows, "apply", broken)
    with pytest.raises(ZeroDivisionError):
        small(PLAY)
