"""The catalogue is complete and consistent; defaults follow what is installed and how much memory there is."""

import re

import pytest

from core.errors import ModelError, RequestError
from models.catalogue import Catalogue, Role, Runtime, Tier, load_catalogue

GOOD = """
[[model]]
id = "a"
roles = ["chat"]
tier = "tiny"
runtime = "llama"
upstream = "x/y"
licence = { name = "MIT", url = "https://example.org" }
ram_mb = 100
[[model.file]]
name = "model.gguf"
bytes = 4
sha256 = "SHA"
hub = { repo = "x/y", revision = "REV", path = "m.gguf" }
""".replace("SHA", "0" * 64).replace("REV", "a" * 40)

CHAT_15 = "qwen2.5-coder-1.5b-instruct-q4_k_m"
CHAT_05 = "qwen2.5-coder-0.5b-instruct-q4_k_m"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def test_every_tier_and_every_role_has_a_model(catalogue: Catalogue) -> None:
    assert {entry.tier for entry in catalogue.entries} == set(Tier)
    assert {role for entry in catalogue.entries for role in entry.roles} == set(Role)


def test_whatever_can_be_installed_is_pinned_in_full(catalogue: Catalogue) -> None:
    for entry in catalogue.entries:
        for file in entry.files if entry.installable else ():
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256), (entry.id, file.name)
            assert file.size_bytes > 0
            assert file.hub or file.wheel or file.package, (entry.id, file.name)
            assert file.hub is None or re.fullmatch(r"[0-9a-f]{40}", file.hub.revision)


def test_what_cannot_be_installed_says_why(catalogue: Catalogue) -> None:
    barred = [entry for entry in catalogue.entries if not entry.installable]
    assert barred
    assert all("not known in full" in entry.reason for entry in barred)


def test_one_sha256_never_stands_for_two_sizes(catalogue: Catalogue) -> None:
    files = [file for entry in catalogue.entries for file in entry.files if file.sha256]
    assert len({file.sha256 for file in files}) == len({(file.sha256, file.size_bytes) for file in files})


def test_embedders_have_dimensions_and_language_models_a_size_and_a_context(catalogue: Catalogue) -> None:
    for entry in catalogue.entries:
        if {Role.TEXT_EMBEDDER, Role.IMAGE_EMBEDDER} & set(entry.roles):
            assert entry.dimensions > 0
            assert entry.context > 0
        if entry.runtime is Runtime.LLAMA:
            assert entry.parameters_b > 0
            assert entry.context == 4096


def test_every_captioner_has_its_projector_in_the_same_entry(catalogue: Catalogue) -> None:
    for entry in catalogue.for_role(Role.CAPTIONER):
        assert entry.file("model.gguf")
        assert entry.file("mmproj.gguf")


def test_a_conditional_licence_must_be_accepted(catalogue: Catalogue) -> None:
    lfm = [entry for entry in catalogue.entries if entry.licence.name.startswith("LFM")]
    assert lfm
    assert all(entry.licence.must_accept for entry in lfm)


def test_a_hub_file_has_a_pinned_address_on_any_host(catalogue: Catalogue) -> None:
    hub = catalogue.get(CHAT_15).files[0].hub
    assert hub is not None
    assert hub.url("https://mirror.example/") == (
        "https://mirror.example/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/"
        "f86cb2c1fa58255f8052cc32aeede1b7482d4361/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    )


@pytest.mark.parametrize(
    ("typed", "near"), [("whisper", "whisper-base"), ("minilm-l6-v2", "minilm-l6-v2-int8"), ("qwen3-vl", "qwen3-vl-2b")]
)
def test_an_unknown_id_names_near_ones(catalogue: Catalogue, typed: str, near: str) -> None:
    with pytest.raises(RequestError, match=typed) as caught:
        catalogue.get(typed)
    assert near in caught.value.hint


@pytest.mark.parametrize(
    ("installed", "ram_mb", "expected"),
    [
        ((CHAT_15, CHAT_05), 8000, CHAT_15),
        ((CHAT_15, CHAT_05), 4000, CHAT_05),
        ((CHAT_05,), 32000, CHAT_05),
        ((CHAT_15,), 4000, CHAT_15),
        ((CHAT_15, "qwen3-vl-4b-instruct-q4_k_m"), 16000, "qwen3-vl-4b-instruct-q4_k_m"),
        ((CHAT_15, "qwen3-vl-4b-instruct-q4_k_m"), 8000, CHAT_15),
        ((), 8000, None),
    ],
)
def test_the_default_chat_model_fits_the_memory(
    catalogue: Catalogue, installed: tuple[str, ...], ram_mb: int, expected: str | None
) -> None:
    entry = catalogue.default(Role.CHAT, installed, ram_mb)
    assert (entry.id if entry else None) == expected


def test_the_larger_speech_model_is_the_default_of_one_tier(catalogue: Catalogue) -> None:
    entry = catalogue.default(Role.TRANSCRIBER, ("whisper-tiny.en", "whisper-base"), 8000)
    assert entry is not None
    assert entry.id == "whisper-base"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (GOOD.replace("0" * 64, "0" * 8), "lacks a size, a full sha256"),
        (GOOD.replace("a" * 40, "main"), "pinned mirror"),
        (GOOD.replace('"model.gguf"', '"../model.gguf"'), "not plain"),
        (GOOD.replace('"chat"', '"poet"'), "poet"),
        (GOOD.replace('"chat"', '"text_reader"'), "does not say which scripts it reads"),
        (GOOD.replace("ram_mb = 100", ""), "ram_mb"),
        (GOOD + GOOD, "listed twice"),
        (GOOD.replace("ram_mb = 100", "ram_mb = 100\ninstallable = false"), "does not say why"),
        ("[[model", "cannot be read"),
    ],
)
def test_a_wrong_catalogue_is_refused_with_its_reason(wrong: str, said: str) -> None:
    assert load_catalogue(GOOD).entries[0].id == "a"
    with pytest.raises(ModelError, match=re.escape(said)):
        load_catalogue(wrong)
