"""The study log: which positions were studied, when and how."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd

from blunderlab.atomic import replacing
from blunderlab.errors import ReadError

__all__ = ["ACTIONS", "LOG", "STUDY", "as_log", "mark", "read_anki"]

LOG = "study_log.parquet"
STUDY = ("studied", "review", "quiz")  # time was spent on the position
ACTIONS = (*STUDY, "card", "collected", "comment")  # the others only file it
_TIME = "datetime64[us, UTC]"
_COLUMNS = {"position": "str", "time": _TIME, "action": "str"}
_XGID = re.compile(r"XGID=[-A-Oa-o]{26}(?::[-0-9A-Za-z]+){9}")


def mark(position, action="studied", log=LOG, time=None):
    """Append an action to the study log.

    Parameters
    ----------
    position : str
        XGID, FEN or SFEN, as in `decisions.position`.
    action : str
        "studied" (the mark), "review" (of a card, any grade) and "quiz" (an answer) are study; "card", "collected" and
        "comment" say that the position is kept.
    log : str or Path
        A Parquet file; made when it is not there.
    time : datetime-like, optional
        Now by default. One without a zone is taken as UTC.

    Returns
    -------
    DataFrame
        The whole log: position, time (UTC), action.

    Raises
    ------
    ValueError
        For an action or a position that is none.
    ReadError
        When the file there is no study log; it is left as it was.
    OSError
        When the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     log = mark("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", log=folder + "/log.parquet")
    >>> log["action"].tolist()
    ['studied']
    """
    if action not in ACTIONS:
        raise ValueError(f"an action is one of {', '.join(ACTIONS)}, not {action!r}")
    if not isinstance(position, str) or not position.strip():
        raise ValueError(f"a position is an XGID, FEN or SFEN, not {position!r}")
    log = Path(log)
    when = pd.Timestamp.now("UTC") if time is None else pd.to_datetime(time, utc=True)
    row = pd.DataFrame({"position": [position.strip()], "time": [when], "action": [action]})
    row = row.astype(_COLUMNS)
    if log.exists():
        row = pd.concat([as_log(log), row], ignore_index=True)
    with replacing(log) as fresh:
        row.to_parquet(fresh, index=False)
    return row


def as_log(log):
    """Take a study log from a frame or a file.

    Parameters
    ----------
    log : DataFrame, str, Path or None
        With position, time and action. None is the empty log.

    Returns
    -------
    DataFrame
        position, time (UTC; times without a zone are taken as UTC), action.

    Raises
    ------
    ReadError
        When the file cannot be read as a study log.
    ValueError
        When a frame lacks a column, or holds an action or a time that is none.
    """
    if log is None:
        return pd.DataFrame(columns=list(_COLUMNS)).astype(_COLUMNS)
    if isinstance(log, pd.DataFrame):
        return _checked(log)
    from pyarrow import ArrowInvalid

    path = Path(log)
    try:
        return _checked(pd.read_parquet(path))
    except (ArrowInvalid, ValueError) as error:
        raise ReadError(path, "study log", None, f"{error}; a log is what study.mark writes") from error


def _checked(frame):
    absent = [name for name in _COLUMNS if name not in frame]
    if absent:
        raise ValueError(f"the study log has no column {', '.join(absent)}")
    unknown = sorted(set(frame["action"].dropna()) - set(ACTIONS))
    if unknown or frame["action"].isna().any():
        raise ValueError(f"the study log has actions that are none: {', '.join(unknown) or 'NA'}")
    out = frame[list(_COLUMNS)].reset_index(drop=True)
    out["time"] = pd.to_datetime(out["time"], utc=True).astype(_TIME)
    if out["time"].isna().any() or out["position"].isna().any():
        raise ValueError("the study log has a row without a position or a time")
    return out.astype(_COLUMNS)


def read_anki(path):
    """Read an Anki collection as a study log: its cards and their reviews that name an XGID.

    Parameters
    ----------
    path : str or Path
        `collection.anki2`, the SQLite file in the profile's folder. It is opened for reading only.

    Returns
    -------
    DataFrame
        position, time (UTC), action: "card" when a card was made, "review" for each review of any grade. The first
        XGID in the fields of the note is the card's position; notes without one are left out.

    Raises
    ------
    ReadError
        When the file is no Anki collection.
    """
    path = Path(path)
    if not path.is_file():
        raise ReadError(path, "Anki", None, "there is no such file")
    # Anki declares a collation of its own; these queries sort nothing, so it is not needed.
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as anki:
            notes = pd.DataFrame(anki.execute("select id, flds from notes").fetchall(), columns=["nid", "fields"])
            cards = pd.DataFrame(anki.execute("select id, nid from cards").fetchall(), columns=["cid", "nid"])
            made = cards.assign(ms=cards["cid"], action="card")
            reviews = pd.DataFrame(anki.execute("select id, cid from revlog").fetchall(), columns=["ms", "cid"])
    except sqlite3.DatabaseError as error:
        reason = f"{error}; give collection.anki2 from the profile's folder (not an .apkg or .colpkg package)"
        raise ReadError(path, "Anki", None, reason) from error
    found = [_XGID.search(text) for text in notes["fields"]]
    notes["position"] = pd.Series([x and x.group() for x in found], notes.index, "str")
    reviews = reviews.merge(cards, "inner", "cid").assign(action="review")
    rows = pd.concat([made, reviews], ignore_index=True).merge(notes.dropna(subset="position"), "inner", "nid")
    rows["time"] = pd.to_datetime(rows["ms"].astype("int64"), unit="ms", utc=True)
    return _checked(rows.sort_values("time", kind="stable"))
