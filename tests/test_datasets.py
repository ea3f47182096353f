"""Shipped tables reload and reconcile; downloads are checked, used in place, and fail with advice.

The public repositories are not asked: a server of this process stands in for them.
"""

import hashlib
import os
import runpy
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pandas as pd
import pytest

import blunderlab as bl
from blunderlab import datasets

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = {
    "aachen-double-7pt": "xg",
    "paris-7pt": "xg",
    "paris-7pt-gnubg": "gnubg",
}  # rules of their tool


# -- shipped -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_tables_reload_and_reconcile(name):
    t = bl.read(datasets.path(name)).validate()
    assert len(t.matches) == 1
    assert t.matches["length"].tolist() == [7]
    assert not len(t.problems)
    found = bl.reconcile.compare(t, SHIPPED[name])
    assert len(found) >= 4
    assert found["within"].all()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_tables_are_small_and_name_nobody(name):
    folder = datasets.path(name)
    assert sum(p.stat().st_size for p in folder.iterdir()) < 600_000
    t = bl.Tables.load(folder)
    assert set(t.decisions["player"]) == {"seat 0", "seat 1"}
    row = t.matches.iloc[0]
    assert Path(row["path"]).stem == name.removesuffix("-gnubg")
    assert (row["player0"], row["player1"]) == ("seat 0", "seat 1")
    assert row[["event", "round", "rating0", "rating1"]].isna().all()
    assert t.decisions["note"].isna().all()


@pytest.mark.parametrize("name", SHIPPED)
def test_the_maker_makes_what_is_shipped(name, reference, tmp_path):
    made = runpy.run_path(str(ROOT / "datasets" / "make_tables.py"))
    file = made["RECORDS"][name]
    record = reference(f"backgammon/{file.rpartition('.')[2]}/{file}")
    made["tables"](name, record).save(tmp_path / name)
    again, kept = bl.Tables.load(tmp_path / name), bl.Tables.load(datasets.path(name))
    for table, frame in vars(kept).items():
        pd.testing.assert_frame_equal(getattr(again, table), frame)


def test_every_shipped_set_is_in_the_list_and_in_the_readme():
    found = datasets.list()
    assert list(found) == ["name", "what", "kind", "size", "licence", "source"]
    assert found["name"].is_unique
    shipped = found[found["kind"] == "shipped"]
    assert set(SHIPPED) <= set(shipped["name"])
    readme = (ROOT / "datasets" / "README.md").read_text("utf-8")
    assert not [name for name in shipped["name"] if f"`{name}" not in readme]
    assert (found["size"] > 0).all()
    assert not [
        name for name, what in zip(shipped["name"], shipped["what"], strict=True) if not what
    ]


def test_records_have_a_licence_and_an_address_at_a_commit():
    for record in datasets.RECORDS:
        assert record.licence == "MIT"
        assert record.url.startswith("https://raw.githubusercontent.com/")
        assert len(record.url.split("/")[5]) == 40
        assert record.url.isascii()
        assert " " not in record.url
        assert len(record.sha256) == 64


def test_path_of_what_is_not_shipped():
    with pytest.raises(bl.SchemaError, match="no shipped data 'nothing'; there are .*paris-7pt"):
        datasets.path("nothing")
    with pytest.raises(bl.SchemaError, match=r"fetch\(\) downloads it"):
        datasets.path("paris-7pt.xg")


def test_saved_folders_and_records_are_found_where_they_are(tmp_path, monkeypatch):
    monkeypatch.setattr("blunderlab.places.shipped", lambda folder: tmp_path)
    bl.Tables.build().save(tmp_path / "deep" / "saved")
    for name in ("README.md", "make_it.py", "deep/a.sgf"):
        (tmp_path / name).write_text("x")
    found = datasets.list()
    assert found.loc[found["kind"] == "shipped", "name"].tolist() == ["saved", "a.sgf"]
    assert datasets.path("a.sgf") == tmp_path / "deep" / "a.sgf"


# -- what notebooks read -------------------------------------------------------------------------


def test_tables_are_the_shipped_ones_when_nothing_is_said(monkeypatch):
    for value in (None, ""):
        if value is None:
            monkeypatch.delenv("BLUNDERLAB_FILES", raising=False)
        else:
            monkeypatch.setenv("BLUNDERLAB_FILES", value)
        assert datasets.tables().matches["path"].tolist() == [
            "aachen-double-7pt.xg",
            "paris-7pt.xg",
        ]
    assert datasets.tables("paris-7pt").matches["path"].tolist() == ["paris-7pt.xg"]
    assert len(datasets.tables(["paris-7pt"]).figures) == 4


