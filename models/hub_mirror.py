"""Fetches one file over HTTP: resumes what is there, checks every byte, and says plainly what went wrong.

Our own because the hub's library deletes partial files (1.31 and later) and looks things up online even when cached.
"""

import hashlib
import http.client
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from core.errors import AppError, ChecksumMismatchError, DownloadFailedError, JobCancelled
from core.offline import network_allowed
from models.catalogue import ModelFile
from models.weights import BLOCK_BYTES, PART_SUFFIX, full_disk_said, put_in_place

HUB_HOST = "https://huggingface.co"
_PAUSES_S = (1.0, 3.0, 9.0)
_TIMEOUT_S = 30.0
_OVERLOADED = frozenset({408, 425, 429, 500, 502, 503, 504})


class _TryAgainError(Exception):
    """The connection broke or the server is busy: what came is kept, another try may go on from there."""


def hub_host() -> str:
    """The hub, or the mirror host with the same layout that `MADELEINE_HUB_HOST` names."""
    return os.environ.get("MADELEINE_HUB_HOST") or HUB_HOST


def fetch_url(
    url: str,
    file: ModelFile,
    target: Path,
    on_bytes: Callable[[int], None],
    cancelled: Callable[[], bool],
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Bring a file to `target`; what an earlier try left in its `.part` is used.

    Proxies are those of the environment or the operating system. `on_bytes` gets the number of bytes there so far.

    Raises:
        DownloadFailedError: the server does not give the file, or gives something else; the `.part` stays where it can help.
        ChecksumMismatchError: these are not the bytes of the catalogue; they are thrown away.
        JobCancelled: `cancelled` said so; the `.part` stays.
    """
    part = target.with_name(target.name + PART_SUFFIX)
    reason = ""
    for pause_s in (*_PAUSES_S, None):
        try:
            with network_allowed():
                _fetch_once(url, file, part, on_bytes, cancelled)
            break
        except _TryAgainError as error:
            reason = str(error)
        if pause_s is None:
            raise DownloadFailedError(
                f"{file.name} could not be fetched from {url}: {reason}.",
                "Check the connection and try again; what has arrived is kept.",
                retryable=True,
            )
        if cancelled():
            raise JobCancelled
        wait(pause_s)
    put_in_place(part, target)


def _fetch_once(
    url: str, file: ModelFile, part: Path, on_bytes: Callable[[int], None], cancelled: Callable[[], bool]
) -> None:
    have = part.stat().st_size if part.exists() else 0
    if have > file.size_bytes:
        part.unlink()
        have = 0
    digest = hashlib.sha256()
    if have:
        _hash_into(digest, part)
    resumed = have > 0
    if have < file.size_bytes:
        with _opened(url, have) as response:
            if have and response.status == http.HTTPStatus.OK:  # the server ignores Range: start over
                have, digest = 0, hashlib.sha256()
            _refuse_a_stranger(response, file, have)
            have = _receive(response, file, part, have, digest, on_bytes, cancelled)
    if have < file.size_bytes:
        raise _TryAgainError(f"the connection ended after {have} of {file.size_bytes} bytes")
    if digest.hexdigest() != file.sha256:
        part.unlink()
        if resumed:
            raise _TryAgainError("what an earlier try had left was not a part of this file")
        raise ChecksumMismatchError(
            f"{file.name} from {url} is not the file the catalogue names (its sha256 differs); it was thrown away.",
            "Try again or use another mirror; if it happens again, the mirror is not to be trusted.",
        )


def _opened(url: str, have: int) -> http.client.HTTPResponse:
    if not url.startswith(("https://", "http://")):
        raise DownloadFailedError(f"{url} is not a web address.", "Correct MADELEINE_HUB_HOST.")
    headers = {"User-Agent": "madeleine", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the scheme is checked above
    try:
        # An opener of its own: the library's shared one remembers the proxies of its first use.
        response: http.client.HTTPResponse = urllib.request.build_opener().open(request, timeout=_TIMEOUT_S)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == http.HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
                raise _proxy_wants_a_name(url) from error
            if error.code in _OVERLOADED:
                raise _TryAgainError(f"the server answers {error.code} {error.reason}") from error
            raise DownloadFailedError(
                f"{url} cannot be fetched: the server answers {error.code} {error.reason}.",
                "Use another mirror, or add the files from a folder with: madeleine models add FOLDER",
            ) from error
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        reason = str(getattr(error, "reason", error) or type(error).__name__)
        if "407" in reason:  # the answer to opening a tunnel comes as words only
            raise _proxy_wants_a_name(url) from error
        proxy = _proxy(url)
        raise _TryAgainError(f"{reason} (through the proxy {proxy})" if proxy else reason) from error
    return response


def _proxy(url: str) -> str:
    """The proxy for an address without the name and password in it; empty without one."""
    parts = urllib.parse.urlsplit(url)
    if urllib.request.proxy_bypass(parts.hostname or ""):
        return ""
    return urllib.request.getproxies().get(parts.scheme, "").rpartition("@")[2]


def _proxy_wants_a_name(url: str) -> DownloadFailedError:
    return DownloadFailedError(
        f"The proxy {_proxy(url) or 'of this network'} wants a name and a password (407).",
        "Set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT, or add the files from a folder with: madeleine models add FOLDER",
    )


def _refuse_a_stranger(response: http.client.HTTPResponse, file: ModelFile, have: int) -> None:
    """A web page or a file of another size is refused before it is fetched."""
    if response.headers.get_content_type() == "text/html":
        raise _web_page(file)
    length = response.headers.get("Content-Length", "")
    if length.isdigit() and have + int(length) > file.size_bytes:
        raise ChecksumMismatchError(
            f"The server's {file.name} has {have + int(length)} bytes; the catalogue's has {file.size_bytes}.",
            "The file was replaced upstream; use another mirror.",
        )


def _receive(
    response: http.client.HTTPResponse,
    file: ModelFile,
    part: Path,
    have: int,
    digest: "hashlib._Hash",
    on_bytes: Callable[[int], None],
    cancelled: Callable[[], bool],
) -> int:
    try:
        with full_disk_said(file.name), part.open("ab" if have else "wb") as out:
            for block in _blocks(response):
                if cancelled():
                    raise JobCancelled
                if have == 0 and (problem := _wrong_start(block, file)) is not None:
                    raise problem
                have += len(block)
                if have > file.size_bytes:
                    raise _TryAgainError("the server sent more than the file")
                out.write(block)
                digest.update(block)
                on_bytes(have)
    except OSError as error:
        raise _TryAgainError(str(error) or type(error).__name__) from error
    return have


def _blocks(response: http.client.HTTPResponse) -> Iterator[bytes]:
    try:
        while block := response.read(BLOCK_BYTES):
            yield block
    except http.client.IncompleteRead as error:
        if error.partial:
            yield error.partial


def _wrong_start(block: bytes, file: ModelFile) -> AppError | None:
    start = block[:64].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return _web_page(file)
    if file.name.endswith(".gguf") and not block.startswith(b"GGUF"):
        return ChecksumMismatchError(
            f"What the server sent as {file.name} is not a GGUF file.", "Try again or use another mirror."
        )
    return None


def _web_page(file: ModelFile) -> DownloadFailedError:
    return DownloadFailedError(
        f"A web page came instead of {file.name}.",
        "Open a browser: this network may want you to sign in first. Then try again.",
    )


def _hash_into(digest: "hashlib._Hash", path: Path) -> None:
    source: BinaryIO
    with path.open("rb") as source:
        while block := source.read(BLOCK_BYTES):
            digest.update(block)
