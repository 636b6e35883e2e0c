"""An invented person's small library, with exactly known answers."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zlib import crc32

from core.paths import Home
from core.ports import TextEmbedder
from core.records import AtomicContext, ContextKind, Event, Field, MemoryKind, Moment, Origin, Place, Taken
from core.retrieve.embed import EVENT, MEMORY, content_text, embed_missing, event_text
from core.store.exact_index import ExactIndexes
from core.store.library import Library, open_library

OWNER = "Nora Lindgren"

HARBOUR = Place("Harbour Café", "Quay 1", "Old Town", "Gothenburg", "Västra Götaland", "Sweden")
GYM = Place("Klätterhallen (North Branch)", "Ringvägen 4", "North", "Gothenburg", "Västra Götaland", "Sweden")
MUSEUM = Place("Museum of Tides, East Wing.", "Rua do Mar", "Alfama", "Lisbon City", "Lisbon", "Portugal")
HOTEL = Place("Hotel Azul", "Rua Nova", "Baixa", "Lisbon City", "Lisbon", "Portugal")
HOME = Place("Home", "Björkgatan 2", "Majorna", "Gothenburg", "Västra Götaland", "Sweden")


class Album:
    """Adds memories one by one; `ids` are in the order added."""

    def __init__(self, folder: Path) -> None:
        self.library: Library = open_library(Home(folder), ExactIndexes())
        self.library.stages.set_note("owner", OWNER)
        self.ids: list[str] = []

    def add(
        self,
        when: str | None,
        caption: str = "",
        *,
        place: Place | None = None,
        people: Sequence[str] = (),
        text: str = "",
        kind: MemoryKind = MemoryKind.PHOTO,
        title: str = "",
    ) -> str:
        """One memory."""
        memory_id = self.library.memories.create(kind=kind, file_name=f"IMG_{len(self.ids):04}.jpg", content_key=None)
        with self.library.memories.edit(memory_id) as edit:
            if when:
                edit.set_taken(Taken(datetime.fromisoformat(when), None, Origin.EXIF_ORIGINAL, 1.0))
            if place:
                edit.set_place(place, Origin.GPS)
            edit.set_text(Field.CAPTION, caption, Origin.MODEL)
            edit.set_text(Field.VISIBLE_TEXT, text, Origin.MODEL)
            edit.set_text(Field.TITLE, title, Origin.IMPORTED)
            edit.set_kind(kind, Origin.RULE)
            edit.set_contexts(Origin.IMPORTED, [AtomicContext(ContextKind.PERSON, name) for name in people])
        self.ids.append(memory_id)
        return memory_id

    def event(self, name: str, start: str, end: str, members: Sequence[str]) -> str:
        """One event."""
        event = Event(id=f"{crc32(name.encode()):032x}", name=name, start=datetime.fromisoformat(start), end=datetime.fromisoformat(end),
                      member_ids=tuple(members))  # fmt: skip
        self.library.events.put(event)
        return event.id

    def moment(self, members: Sequence[str]) -> None:
        """Captured in one go."""
        walls = [memory.taken.wall for memory in self.library.memories.many(members) if memory.taken.wall]
        self.library.events.replace_moments(
            [Moment(id="m", start=min(walls), end=max(walls), place="", member_ids=tuple(members))]
        )

    def embed(self, embedder: TextEmbedder) -> None:
        """Vectors for everything."""
        texts = {memory.id: content_text(memory) for memory in self.library.memories.matching()}
        for _ in embed_missing(self.library, embedder, MEMORY, texts):
            pass
        for _ in embed_missing(
            self.library, embedder, EVENT, {event.id: event_text(event) for event in self.library.events.all()}
        ):
            pass


def year_of_nora(folder: Path) -> Album:
    """Nora's 2025: a café with friends, a climbing gym, a conference in Lisbon."""
    album = Album(folder)
    album.add(
        "2025-01-05T10:00:00", "Coffee and cinnamon buns by the water.", place=HARBOUR, people=(OWNER, "Elif Demir")
    )
    album.add("2025-01-05T10:20:00", "The table by the window.", place=HARBOUR, people=("Elif Demir",))
    album.add("2025-01-05T12:00:00", "Snow on the balcony.", place=HOME)
    album.add("2025-02-11T18:00:00", "A blue overhang on the climbing wall.", place=GYM, people=("Jonas Berg",))
    album.add("2025-02-18T18:05:00", "Chalk on my hands after climbing.", place=GYM, people=("Jonas Berg", OWNER))
    album.add("2025-02-25T18:10:00", "The climbing shoes finally fit.", place=GYM)
    album.add("2025-03-02T11:00:00", "Waffles with Elif and Jonas.", place=HARBOUR, people=("Elif Demir", "Jonas Berg"))
    trip = [
        album.add("2025-05-06T07:30:00", "Boarding pass to Lisbon.", text="BOARDING PASS\nLINDGREN NORA\nFlight TP 781\nSeat: 14C\nGate 22",
                  kind=MemoryKind.SCREENSHOT),
        album.add("2025-05-06T15:00:00", "The hotel lobby.", place=HOTEL, text="Welcome!\nWi-Fi: AzulGuest\nPassword: sardinha2025"),
        album.add("2025-05-07T10:00:00", "A talk about tidal power at the conference.", place=MUSEUM, people=("Priya Nair",)),
        album.add("2025-05-07T20:00:00", "Grilled sardines with Priya.", place=HOTEL, people=("Priya Nair", OWNER),
                  text="Restaurante Azul\nSardinhas 12,50\nVinho 6,00\nTOTAL € 18,50"),
        album.add("2025-05-08T09:00:00", "Poster session with seaweed models.", place=MUSEUM),
    ]  # fmt: skip
    album.event("TideConf 2025", "2025-05-06T07:30:00", "2025-05-08T09:00:00", trip)
    album.add(
        "2025-06-20T21:00:00",
        "Midsummer bonfire on the beach.",
        place=HARBOUR,
        people=("Elif Demir",),
        text="Receipt\nTotal: € 30.00",
    )
    album.add(None, "An old scanned picture of grandmother's dog.", title="Scan 12")
    return album
