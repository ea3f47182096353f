"""The contract: saved tables come back, nobody's file is touched, damage is an error."""

from dataclasses import replace

import pytest

import blunderlab as bl


@pytest.fixture
def t():
    return bl.datasets.tables("aachen-double-7pt")


def test_a_folder_with_something_else_is_refused(tmp_path, t):
    t.save(tmp_path / "mine")
    (tmp_path / "mine" / "notes.txt").write_text("keep me")
    with pytest.raises(bl.SchemaError, match="something else"):
        t.save(tmp_path / "mine")
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep me"
    (tmp_path / "file").write_text("x")
    with pytest.raises(bl.SchemaError):
        t.save(tmp_path / "file")


def test_saved_tables_are_replaced_as_a_whole(tmp_path, t):
    t.save(tmp_path / "a")
    replace(t, figures=t.figures.head(1)).save(tmp_path / "a")
    assert len(bl.Tables.load(tmp_path / "a").figures) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a"]


def test_a_linked_folder_stays_a_link(tmp_path, t):
    t.save(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    t.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("name", ["decisions", "options", "matches", "figures"])
def test_damaged_files_are_named(tmp_path, t, name):
    t.save(tmp_path / "a")
    path = tmp_path / "a" / f"{name}.parquet"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(bl.ReadError, match=name):
        bl.Tables.load(tmp_path / "a")
    path.unlink()
    with pytest.raises(bl.ReadError):
        bl.Tables.load(tmp_path / "a")


@pytest.mark.parametrize(
    ("column", "value"), [("kind", "castle"), ("seat", 7), ("scored", None), ("error", "x")]
)
def test_values_that_cannot_be_are_refused(tmp_path, t, column, value):
    t.save(tmp_path / "a")
    d = t.decisions.astype({column: object})
    d.loc[3, column] = value
    try:
        d.to_parquet(tmp_path / "a" / "decisions.parquet")
    except Exception:  # pyarrow itself refuses to mix: then there is no such file
        d[column] = d[column].astype(str)
        d.to_parquet(tmp_path / "a" / "decisions.parquet")
    with pytest.raises(bl.ReadError):
        bl.Tables.load(tmp_path / "a")


def test_an_export_beside_matches_does_not_hide_them(tmp_path, reference):
    (tmp_path / "a.xg").write_bytes(reference("backgammon/xg/XCu3RJ0UvDg_Tldl.xg").read_bytes())
    bl.read(tmp_path / "a.xg").decisions.to_parquet(tmp_path / "decisions.parquet")
    found = bl.read_many(tmp_path)
    assert len(found.matches) == 1
    assert found.problems["code"].tolist() == ["unreadable"]


def test_repeated_keys_are_a_fault(t):
    with pytest.raises(bl.SchemaError, match="repeat a key"):
        bl.Tables.concat([t, t]).validate()


def test_tables_compare_by_identity(t):
    assert t == t
    assert len({t, replace(t)}) == 2


def test_an_empty_folder_is_an_error(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(bl.ReadError, match="no file"):
        bl.read_many(tmp_path / "empty")


def test_orphans_and_bad_temperatures(t):
    with pytest.raises(bl.SchemaError, match="belong to no decision"):
        bl.derive(replace(t, decisions=t.decisions.iloc[10:]))
    with pytest.raises(bl.SchemaError, match="belong to no decision"):
        bl.derive(replace(t, decisions=t.decisions.iloc[:0]))
    for tau in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="temperature"):
            bl.derive(t, tau=tau)


def test_derive_reads_the_match_of_every_row_not_the_list_of_matches():
    both = bl.datasets.tables()
    cut = bl.derive(replace(both, matches=both.matches.iloc[:1]))
    assert cut.decisions["equity_best"].equals(both.decisions["equity_best"])


def test_a_frame_back_from_csv_has_the_same_rates(tmp_path, t):
    import pandas as pd

    t.decisions.to_csv(tmp_path / "d.csv", index=False)
    back = pd.read_csv(tmp_path / "d.csv", dtype={"match_id": "str"})
    one, two = (bl.measure.rates(d, "xg", by="seat") for d in (t.decisions, back))
    assert one["n_decisions"].tolist() == two["n_decisions"].tolist()
    assert one["pr"].tolist() == pytest.approx(two["pr"].tolist())
