"""What may the person say of how people, places and things are related? Each word is kept over every re-run and can be undone."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path as FilePath

from core.errors import RequestError
from core.graph.cards import Card, card
from core.graph.kinship import Kinship
from core.graph.relation_words import INVERSE, relation_word, said_relation
from core.graph.traverse import Neighbour, Path, neighbours, walk
from core.records import Attributes, Changes, Concept, Correction, Edge, Node, ToldRelation
from core.store import rows
from core.store.graph import KINDS, PERSON
from core.store.graph_export import export_graph
from core.store.library import Library
from core.store.told import FIX, ME, RELATE, RELATION, UNRELATE, show_told, told_text
from core.text_keys import printable, text_key

_LONGEST = 200
_WHEN = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_SELF = frozenset({"me", "i", "myself", "owner"})
_CHANGES = Changes(knowledge=True)


class Relations:
    """The person's word about relations. Methods raise RequestError for what does not exist or makes no sense."""

    def __init__(self, library: Library) -> None:
        self._library = library

    # reading

    def told(self) -> list[ToldRelation]:
        """Everything the person told, what they took away included."""
        return self._library.graph.told()

    def kinship(self) -> Kinship:
        """Who is whose aunt, boss or dog, as told and as it follows."""
        return Kinship.of(self.told())

    def card(self, name: str) -> Card:
        """Somebody as the graph knows them; a part of a name is enough where one person has it."""
        return card(self._library, self.person(name).name)

    def around(self, name: str, limit: int = 60) -> list[Neighbour]:
        """What a person, place, event, activity or thing is directly connected with; the person's word first."""
        return neighbours(self._library, self._start(name), limit=limit)

    def paths(self, names: Sequence[str], *, width: int = 5, depth: int = 2) -> list[Path]:
        """The strongest walks from these names."""
        return walk(self._library, [self._start(name) for name in names], width=width, depth=depth)

    def _start(self, name: str) -> str:
        return name if self._library.graph.find(name) else self.person(name).name

    def counts(self) -> tuple[int, int]:
        """How many nodes and edges the graph has."""
        return self._library.graph.counts()

    def export(self, path: FilePath) -> int:
        """Write the graph to a `.graphml` or `.jsonl` file; returns how many relations it has."""
        return export_graph(self._library, path)

    # writing

    def relate(
        self,
        source: str,
        relation: str,
        target: str,
        *,
        kind: str = "",
        since: str = "",
        until: str = "",
        why: str = "",
    ) -> Changes:
        """Say what somebody is of somebody: ("me", "daughter", "Nina") makes Nina the owner's daughter.

        Args:
            source, target: names; "me" is whose library it is. A part of a name is enough where one person has it.
            kind: the node type of `target` where its name alone does not tell.
            since, until: years or days between which it is true.
        """
        told = self._read(source, relation, target, kind, _between(since, until))
        self._refuse_contradiction(told)
        return self._record(RELATE, None, told, why)

    def unrelate(self, source: str, relation: str, target: str, why: str = "") -> Changes:
        """Say that a relation is not so, whoever said it; it does not come back with a re-run."""
        return self._record(UNRELATE, self._standing(source, relation, target), None, why)

    def fix(self, source: str, relation: str, target: str, better: str, why: str = "") -> Changes:
        """Say that a relation is another one: not colleague but friend."""
        wrong = self._standing(source, relation, target)
        right = ToldRelation(
            source=wrong.source, relation=_named(better), target=wrong.target, attributes=wrong.attributes
        )
        return self._record(FIX, wrong, right, why)

    def show(self) -> None:
        """Lay what the person told over the graph: after a rename, a merge, an undo, or the owner's new name."""
        names = {person.id: person.name for person in self._library.people.all()}
        show_told(
            self._library.corrections, self._library.graph, self._library.stages.note("owner"),
            lambda person_id: names.get(person_id, ""),
        )  # fmt: skip

    def _with_ids(self, told: ToldRelation) -> ToldRelation:
        """Ends that are people of the People screen by their ids, so that the relation follows them to another name."""
        ids = {text_key(person.name): person.id for person in self._library.people.all() if person.name}

        def known(concept: Concept) -> Concept:
            if concept.kind != PERSON:
                return concept
            return Concept(PERSON, concept.name, ids.get(text_key(concept.name), ""))

        return replace(told, source=known(told.source), target=known(told.target))

    def _record(self, action: str, before: ToldRelation | None, after: ToldRelation | None, why: str) -> Changes:
        told = after or before
        if told is None:
            raise RequestError("There is no relation in that.")
        with self._library.database.write():
            self._library.corrections.add(
                Correction(
                    id="",
                    target_kind=RELATION,
                    target_id=rows.new_id(),  # no name, which may have to be forgotten
                    action=action,
                    before=told_text(self._with_ids(before)) if before else "",
                    after=told_text(self._with_ids(after)) if after else "",
                    why=printable(why),
                )
            )
            self.show()
        return _CHANGES

    def _read(self, source: str, relation: str, target: str, kind: str, attributes: Attributes) -> ToldRelation:
        said = _named(relation)
        is_of_people = relation_word(said) is not None
        start = self.person(source) if is_of_people else self._concept(source, "")
        end = self.person(target) if is_of_people else self._concept(target, kind)
        if start == end:
            raise RequestError(f"{start.name!r} cannot be related to themselves.", "Name two of them.")
        return ToldRelation(source=start, relation=said, target=end, attributes=attributes)

    def person(self, name: str) -> Concept:
        """Somebody by name, as the library spells it; a name it does not know is taken as it is: not everybody is in a picture.

        Raises:
            RequestError: no name, or a part that several people have.
        """
        key = text_key(name)
        owner = self._library.stages.note("owner")
        if key in _SELF or (owner and key == text_key(owner)):
            return Concept(PERSON, owner or ME)
        known = {text_key(each): each for each in self._known_people()}
        if key in known:
            return Concept(PERSON, known[key])
        parts = [each for each_key, each in known.items() if key in each_key.split()]
        if len(parts) > 1:
            raise RequestError(f"{name!r} may be {' or '.join(sorted(parts)[:5])}.", "Write the whole name.")
        return Concept(PERSON, parts[0] if parts else _named(name))

    def _known_people(self) -> Sequence[str]:
        told = [end.name for each in self.told() for end in (each.source, each.target) if end.kind == PERSON]
        named = [person.name for person in self._library.people.all() if person.name]
        return [*self._library.memories.vocabulary().people, *named, *told]

    def _concept(self, name: str, kind: str) -> Concept:
        """Anything by name: what the graph knows of that name, else a new one of that kind."""
        if kind and kind not in KINDS:
            raise RequestError(f"There is no kind {kind!r}.", f"It is one of {', '.join(KINDS)}.")
        if kind == PERSON or text_key(name) in _SELF:
            return self.person(name)
        found = self._library.graph.find(name, kind or None)
        if len(found) == 1:
            return _concept_of(found[0])
        if len(found) > 1:
            kinds = ", ".join(sorted({node.kind for node in found}))
            raise RequestError(f"{name!r} is several things ({kinds}).", "Say which with --kind.")
        if kind:
            return Concept(kind, _named(name))
        return self.person(name)

    def _standing(self, source: str, relation: str, target: str) -> ToldRelation:
        """The one relation of these names that is shown now.

        Raises:
            RequestError: there is none.
        """
        ends = [{text_key(name), self._as_person(name), name} for name in (source, target)]
        for start in [node for key in sorted(ends[0]) for node in self._library.graph.find(key)]:
            edges = [
                edge for edge in self._library.graph.edges_at(start.id) if text_key(edge.relation) == text_key(relation)
            ]
            nodes = self._library.graph.nodes([edge.target_id for edge in edges])
            for edge in edges:
                end = nodes[edge.target_id]
                if edge.source_id == start.id and {text_key(end.name), end.ref} & ends[1]:
                    return _told_of(start, edge, end)
        raise RequestError(
            f"There is no relation {source} – {relation} – {target}.", "`madeleine graph show NAME` prints relations."
        )

    def _as_person(self, name: str) -> str:
        """The key of the person of a name or a part of it; of the name itself where nobody or several have it."""
        try:
            return text_key(self.person(name).name)
        except RequestError:
            return text_key(name)

    def _refuse_contradiction(self, told: ToldRelation) -> None:
        """Nobody is both mother and daughter of somebody."""
        said = said_relation(told.relation)
        back = INVERSE.get(said.role)
        if told.target.kind != PERSON or not back:
            return
        if any(each.name == told.target.name for each in self.kinship().related(told.source.name, back)):
            raise RequestError(
                f"{told.target.name} is already the {back.replace('-', ' ')} of {told.source.name}, "
                f"and cannot be the {told.relation} too.",
                "Take the other one away first.",
            )


def _told_of(start: Node, edge: Edge, end: Node) -> ToldRelation:
    attributes = edge.attributes if edge.made_by == "person" else ()
    return ToldRelation(
        source=_concept_of(start), relation=edge.relation, target=_concept_of(end), attributes=attributes
    )


def _concept_of(node: Node) -> Concept:
    return Concept(node.kind, node.name, node.ref)


def _between(since: str, until: str) -> Attributes:
    for text in (since, until):
        if text and not _WHEN.fullmatch(text):
            raise RequestError(f"{text!r} is no year or day.", "Write 2019, 2019-05 or 2019-05-10.")
    if since and until and since > until:
        raise RequestError("It would end before it begins.", "Give the earlier one first.")
    return tuple((role, (text,)) for role, text in (("from", since), ("to", until)) if text)


def _named(text: str) -> str:
    name = " ".join(printable(text).split())
    if not text_key(name):
        raise RequestError("There is no name in that.", "Write at least one letter.")
    if len(name) > _LONGEST:
        raise RequestError(f"That is longer than {_LONGEST} letters.", "Shorten it.")
    return name
