"""Are faces found once turned on, join whom they belong to, and never take a name away?"""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.augment.people import People
from core.capture import faces_stage
from core.capture.faces_stage import MOST_SCENES
from core.capture.pipeline import process
from core.capture.scan import add_folder
from core.errors import JobCancelled, ModelError, ModelNotInstalledError
from core.ports import Pixels
from core.records import ContextKind, Progress, Stage
from core.records.people import Person, frame_of, within_frame
from core.store.library import Library
from core.store.people import RELEASED
from tests.core.capture.conftest import Capturing, FakeModels, InProcessDecoder
from tests.core.capture.drawn import video
from tests.fakes import FakeFaces
from tests.people_drawn import FACE_PX, SIZE, draw_people

ANNA, BEN, STRANGER = 1, 5, 20


@pytest.fixture
def people(library: Library) -> People:
    return People(library)


@pytest.fixture
def models() -> FakeModels:
    return FakeModels(faces=FakeFaces())


def a_year(album: Path) -> None:
    """Anna alone three times, Ben alone twice, both together once, a stranger once."""
    for number, who in enumerate([[ANNA], [ANNA], [ANNA], [BEN], [BEN], [ANNA, BEN], [STRANGER]]):
        draw_people(album / f"{number}.png", who, f"2024:0{number + 1}:10 10:00:00", seed=number)


def with_photo(people: People, capture: Capturing, file_name: str) -> list[Person]:
    memory = capture.named(file_name)
    return [person for person in people.all() if memory.id in people.memories(person.id)]


def test_nothing_is_looked_for_until_the_person_turns_it_on(capture: Capturing, album: Path, library: Library) -> None:
    a_year(album)
    models = FakeModels(faces=FakeFaces())
    capture(models)
    assert models.faces.likely == []
    assert library.stages.counts()[Stage.FACES]["done"] == 0

    capture(models, with_faces=lambda: True)
    assert len(models.faces.likely) == 7
    assert library.stages.counts()[Stage.FACES]["done"] == 7


def test_faces_turned_off_in_the_middle_of_a_run_are_not_kept(
    capture: Capturing, album: Path, library: Library
) -> None:
    a_year(album)
    looked = FakeFaces()
    wanted = lambda: len(looked.likely) < 3  # noqa: E731 - turned off while the third picture is looked at
    with pytest.raises(JobCancelled):
        capture(FakeModels(faces=looked), with_faces=wanted)
    assert len({face.memory_id for face in library.people.faces()}) == 2
    assert len(looked.likely) == 3


def test_the_faces_of_one_person_become_one_group_and_a_stranger_stays_nobodys(
    people: People, capture: Capturing, album: Path, models: FakeModels
) -> None:
    a_year(album)
    capture(models, with_faces=lambda: True)
    assert sorted(person.faces for person in people.all()) == [3, 4]
    assert len(people.loose_faces()) == 1
    assert all(person.name == "" for person in people.all())
    assert capture.named("0.png").people == ()


def test_a_name_is_a_person_context_with_reason_confidence_and_maker_and_is_in_the_caption(
    people: People, capture: Capturing, album: Path, models: FakeModels, library: Library
) -> None:
    a_year(album)
    capture(models, with_faces=lambda: True)
    [anna] = with_photo(people, capture, "0.png")
    people.name(anna.id, "Anna Olsen")
    capture(models, with_faces=lambda: True)
    draw_people(album / "new.png", [ANNA], "2024:09:01 10:00:00", seed=99)
    capture(models, with_faces=lambda: True)

    assert capture.named("0.png").people == ("Anna Olsen",)
    assert "Anna Olsen" in capture.named("5.png").caption
    new = capture.named("new.png")
    assert new.people == ("Anna Olsen",)
    [context] = [each for each in library.memories.contexts(new.id) if each.kind is ContextKind.PERSON]
    assert context.provenance is not None
    assert (context.provenance.made_by, context.provenance.model_revision) == ("fake-faces", "1")
    assert 0.5 < context.confidence < 1
    assert "looks like Anna Olsen's" in context.why
    said = [each for each in library.memories.contexts(capture.named("0.png").id) if each.kind is ContextKind.PERSON]
    assert (said[0].confidence, said[0].why) == (1.0, "You said who this is.")


def test_a_second_run_looks_at_nothing_and_changes_nothing(
    people: People, capture: Capturing, album: Path, models: FakeModels
) -> None:
    a_year(album)
    capture(models, with_faces=lambda: True)
    before = people.all()
    capture(models, with_faces=lambda: True)
    assert people.all() == before
    assert len(models.faces.likely) == 7


