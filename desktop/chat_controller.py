"""Turns a question in the Chat panel into a job, and its news into a growing answer."""

from collections.abc import Callable, Sequence
from datetime import date

from core.engine import Engine
from core.errors import AppError
from core.jobs import Job
from core.records import Answer, AskStep, Citation, Outcome, Question
from desktop.answer_actions import AnswerActions
from desktop.chat_view import AnswerBubble, ChatView
from desktop.item_models import described
from desktop.strings import tr
from desktop.thumbnails import Thumbnails
from desktop.worker import EngineWorker

_REFERENCES = 12
_FIRST_PICTURES = 6


class ChatController:
    """One conversation at a time, one question at a time."""

    def __init__(
        self,
        engine: Engine,
        worker: EngineWorker,
        view: ChatView,
        thumbnails: Thumbnails,
        open_memory: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._worker = worker
        self._view = view
        self._thumbnails = thumbnails
        self._open_memory = open_memory
        self._conversation: str | None = None
        self._job: Job | None = None
        self._bubble: AnswerBubble | None = None
        self._asked = ""
        self.today: date | None = None
        self._actions = AnswerActions(engine, worker, self.ask, self._show_found)
        view.asked.connect(self.ask)
        view.stopped.connect(self._stop)
        view.restarted.connect(self._restart)

    @property
    def busy(self) -> bool:
        """Whether a question is being answered."""
        return self._job is not None

    def ask(self, text: str) -> None:
        """Ask a question, as if it had been typed; one that is still being answered is stopped."""
        if self._job is not None:
            self._stop()
        bubble = AnswerBubble(self._thumbnails, self._open_memory)
        bubble.text.setText(tr("Looking …"))
        self._bubble, self._asked = bubble, text
        self._view.add_question(text)
        self._view.add_answer(bubble)
        self._view.set_busy(True)
        written: list[str] = []

        def on_step(step: AskStep) -> None:
            if self._bubble is not bubble:
                return
            if step.pictures:
                self._show_references(bubble, step.pictures[:_FIRST_PICTURES])
            if step.text:
                written.append(step.text)
                bubble.text.setText("".join(written))
            elif step.doing and not written:
                bubble.text.setText(step.doing)

        question = Question(text, self.today or date.today(), conversation_id=self._conversation,
                            with_agent=self._view.step_by_step.isChecked())  # fmt: skip
        self._job = self._worker.ask(
            question,
            on_step,
            lambda answer: self._finish(bubble, answer, text),
            lambda error: self._fail(bubble, error),
        )

    def _finish(self, bubble: AnswerBubble, answer: Answer, question: str) -> None:
        if self._bubble is not bubble:  # stopped, or its conversation was left, while the answer was on its way
            return
        self._conversation = answer.conversation_id or None
        self._end()
        self._show(bubble, answer, question)

    def _show(self, bubble: AnswerBubble, answer: Answer, question: str) -> None:
        bubble.text.setText("\n".join([answer.text, *(f"• {reading}" for reading in answer.readings)]))
        self._show_references(bubble, [citation.memory_id for citation in answer.citations][:_REFERENCES])
        how = answer.found_by or answer.searched
        if answer.outcome is Outcome.NOT_FOUND and answer.searched:
            how = answer.searched
        more = len(answer.citations) - _REFERENCES
        told = [how + (f"  (+{more})" if more > 0 else ""), self._engine.language_warning(question)]
        bubble.found_by.setText("\n".join(line for line in told if line))
        self._actions.offer(bubble, answer, question)

    def _show_found(self, text: str, memory_ids: Sequence[str]) -> None:
        """Show pictures that were looked for from an answer, as an answer of their own."""
        bubble = AnswerBubble(self._thumbnails, self._open_memory)
        bubble.text.setText(text)
        self._view.add_answer(bubble)
        self._show_references(bubble, memory_ids[:_REFERENCES])

    def _fail(self, bubble: AnswerBubble, error: Exception) -> None:
        if self._bubble is not bubble:
            return
        bubble.text.setText(str(error) if isinstance(error, AppError) else tr("Something went wrong inside Madeleine."))
        self._end()

    def _stop(self) -> None:
        if self._job is not None and self._bubble is not None:
            self._job.cancel()
            self._show(self._bubble, _stopped(self._bubble.references), self._asked)
        self._end()

    def _restart(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._end()
        self._conversation = None
        self._view.clear()

    def _end(self) -> None:
        self._job = self._bubble = None
        self._view.set_busy(False)

    def _show_references(self, bubble: AnswerBubble, memory_ids: Sequence[str]) -> None:
        bubble.show_references([(memory.id, described(memory)) for memory in self._engine.memories(memory_ids)])


def _stopped(found: Sequence[str]) -> Answer:
    """An answer that was stopped: the pictures found until then stay; a half sentence goes, for nothing of it was checked."""
    text = tr("Stopped before there was an answer.")
    if found:
        text = f"{text} {tr('These pictures had been found.')}"
    return Answer(outcome=Outcome.STOPPED, text=text, citations=tuple(Citation(each) for each in found))
