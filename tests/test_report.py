"""Notebooks become pages that need no network, and failures are told apart."""

import re
import shutil
import subprocess

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import blunderlab as bl
from blunderlab import report
from blunderlab.report import notebooks as executing
from blunderlab.report import pages

OPENING = """# How well did I play?

Intro. What was my $\\mathrm{PR}$? It is

$$\\mathrm{PR} = 500\\,\\frac{\\sum_i e_i}{N}$$"""


def write(folder, name, *code, text=OPENING):
    cells = [new_markdown_cell(text), *map(new_code_cell, code)]
    path = folder / f"{name}.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A report of one notebook of each kind of ending, and what `build` raised."""
    folder = tmp_path_factory.mktemp("notebooks")
    plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    files = "import os\nprint(os.environ.get('BLUNDERLAB_FILES'))"
    held = "class Tables:\n    matches = [1, 2, 3]\nt = Tables()"
    missing = "import blunderlab as bl\nraise bl.FitError('3 games are too few <b>')"
    notebooks = [
        write(folder, "01_plays", plot, files, held, "\n".join(f"x{i} = {i}" for i in range(20))),
        write(folder, "02_fits", "1 + 1", missing, "2 + 2"),
        write(folder, "03_broken", "{}['x']", text="# Broken\n\nNo question here."),
    ]
    files = folder / "files"
    files.mkdir()
    shutil.copy(bl.datasets.path("a-3pt.sgf"), files)
    out = folder / "report"
    with pytest.raises(report.ReportError, match=r"1 of 3 notebooks failed.*KeyError: 'x'") as told:
        report.build([files], out, notebooks)
    return files, out, told.value


def test_every_page_and_copy_is_written(built):
    _, out, _ = built
    names = {f"{n}.{e}" for n in ("01_plays", "02_fits", "03_broken") for e in ("html", "ipynb")}
    assert {p.name for p in out.iterdir()} == names | {"index.html"}


def test_nothing_is_fetched(built):
    _, out, _ = built
    for page in out.glob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r"<script|<link|@import|url\(|https?:", text), page.name
        assert all(src.startswith("data:") for src in re.findall(r'src="([^"]+)"', text))


def test_index_tells_what_became_of_each(built):
    text = (built[1] / "index.html").read_text("utf-8")
    listed = re.search(r'<ol class="index">.*?</ol>', text, re.DOTALL)[0]
    played, fits, broken = re.findall(r"<li.*?</li>", listed, re.DOTALL)
    assert "3 matches" in played
    assert "What was my <math" in played
    assert "Intro" not in played
    assert "cannot run on these files: 3 games are too few &lt;b&gt;" in fits
    assert "failed: KeyError: &#x27;x&#x27;" in broken


def test_page_of_what_cannot_run_stops_there_without_traceback(built):
    text = (built[1] / "02_fits.html").read_text("utf-8")
    assert "Traceback" not in text
    assert "3 games are too few" in text
    assert "<pre>2</pre>" in text
    assert 'class="output_subarea output_text output_error"' not in text


def test_formulas_are_mathml_and_pictures_are_described(built):
    text = (built[1] / "01_plays.html").read_text("utf-8")
    assert text.count("<math") == 2
    assert "<mfrac>" in text
    assert "\\frac" not in text
    assert 'alt="How well did I play?"' in text


def test_paths_are_given_on_absolute(built):
    folder, out, _ = built
    assert str(folder) in (out / "01_plays.html").read_text("utf-8")


def test_sources_are_untouched_and_copies_say_nothing_of_the_machine(built):
    folder, out, _ = built
    source = nbformat.read(folder.parent / "01_plays.ipynb", 4)
    copy = nbformat.read(out / "01_plays.ipynb", 4)
    assert not any(c.get("outputs") for c in source.cells)
    assert len(copy.cells) == len(source.cells)
    assert "version" not in copy.metadata.language_info
    assert "execution" not in copy.cells[1].metadata


def test_shipped_data_is_used_when_no_path_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("BLUNDERLAB_FILES", "elsewhere")
    notebook = write(tmp_path, "01_a", "import os\nprint(os.environ.get('BLUNDERLAB_FILES'))")
    (run,) = report.execute(notebooks=[notebook])
    assert run.notebook.cells[1].outputs[0].text == "None\n"
    assert run.matches is None


def test_failed_copy_does_not_replace_its_source(tmp_path):
    good = write(tmp_path, "01_good", "1 + 1")
    bad = write(tmp_path, "02_bad", "1 / 0")
    before = bad.read_bytes()
    with pytest.raises(report.ReportError, match="02_bad"):
        report.write_notebooks(out=tmp_path, notebooks=[good, bad])
    assert bad.read_bytes() == before
    assert nbformat.read(good, 4).cells[1].outputs[0].data["text/plain"] == "2"


