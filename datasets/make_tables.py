"""Make the tables of two matches that XG analysed, and of one of them as gnuBG analysed it.

Numbers and plays, seats in the place of names. The records are downloaded (or taken from BLUNDERLAB_DATA). XG's
own figures are in xg_figures.json; gnuBG's are in its file.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

import blunderlab as bl
from blunderlab.tables import SCHEMA

HERE = Path(__file__).resolve().parent
SEATS = ("seat 0", "seat 1")


RECORDS = {  # data set: record
    "aachen-double-7pt": "aachen-double-7pt.xg",
    "paris-7pt": "paris-7pt.xg",
    "paris-7pt-gnubg": "paris-7pt.sgf",
}


def main():
    for name, record in RECORDS.items():
        tables(name, bl.datasets.fetch(record)).save(HERE / name)


def tables(name, record):
    """The tables of one data set from its record."""
    figures = json.loads((HERE / "xg_figures.json").read_text("utf-8"))
    t = without_names(bl.read(record), record.name)
    if name in figures:
        t = replace(t, figures=bl.reconcile.typed(figures[name], t, "xg"))
    return t.validate()


def without_names(t, file):
    """Leave out who played, where, and what was remarked."""
    decisions = t.decisions.assign(
        player=t.decisions["seat"].map(dict(enumerate(SEATS))), note=pd.NA
    )
    matches = t.matches.assign(
        path=file,
        player0=SEATS[0],
        player1=SEATS[1],
        rating0=np.nan,
        rating1=np.nan,
        event=pd.NA,
        round=pd.NA,
    )
    return replace(
        t,
        decisions=declared("decisions", decisions),
        matches=declared("matches", matches),
        problems=declared("problems", t.problems.assign(path=file)),
    )


def declared(name, table):
    """Give each column its declared dtype again."""
    return table.astype({c.name: c.pandas for c in SCHEMA[name]})


if __name__ == "__main__":
    main()
