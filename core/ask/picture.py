"""A picture as the question: who and what is on it, what looks like it, and when it was; of the library's own or of any file."""

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from core.ask.augment_query import augment
from core.ask.compute import spot
from core.ask.phrases import conditions, listed, moment_of, quoted, spoken_day
from core.ask.plan import make_plan
from core.ask.talk import Talk
from core.counted import counted
from core.ports import ModelSet, Pixels, never
from core.records import Answer, CapturedMemory, Citation, Found, Intent, MemoryFilter, Outcome, Question, ValueType
from core.retrieve.embed import PICTURE, index_of
from core.retrieve.look_alike import looking_like
from core.store.library import Library

_SIMILAR = 8
_LIKELY_SCENE = 0.3


def content_of(path: Path) -> str:
    """The sha256 of a file, by which the library knows it wherever it lies."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Asked:
    """What the words of a question want of a picture.

    Attributes:
        wanted: the conditions that pictures which look like it must fulfil ("like this, in 2024").
        said: the same in words, beginning with a blank; empty without any.
        intent: when, where and who are told first.
        person: "is this Ana?" asks for her; empty otherwise.
    """

    wanted: MemoryFilter = field(default_factory=MemoryFilter)
    said: str = ""
    intent: Intent = Intent.WHAT
    person: str = ""


ANYTHING = Asked()


def asked_of_picture(library: Library, question: Question) -> Asked:
    """Read the words that come with a picture, by code alone."""
    understood = augment(library, question, Talk(None, never))
    query = understood.query
    if query.unit == "whether" and len(query.people) == 1:
        return Asked(person=query.people[0])
    said = conditions(query, understood.place_groups)
    if not said and question.within is None:
        return Asked(intent=query.intent)
    return Asked(make_plan(library, question, understood).exact, said, query.intent)


@dataclass(slots=True)
class _Seen:
    """What was recognised, and from where it is known."""

    people: list[str] = field(default_factory=list)
    strangers: int = 0
    things: list[str] = field(default_factory=list)
    similar: list[Found] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)


def about_memory(library: Library, models: ModelSet, memory: CapturedMemory, asked: Asked = ANYTHING) -> Answer:
    """What is known of a picture that is in the library already."""
    seen = _Seen(people=list(memory.people), things=[*memory.visual_elements[:6], *memory.activities[:3]])
    if library.memories.fingerprints().get(memory.id) is not None or models.image_embedder is not None:
        seen.similar = looking_like(library, models.image_embedder, memory.id, asked.wanted, _SIMILAR)
    told = [f"{moment_of(memory)}."] + ([memory.caption] if memory.caption else [])
    return _answered(_answer(library, seen, told, Citation(memory.id, "the picture itself"), asked), asked, memory)


def about_pixels(library: Library, models: ModelSet, picture: Pixels, asked: Asked = ANYTHING) -> Answer:
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
        among = None if asked.wanted.is_empty else library.memories.ids_matching(asked.wanted)
        near = index_of(library, eyes, PICTURE).nearest(vector, _SIMILAR, among)
        seen.similar = [
            Found(each.owner_id, each.similarity, f"looks alike ({each.similarity:.2f})")
            for each in near
            if each.similarity >= eyes.same_scene
        ]
    else:
        seen.lacking.append("pictures that look alike")
    return _answered(_answer(library, seen, ["This picture is not in your library."], None, asked), asked, None)


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


def _answered(answer: Answer, asked: Asked, memory: CapturedMemory | None) -> Answer:
    """The answer with what was asked for told first, as its value."""
    people = answer.value if isinstance(answer.value, tuple) else ()
    if answer.outcome is not Outcome.ANSWERED:
        return answer
    if asked.person:
        is_there = asked.person in people
        lead = f"Yes, {asked.person} is on it." if is_there else f"I do not recognise {asked.person} on it."
        return replace(
            answer, text=f"{lead} {answer.text}", value="yes" if is_there else "no", value_type=ValueType.TEXT
        )
    day, place = (memory.taken.day, spot(memory)) if memory else (None, "")
    if asked.intent is Intent.WHEN and day:
        text = f"It was {spoken_day(day)}. {answer.text}"
        return replace(answer, text=text, value=day.isoformat(), value_type=ValueType.DATE)
    if asked.intent is Intent.WHERE and place:
        return replace(answer, text=f"It was at {quoted(place)}. {answer.text}", value=place, value_type=ValueType.TEXT)
    if asked.intent is Intent.WHO and not people:
        return replace(answer, text=f"I know of nobody on it. {answer.text}")
    return answer


def _answer(library: Library, seen: _Seen, told: list[str], first: Citation | None, asked: Asked) -> Answer:
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
        verb = "looks" if len(similar) == 1 else "look"
        told.append(f"{counted(len(similar), 'picture').capitalize()} of yours{asked.said} {verb} like it{span}.")
        if first is None:
            told.append(
                f"It may be from then: the nearest is {moment_of(similar[0])[0].lower()}{moment_of(similar[0])[1:]}."
            )
    elif asked.said:
        told.append(f"No picture of yours{asked.said} looks like it.")
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
