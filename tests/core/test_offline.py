"""Is every way onto the network closed, and only that?"""

import socket
import sys
import threading
from pathlib import Path

import pytest

from core.offline import NetworkForbiddenError, network_allowed

NOWHERE = ("192.0.2.1", 9)  # an address kept for documentation: nobody answers there


def _internet(
    family: socket.AddressFamily = socket.AF_INET, kind: socket.SocketKind = socket.SOCK_STREAM
) -> socket.socket:
    """A socket from the time before: somebody made it when that was allowed."""
    with network_allowed():
        return socket.socket(family, kind)


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_no_internet_socket_can_be_made(family: socket.AddressFamily) -> None:
    with pytest.raises(NetworkForbiddenError):
        socket.socket(family)


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_connecting_is_refused(family: socket.AddressFamily) -> None:
    address: tuple[object, ...] = NOWHERE if family is socket.AF_INET else ("2001:db8::1", 9, 0, 0)
    with _internet(family) as internet, pytest.raises(NetworkForbiddenError):
        internet.connect(address)
    with _internet(family) as internet, pytest.raises(NetworkForbiddenError):
        internet.connect_ex(address)


def test_sending_a_datagram_is_refused() -> None:
    with _internet(kind=socket.SOCK_DGRAM) as internet, pytest.raises(NetworkForbiddenError):
        internet.sendto(b"x", NOWHERE)


@pytest.mark.skipif(not hasattr(socket.socket, "sendmsg"), reason="no sendmsg here")
def test_sending_a_message_is_refused() -> None:
    with _internet(kind=socket.SOCK_DGRAM) as internet, pytest.raises(NetworkForbiddenError):
        internet.sendmsg([b"x"], [], 0, NOWHERE)


def test_listening_is_refused() -> None:
    with _internet() as internet, pytest.raises(NetworkForbiddenError):
        internet.bind(("127.0.0.1", 0))


def test_looking_up_a_name_is_refused() -> None:
    with pytest.raises(NetworkForbiddenError):
        socket.getaddrinfo("example.invalid", 80)
    with pytest.raises(NetworkForbiddenError):
        socket.gethostbyname("example.invalid")
    with pytest.raises(NetworkForbiddenError):
        socket.gethostbyaddr("192.0.2.1")
    with pytest.raises(NetworkForbiddenError):
        socket.getnameinfo(NOWHERE, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="local sockets have paths elsewhere")
def test_local_sockets_stay_usable(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(path)
        server.listen()
        client.connect(path)
        client.sendall(b"hello")
        with server.accept()[0] as accepted:
            assert accepted.recv(5) == b"hello"


def test_a_download_the_person_asked_for_may_use_it_in_its_thread_only() -> None:
    elsewhere: list[BaseException] = []

    def bind() -> None:
        try:
            with socket.socket() as internet:
                internet.bind(("127.0.0.1", 0))
        except NetworkForbiddenError as error:
            elsewhere.append(error)

    with network_allowed():
        with network_allowed(), socket.socket() as internet:
            internet.bind(("127.0.0.1", 0))
        with socket.socket() as internet:
            internet.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=bind)
        thread.start()
        thread.join()

    assert len(elsewhere) == 1
    bind()
    assert len(elsewhere) == 2
