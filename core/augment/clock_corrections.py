"""What does the person say of a clock that looks wrong? One word moves all its memories, and one undo moves them back."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from core.augment.clocks_stage import open_clocks
from core.augment.snapshots import Fields, packed, unpacked
from core.augment.spoken import edit_of
from core.errors import RequestError
from core.records import CapturedMemory, Changes, Clock, Correction, Origin, Stage
from core.store.library import Library

CLOCK, DATE = "clock", "date"
SHIFT, DECLINE = "shift", "decline"
_SHOWS_TIME = (Stage.CAPTION, Stage.CONTEXTS, Stage.EMBEDDINGS)
_CHANGES = Changes(events=True, memories=True)


class Clocks:
    """Clocks that look wrong, and the person's word on them."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def open(self) -> list[Clock]:
        """Those that the person has not spoken of yet, days of one camera that are wrong alike together."""
        return open_clocks(self._library)

    def get(self, clock_id: str) -> Clock:
        """One of them by its id or the beginning of it. Raises RequestError when none or several have it."""
        found = [
            clock for clock in self.open() if clock.id.startswith(clock_id) and len(clock_id) >= min(4, len(clock.id))
        ]
        if len(found) != 1:
            raise RequestError(f"There is no clock {clock_id!r} to put right.", "`madeleine events clocks` prints ids.")
        return found[0]

    def accept(self, clock_id: str, first_day: date | None = None, why: str = "") -> Changes:
        """Put a clock right: every memory moves by what is proposed.

        Args:
            first_day: on which day the first of them was really taken; moves all by that instead.
        """
        clock = self.get(clock_id)
        members = _dated(self._library.memories.many(clock.member_ids))
        if not members:
            raise RequestError("The memories of this clock are not there any more.")
        shift_s = clock.shift_s
        if first_day is not None:
            shift_s = (first_day - _wall(members[0]).date()).days * 86400
        if shift_s is None:
            raise RequestError(
                "Nothing in the library tells how far this clock was off.",
                "Say on which day the first of these was taken.",
            )
        return self._say(SHIFT, clock, [memory.id for memory in members], shift_s, why)

    def decline(self, clock_id: str, why: str = "") -> Changes:
        """Say that a clock was right: it is not proposed again, and its memories make events."""
        clock = self.get(clock_id)
        return self._say(DECLINE, clock, list(clock.member_ids), clock.shift_s, why)

    def _say(self, action: str, clock: Clock, members: list[str], shift_s: int | None, why: str) -> Changes:
        said: dict[str, object] = {}
        date_edit = edit_of(DATE)
        for member in members:
            said[member] = date_edit.stored(self._library, member)
        correction = Correction(
            id="",
            target_kind=CLOCK,
            target_id=clock.id,
            action=action,
            before=packed({"said": said}),
            after=packed({"camera": clock.camera, "shift_s": shift_s, "member_ids": members}),
            why=why or clock.why,
        )
        with self._library.database.write():
            self._library.corrections.add(correction)
            show_times(self._library, correction)
        return _CHANGES


def show_times(library: Library, changed: Correction) -> None:
    """Show the times of the memories of a correction as the standing corrections leave them."""
    members = [changed.target_id] if changed.target_kind == "memory" else list(unpacked(changed.after)["member_ids"])
    chains = _chains(library, set(members))
    date_edit = edit_of(DATE)
    for member in library.derived.living(members):
        chain = chains.get(member, [])
        if changed.target_kind == CLOCK and changed.action == DECLINE:
            continue
        value = _before(chain[0], member) if chain else None
        with library.memories.edit(member) as editing:
            date_edit.write(editing, None)
        derived = library.memories.get(member)
        for correction in chain:
            if not correction.undone_at:
                value = _after(correction, value, derived)
        with library.memories.edit(member) as editing:
            date_edit.write(editing, value)
        for stage in _SHOWS_TIME:
            library.stages.reset(stage, [member])
    library.events.mark_stale(members)
    library.derived.note_days("moments", library.derived.days_of(members))


def is_usable_clock(correction: Correction) -> bool:
    """Whether a correction of a clock from a file can be replayed."""
    after, said = unpacked(correction.after), unpacked(correction.before)["said"]
    shift_s, members = after["shift_s"], after["member_ids"]
    is_shift = correction.action == SHIFT and isinstance(shift_s, int) and not isinstance(shift_s, bool)
    is_decline = correction.action == DECLINE and (shift_s is None or isinstance(shift_s, int))
    if not (is_shift or is_decline) or not isinstance(said, dict) or abs(shift_s or 0) > 200 * 366 * 86400:
        return False
    return isinstance(members, list) and all(isinstance(member, str) for member in members)


def _chains(library: Library, members: set[str]) -> dict[str, list[Correction]]:
    """What the person said of the time of each of these memories, in order, undone words included."""
    chains: dict[str, list[Correction]] = {}
    for correction in library.corrections.all():
        if correction.target_kind == "memory" and correction.action == "edit" and correction.target_id in members:
            if unpacked(correction.before)["field"] == DATE:
                chains.setdefault(correction.target_id, []).append(correction)
        elif correction.target_kind == CLOCK and correction.action == SHIFT:
            for member in members & set(unpacked(correction.after)["member_ids"]):
                chains.setdefault(member, []).append(correction)
    return chains


def _before(correction: Correction, member: str) -> object:
    before: Fields = unpacked(correction.before)
    return before["value"] if correction.target_kind == "memory" else before["said"].get(member)


def _after(correction: Correction, value: object, derived: CapturedMemory) -> object:
    """The person's time after a correction: a day they gave, or what was known moved by what the clock was off."""
    after = unpacked(correction.after)
    if correction.target_kind == "memory":
        return after["value"]
    wall, day_only = value if isinstance(value, list) else (_wall(derived).isoformat(), derived.taken.day_only)
    try:
        moved = datetime.fromisoformat(str(wall)) + timedelta(seconds=after["shift_s"])
    except OverflowError:
        return value
    return [moved.isoformat(timespec="seconds"), day_only]


def _wall(memory: CapturedMemory) -> datetime:
    if memory.taken.wall is None:
        raise RequestError(f"The memory {memory.public_id} has no time to move.")
    return memory.taken.wall


def _dated(memories: Sequence[CapturedMemory]) -> list[CapturedMemory]:
    """Those with a time that the person did not give."""
    dated = [memory for memory in memories if memory.taken.wall and memory.taken.origin is not Origin.PERSON]
    return sorted(dated, key=lambda memory: (memory.taken.wall, memory.public_id))
