"""A preview judged as the origin it will have."""

import pytest

from findable.capture.preview_origin import move_to_origin
from findable.capture.response import Headers
from tests.checks.harness import capture

PREVIEW = "http://127.0.0.1:8080/page"
TARGET = "https://www.example.com"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'href="http://127.0.0.1:8080/x"', b'href="https://www.example.com/x"'),
        (b'href="//127.0.0.1:8080/x"', b'href="//www.example.com/x"'),
        (b'"url":"http:\\/\\/127.0.0.1:8080\\/x"', b'"url":"https:\\/\\/www.example.com\\/x"'),
        (b"HTTP://127.0.0.1:8080", b"https://www.example.com"),
        (b'href="/x"', b'href="/x"'),
        (b"http://127.0.0.1:80801/", b"http://127.0.0.1:80801/"),
        (b"http://127.0.0.1/", b"http://127.0.0.1/"),
        (b"https://www.example.com/y", b"https://www.example.com/y"),
    ],
)
def test_addresses_in_the_page_are_rewritten(before: bytes, after: bytes) -> None:
    assert move_to_origin(capture(before, url=PREVIEW), TARGET).page.response.body == after


def test_everything_else_is_rewritten_too() -> None:
    preview = capture(
        "",
        url=PREVIEW,
        headers=[["Link", "<http://127.0.0.1:8080/page>; rel=canonical"]],
        robots_txt="Sitemap: http://127.0.0.1:8080/sitemap.xml",
        links={"http://127.0.0.1:8080/other": 200},
    )
    judged = move_to_origin(preview, TARGET + "/")

    assert judged.page.judged_as == TARGET
    assert judged.page.response.final_url == "https://www.example.com/page"
    assert judged.page.response.headers == Headers((("Link", "<https://www.example.com/page>; rel=canonical"),))
    assert judged.site.origin == TARGET
    assert judged.site.robots_txt.url == "https://www.example.com/robots.txt"
    assert judged.site.robots_txt.body == b"Sitemap: https://www.example.com/sitemap.xml"
    assert judged.page.probes.links[0].url == "https://www.example.com/other"
