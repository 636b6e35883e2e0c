"""Which French words speak of time?"""

from core.ask.dates.items import Item
from core.ask.dates.lexer import Words, counting_phrases, make_words
from core.ask.dates.vocabulary import (
    days_from_today,
    decades,
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
        "un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|dix-sept|dix-huit|"
        "dix-neuf"
    ),
)
_TENS = ("", "", *split("vingt|trente|quarante|cinquante|soixante|soixante|quatre-vingt|quatre-vingt"))


def _cardinal(number: int) -> str:
    if number == 1:
        return ""
    if number < 20:
        return _ONES[number]
    tens, base = _TENS[number // 10], number // 10 * 10 - (10 if number // 10 in (7, 9) else 0)
    rest = _ONES[number - base]
    if not rest:
        return "quatre-vingts|quatre-vingt" if number == 80 else tens
    if number % 10 == 1 and number < 80:
        return f"{tens} et {rest}|{tens}-et-{rest}"
    return f"{tens}-{rest}|{tens} {rest}"


def _ordinal(number: int) -> str:
    if number == 1:
        return "premier|première|premiers|premières"
    if number == 2:
        return "deuxième|second|seconde"
    return "|".join(_ordinal_word(spelling) for spelling in _cardinal(number).split("|"))


def _ordinal_word(cardinal: str) -> str:
    if cardinal.endswith("neuf"):
        return cardinal[:-1] + "vième"
    if cardinal.endswith("cinq"):
        return cardinal + "uième"
    return cardinal.rstrip("es") + "ième" if cardinal.endswith("e") else cardinal + "ième"


_PHRASES: dict[str, Item] = {
    **counting_phrases(_cardinal, _ordinal),
    **{phrase: Item("n", number=3, name="few") for phrase in split("quelques|plusieurs")},
    **numbered(
        "M",
        (
            "janvier|janv",
            "février|févr|fév",
            "mars",
            "avril|avr",
            "mai",
            "juin",
            "juillet|juil",
            "août",
            "septembre",
            "octobre|oct",
            "novembre|nov",
            "décembre|déc",
        ),
        first=1,
    ),
    "sept.": Item("M", number=9),
    **numbered("W", ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")),
    **{
        phrase: Item("K", weekdays=(number,))
        for number, day in enumerate(split("lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"))
        for phrase in (f"les {day}s", f"tous les {day}s", f"{day}s")
    },
    **{phrase: Item("K", weekdays=(0, 1, 2, 3, 4)) for phrase in split("en semaine|jours de semaine|jours ouvrés")},
    **{phrase: Item("K", weekdays=(5, 6)) for phrase in split("les week-ends|les weekends|week-ends|weekends")},
    **units(
        {
            "day": "jour|jours|journée",
            "week": "semaine|semaines",
            "month": "mois",
            "year": "an|ans|année|années",
            "weekend": "week-end|weekend|long week-end|week-end prolongé|pont",
            "quarter": "trimestre|trimestres",
            "half": "moitié|semestre",
            "decade": "décennie|décennies",
            "week*2": "quinzaine",
            "hour": "heure|heures|minute|minutes",
        }
    ),
    **numbered("S", ("printemps", "été", "automne", "hiver")),
    **{f"{verb} été": Item("x") for verb in split("ai|as|a|avons|avez|ont|avais|avait|avions|avaient|avoir|aura")},
    **days_from_today(
        {
            0: "aujourd'hui|ce jour",
            -1: "hier",
            -2: "avant-hier|avant hier",
            1: "demain",
            2: "après-demain",
        }
    ),
    **lasts(
        {
            -1: "dernier|dernière|derniers|dernières|passé|passée|précédent|précédente|d'avant",
            -2: "avant-dernier|avant-dernière",
            0: "ce|cet|cette|ces|courant|en cours",
            1: "prochain|prochaine",
        },
        kind="past",
    ),
    **named("E", {"start": "début|commencement", "mid": "milieu|mi", "end": "fin"}),
    **marks(
        {
            "G": "il y a|voilà|voici|y a",
            "J": "plus tôt|auparavant",
            "B": "entre",
            "t": "à|au",
            "e": "jusqu'à|jusqu'en|jusqu'au|jusque",
            "s": "depuis|dès|à partir de|à partir du|à compter de",
            "b": "avant|avant le|avant la|avant l'",
            "a": "après|après le|après la|après l'",
            "c": "et|ou",
            "O": "de|du|des|d'|de l'|de la",
            "A": "le|la|les|l'|un|une",
            "i": "en|pendant|durant|dans|au cours de|au cours du|au cours des|lors de|lors du",
            "l": "vers les|le jour de",
            "v": "chaque|tous les|toutes les",
            "N": "photo|photos|image|images|vidéo|vidéos|voyage|voyages|reçu|reçus|vacances|captures",
            "m": "mon|ma|mes",
            "w": "quand j'avais|lorsque j'avais|à l'âge de|quand j'ai eu|à mes",
            "d": "anniversaire",
            "6": "veille",
            "7": "lendemain",
        }
    ),
    "vers": Item("I", name="around"),
    "pour": Item("I", name="for"),
    "sur": Item("I", name="over"),
    **{
        phrase: Item("!", name="as a child")
        for phrase in split(
            "quand j'étais enfant|quand j'étais petit|quand j'étais petite|dans mon enfance|enfant, je|étant enfant"
        )
    },
    **{
        phrase: Item("!", name="as a teenager")
        for phrase in split("quand j'étais adolescent|quand j'étais adolescente|quand j'étais ado|mon adolescence")
    },
    **life_decades({20: "vingtaine", 30: "trentaine", 40: "quarantaine", 50: "cinquantaine", 60: "soixantaine"}),
    **{
        f"{lead}{word}": item
        for lead in ("années ", "les années ")
        for word, item in decades(
            {
                1950: "50|cinquante",
                1960: "60|soixante",
                1970: "70|soixante-dix",
                1980: "80|quatre-vingt|quatre-vingts",
                1990: "90|quatre-vingt-dix",
                2000: "2000",
                2010: "2010",
                2020: "2020",
            }
        ).items()
    },
    **times_of_day(
        {
            "morning": "matin|matinée",
            "early morning": "petit matin",
            "noon": "midi|à midi",
            "afternoon": "après-midi|l'après-midi",
            "evening": "soir|soirée",
            "night": "nuit",
            "midnight": "minuit|à minuit",
            "dawn": "aube|à l'aube|lever du soleil",
            "dusk": "crépuscule|coucher du soleil",
        }
    ),
    **times_of_day(
        {
            "morning": "le matin|au matin",
            "early morning": "tôt le matin|au petit matin",
            "evening": "le soir",
            "night": "la nuit|de nuit",
        },
        alone=True,
    ),
    **times_of_day({"morning": "matins", "evening": "soirs", "night": "nuits"}, several=True),
    **holidays(
        {
            "new_year": "jour de l'an|nouvel an|premier de l'an|le nouvel an",
            "new_year_eve": "réveillon du nouvel an|saint-sylvestre|saint sylvestre|réveillon de la saint-sylvestre|"
            "veille du nouvel an|veille du jour de l'an",
            "epiphany": "épiphanie|fête des rois",
            "candlemas": "chandeleur",
            "valentine": "saint-valentin|saint valentin|la saint-valentin",
            "womens_day": "journée de la femme|journée des femmes|journée internationale des droits des femmes",
            "shrove_tuesday": "mardi gras",
            "carnival": "carnaval",
            "ash_wednesday": "mercredi des cendres",
            "palm_sunday": "dimanche des rameaux|rameaux",
            "holy_week": "semaine sainte",
            "maundy_thursday": "jeudi saint",
            "good_friday": "vendredi saint",
            "easter": "pâques|dimanche de pâques",
            "easter_monday": "lundi de pâques",
            "easter_weekend": "week-end de pâques|weekend de pâques",
            "april_fools": "poisson d'avril",
            "workers": "fête du travail",
            "victory_fr": "fête de la victoire|victoire 1945",
            "mothers_day_fr": "fête des mères",
            "fathers_day": "fête des pères",
            "ascension": "ascension|jeudi de l'ascension",
            "pentecost": "pentecôte",
            "whit_monday": "lundi de pentecôte",
            "corpus_christi": "fête-dieu",
            "fete_musique": "fête de la musique",
            "midsummer": "saint-jean|la saint-jean",
            "bastille": "fête nationale|14 juillet férié",
            "assumption": "assomption",
            "halloween": "halloween",
            "all_saints": "toussaint|la toussaint",
            "veterans": "armistice|jour de l'armistice",
            "st_nicholas": "saint-nicolas|saint nicolas",
            "thanksgiving": "thanksgiving|action de grâce",
            "black_friday": "black friday|vendredi noir",
            "christmas_eve": "veille de noël|réveillon de noël|réveillon|soir de noël",
            "christmas": "noël|jour de noël|noëls",
            "boxing": "lendemain de noël",
            "chinese_new_year": "nouvel an chinois|nouvel an lunaire",
            "ramadan": "ramadan",
            "eid_al_fitr": "aïd el-fitr|aïd",
            "eid_al_adha": "aïd el-kébir|aïd al-adha",
            "diwali": "diwali",
        }
    ),
    **{phrase: Item("x") for phrase in split("sapin de noël|marché de noël|père noël|deuxième fois|première fois")},
    "hier soir": Item("!", name="last evening"),
    "cette nuit": Item("!", name="last night"),
    "la nuit dernière": Item("!", name="last night"),
    "ce soir": Item("!", name="tonight"),
    "l'autre jour": Item("!", name="the other day"),
    "récemment": Item("!", name="recently"),
    "dernièrement": Item("!", name="recently"),
    "ces derniers jours": Item("!", name="recently"),
    "ces derniers temps": Item("!", name="recently"),
}

FRENCH: Words = make_words(
    "fr",
    _PHRASES,
    "le la les de du des et en un une est ai je j qu que qui ou quand comment combien avec mon ma mes photos dans sur"
    " pour au aux fait suis nous etait etais mange vu cette ce il y a l d montre moi sans pas",
)
