"""What a question implies without saying it: the words memories use for an activity, verbs that leave no trace, hours of meals."""

from collections.abc import Sequence

from core.records import CapturedMemory
from core.retrieve.match_words import match_any, words_of

_EATING = ("eating out", "restaurant", "menu")
_ALSO_WRITTEN = {
    "dinner": _EATING,
    "supper": _EATING,
    "lunch": _EATING,
    "brunch": _EATING,
    "breakfast": (*_EATING, "cafe"),
    "gym": ("exercising", "workout", "fitness"),
    "workout": ("exercising", "gym", "fitness"),
    "cinema": ("watching a film", "film", "movie"),
    "movie": ("watching a film", "film", "cinema"),
    "movies": ("watching a film", "film", "cinema"),
    "film": ("watching a film", "movie", "cinema"),
    "concert": ("attending a concert", "live music", "gig"),
    "gig": ("attending a concert", "concert"),
    "flight": ("flying", "boarding pass"),
    "fly": ("flying", "boarding pass", "flight"),
    "flew": ("flying", "boarding pass", "flight"),
    "train": ("travelling by train", "train ticket"),
    "hike": ("hiking", "trail", "summit"),
    "doctor": ("clinic", "hospital", "consultation"),
    "groceries": ("supermarket", "grocery"),
    "grocery": ("supermarket", "groceries"),
    "dentist": ("dental", "teeth cleaning"),
    "optician": ("vision", "eye test", "eye exam"),
    "reading": ("on news", "on the news", "on a book", "on social media"),
    "read": ("on news", "on the news", "on a book", "on social media"),
    "talk": ("speak", "spoke", "chat", "called"),
    "speak": ("talk", "spoke", "chat", "called"),
    "chat": ("talk", "speak", "spoke"),
    "party": ("celebrating", "birthday"),
    "hotel": ("staying at a hotel",),
    "golf": ("driving range", "golfing", "topgolf", "golf course", "putting green"),
    "golfing": ("golf", "driving range", "topgolf"),
    "pool": ("billiards", "swimming"),
    "billiards": ("pool table", "cue ball", "snooker"),
    "swim": ("swimming", "pool"),
    "beach": ("seaside", "shore"),
    "medicine": ("pharmacy", "medication"),
    "churches": ("church", "cathedral", "basilica"),
    "church": ("cathedral", "basilica"),
    "paddling": ("paddleboard", "paddleboarding", "kayak", "canoe"),
    "paddled": ("paddleboard", "paddleboarding", "kayak", "canoe"),
}
"""Other words for the same, as the capture rules and captions write them."""

_TRACELESS = frozenset(
    ("buy", "bought", "buying", "purchase", "purchased", "pay", "paid", "paying", "eat", "ate", "eaten", "eating", "drink", "drank",
     "drunk", "drinking", "order", "ordered", "watch", "watched", "watching", "attend", "attended", "use", "used", "receive", "received",
     "practise", "practised", "practising", "practice", "practiced", "practicing", "do", "doing", "done", "tasted", "taste",
     "play", "played", "read", "hear", "heard", "try", "tried", "cook", "cooked", "make", "wear", "wore", "send", "sent", "called", "name")
)  # fmt: skip
"""What people do with a thing; a picture or receipt of the thing seldom says so."""

_MEAL_HOURS = {"breakfast": (5, 11), "brunch": (9, 14), "lunch": (11, 16), "dinner": (17, 23), "supper": (17, 23)}


def expressions(content: Sequence[str]) -> list[str]:
    """Match expressions for content words, the strictest first; a word is satisfied by any of the ways it is written."""
    told = [word for word in content if word not in _TRACELESS]
    tries = [list(content)] if told == list(content) or not told else [list(content), told]
    return [
        " AND ".join(f"({match_any([word, *_ALSO_WRITTEN.get(word, ())])})" for word in words)
        for words in tries
        if words
    ]


def at_its_hour(memories: Sequence[CapturedMemory], content: Sequence[str]) -> list[CapturedMemory]:
    """Of memories that fit a meal only by "eating out", those at the hour of that meal; all, where none is."""
    meal = next((word for word in content if word in _MEAL_HOURS), None)
    if meal is None:
        return list(memories)
    first, last = _MEAL_HOURS[meal]
    kept = [
        memory
        for memory in memories
        if _says(memory, meal) or (memory.taken.wall and first <= memory.taken.wall.hour <= last)
    ]
    return kept or list(memories)


def naming_the_meal(memories: Sequence[CapturedMemory], content: Sequence[str]) -> list[CapturedMemory]:
    """Of sentences, those that name the meal asked for: "at a restaurant" may be any meal, whatever the hour it was written at."""
    meal = next((word for word in content if word in _MEAL_HOURS), None)
    return [memory for memory in memories if _says(memory, meal)] if meal else list(memories)


def _says(memory: CapturedMemory, word: str) -> bool:
    return word in words_of(f"{memory.title} {memory.caption} {memory.visible_text} {memory.speech}", 2_000)
