"""SGF as a format: trees, nodes, values, escapes, and files that were cut."""

import random

import pytest

from blunderlab import ReadError
from blunderlab.readers.sgf.tree import looks_like, text, trees

ONE = b"(;GM[6];W[31hefe];B[double])"


def properties(data):
    return [[node.properties for node in tree.nodes] for tree in trees(data, "a.sgf")]


@pytest.mark.parametrize(
    ("data", "is_sgf"),
    [
        (ONE, True),
        (b"\xef\xbb\xbf\n( ;GM[6])", True),
        (b"RGMH", False),
        (b"(GM", False),
        (b"", False),
        (b" 7 point match", False),
    ],
)
def test_sniffing(data, is_sgf):
    assert looks_like(data) == is_sgf


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (rb"(;C[a\]b ;B[42\] (c\\])", [[{b"C": [rb"a\]b ;B[42\] (c\\"]}]]),
        (
            b"(;A[0]\n[x E 1]\r\n [y E 2]B [31])",
            [[{b"A": [b"0", b"x E 1", b"y E 2"], b"B": [b"31"]}]],
        ),
        (b"(;GM[6])(;GM[6];W[31])\n\x1a", [[{b"GM": [b"6"]}], [{b"GM": [b"6"]}, {b"W": [b"31"]}]]),
        (b"(;GameMaster[6];;W[])", [[{b"GM": [b"6"]}, {}, {b"W": [b""]}]]),
        (b"(;W[a]W[b])", [[{b"W": [b"a"]}]]),  # the first of two counts
    ],
)
def test_values_nodes_and_games(data, expected):
    assert properties(data) == expected


def test_only_the_first_variation_is_followed_and_the_others_are_named():
    [tree] = trees(b"(;GM[6](;W[a](;B[b])(;B[c]))(;W[d](;B[e])))", "a.sgf")
    assert [node.properties for node in tree.nodes] == [
        {b"GM": [b"6"]},
        {b"W": [b"a"]},
        {b"B": [b"b"]},
    ]
    assert tree.variations == [20, 28]


def test_offsets_are_those_of_the_semicolons():
    data = b"\xef\xbb\xbf" + ONE
    [tree] = trees(data, "a.sgf")
    assert [data[node.offset : node.offset + 3] for node in tree.nodes] == [b";GM", b";W[", b";B["]


def test_texts():
    assert text(rb"A\]B\\C\:D") == r"A]B\C:D"
    assert text(b"one\\\ntwo\r\nthree\tfour ") == "onetwo\nthree four"
    assert text("Zoë".encode("latin-1"), "latin-1") == "Zoë"
    with pytest.raises(UnicodeDecodeError):
        text("Zoë".encode("latin-1"))


@pytest.mark.parametrize(
    ("data", "offset", "words"),
    [
        (b"", 0, "empty"),
        (b" \n", 0, "empty"),
        (b"chess", 0, "begins with"),
        (b"(;GM[6]", 7, "cut short (game 1, move 0)"),
        (b"(;GM[6];W[31he", 9, "inside a value"),
        (b"(;GM[6];W[31hefe];C[a\\]", 19, "inside a value: it was cut short (game 1, move 1)"),
        (b"(;GM[6])(;GM[6];W[31hefe]", 25, "cut short (game 2, move 1)"),
        (b"(;GM[6]))", 8, "without its ("),
        (b"(;GM[6])]", 7, "does not belong here"),
        (b"(;GM[6]) and more", 7, "does not belong here"),
        (b"(;GM[6];W 31)", 7, "does not belong here"),
        (b"(;GM[6])\n;B[31]", 9, "outside a game"),
        (b"(;GM[6])(B[31])", 9, "outside a node"),
        (b"(;[6])", 0, "does not belong here"),
    ],
)
def test_what_is_not_sgf(data, offset, words):
    with pytest.raises(ReadError) as error:
        trees(data, "a.sgf")
    assert words in error.value.reason
    assert (error.value.offset, error.value.path, error.value.format) == (offset, "a.sgf", "sgf")


def test_every_cut_that_is_not_between_games_is_noticed():
    data = b"(;GM[6]C[a\\]b];W[31hefe]A[0][hefe E 1])\n(;GM[6]\n;B[double]\n;W[drop])\n(;GM[6])"
    between = {data.index(b")\n(") + 1 + k for k in range(2)}
    second = data.index(b")\n(", 50)
    between |= {second + 1, second + 2, len(data)}
    for cut in range(len(data) + 1):
        if cut in between:
            trees(data[:cut], "a.sgf")
        else:
            with pytest.raises(ReadError):
                trees(data[:cut], "a.sgf")


def test_noise_never_escapes_as_anything_but_a_read_error():
    rng = random.Random(7)
    data = b"(;GM[6]C[a\\]b];W[31hefe]A[0][hefe E 1](;B[double])(;B[31]))(;GM[6])"
    for _ in range(3000):
        noisy = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            noisy[rng.randrange(len(noisy))] = rng.choice(b"()[];\\ \nWa1\0\xff")
        try:
            found = trees(bytes(noisy), "a.sgf")
        except ReadError:
            continue
        assert found
        assert all(tree.nodes for tree in found)
