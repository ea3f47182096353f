"""The command line: `blunderlab report`, `decisions`, `reconcile`, `notebooks`.

Results go to stdout, everything else to stderr. Exit code 2 is an error that is named on one line.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from blunderlab import errors

__all__ = ["COMMANDS", "main"]


def main(argv=None):
    """Run one command and give its exit code."""
    arguments = _parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except (errors.BlunderlabError, OSError) as error:
        print(f"blunderlab: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def _report(arguments):
    from blunderlab import report

    _print_reconciliation(arguments.paths)
    out = report.build(arguments.paths, arguments.out, progress=sys.stderr.isatty())
    print(out / "index.html")


def _report_arguments(add):
    add(
        "paths", nargs="*", metavar="PATH", help="files, folders, globs (default: the shipped data)"
    )
    add("--out", default="report", metavar="DIR", help="folder for the pages (default: report)")


def _notebooks(arguments):
    from blunderlab import report

    written = report.write_notebooks(
        arguments.files, arguments.out, arguments.names, progress=sys.stderr.isatty()
    )
    print(*written, sep="\n")


def _notebooks_arguments(add):
    add("names", nargs="*", metavar="NAME", help="03_luck, 03 or luck (default: all)")
    add("--out", required=True, metavar="DIR", help="folder for the executed copies")
    add("--files", nargs="+", default=[], metavar="PATH", help="run them on these files")


def _decisions(arguments):
    import blunderlab as bl

    out = Path(arguments.out)
    write = _WRITERS.get(out.suffix.lower())
    if write is None:
        raise errors.BlunderlabError(f"{out}: give a name that ends in {' or '.join(_WRITERS)}")
    t = bl.read_many(arguments.paths, strict=arguments.strict, progress=sys.stderr.isatty())
    for line in t.problems["path"] + ": " + t.problems["message"]:
        print(line, file=sys.stderr)
    if not len(t.matches):
        raise errors.BlunderlabError(f"no match in {' '.join(arguments.paths)}")
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = out.with_name(f".{os.getpid()}-{out.name}")
    try:
        write(t.decisions, fresh)
        os.replace(fresh, out)
    finally:
        fresh.unlink(missing_ok=True)
    print(f"{len(t.decisions)} decisions of {len(t.matches)} matches: {out}", file=sys.stderr)


def _decisions_arguments(add):
    add("paths", nargs="+", metavar="PATH", help="files, folders, globs")
    add("-o", "--out", required=True, metavar="OUT", help="a .parquet or .csv file")
    add("--strict", action="store_true", help="stop at the first thing that cannot be read")


_WRITERS = {
    ".parquet": lambda frame, path: frame.to_parquet(path, index=False),
    ".csv": lambda frame, path: frame.to_csv(path, index=False),
}


def _reconcile(arguments):
    import blunderlab as bl

    t = bl.read(arguments.file)
    figures = arguments.figures and _typed(arguments.figures, t)
    table = bl.reconcile.compare(t, arguments.rules or _rules(t.matches["tool"]), figures=figures)
    print(_text(table))
    return int(not table["within"].all())


def _reconcile_arguments(add):
    add("file", metavar="FILE")
    add("--figures", metavar="F.json", help='{"seat0": {"pr": 3.13, "loss_total": "19.85%%"}, …}')
    add("--rules", choices=["xg", "gnubg"], help="default: those of the tool that analysed it")


def _print_reconciliation(paths):
    """Print the table of every tool whose figures are in the files; say so where none are."""
    import blunderlab as bl

    t = bl.read_many(paths) if paths else _shipped()
    printed = False
    for tool, figures in t.figures.groupby("tool"):
        keep = set(figures["match_id"])
        part = bl.Tables(**{name: f[f["match_id"].isin(keep)] for name, f in vars(t).items()})
        print(f"Our figures beside those of {tool}")
        print(_text(bl.reconcile.compare(part, _rules([tool]))), end="\n\n")
        printed = True
    if not printed:
        print("no figures to reconcile: these files print none", file=sys.stderr)


def _shipped():
    """Read the shipped data: folders of saved Tables, and records beside them."""
    import blunderlab as bl
    from blunderlab import report

    root = report.shipped("datasets")
    saved = sorted({path.parent for path in root.rglob("matches.parquet")})
    inside = set(saved)
    records = [
        path
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and not inside.intersection(path.parents)
        and path.suffix not in (".py", ".md", ".pyc", ".parquet", ".json", ".csv")
    ]
    tables = [bl.Tables.load(folder) for folder in saved]
    return bl.Tables.concat([*tables, bl.read_many(records)] if records else tables)


def _typed(path, t):
    """Read figures typed by hand: {"seat0": {name: value}, "seat1": …}, names as in rates.

    Digits are those of the text; "19.85%" is 0.1985.
    """
    import pandas as pd

    from blunderlab import tables

    # Numbers stay text here: how many digits were typed is their precision.
    try:
        given = json.loads(Path(path).read_text("utf-8"), parse_float=str, parse_int=str)
        rows = [
            {"seat": seat, "name": name, **_number(str(value))}
            for seat in (0, 1)
            for name, value in given.get(f"seat{seat}", {}).items()
        ]
    except (ValueError, AttributeError) as error:
        raise errors.ReadError(path, "figures", None, str(error)) from None
    if not rows:
        raise errors.ReadError(path, "figures", None, 'nothing under "seat0" or "seat1"')
    given = {"match_id": t.matches["match_id"].iloc[0], "tool": t.matches["tool"].iloc[0]}
    frame = pd.DataFrame(rows).assign(game=pd.NA, **given)
    dtypes = {c.name: c.pandas for c in tables.SCHEMA["figures"]}
    return frame[list(dtypes)].astype(dtypes)


def _number(text):
    """Give value and digits of a number as typed."""
    per_cent = text.endswith("%")
    plain = text.removesuffix("%")
    digits = len(plain.partition(".")[2])
    return {
        "value": float(plain) / (100 if per_cent else 1),
        "digits": digits + 2 * per_cent,
    }


def _rules(tools):
    """Name the rule set of a tool."""
    xg = any(str(tool).lower().startswith(("xg", "extreme")) for tool in tools)
    return "xg" if xg else "gnubg"


def _text(table):
    """Lay out a comparison as plain text, with its one-line sum at the end."""
    within = table["within"]
    shown = table.to_string(index=False, na_rep="", float_format="{:.6g}".format)
    return f"{shown}\n{int(within.sum())} of {len(within)} within tolerance"


def _parser():
    parser = argparse.ArgumentParser(
        prog="blunderlab", description="Analysed backgammon, chess and shogi records as tables."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (words, arguments, run) in COMMANDS.items():
        command = commands.add_parser(name, help=words, description=words)
        arguments(command.add_argument)
        command.set_defaults(run=run)
    return parser


# name: (what it does, its arguments, what runs it and gives the exit code)
COMMANDS = {
    "report": ("run the notebooks and write them as HTML", _report_arguments, _report),
    "decisions": ("write every decision as a row", _decisions_arguments, _decisions),
    "reconcile": ("our figures beside the tool's own", _reconcile_arguments, _reconcile),
    "notebooks": ("run copies of the notebooks", _notebooks_arguments, _notebooks),
}
