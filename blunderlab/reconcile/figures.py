"""What another program printed: its names for figures, its digits, its totals."""

import json
import re
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from blunderlab.errors import ReadError, SchemaError
from blunderlab.measure.pr import FACTOR, rates
from blunderlab.measure.rules import RULES, rule_set
from blunderlab.tables import SCHEMA, empty

__all__ = ["evaluate", "formula", "kind", "rate_columns", "theirs", "typed", "with_totals"]

# What a window calls a figure, as a formula of columns of `rates`. Other names are formulas themselves.
_WINDOW = {
    "decisions": "n_decisions",
    "checker": "n_checker",
    "unforced": "n_checker",
    "cube": "n_cube",
    "answer": "n_answer",
    "moves": "n_moves",
    "cube_total": "n_cube_total",
    "doubles": "n_double",
    "takes": "n_take",
    "passes": "n_pass",
    "errors": "n_errors",
    "blunders": "n_blunders",
    "equity": "error_total",
    "equity_checker": "error_checker",
    "equity_cube": "error_cube",
    "equity_answer": "error_answer",
    "loss": "loss_total",
    "pr_checker": f"{FACTOR}*error_checker/n_checker",
    "pr_cube": f"{FACTOR}*error_cube+error_answer/n_cube+n_answer",
}
_WINDOW_OF = {
    "gnubg": {  # its cube figures hold the answers
        "cube": "n_cube+n_answer",
        "close_cube": "n_cube+n_answer",
        "equity_cube": "error_cube+error_answer",
        "loss_cube": "loss_cube+loss_answer",
        "doubtful": "n_doubtful",
        "bad": "n_errors-n_blunders",
        "very_bad": "n_blunders",
    }
}

# Decimals that a tool shows, in the unit of `rates`. Of other figures: as many as were typed.
_SHOWN = {
    "xg": {"pr": 2, "error": 3, "loss": 4, "luck": 3, "luck_loss": 4},
    "gnubg": {"error": 6, "loss": 6, "luck": 6, "luck_loss": 6},
}
_TOOL = {"xg": "XG", "gnubg": "gnuBG", "blunderdb": "blunderDB"}
_PER_CENT = 2  # decimals between a fraction and per cent
_NOT_FIGURES = ("digits", "source")

_SUM = r"[a-z_]+(?:[+-][a-z_]+)*"
_FORMULA = re.compile(rf"(?:(?P<factor>\d+)\*)?(?P<over>{_SUM})(?:/(?P<under>{_SUM}))?")
_RATES = {"pr", "pr_low", "pr_high", "snowie"}  # columns that do not add up


def typed(figures, t, rules):
    """Turn figures typed from a window into rows of the `figures` table.

    Parameters
    ----------
    figures : dict, str or Path
        ``{"seat0": {"pr": 3.13, "decisions": 156, "loss": 19.85}, "seat1": {…}}``, or the path of a JSON file that
        holds this. Names are the window's (pr, snowie, decisions, checker or unforced, cube, answer, moves,
        cube_total, doubles, takes, passes, errors, blunders, equity, equity_checker, equity_cube, equity_answer,
        loss, loss_checker, loss_cube, loss_answer, pr_checker, pr_cube; gnuBG's cube figures hold the answers, and
        it has close_cube, doubtful, bad, very_bad), or those that `compare` takes. Equities in EMG; every loss in
        MWC per cent, as windows show it ("19.85%" says the same).

        JSON loses zeros at the end, so decimals are the tool's: XG shows PR with 2, equity with 3, loss in per
        cent with 2; gnuBG's files have 6 of EMG and of the MWC fraction. More are taken where more were typed, and
        other figures have those typed. A key "digits" among the names or beside the seats, ``{"loss": 1}``,
        overrides this, in decimals of the number as typed. A key "source" is passed over.
    t : Tables
        Of one match.
    rules : str or RuleSet
        Whose window it is.

    Returns
    -------
    DataFrame

    Raises
    ------
    SchemaError
        For a name that is not known, a value that is no number, or several matches.
    ReadError
        When the file cannot be read.

    Examples
    --------
    >>> import blunderlab as bl
    >>> t = bl.datasets.tables("aachen-double-7pt")
    >>> typed({"seat0": {"loss": 19.85}}, t, "xg")[["name", "value", "digits"]].values.tolist()
    [['loss_total', 0.1985, 4]]
    """
    rules = rule_set(rules)
    if len(t.matches) != 1:
        raise SchemaError(
            f"typed figures belong to one match, and these tables hold {len(t.matches)}"
        )
    if not isinstance(figures, dict):
        figures = _json(figures)
    seats = {
        seat: given for seat in (0, 1) if isinstance(given := figures.get(f"seat{seat}"), dict)
    }
    if not seats:
        raise SchemaError('figures need "seat0" or "seat1", as in {"seat0": {"pr": 3.13}}')
    rows = []
    for seat, given in seats.items():
        digits = _digits(figures) | _digits(given)
        for label, value in given.items():
            if label not in _NOT_FIGURES:
                rows.append((seat, *_typed_one(label, value, digits.get(label), rules)))
    frame = pd.DataFrame(rows, columns=["seat", "name", "value", "digits"])
    return _declared(
        frame.assign(match_id=t.matches["match_id"].iloc[0], tool=_TOOL.get(rules.name, rules.name))
    )


