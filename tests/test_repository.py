"""Does the repository keep its own promises: what lies where, what no file says, and what `make test` runs?"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent

TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "README.md",
    "core",
    "desktop",
    "installers",
    "models",
    "pyproject.toml",
    "resources",
    "tests",
}
CODE = ("core", "models", "desktop", "installers", "resources", "tests")
TEXT_SUFFIXES = {
    "",
    ".py",
    ".md",
    ".toml",
    ".sh",
    ".spec",
    ".json",
    ".jsonl",
    ".txt",
    ".svg",
    ".qss",
    ".iss",
    ".ps1",
    ".plist",
}
# Spelt in pieces, or this file would find itself.
MACHINE_PLACES = [r"(?<![\w./-])/" + folder + r"/" for folder in ("root", "work", "home", "Users")] + ["bash_" + "jobs"]
REGISTRY_HOSTS = ["pypi" + r"\.org", "python" + r"hosted\.org", r"deb\." + r"debian\.org", r"registry\." + "npmjs"]
STUB_MARKERS = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error", "coming " + "soon"]
LONGEST_FUNCTION = 70


def tracked_files() -> list[Path]:
    """What belongs to the repository: what git knows, or everything that is not made by us where there is no git."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]
    made = {".venv", "build", "dist", "__pycache__", "madeleine.egg-info"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not _is_made(path.relative_to(ROOT), made)]


def _is_made(relative: Path, made: set[str]) -> bool:
    is_hidden = relative.parts[0].startswith(".") and relative.parts[0] != ".ci"
    return is_hidden or bool(made.intersection(relative.parts))


FILES = tracked_files()
MODULES = [path for path in FILES if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in CODE]


def test_nothing_lies_at_the_top_that_does_not_belong_there() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} <= TOP_LEVEL


def test_no_file_names_a_place_on_one_machine_or_a_host_of_a_registry() -> None:
    assert findings([*MACHINE_PLACES, *REGISTRY_HOSTS]) == []


def test_nothing_is_left_unfinished() -> None:
    words = re.compile(r"\b(" + "|".join(STUB_MARKERS) + r")\b")
    assert [f"{place(path)}: {match[0]}" for path in MODULES for match in words.finditer(path.read_text("utf-8"))] == []


def test_every_module_says_first_which_question_it_answers() -> None:
    silent = [place(path) for path in MODULES if path.read_text("utf-8").strip() and not first_line(path)]
    assert silent == []


def test_no_function_is_longer_than_a_reader_can_hold() -> None:
    long = [
        f"{place(path)}:{node.lineno} {node.name} has {node.end_lineno - node.lineno + 1} lines"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert long == []


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on this system")
@pytest.mark.parametrize(
    "check",
    [
        "ruff check",
        "ruff format --check",
        "mypy",
        "lint-imports",
        "vulture",
        'pytest -m "not integration"',
        "pytest -m integration",
    ],
)
def test_make_test_runs_every_check(check: str) -> None:
    planned = subprocess.run(["make", "--dry-run", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert check in planned


def test_ci_runs_the_same_command_as_a_person() -> None:
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert "set -euo pipefail" in lines
    assert lines[-1] == "make test"


def test_mypy_is_strict_for_every_package_and_no_layer_contract_is_missing() -> None:
    tools = pyproject()["tool"]
    assert tools["mypy"]["strict"] is True
    assert {"core", "models", "desktop"} <= set(tools["mypy"]["packages"])
    assert len(tools["importlinter"]["contracts"]) >= 8


def test_the_readme_names_the_two_commands_and_every_word_of_the_glossary() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "\nmake demo\n" in readme
    assert "\nmake test\n" in readme
    for word in (
        "captured memory",
        "atomic context",
        "event",
        "semantic knowledge",
        "provenance",
        "evidence",
        "correction",
    ):
        assert f"| {word} |" in readme, f"the glossary lacks {word!r}"


def test_every_dependency_has_its_reason_size_and_licence_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    names = [re.match(r"[\w-]+", line) for line in pyproject()["project"]["dependencies"]]
    rows = [name[0] for name in names if name and re.search(rf"^\| {name[0]} \|.+\|.+\|.+\|$", readme, re.MULTILINE)]
    assert rows == [name[0] for name in names if name]


def test_every_package_that_the_program_imports_is_a_dependency_of_its_own() -> None:
    declared = {canonicalize_name(Requirement(line).name) for line in pyproject()["project"]["dependencies"]}
    distributions = metadata.packages_distributions()
    undeclared = [
        f"{place(path)} imports {name}"
        for path in MODULES
        if path.relative_to(ROOT).parts[0] in ("core", "models", "desktop", "resources")
        for name in imported(path)
        if name in distributions and not declared & {canonicalize_name(owner) for owner in distributions[name]}
    ]
    assert undeclared == []


def test_the_version_is_written_in_one_place() -> None:
    assigned = re.compile(r"^(__version__|VERSION|APP_VERSION)\s*(:.*)?=\s*[\"']\d", re.MULTILINE)
    assert [place(path) for path in MODULES if assigned.search(path.read_text("utf-8"))] == []
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## [{pyproject()['project']['version']}]" in changelog


def test_the_licence_is_apache_2() -> None:
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")[:200]
    assert pyproject()["project"]["license"] == "Apache-2.0"


def findings(patterns: list[str]) -> list[str]:
    """Where a text file of the repository says one of these."""
    wanted = re.compile("|".join(patterns))
    texts = [path for path in FILES if path.suffix in TEXT_SUFFIXES]
    return [f"{place(path)}: {match[0]}" for path in texts for match in wanted.finditer(path.read_text("utf-8"))]


def imported(path: Path) -> set[str]:
    """The top-level names of other people's packages that a module imports."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    return {name.partition(".")[0] for name in names} - set(CODE) - set(sys.stdlib_module_names)


def first_line(path: Path) -> str:
    """The first line of a module's docstring; empty without one."""
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    return docstring.splitlines()[0].strip() if docstring else ""


def place(path: Path) -> str:
    """A path as a person names it."""
    return path.relative_to(ROOT).as_posix()


def pyproject() -> dict[str, dict]:  # whatever TOML holds
    """The project's settings."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
