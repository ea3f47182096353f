"""What goes wrong with gnuBG, or with what it is given, is said: nothing looks whole that is not."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import blunderlab as bl
from blunderlab.backgammon.record.mat import to_mat
from blunderlab.engines import gnubg, gnubg_run

HANGS = 'sleep 600 & echo $! > "$PIDS"; echo $$ >> "$PIDS"; wait'


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Put a shell script in gnuBG's place."""

    def put(script):
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "gnubg").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "gnubg").chmod(0o755)
        monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))

    return put


@pytest.fixture
def mat(tmp_path):
    """A record that nothing is wrong with."""
    path = tmp_path / "a.mat"
    path.write_bytes(bl.datasets.path("a-3pt.mat").read_bytes())
    return path


def tables():
    return bl.read(bl.datasets.path("a-3pt.sgf"))


# -- the program ----------------------------------------------------------------------------------


def test_without_gnubg_there_is_a_hint(monkeypatch, tmp_path, mat):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(gnubg_run, "_GAMES", str(tmp_path))
    for call in (gnubg.find, lambda: gnubg.analyse(mat)):
        with pytest.raises(
            bl.EngineError, match="gnuBG is not installed: install it .*apt install gnubg"
        ):
            call()


def test_what_is_no_program(fake, tmp_path, mat):
    fake("")
    (tmp_path / "bin" / "gnubg").write_bytes(b"\0\1")
    with pytest.raises(bl.EngineError, match="gnuBG does not start"):
        gnubg.analyse(mat)


def running(pid):
    """A process that is there and not just waiting to be taken note of."""
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here")
def test_out_of_time_it_is_ended_with_all_that_it_started(fake, tmp_path, monkeypatch, mat):
    monkeypatch.setenv("PIDS", str(tmp_path / "pids"))
    fake(HANGS)
    start = time.monotonic()
    with pytest.raises(
        bl.EngineError,
        match=r"more than 1 s for .*a\.mat and was ended: allow more, or fewer plies",
    ):
        gnubg.analyse(mat, timeout=1)
    assert time.monotonic() - start < 20
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 2
    deadline = time.monotonic() + 5
    while any(map(running, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(running, pids))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "echo the board is on fire >&2; kill -SEGV $$",
            r"broke off at .*a\.mat \(signal SIGSEGV\).*the board is on fire",
        ),
        ("exit 3", r"broke off at .*a\.mat \(exit code 3\); it said: nothing"),
        ("exit 0", r"cannot import .*a\.mat; it said: nothing"),
        (
            "echo in.mat: not a valid .mat file >&2",
            r"cannot import .*a\.mat; it said: a\.mat: not a valid \.mat file",
        ),
        ("echo '(;GM[6' > out.sgf", r"analysis of .*a\.mat cannot be read: .*cut short"),
        ("echo '(;GM[6]MI[length:3])' > out.sgf", r"found no play in .*a\.mat"),
    ],
)
def test_no_result_is_an_error(fake, mat, script, words):
    fake(script)
    with pytest.raises(bl.EngineError, match=words):
        gnubg.analyse(mat)


