"""What do the accepted rules about people change in memories? They stand over what was derived, and go when the rule goes."""

from collections.abc import Mapping

from core.records import AtomicContext, ContextKind, MemoryFilter, Origin, Provenance, Stage
from core.store.library import Library
from core.text_keys import text_key

_MADE = Provenance("rule:taught")
_FROM_VALUES = (Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)


def show_people(library: Library, right_of: Mapping[str, str]) -> int:
    """Show people by the rules, in every memory of which the person said nothing else; returns how many memories changed.

    Args:
        right_of: the name to show, by the key of the wrong one.
    """
    by_rule = set(library.derived.memories_made_by(_MADE.made_by))
    wrong = {each for key in right_of for each in library.memories.ids_matching(MemoryFilter(people=(key,)))}
    changed = 0
    for memory_id in sorted(by_rule | wrong):
        people = [each for each in library.memories.contexts(memory_id) if each.kind is ContextKind.PERSON]
        own = [each for each in people if each.origin is Origin.PERSON]
        was = [each.value for each in own if each.provenance and each.provenance.made_by == _MADE.made_by]
        derived = [each.value for each in people if each.origin is not Origin.PERSON]
        said_otherwise = len(own) > len(was)
        has_wrong = any(text_key(name) in right_of for name in derived)
        names = list(dict.fromkeys(right_of.get(text_key(name), name) for name in derived))
        now = names if has_wrong and not said_otherwise else []
        if sorted(now) == sorted(was):
            continue
        contexts = [AtomicContext(ContextKind.PERSON, name, 1.0, Origin.PERSON, "By your rule.", _MADE) for name in now]
        with library.memories.edit(memory_id) as editing:
            editing.set_contexts(Origin.PERSON, contexts, made_by=_MADE.made_by)
        for stage in _FROM_VALUES:
            library.stages.reset(stage, [memory_id])
        library.events.mark_stale([memory_id])
        changed += 1
    return changed
