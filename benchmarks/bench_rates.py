"""`measure.rates` on a million decisions, beside three sums that pandas' groupby adds up on the same frame and keys.

    BLUNDERLAB_DATA=… python benchmarks/bench_rates.py

The frame is the shipped XG tables over and over, each copy under a match_id of its own. `rates` gives some forty
columns with an interval; the three sums are what anybody would write first.
"""

import time

import numpy as np
import pandas as pd

import blunderlab as bl

ROWS, ROUNDS = 1_000_000, 5
SUMS = ["error", "loss", "luck"]
KEYS = (["player"], ["match_id", "seat"], ["player", "kind"])


def main():
    once = bl.Tables.concat(bl.datasets.tables(n) for n in ("aachen-double-7pt", "paris-7pt")).decisions  # fmt: skip
    copies = -(-ROWS // len(once))
    many = pd.concat([once] * copies, ignore_index=True).iloc[:ROWS]
    copy = pd.Series((np.arange(ROWS) // len(once)).astype(str), many.index)
    many = many.assign(match_id=many["match_id"] + copy)
    print(f"{ROWS:,} decisions, CPU time, best of {ROUNDS}")
    for by in KEYS:
        three = best(lambda by=by: many.groupby(by, observed=True)[SUMS].sum())
        ours = best(lambda by=by: bl.measure.rates(many, by=by))
        print(f"  by {', '.join(by):<16} rates {1e3 * ours:5.0f} ms, three sums {1e3 * three:5.0f} ms: {ours / three:.1f} ×")


def best(run):
    """Smallest CPU time."""
    found = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        found = min(found, time.process_time() - start)
    return found


if __name__ == "__main__":
    main()
