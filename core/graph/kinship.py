"""Who is someone's sister, aunt or mother-in-law? From the relations that the person told: turned round, put together, by code."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from core.graph.relation_words import (
    FEMALE,
    INVERSE,
    MALE,
    SYMMETRIC,
    group_roles,
    relation_word,
    said_relation,
    spoken,
)
from core.records import ToldRelation
from core.store.graph import PERSON
from core.text_keys import text_key

_OPPOSITE = {FEMALE: MALE, MALE: FEMALE}


@dataclass(frozen=True, slots=True)
class Relative:
    """Somebody found by a relation.

    Attributes:
        name: as the person told it.
        is_sure: False where the word says a sex and nothing told this person's.
        how: the chain of told relations, for "how it was found": "Eva is the mother of Mara; Ruth is the sister of Eva".
        since, until: when it holds, as told (years or days); empty for always.
    """

    name: str
    is_sure: bool = True
    how: str = ""
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class _Tie:
    """One step from somebody: to whom, by which word, the sentence that was told, and when it held."""

    to: str
    word: str
    told: str
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class _Walk:
    to: str
    ties: tuple[_Tie, ...] = ()


_Step = Callable[[str], Iterator[_Walk]]


@dataclass(slots=True)
class Kinship:
    """The people the person told about and how they are related."""

    _ties: dict[str, dict[str, list[_Tie]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    _names: dict[str, str] = field(default_factory=dict)
    _sexes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, told: Iterable[ToldRelation]) -> "Kinship":
        """From what the person told between people and animals."""
        kinship = cls()
        for each in told:
            if each.holds and each.source.kind == each.target.kind == PERSON:
                kinship._learn(each)
        return kinship

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody there is."""
        return tuple(self._names.values())

    def sex(self, name: str) -> str:
        """What a told word says of somebody's sex; empty when nothing does."""
        return self._sexes.get(text_key(name), "")

    def related(self, name: str, word: str) -> list[Relative]:
        """Everybody who is `word` of somebody: told so, the other way round, or put together; in a fixed order.

        Those whose sex is not known come only where nobody is sure.
        """
        if roles := group_roles(word):
            return self._once(walk for role in roles for walk in self._walks(text_key(name), role))
        said = relation_word(word) or said_relation(word)
        found = self._once(self._walks(text_key(name), said.role), said.sex)
        sure = [each for each in found if each.is_sure]
        named = [each for each in sure if self._told_as(text_key(name), each.name, word)]
        if said.role == "pet" and text_key(word) not in ("pet", "pets"):
            return named  # a dog is no cat
        if said.role not in _PUT_TOGETHER and text_key(word) not in (said.role, f"{said.role}s"):
            return named or sure or found  # the best friend among friends
        return sure or found

    def relations(self, name: str, other: str) -> list[str]:
        """What `other` is of `name`, the nearest first: ["aunt"]; empty when nothing told joins them so."""
        start, end = text_key(name), text_key(other)
        found = []
        for role in (*_PUT_TOGETHER, *sorted(set(self._ties[start]) - set(_PUT_TOGETHER))):
            if any(walk.to == end for walk in self._walks(start, role)):
                found.append(spoken(role, self._sexes.get(end, "")))
        return found

    def how(self, name: str, other: str) -> str:
        """The shortest chain of told relations between two people; empty when there is none."""
        start, end = text_key(name), text_key(other)
        queue: list[_Walk] = [_Walk(start)]
        seen = {start}
        for walk in queue:
            if walk.to == end:
                return _sentence(walk)
            for ties in self._ties[walk.to].values():
                for tie in ties:
                    if tie.to not in seen:
                        seen.add(tie.to)
                        queue.append(_Walk(tie.to, (*walk.ties, tie)))
        return ""

    # learning

    def _learn(self, told: ToldRelation) -> None:
        source, target = text_key(told.source.name), text_key(told.target.name)
        self._names.setdefault(source, told.source.name)
        self._names.setdefault(target, told.target.name)
        said = said_relation(told.relation)
        held = dict(told.attributes)
        since, until = (held.get(key, ("",))[0] for key in ("from", "to"))
        sentence = f"{told.target.name} is the {told.relation} of {told.source.name}"
        self._ties[source][said.role].append(_Tie(target, told.relation, sentence, since, until))
        back = said.role if said.role in SYMMETRIC else INVERSE.get(said.role)
        if back:
            self._ties[target][back].append(_Tie(source, back, sentence, since, until))
        if said.sex:
            self._sexes.setdefault(target, said.sex)

    def _told_as(self, start: str, name: str, word: str) -> bool:
        """Whether the person used just this word: "dog" and not only some pet."""
        asked = text_key(word)
        ties = [tie for each in self._ties.get(start, {}).values() for tie in each if tie.to == text_key(name)]
        return any(text_key(tie.word) in (asked, asked.removesuffix("s"), "pet") for tie in ties)

    # walking

    def _direct(self, role: str) -> _Step:
        return lambda start: (_Walk(tie.to, (tie,)) for tie in self._ties.get(start, {}).get(role, ()))

    def _walks(self, start: str, role: str) -> Iterator[_Walk]:
        """Everybody who is `role` of somebody, told or put together; never themselves."""
        yield from (walk for walk in self._direct(role)(start) if walk.to != start)
        build = _PUT_TOGETHER.get(role)
        if build:
            yield from (walk for walk in build(self)(start) if walk.to != start)

    def parents(self, start: str) -> Iterator[_Walk]:
        """Told parents; where fewer than two are told, also those of full siblings."""
        told = list(self._direct("parent")(start))
        yield from told
        if len({walk.to for walk in told}) < 2:
            for sibling in self._direct("sibling")(start):
                for walk in self._direct("parent")(sibling.to):
                    yield _Walk(walk.to, (*sibling.ties, *walk.ties))

    def siblings(self, start: str) -> Iterator[_Walk]:
        """Told siblings and theirs, and the other children of one's parents."""
        seen, queue = {start}, [_Walk(start)]
        for walk in queue:
            steps = list(self._direct("sibling")(walk.to))
            for parent in self._direct("parent")(walk.to):
                steps += [_Walk(each.to, (*parent.ties, *each.ties)) for each in self._direct("child")(parent.to)]
            for step in steps:
                if step.to not in seen:
                    seen.add(step.to)
                    longer = _Walk(step.to, (*walk.ties, *step.ties))
                    queue.append(longer)
                    yield longer

    def children(self, start: str) -> Iterator[_Walk]:
        """Told children and their full siblings."""
        for child in self._direct("child")(start):
            yield child
            for sibling in self._direct("sibling")(child.to):
                yield _Walk(sibling.to, (*child.ties, *sibling.ties))

    def partners(self, start: str) -> Iterator[_Walk]:
        """Told partners."""
        return self._direct("partner")(start)

    def then(self, *steps: _Step) -> _Step:
        """One step after the other; nobody on the way is met again."""

        def walk(start: str) -> Iterator[_Walk]:
            ways = [_Walk(start)]
            for step in steps:
                ways = [
                    _Walk(next_one.to, (*way.ties, *next_one.ties))
                    for way in ways
                    for next_one in step(way.to)
                    if {tie.to for tie in next_one.ties}.isdisjoint({start, *(tie.to for tie in way.ties)})
                ]
            yield from ways

        return walk

    def but(self, step: _Step, *without: _Step) -> _Step:
        """Those of a step that are not also reached by another: a stepmother is no mother."""

        def walk(start: str) -> Iterator[_Walk]:
            others = {each.to for other in without for each in other(start)}
            yield from (each for each in step(start) if each.to not in others)

        return walk

    def _once(self, walks: Iterable[_Walk], sex: str = "") -> list[Relative]:
        found: dict[str, Relative] = {}
        for walk in walks:
            known = self._sexes.get(walk.to, "")
            if walk.to in found or (sex and known == _OPPOSITE[sex]):
                continue
            since = max((tie.since for tie in walk.ties), default="")
            until = min((tie.until for tie in walk.ties if tie.until), default="")
            found[walk.to] = Relative(self._names[walk.to], not sex or known == sex, _sentence(walk), since, until)
        return list(found.values())


