"""Which embedder's vectors answer now: while a new one still reads the library, the former one's, where it is installed yet."""

from core.ports import ModelSet, TextEmbedder
from core.retrieve.embed import MEMORY, space
from core.retrieve.language import LANGUAGES, language_of
from core.store.library import Library


def serving_embedder(library: Library, models: ModelSet) -> TextEmbedder | None:
    """The embedder to search with: the newest, unless a former one that is still installed has vectors of more memories.

    Vectors of the two never meet: one space answers at a time.
    """
    newest = models.text_embedder
    if newest is None:
        return None
    counts = library.embeddings.counts(MEMORY)
    most = max(counts, key=lambda name: counts[name], default="")
    if counts.get(space(newest), 0) >= counts.get(most, 0):
        return newest
    return models.former_text_embedder(most) or newest


def language_warning(embedder: TextEmbedder | None, text: str) -> str:
    """One sentence when a text is in a language that the embedder was not trained on; empty otherwise, or when unsure."""
    if embedder is None or not embedder.languages:
        return ""
    language = language_of(text)
    if not language or language in embedder.languages:
        return ""
    known = ", ".join(LANGUAGES.get(code, code) for code in embedder.languages)
    return (
        f"This seems to be {LANGUAGES.get(language, language)}, and the text model {embedder.model_id} knows only {known}: "
        "words are found, meaning hardly. A model for many languages: madeleine models get multilingual-e5-small-int8"
    )
