"""What libcurl tells of a TLS connection, as our values: its certificate list (CERTINFO) and the lines of its log."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from findable.artifacts.response import Certificate
from findable.clock import rfc3339

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DATE = re.compile(r"([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4}) GMT")
_VERSION = re.compile(r"SSL connection using (TLSv[\d.]+|SSLv\d)")
_KEY = re.compile(r"Certificate level (\d+): Public key type (\S+) \((\d+)/")


def tls_version(log: Iterable[str]) -> str:
    """``TLSv1.3``; empty where no connection was made."""
    return next((found[1] for line in log if (found := _VERSION.search(line))), "")


def chain(certinfo: Sequence[Sequence[tuple[str, str]]], log: Iterable[str]) -> tuple[Certificate, ...]:
    """The certificates as the server sent them, leaf first."""
    keys = {int(found[1]): (found[2], int(found[3])) for line in log if (found := _KEY.search(line))}
    return tuple(_certificate(dict(fields), keys.get(level, ("", 0))) for level, fields in enumerate(certinfo))


def _certificate(fields: dict[str, str], key: tuple[str, int]) -> Certificate:
    key_type, key_bits = key
    return Certificate(
        subject=fields.get("Subject", ""),
        issuer=fields.get("Issuer", ""),
        names=_names(fields.get("X509v3 Subject Alternative Name", "")),
        not_before=_date(fields.get("Start date", "")),
        not_after=_date(fields.get("Expire date", "")),
        signature_algorithm=fields.get("Signature Algorithm", ""),
        public_key_algorithm=key_type or fields.get("Public Key Algorithm", ""),
        public_key_bits=key_bits or int(fields.get("RSA Public Key", "0") or 0),
    )


def _names(text: str) -> tuple[str, ...]:
    """``DNS:a.example, IP Address:192.0.2.1`` as names; other kinds (URI, e-mail) are left out."""
    parts = (part.strip().partition(":") for part in text.split(","))
    return tuple(value for kind, _, value in parts if kind in {"DNS", "IP Address"})


def _date(text: str) -> str:
    """``Jan  1 00:00:00 2025 GMT`` as RFC 3339; empty where it cannot be read."""
    found = _DATE.search(text)
    if found is None or found[1] not in _MONTHS:
        return ""
    day, hour, minute, second, year = (int(found[group]) for group in range(2, 7))
    return rfc3339(datetime(year, _MONTHS.index(found[1]) + 1, day, hour, minute, second, tzinfo=UTC))