def test_it_sees_neither_the_users_settings_nor_language(fake, tmp_path, mat, monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    fake(f'echo "$HOME|$LANG|$LC_ALL|$PYTHONPATH|$PWD|$*" > "{tmp_path}/seen"')
    with pytest.raises(bl.EngineError):
        gnubg.analyse(mat)
    home, lang, lc_all, python, cwd, options = (tmp_path / "seen").read_text().strip().split("|")
    assert home == cwd != os.environ.get("HOME")
    assert (lang, lc_all, python) == ("", "C.UTF-8", "")
    assert "-r" in options.split()
    assert not Path(home).exists()


# -- what it is given -----------------------------------------------------------------------------


@pytest.mark.engine("gnubg")
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "a.txt",
            b"hello",
            r"cannot import .*a\.txt; it said: The format of 'a.txt' is not recognized",
        ),
        ("a.mat", b"", r"cannot import .*a\.mat"),
        (
            "a.sgf",
            b"(;GM[1]FF[4];B[aa])",
            r"cannot import .*a\.sgf; it said: .*no backgammon games",
        ),
        ("a.sgf", b"(;GM[6]FF[4];W[31he", r"cannot import .*a\.sgf; it said: .*syntax error"),
        (
            "a.mat",
            b" 99 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n",
            "must be between 0 .* and 64",
        ),
        ("a.mat", b" 7 point match\n", r"cannot import .*a\.mat; it said: nothing"),
        ("a.mat", b" 7 point match\n\n Game 1\n A : 0      B : 0\n", r"found no play in .*a\.mat"),
    ],
)
def test_what_it_cannot_import(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(bl.EngineError, match=words):
        gnubg.analyse(tmp_path / name, plies=0)


@pytest.mark.engine("gnubg")
def test_no_such_file_and_no_backgammon(tmp_path):
    with pytest.raises(bl.ReadError, match="No such file"):
        gnubg.analyse(tmp_path / "none.mat")
    t = tables()
    chess = t.decisions["discipline"].where(t.decisions["discipline"].isna(), "chess")
    with pytest.raises(bl.SchemaError, match="is not backgammon"):
        gnubg.analyse(replace(t, decisions=t.decisions.assign(discipline=chess)))
    assert not len(gnubg.analyse(bl.Tables.build()).decisions)


@pytest.mark.engine("gnubg")
@pytest.mark.parametrize("name", ['it\'s "quoted" .mat', "ü 名.txt", "-r.mat", "a;b$HOME.mat"])
def test_any_name_of_a_file(tmp_path, name):
    (tmp_path / name).write_bytes(
        b" 5 point match\n\n Game 1\n A : 0      B : 0\n  1) 31: 8/5 6/5\n"
    )
    t = gnubg.analyse(tmp_path / name, plies=0, keep=tmp_path / "kept")
    assert t.matches["path"].tolist() == [str(tmp_path / name)]
    assert t.decisions["played"].tolist() == ["8/5 6/5"]
    assert [p.name for p in (tmp_path / "kept").iterdir()] == [Path(name).stem + ".sgf"]


@pytest.mark.engine("gnubg")
@pytest.mark.parametrize(
    ("white", "black", "charset"),
    [
        ("Jürgen", "名人", "utf-8"),
        ("Jürgen", "Bob", "latin-1"),
        ("A]B\\C:D", "O'Neil; (x)", "utf-8"),
        ("", "", "utf-8"),
        ("Ann, 1600", "a beaver", "utf-8"),
        ("N" * 60, "Game 2", "utf-8"),
        ("Bob", "Bob", "utf-8"),
    ],
)
def test_any_name_of_a_player(tmp_path, white, black, charset):
    text = f" 5 point match\n\n Game 1\n {white} : 1      {black} : 2\n  1) 31: 8/5 6/5     62: 24/18 13/11\n"
    (tmp_path / "a.mat").write_bytes(text.encode(charset))
    t = gnubg.analyse(tmp_path / "a.mat", plies=0)
    assert t.matches[["player0", "player1"]].to_numpy().tolist() == [[white, black]]
    plays = t.decisions[t.decisions["kind"] == "checker"]
    assert plays["player"].tolist() == [white, black]
    assert plays[["away", "opponent_away"]].to_numpy().tolist() == [[4, 3], [3, 4]]
    assert t.matches["date"].isna().all()  # not the day of the file
    again = gnubg.analyse(t, plies=0)
    pd.testing.assert_frame_equal(again.decisions, t.decisions)
    pd.testing.assert_frame_equal(again.matches, t.matches)


# -- what it makes of it --------------------------------------------------------------------------


@pytest.mark.engine("gnubg")
def test_a_play_that_cannot_be_is_noticed_in_a_mat(mat):
    text = mat.read_text()
    assert "61: 24/23 22/16*" in text
    mat.write_text(text.replace("61: 24/23 22/16*", "61: 12/6 7/6"))
    t = gnubg.analyse(mat, plies=0).validate()
    # What the transcription's reader finds stands before what gnuBG says.
    codes = t.problems["code"].unique().tolist()
    assert codes == ["illegal_play", "lost_board", "engine_complains", "not_followed"]
    row = t.problems.iloc[-1]
    assert row["game"] == 1
    assert row["message"].startswith("gnuBG followed 6 of the 49 plays and cube actions of game 1 and has ")
    whole = bl.read(bl.datasets.path("a-3pt.sgf")).decisions["game"].value_counts()
    kept = t.decisions[t.decisions["kind"] == "checker"]["game"].value_counts()
    assert kept[1] == 6
    assert t.decisions["game"].value_counts()[2] == whole[2]
    assert 1 not in set(t.figures["game"])
    assert set(t.options["decision"]) <= set(t.decisions["decision"])


@pytest.mark.engine("gnubg")
def test_a_play_that_is_not_the_records_is_noticed_in_tables():
    t = tables()
    rows = t.decisions.index[(t.decisions["game"] == 2) & (t.decisions["kind"] == "checker")]
    changed = t.decisions["played"].astype(object)
    changed[rows[9]] = (
        "6/5"  # an honest play of another roll: the boards after it are not the record's
    )
    changed = replace(t, decisions=t.decisions.assign(played=changed.astype("str")))
    again = gnubg.analyse(changed, plies=0).validate()
    assert again.problems["code"].iloc[-1] == "not_followed"
    assert again.problems["game"].iloc[-1] == 2
    assert "gnuBG followed 10 of the " in again.problems["message"].iloc[-1]
    kept = again.decisions[(again.decisions["game"] == 2) & (again.decisions["kind"] == "checker")]
    assert kept["position"].tolist() == t.decisions.loc[rows[:10], "position"].tolist()
    whole = t.decisions[t.decisions["kind"] != "no_double"]["game"].value_counts()
    others = again.decisions[again.decisions["kind"] != "no_double"]["game"].value_counts()
    assert others.drop(2).to_dict() == whole.drop(2).to_dict()


@pytest.mark.engine("gnubg")
@pytest.mark.parametrize("seat", [0, 1])
def test_an_illegal_play_is_followed(seat):
    t = tables()
    plays = (
        (t.decisions["game"] == 2)
        & (t.decisions["kind"] == "checker")
        & (t.decisions["seat"] == seat)
    )
    row = t.decisions.index[plays & (t.decisions["played"] != "Cannot Move")][4]
    d = t.decisions.assign(illegal=t.decisions.index == row)
    again = gnubg.analyse(replace(t, decisions=d), plies=0).validate()
    assert again.problems["code"].tolist() == ["illegal_play"]
    assert again.problems["game"].tolist() == [2]
    columns = ["game", "seat", "kind", "roll", "position", "played", "illegal"]
    one, two = (
        x[x["kind"] != "no_double"][columns].reset_index(drop=True) for x in (again.decisions, d)
    )
    pd.testing.assert_frame_equal(one, two)
    unscored = again.decisions[again.decisions["illegal"]].iloc[0]
    assert not unscored["scored"]
    assert bl.reconcile.compare(again, "gnubg")["within"].all()


@pytest.mark.engine("gnubg")
def test_only_a_roll(tmp_path):
    (tmp_path / "a.mat").write_bytes(
        b" 5 point match\n\n Game 1\n A : 0      B : 0\n  1) 31: ????\n      Wins 1 point\n"
    )
    t = gnubg.analyse(tmp_path / "a.mat", plies=0).validate()
    assert t.decisions[["kind", "roll"]].to_numpy().tolist() == [["roll", "31"]]
    assert t.decisions["luck"].notna().all()
    assert t.problems["code"].tolist() == ["unfinished"]  # a match to 5 that ends at 1-0
    again = gnubg.analyse(t, plies=0)
    pd.testing.assert_frame_equal(again.decisions, t.decisions)


@pytest.mark.engine("gnubg")
def test_no_crawford_rule_is_noticed():
    t = tables()
    games = t.games.assign(
        crawford=t.games["crawford"].where(t.games["crawford"] != "crawford", "post")
    )
    again = gnubg.analyse(replace(t, games=games), plies=0)
    (game,) = t.games.loc[t.games["crawford"] == "crawford", "game"]
    assert again.problems[["code", "game"]].to_numpy().tolist() == [["bad_rules", game]]
    assert (
        "the record says post of this game, gnuBG analysed it as crawford"
        in again.problems["message"].iloc[0]
    )


@pytest.mark.engine("gnubg")
def test_one_match_of_many_fails():
    good, bad = tables(), tables()
    bad = replace(bad, matches=bad.matches.assign(length=pd.array([99], "Int16")))
    bad = bl.Tables(
        **{name: f.assign(match_id="0" * 16).astype(f.dtypes) for name, f in vars(bad).items()}
    )
    t = gnubg.analyse(bl.Tables.concat([bad, good]), plies=0).validate()
    assert t.matches["match_id"].tolist() == good.matches["match_id"].tolist()
    assert t.problems[["code", "match_id"]].to_numpy().tolist() == [["not_analysed", "0" * 16]]
    assert "must be between 0" in t.problems["message"].iloc[0]
    with pytest.raises(bl.EngineError, match="must be between 0"):
        gnubg.analyse(
            bl.Tables.concat(
                [
                    bad,
                    bl.Tables(
                        **{
                            n: f.assign(match_id="1" * 16).astype(f.dtypes)
                            for n, f in vars(bad).items()
                        }
                    ),
                ]
            )
        )


@pytest.mark.engine("gnubg")
def test_the_records_own_problems_stay(mat):
    t = tables()
    problems = bl.tables.frame("problems", {}, 1).assign(
        code="bad_record", message="lost", game=pd.array([1], "Int16")
    )
    problems = problems.assign(
        decision=pd.array([7], "Int16"), match_id=t.matches["match_id"].iloc[0]
    )
    problems = problems.astype(t.problems.dtypes)
    again = gnubg.analyse(replace(t, problems=problems), plies=0).validate()
    assert again.problems["code"].tolist() == ["bad_record"]
    assert again.problems["decision"].isna().all()  # that number was the record's
    assert to_mat(t).splitlines()[0] == " 3 point match"
