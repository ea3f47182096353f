"""One `.xg` into all tables, beside the two other public readers: CPU time and peak memory, as ratios.

    BLUNDERLAB_DATA=… python benchmarks/bench_xg.py

Each round runs every program over the same files, one after the other, so that a slow moment of the machine
meets all of them; the smallest sum over the files counts. The peers do what their documentation calls:
gammonview's `gvformat.convert_xg` (records to its match document) and xgparse's dataclasses (a mere parse).
Ours returns every table with its strings, priced and counted.
"""

import os
import sys
import time
import tracemalloc
from pathlib import Path

import gvformat
import xgparse

import blunderlab as bl
from blunderlab.readers import xg
from blunderlab.readers.xg.container import segments

ROUNDS = 7
STAGES = 5


def main():
    folder = Path(os.environ.get("BLUNDERLAB_DATA", ""), "backgammon", "xg")
    files = sorted(folder.glob("*.xg"))
    if not files:
        sys.exit("no .xg files: set BLUNDERLAB_DATA to the folder of reference records")
    runs = {
        "blunderlab.read": bl.read,
        "gvformat.convert_xg": gvformat.convert_xg,
        "xgparse dataclasses": lambda path: list(xgparse.convert_xg_to_py_dataclasses(str(path))),
    }
    best, peak = (
        measured(runs, files, ROUNDS),
        {name: memory(run, files) for name, run in runs.items()},
    )
    ours = best["blunderlab.read"]
    print(
        f"{len(files)} files, CPU time summed over them, best of {ROUNDS} rounds; peak memory of one file"
    )
    for name, seconds in best.items():
        print(
            f"  {name:<22} {1e3 * seconds:8.1f} ms  {seconds / ours:5.1f} ×  {peak[name] / 1e6:6.1f} MB"
        )

    print("where our time goes (ms a file)")
    for name, seconds in measured(stages(files), files, STAGES).items():
        print(f"  {name:<36} {1e3 * seconds / len(files):6.2f}")


def measured(runs, files, rounds):
    """Smallest CPU time of each program over all files."""
    for run in runs.values():
        run(files[0])  # imports and tables that load once
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.process_time()
            for path in files:
                run(path)
            best[name] = min(best[name], time.process_time() - start)
    return best


def memory(run, files):
    """Largest peak of Python and numpy memory while one file is read, in bytes."""
    peaks = []
    for path in files:
        tracemalloc.start()
        kept = run(path)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        del kept
    return max(peaks)


def stages(files):
    """Each stage on the output of the one before, made beforehand."""
    data = {path: path.read_bytes() for path in files}
    read = {path: xg.read(data[path], path).tables() for path in files}
    return {
        "inflate": lambda path: segments(data[path], path),
        "inflate, records, rows, tables": lambda path: xg.read(data[path], path).tables(),
        "derive: price, difficulty, count": lambda path: bl.derive(read[path]),
        "everything": bl.read,
    }


if __name__ == "__main__":
    main()
