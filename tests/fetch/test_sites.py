"""The test sites themselves: what other tests lean on."""

import urllib.error
import urllib.request

import pytest

from tests.sites.server import Site


def test_a_registered_page_is_served_and_logged(site: Site) -> None:
    site.page("/x", "<p>hello", headers=[("X-One", "1"), ("X-One", "2")])
    with urllib.request.urlopen(site.url("/x?y=1")) as answer:
        assert answer.read() == b"<p>hello"
        assert answer.headers.get_all("X-One") == ["1", "2"]
    (request,) = site.asked("/x")
    assert (request.method, request.target) == ("GET", "/x?y=1")


def test_what_is_not_registered_is_missing(site: Site) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(site.url("/missing"))
    caught.value.close()
    assert caught.value.code == 404
