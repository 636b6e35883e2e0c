"""Which Chinese words and numbers speak of time, and how is a text cut into them?

Chinese has no spaces: at every place the longest word of the list or the first pattern of digits that fits is taken.
Traditional spellings are read as the simplified ones.
"""

import re
from datetime import date

from core.ask.dates.items import Item, Setting
from core.ask.dates.numeric import NUMERIC, numeric_item
from core.ask.dates.periods import full_year, months_yearly
from core.ask.dates.vocabulary import (
    days_from_today,
    holidays,
    lasts,
    marks,
    named,
    numbered,
    split,
    times_of_day,
    units,
)

_TRADITIONAL = str.maketrans(
    "個週禮點時後從與歲聖節國慶誕陽長過這幾億萬兩號間開終邊傍裡內還沒見當屆實會勞動關婦兒童師親萬歷曆臘聯歡膚樹數",
    "个周礼点时后从与岁圣节国庆诞阳长过这几亿万两号间开终边傍里内还没见当届实会劳动关妇儿童师亲万历历腊联欢肤树数",
)
_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_NUMBER = r"(?:\d{1,6}|[零〇一二两三四五六七八九十百]{1,6})"
_LAST = r"(?=一?个?(?:周|星期|礼拜|月|季度|世纪|半年))"

