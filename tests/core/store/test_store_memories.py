"""Is a memory's value the one of the best origin, and is every word of it found?"""

from datetime import date, datetime
from itertools import pairwise

import pytest

from core.errors import RequestError
from core.records import (
    ORIGIN_RANK,
    AtomicContext,
    ContextKind,
    Event,
    Field,
    FileState,
    Media,
    MemoryFilter,
    MemoryKind,
    Origin,
    Place,
    Provenance,
    SourceFile,
    Taken,
)
from core.store.library import Library
from core.store.memory_edit import MemoryEdit


def add(library: Library, name: str = "a.jpg", **texts: str) -> str:
    memory_id = library.memories.create(kind=MemoryKind.PHOTO, file_name=name, content_key=None)
    with library.memories.edit(memory_id) as edit:
        for field, text in texts.items():
            edit.set_text(Field(field), text, Origin.MODEL)
    return memory_id


def contexts(kind: ContextKind, *values: str) -> list[AtomicContext]:
    return [AtomicContext(kind, value) for value in values]


class TestOrigins:
    """The origin of highest rank is shown; the others wait."""

    def test_a_person_beats_a_model_whoever_speaks_last(self, library: Library) -> None:
        memory_id = add(library, caption="model")
        with library.memories.edit(memory_id) as edit:
            edit.set_text(Field.CAPTION, "person", Origin.PERSON)
        with library.memories.edit(memory_id) as edit:
            edit.set_text(Field.CAPTION, "model again", Origin.MODEL)

        memory = library.memories.get(memory_id)
        assert (memory.caption, memory.origins[Field.CAPTION]) == ("person", "person")

    def test_taking_a_correction_back_shows_the_derived_value(self, library: Library) -> None:
        memory_id = add(library, caption="model")
        for text in ("person", ""):  # an empty text takes it back
            with library.memories.edit(memory_id) as edit:
                edit.set_text(Field.CAPTION, text, Origin.PERSON)

        assert library.memories.get(memory_id).caption == "model"
        assert library.memories.by_words("model", 5)
        assert not library.memories.by_words("person", 5)

    def test_taking_back_the_kind_shows_what_it_was_made_as(self, library: Library) -> None:
        memory_id = library.memories.create(kind=MemoryKind.SCREENSHOT, file_name="s.png", content_key=None)
        with library.memories.edit(memory_id) as edit:
            edit.set_kind(MemoryKind.DOCUMENT, Origin.PERSON)
        assert library.memories.get(memory_id).kind is MemoryKind.DOCUMENT
        with library.memories.edit(memory_id) as edit:
            edit.take_back(Field.KIND, Origin.PERSON)

        assert library.memories.get(memory_id).kind is MemoryKind.SCREENSHOT

    @pytest.mark.parametrize(("lower", "higher"), list(pairwise(sorted(Origin, key=ORIGIN_RANK.__getitem__))))
    def test_every_date_origin_gives_way_to_the_next(self, library: Library, lower: Origin, higher: Origin) -> None:
        memory_id = add(library)
        for origin, year in ((higher, 2001), (lower, 2002)):
            with library.memories.edit(memory_id) as edit:
                edit.set_taken(Taken(datetime(year, 1, 1), None, origin, 0.5))

        assert library.memories.get(memory_id).taken == Taken(datetime(2001, 1, 1), None, higher, 0.5)

    def test_the_same_said_again_keeps_its_date_of_making(self, library: Library) -> None:
        made = Provenance("m", "r", "p", "2020-01-01T00:00:00+00:00")
        memory_id = add(library)
        for provenance in (made, Provenance("m", "r", "p")):
            with library.memories.edit(memory_id) as edit:
                edit.set_text(Field.CAPTION, "x", Origin.MODEL, provenance)

        assert [value.provenance for value in library.memories.values(memory_id) if value.field is Field.CAPTION] == [
            made
        ]

    def test_every_field_shows_nothing_again_when_all_is_taken_back(self, library: Library) -> None:
        memory_id = add(library, title="t", caption="c", visible_text="v", speech="s")
        with library.memories.edit(memory_id) as edit:
            edit.set_taken(Taken(datetime(2020, 1, 1), 0, Origin.MODEL, 1))
            edit.set_place(Place(city="Basel", latitude=1, longitude=2), Origin.MODEL)
            edit.set_favourite(True, Origin.MODEL)
            edit.set_rating(3, Origin.MODEL)
            edit.set_keywords(["k"], Origin.MODEL)
            edit.set_document({"k": "v"}, Origin.MODEL)
            edit.set_media(Media(1, 2))
        with library.memories.edit(memory_id) as edit:
            for field in Field:
                for origin in (Origin.MODEL, Origin.RULE):
                    if field is not Field.KIND:
                        edit.take_back(field, origin)

        empty = library.memories.get(add(library))
        left = library.memories.get(memory_id)
        for name in (
            "taken",
            "place",
            "title",
            "caption",
            "visible_text",
            "speech",
            "favourite",
            "rating",
            "keywords",
            "document",
            "media",
        ):
            assert getattr(left, name) == getattr(empty, name), name
        assert library.memories.count(MemoryFilter(places=("Basel",))) == 0


