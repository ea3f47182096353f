"""The command line: `blunderlab report`, `decisions`, `reconcile`, `notebooks`.

Results go to stdout, everything else to stderr. Exit code 2 is an error that is named on one line.
"""

import argparse
import sys
from pathlib import Path

from blunderlab import __version__, errors
from blunderlab.atomic import replacing

__all__ = ["COMMANDS", "main"]


def main(argv=None):
    """Run one command and give its exit code."""
    arguments = _parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except errors.BlunderlabError as error:
        print(f"blunderlab: {' '.join(str(error).split())}", file=sys.stderr)
    except OSError as error:  # readers give ReadError, so this is about the output
        print(
            f"blunderlab: {error.filename}: {error.strerror}: choose another place to write",
            file=sys.stderr,
        )
    return 2


def _report(arguments):
    from blunderlab import report

    reading = report.read(arguments.paths, progress=sys.stderr.isatty())
    if not reading.failures:  # else `build` writes the page that says so, and raises
        _print_reconciliation(reading.tables)
    out = report.build(
        arguments.paths, arguments.out, progress=sys.stderr.isatty(), reading=reading
    )
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
    with replacing(out) as fresh:
        write(t.decisions, fresh)
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
    from blunderlab.measure.rules import rules_of_tool

    t = bl.read(arguments.file)
    tool = next(iter(t.matches["tool"].dropna()), None)
    rules = arguments.rules or rules_of_tool(tool)
    table = bl.reconcile.compare(t, rules, figures=arguments.figures)
    print(_text(table, t))
    return int(not table["within"].all())


def _reconcile_arguments(add):
    add("file", metavar="FILE")
    add("--figures", metavar="F.json", help='{"seat0": {"pr": 3.13, "loss": 19.85}, …}')
    add("--rules", choices=["xg", "gnubg"], help="default: those of the tool that analysed it")


def _print_reconciliation(t):
    """Print the table of every tool whose figures are in the files, and why each other match has none."""
    from blunderlab.report.equal import compared, reconciled

    comparisons = list(compared(t))
    for tool, part, table in comparisons:
        print(f"Our figures beside those of {tool}")
        print(_text(table, part, games=False), end="\n\n")
    found = reconciled(t, comparisons).merge(t.matches[["match_id", "path"]], on="match_id")
    for path, match, reason in found.loc[
        found["n"] == 0, ["path", "match_id", "reason"]
    ].itertuples(index=False):
        name = Path(path).name if isinstance(path, str) else match
        print(f"{name}: no figures to compare with: {reason.replace('`', '')}", file=sys.stderr)


def _text(table, t, games=True):
    """Lay out a comparison as plain text, with its one-line sum at the end; without games where none is off."""
    within = table["within"]
    rows = table if games else table[table["game"].isna() | ~within]
    paths = t.matches["path"].fillna(t.matches["match_id"])
    stem = {
        match: Path(path).stem for match, path in zip(t.matches["match_id"], paths, strict=True)
    }
    shown = rows[["game", "seat", "player", "name"]].copy()
    shown.insert(0, "file", rows["match_id"].map(stem).fillna(rows["match_id"]))
    count = rows["tolerance"].eq(0)
    for name in ("ours", "theirs", "difference", "tolerance"):
        shown[name] = rows[name].map("{:.0f}".format).where(count, rows[name].map("{:.6f}".format))
    shown["within"] = within.map({True: "yes", False: "NO"})
    if rows["game"].isna().all():
        shown = shown.drop(columns="game")
    lines = [shown.to_string(index=False, na_rep="")] if len(shown) else []
    off = rows[~rows["within"]]
    lines += [
        f"{stem.get(match, match)}, seat {seat}, {name}: {reason}"
        for match, seat, name, reason in zip(
            off["match_id"], off["seat"], off["name"], off["reason"], strict=True
        )
    ]
    return "\n".join([*lines, f"{int(within.sum())} of {len(within)} within tolerance"])


def _parser():
    parser = argparse.ArgumentParser(
        prog="blunderlab", description="Analysed backgammon, chess and shogi records as tables."
    )
    parser.add_argument("--version", action="version", version=f"blunderlab {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (words, arguments, run) in COMMANDS.items():
        command = commands.add_parser(name, help=words, description=words)
        arguments(command.add_argument)
        command.set_defaults(run=run)
    return parser


# name: (what it does, its arguments, what runs it and gives the exit code)
COMMANDS = {
    "report": (
        "write a first page about the matches, and the notebooks, as HTML",
        _report_arguments,
        _report,
    ),
    "decisions": ("write every decision as a row", _decisions_arguments, _decisions),
    "reconcile": ("our figures beside the tool's own", _reconcile_arguments, _reconcile),
    "notebooks": ("run copies of the notebooks", _notebooks_arguments, _notebooks),
}
