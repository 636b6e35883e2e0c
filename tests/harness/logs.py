"""Which warnings may a test log? Only the ones it announced; any other record of level WARNING or above fails it."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class ExpectedLog:
    """What one test announced, and what was logged. Call it with a regular expression before the code that logs.

    Every announced record must come, or the test fails: an announcement that nothing meets says something wrong.
    """

    records: list[logging.LogRecord] = field(default_factory=list)
    _patterns: list[tuple[re.Pattern[str], str]] = field(default_factory=list)

    def __call__(self, pattern: str, *, logger: str = "") -> None:
        """Announce records of `logger` (and of the loggers below it) whose message matches `pattern` somewhere."""
        self._patterns.append((re.compile(pattern), logger))

    def unannounced(self) -> list[str]:
        """The records that nobody announced, readable."""
        return [_readable(record) for record in self.records if not any(_fits(record, *p) for p in self._patterns)]

    def missing(self) -> list[str]:
        """The announced patterns that nothing matched."""
        return [p[0].pattern for p in self._patterns if not any(_fits(record, *p) for record in self.records)]


class _Collector(logging.Handler):
    def __init__(self, records: list[logging.LogRecord]) -> None:
        super().__init__(logging.WARNING)
        self._records = records

    def emit(self, record: logging.LogRecord) -> None:
        self._records.append(record)


@contextmanager
def watched_log() -> Iterator[ExpectedLog]:
    """Collect what is logged at WARNING or above, on any thread."""
    expected = ExpectedLog()
    collector = _Collector(expected.records)
    root = logging.getLogger()
    root.addHandler(collector)
    try:
        yield expected
    finally:
        root.removeHandler(collector)


def _fits(record: logging.LogRecord, pattern: re.Pattern[str], logger: str) -> bool:
    is_of_logger = not logger or record.name == logger or record.name.startswith(f"{logger}.")
    return is_of_logger and pattern.search(record.getMessage()) is not None


def _readable(record: logging.LogRecord) -> str:
    return f"{record.levelname} {record.name} ({record.filename}:{record.lineno}): {record.getMessage()}"
