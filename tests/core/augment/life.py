"""A small invented life to augment: one way to add a memory, and a month with a trip, dinners and routine."""

from datetime import datetime, timedelta

from core.augment.pipeline import augment
from core.jobs import run_to_end
from core.ports import ModelSet, never
from core.records import AtomicContext, ContextKind, Event, Field, MemoryKind, Origin, Place, Stage, Taken
from core.store.library import Library
from tests.fakes import FakeModels

HOME = Place(name="Home", street="Elm Street", city="Graz", country="Austria", latitude=47.07, longitude=15.44)
BISTRO = Place(name="Bistro Nord", city="Graz", country="Austria", latitude=47.08, longitude=15.42)
PORTO = Place(name="Ribeira", city="Porto", country="Portugal", latitude=41.14, longitude=-8.61)
HALL = Place(name="Alfandega Hall", city="Porto", country="Portugal", latitude=41.143, longitude=-8.62)
OWNER = "Mara Lindt"


def remember(
    library: Library,
    when: str | datetime | None,
    caption: str = "",
    *,
    place: Place | None = None,
    people: tuple[str, ...] = (),
    activities: tuple[str, ...] = (),
    things: tuple[str, ...] = (),
    text: str = "",
    document: dict[str, str] | None = None,
    content_key: str | None = None,
    kind: MemoryKind = MemoryKind.PHOTO,
) -> str:
    """Add a memory and return its id."""
    memory_id = library.memories.create(kind=kind, file_name="photo.jpg", content_key=content_key)
    contexts = [
        AtomicContext(kind, value)
        for kind, values in (
            (ContextKind.PERSON, people),
            (ContextKind.ACTIVITY, activities),
            (ContextKind.VISUAL_ELEMENT, things),
        )
        for value in values
    ]
    with library.memories.edit(memory_id) as edit:
        if when is not None:
            wall = datetime.fromisoformat(when) if isinstance(when, str) else when
            edit.set_taken(Taken(wall, 60, Origin.EXIF_ORIGINAL, 1.0))
        edit.set_place(place, Origin.GPS)
        edit.set_text(Field.CAPTION, caption, Origin.MODEL)
        edit.set_text(Field.VISIBLE_TEXT, text, Origin.MODEL)
        edit.set_document(document or {}, Origin.RULE)
        edit.set_contexts(Origin.RULE, contexts)
    return memory_id


def live_a_month(library: Library) -> dict[str, list[str]]:
    """May 2024: days at home, a dinner out with Jonas, four days at a forum in Porto. Returns the ids by what they are."""
    library.stages.set_note("owner", OWNER)
    ids: dict[str, list[str]] = {"home": [], "dinner": [], "trip": [], "forum": []}
    for day in range(1, 29, 3):
        for hour in (8, 21):
            if not 13 <= day <= 17:
                when = datetime(2024, 5, day, hour)
                ids["home"].append(remember(library, when, "The plant on the sill", place=HOME))
    dinner = datetime(2024, 5, 6, 19, 10)
    for step, caption in enumerate(("A menu on a table", "Risotto on a plate", "Jonas laughing over dinner")):
        when = dinner + timedelta(minutes=20 * step)
        ids["dinner"].append(remember(library, when, caption, place=BISTRO, people=(OWNER, "Jonas Weber")))
    ids["trip"].append(remember(library, "2024-05-13T10:30", "A river and boats", place=PORTO))
    for day, caption in ((14, "A badge on a lanyard"), (15, "A slide in a dark hall"), (16, "A poster wall")):
        text = "HCI Forum 2024\nPorto" if day < 16 else "Session 4"
        ids["forum"].append(remember(library, datetime(2024, 5, day, 11), caption, place=HALL, text=text))
    ids["trip"].append(remember(library, "2024-05-16T20:30", "Grilled sardines", place=PORTO, people=("Ines Costa",)))
    ids["trip"] += ids["forum"]
    return ids


def run(library: Library, models: ModelSet | None = None, until: Stage = Stage.GRAPH) -> None:
    """Augment to the end."""
    run_to_end(augment(library, models or FakeModels(), until, never))


def shown(library: Library) -> list[Event]:
    """Events as the person sees them, without the time they were made."""
    return library.events.all()


def named(library: Library, name: str) -> Event:
    """The one event of a name."""
    found = [event for event in library.events.all() if event.name == name]
    assert len(found) == 1, [event.name for event in library.events.all()]
    return found[0]
