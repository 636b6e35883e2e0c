"""Says how many of something there are, in the singular or the plural."""


def counted(number: int, noun: str, none: str = "no") -> str:
    """1 day, 3 days, 2 memories, no photos."""
    plural = f"{noun[:-1]}ies" if noun.endswith(("ty", "ry")) else "people" if noun == "person" else f"{noun}s"
    return f"{number or none} {noun if number == 1 else plural}"
