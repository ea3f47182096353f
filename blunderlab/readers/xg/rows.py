"""XG's move and cube records as rows: a structure of arrays for the decisions, one for their options."""

from dataclasses import dataclass, fields

import numpy as np

from blunderlab.backgammon.board import flip
from blunderlab.backgammon.notation import CANNOT_MOVE, play_bytes
from blunderlab.backgammon.record.rows import CHECKER, DOUBLE, NO_DOUBLE, PASS, ROLL, TAKE
from blunderlab.readers.xg import records as layout
from blunderlab.readers.xg.checks import believable, continuous, each_option, stored_errors
from blunderlab.tables import columns

__all__ = ["Options", "Rows", "checker_rows", "cube_rows", "joined"]

_PLACES = 8  # rows that one record may give: the double, the answer, what answers a beaver, …
_EQUITY = 6  # of an evaluation; before it the chances, see _CHANCES
_ERRORS = ("error", "take_error", "beaver_error", "raccoon_error")
_CHANCES = [3, 4, 5, 2, 1, 0]  # win, win gammon, win backgammon, lose, lose gammon, lose backgammon

_UNSCORED = "an evaluation or error is no number that can be: the row is unscored"
_DANCE = np.frombuffer(CANNOT_MOVE.encode("ascii"), "u1")

_ND, _DT, _DP = range(3)
_OPTION_WORDS = columns.words("No double", "Double/Take", "Double/Pass", "Take", "Pass")
_PLAYED_WORDS = columns.words("No double", "Double", "Take", "Pass", "Beaver", "Raccoon")


@dataclass
class Rows:
    """Decisions, one array entry each, in the order of the records."""

    record: np.ndarray  # which record
    place: np.ndarray  # sorts the rows of one record
    kind: np.ndarray  # code of tables.KINDS
    seat: np.ndarray
    points: np.ndarray  # (n, 26), the player's view
    dice: np.ndarray  # (n, 2) ASCII, "00" before the roll
    cube: np.ndarray  # log2
    owner: np.ndarray  # 1 player, 0 centre, -1 opponent
    offered: np.ndarray  # a cube is, to this player
    single: np.ndarray  # no choice: a dance or one candidate
    equities: np.ndarray  # (n, 3) no double, double/take, double/pass
    illegal: np.ndarray
    error: np.ndarray
    luck: np.ndarray
    played: np.ndarray  # zero-padded text


@dataclass
class Options:
    """Options, one array entry each, sorted by row and rank."""

    row: np.ndarray  # index into Rows
    rank: np.ndarray
    words: np.ndarray  # zero-padded text
    equity: np.ndarray
    chances: np.ndarray  # (n, 6) in the order of the options table
    level: np.ndarray  # XG's code
    rollout: np.ndarray  # index into temp.xgr
    played: np.ndarray


def checker_rows(moves, at, log):
    """One row a move record: what was rolled, what was played, what it cost."""
    continuous(moves, at, log)
    actor = moves["actor"]
    points = _view(moves["points"], actor)
    played = moves["played"] != 0
    dance = played & (points == moves["points_after"]).all(axis=1)
    illegal = played & (moves["invalid"] != 0)

    row, option = each_option(moves)
    evaluations = _doubles(moves["chances"][row, option])
    stored = np.abs(moves["error"])
    lost = played & ~((stored < layout.LARGEST) | (stored == -layout.NOT_ANALYSED))
    broken = lost.copy()
    broken[row[~believable(evaluations)]] = True
    written_down = evaluations.any(axis=1)  # all zero is a place that XG never filled
    fine = ~broken[row] & written_down
    if not fine.all():
        row, option, evaluations = row[fine], option[fine], evaluations[fine]
    kept = np.bincount(row, minlength=len(moves))
    same = _equal(moves["results"][row, option], moves["points_after"][row]) & played[row]
    hits = np.flatnonzero(same)
    hits = hits[np.diff(row[hits], prepend=-1) > 0]  # the first of equal positions
    hit = np.zeros(len(moves), np.intp)
    hit[row[hits]] = hits
    matched = np.zeros(len(moves), bool)
    matched[row[hits]] = True

    log.add(at[broken], "not_finite", _UNSCORED)
    scored = played & ~dance & ~illegal & ~broken & (stored < layout.LARGEST)

    words = play_bytes(moves["option_moves"][row, option].astype(np.int16) + 1, points[row])
    chosen = np.zeros(len(row), bool)
    chosen[hits] = True
    options = Options(
        row=row,
        rank=option + 1,
        words=words,
        equity=evaluations[:, _EQUITY],
        chances=evaluations[:, _CHANCES],
        level=moves["levels"]["level"][row, option],
        rollout=moves["rollouts"][row, option],
        played=chosen,
    )
    first = np.cumsum(kept) - kept
    drop = options.equity[first[scored & matched]] - options.equity[hit[scored & matched]]
    recomputed = np.full(len(moves), np.nan)
    recomputed[scored & matched] = drop
    stored_errors(stored, recomputed, scored & matched, at, log)

    written = np.zeros((len(moves), words.shape[1]), "u1")
    written[matched] = words[hit[matched]]
    own = played & ~matched
    if own.any():
        written[own] = play_bytes(moves["moves"][own].astype(np.int64) + 1, points[own])
    # A dance is seen on the board; words that say otherwise are no play.
    said = (written[:, : len(_DANCE)] == _DANCE).all(axis=1)
    written[said & ~dance] = 0
    written[dance] = 0
    written[dance, : len(_DANCE)] = _DANCE
    unlisted = played & ~dance & (own & (kept > 0) | ~written.any(axis=1))
    log.add(at[unlisted], "play_not_listed", "the play leads to no board that the analysis lists")

    luck = moves["luck"].astype(float)
    unknown = luck == layout.NOT_ANALYSED
    strange = ~unknown & ~(np.abs(luck) < layout.LARGEST)
    log.add(at[strange], "not_finite", "the luck is no number that can be: it is missing")
    luck[unknown | strange] = np.nan
    match = log.match_of(at)
    looked = np.bincount(match, np.nan_to_num(luck) != 0, len(log.problems)) > 0
    luck[~looked[match]] = np.nan  # XG never looked at the dice of that match

    rows = Rows(
        record=at,
        place=at * _PLACES,
        kind=np.where(played, CHECKER, ROLL).astype(np.int8),
        seat=(actor < 0).astype(np.int16),
        points=points,
        dice=(np.sort(moves["dice"], axis=1)[:, ::-1] + ord("0")).astype("u1"),
        cube=np.abs(moves["cube"]),
        owner=np.sign(moves["cube"]) * actor,
        offered=np.zeros(len(moves), bool),
        single=dance | (kept == 1),
        equities=np.full((len(moves), 3), np.nan),
        illegal=illegal,
        error=np.where(scored, stored, np.nan),
        luck=luck,
        played=written,
    )
    return rows, options


