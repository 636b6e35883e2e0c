"""Every format that we say we read is read, and the others are named in words."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.capture.decode import DecodeLimits
from core.capture.formats import Medium, sniff
from core.errors import PhotoTooLargeError, PhotoUnreadableError
from core.records import MemoryKind, Origin, TextLine
from core.store.library import Library
from tests.core.capture import drawn, drawn_formats
from tests.core.capture.conftest import Capturing, FakeModels, FakeReader, InProcessDecoder, lines


def _is_red_then_blue(pixels: np.ndarray) -> bool:  # type: ignore[type-arg] # a picture
    left, right = pixels[pixels.shape[0] // 2, 4].astype(int), pixels[pixels.shape[0] // 2, -4].astype(int)
    return bool(left[0] > left[2] + 60 and right[2] > right[0] + 60)


@pytest.mark.parametrize(
    ("name", "how", "format_"),
    [
        ("a.gif", {}, "gif"),
        ("a.bmp", {}, "bmp"),
        ("a.tif", {"compression": "tiff_lzw"}, "tiff"),
        ("a.tiff", {"compression": "jpeg"}, "tiff"),
        ("a.webp", {"lossless": True}, "webp"),
        ("a.avif", {}, "avif"),
        ("moving.gif", {"save_all": True}, "gif"),
        ("moving.webp", {"save_all": True, "lossless": True}, "webp"),
        ("moving.png", {"save_all": True}, "png"),
        ("moving.apng", {"save_all": True, "format": "PNG"}, "png"),
        ("pages.tif", {"save_all": True}, "tiff"),
        ("two.mpo", {"save_all": True}, "jpeg"),
    ],
)
def test_the_first_frame_of_every_kind_of_picture_is_read(
    tmp_path: Path, decoder: InProcessDecoder, name: str, how: dict[str, object], format_: str
) -> None:
    more = {"append_images": [Image.new("RGB", (64, 32), (0, 255, 0))] * 3} if how.get("save_all") else {}
    drawn.quartered().save(tmp_path / name, **how, **more)

    facts = decoder.facts(str(tmp_path / name))

    assert (facts.format, facts.medium, facts.width, facts.height) == (format_, Medium.IMAGE, 64, 32)
    assert _is_red_then_blue(decoder.picture(str(tmp_path / name), 64))


@pytest.mark.parametrize(
    ("name", "codec", "format_"),
    [
        ("a.webm", "libvpx-vp9", "matroska"),
        ("a.mkv", "mpeg4", "matroska"),
        ("a.avi", "mpeg4", "avi"),
        ("a.3gp", "h263", "mp4"),
        ("a.mov", "mpeg4", "mp4"),
    ],
)
def test_videos_of_every_container_give_size_length_and_a_frame(
    tmp_path: Path, decoder: InProcessDecoder, name: str, codec: str, format_: str
) -> None:
    path = str(drawn_formats.moving(tmp_path / name, codec))

    facts = decoder.facts(path)

    assert (facts.format, facts.medium, facts.width, facts.height) == (format_, Medium.VIDEO, 176, 144)
    assert facts.duration_s == pytest.approx(1.0, abs=0.2)
    assert decoder.picture(path, 88).shape == (72, 88, 3)


@pytest.mark.parametrize(
    ("name", "codec", "format_"),
    [("a.flac", "flac", "flac"), ("a.ogg", "libopus", "ogg"), ("a.mp3", "libmp3lame", "mp3"), ("a.m4a", "aac", "m4a")],
)
def test_recordings_of_every_container_are_heard(
    tmp_path: Path, decoder: InProcessDecoder, name: str, codec: str, format_: str
) -> None:
    path = str(drawn_formats.sound(tmp_path / name, codec))

    facts = decoder.facts(path)

    assert (facts.format, facts.medium, facts.has_audio) == (format_, Medium.AUDIO, True)
    samples = decoder.samples(path)
    assert len(samples) == pytest.approx(16_000, rel=0.15)
    assert float(np.abs(samples).max()) > 0.1


def test_a_raw_file_without_preview_is_developed(tmp_path: Path, decoder: InProcessDecoder) -> None:
    path = str(drawn_formats.dng(tmp_path / "a.dng"))

    facts = decoder.facts(path)

    assert (facts.format, facts.width, facts.height, facts.camera) == ("raw", 64, 48, "Drawn One")
    assert facts.tags["exif_original"] == "2021:03:05 10:15:00"
    assert _is_red_then_blue(decoder.picture(path, 64))
    assert decoder.picture(path, 16).shape == (12, 16, 3)


def test_a_raw_file_shows_the_preview_that_the_camera_made(tmp_path: Path, decoder: InProcessDecoder) -> None:
    path = str(drawn_formats.dng(tmp_path / "a.dng", preview=True))

    picture = decoder.picture(path, 256)

    assert picture.shape == (192, 256, 3)
    assert picture[90, 100, 1] > 150
    assert decoder.facts(path).tags["exif_original"] == "2021:03:05 10:15:00"


@pytest.mark.parametrize("preview", [True, False])
def test_a_turned_raw_file_is_shown_upright(tmp_path: Path, decoder: InProcessDecoder, preview: bool) -> None:
    path = str(drawn_formats.dng(tmp_path / "a.dng", preview=preview, orientation=6))

    assert (decoder.facts(path).width, decoder.facts(path).height) == (48, 64)
    assert decoder.picture(path, 64).shape == (64, 48, 3)


def test_a_damaged_raw_file_is_unreadable(tmp_path: Path, decoder: InProcessDecoder) -> None:
    path = drawn_formats.dng(tmp_path / "a.dng")
    cut = tmp_path / "cut.nef"
    cut.write_bytes(path.read_bytes()[:300])
    with pytest.raises(PhotoUnreadableError, match="raw file cannot be decoded"):
        decoder.picture(str(cut), 64)


def test_a_raw_file_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    small = InProcessDecoder(DecodeLimits(1_000))

    with pytest.raises(PhotoTooLargeError):
        small.picture(str(drawn_formats.dng(tmp_path / "a.dng")), 64)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"FUJIFILMCCD-RAW 0201", "a.raf"),
        (b"IIRO\x08\0\0\0", "a.orf"),
        (b"IIU\0\x18\0\0\0", "a.rw2"),
        (b"II*\0\x10\0\0\0CR\x02\0", "a.cr2"),
        (b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom", "a.cr3"),
        (b"MM\0*\0\0\0\x08", "a.nef"),
        (b"II*\0\x08\0\0\0\x01\0\x12\xc6\x01\0\x04\0\0\0\x01\x04\0\0", "a DNG by its content.tif"),
        (b"II*\0\x08\0\0\0", "a.ARW"),
    ],
)
def test_the_raw_formats_of_the_makers_are_recognised(head: bytes, name: str) -> None:
    found = sniff(head, name)

    assert found is not None
    assert found.name == "raw"


def test_a_pdf_is_a_document_with_its_words_title_date_and_first_page(
    library: Library, album: Path, capture: Capturing
) -> None:
    drawn_formats.pdf(
        album / "invoice.pdf",
        [["Invoice 17", "Total 10.85 GBP"], ["Second page"]],
        "March rent",
        "D:20210305101500+01'00'",
    )
    reader = FakeReader(lines=lines("read from the picture"))
    capture(FakeModels(text_reader=reader))

    memory = capture.named("invoice.pdf")
    assert (memory.kind, memory.title) == (MemoryKind.DOCUMENT, "March rent")
    assert memory.visible_text == "Invoice 17\nTotal 10.85 GBP\nSecond page"
    assert memory.taken.origin is Origin.EMBEDDED_XMP
    assert f"{memory.taken.wall} {memory.taken.utc_offset_minutes}" == "2021-03-05 10:15:00 60"
    assert (memory.media.width, memory.media.height) == (1240, 1754)
    assert reader.seen == []
    assert library.files.problems() == []


def test_a_scanned_pdf_is_read_from_its_picture(album: Path, capture: Capturing) -> None:
    drawn.picture(300, 400, 3).save(album / "scan.pdf")
    reader = FakeReader(lines=(TextLine("read from the picture", 0.9, (0, 0, 10, 10)),))
    capture(FakeModels(text_reader=reader))

    assert capture.named("scan.pdf").visible_text == "read from the picture"
    assert len(reader.seen) == 1


def test_the_page_of_a_pdf_is_drawn_dark_on_white(tmp_path: Path, decoder: InProcessDecoder) -> None:
    path = drawn_formats.pdf(tmp_path / "a.pdf", [["Hello"]])

    page = decoder.picture(str(path), 400)

    assert page.shape == (400, 283, 3)
    assert (page.max(), page.min() < 80) == (255, True)


def test_a_damaged_pdf_is_a_problem_and_a_long_one_is_read_in_part(
    library: Library, album: Path, capture: Capturing, decoder: InProcessDecoder
) -> None:
    whole = drawn_formats.pdf(album / "long.pdf", [[f"page {number}"] for number in range(40)])
    (album / "cut.pdf").write_bytes(b"%PDF-1.4\nnothing")
    capture()

    assert "page 29" in capture.named("long.pdf").visible_text
    assert "page 30" not in capture.named("long.pdf").visible_text
    assert [(Path(each.file).name, each.reason.split(".")[0]) for each in library.files.problems()] == [
        ("cut.pdf", "The PDF cannot be read")
    ]
    assert decoder.facts(str(whole)).medium is Medium.PAGES


@pytest.mark.parametrize("brand", [b"hevc", b"msf1"])
def test_a_heic_that_moves_is_the_photo_that_its_first_frame_is(
    album: Path, decoder: InProcessDecoder, capture: Capturing, brand: bytes
) -> None:
    path = drawn_formats.moving(album / "a.mp4", "libx265").rename(album / "a.heic")
    data = path.read_bytes()
    path.write_bytes(data[:8] + brand + data[12:])
    capture()

    memory = capture.named("a.heic")

    assert (memory.kind, memory.media.width, memory.media.duration_s) == (MemoryKind.PHOTO, 176, 0.0)
    assert decoder.picture(path, 64).shape == (52, 64, 3)


def test_a_broken_heic_that_says_it_moves_is_a_problem(album: Path, decoder: InProcessDecoder) -> None:
    (album / "a.heic").write_bytes(b"\0\0\0\x18ftyphevc\0\0\0\0mif1heic" + b"\0" * 200)

    with pytest.raises(PhotoUnreadableError):
        decoder.facts(str(album / "a.heic"))


def test_a_moving_avif_is_a_photo(album: Path, capture: Capturing) -> None:
    frames = [drawn.picture(64, 48, seed) for seed in range(4)]
    frames[0].save(album / "a.avif", save_all=True, append_images=frames[1:])
    capture()

    assert (capture.named("a.avif").kind, capture.named("a.avif").media.height) == (MemoryKind.PHOTO, 48)
