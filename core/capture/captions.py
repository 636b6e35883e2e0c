"""Composes the caption of a memory from what is known of it, without a vision model."""

from collections.abc import Collection

from core.capture import documents
from core.capture.documents import Document
from core.records import CapturedMemory, MemoryKind
from core.text_keys import text_key

COMPOSED_VERSION = "composed/1"
_NOUNS = {
    MemoryKind.PHOTO: "Photo", MemoryKind.SCREENSHOT: "Screenshot", MemoryKind.VIDEO: "Video", MemoryKind.RECORDING: "Recording",
    MemoryKind.DOCUMENT: "Scan", MemoryKind.NOTE: "Note",
}  # fmt: skip
_SHOWN_AS = {
    documents.WIFI_SIGN: "a Wi-Fi sign", documents.CHECK_IN: "a check-in", documents.EMAIL: "an e-mail", documents.CHAT: "a chat",
}  # fmt: skip
_TEXT_CHARS = 100


def compose(memory: CapturedMemory, document: Document | None) -> str:
    """One sentence from kind, document, place, people, scene labels, words and speech; empty when nothing is known but the kind."""
    head = _NOUNS[memory.kind]
    told = bool(document)
    if document:
        head += f" of {_SHOWN_AS.get(document.kind, _with_article(document.kind.replace('_', ' ')))}"
        if merchant := document.fields.get("merchant"):
            head += f" from {merchant}"
        if other := document.fields.get("with"):
            head += f" with {other}"
    elif memory.visual_elements:
        head, told = f"{head} showing {', '.join(memory.visual_elements[:4])}", True
    if memory.place is not None and memory.place.label:
        head, told = f"{head} in {memory.place.label}", True
    people = [person for person in memory.people if not document or person != document.fields.get("with")]
    if people:
        head, told = f"{head} with {', '.join(people)}", True
    details = _details(memory, document)
    return f"{head}: {details}" if details else head if told else ""


def _details(memory: CapturedMemory, document: Document | None) -> str:
    if document and document.kind == documents.RECEIPT:
        return ", ".join(
            part for part in (f"total {document.fields['total']}", document.fields.get("date", "")) if part
        )
    parts = []
    if document and document.fields.get("route"):
        parts.append(document.fields["route"])
    said = {text_key(document.fields.get(name, "")) for name in ("merchant", "with")} if document else set()
    if words := salient_words(memory.visible_text, said):
        parts.append(words)
    if memory.speech:
        parts.append(f"“{_shortened(memory.speech, _TEXT_CHARS)}”")
    return "; ".join(parts)


def salient_words(text: str, said: Collection[str] = ()) -> str:
    """The first lines of a text that hold words, shortened; clocks, symbols and what was `said` already (keys) are left out."""
    lines = [line.strip() for line in text.splitlines() if text_key(line) not in said]
    telling = [line for line in lines if sum(char.isalpha() for char in line) >= max(2, len(line) // 3)]
    return _shortened(", ".join(dict.fromkeys(telling)), _TEXT_CHARS)


def _shortened(text: str, length: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[:length].rsplit(" ", 1)[0].rstrip(",;") + "…"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
