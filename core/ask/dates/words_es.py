"""Which Spanish words speak of time?"""

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
        "uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciséis|diecisiete|"
        "dieciocho|diecinueve|veinte|veintiuno|veintidós|veintitrés|veinticuatro|veinticinco|veintiséis|veintisiete|"
        "veintiocho|veintinueve"
    ),
)
_TENS = ("", "", "", *split("treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa"))
_ORDINALS = ("", *split("primer|segund|tercer|cuart|quint|sext|séptim|octav|noven|décim"))


def _cardinal(number: int) -> str:
    if number < 30:
        return _ONES[number]
    tens, ones = _TENS[number // 10], _ONES[number % 10]
    return f"{tens} y {ones}" if ones else tens


def _ordinal(number: int) -> str:
    if number >= len(_ORDINALS):
        return ""
    stem = _ORDINALS[number]
    return f"{stem}o|{stem}a|{stem}os|{stem}as" + (f"|{stem}" if number in (1, 3) else "")


_PHRASES: dict[str, Item] = {
    **counting_phrases(_cardinal, _ordinal),
    **{
        phrase: Item("n", number=3, name="few")
        for phrase in split("unos|unas|unos pocos|unas pocas|algunos|algunas|varios|varias|pocos|pocas")
    },
    **{phrase: Item("n", number=2, name="couple") for phrase in split("un par de")},
    **numbered(
        "M",
        (
            "enero|ene",
            "febrero|feb",
            "marzo",
            "abril|abr",
            "mayo",
            "junio|jun",
            "julio|jul",
            "agosto",
            "septiembre|setiembre|sept|sep",
            "octubre|oct",
            "noviembre|nov",
            "diciembre|dic",
        ),
        first=1,
    ),
    **numbered("W", ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")),
    **{
        phrase: Item("K", weekdays=(number,))
        for number, day in enumerate(split("lunes|martes|miércoles|jueves|viernes|sábados|domingos"))
        for phrase in (f"los {day}", f"todos los {day}")
    },
    **{phrase: Item("K", weekdays=(0, 1, 2, 3, 4)) for phrase in split("entre semana|días laborables|días de semana")},
    **{phrase: Item("K", weekdays=(5, 6)) for phrase in split("los fines de semana|fines de semana")},
    **units(
        {
            "day": "día|días",
            "week": "semana|semanas",
            "month": "mes|meses",
            "year": "año|años",
            "weekend": "fin de semana|finde|fin de semana largo|puente",
            "quarter": "trimestre|trimestres",
            "half": "mitad|semestre",
            "decade": "década|décadas",
            "week*2": "quincena",
            "hour": "hora|horas|minuto|minutos",
            "month*6": "medio año",
        }
    ),
    **numbered("S", ("primavera", "verano", "otoño", "invierno")),
    **days_from_today(
        {
            0: "hoy|el día de hoy|hoy mismo",
            -1: "ayer",
            -2: "anteayer|antes de ayer|antier",
            -3: "trasanteayer|anteanteayer",
            2: "pasado mañana",
        }
    ),
    "mañana": Item("R", number=1, name="morning"),
    **lasts(
        {
            -1: "pasado|pasada|anterior|previo|previa|últimos|últimas|pasados|pasadas",
            -2: "antepasado|antepasada|penúltimo|penúltima",
            0: "este|esta|estos|estas|actual|en curso|corriente",
            1: "próximo|próxima|que viene|entrante",
        },
        kind="past",
    ),
    **lasts({-1: "último|última"}, kind="rolling"),
    **named(
        "E",
        {
            "start": "principios|principio|comienzos|comienzo|inicios|inicio",
            "mid": "mediados|a mitad de",
            "end": "finales|fines|final|fin",
        },
    ),
    **marks(
        {
            "G": "hace|hará",
            "J": "antes|atrás",
            "B": "entre",
            "t": "a|al",
            "e": "hasta|hasta el|hasta la",
            "s": "desde|desde el|desde la|a partir de|a partir del|desde hace",
            "z": "en adelante",
            "b": "antes de|antes del",
            "a": "después de|después del|tras|tras el|tras la",
            "c": "y|e|o",
            "O": "de|del",
            "A": "el|la|los|las|un|una",
            "i": "en|durante|dentro de",
            "l": "en el|en la|a las|a la",
            "v": "cada|todos|todas",
            "N": "foto|fotos|imagen|imágenes|vídeo|vídeos|video|videos|viaje|viajes|recibo|recibos|vacaciones|capturas",
            "m": "mi|mis",
            "w": "cuando tenía|con|a los|a la edad de|de los",
            "d": "cumpleaños|cumple",
            "V": "cuando cumplí|al cumplir",
        }
    ),
    "con": Item("8"),
    "para": Item("I", name="for"),
    "por": Item("I", name="for"),
    "hacia": Item("I", name="around"),
    "sobre": Item("I", name="around"),
    **{
        phrase: Item("!", name="as a child")
        for phrase in split(
            "de niño|de niña|cuando era niño|cuando era niña|"
            "de pequeño|de pequeña|cuando era pequeño|cuando era pequeña|en mi infancia"
        )
    },
    **{
        phrase: Item("!", name="as a teenager")
        for phrase in split("de adolescente|en mi adolescencia|cuando era adolescente")
    },
    **life_decades({20: "veintes|veintitantos|veintena", 30: "treintas|treintaitantos|treintena", 40: "cuarentas"}),
    **{
        f"mis {word}": Item("P", number=20 + 10 * index, name="mine")
        for index, word in enumerate(split("veinte|treinta|cuarenta|cincuenta|sesenta"))
    },
    **decades(
        {
            first: f"los {word}|los años {word}|años {word}|años {first % 100 or '00'}|los años {first % 100 or '00'}|"
            f"la década de los {first % 100 or '00'}|la década de los {word}|los {first % 100 or '00'}"
            for first, word in (
                (1950, "cincuenta"),
                (1960, "sesenta"),
                (1970, "setenta"),
                (1980, "ochenta"),
                (1990, "noventa"),
                (2000, "dos mil"),
            )
        }
    ),
    **times_of_day(
        {
            "early morning": "madrugada",
            "noon": "mediodía|al mediodía|a mediodía",
            "afternoon": "tarde",
            "night": "noche",
            "midnight": "medianoche|a medianoche",
            "dawn": "amanecer|al amanecer",
            "dusk": "atardecer|al atardecer|anochecer|al anochecer",
        }
    ),
    **times_of_day(
        {
            "morning": "por la mañana|en la mañana|de la mañana|por las mañanas|en las mañanas",
            "early morning": "de madrugada|temprano por la mañana",
            "afternoon": "por la tarde|en la tarde|de la tarde|por las tardes",
            "night": "por la noche|en la noche|de noche|por las noches|de la noche",
        },
        alone=True,
    ),
    **holidays(
        {
            "new_year": "año nuevo|día de año nuevo",
            "new_year_eve": "nochevieja|noche vieja|fin de año|víspera de año nuevo",
            "epiphany": "reyes|día de reyes|día de los reyes magos|epifanía",
            "valentine": "san valentín|día de san valentín|día de los enamorados|día del amor y la amistad",
            "womens_day": "día de la mujer|día internacional de la mujer",
            "st_joseph": "san josé",
            "fathers_day_es": "día del padre",
            "carnival": "carnaval|carnavales",
            "shrove_tuesday": "martes de carnaval",
            "ash_wednesday": "miércoles de ceniza",
            "palm_sunday": "domingo de ramos",
            "holy_week": "semana santa",
            "maundy_thursday": "jueves santo",
            "good_friday": "viernes santo",
            "holy_saturday": "sábado santo|sábado de gloria",
            "easter": "pascua|domingo de resurrección|domingo de pascua|pascuas",
            "easter_monday": "lunes de pascua",
            "workers": "día del trabajo|día del trabajador|día de los trabajadores",
            "mothers_day_es": "día de la madre",
            "ascension": "ascensión",
            "pentecost": "pentecostés",
            "corpus_christi": "corpus|corpus christi",
            "st_john_eve": "noche de san juan|víspera de san juan",
            "midsummer": "san juan|día de san juan",
            "assumption": "asunción",
            "mexico_day": "día de la independencia",
            "hispanic": "día de la hispanidad|fiesta nacional|día de la raza",
            "halloween": "halloween|noche de brujas",
            "all_saints": "todos los santos|día de todos los santos",
            "all_souls": "día de muertos|día de los muertos|día de los difuntos",
            "constitution_es": "día de la constitución",
            "immaculate": "inmaculada|la inmaculada",
            "thanksgiving": "acción de gracias|día de acción de gracias",
            "black_friday": "black friday|viernes negro",
            "christmas_eve": "nochebuena|noche buena",
            "christmas": "navidad|día de navidad|navidades",
            "innocents": "día de los inocentes|santos inocentes",
            "chinese_new_year": "año nuevo chino|año nuevo lunar",
            "ramadan": "ramadán",
            "diwali": "diwali",
        }
    ),
    "árbol de navidad": Item("x"),
    "anoche": Item("!", name="last night"),
    "esta noche": Item("!", name="tonight"),
    "el otro día": Item("!", name="the other day"),
    "recientemente": Item("!", name="recently"),
    "últimamente": Item("!", name="recently"),
    "hace poco": Item("!", name="recently"),
    "los últimos días": Item("!", name="recently"),
    "segunda vez": Item("x"),
    "primera vez": Item("x"),
}

SPANISH: Words = make_words(
    "es",
    _PHRASES,
    "el la los las de del que qué en y a mi mis fotos dónde donde cuándo cómo quién con por para un una es está"
    " estuve hice fui comí vi cuántas cuántos imágenes se lo me muéstrame al hace sin nos".replace("á", "a")
    .replace("é", "e")
    .replace("í", "i")
    .replace("ó", "o")
    .replace("ú", "u"),
)
