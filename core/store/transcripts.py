"""How a transcript with its times is kept as a value of a memory, and read back."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.records import Field, Origin, SpokenSegment, Transcript
from core.text_keys import printable

if TYPE_CHECKING:
    from core.store.memories import StoredValue


def transcript_value(transcript: Transcript) -> str:
    """The value as it is stored."""
    segments = [
        [round(each.start_s, 2), round(each.end_s, 2), printable(each.text).strip()] for each in transcript.segments
    ]
    return json.dumps({"language": transcript.language, "segments": segments}, ensure_ascii=False)


def transcript_in(values: Iterable["StoredValue"]) -> Transcript:
    """What a model heard in a memory; empty where it heard nothing, or where the person wrote other words over it."""
    by_field = {(each.field, each.origin): each.value for each in values}
    stored = by_field.get((Field.SEGMENTS, Origin.MODEL))
    if stored is None or any(field is Field.SPEECH and origin is not Origin.MODEL for field, origin in by_field):
        return Transcript()
    kept = json.loads(stored)
    return Transcript(tuple(SpokenSegment(*each) for each in kept["segments"]), kept["language"])
