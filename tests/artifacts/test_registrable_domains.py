"""Registrable domains, compared with the library of the public suffix list."""

from pathlib import Path

import pytest
from publicsuffixlist import PSLFILE, PublicSuffixList

from findable.urls import registrable_domain


def test_each_rule_gives_the_domain_of_the_library() -> None:
    library = PublicSuffixList()
    lines = Path(PSLFILE).read_text(encoding="utf-8").splitlines()
    names = [line.split()[0].lstrip("!").removeprefix("*.") for line in lines if line.strip() and not line.startswith("//")]
    hosts = [f"{below}{form}" for name in names for form in {name, name.encode("idna").decode()} for below in ("", "a.", "b.a.", "c.b.a.")]
    assert len(hosts) > 40_000
    assert [host for host in hosts if registrable_domain(host) != (library.privatesuffix(host) or host)] == []


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("shop.example.co.uk.", "example.co.uk"),
        ("a.b.unknown-suffix", "b.unknown-suffix"),
        ("www.city.kobe.jp", "city.kobe.jp"),
        ("a..b", "a..b"),
        ("xn--", "xn--"),
        ("x.xn--99999999999", "x.xn--99999999999"),
        ("[2001:db8::1]", "[2001:db8::1]"),
    ],
)
def test_unusual_hosts_have_a_domain(host: str, expected: str) -> None:
    assert registrable_domain(host) == expected