class TestContexts:
    """Atomic contexts, by origin."""

    def test_a_rerun_replaces_only_what_it_made(self, library: Library) -> None:
        memory_id = add(library)
        made = [
            AtomicContext(ContextKind.ACTIVITY, name, provenance=Provenance(by))
            for name, by in (("a", "one"), ("b", "two"))
        ]
        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(Origin.RULE, made)
            edit.set_contexts(Origin.MODEL, contexts(ContextKind.ACTIVITY, "c"))
        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(Origin.RULE, [], made_by="one")

        assert library.memories.get(memory_id).activities == ("b", "c")

    def test_where_the_person_has_spoken_of_a_kind_only_that_is_shown(self, library: Library) -> None:
        memory_id = add(library)
        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(
                Origin.MODEL, [*contexts(ContextKind.PERSON, "Al", "Bo"), *contexts(ContextKind.ACTIVITY, "sailing")]
            )
            edit.set_contexts(Origin.PERSON, contexts(ContextKind.PERSON, "Cy"))

        memory = library.memories.get(memory_id)
        assert (memory.people, memory.activities) == (("Cy",), ("sailing",))
        assert library.memories.count(MemoryFilter(people=("Cy",))) == 1
        assert library.memories.count(MemoryFilter(people=("Al",))) == 0
        assert library.memories.count(MemoryFilter(without_people=("Al",))) == 1

    def test_spellings_of_one_name_are_one_name(self, library: Library) -> None:
        memory_id = add(library)
        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, "Zoë", "zoe ", "!!!", ""))

        assert len(library.memories.get(memory_id).people) == 1

    def test_the_vocabulary_counts_memories(self, library: Library) -> None:
        for names in (("Al", "Bo"), ("Al",)):
            memory_id = add(library)
            with library.memories.edit(memory_id) as edit:
                edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, *names))
                edit.set_contexts(Origin.RULE, contexts(ContextKind.PERSON, names[0].lower()))
                edit.set_place(Place(name="Hafen", city="Basel"), Origin.GPS)

        vocabulary = library.memories.vocabulary()
        assert {name.casefold(): count for name, count in vocabulary.people.items()} == {"al": 2, "bo": 1}
        assert vocabulary.places == {"city": {"Basel": 2}, "name": {"Hafen": 2}}

    def test_the_vocabulary_is_counted_again_only_when_a_name_comes_or_goes(self, library: Library) -> None:
        memory_id = add(library)
        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, "Al"))
            edit.set_place(Place(city="Basel"), Origin.GPS)
        known = library.memories.vocabulary()
        library.stages.set_note("owner", "Nora")
        with library.memories.edit(memory_id) as edit:
            edit.set_text(Field.CAPTION, "A boat", Origin.MODEL)
        assert library.memories.vocabulary() is known

        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, "Bo"))
        assert library.memories.vocabulary().people == {"Bo": 1}
        with library.memories.edit(memory_id) as edit:
            edit.set_place(Place(city="Bern"), Origin.PERSON)
        assert library.memories.vocabulary().places == {"city": {"Bern": 1}}
        library.private.mark(memory_id, "health", "chat")
        assert library.memories.vocabulary().people == {"Bo": 1}
        assert library.for_chat().memories.vocabulary().people == {}
        library.private.release(memory_id)
        assert library.for_chat().memories.vocabulary().people == {"Bo": 1}
        with library.memories.edit(memory_id) as edit:
            edit.forget()
        assert library.memories.vocabulary().people == {}

    def test_names_of_a_change_that_is_rolled_back_are_not_remembered(self, library: Library) -> None:
        memory_id = add(library)

        def name_and_fail() -> None:
            with library.database.write():
                with library.memories.edit(memory_id) as edit:
                    edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, "Al"))
                assert library.memories.vocabulary().people == {"Al": 1}
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            name_and_fail()
        with library.memories.edit(memory_id) as edit:
            edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, "Bo"))

        assert library.memories.vocabulary().people == {"Bo": 1}


