"""Smile, Jackson's binary JSON (format 1.0), as far as BGBlitz writes it: bytes in, dicts, lists and values out.

Four header bytes, then one value. Names and, where the header says so, short texts are written once and referred
to by number afterwards. One loop without recursion, so that no nesting can exhaust the stack.
"""

import struct

__all__ = ["MAGIC", "SmileError", "decode"]

MAGIC = b":)\n"
_SHARED_NAMES, _SHARED_VALUES = 1, 2
_MOST_SHARED = 1024  # a full table is emptied, as Jackson does
_LONGEST_SHARED = 64  # bytes of a text or name that is remembered
_DEEPEST = 100
_LARGEST_INTEGER = 11  # bytes of a 64-bit number

_START_ARRAY, _END_ARRAY, _START_OBJECT, _END_OBJECT = 0xF8, 0xF9, 0xFA, 0xFB
_LONG_NAME = 0x30  # the name of a number below 256 follows
_END_OF_TEXT = 0xFC
_SINGLE = {
    0x20: "",
    0x21: None,
    0x22: False,
    0x23: True,
}  # values of one byte: these and numbers from -16 to 15
_SINGLE |= {0xC0 + n: n >> 1 ^ -(n & 1) for n in range(32)}
_UNSUPPORTED = {
    0x26: "a big integer",
    0x2A: "a big decimal",
    0xE8: "binary data",
    0xFD: "raw binary data",
}


class SmileError(ValueError):
    """Bytes that are not Smile.

    Attributes
    ----------
    offset : int
        Where, in the bytes given to `decode`.
    """

    def __init__(self, offset, reason):
        self.offset, self.reason = offset, reason
        super().__init__(f"byte {offset}: {reason}")


def decode(data):
    """Decode one Smile document.

    Parameters
    ----------
    data : bytes
        With its header.

    Returns
    -------
    dict, list, str, int, float, bool or None

    Raises
    ------
    SmileError
        When it ends too early, is nested deeper than 100, goes on after its value, or holds what is not Smile;
        big numbers and binary data are named and not read.

    Examples
    --------
    >>> decode(b":)\\n\\x01" + b"\\xfa" + b"\\x80a" + b"\\xc2" + b"\\x80b" + b"\\xf8\\x21\\x42off\\xf9" + b"\\xfb")
    {'a': 1, 'b': [None, 'off']}
    """
    if data[:3] != MAGIC or len(data) < 5:
        raise SmileError(0, "it does not begin as a Smile document")
    if data[3] >> 4:
        raise SmileError(3, f"Smile of version {data[3] >> 4}, and only version 0 is known")
    reader = _Reader(data)
    try:
        value, end = reader.read(4)
    except (IndexError, struct.error):
        end = len(data) + 1
    if end > len(data):
        raise SmileError(len(data), "the document ends too early")
    if data[end:].strip(b"\xff"):
        raise SmileError(end, "the document goes on after its value")
    return value