def _json(path):
    try:
        # Numbers stay text, so that the decimals typed can be told.
        found = json.loads(Path(path).read_text("utf-8"), parse_float=str, parse_int=str)
    except OSError as error:
        raise ReadError(path, "figures", None, f"{error.strerror}: check the path") from None
    except ValueError as error:
        raise ReadError(path, "figures", None, f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ReadError(path, "figures", None, 'give {"seat0": {name: value}, "seat1": …}')
    return found


def _digits(given):
    try:
        return {label: int(digits) for label, digits in given.get("digits", {}).items()}
    except (AttributeError, TypeError, ValueError):
        raise SchemaError('"digits" is a table of decimals: {"digits": {"pr": 1}}') from None


def _typed_one(label, value, digits, rules):
    """(name, value, decimals) of one typed figure, in the unit of `rates`."""
    name = {**_WINDOW, **_WINDOW_OF.get(rules.name, {})}.get(label, label)
    what = kind(name, rules)
    shift = _PER_CENT if what in ("loss", "luck_loss") else 0
    text = str(value).strip()
    try:
        number = Decimal(text.removesuffix("%").strip() if shift else text)
    except InvalidOperation:
        raise SchemaError(f"figure {label!r} is {value!r}, which is no number") from None
    if not number.is_finite():
        return name, float(number), pd.NA
    if digits is None:
        shown = max(0, -number.as_tuple().exponent) + shift
        return (
            name,
            float(number.scaleb(-shift)),
            max(shown, _SHOWN.get(rules.name, {}).get(what, 0)),
        )
    return name, float(number.scaleb(-shift)), digits + shift


def theirs(t, rules, figures):
    """Their figures, checked, in columns of `figures`; `half` is half the last printed digit, 0 where unknown."""
    if figures is None:
        figures = t.figures
        if not len(figures):
            raise SchemaError(
                "nothing to compare with: these records print no figures; type them from the program's window, "
                'as in figures={"seat0": {"pr": 3.13}}'
            )
    elif not isinstance(figures, pd.DataFrame):
        figures = typed(figures, t, rules)
    elif "match_id" not in figures and len(t.matches) == 1:
        figures = figures.assign(match_id=t.matches["match_id"].iloc[0])
    figures = _declared(figures).drop_duplicates(ignore_index=True)
    if not len(figures):
        raise SchemaError("nothing to compare with: the figures hold no row")
    lost = figures.loc[~figures["match_id"].isin(t.matches["match_id"]), "match_id"].unique()
    if len(lost):
        raise SchemaError(
            f"figures of match {', '.join(map(str, lost))}, which these tables do not hold"
        )
    for name in figures["name"].unique():
        kind(name, rules)
    half = 0.5 * 10.0 ** -figures["digits"].to_numpy(float, na_value=np.inf)
    return figures.assign(half=half).rename(columns={"value": "theirs"})


def _declared(figures):
    needed = {"match_id", "seat", "name", "value"} - set(figures.columns)
    if needed:
        raise SchemaError(f"figures have no column {', '.join(sorted(needed))}")
    dtypes = {c.name: c.pandas for c in SCHEMA["figures"]}
    try:
        return figures.reindex(columns=list(dtypes)).astype(dtypes)
    except (TypeError, ValueError) as error:
        raise SchemaError(f"figures are not what their table declares: {error}") from None


def with_totals(theirs, decisions):
    """Add sums over the games of a match, of the figures that every game played has.

    What the source prints of the match itself comes first.
    """
    games = theirs[theirs["game"].notna() & theirs["name"].map(_additive).astype(bool)]
    if not len(games):
        return theirs
    who = ["match_id", "seat", "tool", "name"]
    finite = np.isfinite(games["theirs"])
    games = games.assign(theirs=games["theirs"].where(finite, 0.0), finite=finite)
    played = decisions[["match_id", "game"]].drop_duplicates()
    wanted = played["match_id"].value_counts()
    games = games.merge(played.assign(played=1), how="left", on=["match_id", "game"])
    sums = games.groupby(who, dropna=False, sort=False, as_index=False).agg(
        theirs=("theirs", "sum"),
        half=("half", "sum"),
        finite=("finite", "all"),
        played=("played", "sum"),
    )
    whole = sums["finite"] & (sums["played"] == sums["match_id"].map(wanted).fillna(0))
    sums = sums[whole].reindex(columns=theirs.columns).astype(theirs.dtypes.to_dict())
    both = pd.concat([theirs, sums], ignore_index=True)
    return both[~both.duplicated([*who, "game"])]


def _additive(name):
    over, under, _ = formula(name)
    return under is None and not _RATES.intersection(over)


def kind(name, rules):
    """Say what a figure is: "count", "error", "loss", "luck", "luck_loss", "pr" …, or "rate" for a quotient.

    Raises
    ------
    SchemaError
        When the name is no figure.
    """
    over, under, _ = formula(name)
    known = rate_columns()
    if not {*over, *(under or ())} <= known.keys():
        names = dict.fromkeys([*_WINDOW, *_WINDOW_OF.get(rules.name, ()), *known])
        raise SchemaError(f"no figure {name!r}; known: {', '.join(names)}")
    kinds = {re.sub(r"^n_.*|_(?:checker|cube|answer|total)$", "", c) or "count" for c in over}
    return "rate" if under or len(kinds) > 1 else kinds.pop()


@cache
def rate_columns():
    """The columns of `measure.rates` under any rules, in order, with their place."""
    tables = (rates(empty("decisions"), rules, by=()) for rules in RULES)
    names = dict.fromkeys(column for table in tables for column in table)
    return {name: place for place, name in enumerate(names)}


@cache
def formula(name):
    """Take a figure's name apart: its columns with their sign, the same below the bar or None, the factor.

    Examples
    --------
    >>> formula("500*error_cube+error_answer/n_cube")
    ({'error_cube': 1, 'error_answer': 1}, {'n_cube': 1}, 500)
    """
    found = _FORMULA.fullmatch(name)
    if not found:
        raise SchemaError(
            f"no figure {name!r}: write columns of measure.rates, as a, a+b or 500*a+b/c"
        )
    over, under = (
        part and {c: -1 if sign == "-" else 1 for sign, c in re.findall(r"([+-]?)([a-z_]+)", part)}
        for part in (found["over"], found["under"])
    )
    return over, under, int(found["factor"] or 1)


def evaluate(name, table, tolerance=False):
    """Work a figure out from the columns of `rates`; NaN where it has none.

    With `tolerance` the sums in `table` are how far ours may be off: counts are exact, and a minus is none.
    """
    over, under, factor = formula(name)
    if tolerance:
        over = {column: 1 for column in over if not column.startswith("n_")}
    value = factor * _total(over, table)
    if under is None:
        return value
    divisor = _total(under, table)
    return np.divide(value, divisor, where=divisor != 0, out=np.full(len(table), np.nan))


def _total(signs, table):
    absent = np.full(len(table), np.nan)
    columns = (
        sign * table[c].to_numpy(float) if c in table else absent for c, sign in signs.items()
    )
    return sum(columns, np.zeros(len(table)))
