"""Pictures draw what the frames hold, say their units and their n, and never draw what is missing as zero."""

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import blunderlab as bl
from blunderlab import plots
from blunderlab.plots.counting import _RULES
from blunderlab.plots.decisions import _numbers

RULES = ["xg", "gnubg", "blunderdb"]
MET = bl.met.load("kazaross-xg2")


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture(scope="module")
def decisions():
    """Two games of one match: every kind, an error of 0, one unknown, and one without a price."""
    rows = [
        # game, decision, seat, kind, error, loss, cube
        (1, 1, 0, "checker", 0.100, 0.00626, 1),
        (1, 2, 1, "checker", 0.0, 0.0, 1),
        (1, 3, 0, "no_double", np.nan, np.nan, 1),
        (1, 4, 1, "double", 0.040, 0.0025, 1),
        (2, 5, 0, "take", 0.250, 0.033, 2),
        (2, 6, 1, "checker", 0.030, np.nan, 4),
        (2, 7, 1, "roll", np.nan, np.nan, 4),
    ]
    names = ["game", "decision", "seat", "kind", "error", "loss", "cube"]
    frame = pd.DataFrame(rows, columns=names).astype(
        {"game": "Int16", "decision": "Int16", "seat": "Int16", "cube": "Int16"}
    )
    kinds = {c.name: c.pandas for c in bl.tables.SCHEMA["decisions"]}["kind"]
    player = frame["seat"].map({0: "Ann", 1: "Bob"}).astype("str")
    return frame.assign(match_id="m", kind=frame["kind"].astype(kinds), player=player)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def points(ax, *markers):
    """Every (x, y) drawn as a mark of these forms."""
    drawn = [line for line in ax.lines if line.get_marker() in markers]
    return sorted(
        (float(x), float(y)) for line in drawn for x, y in zip(*line.get_data(), strict=True)
    )


# -- the price of equity --------------------------------------------------------------------------


def test_met_cells_are_the_table_in_per_cent(ax):
    plots.met_surface(MET, to=4, ax=ax)
    drawn = np.array(texts(ax), float).reshape(4, 5)
    away = np.arange(1, 5)
    assert drawn[:, 1:] == pytest.approx(100 * MET.mwc(away[:, None], away, "none"), abs=0.0501)
    assert drawn[:, 0] == pytest.approx(100 * MET.mwc(away, 1, "post"), abs=0.0501)
    assert np.asarray(ax.images[0].get_array())[1, 1] == pytest.approx(32.264)


def test_met_axes_say_what_they_are(ax):
    plots.met_surface(MET, to=4, ax=ax)
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        "opponent needs (points)",
        "player needs (points)",
    )
    assert ax.get_title(loc="left") == "Chance to win the match (%), kazaross-xg2"
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels == ["1\nafter", "1\nCrawford", "2", "3", "4"]


@pytest.mark.parametrize("cube", [1, 2, 4])
def test_price_cells_are_the_loss_of_this_error_in_points(ax, cube):
    plots.price_surface(MET, cube=cube, error=0.080, to=5, ax=ax)
    drawn = np.array(texts(ax), float).reshape(5, 5)
    away = np.arange(1, 6)
    assert drawn == pytest.approx(
        100 * 0.080 * MET.price(away[:, None], away, cube, "none"), abs=0.00501
    )
    assert drawn == pytest.approx(drawn.T)
    expected = f"Loss for 80 millipoints (percentage points of MWC), cube at {cube}"
    assert ax.get_title(loc="left") == expected


def test_values_stand_out_from_their_cells(ax):
    plots.met_surface(MET, to=9, ax=ax)
    image = ax.images[0]
    for text in ax.texts:
        x, y = (int(v) for v in text.get_position())
        cell = image.cmap(image.norm(image.get_array()[y, x]))[:3]
        ink = matplotlib.colors.to_rgb(text.get_color())
        light = [np.dot(colour, (0.299, 0.587, 0.114)) for colour in (cell, ink)]
        assert abs(light[0] - light[1]) > 0.3, text.get_text()


