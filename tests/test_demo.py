"""The demonstration: its site, and the service that starts with it."""

import gzip
import http.client
import re
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from findable.demo.site import PAGES, served, site_files


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with served(0) as address:
        yield address


def fetch(origin: str, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=10)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.mark.parametrize("path", sorted(path for path in site_files() if path != "/404"))
def test_every_file_is_served_with_its_type(origin: str, path: str) -> None:
    answer, body = fetch(origin, path)

    assert answer.status == 200
    assert answer.headers["Content-Type"]
    assert b"{{origin}}" not in body


def test_pages_name_the_origin_they_are_served_from(origin: str) -> None:
    _, body = fetch(origin, "/breads/rye-sourdough")

    assert f'<link rel="canonical" href="{origin}/breads/rye-sourdough">' in body.decode()


def test_text_is_compressed_for_those_who_ask(origin: str) -> None:
    answer, body = fetch(origin, "/", **{"Accept-Encoding": "gzip, br"})

    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"Mill Street" in gzip.decompress(body)


def test_head_has_the_headers_and_no_body(origin: str) -> None:
    answer, body = fetch(origin, "/about", "HEAD")

    assert (answer.status, body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0


def test_what_is_not_there_is_404_with_a_way_home(origin: str) -> None:
    for path in ("/nothing", "/404", "/../site.py", "/downloads/order-form.pdf"):
        answer, body = fetch(origin, path)

        assert answer.status == 404
        assert b'href="/"' in body


def test_a_moved_page_says_where(origin: str) -> None:
    answer, _ = fetch(origin, "/bread")

    assert (answer.status, answer.headers["Location"]) == (301, "/breads/")


def test_the_next_port_is_taken_when_one_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with served(port) as address:
            assert urlsplit(address).port != port


def test_links_of_the_good_page_lead_somewhere(origin: str) -> None:
    path = next(iter(PAGES))
    _, body = fetch(origin, path)

    for target in set(re.findall(r'(?:href|src)="(/[^"]*)"', body.decode())):
        assert fetch(origin, target)[0].status == 200, target
