"""A picture as the question: who and what is on it, what looks like it, and when it was; of the library's own or of any file."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.ask.phrases import counted, listed, moment_of
from core.ports import ModelSet, Pixels
from core.records import Answer, CapturedMemory, Citation, Found, MemoryFilter, Outcome, ValueType
from core.retrieve.embed import PICTURE, index_of
from core.retrieve.look_alike import looking_like
from core.store.library import Library

_SIMILAR = 8
_LIKELY_SCENE = 0.3


def content_of(path: Path) -> str:
    """The sha256 of a file, by which the library knows it wherever it lies."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(slots=True)
class _Seen:
    """What was recognised, and from where it is known."""

    people: list[str] = field(default_factory=list)
    strangers: int = 0
    things: list[str] = field(default_factory=list)
    similar: list[Found] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)


def about_memory(library: Library, models: ModelSet, memory: CapturedMemory) -> Answer:
    """What is known of a picture that is in the library already."""
    seen = _Seen(people=list(memory.people), things=[*memory.visual_elements[:6], *memory.activities[:3]])
    if library.memories.fingerprints().get(memory.id) is not None or models.image_embedder is not None:
        seen.similar = looking_like(library, models.image_embedder, memory.id, MemoryFilter(), _SIMILAR)
    told = [f"{moment_of(memory)}."] + ([memory.caption] if memory.caption else [])
    return _answer(library, seen, told, Citation(memory.id, "the picture itself"))


def about_pixels(library: Library, models: ModelSet, picture: Pixels) -> Answer:
    """What can be said of a picture that the library does not hold: faces and looks are compared with those it does."""
    seen = _Seen()
    if models.faces is not None:
        _compare_faces(library, models, picture, seen)
    else:
        seen.lacking.append("faces")
    if models.scenes is not None:
        seen.things = [each.label for each in models.scenes.label(picture) if each.confidence >= _LIKELY_SCENE][:4]
    else:
        seen.lacking.append("scenes")
    if models.image_embedder is not None:
        eyes = models.image_embedder
        vector = eyes.embed_pictures([picture])[0]
        near = index_of(library, eyes, PICTURE).nearest(vector, _SIMILAR)
        seen.similar = [
            Found(each.owner_id, each.similarity, f"looks alike ({each.similarity:.2f})")
            for each in near
            if each.similarity >= eyes.same_scene
        ]
    else:
        seen.lacking.append("pictures that look alike")
    return _answer(library, seen, ["This picture is not in your library."], None)


def _compare_faces(library: Library, models: ModelSet, picture: Pixels, seen: _Seen) -> None:
    """The person of the nearest known face, where it is near enough to be one person."""
    if models.faces is None:
        return
    space = f"{models.faces.model_id}@{models.faces.revision}"
    known = [face for face in library.people.faces() if face.space == space and face.person_id]
    vectors = library.people.vectors([face.id for face in known]) if known else {}
    names = {person.id: person.name for person in library.people.all()}
    for found in models.faces.find(picture):
        seen_now = np.asarray(found.embedding, np.float32)
        closeness: dict[str, float] = {}
        for face in known:
            likeness = float(vectors[face.id] @ seen_now)
            closeness[face.person_id or ""] = max(likeness, closeness.get(face.person_id or "", -1.0))
        best = max(closeness, key=lambda each: closeness[each], default="")
        if best and closeness[best] >= models.faces.same_at and names.get(best):
            seen.people.append(names[best])
        else:
            seen.strangers += 1


def _answer(library: Library, seen: _Seen, told: list[str], first: Citation | None) -> Answer:
    if seen.people:
        told.append(f"On it: {listed(list(dict.fromkeys(seen.people)))}.")
    if seen.strangers:
        told.append(f"{counted(seen.strangers, 'face').capitalize()} I do not know.")
    if seen.things:
        told.append(f"It shows {listed(seen.things)}.")
    similar = library.memories.many([each.memory_id for each in seen.similar])
    days = sorted({memory.taken.day for memory in similar if memory.taken.day})
    if similar:
        span = f", from {days[0].isoformat()} to {days[-1].isoformat()}" if days else ""
        told.append(f"{counted(len(similar), 'picture').capitalize()} of yours look like it{span}.")
        if first is None:
            told.append(
                f"It may be from then: the nearest is {moment_of(similar[0])[0].lower()}{moment_of(similar[0])[1:]}."
            )
    if seen.lacking:
        told.append(f"Without a model for {listed(seen.lacking, 'or')}, I cannot tell more.")
    known = bool(first or seen.people or seen.things or similar)
    whys = {each.memory_id: each.why for each in seen.similar}
    citations = ([first] if first else []) + [Citation(memory.id, whys[memory.id]) for memory in similar]
    return Answer(
        outcome=Outcome.ANSWERED if known else Outcome.NOT_FOUND,
        text=" ".join(told),
        value=tuple(dict.fromkeys(seen.people)) or None,
        value_type=ValueType.SET if seen.people else ValueType.NONE,
        citations=tuple(citations) if known else (),
        confidence=0.7 if known else 0.0,
        found_by="Compared faces, scenes and looks with those of the library",
        searched=counted(library.memories.count(), "memory"),
    )
