"""Totals, days, currencies and merchants of receipts: of every kind of till, as printed and as misread."""

from datetime import date, datetime

import pytest

from core.capture.documents import recognise
from core.capture.printed_days import DayOrder, days_in
from core.capture.private_documents import private_kind
from core.records import CapturedMemory, MemoryKind, Origin, Place, Taken


def _fields(text: str, **more: object) -> dict[str, str]:
    found = recognise(CapturedMemory(id="x", public_id="x", visible_text=text, **more))  # type: ignore[arg-type]
    return found.stored if found else {}


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        ("Subtotal $3.68\nTax $0.20\nTotal $3.88\nVisa $3.88", "$3.88"),
        ("SUMME EUR 2,98\nGeg. BAR EUR 5,00\nRückgeld BAR EUR 2,02", "2,98 EUR"),
        ("TOTAL A PAYER 5,60 EUR\nCB 5,60\nTVA 5,5% 0,29", "5,60 EUR"),
        ("Totalt 48,40 SEK\nMoms 12% 5,19", "48,40 SEK"),
        ("Total (Excluding GST): 4.54\nGST payable (6%): 0.26\nTotal (Inclusive of GST): 4.80\nCash 4.80", "4.80"),
        ("Total sales (incl. GST) 2.12\nRounding adj -0.02\nNet total 2.10\nCash 10.00\nChange 7.90", "2.10"),
        ("Total 12.00\nGST summary\nTotal 11.32 0.68\nVAT", "12.00"),
        ("Total Qty: 4\nTotal discount 1.00\nTotal 9.00\nTotal savings 1.00\nCash 10.00", "9.00"),
        ("TOTAL\n1,20 €\nEfectivo 2,00\nCambio 0,80", "€1,20"),
        ("小計 1,100円\n合計 1,280円\nQR 1,280円", "¥1,280"),
        ("Total 0.00\nTotal sales 327.00\nCash 327.00", "327.00"),
    ],
)
def test_the_total_is_what_was_paid(lines: str, total: str) -> None:
    assert _fields(f"SHOP\nBread 1.00\n{lines}")["total"] == total


@pytest.mark.parametrize("label", ["T0TAL", "TOTA1", "Tota|", "TOIAL", "Anount due", "AMOUNI DUE"])
def test_one_misread_letter_does_not_lose_the_total(label: str) -> None:
    assert _fields(f"SHOP\nBread 2.10\nMilk 1.60\n{label} 3.70\nCASH 5.00")["total"] == "3.70"


@pytest.mark.parametrize(
    "ending",
    [
        "Total RM 00*68\nCash 100.00\nChange 11.00",
        "Cash -100.00\nCash 11.00",
        "Total 39.00\nTendered 100.00\nChange 11.00",
    ],
)
def test_a_total_that_cannot_be_read_is_what_was_given_less_what_came_back(ending: str) -> None:
    assert _fields(f"SHOP\nCable 89.00\nInvoice\nTotal 89.00x\n{ending}")["total"].startswith("89.00")


def test_a_service_charge_is_not_change() -> None:
    assert _fields("SHOP\nSoup 10.00\nService charge 1.00\nTotal 11.00\nCash 11.00")["total"] == "11.00"


@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        ("GST ID 0016", "2018-04-03"),
        ("VAT no 12", "2018-04-03"),
        ("Köln GmbH", "2018-04-03"),
        ("Madison, WI 53711", "2018-03-04"),
        ("Sales tax 0.20", "2018-03-04"),
        ("$4.00", "2018-03-04"),
        ("Opened 25/03/2018", "2018-04-03"),
        ("plain", "2018-04-03"),
    ],
)
def test_a_day_that_can_be_read_two_ways_is_read_as_in_the_receipts_country(signs: str, expected: str) -> None:
    assert _fields(f"SHOP\nTea 2.00\nTotal 2.00\nCash 5.00\n{signs}\nDate: 03/04/2018 12:10")["date"] == expected


def test_the_memorys_country_and_day_decide_before_words() -> None:
    text = "SHOP\nTea 2.00\nTotal 2.00\nCash 5.00\nGST 1\n03/04/2018"

    assert _fields(text, place=Place(country="United States"))["date"] == "2018-03-04"
    taken = Taken(datetime(2018, 3, 5, 9, 0), None, Origin.EXIF_ORIGINAL, 0.95)
    assert _fields(text, taken=taken)["date"] == "2018-03-04"
    unsure = Taken(datetime(2018, 3, 5, 9, 0), None, Origin.FILE_TIME, 0.2)
    assert _fields(text, taken=unsure)["date"] == "2018-04-03"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("26/02/1808:28", date(2018, 2, 26)),
        ("9/3/201820:54:50", date(2018, 3, 9)),
        ("26-05-201815:16:13", date(2018, 5, 26)),
        ("2016-07-3112:01", date(2016, 7, 31)),
        ("O5/12/2O18", date(2018, 12, 5)),
        ("l2/ll/2018", date(2018, 11, 12)),
        ("12 / 03 / 2018", date(2018, 3, 12)),
        ("05MAR2018", date(2018, 3, 5)),
        ("18-Mar-18", date(2018, 3, 18)),
        ("3 févr. 2024", date(2024, 2, 3)),
        ("5. März 2018", date(2018, 3, 5)),
        ("2 de mayo de 2024", date(2024, 5, 2)),
        ("2024年5月3日", date(2024, 5, 3)),
        ("Aug 7, 2024", date(2024, 8, 7)),
    ],
)
def test_days_are_read_in_every_way_tills_print_them(text: str, expected: date) -> None:
    assert list(days_in(text, order=DayOrder.DAY_FIRST)) == [expected]


