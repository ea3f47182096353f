"""Whether gnuBG analysed the match that was played: its rows against the record's, play by play.

gnuBG leaves a play out that it cannot make, with a warning at most, and plays what comes after it on a board that
never was. So a game is believed up to the first play that is not the record's.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from blunderlab.backgammon.notation import parse_play
from blunderlab.pricing import derive
from blunderlab.tables import Tables, empty
from blunderlab.tables.problems import Problems

__all__ = ["Written", "follow", "renamed"]

_ROLLED = ("checker", "roll")
_OF_ROLLS = ("n_moves", "luck", "luck_loss")  # figures that count rolls
_PLACE = 3  # fields of an XGID: the board, the cube and its owner
_GAME = re.compile(r"^\s*Game\s+(\d+)\s*$", re.IGNORECASE)
_LINE = re.compile(r"^\s*\d+\)")
_STEP = re.compile(r"(?:bar|\d+)(?:/(?:off|\d+)\*?)+(?:\([1-4]\))?", re.IGNORECASE)
_SCORES = re.compile(rb"^(\s*)(.*?)\s*:\s*(\d+)\s+(.*?)\s*:\s*(\d+)\s*$", re.DOTALL)
_DICE = re.compile(r"(?<!\d)([1-6])([1-6]):")


@dataclass
class Written:
    """What the record holds: a row a play and cube action, in order; columns that it does not know are missing.

    Parameters
    ----------
    rows : DataFrame
        game, roll, and of a record that can be read seat, kind, position, played, illegal; of a `.mat` moved, how
        many checkers each point gains, or None.
    games : DataFrame or None
    problems : DataFrame
        Of reading the record.
    """

    rows: pd.DataFrame
    games: pd.DataFrame | None
    problems: pd.DataFrame

    @classmethod
    def of(cls, source):
        """From the tables of one match."""
        rows = source.decisions[source.decisions["kind"] != "no_double"].sort_values(
            "decision", ignore_index=True
        )
        return cls(rows, source.games, source.problems)

    @classmethod
    def nothing(cls):
        """Where nothing is known of it."""
        return cls(pd.DataFrame({"game": [], "roll": [], "moved": []}), None, empty("problems"))

    @classmethod
    def of_mat(cls, data):
        """From the text of a `.mat`: the rolls of each game, and what moved.

        Examples
        --------
        >>> text = b" Game 1\\n A : 0   B : 0\\n  1) 31: 8/5 6/5   26: 24/22 13/7\\n      Wins 1 point"
        >>> Written.of_mat(text).rows["roll"].tolist()
        ['31', '62']
        """
        rows, game = [], 0
        for line in data.decode("latin-1").splitlines():
            if found := _GAME.match(line):
                game = int(found[1])
            elif _LINE.match(line):
                _, *parts = _DICE.split(line)
                for high, low, text in zip(parts[0::3], parts[1::3], parts[2::3], strict=True):
                    rows.append(
                        (
                            game,
                            "".join(sorted(high + low, reverse=True)),
                            _moved(" ".join(_STEP.findall(text))),
                        )
                    )
        return cls(pd.DataFrame(rows, columns=["game", "roll", "moved"]), None, empty("problems"))

    def compares(self, row, theirs):
        """Is this row of the record that row of gnuBG's? Either may be a tuple with fewer fields."""
        if row.roll != theirs.roll and isinstance(row.roll, str) | isinstance(theirs.roll, str):
            return False
        if not hasattr(row, "seat"):
            return row.moved is None or theirs.kind == "roll" or row.moved == _moved(theirs.played)
        if row.seat != theirs.seat or (row.kind in _ROLLED) != (theirs.kind in _ROLLED):
            return False
        if row.kind not in _ROLLED and row.kind != theirs.kind:
            return False
        if isinstance(row.position, str) and isinstance(theirs.position, str):
            return row.position.split(":")[:_PLACE] == theirs.position.split(":")[:_PLACE]
        return True


def _moved(play):
    """How many checkers each point gains; None where no play is written.

    Examples
    --------
    >>> _moved("24/20*/18") == _moved("24/18"), _moved("????")
    (True, None)
    """
    try:
        steps = parse_play(play)
    except ValueError:
        return None
    gain = Counter(end for _, end in steps)
    gain.subtract(start for start, _ in steps)
    return {point: n for point, n in gain.items() if n} or None


def renamed(data, names):
    """Give other names to the players of a `.mat`.

    Parameters
    ----------
    data : bytes
    names : (str, str)
        Of the left and the right column.

    Returns
    -------
    (bytes, tuple of str or None)
        The text, and the names that it had in the first game; as it was and None where they are not found.

    Examples
    --------
    >>> renamed(b" Game 1\\n A:b : 0     : 2\\n  1) 31: 8/5 6/5\\n", ("White", "Black"))
    (b' Game 1\\n White : 0     Black : 2\\n  1) 31: 8/5 6/5\\n', ('A:b', ''))
    """
    lines, had = data.split(b"\n"), None
    for i, line in enumerate(lines[1:], 1):
        if not _GAME.match(lines[i - 1].decode("latin-1")) or not (found := _SCORES.match(line)):
            continue
        had = had or tuple(map(_text, found.group(2, 4)))
        white, black = (name.encode() for name in names)
        lines[i] = b"%s%s : %s     %s : %s" % (found[1], white, found[3], black, found[5])
    return b"\n".join(lines), had


