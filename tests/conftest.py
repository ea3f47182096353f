"""What every test may ask for: records of other people, engines, a browser."""

import os
import shutil
from pathlib import Path

import pytest

# Debian puts games where a daemon's PATH does not look.
os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])


@pytest.fixture(scope="session")
def reference():
    """Give the path of a reference record, or skip the test by that name.

    The records are other people's and not in the repository: BLUNDERLAB_DATA says where they are.
    """

    def find(name):
        root = os.environ.get("BLUNDERLAB_DATA")
        if not root:
            pytest.skip("BLUNDERLAB_DATA is not set")
        path = Path(root, name)
        if not path.exists():
            pytest.skip(f"no {name} in BLUNDERLAB_DATA")
        return path

    return find


@pytest.fixture(scope="session")
def browser():
    """Give the path of Chromium (the marker `browser` has skipped the test where there is none)."""
    return _browser()


def pytest_runtest_setup(item):
    for marker in item.iter_markers("engine"):
        for name in marker.args:
            if not shutil.which(name):
                pytest.skip(f"engine {name} is not installed")
    if item.get_closest_marker("browser") and not _browser():
        pytest.skip("Chromium is not installed")


def _browser():
    return shutil.which("chromium") or shutil.which("chromium-browser")
