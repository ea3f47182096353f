"""Arrays in, pandas columns out: the few constructions that every reader needs, each built once.

pandas keeps `str` columns in Arrow buffers. Going through Python strings costs a microsecond a value, so texts
are laid out as a zero-padded byte matrix and handed over as two buffers.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["STR", "Whole", "bare", "category", "digits", "equals", "flags", "floats", "integers", "missing", "pick", "repeat", "stack_bytes", "take_text",
           "text", "text_from_bytes", "within", "words"]  # fmt: skip

STR = pd.StringDtype("pyarrow", na_value=np.nan)


def text_from_bytes(matrix, missing=None):
    """Turn a zero-padded matrix of UTF-8 bytes into a `str` column.

    Parameters
    ----------
    matrix : ndarray of uint8, shape (n, width)
        One text a row; zero bytes are dropped wherever they stand.
    missing : ndarray of bool, shape (n,), optional
        Rows that are NA.

    Returns
    -------
    pandas.arrays.ArrowStringArray, length n

    Examples
    --------
    >>> list(text_from_bytes(np.array([[51, 49, 0], [54, 0, 54]], "u1")))
    ['31', '66']
    """
    used = matrix != 0
    offsets = np.zeros(len(matrix) + 1, np.int64)
    # As a product with ones: numpy adds up short rows slowly.
    np.cumsum(used.astype(np.float32) @ np.ones(used.shape[1], np.float32), out=offsets[1:])
    validity, holes = None, 0
    if missing is not None and (holes := int(missing.sum())):
        validity = pa.py_buffer(np.packbits(~missing, bitorder="little"))
    array = pa.LargeStringArray.from_buffers(
        len(matrix), pa.py_buffer(offsets), pa.py_buffer(matrix[used]), validity, holes
    )
    return pd.arrays.ArrowStringArray(pa.chunked_array([array]), dtype=STR)


def equals(column, text):
    """Mask of the rows of a `str` column that are this text; False where they are NA."""
    found = pc.equal(bare(column)._pa_array, pa.scalar(text, pa.large_string()))
    return found.fill_null(False).to_numpy()


def text(values):
    """Make a `str` column from Python strings (None is NA)."""
    return pd.arrays.ArrowStringArray(
        pa.chunked_array([pa.array(values, pa.large_string())]), dtype=STR
    )


def repeat(value, n):
    """Make a `str` column of one value, n times.

    Examples
    --------
    >>> list(repeat("ab", 2))
    ['ab', 'ab']
    """
    if value is None:
        return missing("str", n)
    one = pa.scalar(value, pa.large_string())
    return pd.arrays.ArrowStringArray(pa.chunked_array([pa.repeat(one, n)]), dtype=STR)


def take_text(values, codes):
    """Make a `str` column by looking codes up in a short list of texts (code -1 is NA)."""
    codes = pa.array(codes, mask=np.asarray(codes) < 0)
    return pd.arrays.ArrowStringArray(
        pa.chunked_array([pa.array(values, pa.large_string()).take(codes)]), dtype=STR
    )


def bare(column):
    """The array under a Series or a column: numpy's own where it is one."""
    values = getattr(column, "array", column)
    return values.to_numpy() if isinstance(values, pd.arrays.NumpyExtensionArray) else values


def floats(column):
    """Numbers as float64, NaN where they are missing."""
    values = bare(column)
    if isinstance(values, np.ndarray):
        return values.astype(np.float64, copy=False)
    return values.to_numpy(np.float64, na_value=np.nan)


class Whole:
    """Whole numbers on their way into a table, which narrows them to what is declared (`within`).

    Attributes
    ----------
    numbers : ndarray of int64, shape (n,)
    missing : ndarray of bool, shape (n,), or None
        Rows that are NA, whatever their number; None: no row is.
    """

    __slots__ = ("missing", "numbers")

    def __init__(self, numbers, missing=None):
        self.numbers, self.missing = numbers, missing

    def __len__(self):
        return len(self.numbers)

    def isna(self):
        """Mask of the missing rows."""
        return np.zeros(len(self), bool) if self.missing is None else self.missing

    def to_numpy(self, dtype, na_value=None):
        """The numbers in a dtype that holds them, as of an IntegerArray."""
        out = self.numbers.astype(dtype)
        if self.missing is not None:
            out[self.missing] = na_value
        return out


