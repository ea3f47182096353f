"""How alike two positions are, in checkers times pips."""

import numpy as np

from blunderlab.backgammon.board import CHECKERS, flip

__all__ = ["ALIKE", "like", "like_vectors", "pairs_alike"]

ALIKE = 12  # checker-pips; up to here, inclusive, positions are neighbours


def like(points, other):
    """Distance of two positions: the pips that turn one into the other, of both sides.

    For each side the Wasserstein-1 distance of where its checkers stand, counted from off to the bar: as many pips as
    checkers must be moved, at least, to turn the one board into the other.

    Parameters
    ----------
    points, other : array_like of int, shape (..., 26)
        Each in the view of its side on roll.

    Returns
    -------
    ndarray of int, shape (...)

    Examples
    --------
    >>> from blunderlab.backgammon.board import START
    >>> moved = START.copy()
    >>> moved[[13, 11]] += [-1, 1]
    >>> int(like(START, START)), int(like(START, moved))
    (0, 2)
    """
    return np.abs(like_vectors(points) - like_vectors(other)).sum(-1)


def like_vectors(points):
    """What `like` compares: city-block distances of these vectors are the distances.

    Parameters
    ----------
    points : array_like of int, shape (..., 26)

    Returns
    -------
    ndarray of int32, shape (..., 50)
        For each side, the side on roll first, the checkers off or on a point below, point by point from its own view.
    """
    points = np.asarray(points, np.int8)
    sides = []
    for view in (points, flip(points)):
        own = np.maximum(view[..., 1:], 0).astype(np.int32)
        off = CHECKERS - own.sum(-1, keepdims=True)
        sides.append(off + np.cumsum(own, axis=-1) - own)  # below point 1, 2, … the bar
    return np.concatenate(sides, axis=-1)


def pairs_alike(points, within=ALIKE):
    """All pairs of positions that lie within a distance of each other.

    Parameters
    ----------
    points : array_like of int, shape (n, 26)
    within : float
        Inclusive.

    Returns
    -------
    scipy.sparse.csr_array of bool, shape (n, n)
        True where two positions are alike; symmetric, a position is like itself.
    """
    from scipy.sparse import coo_array
    from scipy.spatial import cKDTree

    vectors = like_vectors(points).reshape(-1, 50)
    same, place = np.unique(vectors, axis=0, return_inverse=True)
    tree = cKDTree(same)
    near = tree.query_pairs(within + 0.5, p=1, output_type="ndarray")  # distances are whole
    n = len(same)
    row = np.concatenate([near[:, 0], near[:, 1], np.arange(n)])
    column = np.concatenate([near[:, 1], near[:, 0], np.arange(n)])
    alike = coo_array((np.ones(len(row), bool), (row, column)), shape=(n, n)).tocsr()
    return alike[place.ravel()][:, place.ravel()]