_WORDS: dict[str, Item] = {
    **{phrase: Item("n", number=3, name="few") for phrase in split("几|数|好几|几个|若干")},
    **numbered("W", tuple(f"周{day}|星期{day}|礼拜{day}" for day in "一二三四五六日")),
    **{phrase: Item("W", number=6) for phrase in split("星期天|礼拜天|周天")},
    **{phrase: Item("K", weekdays=(0, 1, 2, 3, 4)) for phrase in split("工作日|平日")},
    **units(
        {
            "day": "天|日子",
            "week": "周|星期|个星期|礼拜|个礼拜|个周",
            "month": "月|个月",
            "year": "年|年头",
            "weekend": "周末|个周末",
            "quarter": "季度|个季度",
            "month*6": "半年|个半年",
            "decade": "十年间",
            "hour": "小时|个小时|分钟",
        }
    ),
    **numbered(
        "S",
        ("春天|春季|春日|春", "夏天|夏季|夏日|暑假|夏", "秋天|秋季|秋日|秋", "冬天|冬季|冬日|寒冬|冬"),
    ),
    **days_from_today({0: "今天|今日", -1: "昨天|昨日", -2: "前天|前日", -3: "大前天", 1: "明天|明日", 2: "后天"}),
    **lasts({0: "这|这个|本|当|今", 1: "下个|下一个"}),
    **lasts({-1: "过去|过去的|最近的|近|前|刚过去的|刚刚过去的"}, kind="past"),
    **lasts({-1: "上次|上一次|上个"}),
    **{phrase: Item("4", name="week") for phrase in split("那一周|那周|那个星期|当周|这一周")},
    **{phrase: Item("4", name="day") for phrase in split("那天|当天|那一天")},
    **named("E", {"start": "初|上旬|初期|开头", "mid": "中旬|中期|中", "end": "底|末|下旬|末尾|末期|尾"}),
    **marks(
        {
            "g": "前|之前|以前",
            "r": "之后|后",
            "z": "以来|以后|起|开始|至今|到现在",
            "f": "从|由",
            "s": "自|自从|打从",
            "t": "到|至",
            "e": "直到|截至|截止|截止到",
            "c": "和|与|跟|及|以及",
            "O": "的|之",
            "i": "在|于",
            "5": "之间|期间",
            "v": "每|每个|每逢|所有|所有的",
            "N": "照片|图片|视频|截图|相片|录音|收据|旅行",
            "m": "我|我的",
            "d": "生日",
            "w": "当我",
        }
    ),
    **{
        phrase: Item("!", name=name)
        for name, phrases in {
            "last year": "去年|上一年",
            "year before last": "前年",
            "three years ago": "大前年",
            "this year": "今年|本年|当年度",
            "next year": "明年",
            "last night": "昨晚|昨夜|昨天夜里",
            "tonight": "今晚|今夜",
            "this morning": "今早|今晨",
            "recently": "最近|近来|近日|前段时间|前不久|不久前",
            "the other day": "前几天|前两天",
            "as a child": "小时候|童年",
            "eoy": "年底|年末|岁末",
        }.items()
        for phrase in split(phrases)
    },
    **times_of_day(
        {
            "morning": "早上|早晨|上午|清晨|清早",
            "early morning": "凌晨|一大早",
            "noon": "中午|正午|午间",
            "afternoon": "下午|午后",
            "evening": "晚上|傍晚|晚间|晚",
            "night": "夜里|夜晚|夜间|深夜|半夜",
            "midnight": "午夜|零点",
            "dawn": "黎明|日出",
            "dusk": "黄昏|日落",
        }
    ),
    **holidays(
        {
            "new_year": "元旦|新年第一天",
            "chinese_new_year": "春节|大年初一|农历新年|农历春节|过年|正月初一",
            "chinese_new_year_eve": "除夕|年三十|大年三十|除夕夜",
            "lantern": "元宵节|元宵",
            "valentine": "情人节",
            "womens_day": "妇女节|三八妇女节",
            "qingming": "清明节|清明",
            "easter": "复活节",
            "workers": "劳动节|五一劳动节|五一",
            "youth_day_cn": "青年节",
            "mothers_day": "母亲节",
            "childrens_day": "儿童节|六一儿童节|六一",
            "fathers_day": "父亲节",
            "dragon_boat": "端午节|端午",
            "qixi": "七夕|七夕节",
            "ghost_festival": "中元节",
            "teachers_cn": "教师节",
            "mid_autumn": "中秋节|中秋",
            "national_cn": "国庆节|国庆|十一国庆",
            "double_ninth": "重阳节|重阳",
            "halloween": "万圣节",
            "singles_day": "双十一|双11|光棍节",
            "thanksgiving": "感恩节",
            "christmas_eve": "平安夜|圣诞夜|圣诞前夕",
            "christmas": "圣诞节|圣诞",
            "new_year_eve": "跨年夜|跨年|元旦前夜",
            "black_friday": "黑色星期五",
            "ramadan": "斋月",
            "eid_al_fitr": "开斋节",
        }
    ),
    **{
        phrase: Item("x")
        for phrase in split(
            "圣诞树|圣诞老人|圣诞帽|圣诞卡|春节联欢晚会|中秋月饼|端午粽子|星星|月亮|月球|月饼|前面|前台|后面|后台|秋千|"
            "春卷|冬瓜|中国|中间|中心|当然|当时|本人|本来|晚饭|晚餐|早餐|早饭|午餐|午饭|初中|到处|起来|前往|今后|"
            "北京|南京|东京|天空|天气|天安门|天津|聊天|长春|春光|夏威夷|秋田|冬奥会|以前|近处|附近|中山|中文|其中|末班车|"
            "这里|这个人|这些|这张|这是|本书|笔记本|日本|年轻|少年|老年|青年|成年|中年|年夜饭|周围|周边|四周|周杰伦"
        )
        if phrase != "以前"
    },
}
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("zh_full", r"(?P<zh_full>[12]\d{3}年\d{1,2}月\d{1,2}[日号]?)"),
    (
        "zh_year",
        r"(?P<zh_year>(?:(?:1[89]|20)\d\d|[一二][零〇九八一二三四五六七八九]{3}|['’]?\d{2})年(?!代|前|后|级|以后|之后|以前|之前|间|的?[老历])|(?:(?:1[89]|20)\d\d)年(?!代|级))",
    ),
    ("zh_decade", r"(?P<zh_decade>(?:上世纪|二十世纪|20世纪)?(?:\d{4}|\d0|[二三四五六七八九]十)年代)"),
    ("zh_quarter", r"(?P<zh_quarter>第?[一二三四1-4]个?季度)"),
    ("zh_half", r"(?P<zh_half>[上下前后]半年)"),
    ("zh_month", r"(?P<zh_month>(?<![\d个])(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]|元)月份?(?!饼|亮))"),
    ("zh_day", r"(?P<zh_day>(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号](?!线|楼|店|房|门|机))"),
    ("zh_age", rf"(?P<zh_age>{_NUMBER}岁)"),
    ("zh_own", r"(?P<zh_own>[二三四五六七八九]十(?:多|几)岁)"),
    ("zh_clock", r"(?P<zh_clock>(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点(?:钟|半|\d{1,2}分)?)"),
    ("zh_last", rf"(?P<zh_last>上+{_LAST}一?个?)"),
    ("zh_next", rf"(?P<zh_next>下+{_LAST}一?个?)"),
    ("zh_nth", rf"(?P<zh_nth>(?:第{_NUMBER}|最后一|首)个?(?!次|名))"),
    ("zh_recent", rf"(?P<zh_recent>(?:最近|近|过去|前)(?=(?:{_NUMBER}|几)个?(?:天|周|星期|礼拜|月|年)))"),
)
# a Chinese character is a word character, but bounds no group of digits
_DIGIT_GROUPS = (
    NUMERIC.replace(r"(?<!\w)", "(?<![0-9A-Za-z])").replace(r"(?!\w)", "(?![0-9A-Za-z])").replace(r"[\w", "[0-9A-Za-z")
)
_TOKEN = re.compile(
    "|".join(pattern for _, pattern in _PATTERNS)
    + "|(?P<word>"
    + "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
    + rf")|{_DIGIT_GROUPS}|(?P<zh_number>{_NUMBER})|(?P<mark>[^\w\s])|(?P<other>[^\W\d_]|_)"
)
_MARKS = {"-": "-", "－": "-", "–": "-", "—": "-", "~": "-", "～": "-", "/": "/", ",": ",", "，": ",", "、": ","}


