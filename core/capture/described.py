"""What somebody wrote about a picture beside its pixels: in XMP, in IPTC, or in the file of another program's export."""

from dataclasses import dataclass, fields, replace

LONGEST_TEXT = 10_000
_MOST_WORDS = 500


@dataclass(frozen=True, slots=True)
class Described:
    """The person's own words and settings, as read; empty and None where nothing was said.

    Attributes:
        taken: a time as written (EXIF, ISO 8601), not yet judged.
        taken_utc_s: seconds since 1970, where the source counts in UTC.
        latitude, longitude: degrees as written, not yet judged.
        rating: 1 to 5.
        people: names of the people in the picture.
        burst_id: the mark that the shots of one burst share.
        gps_time: the time of the satellites in UTC, as written.
        clip_bytes: how many bytes at the file's end are a moving picture; 0 for none.
    """

    taken: str = ""
    taken_utc_s: float | None = None
    title: str = ""
    caption: str = ""
    keywords: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    rating: int | None = None
    favourite: bool | None = None
    latitude: float | None = None
    longitude: float | None = None
    clip_bytes: int = 0
    burst_id: str = ""
    gps_time: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing at all."""
        return self == NOTHING_SAID

    def or_else(self, other: "Described") -> "Described":
        """This, completed by another where it says nothing; keywords and people of both."""
        said = {
            each.name: getattr(other, each.name)
            for each in fields(self)
            if getattr(self, each.name) in ("", None, (), 0)
        }
        both = {
            "keywords": distinct((*self.keywords, *other.keywords)),
            "people": distinct((*self.people, *other.people)),
        }
        if self.latitude is not None and self.longitude is not None:  # never one half from each
            said.pop("latitude", None)
            said.pop("longitude", None)
        return replace(self, **{**said, **both})


NOTHING_SAID = Described()


def distinct(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without blanks and repeats, in order; not more than a person would type."""
    seen: dict[str, str] = {}
    for word in words:
        if text := word.strip():
            seen.setdefault(text.casefold(), text)
    return tuple(seen.values())[:_MOST_WORDS]
