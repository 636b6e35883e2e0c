"""What do repeated corrections teach? Rules are offered, never made: the person accepts or declines each, and may undo it.

A place named twice where several memories lie, a person put right twice in the same way, screenshots taken out of events or
events of screenshots deleted twice: each is a word that the person may want to say once for all.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from core.augment.gist import common_things
from core.augment.places import km_between
from core.augment.rule_edits import show_people
from core.augment.snapshots import Fields, packed, unpacked
from core.errors import RequestError
from core.records import CapturedMemory, Changes, Correction, MemoryFilter, MemoryKind, Offer, Origin, Place
from core.store.library import Library
from core.text_keys import printable, text_key

RULE = "rule"
ACCEPT, DECLINE = "accept", "decline"
PLACE, PERSON, NO_EVENT = "place", "person", "no_event"
_TWICE = 2
_ALIKE_DELETED = 3
_NEAR_KM = 0.4
_ALL = Changes(events=True, memories=True, knowledge=True)


NamePlace = Callable[[str, float, float], object]
"""Names a place at a latitude and longitude, for all memories there."""


class Taught:
    """Rules that corrections suggest, and the person's word on them."""

    def __init__(self, library: Library, name_place: NamePlace) -> None:
        """Take the library and what names a place on the map for good."""
        self._library = library
        self._name_place = name_place

    def offers(self) -> list[Offer]:
        """Rules that the person has not spoken of yet."""
        decided = {unpacked(each.after)["key"] for each in self._library.corrections.standing(RULE)}
        found = [*_places(self._library), *_people(self._library), *_no_events(self._library)]
        return [offer for offer in found if offer.id not in decided]

    def rules(self) -> list[Offer]:
        """Rules that the person accepted."""
        return accepted_rules(self._library)

    def accept(self, offer_id: str, why: str = "") -> Changes:
        """Make an offered rule one; it holds for memories that come later too."""
        offer = self._offer(offer_id)
        if offer.kind == PLACE:
            self._name_place(offer.fields["name"], offer.fields["latitude"], offer.fields["longitude"])
            return _ALL
        self._say(ACCEPT, offer, why)
        carry_out(self._library)
        return _ALL

    def decline(self, offer_id: str, why: str = "") -> Changes:
        """Say that this is no rule; it is not offered again."""
        self._say(DECLINE, self._offer(offer_id), why)
        return Changes(events=True)

    def _offer(self, offer_id: str) -> Offer:
        found = [offer for offer in self.offers() if offer.id.startswith(offer_id) and len(offer_id) >= 4]
        if len(found) != 1:
            raise RequestError(f"There is no rule {offer_id!r} to decide on.", "`madeleine events rules` prints ids.")
        return found[0]

    def _say(self, action: str, offer: Offer, why: str) -> None:
        self._library.corrections.add(
            Correction(
                id="",
                target_kind=RULE,
                target_id=offer.id,
                action=action,
                after=packed({"key": offer.id, "kind": offer.kind, "text": offer.text, "rule": offer.fields}),
                why=printable(why) or offer.why,
            )
        )


def accepted_rules(library: Library) -> list[Offer]:
    """Rules that the person accepted and did not take back."""
    return [
        Offer(fields["key"], fields["kind"], fields["text"], "You accepted it.", fields["rule"])
        for each in library.corrections.standing(RULE)
        if each.action == ACCEPT and (fields := unpacked(each.after))
    ]


def carry_out(library: Library) -> int:
    """Show people by the accepted rules, in memories that came since too; returns how many memories changed."""
    right_of = {text_key(rule.fields["wrong"]): rule.fields["right"] for rule in _standing(library, PERSON)}
    return show_people(library, right_of)


def make_no_event(library: Library) -> frozenset[str]:
    """Ids of memories that an accepted rule keeps out of events."""
    found: set[str] = set()
    for rule in _standing(library, NO_EVENT):
        kinds = (MemoryKind(rule.fields["kind"]),) if rule.fields.get("kind") else ()
        members = set(library.memories.ids_matching(MemoryFilter(kinds=kinds)))
        if thing := rule.fields.get("thing"):
            members &= set(library.derived.memories_showing(text_key(thing)))
        found |= members
    return frozenset(found)


def is_usable_rule(correction: Correction) -> bool:
    """Whether a rule from a file can be carried out."""
    after = unpacked(correction.after)
    rule = after["rule"]
    if correction.action not in (ACCEPT, DECLINE) or not all(
        isinstance(after[key], str) for key in ("key", "kind", "text")
    ):
        return False
    if correction.action == DECLINE or after["kind"] == PLACE:
        return True
    if after["kind"] == PERSON:
        return all(isinstance(rule[key], str) and text_key(rule[key]) for key in ("wrong", "right"))
    if after["kind"] != NO_EVENT or not (rule.get("kind") or rule.get("thing")):
        return False
    return rule.get("kind", "") in ("", *MemoryKind) and isinstance(rule.get("thing", ""), str)


