"""Which month and year do the days of a list belong to: "9, 12 and 14 June", "June 9th, 12th and 14th, 2024"?"""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.ask.dates.items import Item

# a month first, then its days; or days first, the last of which names the month. A number before a word counts things.
_MONTH_FIRST = re.compile(r"[Mj][no](?:(?:,c?|c)A?(?:o|n(?!x))(?![UMjO]))+(?:,?y)?")
_DAYS_FIRST = re.compile(r"[no]\.?(?:(?:,c?|c)A?[no]\.?)*(?:,c?|c)A?[no]O?[Mj](?:O?y)?")
_LAST_DAY = 31


def spread_lists(items: Sequence[Item]) -> list[Item]:
    """The items with month and year of a list written beside each of its days, as if the person had repeated them."""
    row = list(items)
    for pattern in (_MONTH_FIRST, _DAYS_FIRST):
        codes = "".join(item.code for item in row)
        for match in reversed(list(pattern.finditer(codes))):
            listed = row[match.start() : match.end()]
            if all(1 <= item.number <= _LAST_DAY for item in listed if item.code in "no"):
                row[match.start() : match.end()] = _spread(listed)
    return row


def _spread(listed: Sequence[Item]) -> list[Item]:
    """Each day as "day month year"; they stand where the day stands, and the first or last keeps the place of the month too."""
    month = next(item for item in listed if item.code in "Mj")
    year = next((item for item in listed if item.code == "y"), None)
    done: list[Item] = []
    for item in listed:
        if item.code in "no":
            end = listed[-1].end if item is _last_day(listed) else item.end
            start = listed[0].start if not done else item.start
            done.append(replace(item, start=start))
            done.append(replace(month, start=item.end, end=end))
            if year is not None:
                done.append(replace(year, start=end, end=end))
        elif item.code in ",c" and done:
            done.append(item)
    return [item for index, item in enumerate(done) if item.code not in ",c" or index < len(done) - 1]


def _last_day(listed: Sequence[Item]) -> Item:
    return [item for item in listed if item.code in "no"][-1]
