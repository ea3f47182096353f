"""The first page: figures are those that the programs show, what is unknown is a dash with its reason."""

import html as markup
import re
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import blunderlab as bl
from blunderlab import report
from blunderlab.report import cells, equal, figures, first, first_html, matches_html, pages


def told(t, paths=("given",), failures=()):
    """The summary of Tables and its page."""
    summary = first.summarise(first.Reading(paths, t, failures))
    return summary, pages.index([], summary)


def words(text):
    """A page's text without its pictures and marks."""
    text = re.sub(r"(?s)<style.*?</style>|<svg.*?</svg>", "", text)
    return " ".join(markup.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def copies(t, n, **changed):
    """The same matches n times under other ids, as n files would give them."""
    many = []
    for i in range(n):
        mark = f"{i:04x}"
        frames = {
            name: f.assign(match_id=mark + f["match_id"].str[4:]) for name, f in vars(t).items()
        }
        frames["matches"] = frames["matches"].assign(**{"path": f"match{i}.xg", **changed})
        many.append(bl.Tables(**frames))
    return bl.Tables.concat(many)


@pytest.fixture(scope="module")
def aachen():
    return bl.datasets.tables("aachen-double-7pt")


@pytest.fixture(scope="module")
def unanalysed():
    return bl.read(bl.datasets.path("a-3pt.mat"))


@pytest.fixture(scope="module")
def money():
    """A session of two games without a price, as a money session has none."""
    t = bl.datasets.tables("paris-7pt")
    d = t.decisions.assign(
        match_length=pd.array([pd.NA] * len(t.decisions), "Int16"), loss=np.nan, luck_loss=np.nan
    )
    d = d[d["game"] <= 2].reset_index(drop=True)
    matches = t.matches.assign(length=pd.array([pd.NA], "Int16"))
    games = t.games[t.games["game"] <= 2].reset_index(drop=True)
    return bl.Tables.build(decisions=d, matches=matches, games=games)


def test_figures_are_those_of_the_window(aachen):
    summary, page = told(aachen)
    said = words(page)
    for figure in (
        "3.13",
        "3.07",
        "156 decisions",
        "161 decisions",
        "19.85 %",
        "14.39 %",
        "18 / 2",
        "14 / 3",
    ):
        assert figure in said, figure
    assert "30 of 30 figures equal XG’s own" in said
    assert "XG’s rules an error counts from 20 millipoints" in said
    assert summary.seats["n_luck"].tolist() == summary.seats["n_rolls"].tolist() == [337, 337]


def test_published_figures_of_paris():
    page = told(bl.datasets.tables("paris-7pt"))[1]
    assert "<b>7.84</b>" in page
    assert "<b>13.77</b>" in page


def test_costliest_decisions_are_drawn_with_what_they_cost(aachen):
    summary, page = told(aachen)
    top = aachen.decisions.nlargest(3, "loss")
    assert summary.costliest["decision"].tolist() == top["decision"].tolist()
    assert page.count("<svg") == 3
    label = re.search(r'<svg[^>]*aria-label="([^"]+)"', page)[1]
    assert label == (
        "Game 5, decision 244, seat 0 with 53: played 8/3 6/3, best 13/5, cost 159 millipoints, 3.29 % of the match"
    )
    assert "cost 159 millipoints, 3.29 % of the match</figcaption>" in page


def test_boards_have_the_colours_of_both_schemes(aachen):
    drawn = figures.boards(told(aachen)[0].costliest.head(1))
    board = re.search(r"<svg.*</svg>", drawn)[0]
    own = set(re.findall(r"var\(--b\d+\)", board))
    assert {f"var({name})" for name in re.findall(r"(--b\d+):", figures.scheme())} >= own
    theme = bl.boards.svg(
        *aachen.decisions.nlargest(1, "loss")[["position", "played", "best"]].iloc[0], theme="dark"
    )
    dark = re.search(r"dark\)\{(.*)\}\}", figures.scheme())[1]
    assert set(re.findall(r"#\w{6}", theme)) - set(re.findall(r"#\w{6}", dark)) <= set(
        re.findall(r"#\w{6}", board)
    )


def test_a_match_that_nobody_analysed_says_so_and_has_no_zero(unanalysed, aachen):
    said = words(told(unanalysed)[1])
    assert "Not analysed" in said
    assert "0.00" not in said
    assert "1 of them not analysed" in said
    table = words(told(bl.Tables.concat([*[unanalysed], copies(aachen, first.FEW)]))[1])
    assert table.count("– not analysed") >= 6
    assert "0.00" not in re.search(r"Matches No\..*?not compared: not analysed", table)[0]


def test_money_has_no_losses(money):
    summary, page = told(money)
    assert summary.seats["loss"].isna().all()
    assert summary.seats["l7"].isna().all()
    assert words(page).count("– money: no MWC") == 2
    assert set(summary.costliest["by"]) == {"error"}
    assert "% of the match" not in page
    assert set(summary.seats["luck_unit"]) == {"points"}


def test_two_games_have_no_interval_and_a_reason(money):
    assert words(told(money)[1]).count("– (2 games: 3 needed)") == 2


def test_one_failed_file_is_named_with_its_reason(tmp_path):
    bad, good = tmp_path / "bad<script>.xg", bl.datasets.path("a-3pt.sgf")
    bad.write_text("nothing")
    summary, page = told(report.read([good, bad]).tables)
    assert summary.failed["path"].tolist() == [str(bad)]
    assert "1 file not read" in page
    assert "none of the formats" in page
    assert "<script" not in page


def test_when_no_file_can_be_read_the_page_names_each_and_the_error_is_raised(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.xg").write_text("nothing")
    (folder / "b.sgf").write_bytes(b"")
    with pytest.raises(bl.ReadError, match="a.xg"):
        report.build([folder], tmp_path / "out")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["index.html"]
    said = words((tmp_path / "out" / "index.html").read_text("utf-8"))
    assert "Not read: 2 files" in said
    assert "none of the formats" in said
    assert "the file is empty" in said
    assert "Notebooks" not in said


def test_problems_are_counted_by_kind_in_their_own_words(aachen):
    row = {"path": "a.xg", "code": "illegal_play", "message": "the play <breaks> the rules"}
    problems = pd.DataFrame([row, row]).reindex(columns=aachen.problems.columns)
    problems = problems.astype(aachen.problems.dtypes.to_dict())
    summary, page = told(replace(aachen, problems=problems))
    assert summary.problems["n"].tolist() == [2]
    assert "a.xg : 2 times, first: the play <breaks> the rules" in words(page)
    assert "<breaks>" not in page


def test_the_same_match_in_two_files_is_named_and_counts_once_for_a_player():
    t = bl.datasets.tables(["paris-7pt", "paris-7pt-gnubg", "aachen-double-7pt"])
    named = t.matches.assign(player0="Ann", player1="Bob")
    summary, page = told(replace(t, matches=named))
    assert "paris-7pt.sgf holds the same match as paris-7pt.xg" in words(page)
    assert summary.matches["once"].tolist() == [True, False, True]
    assert summary.players["n_matches"].tolist() == [2, 2]
    assert summary.players["pr"].tolist() == pytest.approx([500 * (0.975932 + 2.523491) / (156 + 161), 500 * (0.98852 + 3.88364) / (161 + 141)], abs=1e-3)  # fmt: skip
    assert words(page).count("– (2 matches: 3 needed)") == 2


def test_the_same_bytes_twice_are_named(tmp_path):
    data = bl.datasets.path("a-3pt.sgf").read_bytes()
    for name in ("a.sgf", "b.sgf"):
        (tmp_path / name).write_bytes(data)
    assert "b.sgf holds the same match as a.sgf , byte by byte: read once" in words(
        told(report.read([tmp_path]).tables)[1]
    )


def test_seats_without_a_name_of_their_own_are_no_player_of_several_matches():
    assert len(told(bl.datasets.tables())[0].players) == 0


def test_a_player_of_three_matches_has_an_interval_over_them():
    players = told(report.read().tables)[0].players
    assert players["player"].tolist() == ["Alice", "Bob"]
    assert players["n_matches"].tolist() == players["n_analysed"].tolist() == [3, 3]
    d = report.read().tables.decisions.query("player in ['Alice', 'Bob']")
    expected = bl.measure.rates(d, "gnubg", by="player")
    for name in ("pr", "pr_low", "pr_high"):
        assert players[name].tolist() == pytest.approx(expected[name].tolist())


def test_names_events_and_notes_are_escaped(aachen):
    bad = '<script>alert("x")</script>&'
    decisions = aachen.decisions.assign(player=bad, note=bad)
    matches = aachen.matches.assign(
        player0=bad, player1=bad, event=bad, round=bad, path=f"{bad}.xg", tool="XG"
    )
    for n in (1, first.FEW + 1):
        page = told(copies(replace(aachen, decisions=decisions, matches=matches), n, event=bad))[1]
        assert "<script" not in page
        assert "&lt;script&gt;" in page


def test_many_matches_stay_under_the_bound(aachen):
    long = "A name <&> " * 20
    matches = aachen.matches.assign(player0=long, player1=long, event=long)
    t = copies(replace(aachen, matches=matches), 200)
    summary, page = told(t, paths=[long] * 300)
    assert len(summary.seats) == 400
    assert page.count('rowspan="2"') == 400
    assert page.count("<svg") == 3
    assert len(page.encode()) < first_html.BOUND
    assert len(told(copies(aachen, 200))[1].encode()) < 250_000


def test_more_matches_than_are_listed_are_counted(aachen, monkeypatch):
    monkeypatch.setattr(matches_html, "MOST_ROWS", 5)
    assert "3 more matches are not listed" in told(copies(aachen, 8))[1]


def test_the_page_is_bounded_whatever_is_read(aachen):
    """The table is as long as it gets; what is worst to escape stands in every name."""
    long = '&<">' * 30
    matches = aachen.matches.assign(player0=long, player1=long, event=long, round=long, tool=long)
    t = copies(replace(aachen, matches=matches), matches_html.MOST_ROWS + 1, path=long)
    problems = pd.DataFrame(
        {"path": [f"{i}{long}" for i in range(300)] * 2, "code": ["bad_move"] * 300 + ["unreadable"] * 300,
         "message": long * 5}
    ).reindex(columns=t.problems.columns).astype(t.problems.dtypes.to_dict())  # fmt: skip
    size = len(told(replace(t, problems=problems), paths=[long] * 300)[1].encode())
    assert first_html.BOUND / 2 < size < first_html.BOUND


def test_matches_and_players_stand_in_the_order_of_reading(aachen):
    page = told(copies(aachen, 9))[1]
    table = page[page.index('<table class="many">') :]
    assert re.findall(r"<code>(match\d)\.xg</code>", table) == [f"match{i}" for i in range(9)]


def test_no_figures_are_explained_in_their_place(aachen):
    bare = replace(aachen, figures=aachen.figures.head(0))
    assert "no figures to compare with: .xg stores no figures" in words(told(bare)[1])
    holes = replace(aachen, figures=aachen.figures.assign(value=np.nan))
    assert equal.reconciled(holes)["reason"].tolist() == [
        "none of the 30 figures in the file is finite"
    ]


def test_a_figure_that_is_off_is_shown(aachen):
    value = aachen.figures["value"].where(aachen.figures["name"].ne("pr"), 3.31)
    found = equal.reconciled(replace(aachen, figures=aachen.figures.assign(value=value)))
    assert found[["n", "n_within"]].to_numpy().tolist() == [[30, 28]]
    assert found["reason"][0].startswith("pr of seat 0 (")
    page = told(replace(aachen, figures=aachen.figures.assign(value=value)))[1]
    assert "✗ 28 of 30 figures equal XG’s own" in words(page)


def test_nothing_read_is_a_page_of_its_own():
    assert "0 matches from 0 files" in told(bl.Tables.build())[1]


def test_a_missing_number_is_never_a_zero():
    assert cells.number(np.nan, 2) == "–"
    assert cells.number(-0.001, 2, sign=True) == "0.00"
    assert cells.interval(np.nan, np.nan, 7, "game") == "– (no spread)"


@pytest.mark.browser
@pytest.mark.parametrize("n", [1, first.FEW + 1])
def test_a_phone_shows_the_page_without_overflow(n, aachen, tmp_path, browser):
    long = replace(aachen, matches=aachen.matches.assign(player0="W" * 60, event="E" * 60))
    page = told(copies(long, n), paths=["/a/very/long/path/" + "x" * 60])[1]
    outer = tmp_path / "outer.html"
    script = """const d = document.querySelector("iframe").contentDocument.documentElement
document.title = d.scrollWidth"""
    outer.write_text(
        f'<iframe width="380" height="800" style="border:0" srcdoc="{markup.escape(page)}"></iframe>'
        f"<script>onload = () => {{ {script} }}</script>",
        "utf-8",
    )
    shown = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'p'}",
         "--disable-background-networking", "--no-first-run", "--dump-dom", outer.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    ).stdout  # fmt: skip
    assert int(re.search(r"<title>(\d+)</title>", shown)[1]) <= 380
