"""Decoding: rows 20 to 39 of the table of inputs, on files drawn here."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from core.capture.decode import DecodeLimits
from core.capture.facts import Tag
from core.capture.formats import describe, sniff
from core.errors import PhotoTooLargeError, PhotoUnreadableError, PhotoUnsupportedError
from tests.core.capture import drawn
from tests.core.capture.conftest import InProcessDecoder


def _colour(pixels: object, x: float, y: float) -> tuple[int, ...]:
    array = np.asarray(pixels)
    return tuple(int(value) for value in array[int(y * (array.shape[0] - 1)), int(x * (array.shape[1] - 1))])


def _is_red(colour: tuple[int, ...]) -> bool:
    return colour[0] > 150 and colour[1] < 90 and colour[2] < 90


@pytest.mark.parametrize(
    ("orientation", "red_at"),
    [(1, (0.1, 0.5)), (2, (0.9, 0.5)), (3, (0.9, 0.5)), (4, (0.1, 0.5)),
     (5, (0.5, 0.1)), (6, (0.5, 0.1)), (7, (0.5, 0.9)), (8, (0.5, 0.9))],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["jpg", "png", "webp"])
def test_every_orientation_is_turned_upright_once(
    tmp_path: Path, decoder: InProcessDecoder, orientation: int, red_at: tuple[float, float], suffix: str
) -> None:
    path = tmp_path / f"a.{suffix}"
    drawn.quartered().save(path, exif=drawn.exif(base={drawn.ORIENTATION: orientation}), quality=95)

    pixels, facts = decoder.picture(str(path), 64), decoder.facts(str(path))

    assert _is_red(_colour(pixels, *red_at))
    assert (facts.width, facts.height) == ((64, 32) if orientation < 5 else (32, 64)) == pixels.shape[1::-1]


def test_a_heic_is_turned_by_its_container_and_not_again_by_its_exif(tmp_path: Path, decoder: InProcessDecoder) -> None:
    (tmp_path / "a.heic").write_bytes(drawn.HEIC)

    pixels, facts = decoder.picture(str(tmp_path / "a.heic"), 64), decoder.facts(str(tmp_path / "a.heic"))

    assert pixels.shape == (64, 32, 3)
    assert _is_red(_colour(pixels, 0.5, 0.1))
    assert (facts.width, facts.height) == (32, 64)
    assert facts.tags[Tag.EXIF_ORIGINAL] == "2024:06:01 09:00:00"
    assert facts.tags[Tag.OFFSET_ORIGINAL] == "-07:00"


def test_half_a_jpeg_shows_what_there_is_and_is_flagged(tmp_path: Path, decoder: InProcessDecoder) -> None:
    whole = drawn.jpeg_bytes(30, 1600, 1200)
    (tmp_path / "a.jpg").write_bytes(whole[: len(whole) // 2])

    preview = decoder.preview(str(tmp_path / "a.jpg"), 320, str(tmp_path / "small.jpg"))

    assert preview.damaged
    with Image.open(tmp_path / "small.jpg") as small:
        assert small.size == (320, 240)


def test_a_truncated_heic_is_a_problem_and_not_a_black_picture(tmp_path: Path, decoder: InProcessDecoder) -> None:
    (tmp_path / "a.heic").write_bytes(drawn.HEIC[: len(drawn.HEIC) - 150])

    with pytest.raises(PhotoUnreadableError):
        decoder.picture(str(tmp_path / "a.heic"), 64)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\0" * 4096, "zeros"),
        (b"hello\n", "plain text"),
        (b"<html>404</html>", "web page"),
        (bytes(range(256)) * 4, "no format"),
    ],
)
def test_what_is_no_picture_is_called_by_its_name(
    tmp_path: Path, decoder: InProcessDecoder, content: bytes, reason: str
) -> None:
    (tmp_path / "a.jpg").write_bytes(content)

    with pytest.raises(PhotoUnsupportedError, match=reason):
        decoder.facts(str(tmp_path / "a.jpg"))
    assert sniff(content) is None
    assert reason in describe(content)


def test_a_jpeg_header_without_a_picture_is_unreadable(tmp_path: Path, decoder: InProcessDecoder) -> None:
    (tmp_path / "a.jpg").write_bytes(drawn.jpeg_bytes(1)[:200])

    with pytest.raises(PhotoUnreadableError, match="cannot be decoded"):
        decoder.facts(str(tmp_path / "a.jpg"))


@pytest.mark.parametrize("name", ["a.heic", "a.png", "a.mp4", "a"])
def test_a_jpeg_is_a_jpeg_whatever_its_name(tmp_path: Path, decoder: InProcessDecoder, name: str) -> None:
    (tmp_path / name).write_bytes(drawn.jpeg_bytes(2) + b"\xff" * 64)

    assert decoder.facts(str(tmp_path / name)).format == "jpeg"
    assert decoder.picture(str(tmp_path / name), 100).shape == (75, 100, 3)


def test_cmyk_keeps_its_colours(tmp_path: Path, decoder: InProcessDecoder) -> None:
    drawn.quartered().convert("CMYK").save(tmp_path / "a.jpg", quality=95)

    assert _is_red(_colour(decoder.picture(str(tmp_path / "a.jpg"), 64), 0.1, 0.5))


def test_sixteen_bit_grey_is_scaled_and_not_clipped(tmp_path: Path, decoder: InProcessDecoder) -> None:
    ramp = np.linspace(0, 65535, 64, dtype=np.uint16)[None, :].repeat(8, axis=0)
    Image.fromarray(ramp).save(tmp_path / "a.png")

    pixels = decoder.picture(str(tmp_path / "a.png"), 64)

    assert 110 < pixels[4, 31, 0] < 140


@pytest.mark.parametrize("name", ["a.png", "a.webp"])
def test_transparency_shows_a_light_neutral(tmp_path: Path, decoder: InProcessDecoder, name: str) -> None:
    Image.new("RGBA", (40, 40), (255, 0, 0, 0)).save(tmp_path / name)

    red, green, blue = _colour(decoder.picture(str(tmp_path / name), 40), 0.5, 0.5)

    assert red > 200
    assert max(red, green, blue) - min(red, green, blue) < 4


def test_a_transparent_palette_is_flattened(tmp_path: Path, decoder: InProcessDecoder) -> None:
    drawn.picture(320, 240, 35).convert("P").save(tmp_path / "a.png", transparency=0)

    assert decoder.picture(str(tmp_path / "a.png"), 100).shape == (75, 100, 3)


@pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.png", "a.mpo"])
def test_the_first_frame_stands_for_an_animation(tmp_path: Path, decoder: InProcessDecoder, name: str) -> None:
    frames = [drawn.quartered(), *(drawn.picture(64, 32, seed) for seed in range(20))]
    frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:])

    assert _is_red(_colour(decoder.picture(str(tmp_path / name), 64), 0.1, 0.5))


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 4000), (12_000, 1_000)])
def test_extreme_shapes_get_a_thumbnail(tmp_path: Path, decoder: InProcessDecoder, width: int, height: int) -> None:
    drawn.picture(width, height, 43).save(tmp_path / "a.png")

    small = decoder.picture(str(tmp_path / "a.png"), 320)

    assert max(small.shape[:2]) == min(320, max(width, height))


def test_a_large_flat_bitmap_is_decoded_within_the_limit(tmp_path: Path) -> None:
    path = drawn.flat_png(tmp_path / "a.png", 8_000, 5_000)

    assert InProcessDecoder(DecodeLimits(41_000_000)).picture(str(path), 320).shape == (200, 320, 3)


def test_a_bomb_is_refused_by_its_header_and_its_facts_cost_nothing(tmp_path: Path) -> None:
    path = drawn.flat_png(tmp_path / "a.png", 60_000, 6_000)
    decoder = InProcessDecoder(DecodeLimits(300_000_000))

    assert decoder.facts(str(path)).width == 60_000
    with pytest.raises(PhotoTooLargeError, match="360 megapixels"):
        decoder.preview(str(path), 320, str(tmp_path / "small.jpg"))


def test_the_exif_of_a_png_is_found_without_decoding_it(tmp_path: Path, decoder: InProcessDecoder) -> None:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "x" * 1000)
    drawn.picture().save(tmp_path / "a.png", exif=drawn.exif({drawn.ORIGINAL: "2020:01:02 03:04:05"}), pnginfo=notes)

    assert decoder.facts(str(tmp_path / "a.png")).tags[Tag.EXIF_ORIGINAL] == "2020:01:02 03:04:05"


def test_an_embedded_xmp_date_is_read_and_one_with_entities_refused(tmp_path: Path, decoder: InProcessDecoder) -> None:
    xmp = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:DateCreated="2014-12-25T18:00:00+01:00"/></rdf:RDF></x:xmpmeta>'
    )
    drawn.jpeg(tmp_path / "a.jpg", 1, xmp=xmp.encode())
    drawn.jpeg(tmp_path / "b.jpg", 1, xmp=("<!DOCTYPE x [<!ENTITY a 'b'>]>" + xmp).encode())

    assert decoder.facts(str(tmp_path / "a.jpg")).tags[Tag.XMP_ORIGINAL] == "2014-12-25T18:00:00+01:00"
    assert Tag.XMP_ORIGINAL not in decoder.facts(str(tmp_path / "b.jpg")).tags


def test_a_video_gives_size_length_and_a_frame(tmp_path: Path, decoder: InProcessDecoder) -> None:
    path = str(drawn.video(tmp_path / "a.mp4", 2.0))

    facts = decoder.facts(path)

    assert (facts.format, facts.width, facts.height, facts.has_audio) == ("mp4", 160, 120, False)
    assert facts.duration_s == pytest.approx(2.0, abs=0.2)
    assert decoder.picture(path, 80).shape == (60, 80, 3)
    assert len(decoder.samples(path)) == 0


def test_a_video_gives_the_position_and_dates_of_its_atoms(tmp_path: Path, decoder: InProcessDecoder) -> None:
    notes = {
        "com.apple.quicktime.creationdate": "2019-12-08T18:12:37+0100",
        "com.apple.quicktime.location.ISO6709": "+48.2082+016.3738+171.000/",
    }

    facts = decoder.facts(str(drawn.video(tmp_path / "a.mov", notes=notes)))

    assert facts.tags[Tag.VIDEO_CREATION_DATE] == "2019-12-08T18:12:37+0100"
    assert (facts.latitude, facts.longitude) == (48.2082, 16.3738)


def test_sound_becomes_mono_at_sixteen_kilohertz_and_is_bounded(tmp_path: Path) -> None:
    path = str(drawn.wav(tmp_path / "a.wav", 3.0))
    decoder = InProcessDecoder(DecodeLimits(1_000_000, sound_s=2.0))

    samples = decoder.samples(path)

    assert samples.dtype == np.float32
    assert len(samples) == 32_000
    assert 0.1 < float(np.sqrt((samples**2).mean())) < 0.4


def test_the_sound_of_a_video_is_read(tmp_path: Path, decoder: InProcessDecoder) -> None:
    path = str(drawn.video(tmp_path / "a.mp4", 1.0, sound=True))

    assert decoder.facts(path).has_audio
    assert len(decoder.samples(path)) == pytest.approx(16_000, abs=2_500)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_video_without_its_index_is_unreadable(tmp_path: Path, decoder: InProcessDecoder, share: float) -> None:
    whole = drawn.video(tmp_path / "whole.mp4").read_bytes()
    (tmp_path / "a.mp4").write_bytes(whole[: int(len(whole) * share)])

    with pytest.raises((PhotoUnreadableError, PhotoUnsupportedError)):
        decoder.facts(str(tmp_path / "a.mp4"))


def test_a_name_that_is_not_utf8_opens(tmp_path: Path, decoder: InProcessDecoder) -> None:
    for content, suffix in ((drawn.jpeg_bytes(3), ".jpg"), (drawn.video(tmp_path / "v.mp4").read_bytes(), ".mp4")):
        path = str(tmp_path / f"bad_\udcff\udcfe{suffix}")
        with open(path, "wb") as out:
            out.write(content)

        assert decoder.facts(path).width > 0
        assert decoder.picture(path, 64).shape[1] == 64


def test_words_of_a_file_reach_the_facts_as_storable_text(tmp_path: Path, decoder: InProcessDecoder) -> None:
    drawn.jpeg(
        tmp_path / "a.jpg",
        1,
        drawn.exif({drawn.COMMENT: b"ASCII\0\0\0Screenshot\0\0"}, {drawn.MAKE: "Foo\0bar", drawn.MODEL: "Foo 3"}),
    )

    facts = decoder.facts(str(tmp_path / "a.jpg"))

    assert facts.tags[Tag.COMMENT] == "Screenshot"
    json.dumps(facts.camera).encode("utf-8")
