"""Boards: the checkers, read back from where the circles lie, are those of the position."""

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import blunderlab as bl
from blunderlab.backgammon import drawing
from blunderlab.backgammon.board import START, flip
from blunderlab.backgammon.xgid import Position, format, parse

START_ID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
NS = "{http://www.w3.org/2000/svg}"


def checkers(text):
    """The board that a picture shows, by the places of its circles (or the number on a tall stack)."""
    root, points = ET.fromstring(text), np.zeros(26, np.int8)
    for group in root.iter(NS + "g"):
        if group.get("class") != "stack":
            continue
        circles = group.findall(NS + "circle")
        x, y = float(circles[0].get("cx")), float(circles[0].get("cy"))
        label = group.find(NS + "text")
        count = len(circles) if label is None else int(label.text)
        assert len(circles) == min(count, 5)
        column = (x - drawing.LEFT) / drawing.COLUMN - 0.5
        bottom = y > drawing.TOP + drawing.HEIGHT / 2
        if column == 6:
            point = 25 if bottom else 0
        else:
            column -= column > 6
            point = 12 - column if bottom else 13 + column
        assert point == int(point)
        points[int(point)] = count if circles[0].get("class") == "player" else -count
    return points


def words(text):
    return [t.text for t in ET.fromstring(text).iter(NS + "text")]


def test_start_position():
    board = bl.boards.svg(START_ID)
    assert checkers(board).tolist() == START.tolist()
    assert "On roll: pip 167" in words(board)
    assert "7 away, match to 7" in words(board)
    assert [
        g.get("data-value") for g in ET.fromstring(board).iter(NS + "g") if g.get("class") == "die"
    ] == ["3", "1"]


@pytest.mark.parametrize("seed", range(40))
def test_random_boards_come_back(seed):
    rng = np.random.default_rng(seed)
    points = np.zeros(26, np.int8)
    places = rng.choice(np.arange(1, 25), 13, replace=False)
    np.add.at(points, rng.choice(np.append(places[:7], 25), 15 - seed % 7), 1)
    theirs = np.append(places[7:], 0)
    np.subtract.at(points, rng.choice(theirs, 15 - seed % 5), 1)
    for theme in ("light", "dark"):
        assert (
            checkers(bl.boards.svg(format(Position(points)), theme=theme)).tolist()
            == points.tolist()
        )


@pytest.mark.skipif(not os.environ.get("BLUNDERLAB_DATA"), reason="BLUNDERLAB_DATA is not set")
def test_every_position_of_a_match_comes_back():
    d = bl.read(Path(os.environ["BLUNDERLAB_DATA"], "backgammon/xg/paris-7pt.xg")).decisions
    for position, played, best in zip(d["position"], d["played"], d["best"], strict=True):
        board = bl.boards.svg(position, played, best)
        assert checkers(board).tolist() == list(parse(position).points)


def test_a_turned_position_is_drawn_for_the_one_who_decides():
    other = "XGID=-b----E-C---eE---c-e----B-:1:1:-1:31:2:3:0:7:10"
    board = bl.boards.svg(other)
    assert checkers(board).tolist() == flip(START).tolist()
    assert "4 away, match to 7" in words(board)
    cube = next(g for g in ET.fromstring(board).iter(NS + "g") if g.get("class") == "cube")
    assert (cube.get("data-value"), cube.get("data-owner")) == ("2", "opponent")


def test_an_offered_cube_is_turned_and_nothing_is_rolled():
    board = bl.boards.svg(format(Position(offered=True, match_length=5)))
    cube = next(g for g in ET.fromstring(board).iter(NS + "g") if g.get("class") == "cube")
    assert cube.get("data-value") == "2"
    assert 'class="die"' not in board
    assert any(w.startswith("To decide") for w in words(board))


def test_plays_are_arrows_and_words():
    board = bl.boards.svg(START_ID, played="24/23 13/10", best="8/5 6/5")
    assert board.count('class="arrow"') == 4
    assert {"played: 24/23 13/10", "best: 8/5 6/5"} <= set(words(board))
    same = bl.boards.svg(START_ID, played="8/5 6/5", best="8/5 6/5")
    assert same.count('class="arrow"') == 2
    assert 'class="arrow"' not in bl.boards.svg(START_ID, played="Cannot Move")


def test_names_are_escaped_and_a_missing_play_is_none():
    board = bl.boards.svg(START_ID, played=float("nan"), title='<script>"&')
    ET.fromstring(board)
    assert "<script>" not in board
    assert "played" not in board


def test_notebooks_show_it():
    board = bl.boards.svg(START_ID, width=300)
    assert board._repr_svg_().startswith("<svg")
    assert re.search(r'width="300" height="\d+"', board)


@pytest.mark.parametrize("text", ["", "XGID=nonsense", START_ID.replace("E-C", "P-P"), None])
def test_no_position_is_a_clear_error(text):
    with pytest.raises(bl.SchemaError):
        bl.boards.svg(text)
    with pytest.raises(bl.SchemaError, match="theme"):
        bl.boards.svg(START_ID, theme="pink")
    with pytest.raises(bl.SchemaError, match="no play"):
        bl.boards.svg(START_ID, played="sideways")


def test_gallery_captions_leave_out_what_is_unknown():
    d = bl.read(bl.datasets.path("paris-7pt")).decisions
    rows = d.nlargest(2, "loss")
    gallery = bl.boards.gallery(rows)
    assert gallery.cells[0][1].startswith(
        f"seat {rows.iloc[0]['seat']}, game {rows.iloc[0]['game']}, decision"
    )
    assert "% of the match" in gallery.cells[0][1]
    roll = d[d["kind"] == "roll"].head(1)
    assert bl.boards.gallery(roll).cells[0][1].count("millipoints") == 0
    html = gallery._repr_html_()
    assert html.count("<svg") == html.count("<figcaption") == 2
