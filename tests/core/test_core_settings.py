"""Settings survive being written and read, and what cannot be one is refused in words."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.options import Options
from core.paths import Home
from core.settings import Settings, as_text, changed, hours_of, load_settings, save_settings
from core.store.exact_index import ExactIndexes
from core.store.library import open_library


def test_everything_a_person_can_set_survives_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    settings = Settings(
        owner='Zoë "Z" O\'Neil 猫',
        exclusions=("C:\\Photos\\Private", "*.tmp", "with, comma"),
        never_understood=("ids", "person:Ann"),
        watch_folders=False,
        quiet_hours="22:00-07:00",
    )

    save_settings(path, settings)

    assert load_settings(path) == settings
    save_settings(path, Settings())
    assert load_settings(path) == Settings()
    assert path.read_text() == ""


def test_a_setting_is_changed_by_what_a_person_writes() -> None:
    settings = Settings()
    for name, text, value in (
        ("owner", " Mara ", "Mara"),
        ("idle_priority", "Yes", True),
        ("watch_folders", "off", False),
        ("exclusions", "*.tmp, Drafts/*,*.tmp", ("*.tmp", "Drafts/*")),
        ("exclusions", "", ()),
    ):
        settings = changed(settings, name, text)
        assert getattr(settings, name) == value
        assert changed(settings, name, as_text(value)) == settings


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("ownr", "x", "no setting 'ownr'"),
        ("idle_priority", "perhaps", "yes or no"),
        ("library_zone", "Mars/Olympus", "no time zone"),
        ("quiet_hours", "25:00-07:00", "no span of hours"),
        ("quiet_hours", "late", "no span of hours"),
        ("owner", "two\nlines", "cannot be a setting"),
        ("owner", "x" * 3_000, "cannot be a setting"),
    ],
)
def test_what_cannot_be_a_setting_is_refused(name: str, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        changed(Settings(), name, text)


@pytest.mark.parametrize(
    "text",
    [
        "ownr = 'x'",
        "owner = 3",
        "exclusions = 'x'",
        "exclusions = [3]",
        "watch_folders = 1",
        "quiet_hours = '9'",
        "quiet_hours = '99:99-1:1'",
        "gpu = 'cuda'",
        "library_zone = 'Mars'",
        "recognise_faces = 'yes'",
        'owner = "a\\u0000b"',
        f"owner = '{'x' * 3_000}'",
        "chat_model = ['x']",
        "=",
        "owner",
    ],
)
def test_a_file_with_a_mistake_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)

    with pytest.raises(SettingsError, match=re.escape(str(path))) as told:
        load_settings(path)
    assert told.value.hint
    assert path.read_text() == text


def test_settings_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be written"):
        save_settings(tmp_path / "nowhere" / "settings.toml", replace(Settings(), owner="x"))


def test_hours_are_read_or_absent() -> None:
    found = hours_of("22:00-07:30")

    assert found is not None
    assert (found[0].hour, found[1].minute) == (22, 30)
    assert hours_of("") is None


@pytest.mark.parametrize("domain", ["nonsense", "person:", "person", "FOLDER", "ids,bank"])
def test_a_private_domain_in_the_file_that_is_none_is_said_with_the_file(tmp_path: Path, domain: str) -> None:
    library = open_library(Home(tmp_path), ExactIndexes())
    with pytest.raises(SettingsError, match=re.escape(str(library.home.settings))):
        Options(library, Settings(never_understood=(domain,)))
    library.close()
