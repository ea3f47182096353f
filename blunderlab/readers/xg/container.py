"""The box around an XG match: bytes in, named segments out.

An outer header (`RGMH`, a thumbnail), then one of two forms: a zlib archive with a registry at the end of the
file, whose member `temp.xg` holds the records, or one bare zlib stream of records that runs to the end.
Nothing here knows what a record means.
"""

import struct

from zlib_ng import zlib_ng as zlib  # the same as zlib, three times as fast

from blunderlab.errors import ReadError

__all__ = ["MAGIC", "RECORD_SIZE", "looks_like", "segments"]

MAGIC = b"RGMH"
RECORD_SIZE = 2560

_HEADER = struct.Struct("<4siiqi")  # magic, version, header size, thumbnail offset, thumbnail size
_TRAILER = struct.Struct("<IiiiiI12x")  # crc, files, version, registry size, archive size, packed?
_ENTRY_SIZE = 532
_ENTRY = struct.Struct("<iiiIBB")  # original size, packed size, start, crc, stored?, level
_ENTRY_FIELDS = 512  # after two Pascal strings of 256 bytes
_LARGEST = (
    1 << 28
)  # over 100,000 records, more decisions than a table holds; more is damage or a bomb
_WANTED = ("temp.xg", "temp.xgr", "temp.xgc")  # records, rollouts, comments


def looks_like(data):
    """Whether the content is XG's, whole or not.

    Examples
    --------
    >>> looks_like(b"RGMH"), looks_like(b"(;FF[4]")
    (True, False)
    """
    return data[: len(MAGIC)] == MAGIC


def segments(data, path):
    """Unpack the container.

    Parameters
    ----------
    data : bytes
        The whole file.
    path : str or Path
        For error messages.

    Returns
    -------
    dict of str to bytes
        Segment name ("temp.xg" always, "temp.xgr", "temp.xgc" where present) to its content.

    Raises
    ------
    ReadError
        With the byte offset of what is not as it should be.
    """

    def fail(offset, reason):
        return ReadError(path, "xg", offset, reason)

    if len(data) < _HEADER.size:
        raise fail(len(data), "the file ends inside its header; copy it again from its source")
    magic, _, header, _, thumbnail = _HEADER.unpack_from(data)
    if magic != MAGIC:
        raise fail(0, "it does not begin with RGMH, so it is no XG file")
    body = header + thumbnail
    if header < _HEADER.size or thumbnail < 0 or body >= len(data):
        raise fail(
            min(len(data), 8),
            f"its header says that the match begins at byte {body}, but the file has "
            f"{len(data)} bytes: it was cut short; copy it again from its source",
        )
    found = _archive(data, body, fail)
    if found is None:
        found = {"temp.xg": _bare_stream(data, body, fail)}
    records = found.get("temp.xg")
    if records is None:
        raise fail(
            body, f"the archive has no temp.xg, only {', '.join(sorted(found)) or 'nothing'}"
        )
    if not records or len(records) % RECORD_SIZE:
        raise fail(
            body, f"temp.xg has {len(records)} bytes, no multiple of {RECORD_SIZE}: it is damaged"
        )
    return found


def _archive(data, body, fail):
    """Unpack the archive form; None where the trailer is not one (the bare form is tried then)."""
    if len(data) - body < _TRAILER.size:
        return None
    trailer = len(data) - _TRAILER.size
    _, count, _, registry_size, archive_size, packed = _TRAILER.unpack_from(data, trailer)
    registry_at = trailer - registry_size
    start = registry_at - archive_size
    if count < 1 or registry_size < 1 or archive_size < 1 or start < body or packed > 1:
        return None
    registry = data[registry_at:trailer]
    if packed:
        registry = _inflate(registry, count * _ENTRY_SIZE, registry_at, "the registry", fail)
    if len(registry) != count * _ENTRY_SIZE:
        raise fail(registry_at, f"the registry of {count} files has {len(registry)} bytes")
    found = {}
    for at in range(0, len(registry), _ENTRY_SIZE):
        length = registry[at]
        name = registry[at + 1 : at + 1 + length].decode("latin-1")
        size, packed_size, begin, crc, stored, _ = _ENTRY.unpack_from(registry, at + _ENTRY_FIELDS)
        if name not in _WANTED:
            continue
        if name in found:
            raise fail(registry_at, f"the archive holds {name!r} twice")
        first = start + begin
        if begin < 0 or packed_size < 0 or first + packed_size > registry_at:
            raise fail(registry_at, f"segment {name!r} lies outside the archive")
        content = data[first : first + packed_size]
        if not stored:  # the stream carries a check sum of its own
            content = _inflate(content, size, first, f"segment {name!r}", fail)
        elif zlib.crc32(content) != crc:
            raise fail(first, f"segment {name!r} does not have its check sum: it is damaged")
        if len(content) != size:
            raise fail(first, f"segment {name!r} has {len(content)} bytes, not {size}")
        found[name] = content
    return found


def _bare_stream(data, body, fail):
    unpacker = zlib.decompressobj()
    try:
        records = unpacker.decompress(data[body:], _LARGEST)
    except zlib.error as error:
        raise fail(
            body, f"neither an archive nor a zlib stream ({error}): it was cut short or damaged"
        ) from error
    if not unpacker.eof or unpacker.unused_data or unpacker.unconsumed_tail:
        raise fail(len(data), "the stream of records does not end with the file: it was cut short")
    return records


def _inflate(content, size, offset, what, fail):
    if not 0 <= size <= _LARGEST:
        raise fail(offset, f"{what} claims a size of {size} bytes: it is damaged")
    unpacker = zlib.decompressobj()
    try:
        unpacked = unpacker.decompress(content, size + 1)
    except zlib.error as error:
        raise fail(offset, f"{what} does not unpack ({error}): it is damaged") from error
    if not unpacker.eof:
        raise fail(offset, f"{what} is cut short or larger than the {size} bytes it claims")
    return unpacked
