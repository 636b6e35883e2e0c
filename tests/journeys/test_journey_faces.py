"""From a folder of pictures to named people and back, with the real detector and recogniser, as a person would on the command line.

No labelled photos of people are at hand: the portraits are drawn. The detector finds them; to the recogniser they are all one person.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.faces_drawn import draw_portrait
from tests.journeys.program import Program, draw_photo

pytestmark = pytest.mark.integration
COUNT = 5


def test_drawn_faces_are_found_named_searched_and_forgotten(models_dir: Path, tmp_path: Path) -> None:
    program = Program(tmp_path / "home", models_dir)
    for number in range(COUNT):
        draw_portrait(tmp_path / "album" / f"portrait{number}.jpg", number, f"2024:0{number + 1}:10 10:00:00")
    draw_photo(tmp_path / "album" / "squares.jpg", 7, "2024:07:10 10:00:00")
    program.run("add", str(tmp_path / "album"))
    program.run("process", "--until", "faces")
    assert program.run("people", "list", "--json").json == []  # off until turned on

    turned_on = program.run("people", "on", "--json")
    assert turned_on.json == {"on": True, "model": "dlib-face"}
    assert program.run("process", "--until", "faces").code == 0
    [found] = program.run("people", "list", "--json").json
    assert (found["name"], found["faces"], found["memories"]) == ("", COUNT, COUNT)

    shown = program.run("people", "name", found["id"], "Anna Olsen", "--json").json
    boxes = [each["box"] for each in shown["face_list"]]
    assert all(0.2 < (left + right) / 2 < 0.8 and 0.2 < (top + bottom) / 2 < 0.8 for left, top, right, bottom in boxes)
    assert len(program.run("list", "--person", "Anna", "--json").json) == COUNT

    draw_portrait(tmp_path / "album" / "later.jpg", 99, "2024:09:10 10:00:00")
    program.run("process", "--until", "faces")
    [anna] = program.run("people", "list", "--json").json
    assert (anna["name"], anna["faces"]) == ("Anna Olsen", COUNT + 1)

    assert program.run("people", "off", "--forget").code == 0
    program.run("process", "--until", "faces")
    assert program.run("people", "list", "--json").json == []
    assert program.run("list", "--person", "Anna Olsen", "--json").json == []
    assert program.run("doctor").code == 0
    with closing(sqlite3.connect(program.home / "madeleine.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM faces").fetchone() == (0,)
