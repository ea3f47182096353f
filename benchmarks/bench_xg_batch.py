"""A month of `.xg` through `read_many`, beside gvformat's conversion of each file: CPU time as a ratio, and memory.

    BLUNDERLAB_DATA=… python benchmarks/bench_xg_batch.py

The files are the reference records, copied with one die changed, so that each is a match of its own. gvformat has no
call for many files; its documented `convert_xg` runs over a part of them.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import gvformat

import blunderlab as bl

COPIES, PART, ROUNDS = 20, 40, 3
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))


def main():
    from xgbytes import XG

    from blunderlab.readers.xg import records as layout

    files = sorted(Path(os.environ.get("BLUNDERLAB_DATA", ""), "backgammon", "xg").glob("*.xg"))
    if not files:
        sys.exit("no .xg files: set BLUNDERLAB_DATA to the folder of reference records")
    with tempfile.TemporaryDirectory() as folder:
        many = []
        for file in files:
            for copy in range(COPIES):
                xg = XG(file.read_bytes())
                move = xg.of(layout.MOVE)[copy]
                move["dice"] = move["dice"] % 6 + 1
                many.append(Path(folder, f"{copy:02d}-{file.name}"))
                many[-1].write_bytes(xg.archive())
        bl.read_many(many[:2])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ours = min(cpu(lambda: bl.read_many(many)) for _ in range(ROUNDS)) / len(many)
        rows = len(bl.read_many(many).options)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        single = min(cpu(lambda: [bl.read(f) for f in many[:PART]]) for _ in range(ROUNDS)) / PART
        theirs = (
            min(cpu(lambda: [gvformat.convert_xg(f) for f in many[:PART]]) for _ in range(ROUNDS))
            / PART
        )
    print(f"{len(many)} files, CPU time of one file, best of {ROUNDS}")
    for name, seconds in (
        ("read_many", ours),
        ("read, one by one", single),
        ("gvformat.convert_xg", theirs),
    ):
        print(f"  {name:<22} {1e3 * seconds:7.1f} ms  {seconds / ours:5.1f} ×")
    print(f"memory grew by {grown / 1024:.0f} MB for {rows:,} rows of options")


def cpu(run):
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()
