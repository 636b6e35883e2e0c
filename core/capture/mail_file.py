"""Reads mail: one message (.eml) or a mailbox (.mbox), each with its time, sender and receivers, subject and text."""

import email.errors
import email.header
import email.message
import email.utils
import html
import re
from collections.abc import Iterator
from datetime import datetime
from email.parser import BytesHeaderParser, BytesParser
from typing import BinaryIO

from core.capture.note import MOST_BYTES, MOST_CHARS, MOST_NOTES, Note, decoded, names_of, one_line

_MOST_MESSAGE_BYTES = 32 << 20
_MOST_PARTS = 50
_TAGS = re.compile(r"(<[^<>]*>)")
_HIDDEN = frozenset({"style", "script", "head", "title"})
_BREAKING = frozenset({"br", "/p", "/div", "/tr", "/li", "/h1", "/h2", "/h3"})
_BAD_MAIL = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    email.errors.MessageError,
    OverflowError,
    RecursionError,
)


def note_of_message(file: BinaryIO) -> Note:
    """The one message of a file."""
    return _note(file.read(_MOST_MESSAGE_BYTES))


def notes_of_mailbox(file: BinaryIO) -> Iterator[Note]:
    """The messages of a mailbox, read one after the other: a mailbox can be larger than memory."""
    message: list[bytes] = []
    size = read = number = 0
    blank_before = True
    while (line := file.readline(1 << 16)) and read < MOST_BYTES * 16:
        read += len(line)
        if line.startswith(b"From ") and blank_before:
            if message:
                yield _note(b"".join(message))
                number += 1
                if number >= MOST_NOTES:
                    return
            message, size = [], 0
        elif size < _MOST_MESSAGE_BYTES:
            message.append(line)
            size += len(line)
        blank_before = line in (b"\n", b"\r\n")
    if message:
        yield _note(b"".join(message))


def _note(content: bytes) -> Note:
    try:
        message = BytesParser().parsebytes(content)
        text = _body(message)
    except _BAD_MAIL:  # parts within parts within parts, made to exhaust us
        message, text = BytesHeaderParser().parsebytes(content), ""
    subject = one_line(_header(message, "Subject"))
    sent, offset = _sent(message)
    senders, receivers = _people(message, ("From",)), _people(message, ("To", "Cc"))
    lines = [
        subject,
        f"From {', '.join(senders)}" if senders else "",
        f"To {', '.join(receivers)}" if receivers else "",
        text,
    ]
    return Note(
        label=_header(message, "Message-ID")[:300] or f"{sent} {subject}",
        title=subject,
        text="\n".join(line for line in lines if line)[:MOST_CHARS],
        wall=sent,
        offset_minutes=offset,
        people=names_of([*senders, *receivers]),
        elsewhere=True,
    )


def _header(message: email.message.Message, name: str) -> str:
    raw = str(message.get(name, ""))[:4_000]
    try:
        return str(email.header.make_header(email.header.decode_header(raw))).strip()
    except _BAD_MAIL:
        return raw.strip()


def _sent(message: email.message.Message) -> tuple[datetime | None, int | None]:
    """Wall time of the sender and its offset; UTC written as -0000 has none of a person."""
    try:
        sent = email.utils.parsedate_to_datetime(str(message.get("Date", ""))[:200])
        away = sent.utcoffset()
    except _BAD_MAIL:
        return None, None
    return sent.replace(tzinfo=None), 0 if away is None else round(away.total_seconds() / 60)


def _people(message: email.message.Message, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names, or addresses where there is no name."""
    raw = [str(value)[:4_000] for name in names for value in message.get_all(name, [])]
    try:
        pairs = email.utils.getaddresses(raw)
    except _BAD_MAIL:
        return ()
    return names_of([_plain(name) or address for name, address in pairs])


def _plain(name: str) -> str:
    try:
        return str(email.header.make_header(email.header.decode_header(name)))
    except _BAD_MAIL:
        return name


def _body(message: email.message.Message) -> str:
    """The text for people: the plain part, else the web part without its tags; attachments are not opened."""
    found: dict[str, str] = {}
    for number, part in enumerate(message.walk()):
        kind = part.get_content_type()
        if number >= _MOST_PARTS or kind not in ("text/plain", "text/html") or kind in found:
            continue
        if "attachment" not in str(part.get("Content-Disposition", "")).lower():
            found[kind] = _text(part)
    text = found.get("text/plain") or _without_tags(found.get("text/html", ""))
    lines = (line.strip() for line in text[: 3 * MOST_CHARS].splitlines())
    return "\n".join(line for line in lines if line)[:MOST_CHARS]


def _text(part: email.message.Message) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    content = content[: 10 * MOST_CHARS]
    try:
        return content.decode(part.get_content_charset("utf-8"), "replace")
    except (LookupError, ValueError):
        return decoded(content)


def _without_tags(page: str) -> str:
    """The words of a web page. Piece by piece, so that no page of only tags takes longer than its length."""
    words: list[str] = []
    hidden = ""
    for piece in _TAGS.split(page):
        if not piece.startswith("<"):
            words.append("" if hidden else piece)
            continue
        name = piece[1:].split(None, 1)[0].strip("<>").casefold() if piece[1:].strip() else ""
        if hidden:
            hidden = "" if name == f"/{hidden}" else hidden
        elif name in _HIDDEN:
            hidden = name
        words.append("\n" if name.rstrip("/") in _BREAKING else " ")
    return html.unescape("".join(words))