@pytest.mark.parametrize(
    "text", ["GST 001661886464", "Tel 03-41056485", "1.2.3.4", "99/99/2018", "INV 1159923", "10:25:49", "SS21/1A"]
)
def test_numbers_that_are_no_day_give_none(text: str) -> None:
    assert list(days_in(text, order=DayOrder.DAY_FIRST)) == []


def test_the_day_of_a_receipt_is_not_the_one_until_which_something_may_be_returned() -> None:
    text = "SHOP\nReturns until 30/04/2018\nTea 2.00\nTotal 2.00\nCash 5.00\nDate 03/04/2018"

    assert _fields(text)["date"] == "2018-04-03"


@pytest.mark.parametrize(
    ("head", "merchant"),
    [
        ("ada b person\nSOON HUAT MACHINERY ENTERPRISE", "SOON HUAT MACHINERY ENTERPRISE"),
        ("THREE FRIENDS\nBISTRO & CAFE", "THREE FRIENDS"),
        ("PAGE BOOKS\nSDN BHD", "PAGE BOOKS SDN BHD"),
        ("Best Lamps (308282-A)", "Best Lamps"),
        ("TAX INVOICE\nOAK & FIG", "OAK & FIG"),
    ],
)
def test_the_merchant_is_the_name_at_the_top(head: str, merchant: str) -> None:
    assert _fields(f"{head}\nTea 2.00\nTotal 2.00\nCash 5.00")["merchant"] == merchant


@pytest.mark.parametrize(
    ("line", "currency"), [("RM 2.00", "MYR"), ("2.00 €", "EUR"), ("£2.00", "GBP"), ("$2.00", "$"), ("2.00", "")]
)
def test_the_currency_is_kept_as_its_code(line: str, currency: str) -> None:
    assert _fields(f"SHOP\nTea 2.00\nTotal {line}\nCash 5.00").get("currency", "") == currency


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("PASSPORT\nSurname BERG\nGiven names IDA\nNationality", "id_document"),
        ("Personalausweis\nName BERG\nGeburtstag 01.02.1990\nStaatsangehörigkeit DEUTSCH", "id_document"),
        ("DRIVING LICENCE\n1. BERG\n2. IDA\nDate of birth 01.02.1990", "id_document"),
        ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "id_document"),
        ("Bank statement\nIBAN DE12 3456 7890\nOpening balance 120.00\nDirect debit 12.00", "bank_statement"),
        ("Kontoauszug 3/2024\nIBAN DE12\nSaldo 1.234,50\nLastschrift 44,00", "bank_statement"),
        ("Discharge letter\nPatient: Ida Berg\nDiagnosis: flu", "health_document"),
        ("Laborbericht\nHämoglobin\nCholesterol 180 mg/dl\nReference range", "health_document"),
        ("VACCINATION RECORD\nDose 1\nLot EW0150", "health_document"),
        ("City Pharmacy\nLoratadine 10 mg 4.25\nTotal 4.25\nVAT 0.20\nCash 5.00", ""),
        ("Meadows Vet Clinic\nPatient: Miso the cat\nVaccination: 25 April 2024", ""),
        ("Passport photos\nopen 9-18", ""),
        ("My driving class", ""),
        ("Blood Orange\njuice 4.50", ""),
    ],
)
def test_private_papers_are_told_from_others_by_two_kinds_of_words(text: str, kind: str) -> None:
    found = private_kind(text.splitlines())

    assert (found[0] if found else "") == kind


def test_a_screenshot_of_a_bank_app_is_a_bank_statement() -> None:
    found = _fields(
        "Current account\nAccount number 12345678\nSort code 01-02-03\nBalance 120.50\nTransactions",
        kind=MemoryKind.SCREENSHOT,
    )

    assert found["kind"] == "bank_statement"


@pytest.mark.parametrize("piece", ["1", "1.1.", "1,111,", "x", "<", "O5/", "TOTAL ", "A@", "[", '{"', "\n"])
def test_a_text_of_one_repeated_piece_costs_no_time(piece: str) -> None:
    started = datetime.now()
    _fields((piece * 100_000)[:100_000])

    assert (datetime.now() - started).total_seconds() < 5
