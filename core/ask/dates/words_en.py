"""Which English words speak of time?"""

from core.ask.dates.items import Item
from core.ask.dates.lexer import Words, counting_phrases, make_words
from core.ask.dates.vocabulary import (
    days_from_today,
    decades,
    holidays,
    lasts,
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
        "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
        "sixteen|seventeen|eighteen|nineteen"
    ),
)
_TENS = ("", "", *split("twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"))
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}


def _cardinal(number: int) -> str:
    if number < 20:
        return _ONES[number]
    tens, ones = _TENS[number // 10], _ONES[number % 10]
    return f"{tens} {ones}|{tens}-{ones}" if ones else tens


def _ordinal(number: int) -> str:
    return "|".join(_ordinal_word(spelling) for spelling in _cardinal(number).split("|"))


def _ordinal_word(cardinal: str) -> str:
    for one, ordinal in _ORDINALS.items():
        if cardinal.endswith(one) and (len(cardinal) == len(one) or cardinal[-len(one) - 1] in " -"):
            return cardinal[: -len(one)] + ordinal
    if cardinal.endswith("y"):
        return cardinal[:-1] + "ieth"
    return cardinal[:-1] + "fth" if cardinal.endswith("twelve"[-2:]) and "twelve" in cardinal else cardinal + "th"


def _years_in_words() -> dict[str, Item]:
    """Nineteen ninety-five, twenty twenty, two thousand and five."""
    years = {
        f"{century} {spelling}": Item("y", number=start + number)
        for century, start in (("nineteen", 1900), ("twenty", 2000))
        for number in range(10, 100)
        for spelling in _cardinal(number).split("|")
    }
    for number in range(1, 30):
        for joint in (" ", " and "):
            years[f"two thousand{joint}{_cardinal(number).split('|')[0]}"] = Item("y", number=2000 + number)
    return years


# nouns behind a season or a holiday that make it a kind of thing: no date in "winter coat" or "Christmas tree"
_THINGS = {
    "winter": "coat|coats|jacket|jackets|boots|clothes|tires|tyres|sport|sports|olympics|games|solstice|garden",
    "summer": "dress|dresses|house|camp|school|clothes|hat|hats|olympics|games|solstice|tires|tyres|job",
    "spring": "roll|rolls|onion|onions|water|cleaning|festival couplets|jacket",
    "christmas": "tree|trees|market|markets|card|cards|sweater|sweaters|jumper|lights|decorations|ornament|ornaments|"
    "song|songs|carol|carols|cookies|wreath|stocking|stockings|cactus|pudding|island|movie|ball|balls|star",
    "easter": "island|bunny|egg|eggs|basket|lily|sunday",
    "halloween": "decorations|pumpkin|pumpkins|mask",
    "may": "be|not|have|have been|well|i|we|they|he|she|it|you",
    "second": "time|hand|floor|one|person|child|son|daughter|wife|husband|place|car|cat|dog|best",
}

_PHRASES: dict[str, Item] = {
    **counting_phrases(_cardinal, _ordinal),
    **{phrase: Item("n", number=3, name="few") for phrase in split("a few|few|several|some")},
    **{phrase: Item("n", number=2, name="couple") for phrase in split("a couple of|a couple|couple of|couple")},
    "half a year": Item("U", name="month", number=6),
    "before or after": Item("x"),
    "after or before": Item("x"),
    **_years_in_words(),
    **numbered(
        "M",
        (
            "january",
            "february|feb",
            "",
            "",
            "",
            "",
            "july|jul",
            "august",
            "september|sept|sep",
            "october|oct",
            "november|nov",
            "december",
        ),
        first=1,
    ),
    **numbered("j", ("jan", "", "march|mar", "april|apr", "may", "june|jun", "", "aug", "", "", "", "dec"), first=1),
    **numbered("W", ("monday", "tuesday|tues", "wednesday", "thursday|thurs|thur", "friday", "saturday", "sunday")),
    **numbered("k", ("mon", "tue", "wed|weds", "thu", "fri", "sat", "sun")),
    **{
        f"{day}s": Item("K", weekdays=(number,))
        for number, day in enumerate(split("monday|tuesday|wednesday|thursday|friday|saturday|sunday"))
    },
    "weekdays": Item("K", weekdays=(0, 1, 2, 3, 4)),
    "workdays": Item("K", weekdays=(0, 1, 2, 3, 4)),
    "weekends": Item("K", weekdays=(5, 6)),
    "tgi fridays": Item("x"),
    **units(
        {
            "day": "day|days",
            "week": "week|weeks",
            "month": "month|months",
            "year": "year|years|yr|yrs",
            "weekend": "weekend|long weekend|bank holiday weekend",
            "quarter": "quarter|quarters",
            "half": "half",
            "decade": "decade|decades",
            "week*2": "fortnight|fortnights",
            "hour": "hour|hours|minute|minutes|seconds",
        }
    ),
    **numbered("S", ("springtime", "summer|summertime", "autumn", "winter|wintertime")),
    **numbered("h", ("spring", "", "fall", "")),
    **days_from_today(
        {
            0: "this day|this date|this same day|this very day|today|earlier today|just now",
            -1: "yesterday",
            -2: "the day before yesterday|day before yesterday",
            1: "tomorrow",
            2: "the day after tomorrow|day after tomorrow",
        }
    ),
    "now": Item("R"),
    **lasts({-1: "last|previous|prev|preceding", 0: "this|current|the same", 1: "next|coming|upcoming"}),
    **lasts({-1: "past|the most recent|most recent|that one|the latest"}, kind="past"),
    **named(
        "E",
        {
            "start": "start|beginning|early|the start|the beginning|first days",
            "mid": "middle|mid|the middle",
            "end": "end|late|the end|ending",
        },
    ),
    "eoy": Item("!", name="eoy"),
    "eom": Item("!", name="eom"),
    **marks(
        {
            "g": "ago|back",
            "J": "earlier|prior",
            "B": "between",
            "f": "from|starting from|beginning from",
            "t": "to|through|thru",
            "e": "no later than|not later than|until|till|up to|up until|up to and including|by",
            "s": "since|ever since|as of|starting|beginning in",
            "z": "onward|onwards|on wards",
            "b": "before|prior to|earlier than|older than",
            "a": "after|later than|newer than|more recent than",
            "c": "and|&|or",
            "p": "'s|'",
            "O": "of",
            "A": "the|a|an",
            "i": "in|during|throughout|within|in the course of",
            "l": "on|at",
            "v": "every|each|all",
            "N": "photo|photos|picture|pictures|pic|pics|image|images|video|videos|receipt|receipts|screenshot|"
            "screenshots|recording|recordings|memory|memories|trip|trips|album|calendar|selfie|selfies",
            "m": "my",
            "w": "when i was|when i was about|at age|at the age of|aged|i was|as a|as an|while i was|back when i was",
            "d": "birthday|bday|b-day",
            "u": "years old|year old|-year-old|yo|years of age",
            "V": "when i turned|when i became|the day i turned|i turned",
        }
    ),
    "for": Item("I", name="for"),
    "around": Item("I", name="around"),
    "about": Item("I", name="around"),
    "over": Item("I", name="over"),
    **named(
        "Z",
        {
            "child": "kid|child|little|a kid|a child|young child|little kid|small|boy|girl|little boy|little girl",
            "baby": "baby|a baby|newborn",
            "toddler": "toddler|a toddler",
            "teenager": "teenager|a teenager|teen|a teen",
        },
    ),
    **{
        phrase: Item("P", number=(number + 2) * 10)
        for number, phrase in enumerate(split("twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties"))
    },
    **decades({1920: "the roaring twenties", 2000: "the noughties|noughties|the aughts"}),
    **times_of_day(
        {
            "morning": "morning|late morning|mid-morning",
            "early morning": "early morning|early in the morning",
            "noon": "noon|midday|lunchtime|lunch time",
            "afternoon": "afternoon|late afternoon|early afternoon",
            "evening": "evening|late evening|early evening",
            "night": "night|nighttime",
            "late night": "late night|late at night|small hours|the small hours|wee hours|middle of the night|the middle of the night",
            "midnight": "midnight",
            "dawn": "dawn|sunrise|daybreak",
            "dusk": "dusk|sunset|twilight",
        }
    ),
    **times_of_day({"morning": "mornings", "afternoon": "afternoons", "evening": "evenings", "night": "nights"}, True),
    **holidays(
        {
            "new_year": "new year's day|new year|new years",
            "new_year_eve": "new year's eve|nye|new year eve",
            "epiphany": "epiphany|three kings' day|three kings day",
            "martin_luther_king": "martin luther king day|mlk day|martin luther king jr day|martin luther king jr. day",
            "australia_day": "australia day",
            "burns_night": "burns night",
            "groundhog": "groundhog day",
            "valentine": "valentine's day|valentines|valentine's|valentine day|saint valentine's day",
            "presidents": "presidents' day|president's day|presidents day",
            "womens_day": "international women's day|women's day",
            "pi_day": "pi day",
            "st_patrick": "st patrick's day|st. patrick's day|saint patrick's day|st paddy's day|st. paddy's day",
            "april_fools": "april fools' day|april fool's day|april fools",
            "earth_day": "earth day",
            "anzac": "anzac day",
            "kings_day_nl": "king's day",
            "workers": "international workers' day|international worker's day|workers' day|may day",
            "cinco_de_mayo": "cinco de mayo",
            "mothers_day": "mother's day",
            "mothering_sunday": "mothering sunday",
            "memorial": "memorial day",
            "fathers_day": "father's day",
            "childrens_day": "children's day",
            "juneteenth": "juneteenth",
            "canada_day": "canada day",
            "independence": "independence day|fourth of july|the fourth of july|4th of july|the 4th of july",
            "bastille": "bastille day",
            "assumption": "assumption day",
            "labor": "labor day|labour day",
            "national_cn": "chinese national day|national day",
            "columbus": "columbus day|indigenous peoples' day",
            "thanksgiving_ca": "canadian thanksgiving",
            "halloween": "halloween|hallowe'en",
            "all_saints": "all saints' day|all saints day|all hallows",
            "all_souls": "all souls' day|day of the dead|dia de los muertos",
            "guy_fawkes": "bonfire night|guy fawkes night|guy fawkes day",
            "singles_day": "singles' day|singles day",
            "veterans": "veterans day|veteran's day|remembrance day|armistice day",
            "thanksgiving": "thanksgiving day|thanksgiving",
            "black_friday": "black friday",
            "cyber_monday": "cyber monday",
            "st_nicholas": "st nicholas day|st. nicholas day|saint nicholas day",
            "christmas_eve": "christmas eve|xmas eve",
            "christmas": "christmas day|christmas|christmases|xmas|xmas day|christmas morning",
            "boxing": "boxing day|st stephen's day",
            "carnival": "carnival",
            "shrove_tuesday": "mardi gras|shrove tuesday|pancake day|fat tuesday",
            "ash_wednesday": "ash wednesday",
            "palm_sunday": "palm sunday",
            "holy_week": "holy week",
            "maundy_thursday": "maundy thursday|holy thursday",
            "good_friday": "good friday",
            "holy_saturday": "holy saturday",
            "easter": "easter sunday|easter|easter day",
            "easter_weekend": "easter weekend",
            "easter_monday": "easter monday",
            "ascension": "ascension day|ascension",
            "pentecost": "pentecost|whitsun|whit sunday|pentecost sunday",
            "whit_monday": "whit monday|pentecost monday",
            "corpus_christi": "corpus christi",
            "advent_1": "first sunday of advent|first advent sunday|first advent",
            "advent_2": "second sunday of advent|second advent sunday|second advent",
            "advent_3": "third sunday of advent|third advent sunday|third advent",
            "advent_4": "fourth sunday of advent|fourth advent sunday|fourth advent",
            "chinese_new_year": "chinese new year|lunar new year|spring festival",
            "chinese_new_year_eve": "chinese new year's eve|lunar new year's eve",
            "lantern": "lantern festival",
            "dragon_boat": "dragon boat festival|dragon boat day",
            "qixi": "qixi|qixi festival",
            "mid_autumn": "mid-autumn festival|mid autumn festival|moon festival|mid-autumn day",
            "double_ninth": "double ninth festival",
            "qingming": "qingming|qingming festival|tomb-sweeping day|tomb sweeping day",
            "diwali": "diwali|deepavali|divali",
            "holi": "holi",
            "eid_al_fitr": "eid al-fitr|eid al fitr|eid ul-fitr|eid",
            "eid_al_adha": "eid al-adha|eid al adha|eid ul-adha|feast of sacrifice",
            "ramadan": "ramadan",
            "hanukkah": "hanukkah|chanukah",
            "star_wars": "star wars day",
            "swiss_day": "swiss national day",
            "unity_de": "german unity day",
            "midsummer": "midsummer|midsummer day",
        }
    ),
    "christmas morning": Item("x"),
    **{f"{first} {thing}": Item("x") for first, things in _THINGS.items() for thing in split(things)},
    "easter sunday": holidays({"easter": "easter sunday"})["easter sunday"],
    "last night": Item("!", name="last night"),
    "tonight": Item("!", name="tonight"),
    "recently": Item("!", name="recently"),
    "lately": Item("!", name="recently"),
    "these days": Item("!", name="recently"),
    "the other night": Item("!", name="the other day"),
    "the other evening": Item("!", name="the other day"),
    "from now": Item("x"),
    "class of": Item("x"),
    "the other day": Item("!", name="the other day"),
    "the other week": Item("!", name="the other week"),
}

ENGLISH: Words = make_words(
    "en",
    _PHRASES,
    "the of and to in as is was were i my me did do does what which who where when how many much show with at for on"
    " photos pictures"
    " ago year years week weeks month months day days last this next today yesterday since from have had been that it we you us our are",
)