@dataclass(frozen=True)
class _Step:
    """One decision that a cube record may hold."""

    place: int
    doubler: bool  # or the one who was doubled
    kind: int
    word: int  # of _PLAYED_WORDS
    error: int  # double, take, beaver, raccoon


_NOT_DOUBLED = _Step(0, True, NO_DOUBLE, 0, 0)
_DOUBLED = _Step(0, True, DOUBLE, 1, 0)
# What the opponent did, by `take`; then what the doubler did about a beaver, and the opponent about a raccoon.
_ANSWER = {0: _Step(1, False, PASS, 3, 1), 1: _Step(1, False, TAKE, 2, 1), 2: _Step(1, False, TAKE, 4, 1)}  # fmt: skip
_TO_BEAVER = {0: _Step(2, True, PASS, 3, 2), 1: _Step(2, True, TAKE, 2, 2), 2: _Step(2, True, TAKE, 5, 2)}  # fmt: skip
_TO_RACCOON = {0: _Step(3, False, PASS, 3, 3), 1: _Step(3, False, TAKE, 2, 3)}


def cube_rows(cubes, at, log):
    """The doubler's decision of each cube record that has one, and every answer."""
    asked = cubes["double"] >= 0
    doubled = cubes["double"] == 1
    beavered = doubled & (cubes["take"] == 2)
    raccooned = beavered & (cubes["beaver"] == 2)
    written_down = cubes["equities"].any(axis=1)  # all zero is a place that XG never filled
    analysed = asked & (cubes["flag"] != layout.NO_ACCESS) & written_down
    errors = np.abs(np.stack([cubes[name] for name in _ERRORS]))
    used = np.stack([asked, doubled & (cubes["take"] >= 0), beavered, raccooned])
    lost = used & ~((errors < layout.LARGEST) | (errors == -layout.NOT_ANALYSED))
    broken = lost.any(axis=0)
    broken |= analysed & ~believable(cubes["no_double_chances"])
    broken |= analysed & ~believable(cubes["double_chances"])
    broken |= analysed & ~(np.abs(cubes["equities"]) < layout.LARGEST).all(axis=1)
    log.add(at[broken], "not_finite", _UNSCORED)
    errors[:, broken] = np.nan
    errors[~(errors < layout.LARGEST)] = np.nan
    errors[:2, ~analysed] = np.nan  # an error without the equities that it comes from
    equities = _doubles(cubes["equities"])
    equities[broken | ~analysed] = np.nan

    none = (cubes["double"] == 0) & (analysed | broken)
    steps = [(_NOT_DOUBLED, none), (_DOUBLED, doubled)]
    for choices, field, given in (
        (_ANSWER, "take", doubled),
        (_TO_BEAVER, "beaver", beavered),
        (_TO_RACCOON, "raccoon", raccooned),
    ):
        steps += [(step, given & (cubes[field] == value)) for value, step in choices.items()]

    source = np.concatenate([np.flatnonzero(mask) for _, mask in steps])
    counts = [int(mask.sum()) for _, mask in steps]

    def each(name):
        return np.repeat([getattr(step, name) for step, _ in steps], counts)

    doubler, place = each("doubler").astype(bool), each("place")
    order = np.argsort(at[source] * _PLACES + place, kind="stable")
    source, doubler, place = source[order], doubler[order], place[order]
    kind, word, which = (each(name)[order] for name in ("kind", "word", "error"))
    actor = np.where(doubler, cubes["actor"][source], -cubes["actor"][source])
    three = equities[source]
    three[place > 1] = np.nan  # they are of the double, not of a beaver
    error = errors[which, source]
    n = len(source)
    rows = Rows(
        record=at[source],
        place=at[source] * _PLACES + place,
        kind=kind.astype(np.int8),
        seat=(actor < 0).astype(np.int16),
        points=_view(cubes["points"][source], actor),
        dice=np.full((n, 2), ord("0"), "u1"),
        cube=np.abs(cubes["cube"][source]),
        owner=np.sign(cubes["cube"][source]) * actor,
        offered=(kind == TAKE) | (kind == PASS),
        single=np.zeros(n, bool),
        equities=three,
        illegal=np.zeros(n, bool),
        error=error,
        luck=np.full(n, np.nan),
        played=_PLAYED_WORDS[word],
    )
    known = ~np.isnan(three[:, _ND]) & ~np.isnan(error)
    stored_errors(error, _cube_error(rows), known, rows.record, log)
    return rows, _cube_options(rows, cubes, source)


