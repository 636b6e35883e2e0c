"""What one note says: a text, an event of a calendar, a mail, or one day of a chat."""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime

MOST_NOTES = 5_000
"""How many notes one file may hold; a calendar or mailbox of twenty years has fewer."""
MOST_CHARS = 20_000
"""How much text of one note is kept: more than a person reads, less than a stranger's file can flood us with."""
MOST_PEOPLE = 30
MOST_BYTES = 64 << 20
"""How much of a file is read."""

_TITLE_CHARS = 200
_NAME_CHARS = 80
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note.

    Attributes:
        label: what names it among the notes of its file, also in a later export of the same calendar, mailbox or chat;
            empty where the file is the note.
        wall: when it happened or was written: on the clock at that place, or UTC where `offset_minutes` is 0.
        offset_minutes: from UTC, where the file says it.
        elsewhere: `wall` is on a clock that was not the person's (a sender's, UTC): theirs showed another time.
        place: a name or address as written.
    """

    label: str
    title: str = ""
    text: str = ""
    wall: datetime | None = None
    offset_minutes: int | None = None
    elsewhere: bool = False
    day_only: bool = False
    people: tuple[str, ...] = ()
    place: str = ""
    latitude: float | None = None
    longitude: float | None = None

    @property
    def content_key(self) -> str:
        """The identity of what it says (sha256, hex): the same wherever it is found."""
        said = [self.label, self.title, self.text, str(self.wall), self.offset_minutes, self.people, self.place]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def one_line(text: str, most: int = _TITLE_CHARS) -> str:
    """A title: one line, bounded."""
    return _BLANKS.sub(" ", text).strip()[:most]


def names_of(names: list[str]) -> tuple[str, ...]:
    """People's names, each once, bounded in length and number."""
    shown = (one_line(name, _NAME_CHARS).strip("'\" ") for name in names)
    return tuple(dict.fromkeys(name for name in shown if name))[:MOST_PEOPLE]


def decoded(data: bytes) -> str:
    """The text of bytes whose encoding nobody says: what their first bytes mark, UTF-8, else that of old Windows."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
