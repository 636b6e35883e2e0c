"""Which relations do only texts and speech state? Two turns of the language model over small batches in time order (LifeGraph, B.1)."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from core.errors import ReplyError
from core.graph import text_prompts
from core.graph.relation_words import ENGLISH_WORDS
from core.ports import ChatModel, Interrupted, Prompt
from core.records import CapturedMemory, Concept, Triple
from core.store.graph import PERSON
from core.store.library import Library
from core.text_keys import text_key

Read = TypeVar("Read")
VERSION = text_prompts.VERSION
MOST_IN_BATCH = 5
_BATCH_LETTERS = 1_200
_FEWEST_WORDS, _MOST_KNOWN = 4, 12
_OWN_PEOPLE = re.compile(rf"\b(?:my|our|his|her|their) (?:{'|'.join(map(re.escape, ENGLISH_WORDS))})\b", re.IGNORECASE)


def text_of(memory: CapturedMemory) -> str:
    """The words of a memory that a model may read relations from."""
    return f"{memory.visible_text}\n{memory.speech}".strip()


def is_worth_reading(memory: CapturedMemory, people: Mapping[str, str], owner: str = "") -> bool:
    """Whether a text may say how people are related: it has a sentence and names somebody known, or "my sister".

    Args:
        people: full names by the keys of their parts.
        owner: whose name alone makes no text worth reading: it stands on every ticket and check-in.
    """
    text = text_of(memory)
    words = set(re.findall(r"[^\W_]+", text_key(text)))
    if len(words) < _FEWEST_WORDS:
        return False
    others = {part for part in words & people.keys() if text_key(people[part]) != text_key(owner)}
    return bool(others) or _OWN_PEOPLE.search(text) is not None


def people_by_part(library: Library) -> dict[str, str]:
    """Known people by whole name and by each part that only one of them has."""
    told = (end.name for each in library.graph.told() for end in (each.source, each.target) if end.kind == PERSON)
    found: dict[str, set[str]] = {}
    for name in dict.fromkeys([*library.memories.vocabulary().people, *told]):
        for part in {text_key(name), *text_key(name).split()}:
            if len(part) > 2:
                found.setdefault(part, set()).add(name)
    return {part: next(iter(names)) for part, names in found.items() if len(names) == 1}


def batches(memories: Sequence[CapturedMemory]) -> Iterator[list[CapturedMemory]]:
    """Memories in time order, at most five together and no more than a small model reads in one go."""
    batch: list[CapturedMemory] = []
    letters = 0
    for memory in sorted(memories, key=lambda each: (each.taken.wall is None, str(each.taken.wall), each.id)):
        length = min(len(text_of(memory)), 420)
        if batch and (len(batch) == MOST_IN_BATCH or letters + length > _BATCH_LETTERS):
            yield batch
            batch, letters = [], 0
        batch.append(memory)
        letters += length
    if batch:
        yield batch


def triples_in(
    library: Library,
    chat: ChatModel,
    batch: Sequence[CapturedMemory],
    people: Mapping[str, str],
    interrupted: Interrupted,
) -> list[Triple]:
    """What one batch states, each triple with the memory that bears it out.

    Raises:
        ReplyError: a reply does not fit even when asked again.
        ModelError, JobCancelled: as the model says.
    """
    texts = [text_of(memory) for memory in batch]
    lines = [text_prompts.note_line(number, text) for number, text in enumerate(texts, start=1)]
    said = text_key(" ".join(texts))
    known = list(dict.fromkeys(name for part, name in people.items() if part in said))[:_MOST_KNOWN]
    prompt = text_prompts.candidates_prompt(lines, known)
    candidates = _asked(library, chat, prompt, interrupted, lambda reply: text_prompts.read_candidates(reply, texts))
    if len(candidates) < 2:
        return []
    prompt = text_prompts.triples_prompt(lines, candidates)
    found = _asked(
        library, chat, prompt, interrupted, lambda reply: text_prompts.read_triples(reply, candidates, texts)
    )
    made_by = f"{chat.model_id}@{chat.revision} {VERSION}"
    return [
        Triple(
            source=_concept(each.source, people),
            relation=each.relation,
            target=_concept(each.target, people),
            memory_id=batch[each.note - 1].id,
            attributes=each.attributes,
            made_by=made_by,
        )
        for each in found
    ]


def _concept(candidate: text_prompts.Candidate, people: Mapping[str, str]) -> Concept:
    """A candidate as a concept; somebody who is known already has their whole name."""
    if candidate.kind == PERSON:
        return Concept(PERSON, people.get(text_key(candidate.name), candidate.name))
    return Concept(candidate.kind, candidate.name)


def _asked(
    library: Library, chat: ChatModel, prompt: Prompt, interrupted: Interrupted, read: Callable[[str], Read]
) -> Read:
    """What the reply to a prompt says, from an earlier run where it was asked before; one that says nothing is not kept."""
    said = [prompt.system, prompt.user, prompt.version, prompt.grammar, chat.model_id, chat.revision]
    key = "triples " + hashlib.sha256(json.dumps(said).encode()).hexdigest()
    known = library.stages.cached_reply(key)
    if known is not None:
        return read(known)
    reply = chat.complete(prompt, interrupted=interrupted)
    if not reply.complete:
        raise ReplyError("The language model's answer about texts was cut off.", retryable=True)
    said_so = read(reply.text)
    library.stages.cache_reply(key, reply.text, reply.prompt_tokens, reply.completion_tokens)
    return said_so
