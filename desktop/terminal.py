"""How the command line speaks: results to standard output, notes and progress to standard error."""

import io
import json
import sys
import time

from core.errors import AppError
from core.jobs import News
from core.records import AskStep, Progress, Stage
from desktop.durations import spoken

_EVERY_S = 0.5


class Terminal:
    """Prints for a person, or JSON for a program."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter must not stop a command
        self._shown_at = 0.0
        self._stage: Stage | None = None
        self._open_line = False

    def result(self, value: object, text: str) -> None:
        """Print a command's result: the value as JSON, or the text for a person."""
        self._end_line()
        print(_json(value) if self.as_json else text, flush=True)

    def note(self, text: str) -> None:
        """Tell the person something that is not the result."""
        self._end_line()
        print(text, file=sys.stderr, flush=True)

    def agreed(self, question: str) -> bool:
        """Ask for a yes at a terminal; without one nobody agrees."""
        if self.as_json or not sys.stdin.isatty():
            return False
        self._end_line()
        print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().casefold() in ("y", "yes")

    def error(self, error: AppError) -> None:
        """Say what could not be done and what to do about it."""
        self._end_line()
        if self.as_json:
            print(_json({"error": error.message, "hint": error.hint}), flush=True)
        print(f"madeleine: {error}", file=sys.stderr, flush=True)

    def news(self, news: News) -> None:
        """Show progress: a line that is rewritten on a terminal, one line a stage elsewhere."""
        if isinstance(news, Progress):
            self._progress(news)
        elif isinstance(news, AskStep) and news.doing and sys.stderr.isatty():
            self._rewrite(news.doing)

    def _progress(self, news: Progress) -> None:
        left = (
            f", about {spoken(news.seconds_left)} left"
            if news.seconds_left is not None and news.done < news.total
            else ""
        )
        text = f"{news.stage.replace('_', ' ')}: {news.done} of {news.total}{left}"
        if sys.stderr.isatty():
            if news.stage != self._stage or news.done == news.total or time.monotonic() - self._shown_at > _EVERY_S:
                self._rewrite(text)
        elif news.stage != self._stage:
            print(text, file=sys.stderr, flush=True)
        self._stage = news.stage

    def _rewrite(self, text: str) -> None:
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        self._open_line = True
        self._shown_at = time.monotonic()

    def _end_line(self) -> None:
        if self._open_line:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._open_line = False


def _json(value: object) -> str:
    """JSON that stays JSON where the output cannot hold every letter (a pipe on Windows)."""
    is_whole = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(value, ensure_ascii=not is_whole)
