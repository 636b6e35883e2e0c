"""Reads the files that lie beside an export: the owner, events, facts, the graph and the history of corrections.

What is here already and has the person's word is never overwritten.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

from core.records import Correction, Event, KnowledgeState
from core.store.json_lines import BadLineError, Line, read_json_lines, sibling
from core.store.library import Library
from core.store.people_lines import Example, land_examples, read_person_line
from core.store.sibling_lines import Named, read_correction, read_edge, read_event, read_fact, read_person
from core.store.told import show_told
from core.text_keys import text_key

Read = TypeVar("Read")

_OWN_WORD = frozenset({KnowledgeState.CONFIRMED, KnowledgeState.REJECTED, KnowledgeState.OWN})


@dataclass(slots=True)
class SiblingCounts:
    """How many were new or newer than what was here; who the owner is; and what could not be used, one sentence each."""

    events: int = 0
    facts: int = 0
    edges: int = 0
    corrections: int = 0
    owner: str = ""
    refused: tuple[str, ...] = ()


def import_siblings(
    library: Library, path: Path, memory_ids: Mapping[str, str], is_usable: Callable[[Correction], bool]
) -> SiblingCounts:
    """Read the siblings of `path` in one transaction; missing files are no siblings.

    Args:
        memory_ids: memory ids by the public ids that the files use.
        is_usable: whether a correction can be replayed.
    """
    counts = SiblingCounts()
    with library.database.write():
        corrected = {each.target_id for each in library.corrections.standing() if each.target_kind != "memory"}
        _read_owner(path, counts)
        _read_events(library, path, memory_ids, corrected, counts)
        _read_facts(library, path, memory_ids, corrected, counts)
        _read_graph(library, path, memory_ids, counts)
        _read_corrections(library, path, memory_ids, is_usable, counts)
        _read_people(library, path, memory_ids, is_usable, counts)
    return counts


def _records(
    path: Path, name: str, counts: SiblingCounts, read: Callable[[Named], Read]
) -> Iterator[tuple[Line, Read]]:
    """What the lines of a sibling say; a line that says nothing of use is refused."""
    file = sibling(path, name)
    if not file.is_file():
        return
    for line in read_json_lines(file):
        try:
            said = read(Named.of(line.value()))
        except BadLineError as error:
            _refuse(counts, line, str(error))
        else:
            yield line, said


def _refuse(counts: SiblingCounts, line: Line, reason: str) -> None:
    said = f"{line.where}: {reason}."
    if said not in counts.refused:  # the people are read twice: the owner before everything, the others last
        counts.refused += (said,)


def _read_owner(path: Path, counts: SiblingCounts) -> None:
    for _, (name, is_owner) in _records(path, "people", counts, read_person):
        if is_owner:
            counts.owner = name


def _read_people(
    library: Library,
    path: Path,
    memory_ids: Mapping[str, str],
    is_usable: Callable[[Correction], bool],
    counts: SiblingCounts,
) -> None:
    """After the corrections: somebody about whom those said something came with them."""
    known = {each.target_id for each in library.corrections.all("person")}
    named = {text_key(person.name): person.id for person in library.people.all() if person.name}

    def read(record: Named) -> tuple[str, Correction | None, list[Example]]:
        return record.text("name"), *read_person_line(record, memory_ids)

    for line, (name, word, examples) in _records(path, "people", counts, read):
        if word is None:
            continue
        land_examples(library, examples)
        same = named.get(text_key(name))
        if same is not None and same != word.target_id:  # named in both libraries: one person
            word = replace(word, target_id=same, action="assign")
        if word.target_id in known and (same is None or (same == word.target_id and word.action == "import")):
            continue
        if not is_usable(word):
            _refuse(counts, line, "it is no person")
        elif word.id not in {each.id for each in library.corrections.all("person")}:
            library.corrections.add(word)


def _read_events(
    library: Library, path: Path, memory_ids: Mapping[str, str], corrected: set[str], counts: SiblingCounts
) -> None:
    """Parents may come after their children: links are made when all events are there."""
    known = {event.id: event for event in library.events.all()}
    parents: list[tuple[Line, Event]] = []
    for line, event in _records(path, "events", counts, lambda record: read_event(record, memory_ids)):
        before = known.get(event.id)
        is_settled = event.id in corrected or (before is not None and before.corrected)
        if is_settled or (before is not None and _same(before, event)):
            continue  # also an event that the person deleted here: it does not come back
        library.events.put(replace(event, parent_id=before.parent_id if before else None))
        known[event.id] = event
        counts.events += 1
        parents.append((line, event))
    for line, event in parents:
        if event.parent_id is None or event.parent_id == event.id:
            continue
        if event.parent_id in known:
            library.events.put(event)
        else:
            _refuse(counts, line, f"the event's parent {event.parent_id} is not there")


def _same(before: Event, event: Event) -> bool:
    """Whether nothing that an export says differs (members are compared as sets: their order is that of time)."""
    return replace(before, member_ids=()) == replace(event, member_ids=()) and set(before.member_ids) == set(
        event.member_ids
    )


def _read_facts(
    library: Library, path: Path, memory_ids: Mapping[str, str], corrected: set[str], counts: SiblingCounts
) -> None:
    known = {fact.id: fact for fact in library.knowledge.all(with_rejected=True)}
    for _, fact in _records(path, "facts", counts, lambda record: read_fact(record, memory_ids)):
        before = known.get(fact.id)
        is_settled = fact.id in corrected or (before is not None and before.state in _OWN_WORD)
        if not is_settled and before != fact:
            library.knowledge.put(fact)
            known[fact.id] = fact
            counts.facts += 1


def _read_graph(library: Library, path: Path, memory_ids: Mapping[str, str], counts: SiblingCounts) -> None:
    told = [edges for _, edges in _records(path, "graph", counts, lambda record: read_edge(record, memory_ids))]
    before = library.graph.counts()[1]
    library.graph.add(list(chain.from_iterable(told)))
    counts.edges = library.graph.counts()[1] - before


def _read_corrections(
    library: Library,
    path: Path,
    memory_ids: Mapping[str, str],
    is_usable: Callable[[Correction], bool],
    counts: SiblingCounts,
) -> None:
    known = {correction.id for correction in library.corrections.all()}
    for line, correction in _records(path, "corrections", counts, lambda record: read_correction(record, memory_ids)):
        if not is_usable(correction):
            _refuse(counts, line, f"it is no correction that can be applied ({correction.action[:40]!r})")
        elif correction.id not in known:
            library.corrections.add(correction)
            known.add(correction.id)
            counts.corrections += 1
    show_told(library.corrections, library.graph, library.stages.note("owner") or counts.owner)