@pytest.mark.parametrize("model", [FakeFaces(revision="2"), FakeFaces(model_id="other-faces", grow=6)])
def test_names_survive_another_model_and_another_detector(
    people: People, capture: Capturing, album: Path, models: FakeModels, model: FakeFaces
) -> None:
    a_year(album)
    capture(models, with_faces=lambda: True)
    people.name(with_photo(people, capture, "0.png")[0].id, "Anna")
    draw_people(album / "later.png", [ANNA], "2024:09:01 10:00:00", seed=50)
    capture(models, with_faces=lambda: True)
    before = {memory.file_name: memory.people for memory in capture.library.memories.matching()}
    ids = {person.id: (person.name, person.faces) for person in people.all()}

    capture(FakeModels(faces=model), with_faces=lambda: True)

    assert {memory.file_name: memory.people for memory in capture.library.memories.matching()} == before
    assert {person.id: (person.name, person.faces) for person in people.all()} == ids
    assert {face.space for face in people.faces(next(iter(ids)))} == {f"{model.model_id}@{model.revision}"}


def test_new_faces_join_and_never_rename(people: People, capture: Capturing, album: Path, models: FakeModels) -> None:
    a_year(album)
    capture(models, with_faces=lambda: True)
    people.name(with_photo(people, capture, "0.png")[0].id, "Anna")
    people.name(with_photo(people, capture, "3.png")[0].id, "Ben")
    for number in range(10, 40):
        draw_people(album / f"{number}.png", [ANNA if number % 2 else BEN], "2024:09:01 10:00:00", seed=number)
    capture(models, with_faces=lambda: True)
    for number in range(10, 40):
        assert capture.named(f"{number}.png").people == (("Anna",) if number % 2 else ("Ben",))
    assert {person.name for person in people.all()} == {"Anna", "Ben"}


def test_boxes_are_parts_of_the_upright_picture_in_all_eight_orientations(
    people: People, capture: Capturing, album: Path, models: FakeModels, library: Library
) -> None:
    upright = album / "1.png"
    draw_people(upright, [ANNA], seed=3)
    turns = {
        2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270,
    }  # fmt: skip
    for orientation, turn in turns.items():
        with Image.open(upright) as picture:
            stored = picture.transpose(turn)
        exif = Image.Exif()
        exif[0x0112] = orientation
        exif[0x010F] = "Madeleine tests"
        exif.get_ifd(0x8769)[0x9003] = f"2024:05:1{orientation} 10:00:00"
        stored.save(album / f"{orientation}.png", exif=exif)
    capture(models, with_faces=lambda: True)
    expected = (23 / SIZE[0], 33 / SIZE[1], (23 + FACE_PX) / SIZE[0], (33 + FACE_PX) / SIZE[1])
    boxes = {face.memory_id: face.box for person in people.all() for face in people.faces(person.id)}
    assert len(boxes) == 8
    for memory in library.memories.matching():
        assert (memory.media.width, memory.media.height) == SIZE
        np.testing.assert_allclose(boxes[memory.id], expected, atol=0.01, err_msg=memory.file_name)


def test_a_picture_that_defeats_the_model_is_marked_and_the_rest_goes_on(
    people: People, capture: Capturing, album: Path, library: Library
) -> None:
    a_year(album)
    capture(FakeModels(faces=FakeFaces(error=ModelError("It fell over."))), with_faces=lambda: True)
    assert library.stages.counts()[Stage.FACES]["failed"] == 7
    library.files.retry(None)
    capture(FakeModels(faces=FakeFaces()), with_faces=lambda: True)
    assert library.stages.counts()[Stage.FACES]["done"] == 7


def test_a_model_that_does_not_load_leaves_the_stage_due(
    people: People, capture: Capturing, album: Path, library: Library, expected_log: object
) -> None:
    a_year(album)
    expected_log("faces stops", logger="core.capture.pipeline")  # type: ignore[operator]
    done = capture(FakeModels(faces=FakeFaces(error=ModelNotInstalledError("Gone."))), with_faces=lambda: True)
    assert [str(trouble) for trouble in done.troubles]
    assert library.stages.counts()[Stage.FACES]["failed"] == 0


def test_people_are_likely_where_somebody_is_named(
    people: People, capture: Capturing, album: Path, models: FakeModels, library: Library
) -> None:
    draw_people(album / "a.png", [ANNA])
    (album / "a.png.xmp").write_text(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><Iptc4xmpExt:PersonInImage><rdf:Bag>'
        "<rdf:li>Anna</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage></rdf:Description></rdf:RDF></x:xmpmeta>"
    )
    capture(models, with_faces=lambda: True)
    assert models.faces.likely == [True]


