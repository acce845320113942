"""Outcomes of mixed-content: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("nothing", page(), {}, "passed"),
    (
        "links and canonicals fetch nothing",
        page(
            '<a href="http://a.example/">x</a><svg xmlns="http://www.w3.org/2000/svg"></svg>',
            '<link rel="canonical" href="http://www.example.com/">',
        ),
        {},
        "passed",
    ),
    (
        "in text, comments and data",
        page(
            '<!-- <script src="http://a.example/a.js"></script> --><pre>src="http://a.example/"</pre><script type="application/ld+json">{"url":"http://a.example/"}</script>'
        ),
        {},
        "passed",
    ),
    ("this machine", page('<img src="http://localhost/a.png"><script src="http://127.0.0.1/a.js"></script>'), {}, "passed"),
    ("without a scheme", page('<script src="//a.example/a.js"></script>'), {}, "passed"),
    ("on http", page('<img src="http://a.example/a.png">'), {"url": "http://www.example.com/"}, "inapplicable"),
    ("a form is another question", page('<form action="http://a.example/"></form>'), {}, "passed"),
    ("a namespace", page(head="<style>@namespace svg url(http://www.w3.org/2000/svg);</style>"), {}, "passed"),
    ("an import that comes too late", page(head='<style>p{} @import "http://a.example/a.css";</style>'), {}, "passed"),
    ("an import", page(head='<style>@import "http://a.example/a";</style>'), {}, "failed"),
    ("an import with url()", page(head="<style>@import url(http://a.example/a?b);</style>"), {}, "failed"),
    ("a picture", page('<img src="http://a.example/a.png">'), {}, "warned"),
    ("a candidate", page('<img src="/a.png" srcset="http://a.example/b.png 800w">'), {}, "failed"),
    (
        "the first of three candidates",
        page('<img src="/a.png" srcset="http://a.example/b.png 80w, /c.png 160w, /d.png 900w">'),
        {},
        "failed",
    ),
    (
        "a source of a picture",
        page('<picture><source srcset="/a 1x"><source srcset="http://a.example/b"><img src="/a"></picture>'),
        {},
        "failed",
    ),
    ("the image of a picture", page('<picture><source srcset="/a 1x"><img src="http://a.example/b.png"></picture>'), {}, "failed"),
    ("a track", page('<video src="/b.mp4"><track src="http://a.example/b.vtt"></video>'), {}, "failed"),
    ("an image with CORS", page('<img src="http://a.example/a.png" crossorigin>'), {}, "failed"),
    ("an image of an IP host", page('<img src="http://93.184.215.14/a.png">'), {}, "failed"),
    ("a preview of an https origin", page('<img src="http://a.example/a.png">'), {"judged_as": "https://www.example.com"}, "warned"),
    ("a private host", page('<img src="http://a.example/a.png">'), {"url": "https://10.0.0.1/", "address": "10.0.0.1"}, "warned"),
    (
        "an address in a comment of a style sheet",
        page(head='<style>/* <Variable default="url(http://a.example/b.png)"/> */</style>'),
        {},
        "passed",
    ),
    ("a background", page('<div style="background:url(http://a.example/b.png)"></div>'), {}, "warned"),
    ("a film", page('<video src="http://a.example/b.mp4"></video>'), {}, "warned"),
    (
        "changed by a header",
        page('<script src="http://a.example/a.js"></script>'),
        headers(("Content-Security-Policy", "upgrade-insecure-requests")),
        "warned",
    ),
    (
        "changed by a meta",
        page(
            '<script src="http://a.example/a.js"></script>',
            '<meta http-equiv="content-security-policy" content="upgrade-insecure-requests">',
        ),
        {},
        "warned",
    ),
    (
        "report-only changes nothing",
        page('<script src="http://a.example/a.js"></script>'),
        headers(("Content-Security-Policy-Report-Only", "upgrade-insecure-requests")),
        "failed",
    ),
    ("a script", page('<script src="http://a.example/a.js"></script>'), {}, "failed"),
    ("a style sheet by base", page(head='<base href="http://a.example/"><link rel="stylesheet" href="a.css">'), {}, "failed"),
    ("a frame", page('<iframe src="http://a.example/"></iframe>'), {}, "failed"),
    ("a font", page(head="<style>@font-face{font-family:A;src:url(http://a.example/a.woff2)}</style>"), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("mixed-content", html, **given) == expected, case


def test_what_a_policy_changes_is_not_called_blocked() -> None:
    script = page('<script src="http://a.example/a.js"></script>')
    found = finding("mixed-content", script, **headers(("Content-Security-Policy", "upgrade-insecure-requests")))

    assert [item.note for item in found.evidence] == ["the policy changes it to https"]
    assert [item.note for item in finding("mixed-content", script).evidence] == ["browsers block it"]


def test_a_url_in_the_parameters_of_another_keeps_its_scheme() -> None:
    frame = '<iframe src="http://www.facebook.com/like.php?href=http://other.example/" title="Like"></iframe>'

    assert [fix.code for fix in finding("mixed-content", page(frame)).fixes] == [
        '<iframe src="https://www.facebook.com/like.php?href=http://other.example/" title="Like"></iframe>'
    ]
