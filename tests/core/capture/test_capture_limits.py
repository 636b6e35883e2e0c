"""What one file may cost: pixels, memory and time, for every way of decoding; and colours that a profile means."""

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from core.capture import memory_cap
from core.capture.decode import DecodeLimits, Decoder, TimeLimits, limits_here
from core.child import ChildLink
from core.errors import PhotoTooLargeError
from tests.core.capture import drawn, drawn_formats
from tests.core.capture.conftest import InProcessDecoder

SMALL = DecodeLimits(1_000)


class SlowService:
    """A decoder that never ends, whatever it is asked."""

    def __getattr__(self, method: str) -> Callable[..., None]:
        return lambda *_: time.sleep(60)


def start_slow(_link: ChildLink, limits: DecodeLimits) -> SlowService:
    """The factory of the child."""
    return SlowService()


def test_a_machine_gets_limits_that_fit_its_memory() -> None:
    limits = limits_here()

    assert 64_000_000 <= limits.pixels <= 256_000_000
    assert limits.memory_bytes > 3 * 4 * limits.pixels
    assert memory_cap.ram_bytes() > 1 << 28


def test_the_smaller_of_machine_and_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "limit").write_text("1048576\n")
    monkeypatch.setattr(memory_cap, "_LIMITED_BY", (tmp_path / "none", tmp_path / "limit"))

    assert memory_cap.ram_bytes() == 1_048_576
    (tmp_path / "limit").write_text("max\n")
    assert memory_cap.ram_bytes() > 1 << 28


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the other systems are held in other ways")
def test_a_process_that_is_held_to_a_limit_gets_no_more() -> None:
    code = (
        "from core.capture.memory_cap import hold_to\nhold_to(300_000_000)\n"
        "bytearray(50_000_000)\n"
        "try:\n    bytearray(400_000_000)\nexcept MemoryError:\n    raise SystemExit(7)"
    )

    ended = subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[3], timeout=60)

    assert ended.returncode == 7


def test_a_picture_that_takes_more_memory_than_granted_is_refused_with_a_reason(
    album: Path, decoder: InProcessDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: object, **__: object) -> None:
        raise MemoryError

    path = drawn.jpeg(album / "a.jpg")
    monkeypatch.setattr(Image.Image, "resize", no_memory)

    with pytest.raises(PhotoTooLargeError, match="more memory"):
        decoder.picture(path, 64)


def _cases(folder: Path) -> list[Path]:
    drawn.picture(200, 100).save(folder / "a.png")
    drawn.picture(200, 100).save(folder / "a.webp")
    drawn.picture(200, 100).save(folder / "a.tif")
    drawn.picture(200, 100).save(folder / "a.avif")
    return [
        drawn.jpeg(folder / "a.jpg"), folder / "a.png", folder / "a.webp", folder / "a.tif", folder / "a.avif",
        drawn.video(folder / "a.mp4"), drawn_formats.moving(folder / "a.webm", "libvpx"), drawn_formats.dng(folder / "a.dng"),
    ]  # fmt: skip


def test_the_pixel_limit_holds_for_every_way_of_decoding(album: Path) -> None:
    decoder = InProcessDecoder(SMALL)

    for path in _cases(album):
        with pytest.raises(PhotoTooLargeError, match="megapixels"):
            decoder.picture(path, 64)


def test_a_page_is_drawn_no_larger_than_asked_whatever_size_it_says(album: Path, decoder: InProcessDecoder) -> None:
    path = drawn_formats.pdf(album / "a.pdf", [["words"]])
    path.write_bytes(path.read_bytes().replace(b"[0 0 595 842]", b"[0 0 9e6 842]"))

    assert max(decoder.picture(path, 200).shape) <= 200


def test_a_long_recording_is_listened_to_for_its_first_part(album: Path) -> None:
    path = drawn.wav(album / "a.wav", seconds=3)

    assert len(InProcessDecoder(DecodeLimits(1_000, sound_s=1.0)).samples(str(path))) == 16_000


@pytest.mark.parametrize("method", ["facts", "preview", "samples", "notes"])
def test_every_call_has_a_time_limit(album: Path, method: str) -> None:
    times = TimeLimits(0.3, 0.3, 0.3, 0.3)
    decoder = Decoder(times=times, factory=f"{__name__}:start_slow")
    more = (64, str(album / "small.jpg")) if method == "preview" else ()
    try:
        with pytest.raises(PhotoTooLargeError, match="took longer than"):
            getattr(decoder, method)(str(album / "a.jpg"), *more)
    finally:
        decoder.close()


def _profile_that_swaps_red_and_blue() -> bytes:
    """An sRGB profile whose red and blue columns change places: what it means is easy to see."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, blue = data.index(b"rXYZ"), data.index(b"bXYZ")
    data[red : red + 4], data[blue : blue + 4] = b"bXYZ", b"rXYZ"
    return bytes(data).replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be")).replace(b"sRGB", b"swap")


def test_the_colours_of_a_profile_are_shown_as_meant(album: Path, decoder: InProcessDecoder) -> None:
    drawn.quartered().save(album / "a.png", icc_profile=_profile_that_swaps_red_and_blue())

    red, _, blue = (int(each) for each in decoder.picture(album / "a.png", 64)[16, 4])

    assert blue > 150 > 80 > red


@pytest.mark.parametrize("profile", [b"no profile", b"", b"\0" * 200])
def test_a_profile_that_is_broken_means_nothing(album: Path, decoder: InProcessDecoder, profile: bytes) -> None:
    drawn.quartered().save(album / "a.png", icc_profile=profile)

    assert tuple(decoder.picture(album / "a.png", 64)[16, 4]) == (200, 30, 30)


def test_a_profile_of_another_mode_means_nothing_for_cmyk(album: Path, decoder: InProcessDecoder) -> None:
    target = io.BytesIO()
    drawn.quartered().convert("CMYK").save(target, "JPEG", quality=95, icc_profile=_profile_that_swaps_red_and_blue())
    (album / "a.jpg").write_bytes(target.getvalue())

    left = decoder.picture(album / "a.jpg", 64)[16, 4].astype(int)

    assert np.abs(left - (200, 30, 30)).max() < 40


@pytest.mark.parametrize("name", ["a.jpg", "a.tif", "a.dng", "a"])
def test_raw_data_under_any_name_is_developed(album: Path, decoder: InProcessDecoder, name: str) -> None:
    path = drawn_formats.dng(album / name, preview=True)

    assert decoder.facts(str(path)).format == "raw"
    assert tuple(decoder.picture(path, 512)[100, 100] // 50) == (0, 3, 0)  # the green preview


@pytest.mark.parametrize("name", ["a.nef", "a.dng", "a.arw"])
def test_a_tiff_under_the_name_of_raw_data_is_a_picture(album: Path, decoder: InProcessDecoder, name: str) -> None:
    drawn.quartered(640, 320).save(album / name, "TIFF")

    assert tuple(decoder.picture(album / name, 64)[16, 4]) == (200, 30, 30)
    assert decoder.facts(str(album / name)).width == 640


def test_other_pictures_under_the_name_of_raw_data_are_what_they_are(album: Path, decoder: InProcessDecoder) -> None:
    os.rename(drawn.jpeg(album / "a.jpg"), album / "a.nef")

    assert decoder.facts(str(album / "a.nef")).format == "jpeg"
