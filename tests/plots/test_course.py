"""The running loss and the sizes of errors are drawn as they are; what is unknown is counted, not drawn."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from measure.frames import checker, decisions

from blunderlab import plots
from blunderlab.study.match import _course


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture
def rows():
    own, other = {"player": "Ann", "seat": 0}, {"player": "Bob", "seat": 1}
    given = decisions(
        [
            checker(0.100, loss=0.010, difficulty=0.0005, game=1, **own),
            checker(0.020, loss=0.002, difficulty=0.0040, game=1, **other),
            checker(0.050, loss=0.005, difficulty=None, game=2, **own),
            checker(0.300, loss=None, game=2, **own),
            checker(None, game=2, **other),
        ]
    )
    return given.assign(counted=True, scored=given["error"].notna())


def test_losses_add_up_in_points(rows, ax):
    plots.cumulative_loss(_course(rows), ax)
    drawn = {line.get_label(): line.get_ydata().tolist() for line in ax.lines[:2]}
    assert drawn == {
        "Ann: 1.5 (n = 2, 1 without price)": pytest.approx([1.0, 1.5]),
        "Bob: 0.2 (n = 1)": pytest.approx([0.2]),
    }
    bars = ax.figure.axes[1]
    heights = [seg[1][1] for lines in bars.collections for seg in lines.get_segments()]
    assert heights == pytest.approx([1.0, 0.5, -0.2])
    assert "percentage points of MWC" in ax.get_ylabel()


def test_money_is_drawn_in_millipoints(rows, ax):
    plots.cumulative_loss(_course(rows.assign(loss=np.nan)), ax)
    assert ax.lines[0].get_ydata().tolist() == pytest.approx([100, 150, 450])
    assert "millipoints" in ax.get_ylabel()


def test_one_match_at_a_time(rows, ax):
    rows["match_id"] = ["a", "b", "a", "b", "a"]
    with pytest.raises(ValueError, match="one match"):
        plots.cumulative_loss(_course(rows), ax)


def test_an_empty_course(rows, ax):
    plots.cumulative_loss(_course(rows[:0]), ax)
    assert len(ax.lines) == 0
    assert ax.get_legend() is None


def test_errors_are_counted_by_size(rows, ax):
    plots.error_histogram(rows, ax=ax)
    heights = {c.get_label(): [p.get_height() for p in c] for c in ax.containers}
    # Ann: 100, 50 and 300 of three counted and scored decisions; classes start at 1 2 5 10 20 50 100 200 500 1000
    third = 100 / 3
    assert heights["Ann (n = 3; 0% below 1)"] == pytest.approx([0, 0, 0, 0, 0, third, third, third, 0, 0])  # fmt: skip
    assert heights["Bob (n = 1; 0% below 1)"] == pytest.approx([0, 0, 0, 0, 100, 0, 0, 0, 0, 0])


def test_an_edge_belongs_to_the_class_above(ax):
    rows = decisions([checker(x) for x in (0.020, 0.05, 0.2, 0.0009, 1.8)]).assign(counted=True)
    plots.error_histogram(rows, ax=ax)
    assert [p.get_height() for p in ax.containers[0]] == pytest.approx([0, 0, 0, 0, 20, 20, 0, 20, 0, 20])  # fmt: skip


def test_an_unknown_difficulty_is_counted_and_not_drawn(rows, ax):
    plots.loss_against_difficulty(rows, ax=ax)
    marks = [x for line in ax.lines if line.get_marker() in "oD" for x in zip(*line.get_data(), strict=True)]  # fmt: skip
    assert sorted(marks) == [pytest.approx((0.2, 0.4)), pytest.approx((1.0, 0.05))]
    assert ax.get_title(loc="left") == "n = 2 counted errors; 1 more without difficulty"
