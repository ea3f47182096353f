"""The command line: what it prints where, and its exit codes."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest

import blunderlab as bl
from blunderlab import cli, report
from blunderlab.report import equal
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
        row = {"match_id": "a", "game": pd.NA, "seat": 0, "player": "A", "name": "pr", "ours": 3.1278,
               "theirs": 3.13, "difference": -0.0022, "tolerance": 0.005, "within": asked.within, "reason": ""}  # fmt: skip
        return pd.DataFrame([row])

    monkeypatch.setitem(vars(bl), "read", lambda path: tables)
    monkeypatch.setitem(vars(bl), "read_many", lambda paths, **_: tables)
    monkeypatch.setitem(vars(bl), "reconcile", SimpleNamespace(compare=compare))
    return asked


def test_reconcile_prints_the_table_and_tells_by_its_code(compared, capsys):
    assert cli.main(["reconcile", "a.xg"]) == 0
    assert compared.rules.name == "xg"
    out = capsys.readouterr().out
    assert "3.1278" in out
    assert out.endswith("1 of 1 within tolerance\n")
    compared.within = False
    assert cli.main(["reconcile", "a.xg", "--rules", "gnubg"]) == 1
    assert compared.rules == "gnubg"


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


def test_report_prints_table_and_path(compared, tables, monkeypatch, tmp_path, capsys):
    asked = []

    def build(paths, out, progress, reading):
        asked.append((paths, progress))
        return tmp_path

    reading = SimpleNamespace(tables=tables, failures=())
    monkeypatch.setattr(report, "read", lambda paths, progress: reading)
    monkeypatch.setattr(equal, "compare", bl.reconcile.compare)

    monkeypatch.setattr(report, "build", build)
    assert cli.main(["report", "a.xg", "--out", str(tmp_path)]) == 0
    assert asked == [(["a.xg"], False)]
    out = capsys.readouterr().out
    assert "Our figures beside those of XG" in out
    assert out.splitlines()[-1] == str(tmp_path / "index.html")


def test_shipped_data_reconcile_with_the_figures_that_lie_beside_them(capsys):
    cli._print_reconciliation(report.read().tables)
    out = capsys.readouterr().out
    assert "beside those of XG" in out
    (within, of), *more = re.findall(r"^(\d+) of (\d+) within tolerance$", out, re.MULTILINE)
    assert within == of
    assert all(w == n for w, n in more)


def test_reconciliation_says_of_each_match_why_it_has_no_figures(capsys):
    bare = bl.datasets.tables("aachen-double-7pt")
    bare = bl.Tables(**{**vars(bare), "figures": bare.figures.head(0)})
    other = bl.read(bl.datasets.path("a-3pt.mat"))
    cli._print_reconciliation(bl.Tables.concat([bare, other]))
    told = capsys.readouterr()
    assert told.out == ""
    xg, mat = told.err.splitlines()
    assert xg.startswith("aachen-double-7pt.xg: no figures to compare with: .xg stores no figures")
    assert "--figures" in xg
    assert mat == "a-3pt.mat: no figures to compare with: not analysed"


def test_typed_figures_of_a_shipped_match(tmp_path, capsys):
    typed = tmp_path / "f.json"
    typed.write_text('{"seat0": {"pr": 3.13, "decisions": 156, "loss": 19.85}}')
    match = str(bl.datasets.path("aachen-double-7pt"))
    assert cli.main(["reconcile", match, "--figures", str(typed)]) == 0
    assert capsys.readouterr().out.endswith("3 of 3 within tolerance\n")
    typed.write_text('{"seat0": {"pr": 3.31}}')
    assert cli.main(["reconcile", match, "--figures", str(typed)]) == 1
    typed.write_text("{")
    assert cli.main(["reconcile", match, "--figures", str(typed)]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("blunderlab: ")
    assert told.err.count("\n") == 1


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert all(name in out for name in cli.COMMANDS)