class _Reader:
    """A document, its tables of shared texts and what can be done with them."""

    def __init__(self, data):
        self.data = data
        self.text = data.decode("latin-1")  # sliced for ASCII, which is most of a document
        self.names = [] if data[3] & _SHARED_NAMES else None
        self.values = [] if data[3] & _SHARED_VALUES else None
        self.short = {}  # the names that one byte refers to

    def read(self, at):
        """Read the value that begins at a byte; with it comes the byte after it."""
        data, text = self.data, self.text
        names = () if self.names is None else self.names
        short, single, no_values = self.short, _SINGLE, self.values is None
        outer = []  # containers around this one
        box, name = [], None  # the value itself goes to the first box
        inside = False  # an object
        while True:
            if inside:
                token = data[at]
                at += 1
                if token == _LONG_NAME and data[at] < len(names):
                    name = names[data[at]]
                    at += 1
                elif token in short:
                    name = short[token]
                elif token == _END_OBJECT:
                    box, inside = outer.pop()
                    if not outer:
                        return box[0], at
                    continue
                else:
                    name, at = self._name(token, at)
            token = data[at]
            at += 1
            if 0x40 <= token < 0x60 and no_values:
                end = at + token - 0x3F
                value, at = text[at:end], end
            elif token in single:
                value = single[token]
            elif token == _START_OBJECT or token == _START_ARRAY:
                value = {} if token == _START_OBJECT else []
                if inside:
                    box[name] = value
                else:
                    box.append(value)
                if len(outer) >= _DEEPEST:
                    raise SmileError(at - 1, f"nested deeper than {_DEEPEST}")
                outer.append((box, inside))
                box, inside = value, token == _START_OBJECT
                continue
            elif token == _END_ARRAY and outer and not inside:
                box, inside = outer.pop()
                if not outer:
                    return box[0], at
                continue
            else:
                value, at = self._value(token, at)
            if inside:
                box[name] = value
            else:
                box.append(value)
                if not outer:
                    return value, at

    def _name(self, token, at):
        """A name that is written out, or referred to by a long number."""
        data, names = self.data, self.names
        if token == 0x20:
            return "", at
        if 0x30 <= token < 0x34 or 0x40 <= token < 0x80:
            number = token - 0x40 if token >= 0x40 else (token & 3) << 8 | data[at]
            if names is None or number >= len(names):
                raise SmileError(at - 1, "a name that was not written before")
            return names[number], at + (token < 0x40)
        if token == 0x34:
            end = self._end_of_text(at)
            name, after = self._unicode(at, end), end + 1
        elif 0x80 <= token < 0xF8:
            end = after = at + (token - 0x7F if token < 0xC0 else token - 0xBE)
            name = self._unicode(at, end)
        else:
            raise SmileError(at - 1, f"0x{token:02x} is no name")
        if names is not None and end - at <= _LONGEST_SHARED:
            _remember(names, name)
            if len(names) == 1:  # the first, or the first after a full table
                self.short.clear()
            if len(names) <= 64:
                self.short[0x3F + len(names)] = name
        return name, after

    def _value(self, token, at):
        """A value that is neither a container nor a small number nor, mostly, a short ASCII text."""
        data = self.data
        if 0x40 <= token < 0xC0:
            length = (token & 0x1F) + (0x21 if token & 0x20 else 1)
            if token >= 0x80:
                length += 1
            value = self._unicode(at, at + length)
            if self.values is not None and length <= _LONGEST_SHARED:
                _remember(self.values, value)
            return value, at + length
        if token in (0x24, 0x25):
            return self._integer(at)
        if token == 0x28:
            return struct.unpack(">f", self._sevens(at, 5, 4))[0], at + 5
        if token == 0x29:
            return struct.unpack(">d", self._sevens(at, 10, 8))[0], at + 10
        if token in (0xE0, 0xE4):
            end = self._end_of_text(at)
            return self._unicode(at, end), end + 1
        if 0x00 < token < 0x20 or 0xEC <= token < 0xF0:
            number, after = (
                (token - 1, at) if token < 0x20 else ((token & 3) << 8 | data[at], at + 1)
            )
            if self.values is None or number >= len(self.values):
                raise SmileError(at - 1, "a text that was not written before")
            return self.values[number], after
        what = _UNSUPPORTED.get(token, f"0x{token:02x}, which is no value")
        raise SmileError(at - 1, f"{what}: not read")

    def _integer(self, at):
        data, value, first = self.data, 0, at
        while data[at] < 0x80:
            value = value << 7 | data[at]
            at += 1
            if at - first > _LARGEST_INTEGER:
                raise SmileError(first, "a number of more than 64 bits")
        value = value << 6 | data[at] & 0x3F
        return value >> 1 ^ -(value & 1), at + 1

    def _sevens(self, at, count, size):
        """Bytes of a float, written in groups of seven bits."""
        value = 0
        for byte in struct.unpack_from(f"{count}B", self.data, at):
            value = value << 7 | byte & 0x7F
        return (value & (1 << 8 * size) - 1).to_bytes(size, "big")

    def _end_of_text(self, at):
        end = self.data.find(_END_OF_TEXT, at)
        if end < 0:
            raise SmileError(at, "a text without an end")
        return end

    def _unicode(self, at, end):
        if end > len(self.data):
            raise IndexError
        try:
            return self.data[at:end].decode("utf-8")
        except UnicodeDecodeError:
            raise SmileError(at, "a text that is not UTF-8") from None


def _remember(table, text):
    """Give a text the next number; a full table begins anew."""
    if len(table) >= _MOST_SHARED:
        table.clear()
    table.append(text)
