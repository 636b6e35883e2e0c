"""Lines of text come in the order a person reads them."""

from itertools import pairwise

import numpy as np
import pytest

from core.capture.visible_text import text_of
from core.records import TextLine
from models.text_reader import LONGEST_EDGE, _pieces, in_reading_order


def line(text: str, left: float, top: float, height: float = 20) -> TextLine:
    return TextLine(text, 0.9, (left, top, left + 100, top + height))


def texts(lines: tuple[TextLine, ...]) -> list[str]:
    return [line.text for line in lines]


def test_rows_run_from_top_to_bottom_and_each_from_left_to_right() -> None:
    lines = [line("4.50", 300, 52), line("Total", 10, 100), line("Coffee", 10, 50), line("4.50!", 300, 97)]
    assert texts(in_reading_order(lines)) == ["Coffee", "4.50", "Total", "4.50!"]


def test_a_large_heading_beside_small_print_does_not_swallow_its_rows() -> None:
    lines = [
        line("SALE", 10, 40, height=100),
        line("from", 200, 45),
        line("Monday", 200, 75),
        line("to Friday", 200, 110),
    ]
    assert texts(in_reading_order(lines))[-1] == "to Friday"
    assert in_reading_order([]) == ()


def test_an_ordinary_photo_is_read_in_one_piece() -> None:
    assert len(list(_pieces(np.zeros((3000, 4000, 3), np.uint8)))) == 1


def test_a_long_screenshot_is_cut_into_overlapping_pieces_that_cover_it() -> None:
    picture = np.zeros((6000, 1080, 3), np.uint8)
    pieces = list(_pieces(picture))
    assert len(pieces) > 1
    ends = [(top, top + piece.shape[0]) for _, top, piece in pieces]
    assert ends[0][0] == 0
    assert ends[-1][1] == 6000
    assert all(next_start < end for (_, end), (next_start, _) in pairwise(ends))
    assert all(piece.shape[1] == 1080 and piece.shape[0] <= 1.5 * LONGEST_EDGE for _, _, piece in pieces)


def test_a_panorama_is_cut_from_left_to_right() -> None:
    pieces = list(_pieces(np.zeros((1000, 8000, 3), np.uint8)))
    assert [top for _, top, _ in pieces] == [0] * len(pieces)
    assert pieces[-1][0] + pieces[-1][2].shape[1] == 8000


def _column(left: float, texts_: list[str], top: float = 0) -> list[TextLine]:
    return [
        TextLine(text, 0.95, (left, top + 40 * row, left + 300, top + 40 * row + 25)) for row, text in enumerate(texts_)
    ]


def test_two_columns_of_running_text_are_read_one_after_the_other() -> None:
    left = ["The museum is open", "every day from spring", "until the first snow"]
    right = ["Children and students may", "enter without a ticket", "on every last Sunday"]
    lines = [line for pair in zip(_column(0, left), _column(400, right, 12), strict=True) for line in pair]

    assert texts(in_reading_order(lines)) == left + right


def test_the_prices_of_a_receipt_stay_beside_their_articles() -> None:
    names = ["Rye bread of the day", "Milk from the farm", "Apples from the garden"]
    for prices in (["2.10", "1.60", "3.20"], ["2 x 2.10 4.20", "1 x 1.60 1.60", "3 x 1.00 3.00"]):
        lines = [line for pair in zip(_column(0, names), _column(400, prices), strict=True) for line in pair]
        assert texts(in_reading_order(lines))[:2] == [names[0], prices[0]]


def test_labels_stay_beside_what_they_label() -> None:
    labels, values = ["Passenger", "Seat", "Gate"], ["Ida Maria Berg", "14C at the window", "B9 opens at noon"]
    lines = [line for pair in zip(_column(0, labels), _column(400, values), strict=True) for line in pair]

    assert texts(in_reading_order(lines))[:2] == ["Passenger", "Ida Maria Berg"]


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_turned_page_is_read_as_if_it_were_upright(turned: int) -> None:
    rows = [[("Coffee", 10), ("4.50", 300)], [("Cake", 10), ("3.20", 300)], [("Total", 10), ("7.70", 300)]]
    upright = [
        (text, (left, 50 * row, left + 80, 50 * row + 20)) for row, line_ in enumerate(rows) for text, left in line_
    ]
    lines = [TextLine(text, 0.95, _turned(box, turned), turned) for text, box in upright]

    read = in_reading_order(list(reversed(lines)))

    assert texts(read) == ["Coffee", "4.50", "Cake", "3.20", "Total", "7.70"]
    assert text_of(read) == "Coffee 4.50\nCake 3.20\nTotal 7.70"


def _turned(box: tuple[float, float, float, float], degrees: int) -> tuple[float, float, float, float]:
    """Where a box of a page of 400 x 200 lies when the page is turned clockwise."""
    left, top, right, bottom = box
    if degrees == 90:
        return 200 - bottom, left, 200 - top, right
    if degrees == 180:
        return 400 - right, 200 - bottom, 400 - left, 200 - top
    return (top, 400 - right, bottom, 400 - left) if degrees == 270 else box
