"""Outcomes of tls-certificate: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def leaf(**changed: Any) -> dict[str, Any]:
    return {"tls": {"leaf": changed}}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("valid", page(), {}, "passed"),
    ("ninety days, thirty left", page(), leaf(not_before="2026-09-02T12:00:00Z", not_after="2026-12-01T12:00:00Z"), "passed"),
    ("six days, three left", page(), leaf(not_before="2026-10-29T12:00:00Z", not_after="2026-11-04T12:00:00Z"), "passed"),
    ("verified by the names that the library read", page(), leaf(names=["*.example.com"]), "passed"),
    ("on http", page(), {"url": "http://www.example.com/"}, "inapplicable"),
    (
        "this machine",
        page(),
        {"url": "https://localhost/", "tls": {"verified": False, "verify_error": "self-signed certificate"}},
        "inapplicable",
    ),
    ("ends soon", page(), leaf(not_after="2026-11-20T12:00:00Z"), "warned"),
    ("six days, one left", page(), leaf(not_before="2026-10-27T12:00:00Z", not_after="2026-11-02T12:00:00Z"), "warned"),
    ("no intermediate", page(), {"tls": {"verified": False, "verify_error": "unable to get local issuer certificate"}}, "warned"),
    ("ended", page(), {"tls": {"verified": False, "verify_error": "certificate has expired"}}, "failed"),
    ("ended, and read anyway", page(), leaf(not_after="2026-10-31T12:00:00Z"), "failed"),
    ("another name", page(), {"tls": {"verified": False, "verify_error": "hostname mismatch"}}, "failed"),
    ("signed by itself", page(), {"tls": {"verified": False, "verify_error": "self-signed certificate"}}, "failed"),
    (
        "unknown issuer that is itself",
        page(),
        {"tls": {"verified": False, "verify_error": "unable to get local issuer certificate", "leaf": {"issuer": "CN=www.example.com"}}},
        "failed",
    ),
    ("SHA-1", page(), leaf(signature_algorithm="sha1WithRSAEncryption"), "failed"),
    ("a short key", page(), leaf(public_key_algorithm="RSA", public_key_bits=1024), "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("tls-certificate", html, **given) == expected, case
