"""Which German words speak of time?"""

from core.ask.dates.items import Item
from core.ask.dates.lexer import Words, counting_phrases, make_words
from core.ask.dates.vocabulary import (
    HOURS,
    days_from_today,
    decades,
    endings,
    holidays,
    lasts,
    life_decades,
    marks,
    named,
    numbered,
    split,
    times_of_day,
    units,
)

_ONES = (
    "",
    *split(
        "ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|"
        "achtzehn|neunzehn"
    ),
)
_TENS = ("", "", *split("zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig"))
_ORDINAL_STEMS = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}
_ADJECTIVE = "e|en|er|es|em"
_WEEKDAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag")
_DAY_PARTS = {"morgen": "morning", "vormittag": "morning", "mittag": "noon", "nachmittag": "afternoon"}
_NIGHT_PARTS = {"abend": "evening", "nacht": "night"}


def _cardinal(number: int) -> str:
    if number == 1:
        return "eins"
    if number < 20:
        return _ONES[number]
    tens, ones = _TENS[number // 10], _ONES[number % 10]
    return f"{ones}und{tens}" if ones else tens


def _ordinal(number: int) -> str:
    stem = _ORDINAL_STEMS.get(number) or (_cardinal(number) + ("t" if number < 20 else "st"))
    return endings(stem, _ADJECTIVE)


def _weekday_times() -> dict[str, Item]:
    """Montagmorgen, Sonntagabend."""
    return {
        day + part: Item("W", number=number, hours=HOURS[hours])
        for number, days in enumerate(_WEEKDAYS)
        for day in split(days)
        for part, hours in {**_DAY_PARTS, **_NIGHT_PARTS}.items()
    }


_PHRASES: dict[str, Item] = {
    **counting_phrases(_cardinal, _ordinal),
    **{phrase: Item("n", number=3, name="few") for phrase in split("ein paar|einigen|einige|wenigen|mehreren|paar")},
    **numbered(
        "M",
        (
            "januar|jänner|jan",
            "februar|feber|feb",
            "märz|maerz",
            "april|apr",
            "mai",
            "juni|jun",
            "juli|jul",
            "august|aug",
            "september|sept|sep",
            "oktober|okt",
            "november|nov",
            "dezember|dez",
        ),
        first=1,
    ),
    **numbered("W", _WEEKDAYS),
    **numbered("k", ("mo", "di", "mi", "do", "fr", "sa", "so")),
    **_weekday_times(),
    **{
        phrase: Item("K", weekdays=(number,))
        for number, days in enumerate(_WEEKDAYS)
        for day in split(days)
        for phrase in (f"{day}s", f"{day}en", f"{day}e")
    },
    **{phrase: Item("K", weekdays=(0, 1, 2, 3, 4)) for phrase in split("werktags|wochentags|an wochentagen")},
    **{phrase: Item("K", weekdays=(5, 6)) for phrase in split("wochenenden|am wochenende immer")},
    **units(
        {
            "day": "tag|tage|tagen|tags|tages",
            "week": "woche|wochen",
            "month": "monat|monate|monaten|monats",
            "year": "jahr|jahre|jahren|jahres",
            "weekend": "wochenende|wochenendes|langes wochenende|lange wochenende|langen wochenende",
            "quarter": "quartal|quartals|vierteljahr",
            "half": "halbjahr|halbjahres|hälfte|jahreshälfte",
            "decade": "jahrzehnt|jahrzehnte|jahrzehnten",
            "hour": "stunde|stunden|minuten|minute",
            "month*6": "halben jahr|halbes jahr",
        }
    ),
    **numbered("S", ("frühling|frühjahr|frühlings", "sommer|sommers", "herbst|herbstes", "winter|winters")),
    **days_from_today({0: "heute", -1: "gestern", -2: "vorgestern", -3: "vorvorgestern", 2: "übermorgen"}),
    "morgen": Item("R", number=1, name="morning"),
    **lasts(
        {
            -1: "|".join(endings(stem, _ADJECTIVE) for stem in ("letzt", "vergangen", "vorig", "vorherig")),
            -2: "|".join(endings(stem, _ADJECTIVE) for stem in ("vorletzt", "vorvorig")),
            0: "|".join(endings(stem, _ADJECTIVE) for stem in ("dies", "aktuell", "laufend", "diesjährig")),
            1: "|".join(endings(stem, _ADJECTIVE) for stem in ("nächst", "kommend")),
        }
    ),
    **named("E", {"start": "anfang|beginn|früh im", "mid": "mitte", "end": "ende|spät im"}),
    **marks(
        {
            "G": "vor",
            "J": "zuvor|davor|vorher|früher",
            "B": "zwischen",
            "f": "von|vom|ab dem",
            "t": "auf",
            "e": "bis|bis zum|bis zur|bis einschließlich",
            "s": "seit|seit dem|seit der|ab|seitdem",
            "b": "bevor",
            "a": "nach",
            "c": "und|&|oder",
            "O": "des",
            "A": "der|die|das|dem|den|ein|eine|einem|einen|einer|eines",
            "i": "in|im|während|innerhalb",
            "l": "am|an|um|zu|zum|zur|übers|beim",
            "I": "über|gegen|für",
            "v": "jeden|jeder|jedes|jede|alle|allen",
            "N": "foto|fotos|bild|bilder|bildern|video|videos|urlaub|reise|reisen|rechnung|rechnungen|aufnahmen|"
            "quittungen|belege|kalender|ferien",
            "m": "mein|meinem|meinen|meiner|meines|meine",
            "w": "als ich|im alter von|ich war",
            "8": "mit",
            "d": "geburtstag|geburtstags|geburtstage|geburtstagen",
            "u": "jahre alt",
        }
    ),
    "für": Item("I", name="for"),
    "gegen": Item("I", name="around"),
    "ans": Item("x"),
    **named("Z", {"child": "ein kind|kind|klein|als kind", "teenager": "teenager|ein teenager|jugendlicher"}),
    "als kind": Item("!", name="as a child"),
    **life_decades(
        {
            20: "zwanzigern|zwanziger|20ern",
            30: "dreißigern|dreissigern|30ern",
            40: "vierzigern|40ern",
            50: "fünfzigern|50ern",
            60: "sechzigern|60ern",
            70: "siebzigern|70ern",
            80: "achtzigern|80ern",
            90: "neunzigern|90ern",
        }
    ),
    **decades(
        {
            1950: "fünfziger jahre|fünfziger jahren|50er jahre|50er jahren|50er",
            1960: "sechziger jahre|sechziger jahren|60er jahre|60er jahren|60er",
            1970: "siebziger jahre|siebziger jahren|70er jahre|70er jahren|70er",
            1980: "achtziger jahre|achtziger jahren|80er jahre|80er jahren|80er",
            1990: "neunziger jahre|neunziger jahren|90er jahre|90er jahren|90er",
            2000: "nullerjahre|nullerjahren|2000er jahre|2000er jahren|2000er",
            2010: "2010er jahre|2010er jahren|2010er",
        }
    ),
    **times_of_day(
        {
            "morning": "vormittag",
            "noon": "mittag",
            "afternoon": "nachmittag",
            "evening": "abend",
            "night": "nacht",
            "midnight": "mitternacht|um mitternacht",
            "dawn": "morgendämmerung|sonnenaufgang",
            "dusk": "abenddämmerung|sonnenuntergang",
        }
    ),
    **times_of_day(
        {
            "morning": "am morgen|morgens|vormittags|in der früh",
            "early morning": "am frühen morgen|frühmorgens|früh am morgen",
            "noon": "mittags",
            "afternoon": "nachmittags",
            "evening": "abends",
            "night": "nachts",
        },
        alone=True,
    ),
    "früh": Item("R", number=1, name="morning"),
    **holidays(
        {
            "new_year": "neujahr|neujahrstag|neujahrs",
            "new_year_eve": "silvester|sylvester|silvesterabend|silvesternacht",
            "epiphany": "heilige drei könige|dreikönigstag|heiligen drei königen",
            "valentine": "valentinstag",
            "womens_day": "frauentag|weltfrauentag",
            "weiberfastnacht": "weiberfastnacht",
            "carnival_monday": "rosenmontag",
            "shrove_tuesday": "faschingsdienstag|fastnacht|fastnachtsdienstag|veilchendienstag",
            "carnival": "karneval|fasching",
            "ash_wednesday": "aschermittwoch",
            "palm_sunday": "palmsonntag",
            "holy_week": "karwoche",
            "maundy_thursday": "gründonnerstag",
            "good_friday": "karfreitag",
            "holy_saturday": "karsamstag|ostersamstag",
            "easter": "ostern|ostersonntag|osterfest",
            "easter_weekend": "osterwochenende",
            "easter_monday": "ostermontag",
            "workers": "tag der arbeit|maifeiertag|erster mai feiertag",
            "mothers_day": "muttertag",
            "ascension": "christi himmelfahrt|himmelfahrt|vatertag",
            "pentecost": "pfingsten|pfingstsonntag",
            "whit_monday": "pfingstmontag",
            "corpus_christi": "fronleichnam",
            "swiss_day": "bundesfeier|schweizer nationalfeiertag",
            "assumption": "mariä himmelfahrt",
            "unity_de": "tag der deutschen einheit|nationalfeiertag",
            "thanksgiving_de": "erntedank|erntedankfest",
            "thanksgiving": "thanksgiving",
            "reformation": "reformationstag",
            "halloween": "halloween",
            "all_saints": "allerheiligen",
            "all_souls": "allerseelen",
            "st_martin": "martinstag|sankt martin|st. martin|martinsumzug",
            "st_nicholas": "nikolaus|nikolaustag|nikolausabend",
            "advent_1": "erster advent|ersten advent|1. advent|erstem advent",
            "advent_2": "zweiter advent|zweiten advent|2. advent",
            "advent_3": "dritter advent|dritten advent|3. advent",
            "advent_4": "vierter advent|vierten advent|4. advent",
            "christmas_eve": "heiligabend|heiliger abend|heiligen abend|heilig abend|weihnachtsabend",
            "christmas": "weihnachten|erster weihnachtstag|ersten weihnachtstag|1. weihnachtstag|weihnachtstag|"
            "christtag|weihnachtsfest",
            "boxing": "zweiter weihnachtstag|zweiten weihnachtstag|2. weihnachtstag|stephanstag|stefanitag",
            "christmas_days": "weihnachtsfeiertage|weihnachtsfeiertagen|weihnachtstagen",
            "black_friday": "black friday",
            "chinese_new_year": "chinesisches neujahr|chinesischen neujahr|chinesisches neujahrsfest",
            "ramadan": "ramadan",
            "eid_al_fitr": "zuckerfest",
            "eid_al_adha": "opferfest",
            "diwali": "diwali",
            "hanukkah": "chanukka",
        }
    ),
    "gestern nacht": Item("!", name="last night"),
    "letzte nacht": Item("!", name="last night"),
    "heute nacht": Item("!", name="last night"),
    "heute abend": Item("!", name="tonight"),
    "neulich": Item("!", name="the other day"),
    "vor kurzem": Item("!", name="recently"),
    "kürzlich": Item("!", name="recently"),
    "in letzter zeit": Item("!", name="recently"),
    "den letzten tagen": Item("!", name="recently"),
    "zwischen den jahren": Item("!", name="between the years"),
    "jahresende": Item("!", name="eoy"),
    "das zweite mal": Item("x"),
    "zimmer": Item("x"),
}

GERMAN: Words = make_words(
    "de",
    _PHRASES,
    "ich war wo was wer wie viele welche welchen habe haben hat mit auf im und der die das den dem von zu am an ist"
    " sind mir mein meine meinem uns wir nicht ein eine einem fotos bilder zeig zeige wann gemacht bei es hier für um nach vor seit bis",
)
