"""The six tables of a record as one value: put together, checked, saved and loaded.

What their columns are is declared in `schema`.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from blunderlab.errors import ReadError, SchemaError
from blunderlab.tables.schema import KEYS, SCHEMA, empty

__all__ = ["Tables", "is_saved"]


@dataclass(frozen=True, repr=False, eq=False)
class Tables:
    """Six plain DataFrames that belong together.

    Every table has every declared column with its dtype, even with no rows; missing is NA, never 0.
    Keys (`match_id`, `game`, `decision`) join them. See `blunderlab.tables.describe`.
    """

    decisions: pd.DataFrame
    options: pd.DataFrame
    games: pd.DataFrame
    matches: pd.DataFrame
    figures: pd.DataFrame
    problems: pd.DataFrame

    @classmethod
    def build(cls, **given):
        """Make Tables from the given frames; the others are empty."""
        return cls(**{name: given[name] if name in given else empty(name) for name in SCHEMA})

    @classmethod
    def concat(cls, many):
        """Put several Tables one after the other, in the order given.

        Examples
        --------
        >>> len(Tables.concat([]).decisions)
        0
        """
        many = list(many)
        if len(many) == 1:
            return many[0]
        joined = {}
        for name in SCHEMA:
            parts = [part for t in many if len(part := getattr(t, name))]
            joined[name] = pd.concat(parts, ignore_index=True) if parts else empty(name)
        return cls(**joined)

    def validate(self):
        """Check names, order, dtypes and ranges of every column.

        Returns
        -------
        Tables
            Itself, so that a reader can end with it.

        Raises
        ------
        SchemaError
            Naming every column that is off.
        """
        faults = [fault for name in SCHEMA for fault in _faults(name, getattr(self, name))]
        faults += [
            f"{name}: {int(twice.sum())} rows repeat a key"
            for name, key in KEYS.items()
            if not faults and (twice := getattr(self, name).duplicated(key)).any()
        ]
        if faults:
            raise SchemaError("; ".join(faults))
        return self

    def save(self, folder):
        """Write the six tables as Parquet files into a folder, all or nothing.

        An existing folder of saved Tables and nothing else is replaced; any other is refused.

        Raises
        ------
        SchemaError
            When there is something else in that place.
        """
        folder = Path(folder).resolve()
        if folder.exists():
            strange = (
                [folder] if not folder.is_dir() else {p.name for p in folder.iterdir()} - _FILES
            )
            if strange or folder == Path.cwd():
                raise SchemaError(f"{folder} holds something else: choose a new folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            for name in SCHEMA:
                getattr(self, name).to_parquet(fresh / f"{name}.parquet", index=False)
            fresh.chmod(0o755)
            if folder.exists():
                old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
                os.replace(folder, old / "old")
                os.replace(fresh, folder)
                shutil.rmtree(old)
            else:
                os.replace(fresh, folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    @classmethod
    def load(cls, folder):
        """Read Tables that `save` wrote.

        Raises
        ------
        ReadError
            When the folder holds no saved Tables, or one of them is not what it should be.
        """
        folder = Path(folder)
        if not is_saved(folder):
            raise ReadError(
                folder,
                "saved tables",
                None,
                f"it does not hold {', '.join(sorted(_FILES))}: give a folder of save()",
            )
        loaded = {}
        for name, declared in SCHEMA.items():
            path = folder / f"{name}.parquet"
            try:
                loaded[name] = _declared(pq.read_table(path).to_pandas(), declared)
            except _DAMAGED as error:
                raise ReadError(
                    path, "parquet", None, f"damaged or not of save(): {error}"
                ) from error
        try:
            return cls(**loaded).validate()
        except SchemaError as error:
            raise ReadError(folder, "saved tables", None, str(error)) from error

    def __repr__(self):
        rows = ", ".join(f"{len(getattr(self, f.name)):,} {f.name}" for f in fields(self))
        return f"<Tables: {rows}>"


_FILES = {f"{name}.parquet" for name in SCHEMA}
# What pyarrow and pandas raise for damaged bytes and wrong types (pyarrow's own classes derive from some of these).
_DAMAGED = (OSError, ValueError, TypeError, KeyError, NotImplementedError, pa.ArrowException)


def is_saved(folder):
    """Whether a folder holds what `Tables.save` writes."""
    return all((folder / name).is_file() for name in _FILES)


def _declared(table, declared):
    """The declared columns with their dtypes; a value that they cannot hold is an error, never NA."""
    absent = [c.name for c in declared if c.name not in table]
    if absent:
        raise ValueError(f"no column {', '.join(absent)}")
    for c in declared:
        if isinstance(c.dtype, tuple) and not table[c.name].dropna().isin(c.dtype).all():
            raise ValueError(f"column {c.name} holds words that it cannot have")
        if c.dtype == "bool" and table[c.name].dtype != bool:
            raise ValueError(f"column {c.name} is no flag")
    return table[[c.name for c in declared]].astype({c.name: c.pandas for c in declared})


def _faults(name, table):
    declared = SCHEMA[name]
    names = [c.name for c in declared]
    if list(table.columns) != names:
        off = set(table.columns) ^ set(names)
        yield f"{name}: columns differ: {sorted(off) or 'their order'}"
        return
    for column in declared:
        values = table[column.name]
        if values.dtype != column.pandas:
            yield f"{name}.{column.name} is {values.dtype}, not {column.pandas}"
            continue
        if column.low is not None and (values < column.low).fillna(False).any():
            yield f"{name}.{column.name} has values below {column.low}"
        if column.high is not None and (values > column.high).fillna(False).any():
            yield f"{name}.{column.name} has values above {column.high}"
