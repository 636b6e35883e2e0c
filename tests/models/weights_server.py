"""A web server on this machine for the downloader's tests; it behaves as well or as badly as a test asks."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from core.offline import network_allowed


@dataclass
class Behaviour:
    """What the server does with the next requests, and what it was asked."""

    body: bytes = b""
    content_type: str = "application/octet-stream"
    supports_range: bool = True
    statuses: list[int] = field(default_factory=list)  # answered first, one a request
    cut_after: list[int] = field(default_factory=list)  # bytes after which the connection breaks, one a request
    seen: list[tuple[str, str]] = field(default_factory=list)  # path and Range of every request


@contextmanager
def weights_server(behaviour: Behaviour) -> Iterator[str]:
    """Serve until the block ends; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            behaviour.seen.append((self.path, self.headers.get("Range", "")))
            if behaviour.statuses:
                self.send_error(behaviour.statuses.pop(0))
                return
            start = self._start()
            data = behaviour.body[start:]
            self.send_response(206 if start else 200)
            self.send_header("Content-Type", behaviour.content_type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: behaviour.cut_after.pop(0)] if behaviour.cut_after else data)

        def _start(self) -> int:
            match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            return int(match[1]) if match and behaviour.supports_range else 0

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            """Say nothing."""

    with network_allowed():
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def serve() -> None:
        with network_allowed():  # each connection that is accepted is a new socket
            server.serve_forever(poll_interval=0.01)

    thread = threading.Thread(target=serve, name="weights-server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
