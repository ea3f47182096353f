"""gnuBG's own statistics of each game, from the GS record: kept to compare with, never read by a measure."""

import numpy as np

from blunderlab.tables import columns
from blunderlab.tables.draft import Columns

__all__ = ["figures"]

_DIGITS = 6  # printed decimals of a sum; a count has none
_SEATS = (0, 1)
_CLASSES = 4  # very bad, bad, doubtful, unmarked
_CUBE_ERRORS = (
    6  # missed double below and above the cash point, wrong double twice, wrong take, wrong pass
)
_LUCK_CLASSES = 5


def figures(match, match_id):
    """The `figures` table: a row a game, seat and figure, under the names of `measure.rates`.

    What gnuBG calls cube error holds the answers too, hence ``error_cube+error_answer``. Its second column of
    a money game is in points, which no column of ours is, so it is left out, as is a figure that is no number.
    """
    rows = []
    for game, tree in zip(match.games, match.trees, strict=True):
        root = tree.nodes[0]
        for record in root.properties.get(b"GS", ()):
            letter, _, rest = record.strip().partition(b":")
            if letter not in _SECTIONS:
                continue
            read, size = _SECTIONS[letter]
            numbers = _numbers(rest)
            if len(numbers) != size:
                match.problems.add("bad_statistics", f"GS[{letter.decode()}] has not its {size} numbers: left out",
                                   game=game.number, offset=root.offset)  # fmt: skip
                continue
            for seat in _SEATS:
                for name, value, digits in read(numbers, seat):
                    in_points = "loss" in name and not game.length
                    if np.isfinite(value) and not in_points:
                        rows.append((game.number, seat, name, value, digits))
    n = len(rows)
    game, seat, name, value, digits = zip(*rows, strict=True) if n else ((),) * 5
    data = {
        "match_id": columns.repeat(match_id, n),
        "game": columns.integers(game),
        "seat": columns.integers(seat),
        "tool": columns.repeat("gnuBG", n),
        "name": columns.text(list(name)),
        "value": np.array(value, float),
        "digits": columns.integers(digits),
    }
    return Columns("figures", data, n)


def _moves(numbers, seat):
    counts = numbers[seat : 2 * (2 + _CLASSES) : 2]
    unforced, total, very_bad, bad, doubtful, _ = counts
    error, loss = numbers[2 * len(counts) + 2 * seat :][:2]
    yield from _counts(
        n_checker=unforced, n_moves=total, n_blunders=very_bad, n_errors=very_bad + bad,
        n_doubtful=doubtful,
    )  # fmt: skip
    yield from _sums(error_checker=error, loss_checker=loss)


def _cubes(numbers, seat):
    counts = numbers[seat : 2 * (4 + _CUBE_ERRORS) : 2]
    pairs = numbers[2 * len(counts) + 2 * _CUBE_ERRORS * seat :][: 2 * _CUBE_ERRORS]
    total, doubles, takes, passes = counts[:4]
    yield from _counts(n_cube_total=total, n_double=doubles, n_take=takes, n_pass=passes)
    names = "error_cube+error_answer", "loss_cube+loss_answer"
    yield from _sums(**dict(zip(names, (sum(pairs[0::2]), sum(pairs[1::2])), strict=True)))


def _luck(numbers, seat):
    luck, loss = numbers[2 * _LUCK_CLASSES + 2 * seat :][:2]
    yield from _sums(luck=luck, luck_loss=loss)


_SECTIONS = {b"M": (_moves, 16), b"C": (_cubes, 44), b"D": (_luck, 14)}


def _counts(**named):
    for name, value in named.items():
        yield name, value, 0


def _sums(**named):
    for name, value in named.items():
        yield name, round(value, _DIGITS), _DIGITS


def _numbers(written):
    try:
        return [float(number) for number in written.split()]
    except ValueError:
        return []
