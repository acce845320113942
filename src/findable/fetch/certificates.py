"""Convert libcurl's TLS data: the certificate list (CERTINFO), the lines of its log, handshakes with one TLS version."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import pycurl

from findable.capture.response import Certificate
from findable.clock import rfc3339
from findable.lazy_pattern import lazy_pattern

_VERSION = lazy_pattern(r"SSL connection using (TLSv[\d.]+|SSLv\d)")
_BITS = lazy_pattern(r"[0-9]{1,6}")
_CONTROLS = lazy_pattern(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_KEY = lazy_pattern(r"Certificate level (\d+): Public key type (\S+) \((\d+)/")

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


def plain(text: bytes | str) -> str:
    """Return text of a server's certificate or header on one line: UTF-8 or else latin-1, control characters replaced."""
    # pycurl passes libcurl's messages, which quote the server, with invalid UTF-8 as lone surrogates.
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", _decode_text(raw))


def _decode_text(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def chain(certinfo: Sequence[Sequence[tuple[bytes, bytes]]], log: Iterable[str]) -> tuple[Certificate, ...]:
    """Return the certificates as the server sent them, leaf first. Their names are untrusted."""
    keys = {int(found[1]): (found[2], int(found[3])) for line in log if (found := _KEY.search(line))}
    return tuple(
        _certificate({plain(name): plain(value) for name, value in fields}, keys.get(level, ("", 0)))
        for level, fields in enumerate(certinfo)
    )


def _certificate(fields: dict[str, str], key: tuple[str, int]) -> Certificate:
    key_type, key_bits = key
    rsa_bits = fields.get("RSA Public Key", "")
    return Certificate(
        subject=fields.get("Subject", ""),
        issuer=fields.get("Issuer", ""),
        names=_names(fields.get("X509v3 Subject Alternative Name", "")),
        not_before=_date(fields.get("Start date", "")),
        not_after=_date(fields.get("Expire date", "")),
        signature_algorithm=fields.get("Signature Algorithm", ""),
        public_key_algorithm=key_type or fields.get("Public Key Algorithm", ""),
        public_key_bits=key_bits or (int(rsa_bits) if _BITS.fullmatch(rsa_bits) else 0),
    )


def _names(text: str) -> tuple[str, ...]:
    """Return the names in a list like ``DNS:a.example, IP Address:192.0.2.1``, without other kinds (URI, email)."""
    parts = (part.strip().partition(":") for part in text.split(","))
    return tuple(value for kind, _, value in parts if kind in {"DNS", "IP Address"})


def _date(text: str) -> str:
    """Convert ``Jan  1 00:00:00 2025 GMT`` to RFC 3339; empty if unreadable."""
    try:
        return rfc3339(datetime.strptime(text, "%b %d %H:%M:%S %Y GMT").replace(tzinfo=UTC))
    except ValueError:  # invalid dates: the year 0, 31 June
        return ""
