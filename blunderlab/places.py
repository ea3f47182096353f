"""Where the files stand that come with the package."""

from pathlib import Path

__all__ = ["shipped"]


def shipped(folder):
    """Give the folder "notebooks" or "datasets": in the package when installed, else beside it."""
    package = Path(__file__).resolve().parent
    inside = package / f"_{folder}"
    return inside if inside.is_dir() else package.parent / folder
