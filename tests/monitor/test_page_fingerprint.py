"""A page is unchanged only if everything that is judged of it is equal."""

import pytest
from msgspec import structs

from findable.capture.response import Headers, Hop, ProbeResponse, Response, Timing
from findable.monitor import page_fingerprint
from findable.monitor.page_fingerprint import fingerprint

URL = "https://example.com/a"
HEADERS = (("Content-Type", "text/html"), ("X-Robots-Tag", "all"), ("Date", "Mon, 23 Nov 2026 10:00:00 GMT"), ("Set-Cookie", "id=1"))


def response(
    body: bytes = b"<p>Words", status: int = 200, headers: tuple[tuple[str, str], ...] = HEADERS, hops: tuple[Hop, ...] = ()
) -> Response:
    return Response(URL, (*hops, Hop(URL, status, Headers(headers), "1.1", Timing())), body)


def robots(body: bytes = b"User-agent: *\nDisallow: /cart\n", status: int = 200) -> ProbeResponse:
    url = "https://example.com/robots.txt"
    return ProbeResponse(url, hops=(Hop(url, status, Headers(()), "1.1", Timing()),), body=body)


SAME = fingerprint(response(), robots(), "")


def test_other_headers_and_other_lines_of_robots_txt_are_no_change() -> None:
    other = tuple((name, value.replace("Mon", "Tue").replace("id=1", "id=2")) for name, value in HEADERS)
    assert fingerprint(response(headers=other), robots(), "") == SAME
    assert fingerprint(response(), robots(b"# new\nUser-agent: *\nDisallow: /basket\nDisallow: /cart\n"), "") == SAME
    assert fingerprint(structs.replace(response(), wire_bytes=99, attempts=2), robots(), "") == SAME
    assert len(SAME) == 16


def test_whatever_is_judged_is_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = Hop("http://example.com/a", 301, Headers(()), "1.1", Timing(), location=URL)
    changed = {
        "body": fingerprint(response(b"<p>Words."), robots(), ""),
        "status": fingerprint(response(status=404), robots(), ""),
        "redirects": fingerprint(response(hops=(moved,)), robots(), ""),
        "X-Robots-Tag": fingerprint(response(headers=(("Content-Type", "text/html"), ("X-Robots-Tag", "noindex"))), robots(), ""),
        "robots.txt": fingerprint(response(), robots(b"User-agent: Googlebot\nDisallow: /a\n"), ""),
        "robots.txt of another crawler": fingerprint(response(), robots(b"User-agent: GPTBot\nDisallow: /\n"), ""),
        "robots.txt down": fingerprint(response(), robots(b"", 503), ""),
        "settings": fingerprint(response(), robots(), "['/a']"),
    }
    monkeypatch.setattr(page_fingerprint, "RULESET", "another")
    changed["ruleset"] = fingerprint(response(), robots(), "")
    assert [name for name, value in changed.items() if value == SAME] == []
    assert len(set(changed.values())) == len(changed)
