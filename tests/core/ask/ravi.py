"""Ravi's year, drawn as lines of the interchange format: a second invented person, with exactly known answers."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.jobs import run_to_end
from core.paths import Home
from core.ports import TextEmbedder
from core.retrieve.embed import EVENT, KNOWLEDGE, MEMORY, content_text, embed_missing, event_text, knowledge_text
from core.store.exact_index import ExactIndexes
from core.store.import_ import import_library
from core.store.library import Library, open_library

OWNER = "Ravi Menon"
_PLACES: Mapping[str, tuple[str, str, str]] = {
    "home": ("Home", "Austin", "United States"),
    "range": ("Driving Range East", "Austin", "United States"),
    "topgolf": ("Topgolf", "Austin", "United States"),
    "gym": ("Lone Star Gym", "Austin", "United States"),
    "bar": ("Amsterdam Billiards", "New York", "United States"),
    "pool": ("YMCA Pool", "Austin", "United States"),
    "distillery": ("Glen Ard Distillery", "Inverness", "United Kingdom"),
    "farm": ("Willow Farm", "Bath", "United Kingdom"),
    "lake": ("Lake Travis", "Austin", "United States"),
    "church1": ("Sagrada Família", "Barcelona", "Spain"),
    "church2": ("Santa Maria del Mar", "Barcelona", "Spain"),
    "church3": ("Santa Maria del Pi", "Barcelona", "Spain"),
    "hotel": ("Hotel Mirador", "Barcelona", "Spain"),
    "beach": ("Barceloneta Beach", "Barcelona", "Spain"),
    "beach2": ("Zilker Beach", "Austin", "United States"),
    "trail": ("Greenbelt Trail", "Austin", "United States"),
    "clinic": ("Hill Clinic", "Austin", "United States"),
    "museum": ("Blanton Museum", "Austin", "United States"),
    "office": ("Office", "Austin", "United States"),
    "store": ("Fairway Store", "Austin", "United States"),
    "thai": ("Thai House", "Austin", "United States"),
}


def _memory(number: int, when: str, place: str, caption: str, people: str = "", **more: object) -> dict[str, object]:
    line: dict[str, object] = {"id": f"r{number:03}", "kind": "photo", "taken_at": when, "caption": caption, **more}
    if place:
        name, city, country = _PLACES[place]
        line["place"] = {"name": name, "city": city, "country": country}
    if people:
        line["people"] = people.split(", ")
    return line


_ROWS: Sequence[tuple[str, str, str, str, dict[str, object]]] = (
    # golf by two kinds of evidence: videos of swings at the range, photos at Topgolf; two captures of one visit
    ("2025-05-03T10:00", "range", "A golf swing at the driving range.", "", {"kind": "video"}),
    ("2025-05-03T10:20", "range", "Another golf swing, filmed from behind.", "", {"kind": "video"}),
    ("2025-05-10T17:00", "topgolf", "Golf balls and nachos at a bay.", "Dana Cole", {}),
    ("2025-05-17T10:00", "range", "A golf swing with the new driver.", "", {"kind": "video"}),
    ("2025-05-24T18:00", "topgolf", "The scoreboard after our golf game.", "Dana Cole, Omar Haddad", {}),
    # the gym, for habits and averages: six days in three months
    ("2025-02-04T07:00", "gym", "The squat rack before sunrise.", "", {}),
    ("2025-02-18T07:00", "gym", "Deadlifts.", "", {}),
    ("2025-03-04T07:00", "gym", "A new personal best on the bench.", "Omar Haddad", {}),
    ("2025-03-18T07:00", "gym", "Kettlebells in a row.", "", {}),
    ("2025-04-01T07:00", "gym", "The squat rack again.", "", {}),
    ("2025-04-15T07:00", "gym", "Stretching after a workout.", "Omar Haddad", {}),
    # New York: pool is billiards there
    ("2025-01-18T21:00", "bar", "Playing pool: billiards with the cue ball in the corner.", "Dana Cole", {}),
    ("2025-06-07T11:00", "pool", "Swimming lanes at the pool.", "Mira Menon", {}),
    # Scotland and England
    ("2024-09-12T15:00", "distillery", "Four bottles of whiskey on the tasting table.", "Dana Cole",
     {"visible_text": "Ardmore Reserve 14\nSINGLE MALT WHISKEY"}),
    ("2024-09-14T10:00", "farm", "Petting a sheep at the fence.", "Dana Cole",
     {"activities": ["petting an animal"], "visual_elements": ["sheep"]}),
    ("2024-09-14T10:30", "farm", "Petting a donkey with long ears.", "Dana Cole",
     {"activities": ["petting an animal"], "visual_elements": ["donkey"]}),
    ("2024-09-14T11:00", "farm", "A goat eats from a hand.", "Dana Cole", {"visual_elements": ["goat"]}),
    ("2025-04-19T09:00", "lake", "Pumping up a paddleboard next to the water.", "Dana Cole, Omar Haddad, Ji-woo Park",
     {"activities": ["paddleboarding"]}),
    # Barcelona: three churches, one of them photographed often
    ("2025-03-21T18:00", "hotel", "The hotel lobby with palms.", "Dana Cole",
     {"visible_text": "Wi-Fi: MiradorGuest\nPassword: paella77"}),
    ("2025-03-22T10:00", "church1", "The towers of the church.", "Dana Cole", {"visual_elements": ["church"]}),
    ("2025-03-22T10:10", "church1", "Stained glass inside the church.", "Dana Cole", {"visual_elements": ["church"]}),
    ("2025-03-22T10:20", "church1", "Columns like trees in the church.", "", {"visual_elements": ["church"]}),
    ("2025-03-22T15:00", "church2", "A gothic church with a rose window.", "Dana Cole", {"visual_elements": ["church"]}),
    ("2025-03-23T11:00", "church3", "A small church on a square.", "", {"visual_elements": ["church"]}),
    ("2025-03-23T16:00", "beach", "Bare feet on the beach.", "Dana Cole", {"visual_elements": ["beach"]}),
    ("2025-05-31T16:00", "beach2", "Building a sand castle on the beach.", "Mira Menon", {"visual_elements": ["beach"]}),
    # hiking
    ("2025-04-05T08:00", "trail", "Hiking along the creek.", "Omar Haddad", {"activities": ["hiking"]}),
    ("2025-04-26T08:00", "trail", "Hiking up to the falls.", "Omar Haddad", {"activities": ["hiking"]}),
    ("2025-05-11T08:00", "trail", "Hiking in the rain.", "", {"activities": ["hiking"]}),
    # receipts, two of medicine
    ("2025-02-10T12:00", "clinic", "A pharmacy receipt.", "",
     {"kind": "screenshot", "visible_text": "Hill Pharmacy\nMedicine: ibuprofen 8.50\nTOTAL $ 8.50",
     "document": {"kind": "receipt", "merchant": "Hill Pharmacy", "total": "8.50", "currency": "USD"}}),
    ("2025-06-02T12:00", "clinic", "A pharmacy receipt.", "",
     {"kind": "screenshot", "visible_text": "Hill Pharmacy\nMedicine: amoxicillin 22.00\nTOTAL $ 22.00",
     "document": {"kind": "receipt", "merchant": "Hill Pharmacy", "total": "22.00", "currency": "USD"}}),
    ("2025-01-19T20:00", "thai", "Dinner at the Thai place.", "Dana Cole", {"visible_text": "Thai House\nPad thai 14.00\nTOTAL $ 14.00",
     "document": {"kind": "receipt", "merchant": "Thai House", "total": "14.00", "currency": "USD"}}),
    ("2025-05-09T20:00", "thai", "Green curry at the Thai place.", "Dana Cole",
     {"visible_text": "Thai House\nGreen curry 16.00\nTOTAL $ 16.00",
     "document": {"kind": "receipt", "merchant": "Thai House", "total": "16.00", "currency": "USD"}}),
    # the cat, again and again
    *((f"2025-0{month}-{day:02}T20:00", "home", f"The cat sleeps on the {where}.", "", {"visual_elements": ["cat"]})
      for month, day, where in ((1, 8, "sofa"), (2, 8, "carpet"), (3, 8, "desk"), (4, 8, "stairs"), (5, 8, "bed"), (6, 8, "sill"))),
    ("2025-03-15T20:00", "home", "The cat on the desk with a red hat.", "", {"visual_elements": ["cat", "red hat"]}),
    # selfies, one a favourite
    ("2025-01-20T12:00", "office", "A selfie in the elevator.", "", {}),
    ("2025-03-22T12:00", "church1", "A selfie in front of the towers.", "Dana Cole", {"favourite": True}),
    ("2025-05-25T12:00", "home", "A selfie with messy hair.", "", {}),
    # work
    ("2025-06-10T15:00", "", "A page of a notebook with arrows and boxes.", "",
     {"visible_text": "Figure 3: redo with n=40\nsend draft by Friday"}),
    ("2025-06-11T15:00", "museum", "A marble statue in an empty hall.", "", {}),
    ("2025-04-12T11:00", "store", "Golf shirts on a rack in the store.", "", {}),
    ("2025-05-04T09:00", "", "Photographing a wedding couple under a tree.", "", {"activities": ["photographing a wedding"]}),
    ("2025-05-18T19:00", "", "Photographing the sunset over the hills.", "", {"activities": ["photographing"]}),
    ("2025-02-14T19:00", "home", "Tulips for Dana.", "Dana Cole", {}),
    ("2025-06-21T14:00", "home", "Mira blows out six candles on her birthday cake.", "Mira Menon, Dana Cole", {}),
)  # fmt: skip


def memories() -> list[dict[str, object]]:
    """Every memory of Ravi's library."""
    return [
        _memory(number, when, place, caption, people, **more)
        for number, (when, place, caption, people, more) in enumerate(_ROWS, start=1)
    ]


