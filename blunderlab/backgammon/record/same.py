"""Which matches are one and the same, whatever file, program or spelling they came in."""

from hashlib import blake2b
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from blunderlab.tables.columns import bare

__all__ = ["same_groups", "same_matches"]

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
    place = {match: i for i, match in enumerate(t.matches["match_id"])}
    pairs = [pair for group in same_groups(t, seats) for pair in combinations(group, 2)]
    pairs.sort(key=lambda pair: [place[match] for match in pair])
    return pd.DataFrame(pairs, columns=["match_id_a", "match_id_b"], dtype="str")


def same_groups(t, seats=True):
    """The same, as lists of the records of one match each, in the order of `t.matches`.

    Parameters
    ----------
    t, seats
        As in `same_matches`.

    Returns
    -------
    list of list of str
        match_id of two records or more.
    """
    rolls = (t.decisions["discipline"] == "backgammon") & t.decisions["roll"].notna()
    d = t.decisions.loc[rolls, ["match_id", "game", "decision", "seat", "roll", "position"]]
    match, ids = pd.factorize(d["match_id"])
    order = np.lexsort([d["decision"].to_numpy(np.int64), match])
    if (order[1:] < order[:-1]).any():
        d, match = d.iloc[order], match[order]
    starts = np.flatnonzero(np.diff(match, prepend=-1))
    ends = np.append(starts, len(match))[1:]
    who = d["seat"].to_numpy(np.int64, na_value=-1)
    if not seats:
        who = (who != np.repeat(who[starts], ends - starts)).astype(np.int64)
    text, at = _joined(d, who)
    of_match = t.matches.drop_duplicates("match_id").set_index("match_id")
    groups = {}
    found = {ids[match[a]]: (a, b) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)}
    for name, *players in of_match[["player0", "player1"]].fillna("").itertuples():
        if name in found:
            a, b = found[name]
            digest = blake2b(text[at[a] : at[b]], digest_size=16).digest()
            key = (digest, *players) if b - a < _ENOUGH else (digest,)
            groups.setdefault(key, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _joined(d, who):
    """Game, player, roll and board of all rows as one text, and where each row begins in it."""
    roll, position = (bare(d[name])._pa_array.combine_chunks() for name in ("roll", "position"))
    numbers = (pa.array(x).cast(pa.large_string()) for x in (d["game"].to_numpy(np.int64), who))
    board = pc.utf8_slice_codeunits(position, _BOARD.start, _BOARD.stop).fill_null("")
    line = pc.binary_join_element_wise(*numbers, roll, board, pa.scalar(" ", pa.large_string()))
    offsets = np.frombuffer(line.buffers()[1], np.int64)[: len(line) + 1]
    return memoryview(line.buffers()[2] or b""), offsets