def _standing(library: Library, kind: str) -> list[Offer]:
    return [rule for rule in accepted_rules(library) if rule.kind == kind]


def _edits(library: Library, name: str) -> Iterator[tuple[Correction, CapturedMemory, object]]:
    """The person's standing edits of one field, with what they said."""
    standing = [each for each in library.corrections.standing("memory") if each.action == "edit"]
    standing = [each for each in standing if unpacked(each.before)["field"] == name]
    living = {memory.id: memory for memory in library.memories.many([each.target_id for each in standing])}
    for correction in standing:
        if correction.target_id in living:
            yield correction, living[correction.target_id], unpacked(correction.after)["value"]


def _places(library: Library) -> Iterator[Offer]:
    by_name: dict[str, list[tuple[str, Place]]] = defaultdict(list)
    for _, memory, value in _edits(library, PLACE):
        known = library.memories.places_by_origin([memory.id]).get(memory.id, {})
        placed = [each for origin, each in known.items() if origin is not Origin.PERSON and each.latitude is not None]
        if placed and isinstance(value, dict) and value.get("name"):
            by_name[text_key(value["name"])].append((value["name"], placed[0]))
    taken = {text_key(str(unpacked(each.after).get("name", ""))) for each in library.corrections.standing(PLACE)}
    for key, said in by_name.items():
        name, middle = said[-1]
        near = [place for _, place in said if (km := km_between(place, middle)) is not None and km <= _NEAR_KM]
        if len(near) >= _TWICE and key not in taken:
            fields = {"name": name, "latitude": middle.latitude, "longitude": middle.longitude}
            yield _offer(
                PLACE, f"What was taken here is at {name}.", f"You named this place {len(near)} times.", fields
            )


def _people(library: Library) -> Iterator[Offer]:
    swaps: Counter[tuple[str, str]] = Counter()
    shown: dict[tuple[str, str], tuple[str, str]] = {}
    for _, memory, value in _edits(library, "people"):
        derived = [
            each.value
            for each in library.memories.contexts(memory.id)
            if each.kind == "person" and each.origin is not Origin.PERSON
        ]
        said = value if isinstance(value, list) else []
        wrong = [name for name in derived if text_key(name) not in map(text_key, said)]
        right = [name for name in said if text_key(name) not in map(text_key, derived)]
        if len(wrong) == len(right) == 1:
            pair = text_key(wrong[0]), text_key(right[0])
            swaps[pair] += 1
            shown[pair] = wrong[0], right[0]
    for pair, times in swaps.items():
        wrong_name, right_name = shown[pair]
        if times >= _TWICE and library.memories.count(MemoryFilter(people=(wrong_name,))):
            fields = {"wrong": wrong_name, "right": right_name}
            why = f"You changed {wrong_name} to {right_name} {times} times."
            yield _offer(PERSON, f"{wrong_name} is {right_name}.", why, fields)


def _no_events(library: Library) -> Iterator[Offer]:
    """Events deleted, and memories taken out of events, again and again for one reason."""
    groups: list[list[CapturedMemory]] = []
    for correction in library.corrections.standing("event"):
        before, after = unpacked(correction.before), unpacked(correction.after)
        if correction.action == "delete":
            groups.append(library.memories.many(before.get("member_ids", ())))
        elif correction.action == "move" and not after.get("to_id"):
            groups.append(library.memories.many(after.get("member_ids", ())))
    groups = [group for group in groups if group]
    of_screenshots = [group for group in groups if all(memory.kind is MemoryKind.SCREENSHOT for memory in group)]
    if len(of_screenshots) >= _TWICE:
        thing = _shared_thing(of_screenshots)
        what = f"Screenshots that show {thing.lower()} are" if thing else "Screenshots are"
        why = f"You took screenshots out of events {len(of_screenshots)} times."
        fields = {"kind": MemoryKind.SCREENSHOT.value, "thing": thing}
        yield _offer(NO_EVENT, f"{what} not visits: they make no event.", why, fields)
    others = [group for group in groups if group not in of_screenshots]
    if len(others) >= _ALIKE_DELETED and (thing := _shared_thing(others)):
        why = f"You said of {len(others)} events that they were none; all show it."
        yield _offer(NO_EVENT, f"“{thing}” makes no event.", why, {"kind": "", "thing": thing})


def _shared_thing(groups: Sequence[Sequence[CapturedMemory]]) -> str:
    """What every memory of every group shows; empty where there is nothing."""
    first = common_things(groups[0])
    for thing in first:
        key = text_key(thing)
        if all(key in map(text_key, (*each.activities, *each.visual_elements)) for group in groups for each in group):
            return thing
    return ""


def _offer(kind: str, text: str, why: str, fields: Fields) -> Offer:
    key = hashlib.sha256(f"{kind} {packed(fields)}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Offer(key, kind, text, why, fields)