# -- decisions ------------------------------------------------------------------------------------


def test_errors_are_drawn_in_millipoints_up_for_seat_0_and_down_for_seat_1(decisions, ax):
    plots.error_by_decision(decisions, ax=ax)
    assert points(ax, "o", "D", "s") == [(1, 100), (4, -40), (5, 250), (6, -30)]
    assert points(ax, "s") == [(5, 250)]
    assert ax.get_ylabel() == "error (millipoints)"
    assert ax.yaxis.get_major_formatter()(-40, None) == "40"


def test_unscored_rows_are_ticks_that_are_counted_and_not_errors_of_0(decisions, ax):
    plots.error_by_decision(decisions, ax=ax)
    assert points(ax, "|") == [(3, 0), (7, 0)]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend[-1] == "not scored (n = 2)"
    assert "Ann: 350 millipoints, n = 2 scored" in texts(ax)
    assert "Bob: 70 millipoints, n = 3 scored" in texts(ax)


def test_largest_errors_bear_their_numbers(decisions, ax):
    plots.error_by_decision(decisions, label=1, ax=ax)
    assert set(texts(ax)) & set("1234567") == {"5", "4"}


def test_row_order_and_index_make_no_difference(decisions):
    one, two = (Figure().subplots() for _ in range(2))
    plots.error_by_decision(decisions, ax=one)
    plots.error_by_decision(decisions.iloc[::-1].set_index("decision", drop=False), ax=two)
    assert points(one, "o", "D", "s", "|") == points(two, "o", "D", "s", "|")
    assert sorted(texts(one)) == sorted(texts(two))


def test_two_matches_are_refused(decisions, ax):
    with pytest.raises(ValueError, match="one match at a time"):
        plots.error_by_decision(pd.concat([decisions, decisions.assign(match_id="n")]), ax=ax)


def test_numbers_of_neighbours_lean_apart(ax):
    ax.set_xlim(0, 200)
    _numbers(np.array([100.0, 50.0, 101.0]), np.array([3.0, 2.0, 1.0]), ax)
    assert [(t.get_text(), t.get_ha()) for t in ax.texts] == [
        ("50", "center"), ("100", "right"), ("101", "left"),
    ]  # fmt: skip


def test_losses_are_drawn_in_points_and_what_is_left_out_is_counted(decisions, ax):
    plots.loss_against_error(decisions, ax=ax)
    drawn = points(ax, "o", "s", "^")
    assert drawn == [pytest.approx(p) for p in ((40, 0.25), (100, 0.626), (250, 3.3))]
    expected = "n = 3 errors; not drawn: 1 of size 0, 1 without price"
    assert ax.get_title(loc="left") == expected
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        "error (millipoints)",
        "loss (percentage points of MWC)",
    )
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["cube 1 (n = 2)", "cube 2 (n = 1)", "double match point"]


def test_double_match_point_line_is_its_price(decisions, ax):
    plots.loss_against_error(decisions, ax=ax)
    (line,) = [line for line in ax.lines if line.get_linestyle() == "--"]
    error, loss = line.get_data()
    assert loss / 100 == pytest.approx(error / 1000 * MET.price(1, 1, 1, "post"))


def test_an_empty_table_is_an_empty_picture():
    empty = bl.tables.empty("decisions")
    drawn = plots.loss_against_error(empty, ax=Figure().subplots())
    assert drawn.get_title(loc="left").startswith("n = 0 errors")
    drawn = plots.error_by_decision(empty, ax=Figure().subplots())
    assert points(drawn, "o", "D", "s", "|") == []
    counted = pd.DataFrame({rules: pd.Series(dtype=bool) for rules in RULES})
    assert not plots.counted_by(counted, ax=Figure().subplots()).patches


# -- what counts ----------------------------------------------------------------------------------


