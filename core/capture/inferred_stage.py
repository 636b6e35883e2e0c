"""Lets the language model infer, one memory a call, what the rules left open: after everything cheap, newest first."""

import logging
from collections.abc import Iterator
from dataclasses import replace

from core.capture import contexts, documents
from core.capture.context_prompt import PROMPT_VERSION, Inferred, context_prompt, is_decided, is_open, read_reply
from core.capture.documents import Document
from core.capture.pace import Pace
from core.capture.stage_results import OF_THE_MODEL, Work
from core.errors import AppError, JobCancelled, ModelError, ReplyError
from core.ports import ChatModel
from core.records import AtomicContext, CapturedMemory, Origin, Progress, Provenance, Stage

log = logging.getLogger(__name__)

_FAMILY = PROMPT_VERSION.partition("/")[0]
_BATCH = 500


def rules_key(work: Work) -> str:
    """The rules that contexts are drawn by."""
    return f"{contexts.RULES_VERSION} {documents.RULES_VERSION}"


def inferred_key(work: Work) -> str | None:
    """Rules, model and prompt; None without a language model."""
    chat = work.models.chat
    return f"{rules_key(work)} {chat.model_id}@{chat.revision}/{PROMPT_VERSION}" if chat else None


def due_for_rules(work: Work, due: list[str]) -> list[str]:
    """Those of `due` for which the rules have not run: what a model was asked about as well has another key."""
    key = inferred_key(work)
    if key is None or not due:
        return due
    open_to_both = set(work.library.stages.due(Stage.CONTEXTS, key, after=Stage.METADATA, max_attempts=1))
    return [each for each in due if each in open_to_both]


def infer(work: Work, troubles: list[AppError]) -> Iterator[Progress]:
    """Ask about every memory that the rules left open; those they did not are only marked.

    Raises:
        JobCancelled: the work is to stop; what was inferred is kept.
    """
    chat, key = work.models.chat, inferred_key(work)
    if chat is None or key is None:
        return
    left = _left_open(work, key)
    pace = Pace()
    for number, memory_id in enumerate(left):
        found = work.library.memories.many([memory_id])
        if not found:
            continue
        yield Progress(Stage.CONTEXTS, number, len(left), found[0].file_name, pace.seconds_left(len(left) - number))
        if work.interrupted():
            raise JobCancelled
        try:
            _one(work, chat, key, found[0])
        except OF_THE_MODEL as error:
            log.warning("inferring stops: %s", error)
            troubles.append(error)
            return
        pace.item_done()
    if left:
        yield Progress(Stage.CONTEXTS, len(left), len(left))


def _left_open(work: Work, key: str) -> list[str]:
    library = work.library
    due = library.stages.due(Stage.CONTEXTS, key, after=Stage.METADATA, max_attempts=1)
    left: list[str] = []
    for start in range(0, len(due), _BATCH):
        memories = library.memories.many(due[start : start + _BATCH])
        opened = [memory.id for memory in memories if is_open(memory, _known(work, memory.id))]
        library.stages.renew(Stage.CONTEXTS, key, [memory.id for memory in memories if memory.id not in set(opened)])
        left += opened
    stacked = {memory.id for memory in library.memories.many(left) if memory.representative_id}
    return [each for each in left if each not in stacked] + [each for each in left if each in stacked]


def _one(work: Work, chat: ChatModel, key: str, memory: CapturedMemory) -> None:
    state, reason, found = "done", "", Inferred()
    try:
        found = _inherited(work, memory) or read_reply(
            chat.complete(context_prompt(memory), interrupted=work.interrupted).text, memory, chat
        )
        if is_decided(_known(work, memory.id)):
            found = replace(found, contexts=tuple(each for each in found.contexts if not is_decided([each])))
    except OF_THE_MODEL:
        raise
    except (ModelError, ReplyError) as error:
        state, reason = "failed", str(error)
    with work.library.memories.edit(memory.id) as editing:
        editing.set_contexts(Origin.MODEL, found.contexts, family=_FAMILY)
        made = Provenance(chat.model_id, chat.revision, PROMPT_VERSION)
        editing.set_document(found.document.stored if found.document else {}, Origin.MODEL, made)
        editing.stage(Stage.CONTEXTS, key, state, reason)
        if found.contexts or found.document:
            work.library.stages.reset(Stage.EMBEDDINGS, [memory.id])


def _inherited(work: Work, memory: CapturedMemory) -> Inferred | None:
    """What was inferred for the near-duplicate that stands for this memory, where the same can be read in both."""
    if memory.representative_id is None:
        return None
    stands = work.library.memories.many([memory.representative_id])
    if not stands or (stands[0].visible_text, stands[0].speech) != (memory.visible_text, memory.speech):
        return None
    found = tuple(
        context
        for context in work.library.memories.contexts(memory.representative_id)
        if context.provenance and context.provenance.prompt_version == PROMPT_VERSION
    )
    kind = stands[0].document.get("kind", "")
    seen = [each for each in found if kind and each.value == kind.replace("_", " ")]
    document = Document(kind, seen[0].why) if seen else None
    return Inferred(found, document) if found else None


def _known(work: Work, memory_id: str) -> list[AtomicContext]:
    """What is known without what was inferred before."""
    return [
        context
        for context in work.library.memories.contexts(memory_id)
        if not (context.provenance and context.provenance.prompt_version.startswith(f"{_FAMILY}/"))
    ]
