"""Certificates and texts of servers in the data that libcurl returns."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from findable.capture.response import Certificate
from findable.clock import rfc3339
from findable.lazy_pattern import lazy_pattern

_BITS = lazy_pattern(r"[0-9]{1,6}")
_CONTROLS = lazy_pattern(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_KEY = lazy_pattern(r"Certificate level (\d+): Public key type (\S+) \((\d+)/")


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
