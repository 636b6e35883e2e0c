"""Documents drawn in different ways, read by the real text reader: their kinds, and what receipts cost, where and when."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from core.capture.documents import Document, recognise
from core.capture.visible_text import text_of
from core.records import CapturedMemory, MemoryKind
from models.installed import InstalledModels

pytestmark = pytest.mark.integration

_Row = tuple[str, str]


def _paper(rows: list[_Row], size: int = 30, wide: int = 700, ink: str = "black", ground: str = "white") -> Image.Image:
    """Rows of what stands left and right."""
    paper = Image.new("RGB", (wide, 80 + len(rows) * size * 2), ground)
    pen, font = ImageDraw.Draw(paper), ImageFont.load_default(size)
    for number, (left, right) in enumerate(rows):
        y = 40 + number * size * 2
        pen.text((40, y), left, fill=ink, font=font)
        pen.text((wide - 40 - pen.textlength(right, font=font), y), right, fill=ink, font=font)
    return paper


def _photographed(paper: Image.Image, degrees: float = 0.0, blur: float = 0.0, noise: float = 0.0) -> Image.Image:
    """On a table, a little turned, blurred and noisy."""
    table = Image.new("RGB", (paper.width + 200, paper.height + 200), (120, 86, 58))
    turned = paper.convert("RGBA").rotate(degrees, expand=True, resample=Image.Resampling.BICUBIC)
    table.paste(turned, (100, 100), turned)
    grainy = np.asarray(table.filter(ImageFilter.GaussianBlur(blur))) + np.random.default_rng(1).normal(
        0, noise, (table.height, table.width, 3)
    )
    return Image.fromarray(np.clip(grainy, 0, 255).astype(np.uint8))


_RECEIPTS: dict[str, tuple[list[_Row], dict[str, float], tuple[str, str, str]]] = {
    "british": (
        [("HILLTOP STORES", ""), ("14 Mill Lane", ""), ("03/11/2023 09:12", ""), ("Oat milk", "1.85"), ("Apples", "2.40"),
         ("Subtotal", "4.25"), ("VAT", "0.00"), ("TOTAL GBP", "4.25"), ("Card", "4.25")],
        {"degrees": 2.0}, ("HILLTOP STORES", "4.25", "2023-11-03"),
    ),
    "german": (
        [("Weinhaus Sonntag GmbH", ""), ("Kassenbon 4711", ""), ("24.12.2022 08:05", ""), ("Brezel", "1,20"), ("Stollen", "12,50"),
         ("SUMME EUR", "13,70"), ("Gegeben BAR", "20,00"), ("Rückgeld", "6,30"), ("MwSt 7%", "0,90")],
        {"degrees": -3.0}, ("Weinhaus Sonntag", "13,70", "2022-12-24"),
    ),
    "french": (
        [("CAFE DES ARTS", ""), ("Table 12", ""), ("le 07/06/2021", ""), ("Croque monsieur", "9,50"), ("Eau minerale", "3,00"),
         ("TOTAL TTC EUR", "12,50"), ("dont TVA 10%", "1,14"), ("CB", "12,50")],
        {"blur": 1.2}, ("CAFE DES ARTS", "12,50", "2021-06-07"),
    ),
    "american": (
        [("Prairie Hardware LLC", ""), ("Madison, WI 53711", ""), ("05/21/2024 4:10 PM", ""), ("Hinges", "6.99"), ("Sandpaper", "3.49"),
         ("Subtotal", "10.48"), ("Sales tax", "0.58"), ("Total", "$11.06"), ("Visa", "$11.06")],
        {"noise": 20.0}, ("Prairie Hardware", "11.06", "2024-05-21"),
    ),
    "swedish": (
        [("Kvarnens Livs AB", ""), ("2023-08-30 17:44", ""), ("Knäckebröd", "24,90"), ("Ost", "79,00"), ("Att betala SEK", "103,90"),
         ("Moms 12%", "11,13"), ("Kort", "103,90")],
        {"degrees": 1.0, "blur": 0.8}, ("Kvarnens Livs", "103,90", "2023-08-30"),
    ),
    "faded": (
        [("LUCKY NOODLE BAR", ""), ("Date: 12 Feb 2020", ""), ("Ramen", "11.00"), ("Green tea", "2.50"), ("Service charge", "1.35"),
         ("Amount due", "14.85"), ("Cash", "20.00"), ("Change", "5.15")],
        {"noise": 5.0}, ("LUCKY NOODLE BAR", "14.85", "2020-02-12"),
    ),
}  # fmt: skip


_OTHERS: dict[str, list[_Row]] = {
    "whiteboard": [("Workshop: next autumn", ""), ("1. Ask the users", ""), ("2. Build a prototype", ""), ("Next steps: budget", "")],
    "business_card": [("Dr. Ida Holm", ""), ("North Sound Lab", ""), ("ida.holm@sound.example", ""), ("Phone +44 20 5550 0142", "")],
    "id_document": [("IDENTITY CARD", ""), ("Surname", "HOLM"), ("Given names", "IDA MARIA"), ("Nationality", "NORSK"),
                    ("Date of birth", "04 05 1980")],
    "menu": [("Menu", ""), ("Lentil soup", "5.50"), ("Garden salad", "6.00"), ("Baked trout", "14.50"), ("Prices in EUR", "")],
    "ticket": [("CITY THEATRE", ""), ("The Winter Garden", ""), ("Fri 8 March 2024 19:30", ""), ("Stalls Row F Seat 12", ""),
               ("1 adult", "GBP 22.00")],
    "boarding_pass": [("BOARDING PASS", ""), ("LIS to BER", ""), ("Flight TP 536", "14 July 2024"), ("Gate B22", "Seat 14C")],
}  # fmt: skip


_CHAT: list[_Row] = [
    ("Ida Holm", ""), ("When do you arrive?", ""), ("At nine! Can you pick me up?", ""), ("Of course!", ""),
]  # fmt: skip


def _pictures() -> Iterator[tuple[str, MemoryKind, Image.Image]]:
    for name, (rows, harm, _) in _RECEIPTS.items():
        ink = "#969696" if name == "faded" else "#141414"
        yield name, MemoryKind.PHOTO, _photographed(_paper(rows, ink=ink), **harm)
    for name, rows in _OTHERS.items():
        yield name, MemoryKind.PHOTO, _photographed(_paper(rows, size=38, wide=900), degrees=1.5)
    yield "chat", MemoryKind.SCREENSHOT, _paper(_CHAT, size=34)


@pytest.fixture(scope="module")
def found(models_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document | None]:
    """Every picture read once: the reader's process ends before the first test."""
    models = InstalledModels(models_dir, tmp_path_factory.mktemp("reader"), "none", "none")
    reader = models.text_reader
    assert reader is not None
    try:
        texts = {(name, kind): text_of(reader.read(np.asarray(picture))) for name, kind, picture in _pictures()}
    finally:
        models.close()
    return {
        name: recognise(CapturedMemory(id="x", public_id="x", kind=kind, visible_text=text))
        for (name, kind), text in texts.items()
    }


@pytest.mark.parametrize("name", _RECEIPTS)
def test_a_drawn_receipt_gives_merchant_total_and_date(found: dict[str, Document | None], name: str) -> None:
    receipt, (merchant, total, day) = found[name], _RECEIPTS[name][2]

    assert receipt is not None
    assert receipt.kind == "receipt"
    assert merchant.replace(" ", "") in receipt.fields["merchant"].replace(" ", "")
    assert total in receipt.fields["total"]
    assert receipt.fields["date"] == day


@pytest.mark.parametrize("kind", [*_OTHERS, "chat"])
def test_a_drawn_document_is_known_by_its_words(found: dict[str, Document | None], kind: str) -> None:
    document = found[kind]

    assert document is not None
    assert document.kind == kind
