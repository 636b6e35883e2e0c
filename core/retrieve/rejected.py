"""Which memories did the person reject for a question? They are left out of its next answer, in other words of it too."""

import json

from core.retrieve.match_words import words_of
from core.store.library import Library

ANSWER = "answer"
"""The target kind of corrections about answers."""


def question_key(question: str) -> str:
    """What two wordings of one question have in common: their telling words, in order of the alphabet."""
    return " ".join(sorted(words_of(question)))


def rejected_for(library: Library, question: str) -> frozenset[str]:
    """Memory ids that the person said have nothing to do with this question."""
    key = question_key(question)
    return frozenset(
        correction.target_id
        for correction in library.corrections.standing(ANSWER)
        if json.loads(correction.after).get("question") == key
    )
