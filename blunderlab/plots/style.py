"""What all pictures share: colours, units, new Axes."""

__all__ = ["MILLI", "PALETTE", "PER_CENT", "new_axes"]

MILLI, PER_CENT = 1000, 100  # millipoints; percentage points of a fraction

#: M. Okabe and K. Ito, *Color Universal Design* (2002): told apart by eyes of every kind.
PALETTE = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "purple": "#CC79A7",
    "black": "#222222",
    "grey": "#8A8A8A",
    "faint": "#D9D9D9",
}


def new_axes(ax, size):
    """Give the caller's Axes, or new ones on a figure of this size in inches; tidied."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