def test_what_the_person_says_while_names_are_written_is_not_forgotten(
    people: People,
    capture: Capturing,
    album: Path,
    models: FakeModels,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker lets a correction in between two batches of names; the faces it set free must find their place again."""
    a_year(album)
    capture(models, with_faces=lambda: True)
    people.name(with_photo(people, capture, "0.png")[0].id, "Anna")
    people.assign(people.get("Anna").id, people.faces(with_photo(people, capture, "3.png")[0].id)[:1])
    draw_people(album / "new.png", [STRANGER], "2024:09:01 10:00:00", seed=99)
    monkeypatch.setattr(faces_stage, "_BATCH", 1)
    add_folder(library, album)
    said = False
    steps = process(library, models, decoder=InProcessDecoder(), with_faces=lambda: True)
    with contextlib.suppress(StopIteration):
        while True:
            news = next(steps)
            if (
                isinstance(news, Progress)
                and news.stage is Stage.FACES
                and news.total > 3
                and news.done == 1
                and not said
            ):
                said = True
                wrong = [face for face in people.faces(people.get("Anna").id) if face.by_person][-1:]
                people.not_this(people.get("Anna").id, wrong)
                assert library.stages.note(RELEASED)
    assert said
    assert library.stages.note(RELEASED)
    capture(models, with_faces=lambda: True)
    assert library.stages.note(RELEASED) == ""


class ScenesDecoder(InProcessDecoder):
    """Shows these scenes in every video; lossy pictures would not hold the drawn colours."""

    def __init__(self, scenes: list[list[int]]) -> None:
        super().__init__()
        self.asked: list[int] = []
        self._scenes = [_scene(people, seed) for seed, people in enumerate(scenes)]

    def picture(self, path: str | Path, edge: int) -> Pixels:
        return self._scenes[0] if str(path).endswith(".mp4") else super().picture(path, edge)

    def frames(self, path: str, edge: int, most: int) -> tuple[Pixels, ...]:
        self.asked.append(most)
        return tuple(self._scenes[1 : most + 1])


def _scene(people: list[int], seed: int) -> Pixels:
    picture = np.full((SIZE[1], SIZE[0], 3), 40 + seed, dtype=np.uint8)
    for place, number in enumerate(people):
        left = 20 + place * 60  # the first of each scene at the same place
        picture[30 : 30 + FACE_PX, left : left + FACE_PX] = (255, number * 10, 0)
    return picture


def test_everybody_in_any_scene_of_a_video_is_found_once_and_named_where_they_are(
    people: People, capture: Capturing, album: Path, library: Library
) -> None:
    models = FakeModels(faces=FakeFaces(spread=0.2))
    a_year(album)
    video(album / "clip.mp4", seconds=0.4)
    decoder = ScenesDecoder([[ANNA], [BEN], [ANNA, BEN], [STRANGER, ANNA], []])
    capture(models, with_faces=lambda: True, decoder=decoder)
    clip = capture.named("clip.mp4")
    found = library.people.faces(memory_ids=[clip.id])
    assert sorted(frame_of(face.box) for face in found) == [0, 1, 3]
    assert [round(within_frame(face.box)[0] * SIZE[0]) for face in found] == [20, 20, 20]
    assert decoder.asked == [MOST_SCENES]

    for name, number in (("Anna", "0.png"), ("Ben", "3.png")):
        people.name(with_photo(people, capture, number)[0].id, name)
    capture(models, with_faces=lambda: True, decoder=decoder)
    assert set(capture.named("clip.mp4").people) == {"Anna", "Ben"}

    ben = next(face for face in found if frame_of(face.box) == 1)
    people.not_this(people.get("Ben").id, [ben])
    assert capture.named("clip.mp4").people == ("Anna",)  # at the same place of another frame
    capture(FakeModels(faces=FakeFaces(spread=0.2, revision="2")), with_faces=lambda: True, decoder=decoder)
    assert capture.named("clip.mp4").people == ("Anna",)


class Lookalikes(FakeFaces):
    """Everybody looks like Anna."""

    def embedding(self, number: int, seed: int) -> tuple[float, ...]:
        return FakeFaces.embedding(self, ANNA, seed)


def test_two_people_alike_in_one_frame_stay_two(
    people: People, capture: Capturing, album: Path, library: Library
) -> None:
    """Each face that was seen before is one face of a later frame at most, however alike two people are."""
    video(album / "clip.mp4", seconds=0.4)
    alike = Lookalikes(spread=0.1)
    decoder = ScenesDecoder([[ANNA], [ANNA, BEN], [BEN, ANNA]])
    capture(FakeModels(faces=alike), with_faces=lambda: True, decoder=decoder)
    found = library.people.faces(memory_ids=[capture.named("clip.mp4").id])
    assert sorted(frame_of(face.box) for face in found) == [0, 1]
