"""Does a licence that nobody decided about stop the build?"""

from email.message import Message
from importlib import metadata
from typing import cast

import pytest

from installers.licences import (
    LicenceError,
    Licensed,
    Policy,
    checked,
    is_allowed,
    licence_of,
    notices,
    read_policy,
    runtime_distributions,
)

POLICY = Policy(
    allowed=frozenset({"MIT", "Apache-2.0", "MPL-2.0"}),
    spelt={"mit license": "MIT", "apache software license": "Apache-2.0", "bsd license": "BSD-3-Clause"},
    looked_up={"silent": "MIT"},
    carried={"engine": ("MIT", "an engine inside another wheel")},
    bundle_licence="GPL-3.0-or-later",
)


def fields(**said: str | list[str]) -> metadata.PackageMetadata:
    """Metadata as a wheel has it."""
    message = Message()
    for name, values in said.items():
        for value in [values] if isinstance(values, str) else values:
            message[name.replace("_", "-")] = value
    return cast("metadata.PackageMetadata", message)


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("AGPL-3.0-only", False),
        ("MIT AND Apache-2.0", True),
        ("MIT AND AGPL-3.0-only", False),
        ("AGPL-3.0-only OR MIT", True),
        ("MPL-2.0 AND (AGPL-3.0-only OR MIT)", True),
        ("(MIT OR AGPL-3.0-only) AND Proprietary", False),
        ("AGPL-3.0-only OR MIT AND Proprietary", False),
    ],
)
def test_every_side_of_and_and_one_side_of_or_must_be_allowed(expression: str, allowed: bool) -> None:
    assert is_allowed(expression, POLICY.allowed) is allowed


@pytest.mark.parametrize("expression", ["", "AND MIT", "MIT AND", "(MIT", "MIT)", "MIT Apache-2.0"])
def test_what_is_no_expression_is_refused(expression: str) -> None:
    with pytest.raises(LicenceError):
        is_allowed(expression, POLICY.allowed)


def test_the_expression_wins_over_free_text_and_classifiers() -> None:
    said = fields(License_Expression="MIT", License="who knows", Classifier="License :: Other/Proprietary License")

    assert licence_of("anything", said, POLICY) == "MIT"


def test_free_text_and_classifiers_are_read_in_their_usual_spellings() -> None:
    assert licence_of("a", fields(License="MIT License"), POLICY) == "MIT"
    classifiers = ["License :: OSI Approved", "License :: OSI Approved :: Apache Software License"]
    assert licence_of("b", fields(Classifier=classifiers), POLICY) == "Apache-2.0"


def test_the_text_of_a_licence_in_the_field_for_its_name_is_no_name() -> None:
    said = fields(
        License="Permission is hereby granted AND so on " * 20, Classifier="License :: OSI Approved :: MIT License"
    )

    assert licence_of("verbose", said, POLICY) == "MIT"


def test_a_distribution_that_says_nothing_stops_the_build_unless_we_looked_it_up() -> None:
    with pytest.raises(LicenceError, match=r"newcomer: .*look it up"):
        licence_of("newcomer", fields(), POLICY)

    assert licence_of("silent", fields(), POLICY) == "MIT"


def test_a_known_licence_that_is_not_allowed_stops_the_build() -> None:
    with pytest.raises(LicenceError, match="bsd: BSD-3-Clause is not on the allow-list"):
        licence_of("bsd", fields(License="BSD License"), POLICY)


def test_all_problems_are_named_at_once() -> None:
    installed = [metadata.distribution("pytest"), metadata.distribution("packaging")]
    nothing_allowed = Policy(frozenset(), {}, {}, {}, "GPL-3.0-or-later")

    with pytest.raises(LicenceError) as refusal:
        checked(installed, nothing_allowed)

    assert "pytest:" in str(refusal.value)
    assert "packaging:" in str(refusal.value)


def test_the_notices_name_every_part_and_the_licence_of_the_whole() -> None:
    text = notices([Licensed("alpha", "1.2", "MIT", ("Permission is hereby granted",))], POLICY)

    assert "distributed under GPL-3.0-or-later" in text
    assert "alpha 1.2: MIT" in text
    assert "Permission is hereby granted" in text
    assert "engine: an engine inside another wheel. MIT" in text


def test_everything_that_the_program_needs_at_run_time_may_go_into_the_bundle() -> None:
    licensed = checked(runtime_distributions(), read_policy())

    names = {part.name for part in licensed}
    assert {"madeleine", "av", "chromadb", "llama-cpp-python", "numpy", "pyside6-essentials", "rapidocr"} <= names


def test_what_we_looked_up_is_still_needed_and_is_allowed() -> None:
    policy = read_policy()
    needed = {part.name for part in checked(runtime_distributions(), policy)}

    assert set(policy.looked_up) <= needed
    assert all(is_allowed(licence, policy.allowed) for licence, _ in policy.carried.values())
