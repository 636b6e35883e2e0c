"""Reads the `.picasa.ini` that Picasa left in each folder: names of people, captions, keywords and stars."""

import re
from collections import defaultdict
from collections.abc import Mapping

from core.capture.described import LONGEST_TEXT, Described, distinct
from core.capture.stems import name_key
from core.text_keys import printable

LARGEST_BYTES = 16_000_000
_NAMES = frozenset({".picasa.ini", "picasa.ini"})
_SECTION = re.compile(r"^\[(.+)\]\s*$")
_CONTACTS = frozenset({"contacts", "contacts2"})
_FACE = re.compile(r"rect64\([0-9a-f]*\),([0-9a-f]{1,32})", re.IGNORECASE)


def is_picasa(file_name: str) -> bool:
    """Whether a file is Picasa's, by its name."""
    return file_name.casefold() in _NAMES


def read(data: bytes) -> Mapping[str, Described]:
    """By key of file name: what the person told Picasa. Faces without a name in this very file stay without."""
    sections: dict[str, dict[str, str]] = defaultdict(dict)
    section = ""
    for line in data.decode("utf-8-sig", "replace").splitlines():
        if found := _SECTION.match(line.strip()):
            section = found[1]
        elif "=" in line and section:
            key, _, value = line.partition("=")
            sections[section][key.strip().casefold()] = printable(value).strip()[:LONGEST_TEXT]
    people = {
        mark: value.split(";")[0]
        for name in sections
        if name.casefold() in _CONTACTS
        for mark, value in sections[name].items()
    }
    return {
        name_key(name): _of(fields, people) for name, fields in sections.items() if name.casefold() not in _CONTACTS
    }


def _of(fields: Mapping[str, str], people: Mapping[str, str]) -> Described:
    marks = _FACE.findall(fields.get("faces", ""))
    return Described(
        caption=fields.get("caption", ""),
        keywords=distinct(tuple(fields.get("keywords", "").split(","))),
        people=distinct(tuple(people.get(mark.casefold(), "") for mark in marks)),
        favourite=True if fields.get("star", "").casefold() == "yes" else None,
    )
