"""Many files: order, what fails, and the same match in several files."""

import shutil

import pytest

import blunderlab as bl
from blunderlab.readers.many import expand


def test_copies_are_read_once_and_named(tmp_path, reference):
    for name in ("a.xg", "b.xg"):
        shutil.copy(reference("backgammon/xg/XCu3RJ0UvDg_Tldl.xg"), tmp_path / name)
    t = bl.read_many(tmp_path)
    assert len(t.matches) == 1
    assert not t.decisions.duplicated(["match_id", "game", "decision"]).any()
    assert t.problems["code"].tolist() == ["same_match"]
    assert t.problems["path"].tolist() == [str(tmp_path / "b.xg")]
    assert "a.xg" in t.problems["message"][0]


def test_one_match_by_two_programs_is_kept_twice_and_named(reference):
    files = [reference("backgammon/xg/paris-7pt.xg"), reference("backgammon/sgf/paris-7pt.sgf")]
    t = bl.read_many(files)
    assert len(t.matches) == 2
    assert t.problems["code"].tolist() == ["same_match"]
    assert t.problems["path"].tolist() == [str(files[1])]


def test_two_matches_of_one_pair_on_one_day_are_two(reference):
    # C07O and B4_S: Fox and Bluepoint02; r1 and r2 of one event. None is the other.
    names = [
        "C07OQCKyw4Pe-CnjFiAMYO",
        "B4_SrGcsKAQmoTyHlgJCbM",
        "aachen-double-7pt",
        "aachen-double-r2-7pt",
    ]
    t = bl.read_many([reference(f"backgammon/xg/{n}.xg") for n in names])
    assert len(t.matches) == 4
    assert not len(t.problems)


def test_exchanged_seats_are_still_one_match(reference):
    from dataclasses import replace

    from blunderlab.backgammon.record.same import same_matches

    t = bl.read(reference("backgammon/xg/paris-7pt.xg"))
    other = bl.Tables(**{name: frame.assign(match_id="f" * 16) for name, frame in vars(t).items()})
    turned = replace(other, decisions=other.decisions.assign(seat=1 - other.decisions["seat"]))
    both = bl.Tables.concat([t, turned])
    assert len(same_matches(both, seats=False)) == 1
    assert len(same_matches(both)) == 0


def test_folders_globs_and_order(tmp_path):
    for name in ("b.xg", "a.xg", "sub/c.xg", ".hidden"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    assert [p.name for p in expand(tmp_path)] == ["a.xg", "b.xg", "c.xg"]
    assert [p.name for p in expand([tmp_path / "b.xg", str(tmp_path / "a*")])] == ["b.xg", "a.xg"]
    assert [p.name for p in expand(str(tmp_path / "**" / "*.xg"))] == ["a.xg", "b.xg", "c.xg"]
    with pytest.raises(bl.ReadError, match="no such file"):
        expand(tmp_path / "none")
    with pytest.raises(bl.ReadError, match="no path"):
        expand([])


def test_nothing_readable_is_an_error(tmp_path):
    (tmp_path / "a.txt").write_text("hello")
    with pytest.raises(bl.ReadError, match="none of the formats"):
        bl.read_many(tmp_path)
