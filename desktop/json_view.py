"""Records as the JSON that the command line prints (`--json`)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.records import Answer, CapturedMemory, Doubt, Event, Found, Knowledge, Problem, Proposal, Provenance
from core.text_keys import printable

if TYPE_CHECKING:
    from core.engine import Engine, Status


def taken_at(memory: CapturedMemory) -> str | None:
    """When it was captured: ISO 8601 wall time, with offset where known, the day alone where only that is known."""
    taken = memory.taken
    if taken.wall is None:
        return None
    if taken.day_only:
        return taken.wall.date().isoformat()
    text = taken.wall.isoformat(timespec="seconds")
    if taken.utc_offset_minutes is None:
        return text
    hours, minutes = divmod(abs(taken.utc_offset_minutes), 60)
    return f"{text}{'-' if taken.utc_offset_minutes < 0 else '+'}{hours:02}:{minutes:02}"


def file_of(memory: CapturedMemory) -> str:
    """Where its file is, else the name it had."""
    return printable(memory.files[0] if memory.files else memory.file_name)


def found_json(engine: "Engine", found: Sequence[Found]) -> list[dict[str, object]]:
    """Search results in order."""
    memories = {memory.id: memory for memory in engine.memories([each.memory_id for each in found])}
    return [
        {
            "id": memories[each.memory_id].public_id,
            "file": file_of(memories[each.memory_id]),
            "taken_at": taken_at(memories[each.memory_id]),
            "score": round(each.score, 4),
            "why": each.why,
        }
        for each in found
        if each.memory_id in memories
    ]


def answer_json(engine: "Engine", answer: Answer) -> dict[str, object]:
    """An answer with its citations."""
    cited = {memory.id: memory for memory in engine.memories([citation.memory_id for citation in answer.citations])}
    return {
        "outcome": answer.outcome,
        "text": answer.text,
        "value": list(answer.value) if isinstance(answer.value, tuple) else answer.value,
        "value_type": answer.value_type,
        "explanation": answer.explanation,
        "citations": [
            {
                "id": cited[citation.memory_id].public_id,
                "file": file_of(cited[citation.memory_id]),
                "taken_at": taken_at(cited[citation.memory_id]),
                "why": citation.why,
            }
            for citation in answer.citations
            if citation.memory_id in cited
        ],
        "confidence": round(answer.confidence, 3),
        "found_by": answer.found_by,
        "searched": answer.searched,
        "trace": [{"action": step.action, "result": step.result, "budget": step.budget} for step in answer.trace],
        "proposal": _proposal_json(engine, answer.proposal),
        "readings": list(answer.readings),
        "model": answer.model,
        "seconds": round(answer.seconds, 3),
        "first_pictures_seconds": None if answer.first_pictures_s is None else round(answer.first_pictures_s, 3),
        "prompt_tokens": answer.prompt_tokens,
        "fresh_prompt_tokens": answer.fresh_prompt_tokens,
        "completion_tokens": answer.completion_tokens,
        "conversation": answer.conversation_id,
    }


def event_json(engine: "Engine", event: Event) -> dict[str, object]:
    """An event with the public ids of its members."""
    return {
        "id": event.id,
        "name": event.name,
        "start": event.start.isoformat() if event.start else None,
        "end": event.end.isoformat() if event.end else None,
        "place": event.place,
        "summary": event.summary,
        "importance": event.importance,
        "status": event.status,
        "parent": event.parent_id,
        "members": [memory.public_id for memory in engine.memories(event.member_ids)],
        "made_by": event.provenance.made_by if event.provenance else "",
        "confidence": round(event.confidence, 3),
        "why": event.why,
        "corrected": event.corrected,
        "stale": event.stale,
    }


def fact_json(engine: "Engine", fact: Knowledge) -> dict[str, object]:
    """A statement with the public ids of its evidence."""
    return {
        "id": fact.id,
        "statement": fact.statement,
        "kind": fact.kind,
        "state": fact.state,
        "confidence": round(fact.confidence, 3),
        "evidence": [memory.public_id for memory in engine.memories(fact.evidence_ids)],
        "from": fact.valid_from.isoformat() if fact.valid_from else None,
        "to": fact.valid_to.isoformat() if fact.valid_to else None,
        "made_by": fact.provenance.made_by if fact.provenance else "",
        "why": fact.why,
    }


def _proposal_json(engine: "Engine", proposal: Proposal | None) -> dict[str, object] | None:
    if proposal is None:
        return None
    ids = [memory.public_id for memory in engine.memories(proposal.memory_ids)]
    return {"kind": proposal.kind, "ids": ids, "name": proposal.name, "event": proposal.event_id}


def memory_json(engine: "Engine", memory: CapturedMemory) -> dict[str, object]:
    """The interchange record of a memory with where each value came from and the events it belongs to."""
    transcript = engine.transcript(memory.id)
    return {
        **engine.interchange(memory.id),
        "file": file_of(memory),
        "private": memory.private,
        "missing": memory.is_missing,
        "contexts": [
            {
                "kind": context.kind,
                "value": context.value,
                "confidence": round(context.confidence, 3),
                "origin": context.origin,
                "why": context.why,
                "provenance": provenance_json(context.provenance),
            }
            for context in engine.contexts(memory.id)
        ],
        "provenance": {
            f"{value.field}/{value.origin}": provenance_json(value.provenance) for value in engine.values(memory.id)
        },
        "segments": [
            {"start": segment.start_s, "end": segment.end_s, "text": segment.text} for segment in transcript.segments
        ],
        "language": transcript.language,
        "doubts": [
            {"kind": doubt.kind, "reason": doubt.reason, "suggestion": doubt.suggestion}
            for doubt in engine.review(memory.id)
        ],
        "events": [{"id": event_id, "name": engine.event(event_id).name} for event_id in memory.event_ids],
    }


def provenance_json(provenance: Provenance | None) -> dict[str, str]:
    """Who made a value, with what, and when."""
    if provenance is None:
        return {}
    return {
        "made_by": provenance.made_by,
        "model_revision": provenance.model_revision,
        "prompt_version": provenance.prompt_version,
        "made_at": provenance.made_at,
    }


def doubt_json(engine: "Engine", doubt: Doubt) -> dict[str, object]:
    """Something about a memory that the person may want to check."""
    memory = engine.memory(doubt.memory_id)
    return {
        "id": memory.public_id,
        "file": file_of(memory),
        "kind": doubt.kind,
        "reason": doubt.reason,
        "suggestion": doubt.suggestion,
    }


def problem_json(problem: Problem) -> dict[str, object]:
    """A file or step that did not work."""
    return {
        "file": printable(problem.file),
        "reason": problem.reason,
        "stage": problem.stage,
        "attempts": problem.attempts,
        "ignored": problem.ignored,
    }


def status_json(status: "Status") -> dict[str, object]:
    """How the library stands, with counts by stage."""
    return {
        "memories": status.memories,
        "events": status.events,
        "facts": status.facts,
        "problems": status.problems,
        "without_details": status.without_details,
        "unmatched_sidecars": status.unmatched_sidecars,
        "owner": status.owner,
        "paused": status.paused,
        "folders": [{"path": printable(root.path), "online": root.online} for root in status.roots],
        "stages": {stage.value: counts for stage, counts in status.stages.items()},
        "models": status.models,
    }
