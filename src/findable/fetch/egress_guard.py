"""Decide which URLs and IP addresses may be reached.

Checks the URL, the IP addresses of its host, and each address again when the socket opens. From outside, every rejection looks the same,
whether a server listens there or not. A `Refusal` is shown to the person who typed the URL, and reveals nothing else.
"""

import contextlib
import socket
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from ipaddress import IPv6Network, ip_network

from msgspec import Struct

from findable import urls
from findable.errors import SettingError
from findable.fetch.ip_addresses import Address, Network, is_exact_only, is_special, nat64_prefix, parse_address, readings
from findable.vocabulary import Code
from findable.wording import later

DEFAULT_PORTS = frozenset({80, 443, 8080, 8443})


class Refusal(Code):
    """Reason why a URL is not fetched; ``words`` is shown to the person who typed it."""

    NOT_A_URL = "not_a_url", later("This is not a complete URL like https://www.example.com/.")
    NOT_HTTP = "not_http", later("Only http and https URLs can be analysed.")
    HAS_USERINFO = (
        "has_userinfo",
        later("The URL must not contain a user name or password: for Basic authentication use the project's identity or --user."),
    )
    PORT_NOT_ALLOWED = "port_not_allowed", later("URLs with this port are not analysed here.")
    PRIVATE_ADDRESS = (
        "private_address",
        later("This URL is not on the public internet. The operator can allow it with the setting FINDABLE_ALLOW_TARGETS."),
    )
    OWN_ADDRESS = "own_address", later("This is the URL of this service itself.")
    DENIED_HOST = "denied_host", later("The operator of this service does not allow URLs of this site.")


class AllowedTarget(Struct, frozen=True):
    """One entry of the setting ALLOW_TARGETS: a network, an IP address or a name, on one port or any."""

    host: str
    """Lower-case name; empty if `network` is given."""
    network: Network | None
    port: int | None
    """Port, None for any."""

    @classmethod
    def parse(cls, text: str, *, setting: str = "ALLOW_TARGETS") -> "AllowedTarget":
        """Parse ``10.1.0.0/16``, ``10.1.2.3``, ``10.1.2.3:8000``, ``[::1]:8000``, ``intranet`` or ``intranet:8000``.

        Raises SettingError for ``setting``.
        """
        entry = text.strip()
        if "/" in entry or parse_address(entry):
            try:
                return cls("", ip_network(entry.strip("[]")), None)
            except ValueError as error:
                raise SettingError(setting, f"{entry!r} is not a network: {error}") from error
        url = urls.parse(f"x://{entry}")
        canonical = urls.parse(f"http://{entry}/")
        beside = (url.username, url.password, url.path, url.query, url.fragment) if url else ()
        if url is None or canonical is None or not url.host or "*" in url.host or any(beside):
            raise SettingError(setting, f"{entry!r} is neither a network nor a host nor a host with a port")
        port = url.port or None
        address = parse_address(canonical.host)
        if address:
            return cls("", ip_network(address), port)
        return cls(_normalize_host(canonical.host), None, port)

    @classmethod
    def parse_all(cls, text: str, *, setting: str = "ALLOW_TARGETS") -> "tuple[AllowedTarget, ...]":
        """Parse a comma-separated list, ignoring empty entries. Raises SettingError."""
        return tuple(cls.parse(entry, setting=setting) for entry in text.split(",") if entry.strip())

    def covers(self, host: str, port: int, address: Address | None) -> bool:
        """Return whether the entry covers a name or IP address on a port. Metadata addresses must be listed individually."""
        if self.port not in (None, port):
            return False
        if self.network is None:
            return host == self.host and not (address and is_exact_only(address))
        if address is None or address not in self.network:
            return False
        return self.network.num_addresses == 1 or not is_exact_only(address)


