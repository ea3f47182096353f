"""gnuBG's `.sgf`: one row per decision, all that the file knows.

Bytes → trees of nodes → a game played through → rows → tables. Candidates keep gnuBG's order and equities; its
cube records, chances to win the match, become equities normalised to the cube before the double, in the
doubler's view. The statistics that gnuBG writes into the file go to `figures` and are read by no measure.
"""

import hashlib

import numpy as np

from blunderlab.backgammon.record.columns import replayed
from blunderlab.backgammon.record.cubes import cube_options
from blunderlab.backgammon.record.matching import mark_played
from blunderlab.backgammon.record.options import joined
from blunderlab.backgammon.record.rows import Rows
from blunderlab.readers.sgf.analysis import Levels, candidates
from blunderlab.readers.sgf.cubes import cube_records
from blunderlab.readers.sgf.figures import figures
from blunderlab.readers.sgf.header import Match
from blunderlab.readers.sgf.rows import play_game
from blunderlab.readers.sgf.stakes import Stakes
from blunderlab.readers.sgf.tree import looks_like, trees
from blunderlab.tables.draft import of_rows
from blunderlab.tables.problems import Problems

__all__ = ["looks_like", "read"]


def read(data, path):
    """Read a gnuBG match or session.

    As every format's `read` (see `blunderlab.readers.formats`): the file's bytes and its path in, a `Draft` out.
    A file that gnuBG never analysed (no luck is known and no candidate but the first was played) keeps its options, but
    none counts as played and no cube row has equities, so that its rows are unscored.

    Raises
    ------
    ReadError
        When the file is cut short, is not backgammon, or a header or board cannot be; a bad evaluation only
        costs its row's analysis.
    """
    found = trees(data, path)
    sha256 = hashlib.sha256(data).hexdigest()
    match_id = sha256[:16]
    problems = Problems(path, "sgf", match_id)
    match = Match(found, path, problems)
    rows = Rows.empty()
    ends = [play_game(*one, match, rows) for one in zip(match.games, match.trees, strict=True)]
    problems.room_for(len(rows))

    depths, stakes = Levels(), Stakes(rows, match)
    plays, chosen, steps = candidates(rows, depths, stakes, problems)
    mark_played(rows, plays, chosen, steps, problems)
    equities, chances, level = cube_records(rows, depths, stakes, problems)
    options = joined(plays, cube_options(rows, equities, chances, level))
    if np.isnan(rows.luck).all() and (chosen <= 0).all():
        options.played[:] = False
        equities[:] = np.nan
    return replayed(
        rows, options, depths, equities, match, match_id,
        games=match.game_columns(match_id, *zip(*ends, strict=True)),
        matches=of_rows("matches", [match.match_row(path, sha256, match_id)]),
        figures=figures(match, match_id),
        problems=problems,
    )  # fmt: skip
