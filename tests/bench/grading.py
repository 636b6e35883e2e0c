"""Grades answers by code, as the benchmark packs' README says; what only a reader can judge is not graded."""

import random
import re
from collections.abc import Sequence

from core.records import Answer, Outcome
from core.text_keys import text_key
from tests.bench.packs import PackQuestion

_TOLERANCE = 0.01
_DAY = re.compile(r"\d{4}[/-]\d{2}[/-]\d{2}")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def grade(question: PackQuestion, answer: Answer) -> float | None:
    """0 to 1; None for open questions, which need a reader."""
    rule = _RULES.get(question.answer_type)
    return rule(question, answer) if rule else None


def interval(grades: Sequence[float], seed: int = 1) -> tuple[float, float]:
    """A 95 % bootstrap interval of the mean."""
    if not grades:
        return (0.0, 0.0)
    draw = random.Random(seed)
    means = sorted(sum(draw.choices(grades, k=len(grades))) / len(grades) for _ in range(1_000))
    return means[25], means[974]


def _number(question: PackQuestion, answer: Answer) -> float:
    value = answer.value
    if not isinstance(value, (int, float)):
        found = _NUMBER.findall(answer.text.replace(",", ""))
        value = float(found[0]) if found else 0.0 if answer.outcome is Outcome.NOT_FOUND else None
    if value is None:
        return 0.0
    gold = float(str(question.answer))
    allowed = _TOLERANCE * abs(gold) if question.kind == "average" else 1e-9
    return float(abs(float(value) - gold) <= allowed)


def _date(question: PackQuestion, answer: Answer) -> float:
    return float(str(answer.value) == str(question.answer))


def _set(question: PackQuestion, answer: Answer) -> float:
    gold = (
        {text_key(str(each)) for each in question.answer}
        if isinstance(question.answer, list)
        else {text_key(str(question.answer))}
    )
    said = answer.value if isinstance(answer.value, tuple) else () if answer.value is None else (str(answer.value),)
    keys = {text_key(each) for each in said}
    return len(gold & keys) / len(gold | keys) if gold | keys else 1.0


def _text(question: PackQuestion, answer: Answer) -> float:
    gold, said = text_key(str(question.answer)), text_key(f"{answer.value} {answer.text}")
    if _DAY.fullmatch(gold):  # a day is the same day however it is written
        return float(gold.replace("/", "-") in said.replace("/", "-"))
    return float(bool(gold) and gold in said)


def _choice(question: PackQuestion, answer: Answer) -> float:
    return float(str(answer.value) == str(question.answer))


def _none(question: PackQuestion, answer: Answer) -> float:
    is_nothing = answer.outcome is Outcome.NOT_FOUND or (answer.outcome is Outcome.ANSWERED and answer.value == 0)
    return float(is_nothing and not answer.citations)


_RULES = {"number": _number, "date": _date, "set": _set, "text": _text, "choice": _choice, "none": _none}
