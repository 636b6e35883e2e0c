"""Writes the whole library in the interchange format: memories, and beside them owner, events, facts, graph and corrections."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.records import Correction, Event, Knowledge, Provenance
from core.store.graph_export import graph_lines
from core.store.interchange import memory_line
from core.store.json_lines import sibling, write_json_lines
from core.store.library import Library
from core.store.people_lines import people_lines

ExportCounts = dict[str, int]
"""How many lines each file has: memories, people, events, facts, graph, corrections."""

MEMORY_TOKEN = "⟨memory {}⟩"  # noqa: S105 - stands for a memory's id inside a correction's text; numbered from 0
_BATCH = 500
_FULL_ID = re.compile(r"\b[0-9a-f]{32}\b")


def export_library(library: Library, path: Path) -> ExportCounts:
    """Write `path` and its siblings (`X.events.jsonl` …), replacing what was there; forgotten memories are left out.

    Raises:
        StoreError: a file cannot be written.
    """
    public = {memory_id: public_id for public_id, memory_id in library.memories.ids_by_public_id().items()}
    facts = sorted(library.knowledge.all(with_rejected=True), key=lambda fact: fact.id)
    return {
        "memories": write_json_lines(path, _memories(library)),
        "people": write_json_lines(sibling(path, "people"), people_lines(library, public)),
        "events": write_json_lines(sibling(path, "events"), (_event(each, public) for each in library.events.all())),
        "facts": write_json_lines(sibling(path, "facts"), (_fact(each, public) for each in facts)),
        "graph": write_json_lines(sibling(path, "graph"), graph_lines(library)),
        "corrections": write_json_lines(
            sibling(path, "corrections"), (_correction(each, public) for each in library.corrections.all())
        ),
    }


def _memories(library: Library) -> Iterator[dict[str, object]]:
    ids = library.memories.ids_matching()
    for start in range(0, len(ids), _BATCH):
        for memory in library.memories.many(ids[start : start + _BATCH]):
            yield memory_line(library, memory)


def _event(event: Event, public: Mapping[str, str]) -> dict[str, object]:
    return {
        "id": event.id,
        "name": event.name,
        "start": event.start.isoformat() if event.start else None,
        "end": event.end.isoformat() if event.end else None,
        "place": event.place,
        "summary": event.summary,
        "importance": event.importance,
        "status": event.status.value,
        "parent": event.parent_id,
        "members": [public[member] for member in event.member_ids if member in public],
        "confidence": event.confidence,
        "why": event.why,
        "corrected": event.corrected,
        "stale": event.stale,
        **_made(event.provenance),
    }


def _fact(fact: Knowledge, public: Mapping[str, str]) -> dict[str, object]:
    return {
        "id": fact.id,
        "statement": fact.statement,
        "kind": fact.kind,
        "subject": fact.subject,
        "state": fact.state.value,
        "evidence": [public[memory_id] for memory_id in fact.evidence_ids if memory_id in public],
        "from": fact.valid_from.isoformat() if fact.valid_from else None,
        "to": fact.valid_to.isoformat() if fact.valid_to else None,
        "confidence": fact.confidence,
        "why": fact.why,
        **_made(fact.provenance),
    }


def _made(provenance: Provenance | None) -> dict[str, str]:
    known = provenance or Provenance("")
    return {
        "made_by": known.made_by,
        "model_revision": known.model_revision,
        "prompt_version": known.prompt_version,
        "made_at": known.made_at,
    }


def _correction(correction: Correction, public: Mapping[str, str]) -> dict[str, object]:
    """A correction, where every memory is named by its public id: full ids differ from library to library."""
    named: dict[str, None] = {}

    def token(match: re.Match[str]) -> str:
        public_id = public.get(match[0])
        if public_id is None:
            return match[0]
        named.setdefault(public_id)
        return MEMORY_TOKEN.format(list(named).index(public_id))

    before, after = (_FULL_ID.sub(token, text) for text in (correction.before, correction.after))
    return {
        "id": correction.id,
        "target_kind": correction.target_kind,
        "target": public.get(correction.target_id, correction.target_id),
        "action": correction.action,
        "before": before,
        "after": after,
        "memories": list(named),
        "why": correction.why,
        "made_at": correction.made_at,
        "undone_at": correction.undone_at,
        "who": correction.who,
    }