class TestLookingUp:
    """Ids and files."""

    def test_an_unknown_id_is_said(self, library: Library) -> None:
        for look_up in (library.memories.resolve, library.memories.get):
            with pytest.raises(RequestError, match="There is no memory 'x'"):
                look_up("x")

    def test_many_keeps_the_order_and_leaves_out_the_unknown(self, library: Library) -> None:
        ids = [add(library, f"{n}.jpg") for n in range(1_000)]
        wanted = [*reversed(ids), "unknown"]

        assert [memory.id for memory in library.memories.many(wanted)] == list(reversed(ids))

    def test_files_are_listed_present_ones_first(self, library: Library) -> None:
        memory_id = add(library)
        root = library.files.add_root("/p")
        for name, state in (("a", FileState.MISSING), ("b\udce9", FileState.PRESENT)):
            library.files.put(
                SourceFile(id=name[0], root_id=root.id, path=f"/p/{name}", memory_id=memory_id, state=state)
            )

        assert library.memories.get(memory_id).files == ("/p/b\udce9", "/p/a")

    def test_deleting_leaves_nothing(self, library: Library) -> None:
        memory_id = add(library, caption="gone")
        library.memories.delete(memory_id)

        assert library.memories.by_words("gone", 5) == []
        assert library.memories.by_letters("gon", 5) == []
        assert library.memories.count() == 0


class TestWords:
    """Word search and piece search."""

    @pytest.mark.parametrize(
        ("stored", "asked"),
        [
            ("Crème brûlée", "creme"),
            ("MÜNCHEN", "munchen"),
            ("naïve café", "café"),
            ("kites flying", "kite"),
        ],
    )
    def test_words_are_found_without_accents_case_and_endings(self, library: Library, stored: str, asked: str) -> None:
        memory_id = add(library, caption=stored)

        assert [found for found, _ in library.memories.by_words(f'"{asked}"', 5)] == [memory_id]

    @pytest.mark.parametrize(
        ("stored", "piece"),
        [
            ("我们在京都吃拉面", "京都吃"), ("我们在京都吃拉面", "京都"), ("お寿司", "寿"), ("RE16 TGK", "E16 T"), ("say \"hi\"", "\"hi\""),
            ("50% off_all", "0%"), ("50% off_all", "_a"), ("a\\b", "\\b"), ("semi-final", "i-f"), ("O'Hara", "o'h"), ("नमस्ते दुनिया", "दुनि"),
        ],
    )  # fmt: skip
    def test_pieces_are_found_as_they_are_in_any_script(self, library: Library, stored: str, piece: str) -> None:
        memory_id = add(library, visible_text=stored)
        add(library, visible_text="something else")

        assert library.memories.by_letters(piece, 5) == [memory_id]

    def test_a_short_piece_with_wild_cards_means_itself(self, library: Library) -> None:
        add(library, visible_text="fifty percent")

        assert library.memories.by_letters("%", 5) == []
        assert library.memories.by_letters("_", 5) == []

    def test_names_places_and_keywords_are_words_too(self, library: Library) -> None:
        memory_id = add(library, "holiday-2024.jpg")
        with library.memories.edit(memory_id) as edit:
            edit.set_place(Place(city="Genève"), Origin.GPS)
            edit.set_keywords(["boat"], Origin.XMP_SIDECAR)
            edit.set_contexts(
                Origin.MODEL, [*contexts(ContextKind.PERSON, "Zoë"), *contexts(ContextKind.VISUAL_ELEMENT, "kite")]
            )

        for word in ("geneve", "boat", "zoe", "kite", "holiday"):
            assert [found for found, _ in library.memories.by_words(word, 5)] == [memory_id], word

    def test_names_weigh_more_than_text_in_the_picture(self, library: Library) -> None:
        in_text, in_name = add(library, visible_text="harbour"), add(library, title="harbour")

        assert [found for found, _ in library.memories.by_words("harbour", 5)] == [in_name, in_text]

    def test_filters_apply_before_the_best_are_taken(self, library: Library) -> None:
        ids = [add(library, caption="kite " * (20 - n)) for n in range(20)]
        last = ids[-1]

        assert [found for found, _ in library.memories.by_words("kite", 1, MemoryFilter(ids=(last,)))] == [last]
        assert library.memories.by_letters("kite", 1, MemoryFilter(ids=(last,))) == [last]

    def test_a_new_memory_without_words_is_in_the_word_index_after_its_first_edit(self, library: Library) -> None:
        memory_id = add(library, "boat.jpg")

        assert [found for found, _ in library.memories.by_words("boat", 5)] == [memory_id]