def integers(values, missing=None):
    """Make a nullable column of whole numbers.

    Parameters
    ----------
    values : array_like of int, shape (n,)
        Numbers beyond 64 bits become the largest, or least, of those: no column holds them either.
    missing : ndarray of bool, shape (n,), optional

    Returns
    -------
    Whole
    """
    try:
        values = np.asarray(values, np.int64)
    except OverflowError:
        values = np.array([min(max(v, _WIDE.min), _WIDE.max) for v in values], np.int64)
    return Whole(values, missing)


_WIDE = np.iinfo(np.int64)


def within(values, low, high, dtype):
    """Blank what lies outside a range, and give whole numbers their dtype.

    Parameters
    ----------
    values : ndarray of float64, Whole or IntegerArray, length n
    low, high : float
        Both allowed; for whole numbers the dtype must hold them.
    dtype : str
        "float64", or as in "Int16".

    Returns
    -------
    values : array of that dtype
        NA where it was outside.
    outside : ndarray of bool, shape (n,), or None
        None where all lie within.

    Examples
    --------
    >>> within(integers([3, 40000]), 1, 32767, "Int16")[0]
    <IntegerArray>
    [3, <NA>]
    Length: 2, dtype: Int16
    """
    if dtype == "float64":
        outside = values < low if low > -np.inf else np.zeros(len(values), bool)
        if high < np.inf:
            outside |= values > high
        return (np.where(outside, np.nan, values), outside) if outside.any() else (values, None)
    if isinstance(values, pd.arrays.IntegerArray):
        values = Whole(values.to_numpy(np.int64, na_value=0), values.isna())
    absent, numbers = values.isna(), values.numbers
    outside = None
    if len(numbers) and (numbers.min() < low or numbers.max() > high):
        off = ((numbers < low) | (numbers > high)) & ~absent
        numbers = np.where(off | absent, 0, numbers)
        if off.any():
            outside, absent = off, absent | off
    return pd.arrays.IntegerArray(numbers.astype(dtype.lower()), absent), outside


def category(codes, dtype):
    """Make a fixed categorical from its codes (-1 is NA)."""
    return pd.Categorical.from_codes(codes, dtype=dtype, validate=False)


def missing(dtype, n):
    """Make n missing values of a declared dtype; plain bool has none and gives False."""
    if isinstance(dtype, pd.CategoricalDtype):
        return category(np.full(n, -1, np.int8), dtype)
    if dtype == "str":
        return pd.arrays.ArrowStringArray(
            pa.chunked_array([pa.nulls(n, pa.large_string())]), dtype=STR
        )
    if dtype == "bool":
        return np.zeros(n, bool)
    if dtype == "boolean":
        return pd.arrays.BooleanArray(np.zeros(n, bool), np.ones(n, bool))
    if dtype == "float64":
        return np.full(n, np.nan)
    return pd.arrays.IntegerArray(np.zeros(n, dtype.lower()), np.ones(n, bool))


def digits(values, width):
    """Write whole numbers 0 … 10^width − 1 as ASCII rows, zero bytes before the first digit.

    Examples
    --------
    >>> list(text_from_bytes(digits(np.array([7, 120]), 3)))
    ['7', '120']
    """
    values = np.asarray(values, np.int64)
    places = 10 ** np.arange(width - 1, -1, -1)
    ascii_ = (values[:, None] // places % 10 + ord("0")).astype("u1")
    ascii_[(values[:, None] < places) & (places > 1)] = 0
    return ascii_


def words(*texts):
    """Lay a few ASCII words out as zero-padded rows, to be looked up by number."""
    width = max(map(len, texts))
    return np.frombuffer(
        b"".join(t.encode("ascii").ljust(width, b"\0") for t in texts), "u1"
    ).reshape(len(texts), width)


def stack_bytes(matrices):
    """Put byte matrices of different widths one under the other."""
    width = max(m.shape[1] for m in matrices)
    out = np.zeros((sum(map(len, matrices)), width), "u1")
    at = 0
    for m in matrices:
        out[at : at + len(m), : m.shape[1]] = m
        at += len(m)
    return out


def flags(values, missing=None):
    """Make a nullable boolean column."""
    values = np.asarray(values, bool)
    return pd.arrays.BooleanArray(
        values, np.zeros(len(values), bool) if missing is None else missing
    )


def pick(column, at, known):
    """Make a `str` column from another's entries; rows that are not known are NA."""
    if not len(column):
        return missing("str", len(at))
    chosen = pa.array(np.where(known, at, -1), mask=~known)
    return pd.arrays.ArrowStringArray(column._pa_array.take(chosen), dtype=STR)
