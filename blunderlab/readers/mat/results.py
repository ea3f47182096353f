"""Who won each game of a transcription, by how much and how: what is written, what was played, the next score."""

from dataclasses import dataclass

import numpy as np

from blunderlab.backgammon.record.columns import game_columns
from blunderlab.tables.schema import ENDINGS

__all__ = ["Results", "columns_of_games"]

_MOST_POINTS = 32767  # what the column of points holds
_TIMES = {1: "single", 2: "gammon", 3: "backgammon"}
_GIVEN_UP = {"forfeits": "abandoned", "time": "time"}


@dataclass
class _Result:
    """Of one game; -1 is nobody, unknown, unfinished."""

    winner: int = -1
    points: int = -1
    ended: int = -1  # code of ENDINGS


class Results:
    """The results of a match's games, and what does not fit in them as problems.

    Parameters
    ----------
    match : header.Match
    ends : list of rows.End
        How each game stood when its cells ended.
    """

    def __init__(self, match, ends):
        self.match = match
        self.results = [self._result(i, end) for i, end in enumerate(ends)]
        if any(match.scores[0]):
            match.problem("score_gap", "the first game does not begin at 0-0", 0)
        for i, game in enumerate(match.games[1:], 1):
            reached = self.after(i - 1)
            if reached is None or reached != list(game.scores):
                before = "an unknown score" if reached is None else f"{reached[0]}-{reached[1]}"
                shown = f"{game.scores[0]}-{game.scores[1]}"
                message = f"begins at {shown} after {before}: the line of scores is believed"
                match.problem("score_gap", message, i)
        self._look_for_a_cut()

    def after(self, i):
        """Points of both seats after a game; None while they are not known."""
        result, before = self.results[i], self.match.games[i].scores
        if result.winner < 0 or result.points < 0:
            return None
        return [
            score + result.points * (seat == result.winner) for seat, score in enumerate(before)
        ]

    @property
    def winner(self):
        """Seat that won the match by points, -1 nobody; the words "and the match" are not looked at."""
        final, length = self.after(-1), self.match.length
        if final is None or final[0] == final[1]:
            return -1
        ahead = int(final[1] > final[0])
        # Both at the length is no match that anybody played.
        return ahead if length is None or final[ahead] >= length > final[1 - ahead] else -1

    def _result(self, i, end):
        match = self.match
        written = [item for item in match.games[i].items if item.kind in ("wins", "losses")]
        seats = [item.seat ^ (item.kind == "losses") for item in written]
        points = next((item.value for item in written if item.value is not None), None)
        gained = self._gained(i)
        column = seats[0] if seats else None
        votes = [seat for seat in (gained and gained[0], end.winner, column) if seat is not None]
        if not votes:
            return _Result()
        winner = max(votes, key=votes.count)  # the first where each has one
        if column is None:
            match.problem(
                "no_end", "no line says who won: what was played and the next score do", i
            )
        elif len({winner, *seats}) > 1:
            message = "the winner's column, what was played and the next score do not agree"
            match.problem("winner_differs", f"{message}: two of three are believed", i)
        if points is None:
            points = self._worth(i, end, gained, winner)
        if points >= 0 and not self._is_possible(i, end, winner, points):
            message = f"{points} points, with the cube at {1 << end.cube}: kept as written"
            match.problem("bad_points", message, i)
        return _Result(
            winner,
            points if points <= _MOST_POINTS else -1,
            ENDINGS.index(_ended(end, points / (1 << end.cube))),
        )

    def _gained(self, i):
        """(seat, points) where the next line of scores shows one side's gain, else None."""
        if i + 1 >= len(self.match.games):
            return None
        gain = self.match.scores[i + 1] - self.match.scores[i]
        if (gain > 0).sum() != 1 or (gain < 0).any():
            return None
        return int(gain.argmax()), int(gain.max())

    def _worth(self, i, end, gained, winner):
        """Points of a game that no line gives any; -1 unknown."""
        if gained:
            return gained[1]
        if end.how in _GIVEN_UP and self.match.length is not None:
            return max(self._needed(i, winner), 1)  # a match is forfeited as a whole
        if end.how == "pass" or end.how in _GIVEN_UP:
            return 1 << end.cube
        if end.how == "borne off" and end.times:
            return end.times << end.cube if end.times == 1 or not self._jacoby(end) else -1
        return -1

    def _is_possible(self, i, end, winner, points):
        """Whether a game that ended so can be worth so much."""
        times = points / (1 << end.cube)
        # Some servers write no more points than the winner still needs.
        if points == self._needed(i, winner) and times <= max(_TIMES):
            return True
        if end.how == "borne off" and end.times and end.known:
            return times == end.times or (times == 1 and self._jacoby(end))
        return times == 1 if end.how == "pass" else times in _TIMES

    def _jacoby(self, end):
        """A gammon may count as a single game: money, an unturned cube, and the rule on or not known."""
        return self.match.length is None and end.cube == 0 and self.match.jacoby is not False

    def _needed(self, i, seat):
        """Points that a seat still needs for the match; None for money."""
        length = self.match.length
        return None if length is None else length - self.match.games[i].scores[seat]

    def _look_for_a_cut(self):
        """A match that is not over must not look as if it were."""
        match, final = self.match, self.after(-1)
        if self.results[-1].winner < 0:
            message = "the last game has no end: an unfinished match, or a file that was cut short"
            match.problems.add("cut_short", message, game=len(match.games), offset=match.size)
        elif match.length is not None and (final is None or max(final) < match.length):
            shown = f"ends at {final[0]}-{final[1]}" if final else "has no final score"
            message = f"a match to {match.length} that {shown}: unfinished, or cut short"
            match.problem("unfinished", message, len(match.games) - 1)



def columns_of_games(many, ids):
    """The columns of `games` of several matches.

    Parameters
    ----------
    many : list of Results
    ids : list of str
        Their match_id.

    Returns
    -------
    Columns
    """
    sizes = [len(one.results) for one in many]
    each = np.array([(r.winner, r.points, r.ended) for one in many for r in one.results]).T
    return game_columns(
        ids,
        np.repeat(np.arange(len(many)), sizes),
        np.concatenate([np.arange(1, size + 1) for size in sizes]),
        np.concatenate([one.match.scores for one in many]).T,
        np.concatenate([one.match.crawford for one in many]),
        *each,
    )


def _ended(end, times):
    if end.how in _GIVEN_UP:
        return _GIVEN_UP[end.how]
    if end.how == "borne off" and end.times and end.known:
        return _TIMES[end.times]
    # Neither a pass nor a bear-off: the loser resigned.
    if end.how == "resigned" or (end.how is None and end.known):
        return f"resigned {_TIMES[times]}" if times in _TIMES else "resigned"
    return "pass" if end.how == "pass" else _TIMES.get(times, "other")
