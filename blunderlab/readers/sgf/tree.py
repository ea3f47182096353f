"""SGF, the file format FF[4]: bytes in, game trees of nodes out. It knows nothing of backgammon.

    (;FF[4]GM[6]PW[Ann]PB[Bob] ;W[31hefe]C[a comment with \\] in it] ;B[double] ;W[drop])

A collection holds trees in round brackets, a tree holds nodes that begin with a semicolon, a node holds properties:
a name in capitals and one or more values in square brackets, in which a backslash takes the next byte as it is.
"""

import codecs
import re
from dataclasses import dataclass, field

from blunderlab.errors import ReadError

__all__ = ["Node", "Tree", "first", "looks_like", "text", "trees"]

BOM = codecs.BOM_UTF8

_HEAD = re.compile(
    rb"([();\s]*)([A-Za-z]+)\s*"
)  # what may stand before the first value of a property
_TAIL = re.compile(
    rb"([();\s]*)[\s\0\x1a]*"
)  # and after the last one of all, an old editor's end of file too
_BEGINNING = re.compile(rb"\s*\(\s*;")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_SPACE = re.compile(r"[^\S\n]")


@dataclass(slots=True)
class Node:
    """One node: byte offset of its semicolon, and each property's values with their escapes."""

    offset: int
    properties: dict = field(default_factory=dict)


@dataclass(slots=True)
class Tree:
    """One game: its nodes along the first variation, and where other variations begin."""

    offset: int
    nodes: list = field(default_factory=list)
    variations: list = field(default_factory=list)


def looks_like(data):
    """Tell whether these bytes begin as an SGF collection does.

    Examples
    --------
    >>> looks_like(b"(;FF[4]GM[6])"), looks_like(b"[Event]")
    (True, False)
    """
    return _BEGINNING.match(data, len(BOM) if data.startswith(BOM) else 0) is not None


def trees(data, path):
    """Read a collection.

    Parameters
    ----------
    data : bytes
    path : str or Path
        For messages.

    Returns
    -------
    list of Tree
        At least one, each with at least one node. A property that stands twice in a node counts once, as
        first written.

    Raises
    ------
    ReadError
        When something is not SGF or the file ends early: no part of such a file is believed.

    Examples
    --------
    >>> [tree] = trees(b"(;GM[6];W[31hefe])", "a.sgf")
    >>> [node.properties for node in tree.nodes]
    [{b'GM': [b'6']}, {b'W': [b'31hefe']}]
    """
    if not data.strip():
        raise ReadError(path, "sgf", 0, "the file is empty; copy it again from its source")
    if not looks_like(data):
        raise ReadError(path, "sgf", 0, "an SGF file begins with '(;'")
    reader = _Reader(path)
    at = len(BOM) if data.startswith(BOM) else 0
    *pieces, tail = data[at:].split(b"]")
    pieces = iter(pieces)
    into = None
    for piece in pieces:
        head, opened, value = piece.partition(b"[")
        if opened and not head and into is not None and not value.endswith(b"\\"):
            into.append(value)  # one more value of the same property: by far the most
            at += len(piece) + 1
            continue
        if not opened:
            raise reader.broken(at, f"{piece[:20] + b']'!r} does not belong here")
        end = at + len(piece) + 1
        while _escapes_next(value):
            more = next(pieces, None)
            if more is None:
                raise reader.broken(at + len(head), _CUT_VALUE)
            value += b"]" + more
            end += len(more) + 1
        if head and not head.isspace():
            parts = _HEAD.fullmatch(head)
            if parts is None:
                raise reader.broken(at, f"{head[:20]!r} does not belong here")
            if parts[1]:
                reader.structure(parts[1], at)
            into = reader.values_of(parts[2], at + parts.start(2))
        elif into is None:
            raise reader.broken(at, "a value without a property")
        into.append(value)
        at = end
    if b"[" in tail:
        raise reader.broken(at + tail.index(b"["), _CUT_VALUE)
    parts = _TAIL.fullmatch(tail)
    if parts is None:
        raise reader.broken(at, f"{tail[:20]!r} does not belong here")
    reader.structure(parts[1], at)
    if reader.depth:
        raise reader.broken(len(data), "the file ends inside a game: it was cut short")
    return reader.trees


def _escapes_next(value):
    """Does the value end with a backslash that is not itself escaped?"""
    return (len(value) - len(value.rstrip(b"\\"))) % 2 == 1


_OPEN, _CLOSE, _NODE = b"();"
_CUT_VALUE = "the file ends inside a value: it was cut short"


class _Reader:
    """Where in the trees the reading stands."""

    def __init__(self, path):
        self.path = path
        self.trees = []
        self.depth = 0  # trees open
        self._children = []  # of every open tree that is followed
        self._node = None

    def structure(self, marks, offset):
        """Open and close trees and nodes."""
        for at, mark in enumerate(marks, offset):
            if mark == _NODE:
                self._begin(at)
            elif mark == _OPEN:
                self._open(at)
            elif mark == _CLOSE:
                self._close(at)

    def values_of(self, name, offset):
        """Give the list that the values of this property go into."""
        if self._node is None:
            raise self.broken(offset, "a property outside a node")
        if not name.isupper():  # FF[3] wrote AddBlack for AB
            name = bytes(c for c in name if c < ord("a"))
        if not self._followed or name in self._node.properties:
            return []
        return self._node.properties.setdefault(name, [])

    @property
    def _followed(self):
        return len(self._children) == self.depth

    def _open(self, offset):
        if not self.depth:
            self.trees.append(Tree(offset))
            self._children.append(0)
        elif self._followed:
            if not self.trees[-1].nodes:
                raise self.broken(offset, "a variation of nothing")
            self._children[-1] += 1
            if self._children[-1] == 1:
                self._children.append(0)
            else:
                self.trees[-1].variations.append(offset)
        self.depth += 1

    def _close(self, offset):
        if not self.depth:
            raise self.broken(offset, "a ) without its (")
        if not self.trees[-1].nodes:
            raise self.broken(offset, "a game without a node")
        if self._followed:
            self._children.pop()
        self.depth -= 1
        if not self.depth:
            self._node = None

    def _begin(self, offset):
        if not self.depth:
            raise self.broken(offset, "a node outside a game")
        if self._followed:
            self._node = Node(offset)
            self.trees[-1].nodes.append(self._node)

    def broken(self, offset, what):
        """Make the error that says where."""
        where = ""
        if self.trees:
            nodes = self.trees[-1].nodes
            moves = sum(not n.properties.keys().isdisjoint((b"W", b"B")) for n in nodes)
            where = f" (game {len(self.trees)}, move {moves})"
        return ReadError(self.path, "sgf", offset, f"{what}{where}; copy it again from its source")


def first(node, name):
    """Give the first value of a property, stripped, or None where the node has none.

    Examples
    --------
    >>> first(Node(0, {b"PL": [b"W"]}), b"PL"), first(Node(0), b"PL")
    (b'W', None)
    """
    found = node.properties.get(name)
    return None if found is None else found[0].strip()


def text(value, charset="utf-8"):
    r"""Decode a value and take its escapes out: a backslash before a line's end joins the lines.

    Raises
    ------
    UnicodeDecodeError
        When the bytes are not of this charset.

    Examples
    --------
    >>> text(rb"A\]B\\C:D")
    'A]B\\C:D'
    """
    decoded = value.decode(charset)
    if "\\" in decoded:
        decoded = _ESCAPED.sub(lambda m: "" if m[1][0] in "\r\n" else m[1], decoded)
    decoded = decoded.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    return _SPACE.sub(" ", decoded).strip()
