"""Shows the model's sentence while it is being written: the call runs on a helper thread, its words come out as news."""

import queue
import threading
from collections.abc import Callable, Generator
from typing import TypeVar

from core.records import AskStep

Result = TypeVar("Result")

_MARK = "answer: "


class SentencePieces:
    """Cuts the sentence out of a reply of `prompts.ANSWER_GRAMMAR` as it grows."""

    def __init__(self) -> None:
        self._seen = ""
        self._shown = 0

    def feed(self, piece: str) -> str:
        """What of the sentence is new with this piece of the reply; empty before it begins and after it ends."""
        self._seen += piece
        start = self._seen.find(_MARK)
        if start < 0:
            return ""
        sentence = self._seen[start + len(_MARK) :].partition("\n")[0]
        new, self._shown = sentence[self._shown :], len(sentence)
        return new


def streamed(call: Callable[[Callable[[str], None]], Result]) -> Generator[AskStep, None, Result]:
    """Run `call`, giving it a function for each piece of the reply, and yield the sentence's words as they come.

    What is shown early is a draft: the checked answer replaces it. The thread has ended when this returns or raises, also
    when the generator is closed in the middle (the model then stops at its next token, since the job was interrupted).

    Raises:
        Whatever `call` raises.
    """
    news: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(call(news.put))
        except BaseException as error:  # noqa: BLE001 - raised again below, on the thread that asked
            failure.append(error)
        finally:
            news.put(None)

    thread = threading.Thread(target=run, name="madeleine-phrasing", daemon=True)
    thread.start()
    pieces = SentencePieces()
    try:
        while (piece := news.get()) is not None:
            if new := pieces.feed(piece):
                yield AskStep(text=new)
    finally:
        thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
