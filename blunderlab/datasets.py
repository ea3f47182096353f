"""Data to try things on: small tables that are shipped, and other people's records to download.

>>> import blunderlab as bl
>>> bl.datasets.tables("aachen-double-7pt").matches["length"].tolist()
[7]
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from blunderlab import places
from blunderlab.errors import ReadError, SchemaError
from blunderlab.tables import Tables

__all__ = ["FILES", "FOLDER", "fetch", "list", "path", "tables"]

FILES = "BLUNDERLAB_FILES"  # environment: the reader's own files, for the notebooks
FOLDER = "BLUNDERLAB_DATA"  # environment: where downloaded records lie


@dataclass(frozen=True)
class Record:
    """A third party's file, at a commit of a public repository.

    Parameters
    ----------
    place : str
        Where it lies in the data folder; the last part is its name.
    what : str
    url : str
    sha256 : str
    size : int
        Bytes.
    licence : str
    source : str
        Whose it is.
    """

    place: str
    what: str
    url: str
    sha256: str
    size: int
    licence: str
    source: str

    @property
    def name(self):
        """The name that `fetch` takes."""
        return self.place.rpartition("/")[2]


_GBF = ("kevung/gbf", "2872f37237b61c3cce8aadf517ede59282370166", "data")
_DOUBLE = "2024-08-10-Aachen-1x11pt-1x7pt-2x7ptDoubleConsultation/double"
_BGLAB = "lassehjorthmadsen/bglab"
_GALAXY = "data-raw/galaxy-matches/raw"


def _record(place, what, at, file, sha256, size, licence="MIT"):
    repository, commit, folder = at
    url = f"https://raw.githubusercontent.com/{repository}/{commit}/{quote(f'{folder}/{file}')}"
    return Record(
        f"backgammon/{place}", what, url, sha256, size, licence, f"github.com/{repository}"
    )


RECORDS = (
    _record("xg/aachen-double-7pt.xg", "doubles match to 7, analysed by XG, version 30", _GBF,
            f"{_DOUBLE}/Squire-Jørgensen-Harmand-Unger 7 point match 18-08-2024.xg",
            "7ea7baa24c827bfb8f0e883c8222d0be501ade021ef53b83de199ccf5bd659be", 153705),
    _record("xg/aachen-double-r2-7pt.xg", "doubles match to 7, analysed by XG, version 30", _GBF,
            f"{_DOUBLE}/Lux Heuler-Franzosen 7 point match 12.08.2024.xg",
            "7faa237aae3124409a818af142b45b7caf1b3c4ff16482a2b7a710c09f5cf9fd", 117655),
    _record("xg/paris-7pt.xg", "match to 7, analysed by XG, version 32", _GBF, "test.xg",
            "49b9de4a2c74a103a8637ee735161a25f3adba81a0fbe05f86cdd0518c9cee6c", 155909),
    _record("sgf/paris-7pt.sgf", "the same match, analysed by gnuBG", _GBF, "test.sgf",
            "0938393383a70362ceee20e165e218465dbce19e5bc16725530a2731642b7be4", 530876),
    _record("mat/paris-7pt.mat", "the same match, moves alone, written by gnuBG", _GBF, "test.mat",
            "acd85c8c75c34c4e7271c2b8e922511be78d87be4fc073412e1298269c322493", 12144),
    _record("mat/paris-7pt.xg-export.txt", "the same match, moves alone, written by XG", _GBF, "test.txt",
            "c4ba99ab588e8e29ede388c72aec7c2d51157d9d13bfb1fdc93c84cb8104f57b", 14298),
    _record("mat/galaxy-match12456124.txt", "match as Backgammon Galaxy writes it",
            (_BGLAB, "a8f11733840da19273acc43fc59e93e2ce3fd467", _GALAXY), "match12456124.txt",
            "e794b9ad9ce53b3ac858f9cae22c6dc5a2cc14a57c0f8574e6c8fa8fc51af141", 3590),
    _record("mat/galaxy-match6047230.txt", "match against a player without a name",
            (_BGLAB, "f637c308458307ef7608be44891404c2fbffd99e", _GALAXY), "match6047230.txt",
            "a52feb4700b7163d9fb93ee9436e960f759d3808b3f8c70535e2f401567bd3a7", 5575),
    _record("mat/galaxy-match926877.txt", "match resigned after one move",
            (_BGLAB, "e5bb2169cce496197d4f242c1b7b2279f66cd55a", _GALAXY), "match926877.txt",
            "516e1503e50fa96b87279b9d1fc69f65a12b5603e170d83f5d0e698b6c7113a3", 378),
)  # fmt: skip

# name: (what it is, whose record, licence); how each was made is in datasets/README.md
_ABOUT = {
    "aachen-double-7pt": (
        "doubles match to 7 as XG analysed it, with XG's figures",
        "github.com/kevung/gbf",
        "MIT",
    ),
    **{
        f"{name}.{form}": (f"match to {length} {words}", "make_gnubg_matches.py", "CC0")
        for name, length in (("a-3pt", 3), ("b-5pt", 5), ("c-7pt", 7))
        for form, words in (
            ("mat", "that gnuBG played: the plays alone"),
            ("sgf", "that gnuBG played and analysed"),
        )
    },
    "paris-7pt-gnubg": (
        "the same match as gnuBG analysed it, with gnuBG's statistics",
        "github.com/kevung/gbf",
        "MIT",
    ),
    "paris-7pt": (
        "match to 7 as XG analysed it, with XG's PR and count of plays",
        "github.com/kevung/gbf",
        "MIT",
    ),
}
_NO_RECORD = (".py", ".pyc", ".md", ".json", ".csv", ".parquet")  # what lies beside the data


def list():
    """List the data sets.

    Returns
    -------
    DataFrame
        name, what, kind ("shipped": works offline, for `path`; "download": a third party's file, for `fetch`),
        size (bytes on disk), licence, source.

    Examples
    --------
    >>> found = list()
    >>> found.loc[found["kind"] == "shipped", "name"].tolist()[:2]
    ['aachen-double-7pt', 'paris-7pt']
    """
    rows = [
        (name, *_ABOUT.get(name, ("", "", "")), "shipped", _size(there))
        for name, there in _shipped().items()
    ]
    rows += [(r.name, r.what, r.source, r.licence, "download", r.size) for r in RECORDS]
    found = pd.DataFrame(rows, columns=["name", "what", "source", "licence", "kind", "size"])
    return found[["name", "what", "kind", "size", "licence", "source"]]


def path(name):
    """Give the path of shipped data.

    Parameters
    ----------
    name : str
        A name of `list` with kind "shipped".

    Returns
    -------
    Path
        A folder for `bl.read` or `Tables.load`, or a record for `bl.read`.

    Raises
    ------
    SchemaError
        When no shipped data have this name.

    Examples
    --------
    >>> path("paris-7pt").name
    'paris-7pt'
    """
    have = _shipped()
    if name not in have:
        hint = ": fetch() downloads it" if any(name == r.name for r in RECORDS) else ""
        raise SchemaError(f"no shipped data {name!r}{hint}; there are {', '.join(have)}")
    return have[name]


def tables(default=("aachen-double-7pt", "paris-7pt")):
    """Read what a notebook is about: the reader's own files, else shipped data.

    Parameters
    ----------
    default : str or sequence of str
        Shipped data to read when the environment variable BLUNDERLAB_FILES is not set. When it is, the files,
        folders and globs in it are read instead.

    Returns
    -------
    Tables

    Raises
    ------
    SchemaError
        When no shipped data have this name.
    ReadError
        When nothing in BLUNDERLAB_FILES can be read.

    Examples
    --------
    >>> len(tables().matches)
    2
    """
    given = [item for item in os.environ.get(FILES, "").split(os.pathsep) if item]
    if given:
        from blunderlab.readers.many import read_many

        return read_many(given)
    from blunderlab.readers.choose import read

    names = [default] if isinstance(default, str) else default
    return Tables.concat([read(path(name)) for name in names])


def fetch(name, progress=False):
    """Give the path of a third party's record, downloading it when it is not there yet.

    It is looked for in the folder that the environment variable BLUNDERLAB_DATA names, as
    ``backgammon/xg/aachen-double-7pt.xg`` and so on, else in the user's cache; what is there with the right sha256
    is used in place. A download goes to that folder, or to the cache when it cannot be written to.

    Parameters
    ----------
    name : str
        A name of `list` with kind "download".
    progress : bool
        Show a bar.

    Returns
    -------
    Path

    Raises
    ------
    SchemaError
        When no record has this name.
    ReadError
        When it cannot be downloaded, or a file of another content lies in its place in BLUNDERLAB_DATA.

    Examples
    --------
    >>> fetch("aachen-double-7pt.xg")                    # doctest: +SKIP
    PosixPath('…/backgammon/xg/aachen-double-7pt.xg')
    """
    found = [record for record in RECORDS if name in (record.name, record.place)]
    if not found:
        raise SchemaError(f"no record {name!r}; there are {', '.join(r.name for r in RECORDS)}")
    (record,) = found
    own = os.environ.get(FOLDER)
    if own:
        there = Path(own, record.place)
        if there.is_file():
            if hashlib.sha256(there.read_bytes()).hexdigest() != record.sha256:
                raise ReadError(
                    there,
                    name,
                    None,
                    f"its sha256 is not {record.sha256}: move this file away, it is another one",
                )
            return there
    return _download(record, own, progress)


def _download(record, own, progress):
    """Fetch a record into the reader's own folder, or the cache."""
    import pooch

    target = Path(own, record.place).parent if own else None
    if target is None or not _writable(target):
        target = Path(pooch.os_cache("blunderlab"), record.place).parent
    # pooch tells on stderr what it downloads; a library is silent unless asked.
    pooch.get_logger().setLevel("INFO" if progress else "WARNING")
    try:
        return Path(
            pooch.retrieve(
                record.url,
                known_hash=f"sha256:{record.sha256}",
                fname=record.name,
                path=target,
                downloader=pooch.HTTPDownloader(progressbar=progress),
            )
        )
    except (OSError, ValueError) as error:
        raise ReadError(
            record.url, "a download", None,
            f"{error}. Check the network, or save the file as {record.place} in a folder and set {FOLDER} to it",
        ) from error  # fmt: skip


def _writable(folder):
    """Whether a file can be put into a folder, made if need be; a mode without w is respected even as root."""
    there = next(p for p in (folder, *folder.parents) if p.exists())
    return (
        there.is_dir()
        and os.access(there, os.W_OK | os.X_OK)
        and bool(there.stat().st_mode & 0o222)
    )


def _shipped():
    """Shipped data by name: folders of saved tables, and records beside them."""
    root = places.shipped("datasets")
    saved = [p.parent for p in sorted(root.rglob("decisions.parquet"))]
    records = [
        p
        for p in sorted(root.rglob("*"))
        if p.is_file() and p.suffix not in _NO_RECORD and not any(s in p.parents for s in saved)
    ]
    return {p.name: p for p in (*saved, *records)}


def _size(there):
    files = [there] if there.is_file() else there.rglob("*")
    return sum(p.stat().st_size for p in files if p.is_file())
