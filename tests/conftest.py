"""Makes every test strict and alone; see `tests/harness`.

Warnings are errors (pyproject.toml), the order is random (pytest-randomly), unit tests are `-m "not integration"`.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.harness import logs, strays, surroundings

surroundings.prepare_process()

# Examples are bounded by number; a time limit for each fails on a busy machine and says nothing about the code.
# In CI the same examples every time, so that a change is judged by what it changes; elsewhere new ones look for more.
settings.register_profile("madeleine", deadline=None, max_examples=60, derandomize="CI" in os.environ)
settings.load_profile("madeleine")


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> None:
    """Internet sockets are refused for the whole run, except inside `core.offline.network_allowed()`."""
    from core.offline import forbid_network

    forbid_network()


@pytest.fixture(autouse=True)
def _own_home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("home", numbered=True)
    with surroundings.own_home(folder, with_weights=_is_integration(request)):
        yield


@pytest.fixture(autouse=True)
def _no_strays(_own_home: None) -> Iterator[None]:
    before = strays.started()
    yield
    if names := strays.left_behind(before):
        pytest.fail("left running: " + "; ".join(names), pytrace=False)


@pytest.fixture(autouse=True)
def expected_log(request: pytest.FixtureRequest) -> Iterator[logs.ExpectedLog]:
    """Announce what the code under test will log: `expected_log("died on start", logger="core.child")`.

    A test that asks for pytest's `caplog` reads the log itself and is left alone.
    """
    with logs.watched_log() as expected:
        yield expected
    if "caplog" in request.fixturenames:
        return
    if strangers := expected.unannounced():
        pytest.fail("unexpected log records (announce them with expected_log): " + " | ".join(strangers), pytrace=False)
    if never_came := expected.missing():
        pytest.fail("announced, but never logged: " + " | ".join(never_came), pytrace=False)


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder of the starter weights. Missing ones fail the test: an integration run without them proves nothing."""
    if missing := surroundings.missing_weights():
        pytest.fail(
            f"No weights of {', '.join(missing)} in {surroundings.MODELS_DIR}. Run: make test-weights", pytrace=False
        )
    return surroundings.MODELS_DIR


def _is_integration(request: pytest.FixtureRequest) -> bool:
    return request.node.get_closest_marker("integration") is not None
