"""Two runs of gnuBG on the same match: what must be the same, and how far its numbers lie apart.

gnuBG's evaluations differ in their last digits from one vector unit to another, and where its pruning then keeps
other candidates they differ more. Nothing that was played or rolled may.
"""

import re

from blunderlab.readers.sgf.tree import trees

_NUMBER = re.compile(rb"-?(?:\d+(?:\.\d*)?(?:e-?\d+)?|inf)")
_TOKEN = re.compile(rb"[^\s:]+")
_DEPTH = 10  # token of an entry of A that says how deep: "1C"


def apart(one, other):
    """Largest difference of the numbers of each property, of two SGF files of one match.

    Everything else in them must be equal: trees, nodes, names of properties, plays, dice, cube actions, results,
    texts, the classes that statistics count in, and the moves that the candidates are.

    Returns
    -------
    dict of str to float
        Property to difference; candidates evaluated to the same depth ("A") apart from the others ("A, deeper in
        one").
    """
    found = {}
    for tree, twin in zip(trees(one, "one"), trees(other, "other"), strict=True):
        for node, same in zip(tree.nodes, twin.nodes, strict=True):
            assert list(node.properties) == list(same.properties), node.offset
            for name, values in node.properties.items():
                pairs = _pairs(name, values, same.properties[name])
                for label, a, b in pairs:
                    found[label] = max(found.get(label, 0.0), _difference(a, b))
    return found


def _pairs(name, values, others):
    """What belongs together; candidates by their moves, since equal ones may change places."""
    label = name.decode()
    if name != b"A":
        assert len(values) == len(others), label
        yield from ((label, *pair) for pair in zip(values, others, strict=True))
        return
    first, second = ({v.split()[0]: v for v in vs[1:]} for vs in (values, others))
    assert first.keys() == second.keys()
    # The played one, by its move and not by its place.
    assert values[1 + int(values[0])].split()[0] == others[1 + int(others[0])].split()[0]
    for move, value in first.items():
        words, twins = value.split(), second[move].split()
        same_depth = words[_DEPTH] == twins[_DEPTH]
        words[_DEPTH] = twins[_DEPTH]
        yield (label if same_depth else f"{label}, deeper in one"), b" ".join(words), second[move]


def _difference(one, other):
    """Largest difference of the numbers in two texts that are equal otherwise."""
    worst = 0.0
    for a, b in zip(_TOKEN.findall(one), _TOKEN.findall(other), strict=True):
        if a != b:
            assert _NUMBER.fullmatch(a), (one, other)
            assert _NUMBER.fullmatch(b), (one, other)
            worst = max(worst, abs(float(a) - float(b)))
    return worst
