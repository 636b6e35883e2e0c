"""Do the set-up scripts say what to do where they cannot do it themselves? Small programs stand in for the system's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / "installers" / "setup"

# Stands in for `python -m pip`: builds an empty wheel, notes the flags, notes what is installed.
_PIP = """
case "$*" in
    *"pip wheel"*)
        echo "$CMAKE_ARGS" >> "$CALLS"
        while [ "$1" != --wheel-dir ]; do shift; done
        touch "$2/llama_cpp_python-9.9.9-py3-none-linux_$(uname -m).whl" ;;
    *) echo "$@" >> "$INSTALLS" ;;
esac
"""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the scripts are for Linux")


def stand_ins(folder: Path, **programs: str) -> dict[str, str]:
    """An environment whose PATH starts with the given shell scripts."""
    folder.mkdir(exist_ok=True)
    for name, body in programs.items():
        script = folder / name.replace("_", "-")
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def run(script: str, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run one of the scripts."""
    return subprocess.run(
        ["bash", str(SETUP / script), *arguments], capture_output=True, text=True, env=env, cwd=SETUP.parents[1]
    )


def test_a_person_without_root_gets_one_line_to_run(tmp_path: Path) -> None:
    env = stand_ins(tmp_path / "bin", dpkg_query="exit 1", id="echo 1000", apt_get="echo called >&2; exit 99")

    done = run("system_packages.sh", env=env)

    assert done.returncode == 1
    lines = [line.strip() for line in done.stderr.splitlines() if "apt-get" in line]
    assert len(lines) == 1
    assert lines[0].startswith("sudo apt-get install --no-install-recommends ")
    assert "libegl1" in lines[0]
    assert "libxcb-cursor0" in lines[0]


def test_a_person_without_root_goes_on_when_only_comfort_is_missing(tmp_path: Path) -> None:
    answer = 'case "$*" in *xvfb*|*espeak-ng*) exit 1;; *) echo "install ok installed";; esac'
    env = stand_ins(tmp_path / "bin", dpkg_query=answer, id="echo 1000")

    done = run("system_packages.sh", env=env)

    assert done.returncode == 0
    assert "xvfb espeak-ng" in done.stderr


def test_root_installs_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    answer = 'case "$*" in *libegl1*|*xvfb*) exit 1;; *) echo "install ok installed";; esac'
    env = stand_ins(tmp_path / "bin", dpkg_query=answer, id="echo 0", apt_get=f'echo "$@" >> {tmp_path}/calls')

    done = run("system_packages.sh", env=env)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "calls").read_text().splitlines()[-1].endswith("--no-install-recommends libegl1 xvfb")


def test_nothing_is_said_or_done_when_all_is_there(tmp_path: Path) -> None:
    env = stand_ins(tmp_path / "bin", dpkg_query='echo "install ok installed"', id="echo 0", apt_get="exit 99")

    done = run("system_packages.sh", env=env)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_old_python_is_refused_with_what_to_install(tmp_path: Path) -> None:
    too_old = dict.fromkeys(("python3", "python3.11", "python3.12", "python3.13"), "exit 1")
    env = stand_ins(tmp_path / "bin", **too_old)
    env.pop("PYTHON", None)

    done = run("create_venv.sh", str(tmp_path / "venv"), env=env)

    assert done.returncode == 1
    assert "Python 3.11, 3.12 or 3.13" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_weights_are_fetched_once(tmp_path: Path) -> None:
    models = tmp_path / "models"
    env = stand_ins(tmp_path / "bin", madeleine=f'echo "$3" >> {tmp_path}/calls; mkdir -p "{models}/$3"')
    env["MADELEINE_MODELS"] = str(models)
    command = str(tmp_path / "bin" / "madeleine")

    for _ in range(2):
        assert run("get_weights.sh", command, "small", "large", env=env).returncode == 0

    assert (tmp_path / "calls").read_text().split() == ["small", "large"]


def test_deleted_weights_are_fetched_again(tmp_path: Path) -> None:
    models = tmp_path / "models"
    env = stand_ins(tmp_path / "bin", madeleine=f'echo "$3" >> {tmp_path}/calls; mkdir -p "{models}/$3"')
    env["MADELEINE_MODELS"] = str(models)
    command = str(tmp_path / "bin" / "madeleine")
    run("get_weights.sh", command, "small", env=env)

    shutil.rmtree(models / "small")
    run("get_weights.sh", command, "small", env=env)

    assert (tmp_path / "calls").read_text().split() == ["small", "small"]


def test_a_failed_fetch_stops_and_is_tried_again(tmp_path: Path) -> None:
    env = stand_ins(tmp_path / "bin", madeleine=f"echo tried >> {tmp_path}/calls; exit 3")
    env["MADELEINE_MODELS"] = str(tmp_path / "models")
    command = str(tmp_path / "bin" / "madeleine")

    assert run("get_weights.sh", command, "small", "large", env=env).returncode == 3
    assert run("get_weights.sh", command, "small", env=env).returncode == 3
    assert (tmp_path / "calls").read_text().split() == ["tried", "tried"]


def test_the_compiled_wheel_is_built_once_and_then_found(tmp_path: Path) -> None:
    env = stand_ins(tmp_path / "bin", python=_PIP)
    env["CALLS"], env["INSTALLS"] = str(tmp_path / "calls"), str(tmp_path / "installs")
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text('dependencies = [\n    "llama-cpp-python==9.9.9",\n]\n')

    for _ in range(2):
        command = ["bash", str(SETUP / "llama_wheel.sh"), "python", str(tmp_path / "wheels")]
        done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=project)
        assert done.returncode == 0, done.stderr

    flags = (tmp_path / "calls").read_text().splitlines()
    assert len(flags) == 1
    assert "-DGGML_NATIVE=OFF" in flags[0]
    assert len((tmp_path / "installs").read_text().splitlines()) == 2
