"""Transcriptions through `bl.read` one by one and through `bl.read_many`: CPU time a file at 55, 200 and 1,700 files.

    BLUNDERLAB_DATA=… python benchmarks/bench_mat.py

The files are the reference records and copies of them. A copy has a comment of its own, so its bytes are new;
the copies are one match to `read_many`, which notes every pair (about 26,000 of them at 1,700 files). What is kept
of texts that were read before (words and plays, not boards) helps copies more than it would help other matches, so a
second column empties it before every file.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import blunderlab as bl
from blunderlab.readers.mat import plays, rows

SIZES, ROUNDS = (55, 200, 1700), 3


def main():
    root = Path(os.environ.get("BLUNDERLAB_DATA", ""), "backgammon", "mat")
    records = sorted(p for p in root.glob("*") if p.suffix in (".mat", ".txt"))
    if not records:
        sys.exit("no transcriptions: set BLUNDERLAB_DATA to the folder of reference records")
    bl.read(records[0])
    print(f"CPU time of one file in ms, best of {ROUNDS} (of one from 1,000 files on)")
    print(f"{'files':>6} {'read':>8} {'read, nothing kept':>20} {'read_many':>10}")
    for size in SIZES:
        rounds = ROUNDS if size < 1000 else 1
        with tempfile.TemporaryDirectory() as folder:
            files = copies(records, size, Path(folder))
            times = [
                min(cpu(run, files) for _ in range(rounds)) for run in (one_by_one, cold, together)
            ]
        single, emptied, many = (1e3 * seconds / size for seconds in times)
        print(f"{size:>6,} {single:>8.2f} {emptied:>20.2f} {many:>10.2f}")


def copies(records, size, folder):
    """So many files in a folder, each with bytes of its own."""
    files = []
    for i in range(size):
        record = records[i % len(records)]
        files.append(folder / f"{i:05d}{record.suffix}")
        comment = b"\n; copy %d\n" % i if i >= len(records) else b""
        files[-1].write_bytes(record.read_bytes() + comment)
    return files


def one_by_one(files):
    for file in files:
        bl.read(file)


def cold(files):
    kept = [f for m in (rows, plays) for f in vars(m).values() if hasattr(f, "cache_clear")]
    for file in files:
        for one in kept:
            one.cache_clear()
        bl.read(file)


def together(files):
    bl.read_many(files)


def cpu(run, files):
    start = time.process_time()
    run(files)
    return time.process_time() - start


if __name__ == "__main__":
    main()
