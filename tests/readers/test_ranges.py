"""What a reader returns always validates: a value beyond its declared range is NA, its row kept, and a problem told."""

import numpy as np
import pandas as pd
import pytest
from readers.test_position_text import BOARD, xg
from xgbytes import XG

import blunderlab as bl
from blunderlab.pricing import derived
from blunderlab.readers import formats
from blunderlab.readers.xg import records as layout
from blunderlab.tables import columns
from blunderlab.tables.draft import Columns, Draft
from blunderlab.tables.problems import Problems
from blunderlab.tables.schema import SCHEMA

CUBE = (
    BOARD.format(green="   O: Bob  167", red="   X: Ann  167")
    + " XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n\n"
    "       Ann   55.1   17.8    0.5\n       Bob   44.9   12.2    0.4\n\n"
)
CUBE_LINES = (
    "   1. No double     :   0.287  ( 0.000)   0.541  ( 0.000)\n",
    "   2. Double/Take   :   0.164  ( 0.123)   0.541  ( 0.000)\n",
    "   3. Double/Pass   :   1.000  ( 0.713)   1.000  ( 0.459)\n",
)


def read(data, path="a"):
    """As `bl.read` does it, without a file."""
    return derived(formats.format_of(data).read(data, path)).tables().validate()


# --- the inputs that showed it -------------------------------------------------------------------

