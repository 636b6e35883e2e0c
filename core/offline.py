"""Keeps a process off the network: the promise that nothing leaves the machine, held by code."""

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_LOOK_UPS = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"})
_NETWORK_EVENTS = _LOOK_UPS | {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"}
_INTERNET = (socket.AF_INET, socket.AF_INET6)
_installed = False


class _Allowed(threading.local):
    depth = 0


_allowed = _Allowed()


class NetworkForbiddenError(RuntimeError):
    """Some code tried to use the network where nothing may; a bug in us or in a library."""


def forbid_network() -> None:
    """From now on making or using an internet socket in this process raises, except inside `network_allowed()`.

    Installed in every process at its start. Local sockets (AF_UNIX) stay usable. An audit hook cannot be removed.
    """
    global _installed
    if not _installed:
        sys.addaudithook(_refuse)
        _installed = True


@contextmanager
def network_allowed() -> Iterator[None]:
    """Let the calling thread use the network: only for a download that the person asked for."""
    _allowed.depth += 1
    try:
        yield
    finally:
        _allowed.depth -= 1


def _refuse(event: str, args: tuple[object, ...]) -> None:
    if _allowed.depth:
        return
    if event == "socket.__new__" and args[1] in _INTERNET:
        raise NetworkForbiddenError("an internet socket while offline")
    if event not in _NETWORK_EVENTS:
        return
    address = args[0] if event in _LOOK_UPS else args[1]
    if event not in _LOOK_UPS and (address is None or isinstance(address, (str, bytes))):
        return  # AF_UNIX addresses are paths; a message without one goes where the socket is connected already
    raise NetworkForbiddenError(f"{event} {address!r} while offline")
