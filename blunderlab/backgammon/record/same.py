"""Which matches are one and the same, whatever file, program or spelling they came in."""

import pandas as pd

__all__ = ["same_matches"]

_BOARD = slice(len("XGID="), len("XGID=") + 26)
_ENOUGH = 10  # rolls; fewer can be alike by chance, then the players must be the same too


def same_matches(t, seats=True):
    """Find the backgammon matches that are in these Tables more than once.

    Two records are one match when every game has the same rolls on the same boards in the same order. With fewer
    than ten rolls, which different matches can share, the players' names must agree as well.

    Parameters
    ----------
    t : Tables
    seats : bool
        The same player must sit in the same seat; else a record with the seats exchanged is the same match too.

    Returns
    -------
    DataFrame
        match_id_a, match_id_b of each pair, in the order of `t.matches`; match_id_a stands first there.

    Examples
    --------
    >>> import blunderlab as bl
    >>> len(same_matches(bl.datasets.tables(["paris-7pt", "paris-7pt-gnubg", "aachen-double-7pt"])))
    1
    """
    d = t.decisions[(t.decisions["discipline"] == "backgammon") & t.decisions["roll"].notna()]
    d = d.sort_values(["match_id", "decision"])
    first = d["seat"].groupby(d["match_id"]).transform("first")
    who = d["seat"] if seats else (d["seat"] != first).astype("Int16")
    line = (
        d["game"].astype("str")
        + who.astype("str")
        + d["roll"]
        + d["position"].str[_BOARD].fillna("")
    )
    by_match = line.groupby(d["match_id"])
    record = pd.DataFrame({"rolls": by_match.agg(" ".join), "n": by_match.size()})
    matches = t.matches.drop_duplicates("match_id").set_index("match_id")
    record = record.reindex(matches.index).dropna()
    names = matches["player0"].fillna("") + "\0" + matches["player1"].fillna("")
    record["names"] = names.reindex(record.index).where(record["n"] < _ENOUGH, "")
    record["place"] = range(len(record))
    record = record.rename_axis("match_id").reset_index()
    pairs = record.merge(record, on=["rolls", "names"], suffixes=("_a", "_b"))
    pairs = pairs[pairs["place_a"] < pairs["place_b"]].sort_values(["place_a", "place_b"])
    return pairs[["match_id_a", "match_id_b"]].reset_index(drop=True)
