"""The layout of XG's records, as numpy dtypes over the whole segment.

Each record is 2,560 bytes, little endian, its type in byte 8. Offsets were checked against XG's published
description and real files (versions 30 and 32).
"""

import numpy as np

from blunderlab.readers.xg.container import RECORD_SIZE

__all__ = [
    "CUBE", "CUBE_RECORD", "GAME", "GAME_END", "GAME_END_RECORD", "GAME_RECORD", "LARGEST", "MATCH",
    "MATCH_END", "MATCH_END_RECORD", "MATCH_RECORD", "MOVE", "MOVE_RECORD", "NOT_ANALYSED", "NO_ACCESS", "RECORD_SIZE",
    "ROLLOUT", "TYPE_OFFSET", "UNLIMITED",
]  # fmt: skip

TYPE_OFFSET = 8
MATCH, GAME, CUBE, MOVE, GAME_END, MATCH_END, COMMENT = range(7)

UNLIMITED = 99999  # match length of a money session
NOT_ANALYSED = -1000.0  # an error or luck that was not computed
LARGEST = 100.0  # no equity, error or luck at the current cube comes near it; more is damage
NO_ACCESS = -100  # the flag of a cube record whose player could not double

_EVALUATION = (
    "<f4",
    7,
)  # lose backgammon, lose gammon, lose, win, win gammon, win backgammon, equity
_TEXT = ("<u2", 129)  # UTF-16, NUL-terminated, junk after the NUL


def _record(**fields):
    names = list(fields)
    offsets, formats = zip(*fields.values(), strict=True)
    return np.dtype(
        {"names": names, "formats": formats, "offsets": offsets, "itemsize": RECORD_SIZE}
    )


MATCH_RECORD = _record(
    ansi_player0=(9, ("u1", 41)), ansi_player1=(50, ("u1", 41)), length=(92, "<i4"),
    variation=(96, "<i4"), crawford=(100, "u1"), jacoby=(101, "u1"), beaver=(102, "u1"),
    rating0=(104, "<f8"), rating1=(112, "<f8"), date=(128, "<f8"), version=(552, "<i4"),
    event=(622, _TEXT), player0=(880, _TEXT), player1=(1138, _TEXT), round=(1654, _TEXT),
)  # fmt: skip

GAME_RECORD = _record(
    score0=(12, "<i4"), score1=(16, "<i4"), crawford=(20, "u1"), number=(48, "<i4"),
)  # fmt: skip

CUBE_RECORD = _record(
    actor=(12, "<i4"), double=(16, "<i4"), take=(20, "<i4"), beaver=(24, "<i4"),
    raccoon=(28, "<i4"), cube=(32, "<i4"), points=(36, ("i1", 26)), level=(92, "<i4"),
    met=(118, "<i2"), flag=(120, "<i2"), no_double_chances=(124, _EVALUATION), equities=(152, ("<f4", 3)),
    double_chances=(168, _EVALUATION), error=(200, "<f8"),
    take_error=(216, "<f8"), rollout=(224, "<i4"), beaver_error=(240, "<f8"),
    raccoon_error=(248, "<f8"), comment=(292, "<i4"),
)  # fmt: skip

MOVE_RECORD = _record(
    points=(9, ("i1", 26)), points_after=(35, ("i1", 26)), actor=(64, "<i4"),
    moves=(68, ("<i4", 8)), dice=(100, ("<i4", 2)), cube=(108, "<i4"), n_options=(188, "<i4"),
    results=(192, ("i1", (32, 26))), option_moves=(1024, ("i1", (32, 8))),
    levels=(1280, ([("level", "<i2"), ("rest", "<u2")], 32)), chances=(1408, ("<f4", (32, 7))),
    played=(2308, "u1"), error=(2312, "<f8"), luck=(2320, "<f8"), rollouts=(2344, ("<i4", 32)),
    invalid=(2480, "<i4"), comment=(2524, "<i4"),
)  # fmt: skip

GAME_END_RECORD = _record(
    score0=(12, "<i4"), score1=(16, "<i4"), winner=(24, "<i4"), points=(28, "<i4"),
    termination=(32, "<i4"),
)  # fmt: skip

MATCH_END_RECORD = _record(score0=(12, "<i4"), score1=(16, "<i4"), winner=(20, "<i4"))

# temp.xgr: one context a rollout; measured: 500 games = 32 first rolls of 14 and 4 of 13 beside it.
ROLLOUT = np.dtype({"names": ["games"], "formats": ["<i4"], "offsets": [1872], "itemsize": 2184})