class TestFilters:
    """Every condition of a `MemoryFilter`, alone and together."""

    @pytest.fixture
    def ids(self, library: Library) -> dict[str, str]:
        """Four memories: a Monday morning in Basel, a Tuesday midnight in Paris, a day without a time, and an undated note."""
        found = {name: add(library, name) for name in ("monday", "tuesday", "day", "undated")}
        self._dated(library, found["monday"], Taken(datetime(2024, 7, 1, 9, 30), 120, Origin.EXIF_ORIGINAL, 1))
        self._dated(library, found["tuesday"], Taken(datetime(2024, 7, 2, 0, 15), None, Origin.EXIF_ORIGINAL, 1))
        self._dated(library, found["day"], Taken(datetime(2024, 7, 3), None, Origin.FILE_NAME, 1, day_only=True))
        for name, city, people in (("monday", "Basel", ("Al", "Bo")), ("tuesday", "PARÍS", ("Al",))):
            with library.memories.edit(found[name]) as edit:
                edit.set_place(Place(name="Hotel", city=city), Origin.GPS)
                edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, *people))
        with library.memories.edit(found["undated"]) as edit:
            edit.set_kind(MemoryKind.NOTE, Origin.RULE)
        library.events.put(Event(id="trip", name="Trip", member_ids=(found["monday"], found["undated"])))
        return found

    @staticmethod
    def _dated(library: Library, memory_id: str, taken: Taken) -> None:
        with library.memories.edit(memory_id) as edit:
            edit.set_taken(taken)

    @pytest.mark.parametrize(
        ("wanted", "expected"),
        [
            (MemoryFilter(), "monday tuesday day undated"),
            (MemoryFilter(first_day=date(2024, 7, 2)), "tuesday day"),
            (MemoryFilter(last_day=date(2024, 7, 2)), "monday tuesday"),
            (MemoryFilter(first_day=date(2024, 7, 2), last_day=date(2024, 7, 2)), "tuesday"),
            (MemoryFilter(people=("al",)), "monday tuesday"),
            (MemoryFilter(people=("AL", "Bo")), "monday"),
            (MemoryFilter(without_people=("Bo",)), "tuesday day undated"),
            (MemoryFilter(places=("basel",)), "monday"),
            (MemoryFilter(places=("Paris", "Basel")), "monday tuesday"),
            (MemoryFilter(places=("hotel",), people=("Bo",)), "monday"),
            (MemoryFilter(kinds=(MemoryKind.NOTE,)), "undated"),
            (MemoryFilter(event_ids=("trip", "none")), "monday undated"),
            (MemoryFilter(ids=()), ""),
            (MemoryFilter(hours=(9, 9)), "monday"),
            (MemoryFilter(hours=(22, 4)), "tuesday"),
            (MemoryFilter(hours=(0, 23)), "monday tuesday"),
            (MemoryFilter(weekdays=(0,)), "monday"),
            (MemoryFilter(weekdays=(1, 2)), "tuesday day"),
            (MemoryFilter(places=("'; DROP TABLE memories",)), ""),
        ],
    )  # fmt: skip
    def test_exactly_the_memories_that_match(
        self, library: Library, ids: dict[str, str], wanted: MemoryFilter, expected: str
    ) -> None:
        names = {memory_id: name for name, memory_id in ids.items()}

        assert [names[found] for found in library.memories.ids_matching(wanted)] == expected.split()
        assert library.memories.count(wanted) == len(expected.split())

    def test_newest_first_keeps_the_undated_last(self, library: Library, ids: dict[str, str]) -> None:
        found = library.memories.ids_matching(newest_first=True)

        assert found == [ids[name] for name in ("day", "tuesday", "monday", "undated")]
        assert library.memories.ids_matching(newest_first=True, limit=2, offset=1) == found[1:3]

    def test_ids_may_be_many(self, library: Library, ids: dict[str, str]) -> None:
        many = tuple(f"unknown {n}" for n in range(40_000))

        assert library.memories.ids_matching(MemoryFilter(ids=(*many, ids["day"]))) == [ids["day"]]


class TestOddValues:
    """What strangers' files and models hand in."""

    def test_surrogates_and_controls_reach_no_column(self, library: Library) -> None:
        memory_id = add(library, "b\udcff.jpg")

        def fill(edit: MemoryEdit) -> None:
            odd = "x\udce9\x00y\ud83d"
            edit.set_file_name(odd)
            edit.set_text(Field.SPEECH, odd, Origin.MODEL)
            edit.set_place(Place(name=odd, city=" Basel "), Origin.GPS)
            edit.set_keywords([odd, "  "], Origin.XMP_SIDECAR)
            edit.set_document({odd: odd}, Origin.MODEL)
            edit.set_contexts(Origin.MODEL, contexts(ContextKind.PERSON, odd))

        with library.memories.edit(memory_id) as edit:
            fill(edit)

        memory = library.memories.get(memory_id)
        safe = "x\ufffd y\ufffd"
        assert (memory.file_name, memory.speech, memory.keywords, memory.people) == (safe, safe, (safe,), (safe,))
        assert memory.place == Place(name=safe, city="Basel")
        assert memory.document == {safe: safe}
