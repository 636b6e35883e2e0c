"""Puts the lines that a text reader found into the text of a memory."""

from collections.abc import Sequence

from core.records import TextLine

_CONFIDENT = 0.5
_SAME_ROW = 0.6


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


def _continues(before: TextLine, line: TextLine) -> bool:
    _, top, right, bottom = before.box
    left, next_top, _, next_bottom = line.box
    shared = min(bottom, next_bottom) - max(top, next_top)
    height = min(bottom - top, next_bottom - next_top)
    return height > 0 and shared >= _SAME_ROW * height and left >= right - 0.5 * height