@pytest.fixture
def rates():
    return pd.DataFrame(
        {
            "player": ["Ann", "Ann", "Bob"],
            "rules": ["xg", "gnubg", "xg"],
            "n_decisions": [100, 102, 40],
            "pr": [4.0, 3.9, 7.5],
            "pr_low": [2.5, 2.4, np.nan],
            "pr_high": [5.5, 5.4, np.nan],
            "snowie": [1.9, 1.8, 3.6],
        }
    )


def test_rates_and_their_intervals_are_drawn_as_given(rates, ax):
    plots.rule_sets(rates, ax=ax)
    intervals = [tuple(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2]
    assert intervals == [(2.5, 5.5), (2.4, 5.4)]
    marks = [
        (line.get_xdata()[0], line.get_mfc()) for line in ax.lines if len(line.get_xdata()) == 1
    ]
    assert [x for x, face in marks if face != "white"] == [4.0, 3.9, 7.5]
    assert [x for x, face in marks if face == "white"] == [1.9, 1.8, 3.6]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["Ann, xg (n = 100)", "Ann, gnubg (n = 102)", "Bob, xg (n = 40)"]
    assert ax.get_xlim()[0] == 0


def test_rates_of_the_library_can_be_drawn(ax):
    empty = bl.measure.rates(bl.tables.empty("decisions"), "xg", by=()).assign(rules="xg")
    assert plots.rule_sets(empty, ax=ax) is ax


def test_bars_count_each_combination_once(ax):
    rows = pd.DataFrame(
        [(1, 1, 1)] * 4 + [(1, 0, 1)] * 2 + [(0, 1, 0)] + [(0, 0, 0)] * 3, columns=RULES
    ).astype(bool)
    plots.counted_by(rows, ax=ax)
    assert [bar.get_width() for bar in ax.patches] == [4, 2, 1]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["xg + gnubg + blunderdb", "xg + blunderdb", "gnubg"]
    assert texts(ax) == ["4", "2", "1"]
    expected = "n = 7 rows that a rule set counts; 3 rows counted by none"
    assert ax.get_title(loc="left") == expected


# -- against other tools --------------------------------------------------------------------------


@pytest.fixture
def compared():
    return pd.DataFrame(
        {
            "name": ["n_checker", "pr", "pr", "loss_total", "n_errors"],
            "difference": [0.0, 0.002, -0.004, 0.00003, 0.0],
            "tolerance": [0.0, 0.005, 0.005, 0.00005, 0.0],
        }
    )


def test_differences_are_shares_of_the_published_tolerance(compared, ax):
    published = {"pr": 0.10, "loss_total": 0.010, "n_checker": 7, "snowie": 0.5}
    words = {"pr": ("PR", 1), "loss_total": ("MWC (pp)", 100)}
    plots.reconciliation(compared, published, words, ax=ax)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["PR", "MWC (pp)", "n_checker"]  # what has no published tolerance is not drawn
    shares = [x for x, _ in sorted(points(ax, "o"), key=lambda p: p[1])]
    assert shares == pytest.approx([4, 0.3, 0.01])  # the larger of two; 0 lies on the left edge
    assert ax.get_xlim()[0] == pytest.approx(0.01)
    assert texts(ax)[:3] == [
        "0.004 | 0.005 | 0.1   n = 2", "0.003 | 0.005 | 1   n = 1", "0 | 0 | 7   n = 1",
    ]  # fmt: skip
    assert [round(bar.get_width(), 3) for bar in ax.patches] == [100, 5, 100, 0.5, 100, 0.01]


def test_missing_games_are_left_out_of_the_balance(ax):
    games = pd.DataFrame(
        {"change": [0.10, -0.25, np.nan, 0.5], "balance": [0.12, -0.25, 0.3, np.nan]}
    )
    plots.balance(games, ax=ax)
    assert points(ax, "o") == [pytest.approx(p) for p in ((-25, -25), (10, 12))]
    assert ax.get_title(loc="left") == "residual +1.0 ± 1.4 pp (n = 2 games)"
    assert "(pp)" in ax.get_xlabel()
    assert "(pp)" in ax.get_ylabel()


def test_programs_stand_apart_in_the_balance(ax):
    games = pd.DataFrame(
        {"change": [0.1, 0.2, -0.1], "balance": [0.1, 0.2, -0.3], "tool": ["XG", "XG", "gnuBG"]}
    )
    plots.balance(games, by="tool", ax=ax)
    assert points(ax, "o") == [pytest.approx(p) for p in ((10, 10), (20, 20))]
    assert points(ax, "^") == [pytest.approx((-10, -30))]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["XG: +0.0 ± 0.0 pp (n = 2 games)", "gnuBG: n = 1 game"]


def test_a_difference_too_small_to_draw_says_so(ax):
    rows = pd.DataFrame({"name": ["pr"], "difference": [7.6e-15], "tolerance": [0.0005]})
    plots.reconciliation(rows, {"pr": 0.2}, ax=ax)
    assert texts(ax)[0] == "< 0.01 % | 0.0005 | 0.2   n = 1"


# -- all of them ----------------------------------------------------------------------------------


def test_every_rule_set_has_a_colour_and_a_form_of_its_own():
    assert set(_RULES) == set(bl.measure.RULES)
    for own in zip(*_RULES.values(), strict=True):
        assert len(set(own)) == len(_RULES)


def test_without_axes_a_new_figure_is_made():
    from matplotlib import pyplot as plt

    before = len(plt.get_fignums())
    ax = plots.met_surface(to=3)
    assert len(plt.get_fignums()) == before + 1
    plt.close(ax.figure)


def test_two_analyses_draws_what_both_scored():
    t = bl.datasets.tables(["paris-7pt", "paris-7pt-gnubg"])
    a, b = (bl.reconcile.one_match(t, match) for match in t.matches["match_id"])
    found = bl.reconcile.analyses(a, b)
    ax = bl.plots.two_analyses(found, ("XG", "gnuBG"), ax=Figure().subplots())
    drawn = np.concatenate([line.get_xydata() for line in ax.lines[:2]])
    both = found[found["difference"].notna()]
    assert len(drawn) == len(both)
    np.testing.assert_allclose(np.sort(drawn[:, 0]), np.sort(1000 * both["error_a"]))
    assert ax.get_ylabel() == "error by gnuBG (millipoints)"
    assert f"{len(found) - len(both)} not scored by both" in ax.get_title(loc="left")


def test_forest_leaves_out_what_is_unknown():
    rows = pd.DataFrame(
        {
            "player": ["A", "B", "C"],
            "pr": [5.0, 6.0, np.nan],
            "pr_low": [3.0, np.nan, np.nan],
            "pr_high": [7.0, np.nan, np.nan],
            "n_decisions": [80, 12, 0],
        }
    )
    ax = bl.plots.forest(rows, ax=Figure().subplots())
    bars = ax.collections[0].get_segments()
    assert [segment[:, 0].tolist() for segment in bars] == [[3.0, 7.0]]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["A (n = 80)", "B (n = 12)", "C (n = 0)"]
    assert [t.get_text() for t in ax.texts] == ["no value"]


def test_a_side_with_few_decisions_does_not_squash_the_forest(ax):
    rows = pd.DataFrame(
        {
            "player": list("ABCDE"),
            "pr": [5.0, 6.0, 4.0, 5.0, 110.0],
            "pr_low": [3.0, 4.0, 3.0, 0.0, np.nan],
            "pr_high": [7.0, 8.0, 5.0, 40.0, np.nan],
            "n_decisions": [80, 90, 70, 9, 1],
        }
    )
    bl.plots.forest(rows, ax=ax)
    assert ax.get_xlim()[1] < 20
    assert texts(ax) == ["to 40.0 →", "110.0 →"]
    assert ax.lines[0].get_xdata().tolist() == [5, 6, 4, 5]
    bl.plots.forest(rows.head(3), ax=(plain := Figure().subplots()))
    assert not plain.texts