@pytest.mark.parametrize("name", ["03_luck", "03", "luck", "03_luck.ipynb"])
def test_notebooks_are_found_by_name_number_and_topic(name, tmp_path, monkeypatch):
    (tmp_path / "03_luck.ipynb").touch()
    monkeypatch.setattr(executing, "shipped", lambda folder: tmp_path)
    assert report.find([name]) == report.find() == [tmp_path / "03_luck.ipynb"]


def test_unknown_notebook_is_named(tmp_path, monkeypatch):
    (tmp_path / "03_luck.ipynb").touch()
    monkeypatch.setattr(executing, "shipped", lambda folder: tmp_path)
    with pytest.raises(bl.BlunderlabError, match=r"no notebook 'x'; there are 03_luck"):
        report.find(["x"])


def test_missing_path_is_an_error_before_anything_runs(tmp_path):
    with pytest.raises(bl.ReadError, match="no such file or folder"):
        report.build([tmp_path / "nothing.xg"], tmp_path / "out", [write(tmp_path, "01_a")])
    assert not (tmp_path / "out").exists()


def test_globs_are_passed_on(tmp_path):
    (tmp_path / "a.xg").touch()
    assert executing.absolute(tmp_path / "*.xg") == str(tmp_path / "*.xg")


def test_every_shipped_formula_is_drawn():
    for path in report.shipped("notebooks").glob("*.ipynb"):
        notebook = nbformat.read(path, 4)
        text = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
        drawn = re.findall(r"<math.*?</math>", pages._inline(text), re.DOTALL)
        assert not [m for m in drawn if "\\" in m], path.name


def outputs():
    """Every table and text that the committed notebooks show."""
    for path in report.shipped("notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, 4).cells:
            for output in cell.get("outputs", ()):
                yield path.name, output.get("text", ""), output.get("data", {})


def test_no_shipped_table_leaves_rows_out():
    for name, text, data in outputs():
        for shown in (text, data.get("text/plain", ""), data.get("text/html", "")):
            assert not re.search(r"rows ×|<t[dh]>\.\.\.</t[dh]>|^\.\.\. ", shown, re.MULTILINE), (
                name
            )


def test_links_between_notebooks_lead_to_pages(tmp_path):
    text = (
        "# A\n\n[next](02_b.ipynb), [there](02_b.ipynb#the-end), "
        "[copy](https://example.org/x.ipynb)"
    )
    (run,) = report.execute(notebooks=[write(tmp_path, "01_a", "1", text=text)])
    page = pages.page(run)
    hrefs = re.findall(r'href="([^"]+)"', page)
    assert hrefs == [
        "index.html", "01_a.ipynb", "02_b.html", "02_b.html#the-end", "https://example.org/x.ipynb",
    ]  # fmt: skip


def tidied(frame):
    """The header's and the rows' texts of a frame's table in a page, and the columns on the left."""
    html = f"<p>{frame.to_html(border=1)}</p>"
    drawn = pages._TABLE.sub(pages._tidy, html)
    rows = [
        re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", row)
        for row in re.findall(r"(?s)<tr.*?</tr>", drawn)
    ]
    left = [
        {at for at, (attributes, _) in enumerate(row[::-1]) if "words" in attributes}
        for row in rows
    ]
    return [[text for _, text in row] for row in rows], left


def test_words_stand_left_and_numbers_right_in_tables():
    frame = pd.DataFrame(
        {
            "who": ["A", "B"],
            "n": [1, -2],
            "share": ["3.5 %", "—"],
            "pr": [1.5, None],
            "ok": [True, False],
        }
    )
    _, left = tidied(frame)
    assert left == [{0, 2, 4}] * 3  # from the right: ok, share (for its dash), who


def test_names_of_the_index_have_no_header_row_of_their_own():
    frame = pd.DataFrame({"n": [1, 2, 3]}, index=pd.MultiIndex.from_tuples(
        [("a", 1), ("a", 2), ("b", 1)], names=["seat", "game"]
    ))  # fmt: skip
    rows, left = tidied(frame)
    assert rows == [["seat", "game", "n"], ["a", "1", "1"], ["2", "2"], ["b", "1", "3"]]
    assert left == [{2}, {2}, set(), {2}]
    assert tidied(pd.DataFrame({"n": [1]}))[0] == [["", "n"], ["0", "1"]]


@pytest.mark.browser
def test_chromium_draws_a_fraction_taller_than_its_line(tmp_path, browser):
    page = tmp_path / "page.html"
    script = """const height = tag => document.querySelector(tag).getBoundingClientRect().height
document.title = height("mfrac") / height("mn")"""
    formula = pages.mathml(r"\frac{1}{2}", display=True)
    page.write_text(pages._whole("x", f"{formula}<script>{script}</script>"), "utf-8")
    quiet = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ]  # fmt: skip
    shown = subprocess.run(
        [browser, *quiet, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert float(re.search(r"<title>([\d.]+)</title>", shown)[1]) > 1.8
