"""What is in the sample album: every memory of its invented person, read from `album.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files


class AlbumKind(StrEnum):
    """What was captured, in the words of the product."""

    PHOTO = "photo"
    SCREENSHOT = "screenshot"
    VIDEO = "video"
    RECORDING = "recording"


@dataclass(frozen=True, slots=True)
class AlbumPlace:
    """Where a memory was captured: real coordinates in degrees, and the city they lie in."""

    latitude: float
    longitude: float
    city: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlbumMemory:
    """One file of the album and the truth about it.

    Attributes:
        file: its name in the drawn folder.
        taken_at: local wall time with its offset from UTC.
        draw: which drawing of `drawings.py` it is.
        text: what is written in it, line by line; ` | ` separates what stands left and right in one line.
        shows: what a person would say is to be seen or heard.
        place: None where the file itself carries no position (screenshots, the voice note).
        orientation: the EXIF orientation it is stored with.
        like: the file it is a second shot of.
        says: what is spoken in it when a speech synthesiser is at hand.
    """

    file: str
    taken_at: datetime
    draw: str
    shows: str
    text: tuple[str, ...] = ()
    place: AlbumPlace | None = None
    orientation: int = 1
    like: str = ""
    says: str = ""

    @property
    def kind(self) -> AlbumKind:
        """What it is, told by its name as a phone would name it."""
        if self.file.startswith("Screenshot_"):
            return AlbumKind.SCREENSHOT
        by_ending = {"mp4": AlbumKind.VIDEO, "m4a": AlbumKind.RECORDING}
        return by_ending.get(self.file.rsplit(".", 1)[1], AlbumKind.PHOTO)

    @property
    def pieces(self) -> tuple[str, ...]:
        """Every piece of text that can be read in it, columns apart."""
        return tuple(piece for line in self.text for piece in line.split(" | "))

    @property
    def camera(self) -> tuple[str, str]:
        """Make and model: the person changed her phone in October 2024."""
        return ("Google", "Pixel 8a") if self.file.startswith("PXL_") else ("Fairphone", "FP5")


@lru_cache(maxsize=1)
def album_facts() -> tuple[AlbumMemory, ...]:
    """Every file of the album with the truth about it, oldest first."""
    recipe = tomllib.loads(files(__package__).joinpath("album.toml").read_text(encoding="utf-8"))
    places = {name: AlbumPlace(**place) for name, place in recipe["places"].items()}
    memories = [_memory(entry, places) for entry in recipe["memory"]]
    return tuple(sorted(memories, key=lambda memory: memory.taken_at))


def _memory(entry: Mapping[str, object], places: Mapping[str, AlbumPlace]) -> AlbumMemory:
    fields = dict(entry)
    fields["text"] = tuple(fields.get("text", ()))  # type: ignore[arg-type]  # TOML arrays are lists
    if "place" in fields:
        fields["place"] = places[str(fields["place"])]
    return AlbumMemory(**fields)  # type: ignore[arg-type]  # a field that does not fit is a mistake in our own recipe
