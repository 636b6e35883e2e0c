"""The downloader resumes, checks every byte and says plainly what went wrong."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import ChecksumMismatchError, DownloadFailedError, JobCancelled
from models import hub_mirror
from models.catalogue import ModelFile
from models.hub_mirror import fetch_url
from tests.models.weights_server import Behaviour, weights_server

BODY = b"GGUF" + bytes(range(256)) * 5000
FILE = ModelFile(name="model.gguf", size_bytes=len(BODY), sha256=hashlib.sha256(BODY).hexdigest())


@pytest.fixture
def behaviour() -> Behaviour:
    return Behaviour(body=BODY)


@pytest.fixture
def url(behaviour: Behaviour) -> Iterator[str]:
    with weights_server(behaviour) as address:
        yield f"{address}/x/y/resolve/abc/model.gguf"


def get(url: str, target: Path, file: ModelFile = FILE) -> list[int]:
    progress: list[int] = []
    fetch_url(url, file, target, progress.append, lambda: False, wait=lambda seconds: None)
    return progress


def test_a_file_arrives_whole_and_its_part_is_gone(url: str, tmp_path: Path) -> None:
    progress = get(url, tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == BODY
    assert progress[-1] == len(BODY)
    assert os.listdir(tmp_path) == ["model.gguf"]


def test_a_broken_connection_goes_on_where_it_stopped(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    behaviour.cut_after = [500_000]
    get(url, tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == BODY
    assert [seen for _, seen in behaviour.seen] == ["", "bytes=500000-"]


def test_the_part_of_an_earlier_run_is_used(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    (tmp_path / "model.gguf.part").write_bytes(BODY[:1000])
    get(url, tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == BODY
    assert behaviour.seen[0][1] == "bytes=1000-"


def test_a_complete_part_needs_no_request(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    (tmp_path / "model.gguf.part").write_bytes(BODY)
    get(url, tmp_path / "model.gguf")
    assert behaviour.seen == []


def test_a_server_that_ignores_range_starts_over(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    behaviour.supports_range = False
    (tmp_path / "model.gguf.part").write_bytes(BODY[:1000])
    get(url, tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == BODY


def test_a_part_that_is_not_of_this_file_is_thrown_away_once(url: str, tmp_path: Path) -> None:
    (tmp_path / "model.gguf.part").write_bytes(b"GGUF" + b"x" * 999)
    get(url, tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == BODY


def test_other_bytes_of_the_same_size_are_thrown_away(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    behaviour.body = b"GGUF" + b"\0" * (len(BODY) - 4)
    with pytest.raises(ChecksumMismatchError, match="sha256 differs"):
        get(url, tmp_path / "model.gguf")
    assert os.listdir(tmp_path) == []


def test_a_file_of_another_size_is_refused_before_it_is_fetched(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    behaviour.body = BODY + b"more"
    with pytest.raises(ChecksumMismatchError, match=f"has {len(BODY) + 4} bytes"):
        get(url, tmp_path / "model.gguf")


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "application/octet-stream"])
def test_a_sign_in_page_is_recognised(url: str, behaviour: Behaviour, tmp_path: Path, content_type: str) -> None:
    behaviour.body, behaviour.content_type = b"\n <!DOCTYPE html><title>Hotel Wi-Fi</title>", content_type
    with pytest.raises(DownloadFailedError, match="web page came instead") as caught:
        get(url, tmp_path / "model.gguf")
    assert "sign in" in caught.value.hint


def test_weights_that_are_not_gguf_are_refused_at_their_first_bytes(
    url: str, behaviour: Behaviour, tmp_path: Path
) -> None:
    behaviour.body = b"PK\3\4" + BODY[4:]
    with pytest.raises(ChecksumMismatchError, match="not a GGUF file"):
        get(url, tmp_path / "model.gguf")


def test_a_busy_server_is_asked_again(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    behaviour.statuses = [503, 429]
    get(url, tmp_path / "model.gguf")
    assert len(behaviour.seen) == 3


def test_a_missing_file_is_not_asked_for_again(url: str, behaviour: Behaviour, tmp_path: Path) -> None:
    behaviour.statuses = [404]
    with pytest.raises(DownloadFailedError, match="404"):
        get(url, tmp_path / "model.gguf")
    assert len(behaviour.seen) == 1


def test_a_server_that_always_breaks_off_is_given_up_and_what_came_is_kept(
    url: str, behaviour: Behaviour, tmp_path: Path
) -> None:
    behaviour.cut_after = [100, 100, 100, 100]
    with pytest.raises(DownloadFailedError, match="connection ended after 400 of") as caught:
        get(url, tmp_path / "model.gguf")
    assert caught.value.retryable
    assert (tmp_path / "model.gguf.part").read_bytes() == BODY[:400]


def test_no_server_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DownloadFailedError, match="could not be fetched"):
        get("http://127.0.0.1:9/model.gguf", tmp_path / "model.gguf")
    with pytest.raises(DownloadFailedError, match="not a web address"):
        get("file:///etc/hostname", tmp_path / "model.gguf")


def test_cancelling_keeps_the_part(url: str, tmp_path: Path) -> None:
    seen: list[int] = []
    with pytest.raises(JobCancelled):
        fetch_url(url, FILE, tmp_path / "model.gguf", seen.append, lambda: bool(seen), wait=lambda seconds: None)
    assert 0 < (tmp_path / "model.gguf.part").stat().st_size < len(BODY)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_disk_that_becomes_full_is_a_sentence_with_what_to_do(url: str, tmp_path: Path) -> None:
    (tmp_path / "model.gguf.part").symlink_to("/dev/full")
    with pytest.raises(DownloadFailedError, match=r"disk became full while model\.gguf") as caught:
        get(url, tmp_path / "model.gguf")
    assert "MADELEINE_MODELS" in caught.value.hint
    assert not (tmp_path / "model.gguf").exists()


def test_a_proxy_is_asked_for_the_whole_address(
    url: str, behaviour: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_proxy(monkeypatch, url.partition("/x/")[0])
    get("http://hub.invalid/x/model.gguf", tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == BODY
    assert behaviour.seen == [("http://hub.invalid/x/model.gguf", "")]


def test_a_proxy_does_not_stand_before_addresses_that_are_excepted(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_proxy(monkeypatch, "http://127.0.0.1:9", excepted="127.0.0.1")
    get(url, tmp_path / "model.gguf")
    assert (tmp_path / "model.gguf").read_bytes() == BODY


def test_a_proxy_that_wants_a_password_is_said_without_telling_one(
    url: str, behaviour: Behaviour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behaviour.statuses = [407]
    address = url.partition("/x/")[0].removeprefix("http://")
    use_proxy(monkeypatch, f"http://ann:secret@{address}")
    with pytest.raises(DownloadFailedError, match="wants a name and a password") as caught:
        get("http://hub.invalid/x/model.gguf", tmp_path / "model.gguf")
    assert address in caught.value.message
    assert "secret" not in str(caught.value)
    assert "HTTPS_PROXY" in caught.value.hint


def test_a_proxy_that_refuses_the_tunnel_is_the_same_sentence(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("Tunnel connection failed: 407 Proxy Authentication Required")

    monkeypatch.setattr("urllib.request.OpenerDirector.open", refuse)
    with pytest.raises(DownloadFailedError, match="wants a name and a password"):
        get("https://hub.invalid/x/model.gguf", tmp_path / "model.gguf")


def test_a_proxy_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_proxy(monkeypatch, "http://ann:secret@127.0.0.1:9")
    with pytest.raises(DownloadFailedError, match=r"through the proxy 127\.0\.0\.1:9") as caught:
        get("http://hub.invalid/x/model.gguf", tmp_path / "model.gguf")
    assert "secret" not in str(caught.value)


def use_proxy(monkeypatch: pytest.MonkeyPatch, address: str, excepted: str = "") -> None:
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, address)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("no_proxy", excepted)


def test_a_setting_swaps_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MADELEINE_HUB_HOST", raising=False)
    assert hub_mirror.hub_host() == hub_mirror.HUB_HOST
    monkeypatch.setenv("MADELEINE_HUB_HOST", "https://mirror.example")
    assert hub_mirror.hub_host() == "https://mirror.example"
