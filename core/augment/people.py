"""What may the person say of people, pets and faces, and what does it change? Every word outlives re-runs and can be undone.

Words about faces are kept by memory and place in the picture, so that another detector or model finds them again.
"""

import json
from collections.abc import Iterable, Sequence

from core.augment.forget_person import forget_person
from core.augment.people_board import PERSON, places
from core.augment.people_shown import show_people
from core.augment.snapshots import Fields, packed
from core.errors import RequestError
from core.records import Changes, Correction, Stage
from core.records.people import Face, FaceMark, Person, PersonKind
from core.store import rows
from core.store.face_names import is_face, show_names
from core.store.library import Library
from core.store.people import RELEASED
from core.store.portraits import portraits
from core.text_keys import printable, text_key

_CHANGES = Changes(memories=True, events=True, knowledge=True, people=True)
_LONGEST_NAME = 200
_MOST_EXAMPLES = 500


class People:
    """The People screen's hand on the library. Methods raise RequestError for what does not exist or makes no sense."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._people = library.people

    # reading

    def all(self) -> list[Person]:
        """Everybody: favourites and named people first, then groups of faces that wait for a name."""
        return self._people.all()

    def get(self, name: str) -> Person:
        """Somebody by name or id (or its beginning)."""
        return self._people.get(name)

    def faces(self, person_id: str) -> list[Face]:
        """The faces of somebody, oldest first."""
        return self._people.faces(person_id=person_id)

    def loose_faces(self) -> list[Face]:
        """Faces that are nobody's: strangers, and those too unclear to tell."""
        faces = self._people.faces(loose=True)
        marks: dict[str, list[FaceMark]] = {}
        for mark in self._people.marks(sorted({face.memory_id for face in faces})):
            marks.setdefault(mark.memory_id, []).append(mark)
        return [face for face in faces if is_face(face.box, marks.get(face.memory_id, ()))]

    def portraits(self, person_id: str, most: int = 12) -> list[Face]:
        """The faces that show best who somebody is, over the years."""
        return portraits(self._library, person_id, most)

    def memories(self, person_id: str) -> list[str]:
        """The memories somebody is in: by a face, or by the person's word."""
        marked = [mark.memory_id for mark in self._people.marks() if mark.person_id == person_id]
        ids = dict.fromkeys([*(face.memory_id for face in self.faces(person_id)), *marked])
        return [memory.id for memory in self._library.memories.many(list(ids))]

    def found(self, person: Person, names: Sequence[str]) -> list[Face]:
        """The faces meant by ids of faces, or by ids of memories in which somebody's face is."""
        theirs = self.faces(person.id)
        found: list[Face] = []
        for name in names:
            by_id = [face for face in theirs if len(name) >= 4 and face.id.startswith(name.lower())]
            found += by_id or self._in_memory(theirs, name, person.name or person.id[:8])
        return list(dict.fromkeys(found))

    def faces_in(self, name: str) -> list[Face]:
        """A face by its id, or the faces of a memory by its public id."""
        try:
            memory_id = self._library.memories.resolve(name)
        except RequestError:
            return [self._people.face(name)]
        faces = self._people.faces(memory_ids=[memory_id])
        if not faces:
            raise RequestError(f"No face was found in the memory {name!r}.")
        return faces

    def forget_all(self) -> Changes:
        """Forget every face, person and group, and every word about them; the pictures stay. This cannot be undone."""
        library = self._library
        with library.database.write():
            touched = self._people.forget_faces()
            library.corrections.forget(each.id for each in library.corrections.all(PERSON))
            library.stages.reset(Stage.FACES)
            library.stages.set_note(RELEASED, "")
            show_names(library, touched)
        return _CHANGES

    # words about people

    def name(self, person_id: str, name: str) -> Changes:
        """Give a group of faces its name, or somebody another one; the name of somebody else makes the two one."""
        person, said = self._people.get(person_id), _named(name)
        same = [other for other in self.all() if other.id != person.id and text_key(other.name) == text_key(said)]
        if same:
            return self.merge(same[0].id, person.id)
        faces = _sample(self.faces(person.id))
        return self._say("name", person.id, {"name": said, "faces": places(faces)}, faces)

    def merge(self, kept_id: str, other_id: str) -> Changes:
        """Make one of two people; the first keeps its name."""
        kept, other = self._people.get(kept_id), self._people.get(other_id)
        if kept.id == other.id:
            raise RequestError("Somebody cannot be merged with themselves.")
        faces = self.faces(other.id)
        return self._say("merge", kept.id, {"other_id": other.id}, faces)

    def split(self, person_id: str, faces: Sequence[Face], name: str = "") -> Changes:
        """Make another person of some faces of one, or of nobody (empty); without a name they wait for it."""
        person = self._people.get(person_id) if person_id else None
        if not faces:
            raise RequestError("No face was chosen.", "Choose those that are somebody else's.")
        if name and any(text_key(other.name) == text_key(name) for other in self.all()):
            return self.assign(self.get(name).id, faces)
        self._release([person.id] if person else [])
        after = {"name": _named(name) if name else "", "faces": places(faces)}
        return self._say("split", rows.new_id(), after, faces)

    def assign(self, person_id: str, faces: Sequence[Face]) -> Changes:
        """Say whose these faces are."""
        person = self._people.get(person_id)
        self._release([face.person_id for face in faces if face.person_id and face.person_id != person.id])
        return self._say("assign", person.id, {"faces": places(faces)}, faces)

    def not_this(self, person_id: str, faces: Sequence[Face]) -> Changes:
        """Say that these faces are not this person's; that is remembered."""
        person = self._people.get(person_id)
        if not faces:
            raise RequestError("No face was chosen.", f"Choose those that are not {person.name or 'this person'}.")
        self._release([person.id])
        return self._say("not_this", person.id, {"faces": places(faces)}, faces)

    def not_a_face(self, faces: Sequence[Face]) -> Changes:
        """Say that these are no faces: they are never shown as anybody's."""
        if not faces:
            raise RequestError("No face was chosen.")
        return self._say("not_a_face", "", {"faces": places(faces)}, faces)

    def put_in_group(self, person_id: str, group: str, *, into: bool = True) -> Changes:
        """Put somebody into a group such as "friends from summer school", or take them out."""
        person, said = self._people.get(person_id), _named(group)
        if not into and text_key(said) not in {text_key(each) for each in person.groups}:
            raise RequestError(f"{person.name or 'This person'} is not in {said!r}.")
        return self._say("group" if into else "ungroup", person.id, {"group": said}, ())

    def set_favourite(self, person_id: str, favourite: bool = True) -> Changes:
        """Mark somebody as favourite: they come first."""
        return self._say("favourite", self._people.get(person_id).id, {"favourite": favourite}, ())

    def set_kind(self, person_id: str, kind: PersonKind) -> Changes:
        """Say that somebody is a pet, or a person."""
        return self._say("kind", self._people.get(person_id).id, {"kind": kind.value}, ())

    def add(self, name: str, memory_ids: Sequence[str], kind: PersonKind = PersonKind.PET) -> Changes:
        """Name somebody by hand who is in these memories: a pet, or a person whose face cannot be seen."""
        said = _named(name)
        where = [{"memory": self._library.memories.resolve(each), "box": None} for each in memory_ids]
        known = [person for person in self.all() if text_key(person.name) == text_key(said)]
        if known:
            return self._say("assign", known[0].id, {"faces": where}, ())
        after = {"name": said, "kind": kind.value, "favourite": False, "groups": [], "faces": where}
        return self._say("import", rows.new_id(), after, ())

    def forget(self, person_id: str) -> Changes:
        """Forget somebody: name, faces, vectors, relations and every word about them. Only this cannot be undone.

        Their faces in the pictures of today are not looked at again; in new pictures they are strangers.
        """
        forget_person(self._library, self._people.get(person_id))
        return _CHANGES

    def show(self) -> Changes:
        """Show what the standing corrections say: after an undo, or an import."""
        show_people(self._library)
        return _CHANGES

    def _say(self, action: str, person_id: str, after: Fields, faces: Iterable[Face]) -> Changes:
        with self._library.database.write():
            self._library.corrections.add(
                Correction(
                    id="",
                    target_kind=PERSON,
                    target_id=person_id,
                    action=action,
                    before=packed({"faces": places(faces)}),
                    after=packed(after),
                )
            )
            show_people(self._library)
        return _CHANGES

    def _release(self, person_ids: Iterable[str]) -> None:
        """Let the faces of people that nobody confirmed find their place again at the next run: one of them was wrong."""
        known = set(json.loads(self._library.stages.note(RELEASED) or "[]"))
        self._library.stages.set_note(RELEASED, json.dumps(sorted(known | set(person_ids))))

    def _in_memory(self, theirs: Sequence[Face], name: str, who: str) -> list[Face]:
        memory_id = self._library.memories.resolve(name)
        found = [face for face in theirs if face.memory_id == memory_id]
        if not found:
            raise RequestError(f"No face of {who} is in the memory {name!r}.", "Faces: madeleine people show NAME")
        return found


def _sample(faces: list[Face]) -> list[Face]:
    """At most so many, spread evenly: a name must not grow a correction without bound."""
    if len(faces) <= _MOST_EXAMPLES:
        return faces
    step = len(faces) / _MOST_EXAMPLES
    return [faces[int(number * step)] for number in range(_MOST_EXAMPLES)]


def _named(text: str) -> str:
    name = " ".join(printable(text).split())
    if not text_key(name):
        raise RequestError("There is no name in that.", "Write at least one letter.")
    if len(name) > _LONGEST_NAME:
        raise RequestError(f"That is longer than {_LONGEST_NAME} letters.", "Shorten it.")
    return name
