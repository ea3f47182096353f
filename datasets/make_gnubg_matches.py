"""Make three matches that gnuBG played against itself and analysed, with gnuBG's own statistics of them.

Both sides play at 0 ply with noise, so that there are errors of all kinds; the dice are seeded, so gnuBG of one
version always plays the same match. The statistics are those that gnuBG gives after it has loaded the saved file
again, unrounded.
"""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from blunderlab.engines import gnubg

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "gnubg-matches"
PLAYERS = ("Alice", "Bob")

# Where gnuBG was started; what it prints is not needed, so a file takes the answer.
_STATISTICS = """
import gnubg, json
gnubg.command('load match "match.sgf"')
m = gnubg.match(analysis=0, boards=0, statistics=1, verbose=0)
seats = lambda of: {"seat0": of["stats"]["X"], "seat1": of["stats"]["O"]}
answer = {"match": seats(m), "games": [seats(g) for g in m["games"]]}
with open("statistics.json", "w") as file:
    json.dump(answer, file)
"""


@dataclass(frozen=True)
class Recipe:
    """How to have a match played; length 0 is a session of one money game.

    Parameters
    ----------
    length, seed : int
    plays, cubes : (float, float)
        Noise of both players, in equity.
    plies : int or None
        Of the analysis; None for none.
    jacoby : bool
    """

    length: int
    seed: int
    plays: tuple = (0.020, 0.035)
    cubes: tuple = (0.020, 0.035)
    plies: int | None = 1
    jacoby: bool = True


MATCHES = {
    "a-3pt": Recipe(3, seed=16),
    "b-5pt": Recipe(5, seed=21),
    "c-7pt": Recipe(7, seed=78, cubes=(0.030, 0.060)),
}


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, recipe in MATCHES.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            play(recipe, folder)
            figures = statistics(folder / "match.sgf")
            for ending in ("sgf", "mat"):
                (FOLDER / f"{name}.{ending}").write_bytes((folder / f"match.{ending}").read_bytes())
            (FOLDER / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def play(recipe, folder):
    """Have a match played, and analysed if the recipe says so: match.sgf and match.mat in the folder."""
    commands = [
        f"set defaultnames {' '.join(PLAYERS)}",
        f"set automatic game {'on' if recipe.length else 'off'}",
        *(f"set automatic {what} on" for what in ("roll", "move", "bearoff")),
        "set confirm new off",
        "set confirm save off",
        "set display off",
        "set threads 1",
        f"set jacoby {'on' if recipe.jacoby else 'off'}",
    ]
    for seat in (0, 1):
        commands.append(f"set player {seat} gnubg")
        for what, noise in (("chequerplay", recipe.plays), ("cubedecision", recipe.cubes)):
            commands.append(f"set player {seat} {what} evaluation plies 0")
            commands.append(f"set player {seat} {what} evaluation noise {noise[seat]:.3f}")
    commands += [
        "set rng mersenne",
        f"set seed {recipe.seed}",
        f"new match {recipe.length}" if recipe.length else "new session",
    ]
    if recipe.plies is not None:
        commands += [
            f"set analysis chequerplay evaluation plies {recipe.plies}",
            f"set analysis cubedecision evaluation plies {recipe.plies}",
            "analyse match",
        ]
    commands += [
        "set matchinfo date",  # none, rather than today
        'save match "match.sgf"',
        'export match mat "match.mat"',
    ]
    # gnuBG goes on playing only between commands that it reads from its input.
    _gnubg(folder, [], "\n".join([*commands, ""]))


def statistics(sgf):
    """gnuBG's statistics of an analysed file, loaded again: of the match and of each game, by seat."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "match.sgf").write_bytes(sgf.read_bytes())
        Path(folder, "statistics.py").write_text(_STATISTICS, "utf-8")
        _gnubg(folder, ["-p", "statistics.py"], "")
        return json.loads(Path(folder, "statistics.json").read_text("utf-8"))


def _gnubg(folder, options, commands):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LC_", "LANG"))}
    subprocess.run(
        [gnubg.find(), "-t", "-q", "-r", *options],
        input=commands.encode(),
        cwd=folder,
        env={**env, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
        timeout=600,
    )


if __name__ == "__main__":
    main()
