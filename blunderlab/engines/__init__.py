"""Programs that analyse: records without analysis go in, Tables with options come out."""

from importlib import import_module

__all__ = ["gnubg"]


def __getattr__(name):
    if name in __all__:
        return import_module(f"blunderlab.engines.{name}")
    raise AttributeError(f"module 'blunderlab.engines' has no attribute {name!r}")
