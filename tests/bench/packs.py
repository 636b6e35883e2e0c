"""Reads benchmark packs: a folder with `memories.jsonl`, question files and `pack.json`, made into a library to ask."""

import calendar
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from core.jobs import run_to_end
from core.paths import Home
from core.ports import TextEmbedder
from core.records import CapturedMemory
from core.retrieve.embed import MEMORY, content_text, embed_missing
from core.store.exact_index import ExactIndexes
from core.store.import_ import import_library
from core.store.library import Library, open_library


@dataclass(frozen=True, slots=True)
class PackQuestion:
    """One question with its gold answer."""

    pack: str
    qid: str
    kind: str
    text: str
    answer: object
    answer_type: str
    evidence: tuple[str, ...]
    asked_on: date
    options: tuple[tuple[str, str], ...]
    photos_suffice: bool


def read_questions(pack: Path, name: str) -> list[PackQuestion]:
    """The questions of a pack in file order; none where the pack has no such file."""
    path = pack / f"{name}.jsonl"
    settings = json.loads((pack / "pack.json").read_text("utf-8"))
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [_question(pack.name, line, settings.get("asked_on")) for line in lines]


def last_day_meant(text: str) -> date:
    """A day as it is; a month means its last day."""
    if len(text) == 7:
        year, month = (int(part) for part in text.split("-"))
        return date(year, month, calendar.monthrange(year, month)[1])
    return date.fromisoformat(text)


def open_pack(
    pack: Path, home: Path, embedder: TextEmbedder | None, text_of: Callable[[CapturedMemory], str] = content_text
) -> Library:
    """Import a pack into a home (once) and embed what has no vector yet."""
    library = open_library(Home(home), ExactIndexes())
    if not library.memories.count():
        run_to_end(import_library(library, pack / "memories.jsonl"))
    if embedder is not None:
        texts = {memory.id: text_of(memory) for memory in library.memories.matching()}
        for _ in embed_missing(library, embedder, MEMORY, texts):
            pass
        name = f"{embedder.model_id}@{embedder.revision}"
        library.indexes.index(MEMORY, name, embedder.dimensions).put(library.embeddings.owned(MEMORY, name))
    return library


def _question(pack: str, line: dict[str, object], pack_day: str | None) -> PackQuestion:
    asked = line.get("asked_on") or pack_day or date.today().isoformat()
    options = tuple((str(each["option"]), str(each["content"])) for each in line.get("options") or [])  # type: ignore[index, attr-defined]
    return PackQuestion(
        pack, str(line["qid"]), str(line["kind"]), str(line["question"]), line["answer"], str(line["answer_type"]),
        tuple(str(each) for each in line["evidence"]), last_day_meant(str(asked)), options, bool(line.get("photos_suffice")),  # type: ignore[attr-defined]
    )  # fmt: skip
