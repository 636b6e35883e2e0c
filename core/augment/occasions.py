"""What is each moment about, in a few words, and is it worth a name?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.augment.gist import common_things, companions, document_kinds, listed
from core.augment.places import area_key
from core.augment.signs import celebration, gathering, holds_travel_papers, is_routine, meal
from core.augment.usual import Homes
from core.augment.wording import words
from core.records import CapturedMemory, Moment
from core.text_keys import text_key

_PEOPLE_SHOWN, _THINGS_SHOWN, _CAPTION_WORDS = 3, 4, 12
_LONGEST_PLACE = 48


@dataclass(frozen=True, slots=True)
class Occasion:
    """A moment with what code can see in it.

    Attributes:
        worth: how much speaks for an event; below 2 nothing does.
        summary: one short line for the language model, without handle.
    """

    id: str
    start: datetime
    end: datetime
    members: tuple[CapturedMemory, ...]
    people: tuple[str, ...]
    place: str
    area: str
    celebration: str
    gathering: str
    meal: str
    worth: float
    summary: str

    @property
    def text(self) -> str:
        """Everything the memories say, as a comparison key."""
        parts = [self.summary, self.place, *self.people, self.celebration, self.gathering, self.meal]
        for memory in self.members:
            parts += [memory.title, memory.caption, memory.visible_text, memory.speech, memory.environment]
            parts += [*memory.visual_elements, *memory.activities, *memory.keywords]
        return text_key(" ".join(parts))

    @property
    def written(self) -> str:
        """The words in the pictures and recordings, as a comparison key."""
        return text_key(" ".join(f"{memory.visible_text} {memory.speech}" for memory in self.members))

    @property
    def member_ids(self) -> tuple[str, ...]:
        """Ids of the memories."""
        return tuple(memory.id for memory in self.members)


def occasion(moment: Moment, by_id: Mapping[str, CapturedMemory], homes: Homes, owner: str) -> Occasion:
    """Look at one moment."""
    members = tuple(by_id[member] for member in moment.member_ids if member in by_id)
    people = tuple(companions(members, owner))
    area = next((area_key(memory.place) for memory in members if area_key(memory.place)), "")
    home = homes.at(moment.start.date())
    signs = celebration(members), gathering(members), meal(members)
    worth = _worth(
        members, people, signs, is_away=home is not None and any(home.is_away(each.place) for each in members)
    )
    return Occasion(
        id=moment.id,
        start=moment.start,
        end=moment.end,
        members=members,
        people=people,
        place=moment.place,
        area=area,
        celebration=signs[0],
        gathering=signs[1],
        meal=signs[2],
        worth=worth,
        summary=_summary(moment, members, people),
    )


def _worth(
    members: Sequence[CapturedMemory], people: Sequence[str], signs: tuple[str, str, str], *, is_away: bool
) -> float:
    worth = min(len(people), 2) * 1.0 + (len(members) >= 3) + (len(members) >= 8) + is_away
    worth += 2.0 * bool(signs[0]) + 1.5 * bool(signs[1]) + 1.0 * bool(signs[2]) + 1.5 * holds_travel_papers(members)
    return worth - (1.5 if is_routine(members) and not signs[0] else 0.0)


def _summary(moment: Moment, members: Sequence[CapturedMemory], people: Sequence[str]) -> str:
    when = f"{moment.start:%a} {moment.start.day} {moment.start:%b %H:%M}"
    parts = [when, short_place(moment.place)]
    if people:
        parts.append("with " + listed(people[:_PEOPLE_SHOWN]))
    things = [thing for thing in common_things(members)[:_THINGS_SHOWN] if len(thing) <= 40]
    if kinds := document_kinds(members):
        things += kinds[:2]
    parts.append(", ".join(things) if things else _caption_words(members))
    return " | ".join(part for part in parts if part).replace("\n", " ")


def short_place(label: str) -> str:
    """A place without its country, cut where it is long."""
    parts = label.split(", ")
    short = ", ".join(parts[:2] if len(parts) > 2 else parts)
    return short if len(short) <= _LONGEST_PLACE else short[:_LONGEST_PLACE].rpartition(" ")[0].rstrip(" ,")


def _caption_words(members: Sequence[CapturedMemory]) -> str:
    """The first telling words of the first caption, in order."""
    text = next((memory.caption or memory.title for memory in members if memory.caption or memory.title), "")
    telling = words(text)
    kept = [word for word in text.split() if words(word) & telling]
    return " ".join(kept[:_CAPTION_WORDS])
