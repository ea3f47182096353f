"""gnuBG's `.sgf`: one row per decision, all that the file knows.

Bytes → trees of nodes → a game played through → rows → tables. Candidates keep gnuBG's order and equities; its
cube records, chances to win the match, become equities normalised to the cube before the double, in the
doubler's view. The statistics that gnuBG writes into the file go to `figures` and are read by no measure.
"""

import hashlib

import numpy as np

from blunderlab.errors import ReadError
from blunderlab.readers.problems import Problems
from blunderlab.readers.replay_tables import decision_columns, option_columns
from blunderlab.readers.sgf.analysis import Levels, candidates, joined, mark_played
from blunderlab.readers.sgf.cubes import cube_options, cube_records
from blunderlab.readers.sgf.figures import figures
from blunderlab.readers.sgf.header import Match
from blunderlab.readers.sgf.rows import Rows, play_game
from blunderlab.readers.sgf.stakes import Stakes
from blunderlab.readers.sgf.tree import looks_like, trees
from blunderlab.tables import MOST_DECISIONS, Tables, frame

__all__ = ["looks_like", "read"]


def read(data, path):
    """Read a gnuBG match or session.

    Parameters
    ----------
    data : bytes
        The whole file.
    path : str or Path
        For messages and the `matches` table.

    Returns
    -------
    Tables
        Derived columns are still missing; `blunderlab.read` adds them. A file that gnuBG never analysed (no luck
        is known and no candidate but the first was played) keeps its options, but none counts as played and no
        cube row has equities, so that its rows are unscored.

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
    n = len(rows)
    if n > MOST_DECISIONS:
        raise ReadError(path, "sgf", None, f"{n} decisions in one match; the tables hold {MOST_DECISIONS}")  # fmt: skip

    depths, stakes = Levels(), Stakes(rows, match)
    plays, chosen, steps = candidates(rows, depths, stakes, problems)
    mark_played(rows, plays, chosen, steps, problems)
    equities, chances, level = cube_records(rows, depths, stakes, problems)
    options = joined(plays, cube_options(rows, equities, chances, level))
    if np.isnan(rows.luck).all() and (chosen <= 0).all():
        options.played[:] = False
        equities[:] = np.nan

    key = {"match_id": match_id, "game": np.array(rows.game, int), "decision": np.arange(1, n + 1)}
    option_frame = option_columns(options, key, depths)
    return Tables.build(
        decisions=frame(
            "decisions", decision_columns(rows, options, option_frame, equities, key, match), n
        ),
        options=frame("options", option_frame, len(options.row)),
        games=match.games_frame(match_id, *zip(*ends, strict=True)),
        matches=match.frame(path, sha256, match_id),
        figures=figures(match, match_id),
        problems=problems.frame(),
    )
