"""At what time of a clip are the words of an answer said?"""

from core.records import SpokenSegment, Transcript
from core.retrieve.match_words import words_of


def heard_at(transcript: Transcript, text: str) -> SpokenSegment | None:
    """The first stretch of speech that shares most words with a text; None where none shares any."""
    wanted = set(words_of(text))
    best, most = None, 0
    for segment in transcript.segments:
        shared = len(wanted & set(words_of(segment.text)))
        if shared > most:
            best, most = segment, shared
    return best
