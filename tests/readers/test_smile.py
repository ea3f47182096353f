"""Smile: every kind of token, tables of shared texts, bytes that are not Smile, and another decoder on real files."""

import math
import struct
import zlib

import pytest
from bgfbytes import encode
from hypothesis import given
from hypothesis import strategies as st

from blunderlab.readers.bgf.smile import MAGIC, SmileError, decode

STEMS = ["3WNK_g1Z-PLsh_HyvQ5j4a", "5nqfGw9bWG3deTaU", "B4_SrGcsKAQmoTyHlgJCbM", "C07OQCKyw4Pe-CnjFiAMYO",
         "UL-CV6F9jMM-E1Pu", "XCu3RJ0UvDg_Tldl"]  # fmt: skip
HEADER = MAGIC + b"\x01"


@pytest.mark.parametrize("stem", STEMS)
def test_a_real_document_equals_gammonviews_decoding(reference, stem):
    bgf = pytest.importorskip("gvformat.bgf")
    data = reference(f"backgammon/bgf/{stem}.bgf").read_bytes()
    body = zlib.decompress(data.partition(b"\n")[2], 47)
    assert decode(body) == bgf.decode_smile(body)


@pytest.mark.parametrize(
    ("data", "value"),
    [  # written by hand from the format's specification
        (b"\x20", ""),
        (b"\x21", None),
        (b"\x22", False),
        (b"\x23", True),
        (b"\xc0", 0),
        (b"\xc1", -1),
        (b"\xdf", -16),
        (b"\xde", 15),
        (b"\x24\xa0", 16),
        (b"\x24\x0f\xbe", 511),
        (b"\x24\x1f\x7f\x7f\x7f\xbf", -(1 << 31)),
        (b"\x25\x03\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\xbf", -(1 << 63)),
        (b"\x28\x03\x7c\x00\x00\x00", 1.0),
        (b"\x29\x00\x3f\x78" + bytes(7), 1.0),
        (b"\x40a", "a"),
        (b"\x5f" + b"x" * 32, "x" * 32),
        (b"\x60" + b"x" * 33, "x" * 33),
        (b"\x7f" + b"x" * 64, "x" * 64),
        (b"\x80\xc3\xbc", "ü"),
        (b"\x9f" + b"\xc3\xbc" * 16 + b"a", "ü" * 16 + "a"),
        (b"\xa0" + b"\xc3\xbc" * 17, "ü" * 17),
        (b"\xe0" + b"y" * 70 + b"\xfc", "y" * 70),
        (b"\xe4" + "ü".encode() * 40 + b"\xfc", "ü" * 40),
        (b"\xf8\xf9", []),
        (b"\xfa\xfb", {}),
        (b"\xfa\x20\xc2\x34" + "ü".encode() * 30 + b"\xfc\xc4\xfb", {"": 1, "ü" * 30: 2}),
        (b"\xfa\xc0\xc3\xbc\xf8\xfa\x40\x21\xfb\xf9\xfb", {"ü": [{"ü": None}]}),
        (b"\xc2\xff", 1),
    ],
)  # fmt: skip
def test_tokens(data, value):
    found = decode(HEADER + data)
    assert found == value
    assert type(found) is type(value)


def test_floats_are_those_of_ieee_754():
    for number in (0.1, -2.5e300, math.pi, float("inf")):
        assert decode(encode(number)) == number
    bits = int.from_bytes(struct.pack(">f", 0.1), "big")
    written = bytes(bits >> 7 * i & 0x7F for i in range(4, -1, -1))
    assert decode(HEADER + b"\x28" + written) == struct.unpack(">f", struct.pack(">f", 0.1))[0]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(allow_nan=False) | st.text(max_size=90),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=70), inner, max_size=5),
    max_leaves=40,
)  # fmt: skip


@given(VALUES, st.booleans(), st.booleans())
def test_what_is_written_is_read(value, names, values):
    assert decode(encode(value, names, values)) == value


@pytest.mark.parametrize("n", [63, 64, 65, 300, 1024, 1025, 2500])
def test_tables_of_shared_texts_fill_and_begin_anew(n):
    once = [{f"name{i}": f"text{i}"} for i in range(n)]
    value = [*once, *once[-50:], *once[:3]]
    for names in (False, True):
        for values in (False, True):
            assert decode(encode(value, names, values)) == value


@pytest.mark.parametrize(
    ("data", "offset", "words"),
    [
        (b"", 0, "does not begin"),
        (b":)\n", 0, "does not begin"),
        (b"{}\n\x01\x21", 0, "does not begin"),
        (MAGIC + b"\x11\x21", 3, "version 1"),
        (HEADER + b"\xfa\x80a", 7, "ends too early"),
        (HEADER + b"\x45abc", 8, "ends too early"),
        (HEADER + b"\xf8\x45abc", 9, "ends too early"),
        (HEADER + b"\xf8\xc2", 6, "ends too early"),
        (HEADER + b"\x29\x00", 6, "ends too early"),
        (HEADER + b"\xe0abc", 5, "without an end"),
        (HEADER + b"\xc2\xc2", 5, "goes on"),
        (HEADER + b"\xf9", 4, "no value"),
        (HEADER + b"\xfb", 4, "no value"),
        (HEADER + b"\xfa\x80a\xf9\xfb", 7, "no value"),
        (HEADER + b"\xf8\xfb\xf9", 5, "no value"),
        (HEADER + b"\x00", 4, "no value"),
        (HEADER + b"\x01", 4, "not written before"),
        (MAGIC + b"\x03\xf8\x40a\x02\xf9", 7, "not written before"),
        (HEADER + b"\xfa\x40\xc2\xfb", 5, "not written before"),
        (HEADER + b"\xfa\x30\x05\xc2\xfb", 6, "not written before"),
        (MAGIC + b"\x00\xfa\x80a\xc2\x40\xc2\xfb", 8, "not written before"),
        (HEADER + b"\xfa\x05\xc2\xfb", 5, "is no name"),
        (HEADER + b"\x80\xff\xff", 5, "not UTF-8"),
        (HEADER + b"\x25" + b"\x7f" * 30, 5, "64 bits"),
        (HEADER + b"\x26\x81\x00\x01", 4, "big integer"),
        (HEADER + b"\x2a\x80\x81\x00\x01", 4, "big decimal"),
        (HEADER + b"\xe8\x81\x00\x01", 4, "binary data"),
        (HEADER + b"\xfd\x81\x00", 4, "binary data"),
        (HEADER + b"\xf8" * 200, 104, "nested deeper than 100"),
    ],
)
def test_what_is_not_smile_is_named_with_its_place(data, offset, words):
    with pytest.raises(SmileError, match=words) as caught:
        decode(data)
    assert abs(caught.value.offset - offset) <= 1


@given(st.binary(max_size=200), st.integers(0, 3))
def test_any_bytes_give_a_value_or_a_smile_error(data, flags):
    try:
        decode(MAGIC + bytes([flags]) + data)
    except SmileError:
        pass


@given(VALUES, st.randoms(use_true_random=False))
def test_a_cut_document_never_looks_whole(value, random):
    data = encode([value, "end"])
    cut = random.randrange(len(data))
    with pytest.raises(SmileError):
        decode(data[:cut])
