"""What could not be read or believed, collected while a file is read."""

import numpy as np

from blunderlab.errors import ReadError
from blunderlab.tables import columns
from blunderlab.tables.schema import MOST_DECISIONS, empty, frame

__all__ = ["Problems"]


class Problems:
    """A list of troubles, turned into the `problems` table at the end.

    Parameters
    ----------
    path : str or Path
    format : str
    match_id : str or None
    """

    def __init__(self, path, format, match_id=None):
        self.path, self.format, self.match_id = str(path), format, match_id
        self._rows = []

    def __len__(self):
        return len(self._rows)

    def add(self, code, message, game=None, decision=None, offset=None):
        """Note one trouble; None is not known."""
        self._rows.append((game, decision, offset, code, message))

    def room_for(self, decisions):
        """Refuse a match of more decisions (or games) than the tables number.

        Raises
        ------
        ReadError
        """
        if decisions > MOST_DECISIONS:
            reason = f"{decisions} decisions in one match; the tables hold {MOST_DECISIONS}"
            raise ReadError(self.path, self.format, None, reason)

    def number(self, records, decisions, size):
        """Give the decision number of every problem that stands at a record with a decision.

        Parameters
        ----------
        records, decisions : ndarray of int
            Record number and decision number of every row, by record.
        size : int
            Bytes of a record.
        """
        if self._rows:
            known = dict(zip(records[::-1].tolist(), decisions[::-1].tolist(), strict=True))
            self._rows = [
                (
                    game,
                    known.get(offset // size)
                    if decision is None and offset is not None
                    else decision,
                    offset,
                    *rest,
                )
                for game, decision, offset, *rest in self._rows
            ]

    def frame(self):
        """The `problems` table, in the order of the file."""
        return self.together([self])

    @staticmethod
    def together(many):
        """One `problems` table of several files, in the order given."""
        rows = [
            (one.path, one.match_id, *row)
            for one in many
            for row in sorted(one._rows, key=lambda row: (row[2] is not None, row[2] or 0))
        ]
        n = len(rows)
        if not n:
            return empty("problems")
        path, match_id, game, decision, offset, code, message = zip(*rows, strict=True)
        return frame(
            "problems",
            {
                "path": columns.text(list(path)),
                "match_id": columns.text(list(match_id)),
                "game": _integers(game),
                "decision": _integers(decision),
                "offset": _integers(offset),
                "code": columns.text(list(code)),
                "message": columns.text(list(message)),
            },
            n,
        )


def _integers(values):
    return columns.integers([v or 0 for v in values], np.array([v is None for v in values], bool))
