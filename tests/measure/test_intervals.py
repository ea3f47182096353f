"""The ratio interval: known answers and silence (backgammon.md W3.3, S-24)."""

import math

import numpy as np
import pytest

from blunderlab.measure import ratio_interval
from blunderlab.measure.intervals import grouped_interval


def test_three_units_by_hand():
    # R = 30/30 = 1; residuals -10, 0, 10; Var = 3/2 · 200/900; the published SE is sqrt(300)/30.
    ratio, low, high = ratio_interval([0, 10, 20], [10, 10, 10])
    assert ratio == 1
    assert low == 0  # floored
    assert high == pytest.approx(1 + 1.96 * math.sqrt(300) / 30, abs=1e-12)
    assert high == pytest.approx(2.1316065, abs=5e-8)


def test_a_unit_with_nothing_is_none():
    assert ratio_interval([0, 10, 20, 0], [10, 10, 10, 0]) == ratio_interval(
        [0, 10, 20], [10, 10, 10]
    )


@pytest.mark.parametrize(
    ("e", "n"),
    [
        ([10], [5]),
        ([0, 0], [1, 1]),
        ([10, 20, 2], [5, 10, 1]),
        ([0, 0, 0], [4, 5, 6]),
        ([1, 2], [3, 9]),
    ],
    ids=["W3.3:one", "W3.3:two", "W3.3:same-ratio", "S-24:no-spread", "W3.3:two-that-differ"],
)
def test_no_interval(e, n):
    ratio, low, high = ratio_interval(e, n)
    assert ratio == pytest.approx(sum(e) / sum(n))
    assert np.isnan(low)
    assert np.isnan(high)


def test_same_ratio_in_binary_fractions_has_no_width():
    n = np.arange(1, 40)
    _, low, _ = ratio_interval(0.1 * n / 3, n / 3)
    assert np.isnan(low)


def test_no_denominator_has_no_ratio():
    assert np.isnan(ratio_interval([], [])).all()
    assert np.isnan(ratio_interval([1.0], [0])[0])


def test_seven_point_pool_of_l7():
    # W3.2: losses .30@7, .05@1, .40@11 against √N: R .10772185, SE .01290537; L₇ .2850052 [.2180822, .3519288].
    # The published upper end is not R + 1.96 SE: (.10772185 + 1.96 · .01290537)·√7 = .3519282, which is ours.
    e, root = np.array([0.30, 0.05, 0.40]), np.sqrt([7, 1, 11])
    ratio, low, high = ratio_interval(e, root)
    assert ratio == pytest.approx(0.10772185, abs=5e-9)
    assert (high - ratio) / 1.96 == pytest.approx(0.01290537, abs=5e-9)
    found = math.sqrt(7) * np.array([ratio, low, high])
    np.testing.assert_allclose(found, [0.2850052, 0.2180822, 0.3519282], atol=5e-8)


def test_groups_equal_single_calls():
    rng = np.random.default_rng(2)
    e, n, group = (
        rng.exponential(1, 500),
        rng.integers(0, 30, 500).astype(float),
        rng.integers(0, 60, 500),
    )
    ratio, low, high = grouped_interval(e, n, group, 60)
    for g in range(60):
        alone = ratio_interval(e[group == g], n[group == g])
        np.testing.assert_allclose([ratio[g], low[g], high[g]], alone)
