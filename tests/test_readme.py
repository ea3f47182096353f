"""README is the door: what it shows is what happens."""

import contextlib
import io
import re
import sys
from pathlib import Path

from blunderlab.cli import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_example_prints_what_is_written_below_it():
    code, output = re.search(
        r"```python\n(.*?)```\n\n((?:    [^\n]*\n)+)", README, re.DOTALL
    ).groups()
    assert len([line for line in code.splitlines() if line.strip()]) <= 6
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {})
    assert [line.strip() for line in said.getvalue().splitlines()] == [
        line.strip() for line in output.splitlines()
    ]


def test_the_picture_is_what_its_script_makes():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import make_picture
    finally:
        sys.path.pop(0)
    assert make_picture.OUT.read_text("utf-8") == make_picture.picture()


def test_commands_and_paths_exist():
    named = set(re.findall(r"(?:bin/|run )blunderlab ([a-z]+)", README))
    assert named <= set(COMMANDS)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"\bmake ([a-z-]+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / link).exists(), link
    for notebook in re.findall(r"`(\d\d_[a-z_]+)`", README):
        assert (ROOT / "notebooks" / f"{notebook}.ipynb").exists(), notebook
