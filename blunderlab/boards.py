"""A board to look at, from the text of a position."""

from html import escape

from blunderlab.errors import SchemaError

__all__ = ["Board", "Gallery", "gallery", "svg"]


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
        raise SchemaError(
            f"a position is a text, not {position!r}: rows of a roll without one have no board"
        )
    from blunderlab.backgammon import drawing

    return Board(drawing.svg(position, played, best, theme, width, title))


class Gallery:
    """Boards side by side with a caption each; a notebook shows them as a grid."""

    def __init__(self, cells):
        self.cells = cells  # (Board, caption) pairs

    def __len__(self):
        return len(self.cells)

    def _repr_html_(self):
        figures = "".join(
            f'<figure style="margin:0;width:300px">{board}<figcaption style="font-size:90%">'
            f"{escape(caption)}</figcaption></figure>"
            for board, caption in self.cells
        )
        return f'<div style="display:flex;flex-wrap:wrap;gap:24px 20px">{figures}</div>'


def gallery(decisions):
    """Draw rows of the decisions table, with who played, what it cost and where it was.

    Parameters
    ----------
    decisions : DataFrame
        Rows in the order to show; those without a position are left out.

    Returns
    -------
    Gallery
        A loss is shown in per cent of a match, an error in millipoints; what is unknown is not written.

    Examples
    --------
    >>> import blunderlab as bl
    >>> len(gallery(bl.Tables.build().decisions))
    0
    """
    drawn = decisions[decisions["position"].notna()]
    names = ["position", "played", "best", "player", "game", "decision", "error", "loss"]
    cells = []
    for position, played, best, player, game, decision, error, loss in zip(
        *(drawn[name].tolist() for name in names), strict=True
    ):
        parts = [f"{player}, game {game}, decision {decision}"]
        if error == error:
            parts.append(f"{1000 * error:.0f} millipoints")
        if loss == loss:
            parts.append(f"{100 * loss:.1f} % of the match")
        cells.append(
            (svg(position, played, best), ": ".join([parts[0], ", ".join(parts[1:])]).rstrip(": "))
        )
    return Gallery(cells)
