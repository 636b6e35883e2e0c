"""Whatever is done with a library, the person's files stay what they are, and what is known of them follows them."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engine import Engine
from core.jobs import run_to_end
from core.paths import Home
from core.records import Stage
from core.settings import Settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library
from tests.bench.fuzz import spoiled, whole_files
from tests.fakes import FakeEmbedder, FakeModels
from tests.journeys.killing import WatchedProgram
from tests.journeys.program import Program, draw_photo


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Every format, whole and damaged, with sidecars and other people's files between them."""
    folder = tmp_path / "album"
    whole = whole_files(folder / "formats")
    (folder / "damaged").mkdir()
    for name, body in spoiled(whole, 12, first=0, seed=5).items():
        (folder / "damaged" / name).write_bytes(body)
    for number in range(12):
        draw_photo(folder / "trip" / f"IMG_{number}.jpg", number, f"2024:05:{10 + number // 4:02} 1{number % 10}:00:00")
    (folder / "trip" / "IMG_1.jpg.xmp").write_text("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
    (folder / "trip" / "IMG_2.jpg.json").write_text(
        '{"title": "IMG_2.jpg", "photoTakenTime": {"timestamp": "1700000000"}}'
    )
    (folder / "notes").mkdir()
    (folder / "notes" / "list.txt").write_text("Milk, bread and a birthday card")
    (folder / "notes" / "program.exe").write_bytes(b"MZ\0\0")
    os.symlink(folder / "trip", folder / "loop")
    return folder


def state_of(folder: Path) -> dict[str, tuple[str, int, int, int]]:
    """By relative path: hash, time of change, mode and size of every file; of folders their names and modes."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(place, name)
            about = path.lstat()
            content = "" if path.is_dir() or path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest()
            is_folder = path.is_dir() or path.is_symlink()  # the link points nowhere once the folder was moved
            found[str(path.relative_to(folder))] = (
                content, 0 if is_folder else about.st_mtime_ns, about.st_mode, 0 if is_folder else about.st_size,
            )  # fmt: skip
    return found


def test_originals_are_byte_for_byte_and_to_the_nanosecond_what_they_were_after_everything(
    album: Path, tmp_path: Path
) -> None:
    before = state_of(album)
    program = Program(tmp_path / "home")
    assert program.run("add", str(album)).code == 0
    assert program.run("process").code == 0
    ids = [each["id"] for each in program.run("list", "-k", "200", "--json").json]
    program.run("memory", "edit", ids[0], "date", "2023-01-01")
    program.run("memory", "edit", ids[1], "title", "By the sea")
    program.run("memory", "forget", ids[2])
    program.run("problems", "retry")
    assert program.run("export", str(tmp_path / "out.jsonl")).code == 0
    moved = album.rename(tmp_path / "elsewhere")
    assert program.run("relocate", str(album), str(moved)).code == 0
    assert program.run("process").code == 0
    program.run("doctor", "--repair")

    assert state_of(moved) == before


def test_watching_and_looking_leave_originals_alone(engine: Engine, album: Path) -> None:
    before = state_of(album)
    engine.add_folder(album)
    engine.look_at_folders()
    run_to_end(engine.process())
    engine.look_at_folders()
    for memory_id in engine.timeline(200):
        engine.thumbnail(memory_id)
    engine.picture(next(each.id for each in engine.memories(engine.timeline(200)) if each.file_name == "IMG_3.jpg"), 64)
    engine.search("milk")
    engine.examine()

    assert state_of(album) == before


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    library = open_library(Home(tmp_path / "library"), ExactIndexes())
    made = Engine(library, FakeModels(text_embedder=FakeEmbedder()), Settings())
    yield made
    made.close()


def test_a_root_moved_away_during_a_scan_and_put_back_is_not_read_again(tmp_path: Path) -> None:
    album, hidden = tmp_path / "drive" / "album", tmp_path / "unplugged"
    for number in range(40):
        draw_photo(album / f"IMG_{number:02}.jpg", number)
    program = WatchedProgram(tmp_path / "home", album, tmp_path / "watcher")
    program.run("add", str(album))
    running = program.start("process", "--until", "thumbnails")
    while running.poll() is None and len(program.work_done()) < 60:
        pass
    album.rename(hidden)
    _, errors = running.communicate(timeout=240)
    assert running.returncode == 0, errors
    away = program.run("process", "--until", "thumbnails", "--json")
    assert away.code == 0, away.err
    assert away.json["memories"] == 40
    assert program.run("problems", "--json").json == []
    hidden.rename(album)
    read = [line for line in program.work_done() if line.startswith("scan")]

    back = program.run("process", "--until", "thumbnails", "--json")

    assert back.json["stages"]["thumbnails"]["done"] == 40
    assert [line for line in program.work_done() if line.startswith("scan")] == read
    thumbnails = [line for line in program.work_done() if line.startswith("thumbnail")]
    assert len(thumbnails) == len(set(thumbnails)) == 40


def test_an_event_that_was_corrected_survives_the_move_of_its_folder(engine: Engine, tmp_path: Path) -> None:
    album = tmp_path / "pictures"
    for number in range(8):
        draw_photo(
            album / "2024" / "May" / f"IMG_{number}.jpg", number, f"2024:05:{10 + number // 4:02} 1{number}:00:00"
        )
    engine.add_folder(album)
    run_to_end(engine.process())
    ids = engine.timeline(100)
    engine.correct.create_event("Ada's graduation", ids[:5])
    event = engine.event_named("Ada's graduation")
    engine.correct.edit_memory(ids[0], "title", "The hat in the air")
    run_to_end(engine.process())  # what was derived from the old title is made anew here, not by the move
    made_at = {memory_id: [value.provenance.made_at for value in engine.values(memory_id)] for memory_id in ids}

    (album / "Best of").mkdir()
    shutil.move(album / "2024" / "May", album / "Best of" / "Graduation")
    run_to_end(engine.process(Stage.GRAPH))

    kept = engine.event_named("Ada's graduation")
    assert set(kept.member_ids) == set(event.member_ids) == set(ids[:5])
    assert engine.memory(ids[0]).title == "The hat in the air"
    assert sorted(engine.timeline(100)) == sorted(ids)
    assert all("Graduation" in str(engine.original(memory_id)) for memory_id in ids)
    assert {memory_id: [value.provenance.made_at for value in engine.values(memory_id)] for memory_id in ids} == made_at
