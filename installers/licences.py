"""May everything that the frozen program carries be given away together? Licences read from the installed distributions.

The allow-list is `licences.toml`. What it does not know stops the build: a new dependency is a decision, not an accident.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

POLICY_FILE = Path(__file__).with_name("licences.toml")

_TOKEN = re.compile(r"\(|\)|[^\s()]+")
_LONGEST_NAME = 80  # some put the whole text of the licence into the field for its name
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


class LicenceError(Exception):
    """Something in the bundle has no licence that we know to be allowed; says what to add where."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`licences.toml`: what is allowed, how metadata spells it, and what we had to look up ourselves."""

    allowed: frozenset[str]
    spelt: dict[str, str]
    looked_up: dict[str, str]
    carried: dict[str, tuple[str, str]]
    bundle_licence: str


@dataclass(frozen=True, slots=True)
class Licensed:
    """A part of the bundle with its licence as an SPDX expression."""

    name: str
    version: str
    expression: str
    texts: tuple[str, ...] = ()


def read_policy(path: Path = POLICY_FILE) -> Policy:
    """Read the allow-list."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return Policy(
        allowed=frozenset(raw["allowed"]),
        spelt=raw["spelt"],
        looked_up={name: entry["licence"] for name, entry in raw["distributions"].items()},
        carried={name: (entry["licence"], entry["what"]) for name, entry in raw["carried"].items()},
        bundle_licence=raw["bundle_licence"],
    )


def runtime_distributions(root: str = "madeleine") -> list[metadata.Distribution]:
    """What `root` needs at run time, itself included, followed through every requirement, sorted by name."""
    found: dict[str, metadata.Distribution] = {}
    waiting: list[tuple[str, frozenset[str]]] = [(root, frozenset())]
    while waiting:
        name, extras = waiting.pop()
        if name in found:
            continue
        found[name] = metadata.distribution(name)
        waiting.extend(_required(found[name], extras))
    return [found[name] for name in sorted(found)]


def checked(distributions: Iterable[metadata.Distribution], policy: Policy) -> list[Licensed]:
    """The licence of each, all of them allowed.

    Raises:
        LicenceError: names everything that is unknown or not allowed, not only the first.
    """
    licensed, problems = [], []
    for distribution in distributions:
        name = canonicalize_name(distribution.name)
        try:
            expression = licence_of(name, distribution.metadata, policy)
        except LicenceError as problem:
            problems.append(str(problem))
            continue
        licensed.append(Licensed(name, distribution.version, expression, tuple(_licence_texts(distribution))))
    if problems:
        raise LicenceError("\n".join(problems))
    return licensed


def licence_of(name: str, fields: metadata.PackageMetadata, policy: Policy) -> str:
    """The licence of one distribution as an SPDX expression: looked up by us, else what its metadata says.

    Raises:
        LicenceError: the metadata says nothing we understand, or the licence is not allowed.
    """
    said = policy.looked_up.get(name) or _said(fields, policy)
    if not said:
        raise LicenceError(f"{name}: its metadata names no licence we know; look it up and add [distributions.{name}]")
    if not is_allowed(said, policy.allowed):
        raise LicenceError(f"{name}: {said} is not on the allow-list of licences.toml")
    return said


def is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Whether an SPDX expression can be met with allowed licences: every side of AND, one side of OR.

    Raises:
        LicenceError: not an expression.
    """
    tokens = _TOKEN.findall(expression)
    result = _any_of(tokens, allowed)
    if tokens:
        raise LicenceError(f"{expression!r} is no SPDX expression")
    return result


def notices(licensed: Iterable[Licensed], policy: Policy) -> str:
    """The text that goes out with the bundle: what is in it, under which licence, with each licence's own words."""
    parts = [
        f"Madeleine's own source is Apache-2.0. This bundle as a whole is distributed under {policy.bundle_licence},",
        "because the wheel of PyAV in it carries the x264 and x265 encoders. The source of everything in it is public;",
        "the exact versions are below. Place names: GeoNames (geonames.org), CC BY 4.0.",
        "",
        *(f"{name}: {what}. {licence}" for name, (licence, what) in sorted(policy.carried.items())),
    ]
    for part in licensed:
        parts += ["", "=" * 100, f"{part.name} {part.version}: {part.expression}", *part.texts]
        if not part.texts:
            parts.append("(Its wheel brings no licence text; the standard texts lie beside this file.)")
    return "\n".join(parts) + "\n"


def _any_of(tokens: list[str], allowed: frozenset[str]) -> bool:
    result = _all_of(tokens, allowed)
    while tokens and tokens[0] == "OR":
        tokens.pop(0)
        result = _all_of(tokens, allowed) or result
    return result


def _all_of(tokens: list[str], allowed: frozenset[str]) -> bool:
    result = _one(tokens, allowed)
    while tokens and tokens[0] == "AND":
        tokens.pop(0)
        result = _one(tokens, allowed) and result
    return result


def _one(tokens: list[str], allowed: frozenset[str]) -> bool:
    if not tokens or tokens[0] in ("AND", "OR", ")"):
        raise LicenceError("a licence is missing in an SPDX expression")
    part = tokens.pop(0)
    if part != "(":
        return part in allowed
    result = _any_of(tokens, allowed)
    if not tokens or tokens.pop(0) != ")":
        raise LicenceError("a bracket is missing in an SPDX expression")
    return result


def _said(fields: metadata.PackageMetadata, policy: Policy) -> str:
    """What the metadata says, most exact field first; empty when it says nothing we understand."""
    if expression := _first(fields, "License-Expression"):
        return expression
    if known := _as_spdx(_first(fields, "License"), policy):
        return known
    classifiers = [
        entry.rpartition(":: ")[2] for entry in fields.get_all("Classifier", []) if entry.startswith("License")
    ]
    named = [_as_spdx(entry, policy) for entry in classifiers if entry != "OSI Approved"]
    return " AND ".join(sorted(set(named))) if all(named) else ""


def _first(fields: metadata.PackageMetadata, name: str) -> str:
    return next(iter(fields.get_all(name) or []), "")


def _as_spdx(text: str, policy: Policy) -> str:
    """A free spelling as SPDX; empty when unknown."""
    cleaned = " ".join(text.split())
    if len(cleaned) > _LONGEST_NAME:
        return ""
    if re.search(r" (AND|OR) ", cleaned) or cleaned in policy.allowed:
        return cleaned
    return policy.spelt.get(cleaned.lower(), "")


def _required(distribution: metadata.Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    for line in distribution.requires or []:
        requirement = Requirement(line)
        is_needed = requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in extras | {""}
        )
        if is_needed:
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def _licence_texts(distribution: metadata.Distribution) -> Iterator[str]:
    for file in distribution.files or []:
        is_near_the_top = file.parts[0].endswith(".dist-info") or len(file.parts) == 2
        if (
            is_near_the_top
            and file.suffix != ".py"
            and _LICENCE_FILE.search(file.name)
            and (path := Path(str(file.locate()))).is_file()
        ):
            yield path.read_text(encoding="utf-8", errors="replace")
