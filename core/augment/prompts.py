"""What is the language model asked about a week, and what of its reply is believed?

The reply is data from outside: bounded by a grammar, read against this schema, its handles checked against those of the
window, its names checked against the words of their members. Dates and places never come from it.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.augment.occasions import Occasion
from core.augment.signs import says_occasion
from core.augment.wording import words
from core.errors import ReplyError
from core.ports import ChatModel, Prompt
from core.records import EventStatus
from core.text_keys import printable, text_key, without_markers

VERSION = "events-5"
MOST_MOMENTS = 10
_MOST_EVENTS, _MOST_MENTIONED = 5, 2
_LONGEST_NAME, _LONGEST_LINE = 60, 600
_REPLY_TOKENS = 480
_LETTERS_PER_TOKEN = 3

SYSTEM = (
    "You name events in a photo diary. Each line is one moment: handle | when | where | people | what it shows. "
    "An event is something a person would name later: a dinner with friends, a trip, a celebration, a visit, a conference. "
    "A lone activity (a workout, fixing a socket, a screenshot) is not an event: leave it out. "
    "Join moments only when they are the same event. Use only words of the lines. "
    "A name has 2 to 8 words. importance: 3 major or many days, 2 special, 1 small. mentioned: only announced or remembered in text. "
    "Answer with JSON.\n\nExample:\n"
)

_EXAMPLE = """m1 | Fri 2 May 18:40 | Oak Street Gym | with Tom | treadmill, stretching
m2 | Sat 3 May 12:10 | Lakeside Park | with Ana and Tom | regatta, rowing boat, crowd
m3 | Sat 3 May 15:30 | Lakeside Park | with Ana | regatta, medal, podium
m4 | Sun 4 May 20:05 | Luigi's Kitchen | with Tom | pasta, wine
m5 | Mon 5 May 09:00 | home | screenshot, poster of the Harbour Jazz Night on 20 June
{"events":[{"name":"Regatta at Lakeside Park with Ana and Tom","moments":["m2","m3"],"importance":2},\
{"name":"Dinner with Tom at Luigi's Kitchen","moments":["m4"],"importance":1}],\
"mentioned":[{"name":"Harbour Jazz Night","moment":"m5","status":"planned"}]}"""

_RULES = r"""
event ::= "{\"name\":\"" name "\",\"moments\":[" handle ("," handle){0,9} "],\"importance\":" [1-3] "}"
handle ::= "\"m" [1-9] [0-9]? "\""
name ::= char{3,60}
char ::= [^"\\\x00-\x1f]
"""
GRAMMAR = (
    r"""
root ::= "{\"events\":[" (event ("," event){0,4})? "],\"mentioned\":[" (mention ("," mention){0,1})? "]}"
mention ::= "{\"name\":\"" name "\",\"moment\":" handle ",\"status\":\"" ("planned" | "mentioned") "\"}"
"""
    + _RULES
)
GRAMMAR_WITHOUT_MENTIONS = (
    r"""
root ::= "{\"events\":[" (event ("," event){0,4})? "],\"mentioned\":[]}"
"""
    + _RULES
)
"""For weeks whose pictures and recordings hold no words: nothing can be mentioned in them."""


@dataclass(frozen=True, slots=True)
class NamedGroup:
    """An event as the model sees it; the name is empty where its members do not bear it out."""

    name: str
    occasions: tuple[Occasion, ...]
    importance: int


@dataclass(frozen=True, slots=True)
class Mention:
    """An event that a moment only speaks of."""

    name: str
    occasion: Occasion
    status: EventStatus


@dataclass(frozen=True, slots=True)
class WindowReply:
    """What is believed of a reply; names that the members do not bear out are left out."""

    groups: tuple[NamedGroup, ...]
    mentions: tuple[Mention, ...]
    refused: tuple[str, ...]


def window_prompt(occasions: Sequence[Occasion]) -> Prompt:
    """The prompt about one window. What pictures say is quoted in it and can only be named, never obeyed."""
    lines = "\n".join(f"m{at} | {_plain(occasion.summary)}" for at, occasion in enumerate(occasions, start=1))
    return Prompt(
        system=SYSTEM + _EXAMPLE,  # always the same beginning: the model's prompt cache holds it
        user=lines,
        version=VERSION,
        grammar=GRAMMAR if any(occasion.written for occasion in occasions) else GRAMMAR_WITHOUT_MENTIONS,
        max_tokens=_REPLY_TOKENS,
    )


def fits(occasions: Sequence[Occasion], chat: ChatModel) -> bool:
    """Whether prompt and reply fit the model's context, estimated on the safe side."""
    prompt = window_prompt(occasions)
    return (len(prompt.system) + len(prompt.user)) / _LETTERS_PER_TOKEN + prompt.max_tokens < chat.context_tokens


def read_reply(text: str, occasions: Sequence[Occasion], *, is_small: bool) -> WindowReply:
    """Read a reply.

    Args:
        is_small: the model has less than 3 billion parameters; its names may then use no word that its members do not.

    Raises:
        ReplyError: it does not fit the schema.
    """
    handles = {f"m{at}": occasion for at, occasion in enumerate(occasions, start=1)}
    groups, mentions, refused = [], [], []
    try:
        reply = json.loads(text)
        for event in reply["events"][:_MOST_EVENTS]:
            name, importance = str(event["name"]), int(event["importance"])
            held = tuple(handles[handle] for handle in dict.fromkeys(event["moments"]) if handle in handles)
            believed = bool(held) and is_borne_out(name, held, is_small=is_small)
            if held and importance in (1, 2, 3):
                groups.append(NamedGroup(_tidy(name) if believed else "", held, importance))
            if not believed:
                refused.append(name)
        for mention in reply["mentioned"][:_MOST_MENTIONED]:
            name, handle = str(mention["name"]), str(mention["moment"])
            told = handle in handles and _is_written(name, handles[handle])
            if told and (says_occasion(name) or not is_small):
                mentions.append(Mention(_tidy(name), handles[handle], EventStatus(mention["status"])))
            else:
                refused.append(name)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise ReplyError("The language model's answer about a week could not be read.", retryable=True) from error
    return WindowReply(tuple(groups), tuple(mentions), tuple(refused))


def is_borne_out(name: str, occasions: Sequence[Occasion], *, is_small: bool) -> bool:
    """Whether a name says something, and what it says is known from its members.

    Names and numbers must always be known. Of the other words a small model's must all be, a larger one's by half: it may
    call a cake with candles a birthday. A small model likes to echo the line it was given ("Eating out in Lund, Sweden"):
    a name of nothing but the place and the activities says nothing.
    """
    tokens = re.findall(r"[^\W_]+", name)
    telling = words(name)
    if not telling or telling <= _EMPTY_WORDS or len(name) >= _LONGEST_NAME or len(set(tokens)) < len(tokens) - 1:
        return False
    if text_key(tokens[-1]) in _NEVER_LAST:
        return False  # it was cut off: "Dough in the kitchen of"
    known = " ".join(occasion.text for occasion in occasions)
    proper = [token for at, token in enumerate(tokens) if token.isdigit() or (at > 0 and token[:1].isupper())]
    if any(text_key(token) not in known and text_key(token) not in _EVENT_WORDS for token in proper):
        return False
    meals = {occasion.meal.casefold() for occasion in occasions if occasion.meal}
    if meals and telling & _MEAL_WORDS and not telling & meals:
        return False
    places = words(" ".join(occasion.place for occasion in occasions))
    if telling - places <= _WHO:
        return False  # "Bestie at the café" says who was where, and not what it was
    unknown = [word for word in telling if _stem(word) not in known and word not in _EVENT_WORDS]
    if is_small:
        doings = (activity for occasion in occasions for member in occasion.members for activity in member.activities)
        echoed = {_stem(word) for word in places | words(" ".join(doings))}
        return not unknown and not {_stem(word) for word in telling} <= echoed  # the rules say that better
    return len(unknown) * 2 <= len(telling) and not telling <= places


_MEAL_WORDS = frozenset(("breakfast", "brunch", "lunch", "dinner"))
_SAYING_NOTHING = (
    "event events moment moments memory memories visit activity activities home work "
    "photo photos various things unknown other day"
)
_EMPTY_WORDS = frozenset(_SAYING_NOTHING.split())
_COMMON_TO_EVENTS = (
    "trip visit gathering meeting meal family friends friend "
    "weekend evening morning afternoon night day outing time walk"
)
_EVENT_WORDS = frozenset(_COMMON_TO_EVENTS.split())
_LEADING_ON = "a an and at by for from in my near of on or our the their to with"
_NEVER_LAST = frozenset(_LEADING_ON.split())
_SOMEBODY = (
    "bestie besties friend friends family mother mom mum mama father dad papa parents sister brother daughter son child children "
    "kid kids baby husband wife partner grandma grandpa aunt uncle cousin colleague colleagues classmate boss neighbour neighbor"
)
_WHO = frozenset(_SOMEBODY.split())


def _is_written(name: str, occasion: Occasion) -> bool:
    """Whether an event that is only mentioned stands in the words of pictures or recordings."""
    telling = words(name)
    return bool(telling - _EMPTY_WORDS) and all(_stem(word) in occasion.written for word in telling)


def _stem(word: str) -> str:
    return word[: max(4, len(word) - 3)]


def _tidy(name: str) -> str:
    text = " ".join(printable(name).split()).strip(" .,;:-")
    return text[:1].upper() + text[1:]


def _plain(summary: str) -> str:
    """A summary without what could end its line, or look like a handle, a prompt's marker or JSON."""
    text = without_markers(printable(summary))
    return re.sub(r"[{}\[\]\\\"`]|[\r\n\t]", " ", text)[:_LONGEST_LINE]