def test_tables_are_the_readers_own(monkeypatch, reference):
    paths = [
        str(reference(f"backgammon/xg/{name}.xg")) for name in ("paris-7pt", "aachen-double-7pt")
    ]
    monkeypatch.setenv("BLUNDERLAB_FILES", os.pathsep.join(paths))
    assert datasets.tables("paris-7pt").matches["path"].tolist() == paths
    monkeypatch.setenv("BLUNDERLAB_FILES", "nowhere.xg")
    with pytest.raises(bl.ReadError, match=r"nowhere\.xg"):
        datasets.tables()


# -- downloads -----------------------------------------------------------------------------------

BYTES = b"a record"


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Serve one record from this machine; gives the paths that were asked for."""
    asked = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

    root = tmp_path / "server"
    root.mkdir()
    (root / "a.xg").write_bytes(BYTES)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=root)) as http:
        record = datasets.Record(
            "backgammon/xg/a.xg", "", f"http://127.0.0.1:{http.server_port}/a.xg",
            hashlib.sha256(BYTES).hexdigest(), len(BYTES), "MIT", "",
        )  # fmt: skip
        monkeypatch.setattr(datasets, "RECORDS", (record,))
        monkeypatch.setattr("pooch.os_cache", lambda name: tmp_path / "cache")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.delenv("BLUNDERLAB_DATA", raising=False)
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield asked
        http.shutdown()
        thread.join()


def test_a_download_goes_to_the_cache_once_and_silently(server, tmp_path, capfd):
    for _ in range(2):
        path = datasets.fetch("a.xg")
        assert path == tmp_path / "cache" / "backgammon" / "xg" / "a.xg"
        assert path.read_bytes() == BYTES
    assert server == ["/a.xg"]
    assert capfd.readouterr() == ("", "")


def test_a_download_goes_to_the_readers_folder(server, tmp_path, monkeypatch):
    monkeypatch.setenv("BLUNDERLAB_DATA", str(tmp_path / "own"))
    assert datasets.fetch("a.xg") == tmp_path / "own" / "backgammon" / "xg" / "a.xg"
    assert datasets.fetch("backgammon/xg/a.xg").read_bytes() == BYTES
    assert not (tmp_path / "cache").exists()


def test_a_folder_that_is_read_only_is_not_written_to(server, tmp_path, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    own.chmod(0o555)
    monkeypatch.setenv("BLUNDERLAB_DATA", str(own))
    assert datasets.fetch("a.xg").is_relative_to(tmp_path / "cache")
    assert not list(own.iterdir())


def test_another_file_in_its_place_is_left_alone(server, tmp_path, monkeypatch):
    own = tmp_path / "backgammon" / "xg" / "a.xg"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"mine")
    monkeypatch.setenv("BLUNDERLAB_DATA", str(tmp_path))
    with pytest.raises(bl.ReadError, match="move this file away"):
        datasets.fetch("a.xg")
    assert own.read_bytes() == b"mine"
    assert not server


def test_a_download_of_other_bytes_is_refused(server, tmp_path):
    (tmp_path / "server" / "a.xg").write_bytes(b"changed")
    with pytest.raises(bl.ReadError, match=r"does not match the known hash.* set BLUNDERLAB_DATA"):
        datasets.fetch("a.xg")
    assert not (tmp_path / "cache" / "backgammon" / "xg" / "a.xg").exists()


@pytest.mark.parametrize("how", ["gone", "no server"])
def test_without_a_network_the_error_says_what_to_do(how, server, tmp_path, monkeypatch):
    if how == "gone":
        (tmp_path / "server" / "a.xg").unlink()
    else:
        monkeypatch.setattr(
            datasets, "RECORDS", (replace(datasets.RECORDS[0], url="http://127.0.0.1:9/a.xg"),)
        )
    with pytest.raises(
        bl.ReadError,
        match=r"Check the network, or save the file as backgammon/xg/a\.xg in a folder",
    ):
        datasets.fetch("a.xg")


def test_an_unknown_record_lists_those_there_are():
    with pytest.raises(
        bl.SchemaError, match=r"no record 'b\.xg'; there are aachen-double-7pt\.xg, "
    ):
        datasets.fetch("b.xg")


@pytest.mark.parametrize("record", datasets.RECORDS, ids=lambda r: r.name)
def test_records_in_the_readers_folder_are_used_in_place(record, reference):
    path = reference(record.place)
    assert datasets.fetch(record.name) == path
    assert path.stat().st_size == record.size


def test_pooch_is_loaded_for_a_download_alone():
    code = "import sys, blunderlab.datasets as d; d.list(); sys.exit('pooch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
