"""The lines of a transcription: who, for how much, and game by game what stands in the two columns.

    ; [Event "a header that programs of today write"]
    7 point match

     Game 1
     Ann : 0                          Bob : 0
      1) 31: 8/5 6/5                  42: 8/4 6/4
      2)  Doubles => 2                 Drops
          Wins 1 point

Nothing is known of backgammon here: a cell becomes an `Item`, whose column says whose it is.
"""

import codecs
import re
from dataclasses import dataclass, field

from blunderlab.errors import ReadError

__all__ = ["Game", "Item", "Transcript", "looks_like", "transcript"]

_CHARSETS = ("utf-8", "cp1252", "latin-1")
_END_OF_FILE = b"\0\x1a"  # that old editors leave
_COMMENT = (";", "#", "[")
_HEADER = re.compile(r'[;#\s]*\[\s*([^"\[\]]{1,40}?)\s+"(.*)"\s*\]')
_SET_POSITION = re.compile(r"; Set Pos=([-A-Oa-o]{26})/(-?\d)")
_LENGTH = re.compile(
    r"[ \t]*(?:(-?\d{1,9})[ -]points?[ ]match|match[ ]of[ ](\d{1,9})[ ]points?)\b", re.IGNORECASE
)
_LENGTH_LINE = re.compile(
    rb"(?mi)^(?:\xef\xbb\xbf)?[ \t]*(?:-?\d{1,9}[ -]points?[ ]match|match[ ]of[ ]\d{1,9}[ ]points?)\b"
)
_GAME = re.compile(r"[ \t]*Game[ \t]+(\d{1,9})\b", re.IGNORECASE)
_GAME_LINE = re.compile(rb"(?mi)^[ \t]*Game[ \t]+\d")
_SCORE = re.compile(r":\s*(\d{1,9})(?!\S)")
_NUMBER = re.compile(r"\s*\d+\)")

