"""Words that pages, PDFs and the terminal share."""

import pytest

from findable.reports.titles import readable_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/", "a.example"),
        ("https://a.example/x?y", "a.example/x?y"),
        ("http://a.example:80/x", "a.example/x"),
        ("https://a.example:8443/", "a.example:8443"),
        ("http://[2001:db8::1]/a", "2001:db8::1/a"),
    ],
)
def test_an_address_is_read_without_scheme_and_its_own_port(url: str, shown: str) -> None:
    assert readable_url(url) == shown
