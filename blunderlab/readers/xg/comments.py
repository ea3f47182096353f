"""The comments of an XG file (temp.xgc): RTF texts, one a line, referred to by number."""

import numpy as np

from blunderlab.readers.xg import records as layout

__all__ = ["notes"]

_HEADERS = {  # where the comment numbers before and after a match or a game stand in its header
    layout.MATCH: (576, 580),
    layout.GAME: (56, 60),
}


def notes(segment, records, kinds, rows, moves, cubes, game_of, problems):
    """Text of the comments at each decision.

    A match's or game's own comments stand at its first and last decision; the comment of a record without a
    decision (an automatic no double) goes to the next decision.

    Parameters
    ----------
    segment : bytes
        temp.xgc; empty where there is none.
    records : ndarray of void, shape (n,)
        All records.
    kinds : ndarray of uint8, shape (n,)
    rows : ndarray of int
        Record number of each decision, ascending.
    moves, cubes : (ndarray, ndarray)
        Record numbers and comment numbers.
    game_of : ndarray of int, shape (n,)

    Returns
    -------
    list of str or None
        One text a decision; None without comment.
    """
    texts = _texts(segment, problems)
    if not len(rows):
        return []
    found = []  # (record to stand at, text)
    for at, number in (moves, cubes):
        found += [(int(r), int(c)) for r, c in zip(at, number, strict=True) if c >= 0]
    for kind, offsets in _HEADERS.items():
        for record in np.flatnonzero(kinds == kind):
            numbers = [
                int(np.frombuffer(records[record].tobytes(), "<i4", 1, o)[0]) for o in offsets
            ]
            inside = (
                np.ones(len(kinds), bool) if kind == layout.MATCH else game_of == game_of[record]
            )
            mine = rows[inside[rows]]
            if len(mine):
                found += [(int(r), c) for r, c in zip((mine[0], mine[-1]), numbers, strict=True)]
    notes = [None] * len(rows)
    for record, number in sorted(found, key=lambda one: one[0]):
        if number >= len(texts):
            problems.add(
                "bad_comment",
                f"comment {number + 1} is not in the file",
                offset=record * layout.RECORD_SIZE,
            )
        elif number >= 0 and texts[number]:
            row = min(int(np.searchsorted(rows, record)), len(rows) - 1)
            notes[row] = texts[number] if notes[row] is None else f"{notes[row]}\n{texts[number]}"
    return notes


def _texts(segment, problems):
    """The comments as plain text; one that cannot be understood stays as it is written."""
    from striprtf.striprtf import (
        rtf_to_text,  # a comment is rare, and the library takes time to load
    )

    lines = segment.decode("cp1252", "replace").split("\r\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    texts = []
    for number, line in enumerate(lines):
        text = line.replace("\x01\x02", "\r\n")
        if line.startswith("{\\rtf"):
            try:
                text = rtf_to_text(text, errors="replace")
            except (ValueError, OverflowError) as error:  # a letter that no alphabet has
                problems.add(
                    "bad_comment", f"comment {number + 1} is kept as it is written: {error}"
                )
        # RTF writes letters beyond the basic plane as two halves.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        texts.append(text.replace("\r\n", "\n").strip())
    return texts
