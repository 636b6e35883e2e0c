"""Which days does a question speak of?"""

from core.ask.dates.find import find_days

__all__ = ["find_days"]