def _cube_error(rows):
    """What the three equities say that each row cost."""
    nd, dt, dp = rows.equities.T
    double = np.minimum(dt, dp)
    cost = {NO_DOUBLE: double - nd, DOUBLE: nd - double, TAKE: dt - dp, PASS: dp - dt}
    return np.select([rows.kind == k for k in cost], list(cost.values()), np.nan)


def _cube_options(rows, cubes, source):
    """Three options for the doubler, two for the one who answers; the better action first."""
    nd, dt, dp = rows.equities.T
    known = ~np.isnan(nd)
    answer = rows.offered
    double = np.where(dt <= dp, _DT, _DP)  # the reply that the doubler must expect
    best = np.where(nd >= np.minimum(dt, dp), _ND, double)
    second = np.where(best == _ND, double, _ND)
    third = np.where(double == _DT, _DP, _DT)
    ranked = np.stack([best, second, third], axis=1)
    # The answer's options are words 3 and 4 of _OPTION_WORDS; dropping the third rank leaves two.
    take_first = dt <= dp
    ranked[answer, 0] = np.where(take_first, _DT, _DP)[answer]
    ranked[answer, 1] = np.where(take_first, _DP, _DT)[answer]
    use = np.repeat(known[:, None], 3, axis=1)
    use[answer, 2] = False
    row, rank = np.nonzero(use)
    which, turned = ranked[row, rank], answer[row]
    sign = np.where(turned, -1.0, 1.0)

    before = _doubles(cubes["no_double_chances"][source][:, _CHANCES])
    after = _doubles(cubes["double_chances"][source][:, _CHANCES])
    chances = np.where((which == _ND)[:, None], before[row], after[row])
    chances = np.where(turned[:, None], chances[:, [3, 4, 5, 0, 1, 2]], chances)
    chances[which == _DP] = np.nan
    done = np.select(
        [rows.kind == NO_DOUBLE, rows.kind == DOUBLE, rows.kind == TAKE], [_ND, double, _DT], _DP
    )
    return Options(
        row=row,
        rank=rank + 1,
        words=_OPTION_WORDS[which + 2 * turned],
        equity=rows.equities[row, which] * sign,
        chances=chances,
        level=cubes["level"][source][row],
        rollout=cubes["rollout"][source][row],
        played=which == done[row],
    )


def joined(first, second):
    """Rows and Options of both kinds as one, in the order of the match."""
    (rows_a, options_a), (rows_b, options_b) = first, second
    order = np.argsort(np.concatenate([rows_a.place, rows_b.place]), kind="stable")
    rows = Rows(**{f.name: _stack(rows_a, rows_b, f.name)[order] for f in fields(Rows)})
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    options_b.row = options_b.row + len(rows_a.place)
    options = {f.name: _stack(options_a, options_b, f.name) for f in fields(Options)}
    row = position[options["row"]]
    by_row = np.argsort(row, kind="stable")
    options["row"] = row
    return rows, Options(**{name: value[by_row] for name, value in options.items()})


def _stack(a, b, name):
    pair = [getattr(a, name), getattr(b, name)]
    return columns.stack_bytes(pair) if pair[0].dtype == np.uint8 else np.concatenate(pair)


def _view(points, actor):
    """Boards stored in player 1's frame, seen by the one who acts."""
    return np.where((actor == 1)[:, None], points, flip(points))


def _doubles(values):
    """Single precision as double; a file may hold any bytes, also a NaN that complains when it is cast."""
    with np.errstate(invalid="ignore"):
        return values.astype(float)


def _equal(boards, others):
    """Mask of the equal rows, compared as whole words of bytes."""
    whole = f"V{boards.shape[1]}"
    return (np.ascontiguousarray(boards).view(whole) == np.ascontiguousarray(others).view(whole))[
        :, 0
    ]
