"""What did the person change, when and why, in words? The whole history, undone words included."""

from collections.abc import Callable, Iterable, Mapping

from core.augment.snapshots import Fields, unpacked
from core.counted import counted
from core.records import Change, Correction, shift_text

_Told = Callable[[Fields, Fields], str]


def history(corrections: Iterable[Correction]) -> list[Change]:
    """Every correction in words, the latest first."""
    changes = [
        Change(each.id, _what(each), each.why, each.who, each.made_at, each.undone_at, each.target_kind, each.target_id)
        for each in corrections
    ]
    return changes[::-1]


def _what(correction: Correction) -> str:
    before, after = unpacked(correction.before), unpacked(correction.after)
    tell = _TOLD.get((correction.target_kind, correction.action))
    if tell is None or not (before or after):
        return f"{correction.action} {correction.target_kind}".replace("_", " ").capitalize()
    return tell(before, after)


def _named(fields: Fields) -> str:
    return f"“{fields.get('name', 'an event')}”"


def _moved(before: Fields, after: Fields) -> str:
    number = len(after["member_ids"])
    memories = "a memory" if number == 1 else counted(number, "memory")
    out_of = f" out of {_named(before['from'])}" if before.get("from") else ""
    into = f" into {_named(before['to'])}" if before.get("to") else ""
    return f"Moved {memories}{out_of}{into or ('' if out_of else ' out of every event')}"


def _edited(before: Fields, after: Fields) -> str:
    value = after.get("value")
    if isinstance(value, dict):
        value = value.get("name") or value.get("city") or ""
    if isinstance(value, list):
        value = value[0] if after.get("field") == "date" else ", ".join(map(str, value))
    return f"Said {str(after.get('field', '')).replace('_', ' ')}: {value}"


def _shifted(before: Fields, after: Fields) -> str:
    moved = f"{counted(len(after['member_ids']), 'memory')} {shift_text(after['shift_s'])}"
    return f"Put the clock of {after.get('camera') or 'a camera'} right: {moved}"


def _related(fields: Fields) -> str:
    """A relation as it was told: "Mara Lindt – sister – Nina"."""
    return f"{fields['source'][1]} – {fields['relation']} – {fields['target'][1]}"


def _faces(after: Fields) -> str:
    return counted(len(after.get("faces", ())), "face", "no")


def _are(after: Fields) -> str:
    return "is" if len(after.get("faces", ())) == 1 else "are"


def _they(after: Fields) -> str:
    return "it is" if len(after.get("faces", ())) == 1 else "they are"


def _kept_private(after: Fields) -> str:
    level = after.get("level", "")
    return "Said that a memory is not private" if level == "none" else f"Kept a memory out of {level}"


def _split_off(before: Fields, after: Fields) -> str:
    return f"Told {_faces(after)} apart as {after.get('name') or 'another person'}"


_TOLD: Mapping[tuple[str, str], _Told] = {
    ("event", "rename"): lambda before, after: f"Renamed {_named(before)} to {_named(after)}",
    ("event", "redate"): lambda before, after: f"Dated {_named(before)} {after['first_day']} to {after['last_day']}",
    ("event", "replace"): lambda before, after: f"Placed {_named(before)} at {after['place'] or 'no place'}",
    ("event", "importance"): lambda before, after: f"Gave {_named(before)} the importance {after['importance']}",
    ("event", "confirm"): lambda before, after: f"Confirmed {_named(before)}",
    ("event", "lock"): lambda before, after: f"Locked {_named(before)}",
    ("event", "delete"): lambda before, after: f"Said that {_named(before)} was no event",
    ("event", "add"): lambda before, after: f"Made {_named(after['event'])}",
    ("event", "split"): lambda before, after: f"Split {_named(after['event'])} off {_named(before)}",
    ("event", "merge"): lambda before, after: f"Merged {_named(before['other'])} into {_named(before['keep'])}",
    ("event", "move"): _moved,
    ("memory", "edit"): _edited,
    ("answer", "reject"): lambda before, after: "Took a picture out of the answer to a question",
    ("doubt", "dismiss"): lambda before, after: f"Left as it is: {str(after.get('kind', '')).replace('_', ' ')}",
    ("memory", "forget"): lambda before, after: "Forgot a memory",
    ("knowledge", "confirm"): lambda before, after: f"Confirmed: {before.get('statement', '')}",
    ("knowledge", "reject"): lambda before, after: f"Rejected: {before.get('statement', '')}",
    ("knowledge", "edit"): lambda before, after: f"Reworded: {after.get('statement', '')}",
    ("knowledge", "add"): lambda before, after: f"Said: {after.get('statement', '')}",
    ("clock", "shift"): _shifted,
    ("clock", "decline"): lambda before, after: f"Said that the clock of {after.get('camera') or 'a camera'} was right",
    ("rule", "accept"): lambda before, after: f"Made a rule: {after['text']}",
    ("rule", "decline"): lambda before, after: f"Declined a rule: {after['text']}",
    ("relation", "relate"): lambda before, after: f"Said: {_related(after)}",
    ("relation", "unrelate"): lambda before, after: f"Said that it is not so: {_related(before)}",
    ("relation", "fix"): lambda before, after: f"Put right: {_related(before)} is {after['relation']}",
    ("person", "name"): lambda before, after: f"Named somebody {after.get('name', '')}",
    ("person", "merge"): lambda before, after: "Made one of two people",
    ("person", "split"): _split_off,
    ("person", "assign"): lambda before, after: f"Said whose {_faces(after)} {_are(after)}",
    ("person", "not_this"): lambda before, after: f"Said of {_faces(after)} that {_they(after)} somebody else's",
    ("person", "not_a_face"): lambda before, after: f"Said of {_faces(after)} that {_they(after)} none",
    ("person", "group"): lambda before, after: f"Put somebody into the group {after.get('group', '')}",
    ("person", "ungroup"): lambda before, after: f"Took somebody out of the group {after.get('group', '')}",
    ("person", "favourite"): lambda before, after: f"Made somebody {'a' if after.get('favourite') else 'no'} favourite",
    ("person", "kind"): lambda before, after: f"Said that somebody is a {after.get('kind', '')}",
    ("person", "import"): lambda before, after: f"Named {after.get('name') or 'somebody'} by hand or from a file",
    ("privacy", "private"): lambda before, after: _kept_private(after),
    ("place", "name"): lambda before, after: f"Named a place {after.get('name', '')}",
    ("place", "unname"): lambda before, after: f"Took back the place {after.get('name', '')}",
}  # fmt: skip
