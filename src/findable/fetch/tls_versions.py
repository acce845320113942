"""TLS versions: of a connection, from libcurl's log, and handshakes with only one of them."""

from collections.abc import Iterable
from typing import Any

import pycurl

from findable.lazy_pattern import lazy_pattern

_VERSION = lazy_pattern(r"SSL connection using (TLSv[\d.]+|SSLv\d)")
TLS_VERSIONS = {
    "TLSv1.0": pycurl.SSLVERSION_TLSv1_0 | pycurl.SSLVERSION_MAX_TLSv1_0,
    "TLSv1.1": pycurl.SSLVERSION_TLSv1_1 | pycurl.SSLVERSION_MAX_TLSv1_1,
    "TLSv1.2": pycurl.SSLVERSION_TLSv1_2 | pycurl.SSLVERSION_MAX_TLSv1_2,
    "TLSv1.3": pycurl.SSLVERSION_TLSv1_3 | pycurl.SSLVERSION_MAX_TLSv1_3,
}
"""TLS versions, oldest first, with the libcurl options that offer only that version."""
_OLD_VERSIONS = frozenset({"TLSv1.0", "TLSv1.1"})
_OLD_CIPHERS = "DEFAULT@SECLEVEL=0"
"""Ciphers for TLS 1.0 and 1.1, which OpenSSL 3 offers only at its lowest security level: their signatures use SHA-1."""
_REFUSALS = lazy_pattern(r"alert (?:protocol version|handshake failure|insufficient security|internal error)|unsupported protocol")
"""OpenSSL's messages for a refusal by the server.

It is an alert (RFC 8446 section 6.2), or a response in another version than the offered one. Servers built on OpenSSL 3 send an internal
error if old versions are enabled and the security level is not low.
"""


def handshake_options(version: str) -> list[tuple[int, Any]]:
    """Return the libcurl options for a handshake with only the given TLS version."""
    options: list[tuple[int, Any]] = [(pycurl.CONNECT_ONLY, 1), (pycurl.SSLVERSION, TLS_VERSIONS[version])]
    if version in _OLD_VERSIONS:
        options.append((pycurl.SSL_CIPHER_LIST, _OLD_CIPHERS))
    return options


def is_refusal(detail: str) -> bool:
    """Return whether the server itself refused the TLS handshake, from libcurl's error message.

    Closed connections do not count, and neither do errors of the local OpenSSL, which may lack the version.
    """
    return _REFUSALS.search(detail) is not None


def tls_version(log: Iterable[str]) -> str:
    """Return the TLS version of a connection, like ``TLSv1.3``, from libcurl's log; empty without a connection."""
    return next((found[1] for line in log if (found := _VERSION.search(line))), "")
