"""gnuBG's unrounded statistics beside ours."""

import pandas as pd

import blunderlab as bl

COUNTS = {
    "n_checker": ("moves", "unforced-moves"),
    "n_moves": ("moves", "total-moves"),
    "n_blunders": ("moves", "marked", "very bad"),
    "n_doubtful": ("moves", "marked", "doubtful"),
    "n_cube_total": ("cube", "total-cube"),
    "n_double": ("cube", "n-doubles"),
    "n_take": ("cube", "n-takes"),
    "n_pass": ("cube", "n-drops"),
}
SUMS = {"error_checker": "error-skill", "loss_checker": "error-cost"}
LUCK = {"luck": "luck", "luck_loss": "luck-cost"}


def beside(t, statistics):
    """One row a game, seat and figure, game 0 being the match: name, ours, theirs."""
    found = []
    for game, stats in enumerate([statistics["match"], *statistics["games"]]):
        rows = t.decisions if game == 0 else t.decisions[t.decisions["game"] == game]
        table = bl.measure.rates(rows, "gnubg", by="seat").set_index("seat").astype("float64")
        for seat in table.index:
            theirs = stats[f"seat{seat}"]
            found += [(game, seat, *pair) for pair in _pairs(table.loc[seat], theirs)]
    return pd.DataFrame(found, columns=["game", "seat", "name", "ours", "theirs"]).astype(
        {"ours": float, "theirs": float}
    )


def _pairs(ours, theirs):
    moves, cube, dice = theirs["moves"], theirs["cube"], theirs["dice"]
    for name, (first, *rest) in COUNTS.items():
        value = theirs[first]
        for key in rest:
            value = value[key]
        yield name, ours[name], value
    yield "n_bad", ours["n_errors"] - ours["n_blunders"], moves["marked"]["bad"]
    yield "n_close", ours["n_cube"] + ours["n_answer"], cube["close-cube"]
    for name, key in SUMS.items():
        yield name, ours[name], moves[key]
    for name, ending in (("error", "-skill"), ("loss", "-cost")):
        classes = [
            value for key, value in cube.items() if key.startswith("err-") and key.endswith(ending)
        ]
        yield f"{name}_of_cube", ours[f"{name}_cube"] + ours[f"{name}_answer"], sum(classes)
    for name, key in LUCK.items():
        yield name, ours[name], dice[key]


def pr(theirs):
    """PR by gnuBG's own figures of a seat: its overall error rate, in thousandths, halved."""
    moves, cube = theirs["moves"], theirs["cube"]
    error = moves["error-skill"] + sum(
        v for k, v in cube.items() if k.startswith("err-") and k.endswith("-skill")
    )
    return 500 * error / (moves["unforced-moves"] + cube["close-cube"])
