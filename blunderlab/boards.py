"""A board to look at, from the text of a position."""

from blunderlab.errors import SchemaError

__all__ = ["Board", "svg"]


class Board(str):
    """SVG text that a notebook shows as a picture."""

    def _repr_svg_(self):
        return str(self)


def svg(position, played=None, best=None, theme="light", width=None, title=None):
    """Draw a position.

    Parameters
    ----------
    position : str
        An XGID; the player who decides is at the bottom.
    played, best : str, optional
        Plays in the notation of the field; drawn as arrows, best dashed. Cube actions are written below.
    theme : {"light", "dark"}
    width : int, optional
        Pixels; without it the picture takes the width it is given.
    title : str, optional
        A line above the board, also what a screen reader says.

    Returns
    -------
    Board
        A `str` of SVG that shows itself in notebooks. Each stack is a group with `data-point`, `data-side` and
        `data-count`; its checkers are circles, at most five, then a number.

    Raises
    ------
    SchemaError
        When the text is not a position, or a play is none of that position.

    Examples
    --------
    >>> board = svg("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", played="8/5 6/5")
    >>> board.startswith("<svg"), board.count('class="player"')
    (True, 15)
    """
    if not isinstance(position, str):
        raise SchemaError(f"a position is a text, not {position!r}: rows of a roll without one have no board")
    from blunderlab.backgammon import drawing

    return Board(drawing.svg(position, played, best, theme, width, title))
