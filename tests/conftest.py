"""What every test gets without asking: no network but loopback."""

import ipaddress
import socket
from collections.abc import Iterator
from typing import Any

import pytest

LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost", socket.gethostname().lower()})
# libcurl and c-ares resolve and connect below Python; what they may reach is the business of the fetcher's own guard and its tests.


class NetworkForbiddenError(AssertionError):
    """A test tried to leave the machine."""


def _is_local(host: object) -> bool:
    """A loopback address, an unspecified one (to bind) or a name that /etc/hosts gives to this machine."""
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    name = name.lower().rstrip(".")
    if name in LOCAL_NAMES or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback or mapped.is_unspecified


def _refuse_unless_local(host: object) -> None:
    if not _is_local(host):
        message = f"tests reach loopback only, not {host!r}"
        raise NetworkForbiddenError(message)


class LocalSocket(socket.socket):
    """A socket that reaches loopback addresses and Unix paths only."""

    def _check(self, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6}:
            _refuse_unless_local(address[0])

    def connect(self, address: Any, /) -> None:
        self._check(address)
        super().connect(address)

    def connect_ex(self, address: Any, /) -> int:
        self._check(address)
        return super().connect_ex(address)

    def sendto(self, data: Any, *flags_and_address: Any) -> int:
        self._check(flags_and_address[-1])
        return super().sendto(data, *flags_and_address)


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    """Connections and look-ups that would leave the machine raise :class:`NetworkForbiddenError`.

    Holds for the whole session, fixtures of wider scope included. Not a sandbox: child processes and C libraries are not seen.
    """
    look_ups = {name: getattr(socket, name) for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex")}

    def guarded(name: str) -> Any:
        def look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
            _refuse_unless_local(host)
            return look_ups[name](host, *args, **kwargs)

        return look_up

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "socket", LocalSocket)
        for name in look_ups:
            patch.setattr(socket, name, guarded(name))
        yield