class Guard:
    """Decides which URLs and IP addresses may be reached.

    Args:
        allow_targets: targets that may be reached although they are private or use another port.
        own_addresses: (host or IP address, port) where this service listens or is published; never reached, whatever is allowed.
            ``0.0.0.0`` and ``::`` mean every address of this machine.
        extra_ports: ports that may be reached besides 80, 443, 8080 and 8443.
        nat64_prefixes: the network's own NAT64 prefixes (RFC 6052), unwrapped like the well-known one.
        deny_hosts: hosts that are never reached, with all names below them.
    """

    def __init__(
        self,
        allow_targets: Sequence[AllowedTarget] = (),
        own_addresses: Iterable[tuple[str, int]] = (),
        *,
        extra_ports: Collection[int] = (),
        nat64_prefixes: Sequence[IPv6Network] = (),
        deny_hosts: Iterable[str] = (),
    ) -> None:
        self.allow_targets = tuple(allow_targets)
        self.own_addresses = frozenset((_normalize_host(host), port) for host, port in own_addresses)
        self.ports = DEFAULT_PORTS | frozenset(extra_ports)
        self.nat64_prefixes = tuple(nat64_prefixes)
        self.deny_hosts = frozenset(map(_normalize_host, deny_hosts))

    def denying(self, hosts: Iterable[str]) -> "Guard":
        """Return a guard that also denies these hosts, with all names below them."""
        made = copy(self)
        made.deny_hosts = self.deny_hosts | frozenset(map(_normalize_host, hosts))
        return made

    def check_url(self, url: str) -> Refusal | None:
        """Return why the URL is rejected, before any name is resolved; None if it is allowed."""
        parsed = urls.parse(url)
        if parsed is None:
            return Refusal.NOT_A_URL
        if not parsed.is_http:
            return Refusal.NOT_HTTP
        if parsed.has_login:
            return Refusal.HAS_USERINFO
        if self._is_denied(parsed.host):
            return Refusal.DENIED_HOST
        address = parse_address(parsed.host)
        if address:
            return self.check_address(parsed.host, parsed.port, str(address))
        host = _normalize_host(parsed.host)
        if (host, parsed.port) in self.own_addresses:
            return Refusal.OWN_ADDRESS
        if host == "localhost" or host.endswith(".localhost"):  # loopback by RFC 6761, regardless of the resolver
            reasons = [self.check_address(host, parsed.port, ip) for ip in ("127.0.0.1", "::1")]
            return Refusal.OWN_ADDRESS if Refusal.OWN_ADDRESS in reasons else None if None in reasons else reasons[0]
        return None if self._port_may_be_allowed(host, parsed.port) else Refusal.PORT_NOT_ALLOWED

    def check_address(self, host: str, port: int, ip: str) -> Refusal | None:
        """Return why an IP address of a host is rejected; None if it is allowed."""
        if self.deny_hosts and self._is_denied(host):
            return Refusal.DENIED_HOST
        address = parse_address(ip)
        if address is None:
            return Refusal.PRIVATE_ADDRESS
        inner = readings(address, self.nat64_prefixes)
        if any(self._is_own(reading, port) for reading in (address, *inner)):
            return Refusal.OWN_ADDRESS
        name = _normalize_host(host)
        for reading in inner:
            allowed = any(target.covers(name, port, reading) for target in self.allow_targets)
            if not allowed and is_special(reading):
                return Refusal.PRIVATE_ADDRESS
            if not allowed and port not in self.ports:
                return Refusal.PORT_NOT_ALLOWED
        return None

    def check_addresses(self, host: str, port: int, ips: Sequence[str]) -> Refusal | None:
        """Return why a host is rejected, which one rejected IP address is enough for; None if all are allowed."""
        reasons = (self.check_address(host, port, ip) for ip in ips)
        return next((reason for reason in reasons if reason), None)

    def _is_denied(self, host: str) -> bool:
        name = _normalize_host(host)
        return any(name == denied or name.endswith(f".{denied}") for denied in self.deny_hosts)

    def _port_may_be_allowed(self, host: str, port: int) -> bool:
        if port in self.ports:
            return True
        # A name may resolve to an allowed network, on any port; its IP addresses are checked later.
        return any(target.network is not None or target.host == host for target in self.allow_targets if target.port in (None, port))

    def _is_own(self, address: Address, port: int) -> bool:
        own_hosts = {host for host, own_port in self.own_addresses if own_port == port}
        if str(address) in own_hosts:
            return True
        if address.is_unspecified:  # connects to the local machine
            return bool(own_hosts)
        return bool(own_hosts & {"0.0.0.0", "::"}) and _is_of_this_machine(address)  # noqa: S104 - compared, not used for listening


def nat64_prefixes(texts: Iterable[str], *, setting: str = "NAT64_PREFIXES") -> tuple[IPv6Network, ...]:
    """Parse the prefixes of a setting. Raises SettingError for ``setting``."""
    try:
        return tuple(nat64_prefix(text) for text in texts)
    except ValueError as error:
        raise SettingError(setting, str(error)) from error


def denied_hosts(texts: Iterable[str], *, setting: str = "DENY_HOSTS") -> tuple[str, ...]:
    """Parse the hosts of a setting. Raises SettingError for ``setting``."""
    found = []
    for text in texts:
        url = urls.parse(f"http://{text}/")
        if url is None or not url.host or url.path != "/" or url.query or url.has_login or "*" in url.host:
            raise SettingError(setting, f"{text!r} is not a host like example.com")
        found.append(url.host)
    return tuple(found)


def _normalize_host(host: str) -> str:
    """Normalize a host for comparison: lower case, no brackets, no trailing dot, IP addresses in their shortest form."""
    name = host.strip("[]").rstrip(".").lower()
    address = parse_address(name)
    return str(address) if address else name


def _is_of_this_machine(address: Address) -> bool:
    """Return whether the IP address belongs to this machine, by trying to bind a socket to it."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 - IP version
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((str(address), 0))
        return True
    return False
