"""How much does the evidence speak for each option of a question, by its words and by its meaning?"""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.ask.evidence import line_of, said_in
from core.ports import TextEmbedder
from core.records import CapturedMemory
from core.retrieve.match_words import words_of

_ALL_WORDS = 400
_STEM = 5
_READ = 12
_ASKED = 0.3
"""What a word counts that the question says too: it is seldom what tells the options apart."""
_BARE = re.compile(r"[\d\W]*\w{0,12}")
_OF_MEANING, _OF_BARE = 3.0, 0.6
"""What a cosine counts beside a share of words; the second where the options are numbers or single words, whose vectors say little."""

Weights = NDArray[np.float64]


def weigh(
    question: str, options: Sequence[str], memories: Sequence[CapturedMemory], embedder: TextEmbedder | None
) -> Weights:
    """One number an option, the higher the better; 1 is about all that tells it apart said in the best memory, the first.

    Words and meaning err on different questions, so they are added.
    """
    weights = by_words(question, options, [said_in(memory) for memory in memories])
    if embedder is None:
        return weights
    asked = words_of(f"{question} {' '.join(options)}", _ALL_WORDS)
    seen = embedder.embed_passages([line_of(memory, asked) for memory in memories[:_READ]])
    close: Weights = (seen @ embedder.embed_passages(list(options)).T).max(axis=0).astype(np.float64)
    close *= _OF_BARE if all(_BARE.fullmatch(option) for option in options) else _OF_MEANING
    return weights + close


def by_words(question: str, options: Sequence[str], texts: Sequence[str]) -> Weights:
    """The share of each option's telling words that each text holds, added up, less for texts further down.

    A word tells the less the more options or texts hold it: the town where everything happened tells nothing.
    """
    asked = _stems(question)
    offered, held = [_stems(option) for option in options], [_stems(text) for text in texts]
    in_options = Counter(word for words in offered for word in words)
    in_texts = Counter(word for words in held for word in words)

    def tells(word: str) -> float:
        if in_options[word] == len(offered) > 1:
            return 0.0
        rare = math.log(1 + len(offered) / in_options[word]) * math.log(1 + len(held) / max(1, in_texts[word]))
        return rare * (_ASKED if word in asked else 1.0)

    def share(words: set[str], text: set[str]) -> float:
        return sum(map(tells, words & text)) / (sum(map(tells, words)) or 1.0)

    return np.array(
        [sum(share(words, text) / math.sqrt(rank) for rank, text in enumerate(held, start=1)) for words in offered]
    )


def _stems(text: str) -> set[str]:
    """The words by their beginnings, so that "tests" is "test"."""
    return {word[:_STEM] for word in words_of(text, _ALL_WORDS)}
