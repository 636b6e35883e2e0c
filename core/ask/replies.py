"""Reads what the language model wrote into records; what does not fit is refused, whatever a grammar promised."""

import re
from dataclasses import dataclass

from core.errors import ReplyError
from core.records import Intent

_HANDLE = re.compile(r"[mk][1-9]\d?")
_ANSWER = re.compile(
    r"\s*found: (?:(?P<no>no)|yes\s*\nanswer: (?P<text>[^\n]{1,400})\nfrom: (?P<handles>[^\n]{2,60}))\s*", re.DOTALL
)
_STEP = re.compile(
    r"\s*do: (?P<tool>search|grep|list|get|view|answer) (?P<words>[^\n]{1,400})(?:\nfrom: (?P<handles>[^\n]{2,60}))?\s*"
)
_INTENT = re.compile(
    r"\s*intent: (?P<intent>[a-z]+)\nactivities: (?P<activities>[^\n]{1,120})\nobjects: (?P<objects>[^\n]{1,120})\s*"
)


@dataclass(frozen=True, slots=True)
class IntentReply:
    """What the model thinks a question wants."""

    intent: Intent
    activities: tuple[str, ...]
    objects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerReply:
    """A phrased answer with the handles it names; an empty text means "not in the notes"."""

    text: str
    handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AgentStep:
    """What the model wants to do next.

    Attributes:
        tool: search, grep, list, get, view or answer.
        words: what to look for, the handle to get, the question for `view`, or the answer; empty for "nothing shows it".
        handles: of `view` and `answer`.
    """

    tool: str
    words: str
    handles: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """As the model wrote it."""
        if self.tool == "view":
            return f"view {', '.join(self.handles)} | {self.words}"
        return f"{self.tool} {self.words or 'none'}"


def read_step(text: str) -> AgentStep:
    """Raises: ReplyError."""
    match = _STEP.fullmatch(text)
    if not match:
        raise ReplyError("The language model's next step does not fit.")
    tool, words, handles = match["tool"], match["words"].strip(), tuple(_HANDLE.findall(match["handles"] or ""))
    if tool == "view":
        shown, bar, question = words.partition("|")
        if not bar or not question.strip() or not _HANDLE.search(shown):
            raise ReplyError("The language model named nothing to look at.")
        return AgentStep(tool, question.strip(), tuple(_HANDLE.findall(shown)))
    if tool == "answer" and words == "none":
        return AgentStep(tool, "")
    if tool == "get" and not re.fullmatch(r"[me][1-9]\d?", words):
        raise ReplyError("The language model named nothing to get.")
    return AgentStep(tool, words, tuple(dict.fromkeys(handles)))


def read_intent(text: str) -> IntentReply:
    """Raises: ReplyError."""
    match = _INTENT.fullmatch(text)
    if not match or match["intent"] not in frozenset(Intent):
        raise ReplyError("The language model's reading of the question does not fit.")
    return IntentReply(Intent(match["intent"]), _words(match["activities"]), _words(match["objects"]))


def read_answer(text: str) -> AnswerReply:
    """Raises: ReplyError."""
    match = _ANSWER.fullmatch(text)
    if not match:
        raise ReplyError("The language model's answer does not fit.")
    if match["no"]:
        return AnswerReply("", ())
    return AnswerReply(match["text"].strip(), tuple(dict.fromkeys(_HANDLE.findall(match["handles"]))))


def read_pick(text: str) -> str:
    """The handle picked; empty for none. Raises: ReplyError."""
    match = re.fullmatch(r"\s*line: (none|m[1-9]\d?)\s*", text)
    if not match:
        raise ReplyError("The language model picked no note.")
    return "" if match[1] == "none" else match[1]


def read_judgement(text: str) -> bool:
    """Raises: ReplyError."""
    word = text.strip().casefold()
    if word not in ("yes", "no"):
        raise ReplyError("The language model's judgement is neither yes nor no.")
    return word == "yes"


def read_numbers(text: str) -> list[int]:
    """Line numbers, the best first. Raises: ReplyError."""
    match = re.fullmatch(r"\s*lines: (\d{1,2}(?:, \d{1,2}){0,9})\s*", text)
    if not match:
        raise ReplyError("The language model chose no line.")
    return list(dict.fromkeys(int(number) for number in match[1].split(", ")))


def read_value(text: str) -> str:
    """The words copied; empty for none. Raises: ReplyError."""
    match = re.fullmatch(r"\s*value: ([^\n]{1,200})\s*", text)
    if not match:
        raise ReplyError("The language model copied no value.")
    value = match[1].strip().strip("\"'“”")
    return "" if value.casefold() in ("none", "n/a", "unknown") else value


def read_seen(text: str) -> str:
    """One line about pictures. Raises: ReplyError."""
    match = re.fullmatch(r"\s*([^\n]{1,400})\s*", text)
    if not match:
        raise ReplyError("The vision model's answer does not fit.", "Ask again in other words.")
    return match[1].strip()


def read_letter(text: str, letters: frozenset[str]) -> str:
    """One of the letters offered. Raises: ReplyError."""
    match = re.fullmatch(r"\s*letter: ([A-H])\s*", text)
    if not match or match[1] not in letters:
        raise ReplyError("The language model chose a letter that was not offered.")
    return match[1]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip() and word.strip() != "none")
