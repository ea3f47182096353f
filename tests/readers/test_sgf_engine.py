"""Matches that gnuBG plays, analyses and saves now: all our figures against its own of the reloaded file."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest

from blunderlab import measure, met
from blunderlab.pricing import derive
from blunderlab.readers import sgf

TABLE = met.load("kazaross-xg2", beyond="gnubg")
pytestmark = pytest.mark.engine("gnubg")

PLAY = """
set defaultnames Ann Bob
set automatic game {automatic}
set automatic roll on
set automatic move on
set automatic bearoff on
set confirm new off
set confirm save off
set display off
set threads 1
set jacoby {jacoby}
set beavers 0
set player 0 gnubg
set player 1 gnubg
set player 0 chequerplay evaluation plies 0
set player 0 chequerplay evaluation noise 0.02
set player 0 cubedecision evaluation plies 0
set player 0 cubedecision evaluation noise 0.04
set player 1 chequerplay evaluation plies 0
set player 1 chequerplay evaluation noise 0.035
set player 1 cubedecision evaluation plies 0
set player 1 cubedecision evaluation noise 0.06
set analysis chequerplay evaluation plies 0
set analysis cubedecision evaluation plies 0
set rng mersenne
set seed {seed}
{new}
{analyse}
save match "{path}"
"""
# X is gnuBG's player 0, who is `W` in the file.
STATISTICS = """
import gnubg, json
gnubg.command('load match "{path}"')
games = gnubg.match(analysis=1, boards=0, statistics=1, verbose=0)["games"]
json.dump([game["stats"] for game in games], open("{path}.json", "w"))
"""
NOISE = 5e-6  # gnuBG works in single precision
# … in which a chance to win carries half of 2^-24, and an equity that much over (W - L)/2: it tells at long matches.
NOISE_OF_CHANCE = 4e-7
KINDS = {"err-missed-double-below-cp", "err-missed-double-above-cp", "err-wrong-double-below-dp",
         "err-wrong-double-above-tg", "err-wrong-take", "err-wrong-drop"}  # fmt: skip


def play(folder, new, seed, jacoby="off", analyse="analyse match"):
    path = folder / "played.sgf"
    automatic = "on" if new.startswith("new match") else "off"
    script = PLAY.format(
        path=path, new=new, seed=seed, jacoby=jacoby, analyse=analyse, automatic=automatic
    )
    subprocess.run(
        ["gnubg", "-t", "-q"], input=script, text=True, capture_output=True, timeout=300, check=True
    )
    return path


def statistics(path):
    script = path.with_suffix(".py")
    script.write_text(STATISTICS.format(path=path))
    subprocess.run(["gnubg", "-t", "-q", "-p", str(script)], stdin=subprocess.DEVNULL, capture_output=True,
                   timeout=300, check=True)  # fmt: skip
    return json.loads((path.parent / f"{path.name}.json").read_text())


def read(path):
    return derive(sgf.read(path.read_bytes(), path).tables(), met=TABLE).validate()


def theirs(stats):
    moves, cube, dice = stats["moves"], stats["cube"], stats["dice"]
    marked = moves["marked"]
    return {
        "n_checker": moves["unforced-moves"], "n_moves": moves["total-moves"],
        "n_blunders": marked["very bad"], "n_errors": marked["very bad"] + marked["bad"],
        "n_doubtful": marked["doubtful"], "n_cube_total": cube["total-cube"], "n_double": cube["n-doubles"],
        "n_take": cube["n-takes"], "n_pass": cube["n-drops"], "close": cube["close-cube"],
        "error_checker": moves["error-skill"], "loss_checker": moves["error-cost"],
        "error": sum(cube[f"{k}-skill"] for k in KINDS), "loss": sum(cube[f"{k}-cost"] for k in KINDS),
        "luck": dice["luck"], "luck_loss": dice["luck-cost"],
    }  # fmt: skip


def ours(t):
    r = measure.rates(t.decisions, "gnubg", by=["game", "seat"])
    r["close"] = r["n_cube"] + r["n_answer"]
    for unit in ("error", "loss"):
        r[unit] = r[f"{unit}_cube"].fillna(0) + r[f"{unit}_answer"].fillna(0)
    return {(row["game"], row["seat"]): row for _, row in r.iterrows()}


@pytest.mark.parametrize(
    ("new", "seed", "jacoby"),
    [
        ("new match 1", 5, "off"),
        ("new match 3", 3, "off"),
        ("new match 5", 2, "off"),  # with a Crawford game and games after it
        ("new match 7", 5, "off"),
        ("new match 29", 7, "off"),  # begins beyond the table
        ("new session\nnew game\nnew game", 5, "on"),
        ("new session\nnew game\nnew game", 5, "off"),
    ],
)
def test_all_figures(tmp_path, new, seed, jacoby):
    path = play(tmp_path, new, seed, jacoby)
    t = read(path)
    assert not len(t.problems)
    d = t.decisions
    unit = TABLE.price(d["away"], d["opponent_away"], d["cube"], d["crawford"])
    price = pd.Series(unit).groupby(d["game"]).min().fillna(1)
    mine, compared = ours(t), 0
    for number, stats in enumerate(statistics(path), 1):
        for seat, name in enumerate("XO"):
            row = mine.get((number, seat))
            if row is None:
                continue
            for figure, value in theirs(stats[name]).items():
                if "loss" in figure and t.matches["length"].isna().all():
                    continue  # gnuBG's are in points
                got = np.nan_to_num(float(row[figure]))
                noise = NOISE + NOISE_OF_CHANCE / price[number] * (
                    figure == "error" and "29" in new
                )
                assert got == pytest.approx(value, abs=noise, rel=0), (number, seat, figure)
                compared += 1
    assert compared >= 26
    if jacoby == "on":
        assert t.matches["jacoby"].tolist() == [True]


def test_a_match_without_analysis_has_no_errors(tmp_path):
    t = read(play(tmp_path, "new match 3", 2, analyse=""))
    assert len(t.decisions) > 30
    assert len(t.options) > 300
    assert not t.decisions["scored"].any()
    assert t.decisions[["error", "luck", "loss"]].isna().all(axis=None)
