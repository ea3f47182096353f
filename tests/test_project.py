"""The files around the package: they name the same things and hold what they must."""

import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

import blunderlab

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def _environment():
    """The requirements that environment.yml lists, its own Python and pip aside."""
    lines = (ROOT / "environment.yml").read_text("utf-8").partition("dependencies:")[2].splitlines()
    items = [line.strip().removeprefix("- ") for line in lines if line.strip()]
    return {i for i in items if i not in ("pip", "pip:", "--editable .", "python>=3.11")}


def test_environment_names_what_pyproject_names():
    assert _environment() == {*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]}


def test_no_dependency_is_capped():
    required = [*PROJECT["dependencies"], *sum(PROJECT["optional-dependencies"].values(), [])]
    assert not [r for r in required if "<" in r or "==" in r or "~=" in r]


def test_version_is_the_same_in_the_package():
    assert PROJECT["version"] == blunderlab.__version__


def test_at_most_ten_sanitize_patterns_and_none_touches_a_result():
    text = (ROOT / "tests" / "nbval_sanitize.cfg").read_text("utf-8")
    patterns = re.findall(r"^regex: (.+)$", text, re.MULTILINE)
    assert 0 < len(patterns) <= 10
    results = [
        "3.13",
        "-0.0412",
        "1e-05",
        "156",
        "20.4 %",
        "13/11 6/5*",
        "0.976 2024-05-01",
        "0x1f",
    ]
    assert not [(p, r) for p in patterns for r in results if re.search(p, r)]


def test_no_notebook_hides_an_output_from_the_comparison():
    texts = {p.name: p.read_text("utf-8") for p in (ROOT / "notebooks").glob("*.ipynb")}
    excused = re.compile(
        r"NBVAL_(?:IGNORE_OUTPUT|SKIP)|nbval-(?:ignore-output|skip)", re.IGNORECASE
    )
    assert not [name for name, text in texts.items() if excused.search(text)]


def test_wheel_holds_package_notebooks_and_data(tmp_path):
    builder = pytest.importorskip("hatchling.builders.wheel")
    (wheel,) = builder.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {
        f"blunderlab/_{folder}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder in ("notebooks", "datasets")
        for path in _tracked(folder)
    }
    assert {"blunderlab/cli.py", "blunderlab/report/report.css"} | shipped <= names
    assert not [n for n in names if n.startswith("tests/") or "__pycache__" in n]


def _tracked(folder):
    """Files of a folder that belong to the project; all of them outside a git checkout."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0:
        return [p for name in listed.stdout.split("\0") if name and (p := ROOT / name).exists()]
    return [p for p in (ROOT / folder).rglob("*") if p.is_file()]


@pytest.mark.parametrize("name", ["Makefile", ".ci/run", "README.md", "LICENSE"])
def test_files_a_checkout_needs(name):
    if not (ROOT / ".git").exists() and name == ".ci/run":
        pytest.skip("not a checkout")
    assert (ROOT / name).stat().st_size > 0


def test_help_names_every_make_target():
    text = (ROOT / "Makefile").read_text("utf-8")
    targets = re.search(r"^\.PHONY: (.+)$", text, re.MULTILINE)[1].split()
    described = re.findall(r"^([a-z-]+): .*## ", text, re.MULTILINE)
    assert sorted(described) == sorted(targets)


def test_ci_runs_what_make_test_runs_and_fails_with_it():
    text = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "set -euo pipefail" in text
    assert text.rstrip().splitlines()[-1].startswith("make --no-print-directory test ")
