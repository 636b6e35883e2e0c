"""What a library survives: kill -9, a lost index, no network; driven as processes of their own on the real starter models."""

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.journeys.program import Program, Ran, draw_photo

pytestmark = pytest.mark.integration

# Libraries may try to make one (urllib3 looks for IPv6 when it is imported) and are refused; none may come to use one.
_WATCH = """
import os, sys
_USES = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname")
def _watch(event, args):
    if event in _USES and not isinstance(args[-1], (str, bytes)):  # the addresses of local sockets are paths
        with open(os.environ["SOCKETS_SEEN"], "a") as seen:
            seen.write(f"{os.getpid()} {sys.argv} {args[1:]}\\n")
sys.addaudithook(_watch)
"""


@pytest.fixture
def album(tmp_path: Path) -> Path:
    for number in range(24):
        draw_photo(tmp_path / "album" / f"IMG_{number}.jpg", number, f"2024:05:{1 + number:02} 10:00:00")
    return tmp_path / "album"


@pytest.fixture
def program(tmp_path: Path, models_dir: Path) -> Program:
    made = Program(tmp_path / "home", models_dir)
    made.home.mkdir()
    (made.home / "settings.toml").write_text('chat_model = "none"\n')  # a language model would only make this slow
    return made


def test_a_killed_run_goes_on_and_does_nothing_twice(program: Program, album: Path) -> None:
    assert program.run("add", str(album)).code == 0
    for seconds in (1.5, 3.0, 4.5):
        running = program.start("process")
        time.sleep(seconds)
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
    finished = program.run("process", "--json")
    assert finished.code == 0, finished.err
    stages = finished.json["stages"]
    for stage in ("metadata", "thumbnails", "text", "caption", "contexts", "embeddings"):
        assert stages[stage]["done"] + stages[stage]["nothing"] == 24, stage
        assert stages[stage]["failed"] == 0, stage
    assert finished.json["memories"] == 24
    checked = program.run("doctor", "--json")
    assert (checked.code, checked.json) == (0, [])
    assert _made_at(program) == _made_at(program, again=program.run("process", "--json"))


def test_a_deleted_vector_index_is_rebuilt_and_gives_the_same_results(program: Program, album: Path) -> None:
    program.run("add", str(album))
    program.run("process", "--until", "caption")
    first = program.run("list", "-k", "1", "--json").json[0]["id"]
    program.run("memory", "edit", first, "caption", "A heron standing on the frozen lake")
    program.run("process")
    before = program.run("search", "a bird in winter", "--json").json
    assert [each["id"] for each in before][:1] == [first]
    folder = program.home / "vectors"
    assert folder.is_dir()
    shutil.rmtree(folder)
    assert program.run("search", "a bird in winter", "--json").json == before
    assert program.run("doctor", "--json").json == []


def test_no_process_uses_an_internet_socket(program: Program, album: Path, tmp_path: Path) -> None:
    watcher = tmp_path / "watcher"
    watcher.mkdir()
    (watcher / "sitecustomize.py").write_text(_WATCH)
    seen = tmp_path / "sockets"
    seen.touch()
    program.environment = {
        **program.environment,
        "PYTHONPATH": os.pathsep.join([str(watcher), *filter(None, [os.environ.get("PYTHONPATH")]), os.getcwd()]),
        "SOCKETS_SEEN": str(seen),
    }
    program.run("add", str(album))
    assert program.run("process", "--json").code == 0
    assert program.run("search", "squares", "--json").code == 0
    assert (
        program.run("ask", "How many photos did I take in May 2024?", "--today", "2024-06-01", "--json").json["value"]
        == 24
    )
    assert seen.read_text() == ""


def test_the_language_model_answers_without_the_network(program: Program, album: Path) -> None:
    (program.home / "settings.toml").unlink()
    program.run("add", str(album))
    program.run("process", "--until", "embeddings")
    ran = program.run("ask", "What do my pictures from May look like?", "--today", "2024-06-01", "--json")
    assert ran.code == 0, ran.err
    assert {citation["id"] for citation in ran.json["citations"]} <= {
        each["id"] for each in program.run("list", "-k", "100", "--json").json
    }


def _made_at(program: Program, again: Ran | None = None) -> str:
    """When each value of the first memory was made; a stage done twice would have a later time."""
    if again is not None:
        assert again.code == 0
    first = program.run("list", "--json").json[0]["id"]
    return json.dumps(program.run("get", first, "--json").json["provenance"], sort_keys=True)
