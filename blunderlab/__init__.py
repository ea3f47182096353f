"""Your own play as tables: every decision of backgammon, chess and shogi is one row.

>>> import blunderlab as bl
>>> bl.measure.difficulty([0, 0.032]).round(7)
np.float64(0.0069616)

Parts load when they are first used, so `import blunderlab` is quick.
"""

from importlib import import_module

from blunderlab.errors import BlunderlabError, EngineError, FitError, ReadError, SchemaError

__version__ = "0.1.0"

_FUNCTIONS = {
    "read": "blunderlab.readers.choose",
    "read_many": "blunderlab.readers.many",
    "derive": "blunderlab.pricing",
    "Tables": "blunderlab.tables",
}
_MODULES = (
    "backgammon",
    "boards",
    "datasets",
    "engines",
    "measure",
    "met",
    "plots",
    "reconcile",
    "study",
    "tables",
)

__all__ = ["BlunderlabError", "EngineError", "FitError", "ReadError", "SchemaError",
           "__version__", *_FUNCTIONS, *_MODULES]  # fmt: skip


def __getattr__(name):
    if name in _FUNCTIONS:
        value = getattr(import_module(_FUNCTIONS[name]), name)
    elif name in _MODULES:
        value = import_module(f"blunderlab.{name}")
    else:
        raise AttributeError(f"module 'blunderlab' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
