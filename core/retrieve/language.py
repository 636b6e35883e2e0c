"""Which language is a short text in? By its letters, and by the small words that only one language has; unsure is an answer."""

import re
import unicodedata
from collections import Counter

_SCRIPTS = {
    "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "CJK": "zh", "CYRILLIC": "ru", "ARABIC": "ar", "HEBREW": "he",
    "GREEK": "el", "THAI": "th", "DEVANAGARI": "hi", "BENGALI": "bn", "TAMIL": "ta", "GEORGIAN": "ka", "ARMENIAN": "hy",
}  # fmt: skip
"""The first word of a letter's name in Unicode to one language that is written so: enough to know that it is not English."""

_SMALL_WORDS = {
    "en": "the a an of in on at with and or is are was were do did does have has my our your i we what where when who which how "
          "that this for from to by about show find last all any there many much long often",
    "de": "der die das den dem des ein eine einen einem einer und oder ist sind war waren hat habe haben mein meine meinen unser ich "
          "wir was wo wann wer welche welcher welches wie dass für von zu zum zur bei mit im am auf nicht letzten letzte zeig finde",
    "fr": "le la les un une des du de et ou est sont était étaient avoir ai avons mon ma mes notre nos je nous que quoi où quand qui "
          "quel quelle quels comment pour avec dans sur chez au aux dernier dernière ce cette montre trouve",
    "es": "el la los las un una unos de del y o es son era eran tengo tenemos mi mis nuestro yo nosotros qué dónde cuándo quién cuál "
          "cómo para con en sobre por al último última ese esta este muestra busca cuántas cuántos",
    "it": "il lo la gli le un una uno di del della e o è sono era erano ho abbiamo mio mia miei nostro io noi che cosa dove quando chi "
          "quale come per con nel nella su al alla ultimo ultima questo questa mostra trova",
    "pt": "o a os as um uma de do da dos e ou é são era eram tenho temos meu minha nosso eu nós que onde quando quem qual como para com "
          "em no na sobre por ao último última este esta mostre encontre",
    "nl": "de het een van en of is zijn was waren heb hebben mijn ons onze ik wij we wat waar wanneer wie welke hoe dat voor met in op "
          "bij naar niet laatste deze toon vind",
    "pl": "i w na z do od jest są był była mój moja nasz ja my co gdzie kiedy kto który jak dla przez ostatni ostatnia ten ta pokaż znajdź",
    "sv": "och i på med är var har min mitt mina vår jag vi vad när vem vilken hur för från till av den det en ett senaste visa hitta",
    "tr": "ve bir bu şu ne nerede ne zaman kim hangi nasıl için ile benim bizim ben biz son göster bul var mı mi",
}  # fmt: skip
_LEAST = 2

LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch",
    "pl": "Polish", "sv": "Swedish", "tr": "Turkish", "ja": "Japanese", "ko": "Korean", "zh": "Chinese", "ru": "Russian",
    "ar": "Arabic", "he": "Hebrew", "el": "Greek", "th": "Thai", "hi": "Hindi", "bn": "Bengali", "ta": "Tamil", "ka": "Georgian",
    "hy": "Armenian",
}  # fmt: skip
"""What each language is called in English. The one of a script is its likeliest."""


def language_of(text: str) -> str:
    """Its code, or empty where the text is too short or looks like several languages."""
    scripts = Counter(script for letter in text if (script := _script(letter)))
    if scripts:
        return "ja" if {"ja"} & set(scripts) else scripts.most_common(1)[0][0]
    words = re.findall(r"[^\W\d_]+", text.casefold())
    scores = {code: sum(word in small.split() for word in words) for code, small in _SMALL_WORDS.items()}
    best, second = Counter(scores).most_common(2)
    return best[0] if best[1] >= _LEAST and best[1] > second[1] else ""


def _script(letter: str) -> str:
    if letter.isascii() or not letter.isalpha():
        return ""
    return _SCRIPTS.get(unicodedata.name(letter, "").partition(" ")[0], "")
