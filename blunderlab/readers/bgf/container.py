"""The wrapping of a `.bgf`: a line of JSON that says how the rest is packed, then the match as one document.

Today's files are packed and in Smile (``"compress":true,"useSmile":true``); older ones name ``compression`` and
``encoding``, and either may be off. What the rest begins with decides, and the line only where that is not enough.
"""

import json
import zlib

from blunderlab.errors import ReadError
from blunderlab.readers.bgf import smile

__all__ = ["document", "looks_like", "refuse"]

_LONGEST_HEADER = 4096
_LARGEST = 1 << 26  # bytes unpacked, some 900 games; more is damage or a bomb
_ANY_WRAPPER = 32 + zlib.MAX_WBITS  # zlib or gzip, whichever it says it is
_PACKED = (b"\x1f\x8b", b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_CUT = "copy it again from its source, or save it again with BGBlitz"


def looks_like(data):
    """Whether the content is a `.bgf`, whole or not.

    Examples
    --------
    >>> looks_like(b'{"format":"BGF","version":"1.0"}'), looks_like(b'{"games":[]}')
    (True, False)
    """
    line = data[:_LONGEST_HEADER].removeprefix(b"\xef\xbb\xbf").lstrip()
    return line[:1] == b"{" and b'"BGF"' in line.partition(b"\n")[0]


def document(data, path):
    """Unpack the match.

    Parameters
    ----------
    data : bytes
        The whole file.
    path : str or Path
        For error messages.

    Returns
    -------
    (header, match) : tuple of dict

    Raises
    ------
    ReadError
        With the offset of what is not as it should be.
    """
    line, newline, body = data.partition(b"\n")
    if not newline or len(line) > _LONGEST_HEADER:
        raise refuse(
            path,
            min(len(data), _LONGEST_HEADER),
            f"its first line does not end: it was cut short; {_CUT}",
        )
    header = _json(line.removeprefix(b"\xef\xbb\xbf"), path, 0, "the first line")
    if not isinstance(header, dict) or header.get("format") != "BGF":
        raise refuse(path, 0, 'its first line is not BGBlitz\'s, which names the format "BGF"')
    at = len(line) + 1
    where = ""
    if body[:2] in _PACKED:
        body = _unpacked(body, at, path)
        at, where = 0, " (offset in the unpacked match)"
    if body[:3] == smile.MAGIC:
        try:
            match = smile.decode(body)
        except smile.SmileError as error:
            raise refuse(
                path, at + error.offset, f"{error.reason}{where}: it is damaged; {_CUT}"
            ) from error
    elif body[:1].isspace() or body[:1] == b"{":
        match = _json(body, path, at, f"the match{where}")
    else:
        reason = (
            "nothing that is packed, Smile or JSON follows its first line"
            if body
            else "the match is missing"
        )
        raise refuse(path, at, f"{reason}: it was cut short or damaged; {_CUT}")
    if not isinstance(match, dict):
        raise refuse(path, at, f"its document is no match{where}: it is damaged; {_CUT}")
    return header, match


def refuse(path, offset, reason):
    """The error of a file that cannot be read."""
    return ReadError(path, "bgf", offset, reason)


def _unpacked(body, at, path):
    unpacker = zlib.decompressobj(_ANY_WRAPPER)
    try:
        unpacked = unpacker.decompress(body, _LARGEST)
    except zlib.error as error:
        raise refuse(
            path, at, f"the match does not unpack ({error}): it is damaged; {_CUT}"
        ) from error
    if unpacker.unconsumed_tail:
        raise refuse(path, at, f"the match unpacks to more than {_LARGEST} bytes: it is damaged")
    if not unpacker.eof:
        raise refuse(
            path, at + len(body), f"the packed match ends too early: it was cut short; {_CUT}"
        )
    if unpacker.unused_data.strip(b"\0\r\n"):
        raise refuse(
            path, at + len(body) - len(unpacker.unused_data), "something follows the packed match"
        )
    return unpacked


def _json(data, path, at, what):
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        place = len(error.doc[: error.pos].encode("utf-8", "replace"))
        reason = f"{what} is no JSON ({error.msg}): it was cut short or damaged; {_CUT}"
        raise refuse(path, at + place, reason) from error
    except UnicodeDecodeError as error:
        raise refuse(
            path, at + error.start, f"{what} is not UTF-8: it is damaged; {_CUT}"
        ) from error
    except (
        ValueError,
        RecursionError,
    ) as error:  # a number of thousands of digits; brackets by the thousand
        raise refuse(
            path, at, f"{what} is no JSON that a match has ({type(error).__name__})"
        ) from error
