"""Names the venue of a memory whose place is only a city: from the receipt's merchant, or from a line that names one."""

import re

from core.records import CapturedMemory

_KINDS_AT_A_VENUE = frozenset({"receipt", "menu", "check_in", "wifi_sign"})
_VENUE = re.compile(
    r"\b(?:Hall|Hotel|Hostel|Café|Cafe|Restaurant|Restaurante|Bistro|Bar|Pub|Inn|Theatre|Theater|Cinema|Museum|Gallery|Arena|Stadium|"
    r"Club|Church|Cathedral|Castle|Palace|House|Park|Garden|Library|University|School|Hospital|Clinic|Pharmacy|Market|Mall|Centre|Center|"
    r"Station|Airport|Terminal|Beach|Zoo|Aquarium|Spa|Gym|Studio|Trattoria|Gasthaus)\b",
    re.IGNORECASE,
)
_MOST_LETTERS = 60


def venue_of(memory: CapturedMemory) -> str:
    """Where exactly it was, by the words in the picture; empty when they do not say."""
    merchant = memory.document.get("merchant", "")
    if merchant and memory.document.get("kind") in _KINDS_AT_A_VENUE:
        return merchant
    lines = [line.strip() for line in memory.visible_text.splitlines()]
    return next(
        (
            line
            for line in lines
            if len(line) <= _MOST_LETTERS and _VENUE.search(line) and not re.search(r"\d{2}", line)
        ),
        "",
    )
