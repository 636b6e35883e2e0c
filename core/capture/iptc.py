"""Reads the IPTC block that press programs and older photo managers write: date, title, caption, keywords."""

from collections.abc import Mapping

from core.capture.described import LONGEST_TEXT, Described, distinct
from core.capture.xmp import typed_caption
from core.text_keys import printable

_CODING, _TITLE, _KEYWORDS, _DAY, _CLOCK, _HEADLINE, _CAPTION = (
    (1, 90), (2, 5), (2, 25), (2, 55), (2, 60), (2, 105), (2, 120),
)  # fmt: skip


def read(fields: Mapping[tuple[int, int], bytes | list[bytes]]) -> Described:
    """What the fields say, by record and number as Pillow gives them."""
    coding = fields.get(_CODING)
    is_utf8 = isinstance(coding, bytes) and coding.startswith(b"\x1b%G")

    def texts(key: tuple[int, int]) -> tuple[str, ...]:
        value = fields.get(key, [])
        return tuple(
            _decoded(each, is_utf8)
            for each in (value if isinstance(value, list) else [value])
            if isinstance(each, bytes)
        )

    def text(key: tuple[int, int]) -> str:
        return next((each for each in texts(key) if each), "")

    return Described(
        taken=_date(text(_DAY), text(_CLOCK)),
        title=text(_TITLE) or text(_HEADLINE),
        caption=typed_caption(text(_CAPTION)),
        keywords=distinct(texts(_KEYWORDS)),
    )


def _decoded(value: bytes, is_utf8: bool) -> str:
    value = value.split(b"\0")[0][:LONGEST_TEXT]
    if not is_utf8:
        try:
            return printable(value.decode("utf-8")).strip()
        except UnicodeDecodeError:
            return printable(value.decode("latin-1")).strip()
    return printable(value.decode("utf-8", "replace")).strip()


def _date(day: str, clock: str) -> str:
    if len(day) != 8 or not day.isdigit():
        return ""
    text = f"{day[:4]}:{day[4:6]}:{day[6:]}"
    if len(clock) >= 6 and clock[:6].isdigit():
        text += f" {clock[:2]}:{clock[2:4]}:{clock[4:6]}"
        text += f"{clock[6:9]}:{clock[9:11]}" if len(clock) == 11 else ""
    return text
