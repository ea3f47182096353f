"""eXtreme Gammon's `.xg` and `.xgp`: one row per decision, all that the file knows.

Container → records of one file (`extract`) → rows and tables of many (`build`). XG's own numbers are kept as stored: equities normalised to the current
cube, each error as XG worked it out (first candidate minus played, cut to 0 below 0.0001).
"""

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from blunderlab.backgammon.record.columns import Acts, Key, Scores, decision_columns, option_columns
from blunderlab.errors import ReadError
from blunderlab.readers.xg import header as header
from blunderlab.readers.xg import records as layout
from blunderlab.readers.xg.checks import Log, sound_cubes, sound_moves, unread
from blunderlab.readers.xg.comments import notes
from blunderlab.readers.xg.container import RECORD_SIZE, segments
from blunderlab.readers.xg.rows import checker_rows, cube_rows, joined
from blunderlab.tables import columns
from blunderlab.tables.draft import Draft, of_rows
from blunderlab.tables.problems import Problems
from blunderlab.tables.schema import CRAWFORD

__all__ = ["Extracted", "build", "extract", "read"]

_ROLLOUT = 100
_ROLLED = 1 << 40  # above every level code: a rollout with its number of games added
_LEVELS = {
    **{code: f"{code + 1}-ply" for code in range(7)},
    12: "3-ply red", 100: "rollout", 998: "opening book", 999: "opening book", 1000: "XG Roller",
    1001: "XG Roller+", 1002: "XG Roller++",
}  # fmt: skip


def read(data, path):
    """Read an XG match.

    As every format's `read` (see `blunderlab.readers.formats`): the file's bytes and its path in, a `Draft` out.

    Raises
    ------
    ReadError
        When the container, a header or a board is damaged; a bad evaluation only costs its row's analysis.
    """
    return build([extract(data, path)])


@dataclass
class Extracted:
    """The sound records of one file, not yet rows."""

    path: str
    sha256: str
    match: header.Match
    games: dict
    game_of: np.ndarray  # game number of every record
    moves: np.ndarray
    move_at: np.ndarray  # record numbers
    cubes: np.ndarray
    cube_at: np.ndarray
    problems: Problems
    met: str
    comments: tuple  # temp.xgc, and what `notes` needs of the records; empty without comments
    rollouts: np.ndarray  # games of each rollout

    @property
    def match_id(self):
        """The key of the match."""
        return self.sha256[:16]