# Where a cell begins: two dice, a word, or the question marks of a roll whose dice nobody wrote down.
_START = re.compile(
    r"""(?<![\d:/]) (?P<dice>[0-6][0-6]) : (?:\s{0,40}illegal\ play\s?\(.{0,400}?;\s{0,40}\) | \s{0,6}\?{2,4}(?!\?))?
      | (?<![\w/]) (?P<word> (?:re)?doubles? | takes? | accepts? | drops? | pass(?:es)? | rejects? | beavers? | raccoons?
                   | wins? | loss(?:es)? | los(?:es|t) | resign(?:s|ed)? | concedes? | forfeits? ) (?!\w)
      | (?P<unknown>(?<!\?)\?{2,4}(?!\?))""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
# Most lines hold plays alone, and no word that begins another cell is within these letters.
_ROLLS = re.compile(
    r"""[ ]* (?<![\d:/]) ([0-6][0-6]) : ([0-9/*()\ barof]* | [ ]?cannot\ move[ ]*)
        (?: (?<![\d:/]) ([0-6][0-6]) : ([0-9/*()\ barof]* | [ ]?cannot\ move[ ]*) )?""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
_KINDS = {
    "dou": "double", "red": "double", "tak": "take", "acc": "take", "dro": "pass", "pas": "pass", "rej": "pass",
    "bea": "beaver", "rac": "raccoon", "win": "wins", "los": "losses", "res": "resigns", "con": "resigns",
    "for": "forfeits",
}  # fmt: skip
# A cell that says all that it can say; a file that ends within a line must end with one of these.
_WHOLE = {
    "double": re.compile(r"\w+\s*(?:=>|to)\s*\d+"),
    "beaver": re.compile(r"\w+(?:\s*(?:=>|to)\s*\d+)?"),
    "raccoon": re.compile(r"\w+(?:\s*(?:=>|to)\s*\d+)?"),
    "wins": re.compile(r"\w+\s+\d+\s+points?(?:\s+and\s+the\s+match)?", re.IGNORECASE),
    "losses": re.compile(r"\w+\s+\d+\s+points?(?:\s+and\s+the\s+match)?", re.IGNORECASE),
    "resigns": re.compile(r"\w+(?:\s+(?:game|match))?", re.IGNORECASE),
    "time": re.compile(r"\w+\s+on\s+time", re.IGNORECASE),
}
_NUMBER_IN = re.compile(r"\d+")
_ANY = re.compile(r"\w+|\?+")
_NARROW = 20  # the right column never begins before it
_LONGEST_LINE = 4096  # ten times what the longest cells fill


@dataclass(slots=True)
class Item:
    """One cell: what is said, by whom."""

    kind: str  # roll, double, take, pass, beaver, raccoon, wins, losses, resigns, forfeits, time, unplayed
    offset: int  # byte of its line
    column: int
    text: str  # a roll's play; else the cell
    dice: str = ""
    value: int | None = None  # the number in the cell
    seat: int = 0
    torn: bool = False  # the file ends right after it, without an end of line


@dataclass(slots=True)
class Game:
    """One game as written, the left column first."""

    number: int  # that the file gives it
    offset: int
    names: tuple | None = None
    scores: tuple | None = None
    right: int = _NARROW  # where the right column begins, as the line of scores has it
    items: list = field(default_factory=list)
    second: list = field(default_factory=list)  # columns at which the second cell of a line begins
    position: tuple | None = None  # XG's "Set Pos": 26 letters and the cube
    left: int = 0  # seat of the left column


@dataclass(slots=True)
class Transcript:
    """The match as written; `length` 0 is money."""

    headers: dict
    length: int
    games: list
    size: int  # bytes


def looks_like(data):
    """Tell whether these bytes are a transcription: somewhere a match length, somewhere a game.

    Examples
    --------
    >>> looks_like(b"; [Site]\\n 7 point match\\n\\n Game 1\\n"), looks_like(b"a 7 point match\\n")
    (True, False)
    """
    return bool(_LENGTH_LINE.search(data) and _GAME_LINE.search(data))


def transcript(data, path, problems):
    """Read the lines of a transcription.

    Parameters
    ----------
    data : bytes
        UTF-8, or line by line Windows' Latin-1.
    path : str or Path
        For messages.
    problems : Problems
        Gets what stands where nothing is understood.

    Returns
    -------
    Transcript
        With at least one game.

    Raises
    ------
    ReadError
        When there is no match length or no game, when a game is announced at the very end, or when the file ends
        within a line at something that more could follow.
    """
    found = Transcript({}, -1, [], len(data))
    reader = _Reader(found, path, problems)
    for offset, text, torn in _lines(data):
        if len(text) > _LONGEST_LINE:
            reader.stray(text[:_LONGEST_LINE], offset, torn)
        elif reader.read(offset, text, torn):
            break
    if found.length < 0:
        raise ReadError(
            path, "mat", None, "no line says '7 point match' or the like: this is no transcription"
        )
    if not found.games:
        raise ReadError(path, "mat", len(data), "the match has no game: it was cut short")
    last = found.games[-1]
    if last.scores is None and not last.items:
        raise ReadError(path, "mat", last.offset,
                        f"game {len(found.games)} is announced, and nothing follows: the file was cut short")  # fmt: skip
    for game in found.games:
        # Half way between the columns: a program that indents by more or less still falls on its side.
        middle = max(min(game.second, default=game.right), _NARROW) // 2
        for item in game.items:
            item.seat = int(item.column >= middle)
    return found


class _Reader:
    """Takes the lines one after the other."""

    def __init__(self, found, path, problems):
        self.found, self.path, self.problems = found, path, problems
        self.expects_scores = False
        self.again = None  # where a second match length stands

    def read(self, offset, text, torn):
        """Take one line; True when what follows is another match."""
        found = self.found
        games = found.games
        if not text or text.isspace():
            return False
        # First, for names begin as they like: "[team] Ann", "1) Bob".
        scores = _scores(text) if self.expects_scores else None
        if scores:
            if torn and not text[-1].isspace():
                self.cut(offset, text)
            games[-1].names, games[-1].scores, games[-1].right = scores
            self.expects_scores = False
        elif games and (number := _NUMBER.match(text)):
            self.expects_scores = False
            self.cells(offset, text, number.end(), torn)
        elif text.lstrip().startswith(_COMMENT):
            self.comment(text)
        elif length := _LENGTH.match(text):
            if games:
                self.again = offset
            else:
                found.length = max(int(length[1] or length[2]), 0)  # some write -1 for money
        elif found.length < 0:
            self.stray(text, offset, torn)
        elif game := _GAME.match(text):
            if self.again is not None and int(game[1]) == 1:
                self.problem("second_match", "another match begins here: it is left out, so give it a file of its own",
                             self.again, game=False)  # fmt: skip
                return True
            games.append(Game(int(game[1]), offset))
            self.expects_scores = True
        elif not games:
            self.stray(text, offset, torn)
        else:
            self.expects_scores = False
            self.cells(offset, text, 0, torn)
        return False

    def comment(self, text):
        if header := _HEADER.match(text):
            self.found.headers.setdefault(header[1].lower(), header[2].strip())
        elif self.found.games and (position := _SET_POSITION.match(text)):
            self.found.games[-1].position = position.groups()

    def cells(self, offset, text, start, torn):
        game = self.found.games[-1]
        items = _rolls(text, start, offset) or list(_items(text, start, offset))
        first = items[0].column if items else len(text)
        if text[start:first].strip():
            self.stray(text, offset, torn)
        for item in items[2:]:
            self.problem("extra_cell", f"a third cell in one line: '{_short(text)}'", item.offset)
        if len(items) > 1:
            game.second.append(items[1].column)
        if torn and items:
            last = items[-1]
            if not _is_whole(last):
                self.cut(offset, text)
            last.torn = True
        game.items += items

    def stray(self, text, offset, torn):
        if torn and self.found.games:
            self.cut(offset, text)
        self.problem("stray_text", f"not understood, left out: '{_short(text)}'", offset)

    def problem(self, code, message, offset, game=True):
        self.problems.add(
            code, message, game=(len(self.found.games) or None) if game else None, offset=offset
        )

    def cut(self, offset, text):
        raise ReadError(self.path, "mat", offset, f"the file ends within a line: '{_short(text)}'")


def _lines(data):
    """Byte offset, text and whether no end of line follows, for each line."""
    at = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    for line in data[at:].rstrip(_END_OF_FILE).splitlines(keepends=True):
        written = line.rstrip(b"\r\n")
        yield at, _decoded(written).expandtabs(), written == line
        at += len(line)


def _decoded(line):
    for charset in _CHARSETS[:-1]:
        try:
            return line.decode(charset)
        except UnicodeDecodeError:
            continue
    return line.decode(_CHARSETS[-1])


def _scores(text):
    """Names, scores and the column of the right name; None where the line is another."""
    found = list(_SCORE.finditer(text))
    if len(found) < 2 or text[found[-1].end() :].strip():
        return None
    *firsts, last = found
    # A name may hold a colon and a number too: the score of the left column has the widest gap behind it.
    gaps = [_first_after(text, one.end()) - one.end() for one in firsts]
    first = firsts[gaps.index(max(gaps))]
    names = text[: first.start()].strip(), text[first.end() : last.start()].strip()
    return names, (int(first[1]), int(last[1])), _first_after(text, first.end())


def _first_after(text, at):
    """Column of the first character that is no blank."""
    rest = text[at:]
    return at + len(rest) - len(rest.lstrip())


def _rolls(text, start, offset):
    """The cells of a line that holds one or two plays and nothing else; None for any other."""
    found = _ROLLS.fullmatch(text, start)
    if not found:
        return None
    dice, play, more, answer = found.groups()
    items = [Item("roll", offset, found.start(1), play.strip(), dice)]
    if more:
        items.append(Item("roll", offset, found.start(3), answer.strip(), more))
    return items


def _items(text, start, offset):
    """The cells of a line."""
    found = list(_START.finditer(text, start))
    for i, one in enumerate(found, 1):
        end = found[i].start() if i < len(found) else len(text)
        if dice := one["dice"]:
            yield Item(
                "roll",
                offset,
                one.start(),
                text[one.start("dice") + len("31:") : end].strip(),
                dice,
            )
        elif one["unknown"]:
            yield Item("unplayed", offset, one.start(), text[one.start() : end].strip())
        else:
            cell = text[one.start() : end].strip()
            number = _NUMBER_IN.search(cell)
            value = int(number[0][:9]) if number else None
            yield Item(_kind(one["word"].lower(), cell), offset, one.start(), cell, value=value)


def _kind(word, cell):
    kind = _KINDS[word[:3]]
    return "time" if kind == "losses" and "on time" in cell.lower() else kind


def _is_whole(item):
    """Nothing more could stand in this cell; whether a play is complete, the board must say."""
    return item.kind == "roll" or bool(_WHOLE.get(item.kind, _ANY).fullmatch(item.text))


def _short(text):
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:57] + "…"