def _either(*steps: _Step) -> _Step:
    return lambda start: (walk for step in steps for walk in step(start))


def _sentence(walk: _Walk) -> str:
    return "; ".join(dict.fromkeys(tie.told for tie in walk.ties))


_PUT_TOGETHER: Mapping[str, Callable[[Kinship], _Step]] = {
    "parent": lambda kin: kin.parents,
    "child": lambda kin: kin.children,
    "sibling": lambda kin: kin.siblings,
    "partner": lambda kin: kin.partners,
    "grandparent": lambda kin: kin.then(kin.parents, kin.parents),
    "grandchild": lambda kin: kin.then(kin.children, kin.children),
    "great-grandparent": lambda kin: kin.then(kin.parents, kin.parents, kin.parents),
    "great-grandchild": lambda kin: kin.then(kin.children, kin.children, kin.children),
    "aunt-or-uncle": lambda kin: kin.but(
        _either(kin.then(kin.parents, kin.siblings), kin.then(kin.parents, kin.siblings, kin.partners)), kin.parents
    ),
    "niece-or-nephew": lambda kin: kin.but(
        _either(kin.then(kin.siblings, kin.children), kin.then(kin.partners, kin.siblings, kin.children)), kin.children
    ),
    "cousin": lambda kin: kin.but(kin.then(kin.parents, kin.siblings, kin.children), kin.siblings),
    "parent-in-law": lambda kin: kin.then(kin.partners, kin.parents),
    "child-in-law": lambda kin: kin.then(kin.children, kin.partners),
    "sibling-in-law": lambda kin: kin.but(
        _either(kin.then(kin.partners, kin.siblings), kin.then(kin.siblings, kin.partners)), kin.siblings, kin.partners
    ),
    "step-parent": lambda kin: kin.but(kin.then(kin.parents, kin.partners), kin.parents),
    "step-child": lambda kin: kin.but(kin.then(kin.partners, kin.children), kin.children),
    "step-sibling": lambda kin: kin.but(
        kin.then(kin.parents, kin.but(kin.partners, kin.parents), kin.children), kin.siblings
    ),
}
"""Relations that follow from told ones, the nearest first."""
