"""Reads what a file of notes says: a plain text, a calendar, a mail, a mailbox or an exported chat. Runs in the decoding process."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import BinaryIO

from core.capture import calendar_file, chat_export, mail_file
from core.capture.formats import CALENDAR, MAIL, MAILBOX, Format
from core.capture.note import MOST_BYTES, MOST_CHARS, MOST_NOTES, Note, decoded, one_line
from core.errors import PhotoUnreadableError

_MOST_CHARS_TOGETHER = 30_000_000
_HEADING = re.compile(r"^#{1,3}\s+(.+)$", re.MULTILINE)
_WRITTEN_ON = re.compile(
    r"^(?:date|created)\s*:\s*[\"']?(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}))?", re.IGNORECASE | re.MULTILINE
)
_FRONT_MATTER_CHARS = 2_000


def notes_in(file: BinaryIO, found: Format, name: str) -> tuple[Note, ...]:
    """Every note of a file, at most `MOST_NOTES`, each label once.

    Raises:
        PhotoUnreadableError: nothing in it can be read.
    """
    notes: dict[str, Note] = {}
    chars = 0
    for note in _read(file, found, name):
        label = note.label
        while label in notes:  # two mails without an id, sent in the same second
            label = f"{label}+"
        notes[label] = note
        chars += len(note.text)
        if len(notes) >= MOST_NOTES or chars > _MOST_CHARS_TOGETHER:
            break
    if not notes:
        raise PhotoUnreadableError(
            "There is nothing in the file that can be read.", "It is left alone until it changes."
        )
    return tuple(_labelled(note, label) for label, note in notes.items())


def _read(file: BinaryIO, found: Format, name: str) -> Iterator[Note]:
    if found is MAILBOX:
        yield from mail_file.notes_of_mailbox(file)
    elif found is MAIL:
        yield _labelled(mail_file.note_of_message(file), "")
    else:
        text = decoded(file.read(MOST_BYTES))
        if found is CALENDAR:
            until = calendar_file.latest_wall(os.fstat(file.fileno()).st_mtime)
            yield from calendar_file.notes_of(text, until)
        elif chat_export.is_chat(text):
            yield from chat_export.notes_of(text, name)
        else:
            yield _plain(text)


def _plain(text: str) -> Note:
    """A text as a note: its heading or first line is the title; the day that its front matter names is the day."""
    text = text.strip()[:MOST_CHARS]
    if not text:
        raise PhotoUnreadableError("The note is empty.")
    front = text[:_FRONT_MATTER_CHARS].split("\n---", 1)[0] if text.startswith("---") else ""
    written = _WRITTEN_ON.search(front)
    body = text[len(front) :].removeprefix("\n---").strip() if front else text
    heading = _HEADING.search(body)
    title = heading[1] if heading else next((line for line in body.splitlines() if line.strip()), "")
    wall = _wall(written) if written else None
    return Note(
        label="",
        title=one_line(title, 120),
        text=body or text,
        wall=wall,
        day_only=bool(written and written[4] is None),
    )


def _wall(written: re.Match[str]) -> datetime | None:
    try:
        return datetime(int(written[1]), int(written[2]), int(written[3]), int(written[4] or 0), int(written[5] or 0))
    except ValueError:
        return None


def _labelled(note: Note, label: str) -> Note:
    return note if note.label == label else replace(note, label=label)