def read_chinese_items(text: str, setting: Setting) -> list[Item]:
    """The text as a row of items; runs of characters that mean nothing here are one item."""
    items: list[Item] = []
    for match in _TOKEN.finditer(text.translate(_TRADITIONAL)):
        item = _item(match, text, setting)
        placed = Item(
            item.code,
            match.start(),
            match.end(),
            item.number,
            item.name,
            item.span,
            item.yearly,
            item.hours,
            item.weekdays,
        )
        if placed.code == "x" and items and items[-1].code == "x":
            items[-1] = placed
        else:
            items.append(placed)
    return items


def _item(match: re.Match[str], text: str, setting: Setting) -> Item:
    kind, found = match.lastgroup or "", match.group()
    if kind == "word":
        return _WORDS[found]
    if kind == "mark":
        return Item(_MARKS.get(found, ";"))
    if kind == "other":
        return Item("x")
    if kind.startswith("zh_"):
        return _counted(kind, found)
    return numeric_item(match, text, setting)


def _counted(kind: str, found: str) -> Item:
    """The item of a number with its Chinese counter."""
    numbers = [number_of(digits) for digits in re.findall(_NUMBER, found)]
    first = numbers[0] if numbers else 1
    if kind == "zh_full":
        return _full_date(numbers)
    if kind == "zh_year":
        year = full_year(_year_of(found))
        return Item("D", span=(date(year, 1, 1), date(year, 12, 31)), name="year")
    if kind == "zh_decade":
        return _decade(found)
    if kind == "zh_quarter":
        return Item("Y", yearly=months_yearly(first * 3 - 2, first * 3), name="quarter")
    if kind == "zh_half":
        months = (1, 6) if found[0] in "上前" else (7, 12)
        return Item("Y", yearly=months_yearly(*months), name="half")
    if kind == "zh_clock":
        return (
            Item("C", number=first, name="half" if "半" in found or "分" in found else "") if first < 24 else Item("x")
        )
    if kind in ("zh_last", "zh_next"):
        count = found.count("上") or -found.count("下")
        return Item("L", number=-count, name="last")
    if kind == "zh_recent":
        return Item("L", number=-1, name="past")
    if kind == "zh_nth":
        return Item("o", number=-1 if found.startswith("最后") else first)
    code = {"zh_month": "M", "zh_day": "o", "zh_age": "9", "zh_own": "P", "zh_number": "n"}[kind]
    return Item(code, number=1 if found.startswith("元月") else first, name="mine" if kind == "zh_own" else "")


def _full_date(numbers: list[int]) -> Item:
    try:
        day = date(*numbers[:3])
    except ValueError:
        return Item("x")
    return Item("D", span=(day, day), name="day")


def _year_of(found: str) -> int:
    digits = re.sub(r"\D", "", "".join(str(_DIGITS.get(char, char)) for char in found))
    return int(digits)


def _decade(found: str) -> Item:
    number = number_of(re.findall(r"\d{2,4}|[二三四五六七八九]十", found)[-1])
    first = number if number > 100 else (1900 if "世纪" in found or number > 30 else 2000) + number
    return Item("D", span=(date(first, 1, 1), date(first + 9, 12, 31)), name="decade")


def number_of(text: str) -> int:
    """A number of Arabic or Chinese digits, up to hundreds."""
    if text.isdecimal() and text[0] not in _DIGITS:
        return int(text)
    if not set(text) & set("十百"):
        return int("".join(str(_DIGITS[char]) for char in text))
    total, digit = 0, 0
    for char in text:
        if char in "十百":
            total += (digit or 1) * (10 if char == "十" else 100)
            digit = 0
        else:
            digit = _DIGITS[char]
    return total + digit
