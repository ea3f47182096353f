"""Difficulty: known answers, shape, silence."""

import numpy as np
import pytest

from blunderlab.measure import difficulty
from blunderlab.measure.softmax import grouped_difficulty, pair_difficulty

KNOWN = [  # backgammon.md W3.1, τ = 0.025
    ([0, 0.005], 0.0022508), ([0, 0.020], 0.0062005), ([0, 0.032], 0.0069616), ([0, 0.050], 0.0059601),
    ([0, 0.100], 0.0017986), ([0, 0.200], 0.0000671), ([0, 0.01, 0.02, 0.03, 0.04], 0.0125066),
    ([0, 0, 0.03], 0.0039266), ([0, 0.03, 0.05], 0.0110005), ([0.05, 0.018], 0.0069616), ([0], 0), ([0, 0], 0),
]  # fmt: skip


@pytest.mark.parametrize(("costs", "answer"), KNOWN, ids=lambda x: f"W3.1:{x}")
def test_known_answers(costs, answer):
    assert difficulty(costs) == pytest.approx(answer, abs=5e-8)


def test_nothing_has_no_difficulty():
    assert np.isnan(difficulty([]))
    assert np.isnan(difficulty([np.nan, np.nan]))


def test_an_option_without_value_is_left_out():
    # W3.1: {-, -.03, none, .05} is [0, .03, .05].
    assert difficulty([0, 0.03, np.nan, 0.05]) == pytest.approx(0.0110005, abs=5e-8)


def test_largest_for_two_options_near_1_2784_tau():
    gaps = np.linspace(0, 0.2, 200_001)
    values = pair_difficulty(gaps)
    assert gaps[values.argmax()] == pytest.approx(0.03196, abs=1e-5)
    assert values.max() == pytest.approx(0.00696161, abs=1e-8)


def test_doubler_and_answer_of_w31():
    # Doubler with errors ND -.25, double 0 → costs [.25, 0]; answer with DT .75, DP 1 → [0, .25]: the same number.
    by_hand = 0.25 * np.exp(-10) / (1 + np.exp(-10))
    assert difficulty([0.25, 0]) == pytest.approx(by_hand)
    assert pair_difficulty(np.array([0.75 - 1.0]))[0] == pytest.approx(by_hand)


def test_groups_equal_single_calls():
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 9, 300)
    groups = [np.append(0, rng.exponential(0.03, n - 1)) for n in sizes]
    costs = np.concatenate(groups)
    costs[rng.random(len(costs)) < 0.05] = np.nan
    starts = np.cumsum(sizes) - sizes
    together = grouped_difficulty(costs, starts)
    alone = [difficulty(costs[s : s + n]) for s, n in zip(starts, sizes, strict=True)]
    np.testing.assert_allclose(together, alone, atol=1e-15)


def test_a_temperature_is_above_zero():
    with pytest.raises(ValueError, match="tau"):
        difficulty([0, 1], tau=0)
