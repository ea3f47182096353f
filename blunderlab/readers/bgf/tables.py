"""BGBlitz's `.bgf`: one row per decision, all that the file knows.

Header line → document → a game played through → rows → tables. Equities are BGBlitz's own, normalised to the
cube as it stands, by its own match equity table, which this package does not have: `matches.met` says "bgblitz", and
`loss` stays NA. Luck is BGBlitz's own too (`matches.tool`), in equity.
"""

import hashlib

import numpy as np

from blunderlab.backgammon.record.columns import replayed
from blunderlab.backgammon.record.cubes import cube_options
from blunderlab.backgammon.record.matching import mark_played
from blunderlab.backgammon.record.options import Words, joined
from blunderlab.backgammon.record.rows import Rows
from blunderlab.readers.bgf.analysis import candidates, cube_records, stored_errors
from blunderlab.readers.bgf.container import document, looks_like
from blunderlab.readers.bgf.header import Match
from blunderlab.readers.bgf.rows import play_game
from blunderlab.tables.draft import of_rows
from blunderlab.tables.problems import Problems

__all__ = ["looks_like", "read"]


def read(data, path):
    """Read a BGBlitz match or session.

    As every format's `read` (see `blunderlab.readers.formats`): the file's bytes and its path in, a `Draft` out.

    Raises
    ------
    ReadError
        When the file is cut short or damaged, or a board or header cannot be; a bad evaluation only costs its
        row's analysis.
    """
    header, about = document(data, path)
    sha256 = hashlib.sha256(data).hexdigest()
    match_id = sha256[:16]
    problems = Problems(path, "bgf", match_id)
    match = Match(header, about, path, problems)
    rows = Rows.empty()
    match.settle([play_game(i, match, rows) for i in range(len(match.games))])
    n = len(rows)
    problems.room_for(n)
    if not np.nan_to_num(rows.luck).any():
        rows.luck = [np.nan] * n  # BGBlitz never looked at the dice of this match

    depths = Words()
    plays, chosen, steps = candidates(rows, match, depths, problems)
    mark_played(rows, plays, chosen, steps, problems)
    equities, chances, level = cube_records(rows, match, depths, problems)
    options = joined(plays, cube_options(rows, equities, chances, level))
    return replayed(
        rows, options, depths, equities, match, match_id,
        games=match.game_columns(match_id),
        matches=of_rows("matches", [match.match_row(path, sha256, match_id)]),
        problems=problems,
        error=stored_errors(rows, plays, equities, problems),
    )  # fmt: skip
