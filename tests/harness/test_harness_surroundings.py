"""Is the world of a test its own?"""

import os
import socket
import time
from pathlib import Path

import pytest

from core.offline import NetworkForbiddenError
from core.paths import default_home


def test_the_home_is_a_temporary_one(tmp_path_factory: pytest.TempPathFactory) -> None:
    base = tmp_path_factory.getbasetemp()

    assert Path.home().is_relative_to(base)
    assert default_home().is_relative_to(base)


def test_a_unit_test_sees_no_weights() -> None:
    assert not Path(os.environ["MADELEINE_MODELS"]).exists()


def test_nothing_reaches_the_network() -> None:
    with pytest.raises(NetworkForbiddenError), socket.socket() as internet:
        internet.connect(("127.0.0.1", 9))


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be set here")
def test_the_zone_is_an_unusual_one() -> None:
    assert time.strftime("%z", time.localtime(0)) == "+1245"
