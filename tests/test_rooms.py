"""The house: no circle between modules, no arrow back, no crowded folder, every format with the same verbs."""

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import blunderlab
from blunderlab.readers.formats import FORMATS

PACKAGE = Path(blunderlab.__file__).parent
MODULES = {
    ".".join(("blunderlab", *p.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): p
    for p in PACKAGE.rglob("*.py")
}  # fmt: skip
# From the foundation up; a room may ask those before it.
FLOORS = (
    ("errors", "atomic", "places"), ("tables",), ("met",), ("backgammon",), ("measure",), ("pricing",), ("boards", "readers"),
    ("engines", "reconcile", "study", "plots"), ("datasets",), ("report",), ("cli",),
)  # fmt: skip
DOZEN = 12


def asked(name):
    """The modules of the package that one imports, wherever in its code."""
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            named = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for one in named:
            while one and one not in MODULES:
                one = one.rpartition(".")[0]
            # A package's own front is not asked by what stands behind it.
            if one and one != name and not name.startswith(f"{one}."):
                yield one


ARROWS = {name: set(asked(name)) for name in MODULES}


def test_no_circle():
    try:
        TopologicalSorter(ARROWS).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_no_arrow_back():
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    back = defaultdict(set)
    for name, targets in ARROWS.items():
        for target in targets:
            one, other = (m.split(".")[1] if "." in m else None for m in (name, target))
            if None not in (one, other) and one != other and floor[one] < floor[other]:
                back[name].add(target)
    assert not back


def test_no_folder_is_crowded():
    crowd = defaultdict(int)
    for path in MODULES.values():
        crowd[path.parent] += 1
    assert max(crowd.values()) <= DOZEN


def test_every_format_is_a_folder_with_the_verbs():
    folders = {p.name for p in (PACKAGE / "readers").iterdir() if (p / "__init__.py").is_file()}
    assert folders == {format.name for format in FORMATS}
    for format in FORMATS:
        assert {"looks_like", "read"} <= set(format.verbs.__all__)
        assert hasattr(format.verbs, "extract") == hasattr(format.verbs, "build")
