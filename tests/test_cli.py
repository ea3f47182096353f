"""The command line: what it prints where, and its exit codes."""

from types import SimpleNamespace

import pandas as pd
import pytest

import blunderlab as bl
from blunderlab import cli, report
from blunderlab.tables import frame


@pytest.fixture
def tables():
    """One XG match with one decision."""
    ids = pd.array(["0123456789abcdef"], dtype="str")
    tool = pd.array(["XG"], dtype="str")
    return bl.Tables.build(
        decisions=frame("decisions", {"match_id": ids}, 1),
        matches=frame("matches", {"match_id": ids, "tool": tool}, 1),
        figures=frame("figures", {"match_id": ids, "tool": tool}, 1),
    )


@pytest.fixture
def compared(monkeypatch, tables):
    """Stand in for reader and comparison; gives what the comparison was asked."""
    asked = SimpleNamespace(within=True)

    def compare(t, rules, figures=None):
        asked.t, asked.rules, asked.figures = t, rules, figures
        return pd.DataFrame({"name": ["pr"], "ours": [3.1278], "within": [asked.within]})

    monkeypatch.setitem(vars(bl), "read", lambda path: tables)
    monkeypatch.setitem(vars(bl), "read_many", lambda paths, **_: tables)
    monkeypatch.setitem(vars(bl), "reconcile", SimpleNamespace(compare=compare))
    return asked


def test_reconcile_prints_the_table_and_tells_by_its_code(compared, capsys):
    assert cli.main(["reconcile", "a.xg"]) == 0
    assert compared.rules == "xg"
    out = capsys.readouterr().out
    assert "3.1278" in out
    assert out.endswith("1 of 1 within tolerance\n")
    compared.within = False
    assert cli.main(["reconcile", "a.xg", "--rules", "gnubg"]) == 1
    assert compared.rules == "gnubg"


def test_typed_figures_keep_their_digits(compared, tmp_path):
    typed = tmp_path / "f.json"
    typed.write_text(
        '{"seat0": {"pr": 3.10, "n_decisions": 156}, "seat1": {"loss_total": "19.85%"}}'
    )
    assert cli.main(["reconcile", "a.xg", "--figures", str(typed)]) == 0
    rows = compared.figures[["seat", "name", "value", "digits"]]
    want = [[0, "pr", 3.1, 2], [0, "n_decisions", 156, 0], [1, "loss_total", 0.1985, 4]]
    assert rows.to_numpy().tolist() == want
    assert list(compared.figures) == list(bl.Tables.build().figures)
    assert compared.figures["game"].isna().all()


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '{"seat0": {"pr": "three"}}'])
def test_figures_that_are_none_are_an_error(text, compared, tmp_path, capsys):
    typed = tmp_path / "f.json"
    typed.write_text(text)
    assert cli.main(["reconcile", "a.xg", "--figures", str(typed)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("blunderlab: ")
    assert told.err.count("\n") == 1


def test_errors_are_one_line_and_code_2(monkeypatch, capsys):
    def read(path):
        raise bl.ReadError(path, "xg", 10, "it ends\nthere")

    monkeypatch.setitem(vars(bl), "read", read)
    assert cli.main(["reconcile", "a.xg"]) == 2
    told = capsys.readouterr()
    assert told.err == "blunderlab: a.xg: cannot be read as xg, byte 10: it ends there\n"
    assert told.out == ""


def test_a_fault_of_the_package_escapes(monkeypatch):
    monkeypatch.setitem(vars(bl), "read", lambda path: {}["x"])
    with pytest.raises(KeyError):
        cli.main(["reconcile", "a.xg"])


@pytest.mark.parametrize(("ending", "read"), [("csv", pd.read_csv), ("parquet", pd.read_parquet)])
def test_decisions_are_written_by_ending(ending, read, compared, tmp_path, capsys):
    out = tmp_path / "new" / f"d.{ending}"
    assert cli.main(["decisions", "a.xg", "-o", str(out)]) == 0
    assert read(out)["match_id"].tolist() == ["0123456789abcdef"]
    assert [p.name for p in out.parent.iterdir()] == [out.name]
    assert capsys.readouterr().out == ""


def test_decisions_refuse_another_ending_before_reading(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(vars(bl), "read_many", None)
    assert cli.main(["decisions", "a.xg", "-o", str(tmp_path / "d.xlsx")]) == 2
    assert ".parquet or .csv" in capsys.readouterr().err


def test_decisions_of_nothing_leave_what_was_there(monkeypatch, tmp_path):
    monkeypatch.setitem(vars(bl), "read_many", lambda paths, **_: bl.Tables.build())
    out = tmp_path / "d.csv"
    out.write_text("old")
    assert cli.main(["decisions", "a.xg", "-o", str(out)]) == 2
    assert out.read_text() == "old"


def test_report_prints_table_and_path(compared, monkeypatch, tmp_path, capsys):
    asked = []

    def build(paths, out, progress):
        asked.append((paths, progress))
        return tmp_path

    monkeypatch.setattr(report, "build", build)
    assert cli.main(["report", "a.xg", "--out", str(tmp_path)]) == 0
    assert asked == [(["a.xg"], False)]
    out = capsys.readouterr().out
    assert "Our figures beside those of XG" in out
    assert out.splitlines()[-1] == str(tmp_path / "index.html")


def test_shipped_data_are_saved_tables_and_records(compared, monkeypatch, tmp_path):
    (tmp_path / "a.sgf").touch()
    (tmp_path / "README.md").touch()
    monkeypatch.setattr(report, "shipped", lambda folder: tmp_path)
    seen = []
    monkeypatch.setitem(
        vars(bl), "read_many", lambda paths: seen.extend(paths) or bl.Tables.build()
    )
    assert len(cli._shipped().matches) == 0
    assert [p.name for p in seen] == ["a.sgf"]


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert all(name in out for name in cli.COMMANDS)
