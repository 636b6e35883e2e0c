"""Lets the model look things up step by step with the five tools, within a budget, until it answers or gives up (ReAct)."""

from collections.abc import Generator
from dataclasses import dataclass, field

from core.ask.dates import find_days
from core.ask.evidence import line_of
from core.ask.plan import Plan
from core.ask.prompts import agent_prompt
from core.ask.replies import AgentStep, read_step
from core.ask.tools import Toolbox, ToolResult
from core.ask.turn import Draft, Turn, not_found
from core.ask.verify import supporting, unsupported
from core.errors import ReplyError
from core.records import AskStep, Outcome, TraceStep, ValueType
from core.retrieve.search_box import parse_search

MOST_STEPS = 12
_ABLE_B = 4.0
"""Smaller models plan badly: they are only asked to when the person wants it (design, section 7)."""
_RESULT, _OLD_RESULT, _KEPT_WHOLE = 1_600, 240, 2
"""How many characters of a result the model still sees: the latest ones nearly whole, older ones by their beginning."""
_FOUND, _QUOTED = 0.6, 0.4


@dataclass(slots=True)
class _Run:
    """The steps so far."""

    tools: Toolbox
    trace: list[TraceStep] = field(default_factory=list)
    tried: dict[str, int] = field(default_factory=dict)
    refused: int = 0

    def lines(self) -> list[str]:
        """What was done, for the model: one line a step with its result below."""
        told: list[str] = []
        newest = len(self.trace) - _KEPT_WHOLE
        for number, step in enumerate(self.trace):
            told += [f"> {step.action}", step.result[: _RESULT if number >= newest else _OLD_RESULT]]
        return told


def is_due(turn: Turn, draft: Draft) -> bool:
    """Whether the direct path has left the question open and the model is large enough to plan."""
    chat = turn.talk.chat
    is_open = draft.outcome is Outcome.NOT_FOUND or (draft.outcome is Outcome.ANSWERED and draft.confidence <= _QUOTED)
    return is_open and turn.talk.is_able and chat is not None and chat.parameters_b >= _ABLE_B


def answer(turn: Turn, plan: Plan) -> Generator[AskStep, None, Draft | None]:
    """The model's answer with its trace in `turn.trace`; None where it failed to take steps that fit.

    Raises:
        JobCancelled: the turn was interrupted.
    """
    run = _Run(
        Toolbox(
            turn.library,
            turn.embedder,
            captioner=turn.captioner,
            load_picture=turn.load_picture,
            scope=plan.scope,
            interrupted=turn.talk.interrupted,
        )
    )
    today = f"{turn.question.asked_on:%A} {turn.question.asked_on.isoformat()}"
    for number in range(1, MOST_STEPS + 1):
        budget = f"{run.tools.budget()} {MOST_STEPS - number} more steps."
        if number == MOST_STEPS or run.tools.calls_left <= 0 or run.refused > 1:
            budget = f"{run.tools.budget()} Answer now."
        yield AskStep(doing=f"Looking things up, step {number}")
        prompt = agent_prompt(plan.query.question, today, run.lines(), budget)
        try:
            step = turn.talk.ask(prompt, read_step)
        except ReplyError as error:
            run.trace.append(TraceStep("", str(error), budget))
            break
        if step.tool == "answer":
            draft = _answered(turn, plan, run, step, budget)
            if draft is not None:
                turn.trace = tuple(run.trace)
                return draft
            continue
        result = _carried_out(turn, run, step)
        run.trace.append(TraceStep(step.told, result.text, budget))
        turn.note_retrieved(result.memory_ids, f"found by: {step.told}"[:120])
        if result.memory_ids:
            yield AskStep(pictures=result.memory_ids[:12])
        if run.refused > 2:
            break
    turn.trace = tuple(run.trace)
    return None


def _carried_out(turn: Turn, run: _Run, step: AgentStep) -> ToolResult:
    """The result of a step; a step taken before is refused, so that a model in a circle notices and ends."""
    run.tried[step.told] = run.tried.get(step.told, 0) + 1
    if run.tried[step.told] > 1:
        run.refused += 1
        return ToolResult(
            "You did exactly this before; the result is above. Try something else, or answer.", is_refused=True
        )
    tools = run.tools
    if step.tool == "search":
        return tools.search(step.words)
    if step.tool == "grep":
        return tools.grep(step.words)
    if step.tool == "list":
        rest, wanted = parse_search(step.words, turn.library, turn.question.asked_on, find_days)
        return tools.search(rest) if rest and wanted.is_empty else tools.list(wanted)
    if step.tool == "get":
        return tools.get(step.words)
    return tools.view(step.handles, step.words)


def _answered(turn: Turn, plan: Plan, run: _Run, step: AgentStep, budget: str) -> Draft | None:
    """The checked answer; None, with the objection in the trace, where it claims or cites what no result shows."""
    how = f"The language model looked things up in {len(run.trace)} steps"
    if not step.words:
        run.trace.append(TraceStep(step.told, "", budget))
        return not_found("I looked step by step and found nothing that shows it.", f"{how}: {run.tools.budget()}", how)
    ids = [each for handle in step.handles if (each := run.tools.memories.item(handle)) and each in run.tools.seen]
    sources = [plan.query.question, turn.question.asked_on.isoformat(), *(each.result for each in run.trace)]
    strange = unsupported(step.words, sources, turn.library.memories.vocabulary().people)
    if strange or not ids:
        run.refused += 1
        objection = (
            f"No result says {', '.join(strange[:3])}."
            if strange
            else "Name the memories that prove it, by their marks."
        )
        run.trace.append(TraceStep(step.told, objection, budget))
        return None
    said = {
        memory.id: f"{line_of(memory)} {memory.visible_text} {memory.speech}"
        for memory in turn.library.memories.many(ids)
    }
    run.trace.append(TraceStep(step.told, "", budget))
    turn.note_retrieved(ids, "named by the model")
    return Draft(outcome=Outcome.ANSWERED, text=step.words, value=step.words, value_type=ValueType.TEXT,
                 cited=supporting(step.words, plan.query.question, said), confidence=_FOUND, how=how)  # fmt: skip
