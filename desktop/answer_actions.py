"""What the person may do with an answer in the chat: agree to what it proposes, see its steps, say what is wrong, keep it as a fact."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QMenu, QPushButton

from core.engine import Engine
from core.errors import AppError
from core.records import Answer, Changes, Found, Outcome, Proposal
from desktop.chat_view import AnswerBubble
from desktop.parts import button
from desktop.strings import count_of, tr
from desktop.worker import EngineWorker

_ALIKE = 12


class AnswerActions:
    """Fills the row of buttons below an answer and the menu of its pictures."""

    def __init__(
        self, engine: Engine, worker: EngineWorker, ask: Callable[[str], None],
        show_found: Callable[[str, Sequence[str]], None],
    ) -> None:  # fmt: skip
        self._engine = engine
        self._worker = worker
        self._ask = ask
        self._show_found = show_found

    def offer(self, bubble: AnswerBubble, answer: Answer, question: str) -> None:
        """Show what fits this answer."""
        buttons: list[QPushButton] = []
        if answer.proposal is not None:
            buttons = self._proposed(bubble, answer.proposal)
        elif answer.outcome in (Outcome.ANSWERED, Outcome.AMBIGUOUS):
            buttons.append(
                button(
                    tr("Wrong"),
                    lambda: self.wrong(answer, question),
                    hint=tr("Leave these pictures out and look again"),
                )
            )
            if answer.outcome is Outcome.ANSWERED:
                hint = tr("Keep question and answer under Knowledge, as your word")
                buttons.append(button(tr("Save as fact"), lambda: self.save_fact(bubble, answer, question), hint=hint))
        elif answer.outcome is Outcome.STOPPED:
            buttons.append(button(tr("Ask again"), lambda: self._ask(question)))
        if answer.trace:
            bubble.steps.setText(steps_of(answer))
            hint = tr("What the model looked up")
            buttons.append(button(tr("Steps"), lambda: bubble.steps.setVisible(bubble.steps.isHidden()), hint=hint))
        bubble.show_actions(buttons)
        bubble.reference_menu = lambda memory_id: self._menu(bubble, memory_id, question)

    def wrong(self, answer: Answer, question: str) -> None:
        """The pictures shown have nothing to do with the question: it is asked again without them."""
        ids = [citation.memory_id for citation in answer.citations]
        self._reject(ids, question)

    def save_fact(self, bubble: AnswerBubble, answer: Answer, question: str) -> None:
        """Keep it as the person's own statement."""
        statement = f"{question.strip().rstrip('?')}: {answer.text.strip()}"[:200]
        self._edit(bubble, lambda: self._engine.correct.add_fact(statement), tr("Kept under Knowledge."))

    def _proposed(self, bubble: AnswerBubble, proposal: Proposal) -> list[QPushButton]:
        yes = button(tr("Yes, do it"), lambda: self._carry_out(bubble, proposal))
        yes.setObjectName("primary")
        return [yes, button(tr("No"), lambda: self._done(bubble, tr("Nothing was changed."), []))]

    def _carry_out(self, bubble: AnswerBubble, proposal: Proposal) -> None:
        done: list[tuple[str, tuple[str, ...]]] = []

        def act() -> Changes:
            carried = self._engine.carry_out(proposal)
            done.append((carried.text, carried.correction_ids))
            return carried.changes

        def told(_: Changes) -> None:
            text, ids = done[0]
            undo = button(
                tr("Undo"), lambda: self._edit(bubble, lambda: self._engine.take_back(ids), tr("Taken back."))
            )
            self._done(bubble, text, [undo])

        self._worker.edit("carry out", act, told, lambda error: self._failed(bubble, error))

    def _menu(self, bubble: AnswerBubble, memory_id: str, question: str) -> QMenu:
        menu = QMenu(bubble)
        menu.addAction(tr("Not this one")).triggered.connect(lambda: self._reject([memory_id], question))
        menu.addAction(tr("More like this")).triggered.connect(lambda: self._more_like(bubble, memory_id))
        return menu

    def _reject(self, memory_ids: Sequence[str], question: str) -> None:
        def act() -> Changes:
            changes = Changes()
            for memory_id in memory_ids:
                changes |= self._engine.correct.reject_citation(memory_id, question)
            return changes

        self._worker.edit("not this one", act, lambda _: self._ask(question))

    def _more_like(self, bubble: AnswerBubble, memory_id: str) -> None:
        def show(found: list[Found]) -> None:
            self._show_found(
                f"{tr('Looks like it:')} {count_of(len(found), 'picture', 'pictures')}",
                [each.memory_id for each in found],
            )

        self._worker.look_up(
            "more like this",
            lambda: self._engine.looking_like(memory_id, _ALIKE),
            show,
            lambda error: self._failed(bubble, error),
        )

    def _edit(self, bubble: AnswerBubble, act: Callable[[], Changes], told: str) -> None:
        self._worker.edit(
            "answer", act, lambda _: self._done(bubble, told, []), lambda error: self._failed(bubble, error)
        )

    def _failed(self, bubble: AnswerBubble, error: Exception) -> None:
        text = str(error) if isinstance(error, AppError) else tr("Something went wrong inside Madeleine.")
        self._done(bubble, text, [])

    def _done(self, bubble: AnswerBubble, text: str, buttons: Sequence[QPushButton]) -> None:
        bubble.found_by.setText(text)
        bubble.show_actions(buttons)


def steps_of(answer: Answer) -> str:
    """The model's steps with what came back, to be read."""
    return "\n\n".join(
        f"{number}. {step.action or tr('no step')}\n{step.result}\n({step.budget})".replace("\n\n", "\n")
        for number, step in enumerate(answer.trace, start=1)
    )