def _text(name):
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")


def follow(t, written, path, match_id, said):
    """Leave out what gnuBG has otherwise than the record, and say so.

    Parameters
    ----------
    t : Tables
        One match as gnuBG analysed it, derived, under the record's id.
    written : Written
    path, match_id : str
    said : list of str
        gnuBG's complaints.

    Returns
    -------
    Tables
    """
    problems = Problems(path, "sgf", match_id)
    for words in said:
        problems.add("engine_complains", f"gnuBG: {words}")
    theirs = t.decisions[t.decisions["kind"] != "no_double"]
    if "seat" not in written.rows:
        theirs = theirs[theirs["kind"].isin(_ROLLED)]
    keep = np.ones(len(t.decisions), bool)
    order, game = t.decisions["decision"].to_numpy(int), t.decisions["game"].to_numpy(int)
    cut, illegal = [], {}
    known = {*written.rows["game"], *game} if len(written.rows) else ()
    for number in sorted(known):
        own = list(written.rows[written.rows["game"] == number].itertuples())
        got = list(theirs[theirs["game"] == number].itertuples())
        same = 0
        for row, other in zip(own, got, strict=False):
            if not written.compares(row, other):
                break
            if getattr(row, "illegal", False) and other.kind == "roll":
                illegal[other.decision] = row.played
            same += 1
        if same < max(len(own), len(got)):
            cut.append(number)
            last = got[same - 1].decision if same else 0
            keep &= (game != number) | (order <= last)
            problems.add(
                "not_followed",
                f"gnuBG followed {same} of the {len(own)} {_things(written)} of game {number} "
                f"and has {len(got)}: from there on the game is left out",
                number,
            )
    _rules(t, written.games, problems)
    if cut:
        t = _without(t, keep, cut)
    if illegal:
        t = _illegal(t, illegal, problems)
    return replace(
        t,
        problems=_problems(
            t.problems, written.problems, problems.frame(), path, t.decisions["decision"]
        ),
    )


def _things(written):
    return "plays and cube actions" if "seat" in written.rows else "rolls"


def _rules(t, games, problems):
    """A game that gnuBG took for another than the record does: .mat cannot say that there is no Crawford rule."""
    if games is None or not len(t.decisions) or t.matches["length"].isna().all():
        return
    first = t.decisions.drop_duplicates("game").set_index("game")["crawford"]
    for game in games.itertuples():
        there = first.get(game.game)
        if isinstance(there, str) and isinstance(game.crawford, str) and there != game.crawford:
            problems.add(
                "bad_rules", f"Crawford: the record says {game.crawford} of this game, gnuBG analysed it as {there}", game.game
            )  # fmt: skip


def _without(t, keep, cut):
    """The tables without some decisions, and without gnuBG's figures of the games that lost any."""
    decisions = t.decisions[keep].reset_index(drop=True)
    options = t.options[t.options["decision"].isin(decisions["decision"])].reset_index(drop=True)
    figures = t.figures[~t.figures["game"].isin(cut)].reset_index(drop=True)
    return replace(t, decisions=decisions, options=options, figures=figures)


def _illegal(t, played, problems):
    """Call an illegal play by its name: gnuBG has it as a roll, and the board after it as set up by hand.

    That roll is in none of gnuBG's figures of the game, so those that ours would not equal are left out.
    """
    d = t.decisions
    rows = d["decision"].isin(list(played)).to_numpy(bool)
    d = d.assign(
        kind=d["kind"].mask(rows, "checker"),
        played=d["played"].mask(rows, d["decision"].map(played)).astype(d["played"].dtype),
        illegal=d["illegal"] | rows,
    )
    gone = pd.Series(False, t.figures.index)
    for row in d[rows].itertuples():
        problems.add(
            "illegal_play",
            f"{row.played} breaks the rules: it is unscored, and gnuBG's figures of moves and luck of this game, "
            "which know nothing of it, are left out",
            row.game,
            row.decision,
        )
        gone |= (
            (t.figures["game"] == row.game)
            & (t.figures["seat"] == row.seat)
            & t.figures["name"].isin(_OF_ROLLS)
        )
    return derive(replace(t, decisions=d, figures=t.figures[~gone].reset_index(drop=True)))


def _problems(of_analysis, of_record, new, path, decisions):
    """All that is wrong, in one table; places in gnuBG's file mean nothing to its reader, nor do the record's numbers."""
    there = of_analysis["decision"].isna() | of_analysis["decision"].isin(decisions)
    of_analysis = of_analysis[there]
    parts = [
        of_record.assign(decision=pd.array([pd.NA] * len(of_record), "Int16")),
        of_analysis.assign(path=path, offset=pd.array([pd.NA] * len(of_analysis), "Int64")).astype({"path": new["path"].dtype}),
        new,
    ]  # fmt: skip
    parts = [part for part in parts if len(part)]
    return pd.concat(parts, ignore_index=True) if parts else Tables.build().problems
