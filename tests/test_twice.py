"""Two analyses of one match: every decision meets its twin, and the shares add up."""

import numpy as np
import pandas as pd
import pytest

import blunderlab as bl


def test_paris_by_both_programs(reference):
    xg = bl.read(reference("backgammon/xg/paris-7pt.xg"))
    gnubg = bl.read(reference("backgammon/sgf/paris-7pt.sgf"))
    found = bl.reconcile.analyses(xg, gnubg)
    # XG has 543 rows, gnuBG 541: two no doubles at which gnuBG evaluated no cube.
    assert len(found) == 543
    alone = found[found["decision_b"].isna()]
    assert alone["kind"].tolist() == ["no_double", "no_double"]
    assert found["decision_a"].notna().all()
    met = found[found["decision_b"].notna() & (found["kind"] == "checker")]
    assert (met["played_a"] == met["played_b"]).mean() > 0.99
    known = found["difference"].notna()
    assert found.loc[known, "difference"].sum() == pytest.approx(
        found.loc[known, "error_a"].sum() - found.loc[known, "error_b"].sum()
    )


def test_row_order_does_not_matter(reference):
    from dataclasses import replace

    xg = bl.read(reference("backgammon/xg/paris-7pt.xg"))
    gnubg = bl.read(reference("backgammon/sgf/paris-7pt.sgf"))
    mixed = replace(gnubg, decisions=gnubg.decisions.sample(frac=1, random_state=3))
    pd.testing.assert_frame_equal(
        bl.reconcile.analyses(xg, gnubg), bl.reconcile.analyses(xg, mixed)
    )


def test_shares_add_up():
    rng = np.random.default_rng(0)
    for values in rng.normal(size=(50, 2, 2)):
        one = bl.reconcile.shares(pd.DataFrame(values))
        assert one["analysis"] + one["rule"] == pytest.approx(one["difference"])
        assert one["difference"] == values[0, 0] - values[1, 1]
    # Only the rule differs: all of it is the rule's.
    assert bl.reconcile.shares(pd.DataFrame([[3.0, 2.0], [3.0, 2.0]])).tolist() == [1.0, 0.0, 1.0]


def test_other_matches_are_refused():
    two = bl.datasets.tables()
    one = bl.datasets.tables("paris-7pt")
    other = bl.datasets.tables("aachen-double-7pt")
    with pytest.raises(bl.SchemaError, match="2 matches"):
        bl.reconcile.analyses(two, one)
    with pytest.raises(bl.SchemaError, match="different matches"):
        bl.reconcile.analyses(
            bl.Tables(
                one.decisions[one.decisions["kind"] == "take"], *list(vars(one).values())[1:]
            ),
            bl.Tables(
                other.decisions[other.decisions["kind"] == "take"], *list(vars(other).values())[1:]
            ),
        )


def test_twins_are_found_by_their_rolls(reference):
    names = [
        "xg/paris-7pt.xg",
        "xg/aachen-double-7pt.xg",
        "sgf/paris-7pt.sgf",
        "xg/aachen-double-r2-7pt.xg",
    ]
    t = bl.read_many([reference(f"backgammon/{name}") for name in names])
    found = bl.reconcile.same_matches(t)
    ids = t.matches["match_id"]
    assert found.to_numpy().tolist() == [[ids[0], ids[2]]]
    a, b = (bl.reconcile.one_match(t, match) for match in found.iloc[0])
    assert len(bl.reconcile.analyses(a, b)) == 543
