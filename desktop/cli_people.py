"""The command `people`: who is who. Each word is kept over every re-run and can be undone."""

import argparse
from collections.abc import Callable, Sequence

from core.counted import counted
from core.engine import Engine
from core.errors import RequestError
from core.paths import Home
from core.records.people import Face, Person, PersonKind, frame_of, within_frame
from desktop.build import opened
from desktop.json_view import taken_at
from desktop.terminal import Terminal

AddCommand = Callable[[str, str], argparse.ArgumentParser]
Act = Callable[[Engine, argparse.Namespace, Terminal], None]
_WHO = "a name, or an id that list prints"
_WHICH = "ids of faces (show prints them), or of memories"
_OFF = "Faces are not looked for. Turn it on with: madeleine people on"


def add_commands(add: AddCommand) -> None:
    """Register the command with its actions."""
    command = add("people", "who is who: name faces, merge, split, group, relate, forget")
    _set_run(command, _list)
    actions = command.add_subparsers(dest="action", metavar="ACTION")

    def action(name: str, summary: str, act: Act, *arguments: str, ids: str = "") -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
        for argument in arguments:
            parser.add_argument(argument, help=_WHO if argument in ("person", "other") else None)
        if ids:
            parser.add_argument("ids", nargs=ids, metavar="ID", help=_WHICH)
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        parser.add_argument("--home", metavar="DIR", default=argparse.SUPPRESS)
        _set_run(parser, act)
        return parser

    listing = action("list", "everybody, and groups of faces that wait for a name", _list)
    listing.add_argument("--group", help="only those in this group")
    listing.add_argument("--unnamed", action="store_true", help="only groups that wait for a name")
    action("show", "one person with relations, portraits and faces", _show, "person")
    action("others", "faces that are nobody's", _others)
    action("on", "find faces from now on, and tell people apart", _on)
    off = action("off", "do not look for faces any more", _off)
    off.add_argument("--forget", action="store_true", help="forget every face, name and word about people, too")
    action("name", "give a group of faces its name, or somebody another one", _name, "person", "name")
    action("merge", "two are one; the first keeps its name", _merge, "person", "other")
    split = action("split", "some faces are somebody else's", _split, "person", ids="+")
    split.add_argument("--name", default="", help="whose, where it is known")
    action("assign", "say whose some faces are", _assign, "person", ids="+")
    action("not-this", "these faces are not this person's", _not_this, "person", ids="+")
    action("not-a-face", "these are no faces", _not_a_face, ids="+")
    group = action(
        "group", "put somebody into a group, such as 'friends from summer school'", _group, "person", "group"
    )
    group.add_argument("--out", action="store_true", help="take them out of it")
    favourite = action("favourite", "somebody who comes first", _favourite, "person")
    favourite.add_argument("--off", action="store_true", help="not any more")
    pet = action("pet", "somebody is a pet; with memories, a pet that is in them", _pet, "name", ids="*")
    pet.add_argument("--person", action="store_true", help="not a pet but a person whose face cannot be seen")
    relate = action(
        "relate", "say what somebody is of somebody: Mara daughter Nina", _relate, "person", "relation", "other"
    )
    relate.add_argument("--off", action="store_true", help="it is not so")
    action("forget", "forget somebody; this cannot be undone", _forget, "person")
    action("undo", "take the last correction back", _undo)


def person_json(engine: Engine, person: Person) -> dict[str, object]:
    """Somebody as JSON."""
    return {
        "id": person.id,
        "name": person.name,
        "kind": person.kind.value,
        "favourite": person.favourite,
        "groups": list(person.groups),
        "faces": person.faces,
        "memories": person.memories,
        "first_day": person.first_day.isoformat() if person.first_day else None,
        "last_day": person.last_day.isoformat() if person.last_day else None,
        "relations": [{"relation": relation, "name": name} for relation, name in _relations(engine, person)],
    }


def face_json(engine: Engine, face: Face) -> dict[str, object]:
    """A face as JSON; the box in parts of the upright picture, of a video of the frame: 0 stands for it, then its scenes."""
    memory = engine.memory(face.memory_id)
    return {
        "id": face.id,
        "memory": memory.public_id,
        "taken_at": taken_at(memory),
        "box": [round(edge, 4) for edge in within_frame(face.box)],
        "frame": frame_of(face.box),
        "likeness": face.likeness,
        "said_by_person": face.by_person,
        "made_by": face.space,
    }


def _set_run(parser: argparse.ArgumentParser, act: Act) -> None:
    parser.set_defaults(run=lambda options, home, terminal: _run(act, options, home, terminal))


def _run(act: Act, options: argparse.Namespace, home: Home, terminal: Terminal) -> int:
    with opened(home) as engine:
        act(engine, options, terminal)
    return 0


def _relations(engine: Engine, person: Person) -> list[tuple[str, str]]:
    """What others are of somebody, as told."""
    return [
        (each.relation, each.target.name)
        for each in engine.relations.told()
        if each.holds and person.name and each.source.name == person.name
    ]


def _line(person: Person) -> str:
    days = ""
    if person.first_day and person.last_day:
        first, last = person.first_day.isoformat(), person.last_day.isoformat()
        days = f"  {first}" if first == last else f"  {first} to {last}"
    marks = "".join(f"  ({mark})" for mark in person.groups)
    star = "★ " if person.favourite else ""
    pet = " (pet)" if person.kind is PersonKind.PET else ""
    name = person.name or "Who is this?"
    return f"[{person.id[:8]}] {star}{name}{pet}  {counted(person.memories, 'memory')}, {counted(person.faces, 'face')}{days}{marks}"


