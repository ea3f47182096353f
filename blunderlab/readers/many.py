"""Many files at once, in the order given; one that fails costs itself, not the batch."""

import glob
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from blunderlab.backgammon.record.same import same_groups
from blunderlab.errors import ReadError
from blunderlab.pricing import derived
from blunderlab.readers.choose import opened, read
from blunderlab.tables import SCHEMA, Tables, is_saved
from blunderlab.tables.problems import Problems

__all__ = ["expand", "read_many"]

_CHUNK = 32  # files whose frames are built together: more gains little and holds more bytes


def read_many(paths, workers=1, progress=False, strict=False):
    """Read files, folders and globs into one set of Tables.

    Parameters
    ----------
    paths : str, Path or iterable of them
        A folder means every file in it and below, in the order of their names; a folder that `Tables.save`
        wrote is one source.
    workers : int
        Processes to read with.
    progress : bool
        Show a bar.
    strict : bool
        Raise on the first file, or the first record, that cannot be read.

    Returns
    -------
    Tables
        In the order of the paths. A file that cannot be read is a row of `problems` with code "unreadable"; a
        match that was read before is one with code "same_match": from another program or format it is kept
        beside the first, from the same bytes it is read once.

    Raises
    ------
    ReadError
        When no path names a file, or nothing at all could be read (the first file's error then).

    Examples
    --------
    >>> import blunderlab as bl
    >>> bl.read_many([bl.datasets.path("paris-7pt"), bl.datasets.path("paris-7pt-gnubg")]).problems["code"].tolist()
    ['same_match']
    """
    files = expand(paths)
    chunks = [files[at : at + _CHUNK] for at in range(0, len(files), _CHUNK)]
    one = partial(_read_chunk, strict=strict)
    if workers > 1 and len(chunks) > 1:
        with ProcessPoolExecutor(workers) as pool:
            found = _shown(pool.map(one, chunks), chunks, progress)
    else:
        found = _shown(map(one, chunks), chunks, progress)
    t = Tables.concat(_once(t for t, _ in found))
    if not len(t.matches):
        raise next(error for _, error in found if error is not None)
    return Tables.concat([t, _repeated(t)])


def _once(found):
    """Leave out matches whose very bytes were read before, and say so: their keys would be the same."""
    seen = {}
    for t in found:
        paths = dict(zip(t.matches["match_id"], t.matches["path"], strict=True))
        again = [match for match in paths if match in seen]
        for match in again:
            yield _note(paths[match], match, f"the same bytes as {seen[match]}: read once")
        if again:
            frames = {name: getattr(t, name) for name in SCHEMA}
            t = Tables(**{name: f[~f["match_id"].isin(again)] for name, f in frames.items()})
        for match, path in paths.items():
            seen.setdefault(match, path)
        yield t


def _repeated(t):
    """A problem for every match that was read before in another form."""
    path = dict(zip(t.matches["match_id"], t.matches["path"], strict=True))
    notes = []
    for first, *others in same_groups(t, seats=False):
        for match in others:
            note = Problems(path[match], "", match)
            note.add("same_match", f"the same match as {path[first]}, with the same rolls; both are kept")
            notes.append(note)
    return Tables.build(problems=Problems.together(notes))


def _note(path, match, message):
    problems = Problems(path, "", match)
    problems.add("same_match", message)
    return Tables.build(problems=problems.frame())


def expand(paths):
    """Turn files, folders and globs into a list of sources, in the order given.

    Raises
    ------
    ReadError
        For a path that names nothing.
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    given = [Path(path) if isinstance(path, Path) else str(path) for path in given]
    if not given:
        raise ReadError("", "unknown", None, "no path given: name files, folders or globs")
    sources = []
    for path in given:
        found = (
            [Path(path)]
            if Path(path).exists()
            else [Path(p) for p in sorted(glob.glob(str(path), recursive=True))]
        )
        if not found:
            raise ReadError(path, "unknown", None, "no such file, and no glob that matches one")
        inside = [file for one in found for file in _files_of(one, set())]
        if not inside:
            raise ReadError(path, "unknown", None, "the folder holds no file: check the path")
        sources += inside
    return sources


def _files_of(path, seen):
    """The files of a folder and below; a link back to a folder above is not followed again."""
    if not path.is_dir() or is_saved(path):
        return [path]
    real = path.resolve()
    if real in seen:
        return []
    inside = sorted(p for p in path.iterdir() if not p.name.startswith("."))
    return [file for p in inside for file in _files_of(p, seen | {real})]


def _read_chunk(paths, strict):
    """Tables of a few files with the error of each that failed, in their order; neighbours are built together."""
    found, waiting = [], {}
    together = None  # the format of those that wait

    def build():
        if waiting:
            found.append((derived(together.build(list(waiting.values()))).tables(), None))
            waiting.clear()

    for path in paths:
        failed = None
        try:
            if strict or path.is_dir():
                t = read(path, strict=strict)
            else:
                data, format = opened(path)
                if hasattr(format, "build"):
                    if format is not together:
                        build()
                        together = format
                    one = format.extract(data, path)
                    if one.match_id not in waiting:
                        waiting[one.match_id] = one
                        continue
                    same = waiting[one.match_id].path
                    t = _note(path, one.match_id, f"the same bytes as {same}: read once")
                else:
                    t = derived(format.read(data, path)).tables()
        except ReadError as error:
            if strict:
                raise
            failed = error
            problems = Problems(path, error.format)
            problems.add("unreadable", f"{error.format}: {error.reason}", offset=error.offset)
            t = Tables.build(problems=problems.frame())
        build()
        found.append((t, failed))
    build()
    return found


def _shown(results, chunks, progress):
    """Every Tables of every chunk; a bar counts the files."""
    if not progress:
        return [t for found in results for t in found]
    from tqdm.auto import tqdm

    every = []
    with tqdm(total=sum(map(len, chunks)), unit="file") as bar:
        for found, chunk in zip(results, chunks, strict=True):
            every += found
            bar.update(len(chunk))
    return every
