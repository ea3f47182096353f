"""Which positions to learn: few, each standing for many of the errors made."""

import heapq

import numpy as np
import pandas as pd

from blunderlab.backgammon.likeness import ALIKE, pairs_alike
from blunderlab.backgammon.xgid_rows import points_of
from blunderlab.study.families import FAMILY, members
from blunderlab.study.log import as_log
from blunderlab.study.rows import CUBE, ERROR, of_player
from blunderlab.tables import DECISION_KEY

__all__ = ["PROPOSED", "reference_positions", "treated_positions"]

PROPOSED = 20
_NOISE = 1e-12
_SCORE = ["match_length", "away", "opponent_away", "crawford", "cube", "cube_owner"]


def reference_positions(t, player, log=None, n=PROPOSED, threshold=ERROR):
    """Choose the positions to learn by heart.

    Candidates are the positions of the player's priced errors that have a theme, merged by position. Two are
    neighbours when they are of the same family, and for the cube at the same score, and within 12 of the `like`
    distance (in chess and shogi: the same position only). The gain of a position is the excess of its neighbours that
    no earlier choice covers, times its clarity: halved when the second choice costs less than half the threshold, and
    again when another depth or a rollout gives another verdict. Choices are made one by one, the largest gain first;
    near a chosen one no other is proposed, of whatever family.

    Parameters
    ----------
    t : Tables
        Derived.
    player : str or collection of str
    log : DataFrame, str, Path or None
        Study log, see `study.mark`. Positions in it, and those with a comment, are treated: they count as chosen and
        are never proposed.
    n : int
        How many at most.
    threshold : float
        Of an error, in normalised equity, inclusive.

    Returns
    -------
    DataFrame
        A row a position, the largest gain first: rank, then match_id, game, decision, position, roll, played, best and
        the score of its costliest error; game_plan, part, theme; n (errors at the position), n_stands_for (errors it
        covers, its own too), excess (Σ positive ℓ − d at the position) and gain (fractions of a match), clarity (1, ½ or
        ¼), tight (NA when no second choice was kept), unstable and confirmed (NA when one analysis only is there).

    Raises
    ------
    ValueError
        When the player has no decision in these tables.

    Examples
    --------
    >>> import blunderlab as bl
    >>> found = reference_positions(bl.datasets.tables("paris-7pt"), "seat 1", n=3)
    >>> found["gain"].is_monotonic_decreasing
    True
    """
    return _chosen(t, player, log, n, threshold)[0]


def treated_positions(t, player, log=None, threshold=ERROR):
    """The candidates of `reference_positions` that are treated already, and how many errors each stands for.

    Returns
    -------
    DataFrame
        As `reference_positions` gives it; gain and rank are NA.
    """
    return _chosen(t, player, log, 0, threshold)[1]


def _chosen(t, player, log, n, threshold):
    """The proposed and the treated positions."""
    of_player(t.decisions, player)
    candidates = _candidates(members(t, player, threshold), t, threshold)
    near, barred = _neighbours(candidates)
    noted = candidates["noted"].to_numpy(bool)
    treated = noted | candidates["position"].isin(as_log(log)["position"]).to_numpy(bool)
    picks, gains, stands = _greedy(candidates, near, barred, np.flatnonzero(treated), n)
    out = candidates.iloc[picks].reset_index(drop=True)
    out["n_stands_for"], out["gain"] = stands, gains
    kept = ["rank", *DECISION_KEY, "discipline", "position", "roll", "played", "best", *_SCORE, *FAMILY, "n",
            "n_stands_for", "excess", "gain", "clarity", "tight", "unstable", "confirmed"]  # fmt: skip
    proposed = np.isfinite(out["gain"]).to_numpy()
    rank = pd.Series(np.cumsum(proposed), dtype="Int64").where(proposed)
    out = out.assign(rank=rank)[kept]
    return out[proposed].reset_index(drop=True), out[~proposed].reset_index(drop=True)


def _candidates(rows, t, threshold):
    """Priced errors with a theme, merged by position; the row is the costliest error's."""
    rows = rows[rows["theme"].notna() & rows["excess"].notna() & rows["position"].notna()]
    rows = rows.assign(
        gain=rows["excess"].clip(lower=0),
        note=rows["note"].fillna("").str.strip().ne(""),
        best=rows["best"].astype("str"),
    )
    rows = rows.sort_values(["loss", *DECISION_KEY], ascending=[False, True, True, True])
    grouped = rows.groupby("position", sort=False)
    first = grouped.head(1).set_index("position")
    sums = grouped.agg(n=("gain", "size"), excess=("gain", "sum"), noted=("note", "any"))
    out = first.drop(columns=["excess", "gain"]).join(sums).reset_index()
    out["tight"] = _tight(out, t.options, threshold)
    out["unstable"], out["confirmed"] = _verdicts(out, t.decisions)
    halved = out[["tight", "unstable"]].fillna(False).astype(int).sum(axis=1)
    out["clarity"] = 0.5**halved
    return out.sort_values(DECISION_KEY, ignore_index=True)


