"""Puts the lines that a text reader found into the text of a memory."""

from collections.abc import Sequence

from core.records import TextLine

_CONFIDENT = 0.5
_SAME_ROW = 0.6
_SURE_LINE, _SURE_ON_AVERAGE = 0.9, 0.87
_LETTERS = 4
_FEWEST_LINES = 2
_LEAST_HEIGHT, _LONG = 14.0, 3.0


def text_of(lines: Sequence[TextLine]) -> str:
    """The lines in their order, those on one height joined into one ("Rye bread 2.10"); unsure ones are left out.

    On a receipt the reader sees the name and the price as two lines; apart they mean nothing.
    """
    rows: list[list[TextLine]] = []
    for line in lines:
        if line.confidence < _CONFIDENT or not line.text.strip():
            continue
        if rows and _continues(rows[-1][-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return "\n".join(" ".join(line.text.strip() for line in row) for row in rows)


def is_unknown_script(lines: Sequence[TextLine]) -> bool:
    """Whether there is writing of which nothing could be read: letters that were never learnt, or too blurred ones.

    Drawn Greek, Hebrew, Arabic and Georgian are "read" at 0.61 to 0.86 on average, text of the known scripts at 0.95 and more; Cyrillic,
    and what is blurred beyond reading, is found and gives no letter at all (measured). A single unsure line is kept: it is as often
    one blurred word of a known script.
    """
    words = [line for line in lines if line.confidence >= _CONFIDENT and len(line.text.strip()) >= _LETTERS]
    if any(line.confidence >= _SURE_LINE for line in words):
        return False
    unread = sum(_is_written(line) for line in lines if line not in words)
    if not words:
        return unread > 0
    unsure = sum(line.confidence for line in words) / len(words) < _SURE_ON_AVERAGE
    return unsure and len(words) + unread >= _FEWEST_LINES


def _is_written(line: TextLine) -> bool:
    """Whether a line that could not be read has the form of several letters; leaves and tiles give smaller and rounder ones."""
    left, top, right, bottom = line.upright
    return bottom - top >= _LEAST_HEIGHT and right - left >= _LONG * (bottom - top)


def _continues(before: TextLine, line: TextLine) -> bool:
    _, top, right, bottom = before.upright
    left, next_top, _, next_bottom = line.upright
    shared = min(bottom, next_bottom) - max(top, next_top)
    height = min(bottom - top, next_bottom - next_top)
    return height > 0 and shared >= _SAME_ROW * height and left >= right - 0.5 * height
