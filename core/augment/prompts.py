"""What is the language model asked about a week, and what of its reply is believed?

The reply is data from outside: bounded by a grammar, read against this schema, its handles checked against those of the
window, its names checked against the words of their members. Dates and places never come from it.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.augment.occasions import Occasion
from core.augment.wording import words
from core.errors import ReplyError
from core.ports import ChatModel, Prompt
from core.records import EventStatus
from core.text_keys import printable, text_key

VERSION = "events-2"
MOST_MOMENTS = 10
_MOST_EVENTS, _MOST_MENTIONED = 5, 2
_LONGEST_NAME = 60
_REPLY_TOKENS = 480
_LETTERS_PER_TOKEN = 3

SYSTEM = (
    "You name events in a photo diary. Each line is one moment: handle | when | where | people | what it shows. "
    "An event is something a person would name later: a dinner with friends, a trip, a celebration, a visit, a conference. "
    "A lone activity (a workout, fixing a socket, a screenshot) is not an event: leave it out. "
    "Join moments only when they are the same event. Use only words of the lines. "
    "importance: 3 major or many days, 2 special, 1 small. mentioned: events only announced or remembered in text. "
    "Answer with JSON.\n\nExample:\n"
)

_EXAMPLE = """m1 | Fri 2 May 18:40 | Oak Street Gym | treadmill, stretching
m2 | Sat 3 May 12:10 | Lakeside Park | with Ana and Tom | cake, balloons, picnic blanket
m3 | Sat 3 May 13:30 | Lakeside Park | with Ana | candles, presents
m4 | Sun 4 May 20:05 | Luigi's Kitchen | with Tom | pasta, wine
m5 | Mon 5 May 09:00 | home | screenshot, poster of the Harbour Jazz Night on 20 June
{"events":[{"name":"Birthday picnic at Lakeside Park","moments":["m2","m3"],"importance":2},\
{"name":"Dinner with Tom at Luigi's Kitchen","moments":["m4"],"importance":1}],\
"mentioned":[{"name":"Harbour Jazz Night","moment":"m5","status":"planned"}]}"""

GRAMMAR = r"""
root ::= "{\"events\":[" (event ("," event){0,4})? "],\"mentioned\":[" (mention ("," mention){0,1})? "]}"
event ::= "{\"name\":\"" name "\",\"moments\":[" handle ("," handle){0,9} "],\"importance\":" [1-3] "}"
mention ::= "{\"name\":\"" name "\",\"moment\":" handle ",\"status\":\"" ("planned" | "mentioned") "\"}"
handle ::= "\"m" [1-9] [0-9]? "\""
name ::= char{3,60}
char ::= [^"\\\x00-\x1f]
"""


@dataclass(frozen=True, slots=True)
class NamedGroup:
    """An event as the model sees it."""

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
        grammar=GRAMMAR,
        max_tokens=_REPLY_TOKENS,
    )


def fits(occasions: Sequence[Occasion], chat: ChatModel) -> bool:
    """Whether prompt and reply fit the model's context, estimated on the safe side."""
    prompt = window_prompt(occasions)
    return (len(prompt.system) + len(prompt.user)) / _LETTERS_PER_TOKEN + prompt.max_tokens < chat.context_tokens


def read_reply(text: str, occasions: Sequence[Occasion]) -> WindowReply:
    """Read a reply.

    Raises:
        ReplyError: it does not fit the schema.
    """
    handles = {f"m{at}": occasion for at, occasion in enumerate(occasions, start=1)}
    groups, mentions, refused = [], [], []
    try:
        reply = json.loads(text)
        for event in reply["events"][:_MOST_EVENTS]:
            name, importance = str(event["name"]), int(event["importance"])
            held = tuple(dict.fromkeys(handles[handle] for handle in event["moments"] if handle in handles))
            if importance in (1, 2, 3) and held and is_borne_out(name, held):
                groups.append(NamedGroup(_tidy(name), held, importance))
            else:
                refused.append(name)
        for mention in reply["mentioned"][:_MOST_MENTIONED]:
            name, handle = str(mention["name"]), mention["moment"]
            if handle in handles and _is_written(name, handles[handle]):
                mentions.append(Mention(_tidy(name), handles[handle], EventStatus(mention["status"])))
            else:
                refused.append(name)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReplyError("The language model's answer about a week could not be read.", retryable=True) from error
    return WindowReply(tuple(groups), tuple(mentions), tuple(refused))


def is_borne_out(name: str, occasions: Sequence[Occasion]) -> bool:
    """Whether a name says something, and every name and number in it is known from the members."""
    telling = words(name)
    if not telling or telling <= _EMPTY_WORDS or len(name.strip()) > _LONGEST_NAME:
        return False
    known = text_key(" ".join(_everything(occasion) for occasion in occasions))
    tokens = re.findall(r"[^\W_]+", name)
    proper = [token for at, token in enumerate(tokens) if token.isdigit() or (at > 0 and token[:1].isupper())]
    unknown = [token for token in proper if text_key(token) not in known and text_key(token) not in _EVENT_WORDS]
    return not unknown and any(_stem(word) in known for word in telling)


_SAYING_NOTHING = (
    "event events moment moments memory memories visit activity activities home work photo photos various things unknown other day"
    " "
)
_EMPTY_WORDS = frozenset(_SAYING_NOTHING.split())
_COMMON_TO_EVENTS = (
    "birthday party dinner lunch breakfast trip visit celebration wedding meeting gathering conference picnic family friends weekend "
    "evening morning afternoon festival reunion day workshop outing holiday ceremony meal night training exhibition"
    " "
)
_EVENT_WORDS = frozenset(_COMMON_TO_EVENTS.split())


def _is_written(name: str, occasion: Occasion) -> bool:
    """Whether an event that is only mentioned is there in the words of its memories."""
    text = text_key(" ".join(f"{m.visible_text} {m.speech} {m.caption} {m.title}" for m in occasion.members))
    telling = words(name)
    return bool(telling - _EMPTY_WORDS) and all(_stem(word) in text for word in telling)


def _everything(occasion: Occasion) -> str:
    parts = [
        occasion.summary,
        occasion.place,
        " ".join(occasion.people),
        occasion.celebration,
        occasion.gathering,
        occasion.meal,
    ]
    for memory in occasion.members:
        parts += [memory.title, memory.caption, memory.visible_text, memory.speech, memory.environment]
        parts += [*memory.visual_elements, *memory.activities, *memory.keywords]
    return " ".join(parts)


def _stem(word: str) -> str:
    return word[: max(4, len(word) - 3)]


def _tidy(name: str) -> str:
    text = " ".join(printable(name).split()).strip(" .,;:-")
    return text[:1].upper() + text[1:]


def _plain(summary: str) -> str:
    """A summary without what could end its line, or look like a handle, a prompt's marker or JSON."""
    text = printable(summary).replace("<|", "< ").replace("|>", " >")
    return re.sub(r"[{}\[\]\\\"`]|[\r\n\t]", " ", text)
