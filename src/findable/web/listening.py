"""Check of the configured host and port before the service starts. It imports little, so that an error is reported immediately."""

import errno
import socket
from ipaddress import ip_address

from findable.errors import SettingError
from findable.settings import Settings


def require_free(settings: Settings) -> None:
    """Raise SettingError if the host is no IP address of this machine, or the port is in use.

    Servers can share a port, so a second one would silently receive every other request.
    """
    try:
        ip_address(settings.host)
    except ValueError as error:  # the server can only listen on IP addresses
        raise SettingError(settings.name_of("host"), f"{settings.host!r} is not an IP address, such as 127.0.0.1 or 0.0.0.0") from error
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise SettingError(settings.name_of("host"), f"{settings.host} is not an IP address of this machine") from error
            reason = f"cannot listen on {settings.host}:{settings.port} ({error.strerror})"
            raise SettingError(settings.name_of("port"), reason) from error