ODD = {
    "xg-d3b8e8a8": "lose_gammon of option 10",
    "text-b6b7df5a": "lose_backgammon of option 1",
    "sgf-b3ad5334": "luck_loss",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_read_and_what_cannot_be_is_missing(reference, name):
    t = bl.read(reference(f"backgammon/odd/{name}")).validate()
    told = t.problems[t.problems["code"] == "bad_analysis"]
    assert ODD[name] in told["message"].iloc[0]
    assert told["decision"].notna().all()
    assert len(t.decisions)


@pytest.mark.parametrize("name", ["text-83442088", "text-93a8037f"])
def test_a_length_that_no_column_holds_is_refused(reference, name):
    with pytest.raises(bl.ReadError, match="a match length of"):
        bl.read(reference(f"backgammon/odd/{name}"))


def test_an_odd_cube_keeps_its_position_without_analysis(reference):
    t = bl.read(reference("backgammon/odd/text-d252e85f")).validate()
    assert t.decisions["kind"].tolist() == ["no_double"]
    assert t.decisions["no_double"].isna().all()
    assert t.problems["code"].tolist() == ["bad_analysis"]


# --- each kind, made here ------------------------------------------------------------------------


def test_xg_a_chance_below_zero(reference):
    file = XG(reference("backgammon/xg/paris-7pt.xg").read_bytes())
    whole = read(file.archive())
    at = next(i for i, m in enumerate(file.of(layout.MOVE)) if m["n_options"] > 3)
    file.of(layout.MOVE)[at]["chances"][2, 1] = -5e-6  # XG's third place: lose a gammon
    t = read(file.archive())
    (problem,) = t.problems.itertuples()
    assert (problem.code, problem.message.split(":")[0]) == ("bad_analysis", "lose_gammon of option 3")
    row = (t.options["decision"] == problem.decision) & (t.options["rank"] == 3)
    assert t.options.loc[row, "lose_gammon"].isna().all()
    assert t.options["lose_gammon"].isna().sum() == whole.options["lose_gammon"].isna().sum() + 1
    pd.testing.assert_series_equal(t.decisions["error"], whole.decisions["error"])


@pytest.mark.filterwarnings("error")
def test_xg_a_nan_that_complains_when_cast(reference):
    file = XG(reference("backgammon/xg/paris-7pt.xg").read_bytes())
    move = file.of(layout.MOVE)[0]
    move["chances"].view("<u4")[0, 3] = 0x7FA00000  # signalling
    t = read(file.archive())
    assert t.problems["code"].tolist() == ["not_finite"]


@pytest.mark.parametrize(("luck", "known"), [(b"1.5", True), (b"9.0", False)])
def test_sgf_luck_of_more_than_the_match(luck, known):
    # At double match point a unit of equity is half the match: 9 units would be 4.5 matches.
    data = (b"(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:1][game:0][ws:0][bs:0]PW[A]PB[B]\n"
            b";W[31hefe]LU[%s];B[52mhxv]LU[0.1])" % luck)  # fmt: skip
    t = read(data)
    assert t.decisions["luck"].tolist() == [float(luck), 0.1]
    assert t.decisions["luck_loss"].notna().tolist() == [known, True]
    told = t.problems.loc[t.problems["code"] == "bad_analysis", ["decision", "message"]]
    assert told["decision"].tolist() == [] if known else [1]
    again = bl.derive(t)  # derived again, the same is said once
    pd.testing.assert_frame_equal(again.decisions, t.decisions)
    pd.testing.assert_frame_equal(again.problems, t.problems)


def test_text_a_chance_below_zero():
    t = read(xg().replace("B:0,40%", "B:-0,10%").encode())
    assert t.options["lose_backgammon"].isna().all()
    assert t.options["lose"].notna().all()
    assert t.problems["code"].tolist() == ["bad_analysis"]


@pytest.mark.parametrize("number", ["32768", "4294967296", "99999999999999999999", "-99999999999999999999"])
@pytest.mark.parametrize("where", [":7:10", "0:0:0"], ids=["length", "score"])
def test_text_numbers_that_no_column_holds(number, where):
    text = xg().replace(where, f":{number}:10" if where == ":7:10" else f"{number}:0:0")
    with pytest.raises(bl.ReadError):
        read(text.encode())


@pytest.mark.parametrize("line", range(3))
@pytest.mark.parametrize("change", ["missing", "twice", "in place of another"])
def test_text_a_cube_line_too_few_or_too_many(line, change):
    lines = list(CUBE_LINES)
    assert not len(read((CUBE + "".join(lines)).encode()).problems)
    if change == "missing":
        del lines[line]
    elif change == "twice":
        lines.insert(line, lines[line])
    else:
        lines[line - 1] = lines[line]
    t = read((CUBE + "".join(lines)).encode())
    assert t.problems["code"].tolist() == ["bad_analysis"]
    assert t.decisions[["no_double", "double_take", "double_pass"]].isna().all(axis=None)
    assert t.decisions["position"].notna().all()


# --- every declared range, whatever the reader ---------------------------------------------------

BOUNDED = [
    (table, c) for table in ("decisions", "options", "games", "matches", "figures") for c in SCHEMA[table]
    if c.bounds is not None and c.name not in ("game", "decision", "rank")
]  # fmt: skip


@pytest.mark.parametrize(("table", "column"), BOUNDED, ids=lambda x: getattr(x, "name", x))
def test_a_draft_is_valid_whatever_its_numbers(table, column):
    low, high = column.bounds
    whole = column.dtype != "float64"
    values = [v for v in (low, low - 1, high, high + 1, 1e300 if not whole else 10**20) if abs(v) < np.inf]
    good = [low <= v <= high for v in values]
    n = len(values)
    key = {"match_id": columns.repeat("m", n), "game": columns.integers([1] * n),
           "decision": columns.integers(range(1, n + 1)), "rank": columns.integers([1] * n)}  # fmt: skip
    if table == "matches":
        key["match_id"] = columns.text([f"m{i}" for i in range(n)])
    if table == "games":
        key["game"] = columns.integers(range(1, n + 1))
    declared = {c.name for c in SCHEMA[table]}
    data = {name: value for name, value in key.items() if name in declared}
    data[column.name] = columns.integers([int(v) for v in values]) if whole else np.array(values, float)
    problems = [Problems("a", "x", "m"), *(Problems("a", "x", f"m{i}") for i in range(n))]
    draft = Draft(Columns("decisions"), Columns("games"), Columns("matches"), problems)
    setattr(draft, table, Columns(table, data, n))
    t = draft.tables().validate()
    assert getattr(t, table)[column.name].notna().tolist() == good
    assert t.problems["code"].tolist() == ["bad_analysis"] * good.count(False)
    assert t.problems["message"].str.startswith(column.name).all()


# --- from a draft and from frames, the same to the bit -------------------------------------------


@pytest.mark.parametrize(
    "name", ["xg/paris-7pt.xg", "sgf/galaxy-3pt.sgf", "bgf/B4_SrGcsKAQmoTyHlgJCbM.bgf", "mat/m3_utf8.mat",
             "text/xg-02_NDT-EN.txt"],
)  # fmt: skip
def test_derive_of_frames_equals_what_read_derived(reference, name):
    path = reference(f"backgammon/{name}")
    t = bl.read(path)
    raw = formats.format_of(path.read_bytes()).read(path.read_bytes(), path).tables()
    for one in (bl.derive(raw), bl.derive(t)):
        for table, frame in vars(t).items():
            pd.testing.assert_frame_equal(getattr(one, table), frame, check_exact=True)