def extract(data, path):
    """Unpack one file and keep the records that can be believed; raises `ReadError` as `read` does."""
    found = segments(data, path)
    sha256 = hashlib.sha256(data).hexdigest()
    problems = Problems(path, "xg", sha256[:16])
    records = np.frombuffer(found["temp.xg"], f"V{RECORD_SIZE}")
    kinds = np.frombuffer(found["temp.xg"], "u1").reshape(-1, RECORD_SIZE)[:, layout.TYPE_OFFSET]
    if kinds[0] != layout.MATCH:
        raise ReadError(
            path, "xg", 0, "the first record is no match header (offset in the unpacked temp.xg)"
        )
    game_of = np.cumsum(kinds == layout.GAME)
    log = Log([problems], game_of)
    match = header.Match(records[:1].view(layout.MATCH_RECORD)[0], path)
    games = header.games(records, kinds, game_of, match, problems)
    unread(kinds, log)
    moves, move_at = _sound(records, kinds == layout.MOVE, layout.MOVE_RECORD, sound_moves, log)
    cubes, cube_at = _sound(records, kinds == layout.CUBE, layout.CUBE_RECORD, sound_cubes, log)
    problems.room_for(len(moves) + 4 * len(cubes))  # a double, its answer, a beaver, a raccoon
    comments = found.get("temp.xgc", b"")
    rollouts = found.get("temp.xgr", b"")
    size = layout.ROLLOUT.itemsize
    if len(moves) == len(cubes) == 1 and not (kinds == layout.GAME_END).any():
        cubes, cube_at = cubes[:0], cube_at[:0]  # a position file: its cube record is context
    return Extracted(
        str(path), sha256, match, games, game_of, moves, move_at, cubes, cube_at, problems,
        _met(cubes, problems), (comments, records, kinds) if comments else (),
        np.frombuffer(rollouts[: len(rollouts) // size * size], layout.ROLLOUT)["games"],
    )  # fmt: skip


def build(files):
    """Make one draft of extracted files, in their order."""
    sizes = [len(f.game_of) for f in files]
    starts = np.cumsum(sizes) - sizes
    log = Log([f.problems for f in files], np.concatenate([f.game_of for f in files]), starts)
    moves, cubes = (_together([getattr(f, k) for f in files]) for k in ("moves", "cubes"))
    move_at, cube_at = (
        np.concatenate([getattr(f, k) + start for f, start in zip(files, starts, strict=True)])
        for k in ("move_at", "cube_at")
    )
    rows, options = joined(checker_rows(moves, move_at, log), cube_rows(cubes, cube_at, log))
    n = len(rows.record)
    match = log.match_of(rows.record)
    first = np.searchsorted(match, np.arange(len(files)))
    ids = [f.match_id for f in files]
    key = Key(ids, match, log.game_of[rows.record], np.arange(1, n + 1) - first[match])
    for number, f in enumerate(files):
        mine = slice(*np.searchsorted(match, [number, number + 1]))
        f.problems.number(rows.record[mine] - starts[number], key.decision[mine], RECORD_SIZE)
    kept = np.bincount(options.row, minlength=n)
    listed = _options(options, key, [f.rollouts for f in files])
    return Draft(
        _decisions(rows, listed, kept, key, files, _notes(files, rows, match, starts)),
        header.columns_of_games([(f.games, f.match_id) for f in files]),
        of_rows("matches", [header.match_row(f.match, f.games, f.path, f.sha256, f.met) for f in files]),
        [f.problems for f in files],
        listed,
        options.row,
        boards=rows.points,
    )


def _together(records):
    """Records of several files; those of one are not copied."""
    return records[0] if len(records) == 1 else np.concatenate(records)


def _met(cubes, problems):
    """The match equity table of the analysis; XG's own is number 0."""
    used = np.unique(cubes["met"][cubes["flag"] != layout.NO_ACCESS])
    if not used.any():
        return "kazaross-xg2"
    problems.add(
        "other_met",
        f"analysed under XG's match equity tables {used.tolist()}: losses are not priced",
    )
    return f"xg-table-{used.max()}"


def _sound(records, mask, dtype, sound, log):
    at = np.flatnonzero(mask)
    typed = records[at].view(dtype)
    kept = sound(typed, at, log)
    return (typed, at) if kept.all() else (typed[kept], at[kept])


def _decisions(rows, listed, kept, key, files, note):
    """The columns of `decisions` that the files know."""
    match = key.match
    games = [len(f.games["score0"]) for f in files]
    index = (np.cumsum(games) - games)[match] + key.game - 1
    score0, score1, crawford, sound = (
        np.concatenate([f.games[name] for f in files])[index]
        for name in ("score0", "score1", "crawford", "sound")
    )
    rules = np.array([f.match.rules for f in files])[match]
    scores = Scores(
        own=np.where(rows.seat == 0, score0, score1),
        other=np.where(rows.seat == 0, score1, score0),
        length=np.array([f.match.length or 0 for f in files])[match],
        crawford=crawford,
        rules=rules + (crawford == CRAWFORD.index("crawford")),
        sound=sound,
    )
    acts = Acts(
        rows.kind, rows.seat, rows.points, rows.dice, rows.cube, rows.owner, rows.offered, rows.single, rows.illegal,
        rows.played, known=None if sound.all() else sound,
    )  # fmt: skip
    names = [name for f in files for name in f.match.players]
    named = zip(("no_double", "double_take", "double_pass"), rows.equities.T.copy(), strict=True)
    return decision_columns(
        acts, scores, key, names, listed, kept, error=rows.error, luck=rows.luck, note=note, **dict(named)
    )


def _options(options, key, rollouts):
    """The columns of `options`; costs are derived later."""
    match = key.match[options.row]
    level = _levels(options.level, options.rollout, match, rollouts)
    return option_columns(
        key, options.row, options.rank, options.words, options.equity, level, options.chances, options.played
    )


def _levels(level, rollout, match, rollouts):
    """Words for XG's level codes; a rollout names its number of games."""
    code = level.astype(np.int64)
    for at in np.flatnonzero(level == _ROLLOUT):
        games = rollouts[match[at]]
        if 0 <= rollout[at] < len(games):
            code[at] = _ROLLED + int(games[rollout[at]])
    at, different = pd.factorize(code)
    return columns.take_text([_word(int(c)) for c in different], at)


def _word(code):
    if code >= _ROLLED // 2:
        return f"rollout {code - _ROLLED}"
    return _LEVELS.get(code, f"level {code}")


def _notes(files, rows, match, starts):
    """The comments, file by file; most files have none."""
    if not any(f.comments for f in files):
        return columns.missing("str", len(match))
    found = []
    for number, (f, start) in enumerate(zip(files, starts, strict=True)):
        mine = rows.record[match == number] - start
        if f.comments:
            segment, records, kinds = f.comments
            found += notes(
                segment, records, kinds, mine,
                (f.move_at, f.moves["comment"]), (f.cube_at, f.cubes["comment"]), f.game_of, f.problems,
            )  # fmt: skip
        else:
            found += [None] * len(mine)
    return columns.text(found)