def _tight(candidates, options, threshold):
    """The second choice costs less than half the threshold."""
    second = options.loc[options["rank"].eq(2), [*DECISION_KEY, "cost"]].drop_duplicates(DECISION_KEY)
    cost = candidates[DECISION_KEY].merge(second, "left", DECISION_KEY)["cost"]
    return (cost < threshold / 2).astype("boolean").mask(cost.isna())


def _verdicts(candidates, decisions):
    """Whether analyses of another depth contradict the best choice, and whether a rollout confirms it."""
    rows = decisions[decisions["position"].isin(candidates["position"]) & decisions["best"].notna()]
    part = rows["kind"].astype("str").replace({"double": "no_double"})
    rows = pd.DataFrame({"position": rows["position"], "kind": part, "level": rows["level"], "best": rows["best"]})
    one = rows.groupby(["position", "kind"]).agg(
        levels=("level", "nunique"), bests=("best", "nunique"),
        rollout=("level", lambda x: x.fillna("").str.startswith("rollout").any()),
    )  # fmt: skip
    kinds = candidates["kind"].astype("str").replace({"double": "no_double"})
    found = one.reindex(pd.MultiIndex.from_arrays([candidates["position"], kinds])).reset_index(drop=True)
    unknown = ~(found["levels"] > 1)
    unstable = (found["bests"] > 1).astype("boolean").mask(unknown)
    confirmed = (found["bests"].eq(1) & found["rollout"].eq(True)).astype("boolean").mask(unknown)
    return unstable, confirmed


def _neighbours(candidates):
    """Who covers whom, and who bars whom: sparse and symmetric."""
    from scipy.sparse import csr_array, identity

    n = len(candidates)
    if not n:
        return csr_array((0, 0), dtype=bool), csr_array((0, 0), dtype=bool)
    near = csr_array(identity(n, bool, format="csr"))
    board = candidates["discipline"].eq("backgammon").to_numpy(bool)
    if board.all():
        near = pairs_alike(points_of(candidates["position"].tolist()), ALIKE)
    elif board.any():
        at = np.flatnonzero(board)
        pairs = pairs_alike(points_of(candidates["position"].iloc[at].tolist()), ALIKE).tocoo()
        row, column = at[pairs.row], at[pairs.col]
        near = near + csr_array((np.ones(len(row), bool), (row, column)), shape=(n, n))
    pairs = near.tocoo()
    cube = candidates["part"].eq(CUBE).to_numpy(bool)
    score = candidates.groupby(_SCORE, dropna=False, observed=True).ngroup().to_numpy()
    score = np.where(cube, score, -1)  # a checker play's score does not matter
    kind = candidates.groupby("part", dropna=False).ngroup().to_numpy()
    family = candidates.groupby(FAMILY, dropna=False).ngroup().to_numpy()
    same_kind = (kind[pairs.row] == kind[pairs.col]) & (score[pairs.row] == score[pairs.col])
    same_family = same_kind & (family[pairs.row] == family[pairs.col])

    def of(mask):
        return csr_array((np.ones(mask.sum(), bool), (pairs.row[mask], pairs.col[mask])), shape=(n, n))

    return of(same_family), of(same_kind)


def _greedy(candidates, near, barred, treated, n):
    """Treated ones first, then by marginal gain; a gain only shrinks, so an old one bounds it (lazy greedy)."""
    excess = candidates["excess"].to_numpy(float)
    errors = candidates["n"].to_numpy(int)
    clarity = candidates["clarity"].to_numpy(float)
    confirmed = candidates["confirmed"].fillna(False).to_numpy(bool)
    left = np.ones(len(excess), bool)  # covered by nobody yet
    free = np.ones(len(excess), bool)  # may still be proposed
    picks, gains, stands = [], [], []

    def covers(i):
        at = _row(near, i)
        return at[left[at]]

    def gain(i):
        return clarity[i] * excess[covers(i)].sum()

    def choose(i, its_gain):
        at = covers(i)
        picks.append(i)
        gains.append(its_gain)
        stands.append(int(errors[at].sum()))
        left[at] = False
        free[_row(barred, i)] = False
        free[i] = False

    for i in treated:
        choose(i, np.nan)
    heap = [(-gain(i), not confirmed[i], i) for i in np.flatnonzero(free)]
    heapq.heapify(heap)
    while heap and len(picks) < len(treated) + n:
        bound, unsure, i = heapq.heappop(heap)
        if not free[i]:
            continue
        now = gain(i)
        if -bound - now > _NOISE:
            heapq.heappush(heap, (-now, unsure, i))
        elif now > _NOISE:
            choose(i, now)
    return picks, gains, stands


def _row(matrix, i):
    return matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]]