def _events(lines: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    def between(first: str, last: str) -> list[str]:
        return [str(line["id"]) for line in lines if first <= str(line["taken_at"]) <= last]

    return [
        {"id": "e1", "name": "Weekend in Barcelona", "start": "2025-03-21T18:00:00", "end": "2025-03-23T16:00:00", "place": "Barcelona",
         "importance": 3, "members": between("2025-03-21", "2025-03-24")},
        {"id": "e2", "name": "Trip to Britain", "start": "2024-09-12T15:00:00", "end": "2024-09-14T11:00:00", "place": "United Kingdom",
         "importance": 3, "members": between("2024-09-12", "2024-09-15")},
        {"id": "e3", "name": "Mira's birthday party", "start": "2025-06-21T14:00:00", "end": "2025-06-21T14:00:00", "place": "Home",
         "importance": 2, "members": between("2025-06-21", "2025-06-22")},
    ]  # fmt: skip


FACTS: tuple[dict[str, object], ...] = (
    {"id": "f1", "statement": "Goes to Lone Star Gym about every second Tuesday", "kind": "habit", "subject": "Lone Star Gym",
     "evidence": ["r006", "r007", "r008"], "confidence": 0.8},
    {"id": "f2", "statement": "Often spends time with Dana Cole",
     "kind": "companion", "subject": "Dana Cole", "evidence": ["r003", "r005", "r012"],
     "confidence": 0.9},
    {"id": "f3", "statement": "Likes Thai food",
     "kind": "favourite", "subject": "Thai House", "evidence": ["r032", "r033"], "confidence": 0.6},
    {"id": "f4", "statement": "Mira Menon was born on 21 June 2019",
     "kind": "fact", "subject": "Mira Menon", "evidence": [], "confidence": 1.0,
     "state": "own"},
    {"id": "f5", "statement": "Plays golf on many Saturdays",
     "kind": "habit", "subject": "golf", "evidence": ["r001", "r003", "r004"], "confidence": 0.7},
)  # fmt: skip


def year_of_ravi(folder: Path, embedder: TextEmbedder) -> Library:
    """Ravi's library, imported and embedded."""
    library = open_library(Home(folder / "library"), ExactIndexes())
    lines = memories()
    for suffix, held in (("", lines), (".events", _events(lines)), (".facts", list(FACTS))):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in held)
        (folder / f"ravi{suffix}.jsonl").write_text(text, encoding="utf-8")
    run_to_end(import_library(library, folder / "ravi.jsonl", OWNER))
    texts = {memory.id: content_text(memory) for memory in library.memories.matching()}
    named = {event.id: event_text(event) for event in library.events.all()}
    known = {item.id: knowledge_text(item) for item in library.knowledge.all()}
    for kind, owned in ((MEMORY, texts), (EVENT, named), (KNOWLEDGE, known)):
        for _ in embed_missing(library, embedder, kind, owned):
            pass
    return library