def _list(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    people = engine.people.all()
    if group := getattr(options, "group", None):
        people = [person for person in people if group.casefold() in (each.casefold() for each in person.groups)]
    if getattr(options, "unnamed", False):
        people = [person for person in people if not person.name]
    if not engine.options.settings.recognise_faces:
        terminal.note(_OFF)
    lines = "\n".join(map(_line, people)) or "Nobody yet."
    terminal.result([person_json(engine, person) for person in people], lines)


def _shown(engine: Engine, person: Person, terminal: Terminal) -> None:
    faces, portraits = engine.people.faces(person.id), engine.people.portraits(person.id)
    lines = [_line(person), *(f"    {relation}: {name}" for relation, name in _relations(engine, person))]
    lines += [_face_line(engine, face) for face in faces]
    value = person_json(engine, person) | {
        "portraits": [face.id for face in portraits],
        "face_list": [face_json(engine, face) for face in faces],
        "memory_list": [memory.public_id for memory in engine.memories(engine.people.memories(person.id))],
    }
    terminal.result(value, "\n".join(lines))


def _face_line(engine: Engine, face: Face) -> str:
    memory = engine.memory(face.memory_id)
    sure = "you said so" if face.by_person else f"{face.likeness:.0%} sure" if face.person_id else "nobody's"
    return (
        f"    face {face.id[:8]} in [{memory.public_id}] {memory.taken.wall or 'undated'}  {memory.file_name}  {sure}"
    )


def _show(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    _shown(engine, engine.people.get(options.person), terminal)


def _others(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    faces = engine.people.loose_faces()
    lines = "\n".join(_face_line(engine, face).strip() for face in faces) or "Every face is somebody's."
    terminal.result([face_json(engine, face) for face in faces], lines)


def _on(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.options.change("recognise_faces", "yes")
    model = engine.models_in_use()["faces"]
    if not model:
        terminal.note("No face model is installed yet: madeleine models get dlib-face")
    terminal.result(
        {"on": True, "model": model}, "Faces will be found, on this computer only. Now run: madeleine process"
    )


def _off(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    engine.options.change("recognise_faces", "no")
    if options.forget:
        engine.people.forget_all()
    kept = "Every face, name and word about people is forgotten." if options.forget else (
        "What was found is kept; forget it with: madeleine people off --forget"
    )  # fmt: skip
    terminal.result({"on": False, "forgotten": options.forget}, f"Faces are not looked for any more. {kept}")


def _name(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    engine.people.name(person.id, options.name)
    _shown(engine, engine.people.get(options.name), terminal)


def _merge(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    engine.people.merge(person.id, engine.people.get(options.other).id)
    _shown(engine, engine.people.get(person.id), terminal)


def _split(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    faces = engine.people.found(person, options.ids)
    before = {each.id for each in engine.people.all()}
    engine.people.split(person.id, faces, options.name)
    new = [each for each in engine.people.all() if each.id not in before]
    _shown(engine, new[0] if new else engine.people.get(options.name), terminal)


def _assign(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    engine.people.assign(person.id, _only_faces(engine, options.ids))
    _shown(engine, engine.people.get(person.id), terminal)


def _not_this(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    faces = engine.people.found(person, options.ids)
    engine.people.not_this(person.id, faces)
    text = f"Remembered: not {person.name or 'this person'}. `madeleine process` looks whose they are. Undo: madeleine people undo"
    terminal.result({"not": person.id, "faces": [face.id for face in faces]}, text)


def _not_a_face(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    faces = _only_faces(engine, options.ids)
    engine.people.not_a_face(faces)
    terminal.result({"no_faces": [face.id for face in faces]}, "Remembered: no face. Undo: madeleine people undo")


def _only_faces(engine: Engine, ids: Sequence[str]) -> list[Face]:
    """The faces meant; a memory with several faces does not say which."""
    found: list[Face] = []
    for name in ids:
        faces = engine.people.faces_in(name)
        if len(faces) > 1:
            names = ", ".join(face.id[:8] for face in faces)
            raise RequestError(
                f"The memory {name!r} has {len(faces)} faces.", f"Say which, from left to right: {names}."
            )
        found += faces
    return found


def _group(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    engine.people.put_in_group(person.id, options.group, into=not options.out)
    _one_line(engine, person.id, terminal)


def _favourite(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    engine.people.set_favourite(person.id, not options.off)
    _one_line(engine, person.id, terminal)


def _pet(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    kind = PersonKind.PERSON if options.person else PersonKind.PET
    if options.ids:
        engine.people.add(options.name, [engine.resolve(each) for each in options.ids], kind)
    else:
        engine.people.set_kind(engine.people.get(options.name).id, kind)
    _one_line(engine, engine.people.get(options.name).id, terminal)


def _relate(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    whose = "your" if options.person.casefold() == "me" else f"{options.person}'s"
    if options.off:
        engine.relations.unrelate(options.person, options.relation, options.other)
        text = f"Remembered: {options.other} is not {whose} {options.relation}."
    else:
        engine.relations.relate(options.person, options.relation, options.other)
        text = f"Remembered: {options.other} is {whose} {options.relation}."
    terminal.result({"source": options.person, "relation": options.relation, "target": options.other}, text)


def _forget(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    person = engine.people.get(options.person)
    engine.people.forget(person.id)
    text = (
        f"{person.name or 'This person'} is forgotten: no name, face, vector or relation is left. "
        "Events and facts lose the name with the next: madeleine process"
    )
    terminal.result({"forgotten": person.id}, text)


def _undo(engine: Engine, options: argparse.Namespace, terminal: Terminal) -> None:
    changes = engine.correct.undo()
    terminal.result({"people": changes.people, "memories": changes.memories}, "Undone.")


def _one_line(engine: Engine, person_id: str, terminal: Terminal) -> None:
    person = engine.people.get(person_id)
    terminal.result(person_json(engine, person), _line(person))
