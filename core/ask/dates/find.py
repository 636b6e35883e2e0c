"""Which days, hours and weekdays does a text speak of, and in which words?"""

import re
from collections.abc import Callable
from datetime import date
from functools import partial

from core.ask.dates.items import Item, Setting, Span
from core.ask.dates.lexer import Words, language_score, read_items
from core.ask.dates.listed import spread_lists
from core.ask.dates.periods import Lived
from core.ask.dates.rules import rewrite
from core.ask.dates.rules_days import DATE_RULES
from core.ask.dates.rules_hours import HOUR_RULES
from core.ask.dates.rules_life import LIFE_RULES
from core.ask.dates.rules_parts import PART_RULES
from core.ask.dates.rules_ranges import RANGE_RULES, SETTLE_RULES, SINGLE_RULES
from core.ask.dates.rules_relative import RELATIVE_RULES, shifted_from
from core.ask.dates.set_phrases import SET_PHRASE_RULES
from core.ask.dates.words_de import GERMAN
from core.ask.dates.words_en import ENGLISH
from core.ask.dates.words_es import SPANISH
from core.ask.dates.words_fr import FRENCH
from core.ask.dates.words_zh import read_chinese_items
from core.records import DayRange

_WORDS: tuple[Words, ...] = (ENGLISH, GERMAN, SPANISH, FRENCH)
_CHINESE = re.compile("[\u4e00-\u9fff]")
# a language with fewer of its words in the text than this share of the best one is not tried
_LANGUAGE_SHARE = 0.6
_LEAD = re.compile(r"(?:[iIlft]?O?A?)$")
ReadItems = Callable[[str, Setting], list[Item]]
_LONGEST_LEAD = 3
# nobody asks a question this long: of longer texts only the likeliest language and only the beginning is read
_LONG_TEXT = 2_000
_READ_CHARACTERS = 10_000
_STAGES = (
    SET_PHRASE_RULES,
    LIFE_RULES + DATE_RULES + PART_RULES + RELATIVE_RULES,
    SINGLE_RULES,
    HOUR_RULES,
    RANGE_RULES,
    HOUR_RULES,
)


def find_days(
    text: str,
    asked_on: date,
    *,
    born: date | None = None,
    hemisphere: str = "north",
    week_starts: int = 0,
    lived: Lived | None = None,
) -> tuple[DayRange, ...]:
    """Find every time expression of a text, in reading order; the longest reading wins.

    Of a text of more than 10,000 characters the beginning is read.
    People ask about what they have lived, so a month, day or weekday without a year is the latest that has begun.

    Args:
        text: a question or any other text, in English, German, Spanish, French or Chinese.
        asked_on: the day "today" means.
        born: the person's day of birth, for ages and birthdays; without it they are not found.
        hemisphere: `north` or `south`, for seasons.
        week_starts: first weekday of a week, 0 is Monday.
        lived: whether there are memories of some days; then days without a year are the latest of which there are any.

    Returns:
        Ranges whose first day is never after the last; a missing side is open. Both are missing when the text names
        only a time of day or weekdays.
    """
    text = text[:_READ_CHARACTERS]
    found: tuple[DayRange, ...] = ()
    covered = 0
    for read, language in _readers_of(text):
        setting = Setting(asked_on, language, born, hemisphere, week_starts, lived)
        ranges = _read(text, read(text, setting), setting)
        length = sum(len(days.words) for days in ranges)
        if length > covered:
            found, covered = ranges, length
    return found


def _readers_of(text: str) -> list[tuple[ReadItems, str]]:
    """The languages the text may be in, likeliest first, each with what cuts it into items."""
    scores = [(language_score(text, words), words) for words in _WORDS]
    best = max(score for score, _ in scores)
    ranked = sorted(scores, key=lambda scored: -scored[0])
    likely = [words for score, words in ranked if score >= best * _LANGUAGE_SHARE and (score or words is ENGLISH)]
    readers: list[tuple[ReadItems, str]] = [(partial(read_items, words=words), words.language) for words in likely]
    if _CHINESE.search(text):
        readers.insert(0, (read_chinese_items, "zh"))
    return readers if len(text) <= _LONG_TEXT else readers[:1]


def _read(text: str, items: list[Item], setting: Setting) -> tuple[DayRange, ...]:
    items = spread_lists(items)
    for rules in _STAGES:
        items = rewrite(items, rules, setting)
    items = rewrite(items, SETTLE_RULES, setting)
    return _ranges(text, items, setting)


def _ranges(text: str, items: list[Item], setting: Setting) -> tuple[DayRange, ...]:
    ranges: list[DayRange] = []
    anchor: Span = (setting.asked_on, setting.asked_on)
    codes = "".join(item.code for item in items)
    for index, item in enumerate(items):
        span = item.span
        if item.code == "Q":
            try:
                span = shifted_from(anchor, item, setting)
            except (ValueError, OverflowError):
                continue
        elif item.code not in "DXK" or (item.code == "D" and span is None):
            continue
        if span is not None:
            anchor = span
        first, last = span or (None, None)
        lead = _LEAD.search(codes[max(0, index - _LONGEST_LEAD) : index])
        start = items[index - len(lead.group())].start if lead else item.start
        ranges.append(DayRange(first, last, text[start : item.end], item.hours, item.weekdays))
    return tuple(ranges)
