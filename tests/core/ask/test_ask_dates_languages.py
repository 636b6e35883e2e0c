"""German, Spanish, French and Chinese time expressions mean what their English ones mean."""

from datetime import date

import pytest

from core.ask.dates import find_days

ASKED_ON = date(2026, 3, 18)
BORN = date(1990, 6, 12)

SAME_MEANING: dict[str, tuple[str, ...]] = {
    "2024-05-03/2024-05-03": (
        "am 3. Mai 2024",
        "el 3 de mayo de 2024",
        "le 3 mai 2024",
        "二〇二四年五月三日",
        "am 3.5.2024",
    ),
    "2026-03-09/2026-03-15": ("letzte Woche", "la semana pasada", "la semaine dernière", "上个星期", "上週"),
    "2026-03-07/2026-03-08": ("vorletztes Wochenende", "l'avant-dernier week-end", "上上个周末"),
    "2026-03-02/2026-03-08": ("vor zwei Wochen", "hace dos semanas", "il y a deux semaines", "两周前"),
    "2025-01-01/2025-12-31": ("vor einem Jahr", "el año pasado", "l'année dernière", "去年"),
    "2023-03-18/2023-03-18": (
        "heute vor drei Jahren",
        "hoy hace tres años",
        "il y a trois ans aujourd'hui",
        "三年前的今天",
    ),
    "2024-07-03/2024-07-09": (
        "vom 3. bis 9. Juli 2024",
        "del 3 al 9 de julio de 2024",
        "du 3 au 9 juillet 2024",
        "2024年7月3日到9日",
    ),
    "2015-01-01/2015-04-30": ("von Januar bis April 2015", "de enero a abril de 2015", "de janvier à avril 2015"),
    "2025-07-11/2025-07-20": ("Mitte Juli", "a mediados de julio", "mi-juillet", "七月中旬"),
    "2025-01-01/2025-03-31": ("im ersten Quartal 2025", "en el primer trimestre de 2025", "2025年第一季度"),
    "2024-04-01/2024-04-07": (
        "die erste Woche im April 2024",
        "la primera semana de abril de 2024",
        "la première semaine d'avril 2024",
        "2024年4月的第一周",
    ),
    "2023-12-31/2023-12-31": ("der letzte Tag von 2023", "el último día de 2023", "le dernier jour de 2023"),
    "2026-02-05/2026-02-05": ("am 5. des letzten Monats", "el 5 del mes pasado", "le 5 du mois dernier", "上个月5号"),
    "1990-01-01/1999-12-31": ("in den Neunzigern", "en los años 90", "dans les années 90", "九十年代"),
    "2000-06-12/2001-06-11": ("als ich 10 war", "cuando tenía 10 años", "quand j'avais 10 ans", "我10岁的时候"),
    "2020-06-12/2020-06-12": ("mein 30. Geburtstag", "mi 30 cumpleaños", "mon 30e anniversaire", "我30岁生日"),
    "2020-01-01/2026-03-18": ("seit 2020", "desde 2020", "depuis 2020", "2020年以来"),
    ".../2014-12-31": ("vor 2015", "antes de 2015", "avant 2015", "2015年之前"),
    ".../2023-05-31": ("bis Mai 2023", "hasta mayo de 2023", "jusqu'en mai 2023", "直到2023年5月"),
    "2025-04-20/2025-04-20": ("Ostern 2025", "Pascua de 2025", "Pâques 2025", "2025年复活节"),
    "2025-12-25/2025-12-25": ("Weihnachten letztes Jahr", "Navidad del año pasado", "Noël dernier", "去年圣诞节"),
    "2025-12-24/2025-12-24": ("der Tag vor Weihnachten", "el día antes de Navidad", "la veille de Noël"),
    "2024-06-01/2024-08-31": ("vorletzten Sommer", "el verano antepasado", "l'avant-dernier été", "前年夏天"),
    "2025-12-18/2026-03-18": ("in den letzten drei Monaten", "en los últimos tres meses", "过去三个月"),
    "2024-06-10/2024-06-16": ("die Woche vom 10. Juni 2024", "la semaine du 10 juin 2024", "2024年6月10日那一周"),
}


@pytest.mark.parametrize(("text", "meant"), [(text, meant) for meant in SAME_MEANING for text in SAME_MEANING[meant]])
def test_the_same_days_are_read_in_every_language(text: str, meant: str) -> None:
    (days,) = find_days(text, ASKED_ON, born=BORN)

    assert f"{days.first_day or '...'}/{days.last_day or '...'}" == meant


@pytest.mark.parametrize("text", ["gestern Abend", "hier soir", "昨天晚上"])
def test_yesterday_evening_has_its_hours(text: str) -> None:
    (days,) = find_days(text, ASKED_ON)

    assert (days.first_day, days.hours) == (date(2026, 3, 17), (17, 22))


@pytest.mark.parametrize("text", ["heute Morgen", "esta mañana", "ce matin", "今天早上"])
def test_this_morning_is_not_tomorrow(text: str) -> None:
    (days,) = find_days(text, ASKED_ON)

    assert (days.first_day, days.hours) == (ASKED_ON, (5, 11))


@pytest.mark.parametrize(
    "text", ["Fotos von sonntags im Februar", "los domingos en febrero", "les dimanches en février", "二月的每个星期天"]
)
def test_weekdays_of_a_month(text: str) -> None:
    (days,) = find_days(text, ASKED_ON)

    assert (days.first_day, days.last_day, days.weekdays) == (date(2026, 2, 1), date(2026, 2, 28), (6,))


def test_german_says_years_without_a_preposition() -> None:
    assert [days.first_day for days in find_days("Was habe ich 2019 gemacht?", ASKED_ON)] == [date(2019, 1, 1)]


@pytest.mark.parametrize(
    "text",
    ["Wer war hier?", "Zimmer 2019", "nach Italien", "el mar", "où j'ai été", "我在北京吃了什么", "月亮", "圣诞树"],
)
def test_words_that_only_look_like_dates_in_another_language_are_none(text: str) -> None:
    assert find_days(text, ASKED_ON, born=BORN) == ()
