"""Make README's picture: the costliest checker play of the shipped match, drawn."""

from pathlib import Path

import blunderlab as bl

OUT = Path(__file__).with_name("costliest.svg")


def picture():
    """The board of the largest loss, with the played and the best play."""
    d = bl.read(bl.datasets.path("paris-7pt")).decisions
    worst = d[d["kind"] == "checker"].nlargest(1, "loss").iloc[0]
    title = f"Decision {worst['decision']}: {1000 * worst['error']:.0f} millipoints, {100 * worst['loss']:.1f} % of the match"
    return bl.boards.svg(worst["position"], worst["played"], worst["best"], width=520, title=title)


if __name__ == "__main__":
    OUT.write_text(picture(), "utf-8")
