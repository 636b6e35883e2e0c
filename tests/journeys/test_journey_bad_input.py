"""What goes wrong outside the program is said in a sentence that helps, with an exit code that is not 0, and nothing is lost."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.program import Program, draw_photo


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def test_a_missing_folder_is_named(program: Program, tmp_path: Path) -> None:
    ran = program.run("add", str(tmp_path / "nowhere"))
    assert ran.code == 1
    assert "nowhere" in ran.err
    assert "Traceback" not in ran.err


def test_json_callers_get_the_error_as_json(program: Program, tmp_path: Path) -> None:
    ran = program.run("add", str(tmp_path / "nowhere"), "--json")
    assert ran.code == 1
    assert "nowhere" in ran.json["error"]


def test_a_second_instance_names_the_first(program: Program, tmp_path: Path) -> None:
    for number in range(30):
        draw_photo(tmp_path / "album" / f"{number}.jpg", number)
    program.run("add", str(tmp_path / "album"))
    first = program.start("process")
    try:
        lock = program.home / "lock"  # names the process, then the computer
        _wait_for(lambda: lock.exists() and lock.read_text().partition("\n")[0] == str(first.pid))
        second = program.run("status")
        assert second.code == 1
        assert str(first.pid) in second.err
    finally:
        first.communicate(timeout=240)


def test_a_database_of_a_newer_version_is_refused_and_left_alone(program: Program) -> None:
    program.run("status")
    database = program.home / "madeleine.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA user_version=999")
    connection.close()
    before = database.read_bytes()
    ran = program.run("status")
    assert ran.code == 1
    assert "newer" in ran.err
    assert database.read_bytes() == before


def test_a_locked_database_says_that_another_program_uses_it(program: Program, tmp_path: Path) -> None:
    program.run("status")
    (tmp_path / "album").mkdir()
    holder = sqlite3.connect(program.home / "madeleine.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        ran = program.run("add", str(tmp_path / "album"))
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert ran.code == 1
    assert "another program" in ran.err
    assert program.run("add", str(tmp_path / "album")).code == 0


def test_a_damaged_database_says_how_to_mend_it(program: Program) -> None:
    program.run("status")
    database = program.home / "madeleine.sqlite"
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(size - 100))
    ran = program.run("status")
    assert ran.code == 1
    assert "doctor --repair" in ran.err


def test_an_unreadable_model_file_is_named_with_what_to_do(program: Program, tmp_path: Path) -> None:
    ran = program.run("ask", "Where was I?", "--model", "no-such-model")
    assert ran.code == 1
    assert "no-such-model" in ran.err
    file = tmp_path / "weights.gguf"
    file.write_bytes(b"<html>not a model</html>")
    added = program.run("models", "add", str(file))
    assert added.code == 1
    assert "weights.gguf" in added.out + added.err


def test_wrong_words_are_answered_with_usage_and_code_2(program: Program) -> None:
    ran = program.run("list", "--from", "yesterday-ish")
    assert ran.code == 2
    assert "usage" in ran.err


def test_a_broken_settings_file_is_named(program: Program) -> None:
    program.run("status")
    (program.home / "settings.toml").write_text("chat_modle = 'x'\n")
    ran = program.run("status")
    assert ran.code == 1
    assert "settings.toml" in ran.err


def _wait_for(condition: Callable[[], bool], timeout_s: float = 60.0) -> None:
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            pytest.fail("waited too long")
        time.sleep(0.05)
