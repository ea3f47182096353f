"""Take an XG file apart, change bytes in its records, put it together again (both container forms)."""

import struct
import zlib

import numpy as np

from blunderlab.readers.xg import records as layout
from blunderlab.readers.xg.container import RECORD_SIZE, segments

TYPES = {
    layout.MATCH: layout.MATCH_RECORD,
    layout.GAME: layout.GAME_RECORD,
    layout.CUBE: layout.CUBE_RECORD,
    layout.MOVE: layout.MOVE_RECORD,
    layout.GAME_END: layout.GAME_END_RECORD,
    layout.MATCH_END: layout.MATCH_END_RECORD,
}


class XG:
    """The records of a file, each writable: `xg.of(MOVE)[3]["error"] = -0.1`."""

    def __init__(self, data):
        found = segments(data, "a test")
        header, _, thumbnail = struct.unpack_from("<iqi", data, 8)
        self.head = data[: header + thumbnail]
        self.others = {name: content for name, content in found.items() if name != "temp.xg"}
        self.records = [
            np.frombuffer(bytearray(found["temp.xg"][at : at + RECORD_SIZE]), "u1")
            for at in range(0, len(found["temp.xg"]), RECORD_SIZE)
        ]

    def of(self, kind):
        """The records of one kind, as writable structures."""
        return [r.view(TYPES[kind])[0] for r in self.records if r[layout.TYPE_OFFSET] == kind]

    def bare(self):
        """The form without an archive."""
        return self.head + zlib.compress(b"".join(r.tobytes() for r in self.records))

    def archive(self):
        """The form with a registry at the end."""
        members = {"temp.xg": b"".join(r.tobytes() for r in self.records), **self.others}
        packed, registry = b"", b""
        for name, content in members.items():
            small = zlib.compress(content)
            entry = bytes([len(name)]) + name.encode().ljust(255, b"\0") + bytes(256)
            entry += struct.pack(
                "<iiiIBB", len(content), len(small), len(packed), zlib.crc32(content), 0, 6
            )
            registry += entry.ljust(532, b"\0")
            packed += small
        registry = zlib.compress(registry)
        trailer = struct.pack(
            "<IiiiiI12x", zlib.crc32(packed), len(members), 1, len(registry), len(packed), 1
        )
        return self.head + packed + registry + trailer
