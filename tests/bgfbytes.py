"""Write what BGBlitz writes: Smile, packed or not, and small matches of a few records."""

import gzip
import json
import struct
import zlib

HEADER = {"format": "BGF", "version": "1.0", "compress": True, "useSmile": True}
GREEN, RED = -1, 1
NONE = [-1, -1, -1, -1]


def pack(document, smile=True, wrapper=gzip.compress, header=None):
    """The bytes of a file; `wrapper` None leaves the match unpacked."""
    body = encode(document) if smile else json.dumps(document).encode()
    head = header or {**HEADER, "compress": wrapper is not None, "useSmile": smile}
    return (
        json.dumps(head, separators=(",", ":")).encode()
        + b"\n"
        + (wrapper(body) if wrapper else body)
    )


def zipped(body):
    """The other wrapper."""
    return zlib.compress(body)


def encode(value, names=True, values=False):
    """Smile from a value, with the tables of shared texts that the header names."""
    seen_names, seen_values, out = ([] if names else None), ([] if values else None), bytearray()
    _write(value, seen_names, seen_values, out)
    return b":)\n" + bytes([names | values << 1]) + bytes(out)


def _write(value, names, values, out):
    if value is None or value is False or value is True:
        out.append({None: 0x21, False: 0x22, True: 0x23}[value])
    elif isinstance(value, int):
        zigzag = value << 1 if value >= 0 else (-value << 1) - 1
        if zigzag < 32:
            out.append(0xC0 + zigzag)
        else:
            groups = [zigzag & 0x3F | 0x80]
            zigzag >>= 6
            while zigzag:
                groups.append(zigzag & 0x7F)
                zigzag >>= 7
            out.append(0x24 if -(1 << 31) <= value < 1 << 31 else 0x25)
            out += bytes(reversed(groups))
    elif isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        out.append(0x29)
        out += bytes(bits >> 7 * i & 0x7F for i in range(9, -1, -1))
    elif isinstance(value, str):
        _text(value, values, out)
    elif isinstance(value, list):
        out.append(0xF8)
        for one in value:
            _write(one, names, values, out)
        out.append(0xF9)
    else:
        out.append(0xFA)
        for name, one in value.items():
            _name(name, names, out)
            _write(one, names, values, out)
        out.append(0xFB)


def _text(value, values, out):
    data = value.encode()
    plain = len(data) == len(value)
    if not data:
        out.append(0x20)
        return
    if values is not None and value in values and values.index(value) & 0xFF < 0xFE:
        at = values.index(value)
        out += bytes([at + 1]) if at < 31 else bytes([0xEC | at >> 8, at & 0xFF])
        return
    if len(data) > 64 or (not plain and len(data) > 65):
        out.append(0xE0 if plain else 0xE4)
        out += data + b"\xfc"
        return
    base = (
        (0x40 - 1 if len(data) <= 32 else 0x60 - 33)
        if plain
        else (0x80 - 2 if len(data) <= 33 else 0xA0 - 34)
    )
    out.append(base + len(data))
    out += data
    if values is not None:
        if len(values) == 1024:
            values.clear()
        values.append(value)


def _name(name, names, out):
    data = name.encode()
    if not data:
        out.append(0x20)
        return
    if names is not None and name in names and names.index(name) & 0xFF < 0xFE:
        at = names.index(name)
        out += bytes([0x40 + at]) if at < 64 else bytes([0x30 | at >> 8, at & 0xFF])
        return
    if len(data) == len(name) and len(data) <= 64:
        out.append(0x7F + len(data))
        out += data
    elif len(data) <= 57 and len(data) > 1:
        out.append(0xBE + len(data))
        out += data
    else:
        out.append(0x34)
        out += data + b"\xfc"
    if names is not None and len(data) <= 64:
        if len(names) == 1024:
            names.clear()
        names.append(name)


# -- small matches ------------------------------------------------------------------------------


def match(*games, **about):
    """A match document; each game is a dict of `game`."""
    return {
        "matchlen": 7, "finalGreen": 0, "finalRed": 0, "useCrawford": True, "useJacoby": False, "useBeaver": False,
        "gameMode": 0, "useCube": True, "date": "2026.01.08", "nameGreen": "Ann", "nameRed": "Bob",
        "games": list(games), **about,
    }  # fmt: skip


def game(*moves, green=0, red=0, won=0, **about):
    return {"scoreGreen": green, "scoreRed": red, "wonPoints": won, "isCrawford": False, "wasForfeit": False,
            "wasResignation": False, "lostOnTime": False, "moves": list(moves), **about}  # fmt: skip


def value(mwc=0.5, emg=0.0, wins=0.5, cube=None):
    """An evaluation in a match: cubeless, or with its cube decision."""
    return {
        "equity": f"{2 * wins - 1:.8f}", "myWins": f"{wins:.8f}", "myGammon": "0.10000000",
        "myBackGammon": "0.00500000", "oppWins": f"{1 - wins:.8f}", "oppGammon": "0.12000000",
        "oppBackGammon": "0.00400000", "matchEquity": f"{mwc:.8f}", "emg": f"{emg:.8f}", "hasEMG": True,
        "cubeDecision": cube, "cube": 1,
    }  # fmt: skip


def cube(nd, dt, dp, full=None):
    three = {
        "eqNoDouble": nd,
        "eqDoubleTake": dt,
        "eqDoublePass": dp,
        "eqCubeFul": nd if full is None else full,
    }
    return {"close": False, "hasDoubled": None, **{name: f"{x:.8f}" for name, x in three.items()},
            "stateOnMove": "NO_DOUBLE", "stateOther": "ACCEPT"}  # fmt: skip


def points(pairs):
    start, end = [a for a, _ in pairs], [b for _, b in pairs]
    return {"from": (start + NONE)[:4], "to": (end + NONE)[:4]}


def play(player, dice, pairs, candidates=(), luck=None, equity=None, error=None, **more):
    """A play; candidates are (pairs, emg) with the one played marked by its pairs."""
    listed = [
        {"move": points(one), "eq": value(0.5 + 0.06 * emg, emg), "ply": 3, "played": one == pairs}
        for one, emg in candidates
    ]
    return {
        "type": "amove", "red": dice[0], "green": dice[1], "player": player, **points(pairs), "moveAnalysis": listed,
        "luck": None if luck is None else {"luckPlain": "0.1", "luckWeighted": f"{luck:.8f}", "mode": "Match"},
        "equity": equity, "ply": 3, "comment": None,
        "pr": {"cubeError": "-99.0", "checkerError": "-99.0" if error is None else f"{-error:.8f}"}, **more,
    }  # fmt: skip


def action(player, code, equity=None, **more):
    """1 double, 2 take, 3 pass, 4 end, 9 resignation."""
    return {"type": "amove", "red": code, "green": 7, "player": player, "from": NONE, "to": NONE,
            "moveAnalysis": [], "luck": None, "equity": equity, "ply": 3, "pr": None, "comment": None, **more}  # fmt: skip


def dance(player, dice, **more):
    start, end = [dice[0], -1, -1, -1], [dice[1], -1, -1, -1]
    return {**action(player, 5), "from": start, "to": end, **more}
