"""Small decisions frames, made row by row."""

import numpy as np
import pandas as pd

from blunderlab.tables import SCHEMA


def decisions(rows):
    """A valid decisions frame from dicts of the columns that matter."""
    filled = [{"match_id": "m", "game": 1, "decision": i + 1, "seat": 0, "player": "A",
               "discipline": "backgammon", **row} for i, row in enumerate(rows)]  # fmt: skip
    given = pd.DataFrame(filled)
    out = {}
    for column in SCHEMA["decisions"]:
        if column.name in given:
            values = given[column.name]
        elif column.dtype == "bool":
            values = pd.Series(np.zeros(len(given), bool))
        else:
            values = pd.Series([None] * len(given), dtype=object)
        if column.dtype == "bool":
            values = values.fillna(False)
        out[column.name] = values.astype(column.pandas)
    return pd.DataFrame(out)


def checker(error=None, options=2, spread=0.1, **more):
    return {"kind": "checker", "error": error, "n_options": options, "spread": spread, **more}


def no_double(nd, dt, dp=1.0, error=0.0, **more):
    return {
        "kind": "no_double",
        "no_double": nd,
        "double_take": dt,
        "double_pass": dp,
        "error": error,
        **more,
    }
