"""Are stray log records found, and announced ones let through?"""

import logging

from tests.harness.logs import ExpectedLog, watched_log

log = logging.getLogger("madeleine.example")


def test_a_warning_that_nobody_announced_is_reported_with_its_place(expected_log: ExpectedLog) -> None:
    expected_log("the disk is full")  # the test around this one is watched too

    with watched_log() as watched:
        log.warning("the disk is %s", "full")

    assert len(watched.unannounced()) == 1
    assert "the disk is full" in watched.unannounced()[0]
    assert "test_harness_logs.py" in watched.unannounced()[0]


def test_information_is_not_collected() -> None:
    with watched_log() as watched:
        log.info("all is well")

    assert watched.records == []


def test_an_announced_warning_is_let_through(expected_log: ExpectedLog) -> None:
    expected_log(r"disk is \w+", logger="madeleine")

    log.warning("the disk is full")

    assert expected_log.unannounced() == []
    assert expected_log.missing() == []


def test_an_announcement_for_another_logger_does_not_count(expected_log: ExpectedLog) -> None:
    expected_log("full")

    with watched_log() as watched:
        watched("full", logger="made")
        log.warning("the disk is full")

    assert watched.missing() == ["full"]
    assert len(watched.unannounced()) == 1
