"""Ours beside theirs: XG's and gnuBG's figures to the printed digit, and what a difference is put down to."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import blunderlab as bl
from blunderlab.reconcile import compare, differences, typed

FIGURES = json.loads(Path(__file__, "../data/printed_figures.json").resolve().read_text("utf-8"))
XG_FILES = [
    "aachen-double-7pt", "aachen-double-r2-7pt", "paris-7pt", "with-comments-9pt", "3WNK_g1Z-PLsh_HyvQ5j4a",
    "5nqfGw9bWG3deTaU", "B4_SrGcsKAQmoTyHlgJCbM", "C07OQCKyw4Pe-CnjFiAMYO", "UL-CV6F9jMM-E1Pu", "XCu3RJ0UvDg_Tldl",
]  # fmt: skip


@pytest.fixture(scope="module")
def aachen():
    return bl.read(bl.datasets.path("aachen-double-7pt"))


@pytest.fixture(scope="module")
def both(aachen):
    return bl.Tables.concat([aachen, bl.read(bl.datasets.path("paris-7pt"))])


def _frame(t, **columns):
    return pd.DataFrame(
        {"match_id": t.matches["match_id"].iloc[0], "seat": 0, **columns}, index=[0]
    )


# -- XG ------------------------------------------------------------------------------------------


def test_xg_to_the_printed_digit(reference):
    t = bl.read(reference("backgammon/xg/aachen-double-7pt.xg"))
    found = compare(t, "xg", FIGURES["aachen-double-7pt.xg"])
    assert len(found) == 30
    assert found["within"].all()
    assert (found["reason"] == "").all()
    part = found.set_index("name").groupby(level=0)["difference"].agg(lambda d: d.abs().max())
    assert part["pr"] <= 0.005
    assert part.filter(like="error").max() <= 0.0005
    assert part.filter(like="loss").max() <= 0.00005
    assert (part.filter(like="n_") == 0).all()


def test_shipped_figures_are_within_for_both_matches_in_order(both):
    found = compare(both, "xg")
    assert found["within"].all()
    assert found["match_id"].drop_duplicates().tolist() == both.matches["match_id"].tolist()
    assert found.groupby("match_id", sort=False).size().tolist() == [30, 4]
    assert found["game"].isna().all()
    assert set(found["player"]) == {"seat 0", "seat 1"}


def test_columns_and_types(aachen):
    found = compare(aachen, "xg")
    assert list(found) == [
        "match_id", "game", "seat", "player", "name", "ours", "theirs", "difference", "tolerance", "within",
        "reason", "tool",
    ]  # fmt: skip
    assert found["within"].dtype == bool
    assert found["reason"].dtype == "str"
    tolerance = found.set_index("name")["tolerance"].groupby(level=0).first()
    want = {
        "pr": 0.005,
        "error_total": 0.0005,
        "loss_total": 0.00005,
        "n_decisions": 0,
        "n_errors": 0,
    }
    assert tolerance[list(want)].tolist() == pytest.approx(list(want.values()))


def test_a_wrong_figure_is_not_within_and_says_what_is_known(aachen):
    found = compare(aachen, "xg", {"seat1": {"pr": 3.08, "decisions": 161, "errors": 15}})
    assert found["name"].tolist() == ["n_decisions", "pr", "n_errors"]
    assert found["within"].tolist() == [True, False, False]
    assert found["reason"].tolist() == [
        "", *["illegal plays, which have no error: 1; XG 30; format xg; priced by kazaross-xg2"] * 2
    ]  # fmt: skip


def test_reason_counts_what_was_not_analysed_and_names_another_table(aachen):
    scored = (
        aachen.decisions["kind"].eq("checker")
        & aachen.decisions["scored"]
        & aachen.decisions["seat"].eq(0)
    )
    unknown = scored & (aachen.decisions["n_options"] > 1) & (scored.cumsum() < 6)
    d = aachen.decisions.assign(error=aachen.decisions["error"].mask(unknown))
    matches = aachen.matches.assign(met="of its own", version=pd.NA)
    found = compare(replace(aachen, decisions=d, matches=matches), "xg")
    reason = found.set_index(["seat", "name"])["reason"]
    assert reason[0, "n_checker"] == (
        f"decisions without analysis: {unknown.sum()}; XG; format xg; priced by kazaross-xg2; analysed under of its own"
    )
    assert "scored decisions without a price: 195" in reason[0, "loss_total"]
    assert "without" not in reason[0, "error_answer"]


def test_order_and_index_change_nothing(both):
    def mixed(frame, seed):
        frame = frame.sample(frac=1, random_state=seed)
        return frame.set_axis(np.arange(len(frame)) // 2 - 7)

    t = replace(
        both,
        decisions=mixed(both.decisions, 1),
        options=mixed(both.options, 2),
        figures=mixed(both.figures, 3),
    )
    for rules in ("xg", "gnubg"):
        pd.testing.assert_frame_equal(compare(t, rules), compare(both, rules), rtol=0, atol=1e-12)
    pd.testing.assert_frame_equal(
        differences(t, "blunderdb", "xg"), differences(both, "blunderdb", "xg")
    )


def test_prices_do_not_depend_on_how_the_tables_were_derived(aachen):
    other = bl.derive(aachen, met=bl.met.load("kazaross-xg2", beyond="gnubg"), tau=0.1)
    blank = replace(aachen, decisions=aachen.decisions.assign(loss=np.nan, luck_loss=np.nan))
    for t in (other, blank):
        pd.testing.assert_frame_equal(compare(t, "xg"), compare(aachen, "xg"))


def test_figures_of_another_tool_say_so(aachen):
    found = compare(aachen, "gnubg")
    assert (
        found.loc[~found["within"], "reason"]
        .str.startswith("printed by XG, counted by the rules of gnubg")
        .all()
    )
    assert not found["within"].all()


# -- figures given -------------------------------------------------------------------------------


def test_no_figures_raise(aachen):
    none = replace(aachen, figures=aachen.figures.iloc[:0])
    for t, figures in ((none, None), (aachen, aachen.figures.iloc[:0])):
        with pytest.raises(bl.BlunderlabError, match="nothing to compare with"):
            compare(t, "xg", figures)


def test_not_finite_is_not_compared(aachen):
    figures = aachen.figures.iloc[:4].assign(value=[138, np.nan, -np.inf, np.inf])
    assert len(compare(aachen, "xg", figures)) == 1
    empty = compare(aachen, "xg", figures.iloc[1:])
    assert len(empty) == 0
    assert empty["within"].dtype == bool
    assert len(compare(aachen, "xg", {"seat0": {"pr": float("nan"), "decisions": 156}})) == 1


def test_names_of_rates_in_a_file_keep_their_digits(aachen, tmp_path):
    path = tmp_path / "f.json"
    path.write_text(
        '{"source": "a window", "seat0": {"pr": 3.1280, "n_decisions": 156, "loss_total": "19.853%", "error_cube": 0.04,'
        ' "500*error_checker/n_checker": 3.2391, "n_cube+n_answer": 18, "digits": {"error_cube": 2}}}'
    )
    found = compare(aachen, "xg", path).set_index("name")
    assert found["within"].all()
    assert found.loc["pr", "tolerance"] == pytest.approx(5e-5)
    assert found.loc["loss_total", ["theirs", "tolerance"]].tolist() == pytest.approx(
        [0.19853, 5e-6]
    )
    assert found.loc["error_cube", "tolerance"] == pytest.approx(5e-3)
    assert found.loc["500*error_checker/n_checker", "tolerance"] == pytest.approx(5e-5)
    assert found.loc["n_cube+n_answer", "tolerance"] == 0


def test_zeros_at_the_end_are_the_tools(aachen):
    found = typed(
        {"seat0": {"pr": 3.1, "equity": 1.0, "loss": 20, "decisions": 7}, "digits": {"pr": "1"}},
        aachen,
        "xg",
    )
    assert found["digits"].tolist() == [1, 3, 4, 0]
    assert found["value"].tolist() == [3.1, 1, 0.2, 7]
    gnubg = typed(
        {"seat1": {"equity_cube": 0.5, "loss_cube": 3.5, "pr_checker": 7.32, "bad": 3}},
        aachen,
        "gnubg",
    )
    assert gnubg["name"].tolist() == [
        "error_cube+error_answer", "loss_cube+loss_answer", "500*error_checker/n_checker", "n_errors-n_blunders"
    ]  # fmt: skip
    assert gnubg["digits"].tolist() == [6, 6, 2, 0]
    assert gnubg["tool"].unique().tolist() == ["gnuBG"]


def test_a_frame_may_be_short(aachen):
    found = compare(aachen, "xg", pd.DataFrame({"seat": [0], "name": ["pr"], "value": [3.127988]}))
    assert not found.loc[0, "within"]  # no digits: every digit counts
    assert compare(aachen, "xg", _frame(aachen, name="pr", value=3.128, digits=3)).loc[0, "within"]


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({}, "seat0"),
        ({"seat0": {"prr": 3}}, "no figure 'prr'; known: decisions"),
        ({"seat0": {"pr; drop": 3}}, "write columns"),
        ({"seat0": {"pr": "three"}}, "no number"),
        ({"seat0": {"pr": 3}, "digits": 2}, '"digits" is a table'),
        (pd.DataFrame({"seat": [0]}), "no column name, value"),
        (
            pd.DataFrame({"match_id": ["f" * 16], "seat": 0, "name": "pr", "value": 3.0}),
            "do not hold",
        ),
        (
            pd.DataFrame({"seat": ["left"], "name": "pr", "value": 3.0}),
            "not what their table declares",
        ),
    ],
)
def test_figures_that_cannot_be(figures, words, aachen):
    with pytest.raises(bl.SchemaError, match=words):
        compare(aachen, "xg", figures)


@pytest.mark.parametrize("text", ["{", "[1]", None])
def test_a_file_that_holds_no_figures(text, aachen, tmp_path):
    path = tmp_path / "f.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(bl.ReadError, match=r"f\.json"):
        compare(aachen, "xg", path)


def test_typed_figures_are_of_one_match(both):
    with pytest.raises(bl.SchemaError, match="one match, and these tables hold 2"):
        compare(both, "xg", {"seat0": {"pr": 3}})


# -- gnuBG: games, stored digits -----------------------------------------------------------------

SUMS = [
    "n_checker",
    "n_moves",
    "error_checker",
    "loss_checker",
    "n_cube_total",
    "error_cube+error_answer",
    "luck",
]


def _printed(t, names=SUMS):
    """The figures of each game, as a program that keeps six decimals would print them."""
    table = bl.measure.rates(t.decisions, "gnubg", by=["match_id", "game", "seat"])
    rows = [
        table[["match_id", "game", "seat"]].assign(
            name=name, value=sum(table[c] for c in name.split("+")).round(6)
        )
        for name in names
    ]
    out = pd.concat(rows, ignore_index=True).assign(tool="gnuBG", digits=6)
    return out.astype({c: str(d) for c, d in t.figures.dtypes.items()})[list(t.figures)]


@pytest.fixture(scope="module")
def gnubg(aachen):
    """The shipped match as if gnuBG had written it."""
    t = replace(aachen, matches=aachen.matches.assign(format="sgf", tool="gnuBG", version="1.07"))
    return replace(t, figures=_printed(t))


def test_games_come_first_then_their_sum(gnubg):
    found = compare(gnubg, "gnubg")
    assert found["within"].all()
    assert (found["reason"] == "").all()
    games = int(gnubg.decisions["game"].max())
    assert found["game"].drop_duplicates().tolist()[:-1] == list(range(1, games + 1))
    total = found[found["game"].isna()]
    assert total.index.tolist() == list(range(len(found) - 14, len(found)))
    rates = bl.measure.rates(gnubg.decisions, "gnubg", by="seat")
    mine = total[total["name"] == "error_checker"]
    assert mine["ours"].tolist() == rates["error_checker"].tolist()
    assert mine["theirs"].tolist() == pytest.approx(rates["error_checker"], abs=4e-6)
    assert (total.loc[total["name"] == "n_moves", "theirs"].to_numpy() == rates["n_moves"]).all()


def test_tolerance_is_of_printed_and_stored_digits(gnubg):
    found = compare(gnubg, "gnubg")
    d = gnubg.decisions[gnubg.decisions["seat"] == 0]
    table = bl.met.load("kazaross-xg2", beyond="gnubg")
    price = table.price(d["away"], d["opponent_away"], d["cube"], d["crawford"])
    total = found[found["game"].isna() & found["seat"].eq(0)].set_index("name")["tolerance"]
    printed = 5e-7 * d["game"].max()
    wrong = (
        d["kind"].eq("checker")
        & (d["n_options"] > 1)
        & (d["error"].gt(0) | d["played"].ne(d["best"]))
    )
    assert 0 < wrong.sum() < d["kind"].eq("checker").sum()
    assert total["error_checker"] == pytest.approx(printed + 1e-6 * wrong.sum())
    assert total["loss_checker"] == pytest.approx(printed + 1e-6 * price[wrong].sum())
    wrong = d["kind"].isin(["no_double", "double", "take", "pass"]) & d["error"].gt(0)
    assert total["error_cube+error_answer"] == pytest.approx(printed + (1e-6 / price[wrong]).sum())
    lucky = d["luck"].notna() & d["kind"].ne("roll")
    assert total["luck"] == pytest.approx(printed + 5e-6 * lucky.sum())
    coarse = compare(replace(gnubg, figures=gnubg.figures.assign(digits=2)), "gnubg")
    of_game = coarse[coarse["game"].eq(1) & coarse["name"].eq("error_checker")]
    assert of_game["tolerance"].tolist() == pytest.approx([0.005, 0.005], abs=3e-5)


def test_an_error_of_money_is_worth_its_own_digit(gnubg):
    blank = {
        c: pd.array([pd.NA] * len(gnubg.decisions), "Int16") for c in ("away", "opponent_away")
    }
    money = replace(
        gnubg,
        decisions=gnubg.decisions.assign(**blank),
        matches=gnubg.matches.assign(length=pd.array([pd.NA], "Int16")),
    )
    found = compare(money, "gnubg")
    assert not found["name"].str.contains("loss").any()
    wrong = gnubg.decisions["kind"].isin(["no_double", "double", "take", "pass"]) & gnubg.decisions[
        "error"
    ].gt(0)
    of_cube = found[found["game"].notna() & found["name"].eq("error_cube+error_answer")]
    assert of_cube["tolerance"].sum() == pytest.approx(1e-6 * wrong.sum() + 5e-7 * len(of_cube))


def test_the_match_is_not_summed_where_a_game_lacks_the_figure(gnubg):
    figures = gnubg.figures
    lost = figures["name"].eq("luck") & figures["game"].eq(2) & figures["seat"].eq(0)
    found = compare(
        replace(gnubg, figures=figures.assign(value=figures["value"].mask(lost, -np.inf))), "gnubg"
    )
    of_match = found[found["game"].isna() & found["name"].eq("luck")]
    assert of_match["seat"].tolist() == [1]
    assert (
        len(found[found["name"].eq("luck") & found["seat"].eq(0)])
        == gnubg.decisions["game"].max() - 1
    )
    gone = compare(replace(gnubg, figures=figures[~lost]), "gnubg")
    pd.testing.assert_frame_equal(gone, found)


def test_what_the_source_prints_of_the_match_is_not_summed_again(gnubg):
    own = (
        gnubg.figures.iloc[:1]
        .assign(game=pd.NA, name="n_moves", value=1.0)
        .astype(gnubg.figures.dtypes.to_dict())
    )
    found = compare(replace(gnubg, figures=pd.concat([gnubg.figures, own])), "gnubg")
    row = found[found["game"].isna() & found["seat"].eq(0) & found["name"].eq("n_moves")]
    assert row["theirs"].tolist() == [1]
    assert "format sgf (it keeps no alternatives of forced plays)" in row["reason"].iloc[0]


def test_rates_of_games_are_not_added_up(gnubg):
    found = compare(replace(gnubg, figures=_printed(gnubg, ["pr", "snowie"])), "gnubg")
    assert found["within"].all()
    assert found["game"].notna().all()


def test_an_error_on_a_threshold_may_part_a_count(gnubg):
    plays = (
        gnubg.decisions["kind"].eq("checker")
        & gnubg.decisions["seat"].eq(0)
        & (gnubg.decisions["n_options"] > 1)
    )
    at = gnubg.decisions.index[plays][0]
    decisions = gnubg.decisions.copy()
    decisions.loc[at, "error"] = 0.0600005
    t = replace(gnubg, decisions=decisions)
    n = bl.measure.rates(decisions, "gnubg", by="seat").loc[
        0, ["n_errors", "n_blunders", "n_doubtful"]
    ]
    given = {
        "n_errors": n["n_errors"] - 1,
        "n_blunders": n["n_blunders"],
        "n_doubtful": n["n_doubtful"] + 1,
    }
    found = compare(
        t, "gnubg", {"seat0": {**given, "bad": n["n_errors"] - n["n_blunders"] - 1}}
    ).set_index("name")
    assert found["within"].all()
    number = decisions.loc[at, "decision"]
    words = f"the error 0.060000 of game 1, decision {number}, is within a stored digit of 0.06"
    assert found["reason"].to_dict() == {
        "n_blunders": "", "n_errors": words, "n_doubtful": words, "n_errors-n_blunders": words
    }  # fmt: skip
    off = compare(t, "gnubg", {"seat0": {"n_errors": n["n_errors"] - 2}}).iloc[0]
    assert not off["within"]
    assert off["reason"].startswith(words)


def test_xg_counts_have_no_such_play(aachen):
    decisions = aachen.decisions.copy()
    at = decisions.index[decisions["kind"].eq("checker") & decisions["scored"]][0]
    decisions.loc[at, "error"] = 0.02 - 1e-8
    found = compare(replace(aachen, decisions=decisions), "xg")
    assert (found.loc[found["name"] == "n_errors", "tolerance"] == 0).all()


def test_a_sum_of_nothing_and_money_are_not_compared(aachen):
    none = aachen.decisions.assign(error=np.nan)
    t = replace(aachen, decisions=none, options=aachen.options.iloc[:0])
    t = replace(
        t, decisions=t.decisions.assign(no_double=np.nan, double_take=np.nan, double_pass=np.nan)
    )
    found = compare(
        t, "xg", {"seat0": {"equity": 0, "equity_cube": 0.3, "decisions": 0, "pr": 3.1}}
    ).set_index("name")
    assert list(found.index) == ["n_decisions", "error_cube", "pr"]
    assert found["within"].tolist() == [True, False, False]
    assert found.loc["pr", "reason"].startswith("nothing of it is known here")
    money = replace(
        aachen,
        decisions=aachen.decisions.assign(away=pd.array([pd.NA] * len(none), "Int16")),
        matches=aachen.matches.assign(length=pd.array([pd.NA], "Int16")),
    )
    assert compare(money, "xg", {"seat0": {"loss": 2.0, "equity": 0.976}})["name"].tolist() == [
        "error_total"
    ]


def test_a_side_that_never_moved_has_counts_of_zero(aachen):
    t = replace(aachen, decisions=aachen.decisions[aachen.decisions["seat"] == 0])
    found = compare(t, "xg", {"seat1": {"decisions": 0, "equity": 0.0}})
    assert found[["name", "ours", "within"]].to_numpy().tolist() == [["n_decisions", 0, True]]


@pytest.mark.parametrize(
    "name", ["paris-7pt", "galaxy-3pt", "galaxy-5pt", "m1_dmp", "m3_utf8", "m5_midgame"]
)
def test_gnubg_figures_of_a_record(name, reference):
    sgf = pytest.importorskip("blunderlab.readers.sgf")
    path = reference(f"backgammon/sgf/{name}.sgf")
    t = bl.derive(sgf.read(path.read_bytes(), path).tables())
    for figures in (None, FIGURES.get(f"{name}.sgf")):
        found = compare(t, "gnubg", figures)
        assert len(found)
        assert found["within"].all(), found[~found["within"]].to_string()


# -- two rule sets -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", XG_FILES)
def test_differences_add_up(name, reference):
    t = bl.read(reference(f"backgammon/xg/{name}.xg"))
    for a, b in (("blunderdb", "xg"), ("gnubg", "xg"), ("gnubg", "blunderdb")):
        rows = differences(t, a, b)
        assert not rows.duplicated(["match_id", "game", "decision"]).any()
        assert (rows["why"] != "").all()
        assert not rows["why"].str.startswith(";").any()
        sums = (
            rows.groupby("seat")[["n_decisions", "error_total"]].sum().reindex([0, 1], fill_value=0)
        )
        ra, rb = (bl.measure.rates(t.decisions, r, by="seat").set_index("seat") for r in (a, b))
        assert sums["n_decisions"].tolist() == (ra["n_decisions"] - rb["n_decisions"]).tolist()
        gap = ra["error_total"] - rb["error_total"]
        np.testing.assert_allclose(sums["error_total"], gap, rtol=0, atol=1e-12)


def test_differences_say_why():
    d = bl.Tables.build().decisions.reindex(range(4))
    d = d.assign(
        match_id="a" * 16, game=1, decision=[1, 2, 3, 4], seat=0, kind=["checker", "checker", "no_double", "checker"],
        error=[0.0004, 0.0215, 0.001, 0.02], n_options=[3, 3, pd.NA, 3], n_legal=[3, pd.NA, pd.NA, pd.NA],
        spread=[0.0006, 0.3, np.nan, 0.3], flat=[True, False, False, False], illegal=False,
        no_double=[np.nan, np.nan, -0.1, np.nan], double_take=[np.nan, np.nan, -0.099, np.nan],
        double_pass=[np.nan, np.nan, 1, np.nan],
    )  # fmt: skip
    dtypes = bl.Tables.build().decisions.dtypes
    t = bl.Tables.build(
        decisions=d.astype({c: dtypes[c] for c in ("kind", "n_options", "n_legal", "game", "seat")})
    )
    rows = differences(t, "blunderdb", "xg")
    assert rows["decision"].tolist() == [1, 2, 3]
    assert rows["n_decisions"].tolist() == [-1, 0, -1]
    assert rows["error_total"].tolist() == pytest.approx([-0.0004, 0.0005, -0.001])
    assert rows["why"].tolist() == [
        "counted by xg, not by blunderdb: one legal play, or all legal plays are equal to 0.001; its error is summed "
        "by xg alone",
        "its error is rounded to 0.001 by blunderdb",
        "counted by xg, not by blunderdb: no double is worth 0 or less, or 0.200 or more above doubling; its error is "
        "summed by xg alone",
    ]
    assert differences(t, "xg", "blunderdb")["n_decisions"].tolist() == [1, 0, 1]
    assert differences(bl.Tables.build(), "xg", "gnubg").empty
