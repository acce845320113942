"""Outcomes of robots-meta-valid."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def meta(content: str, name: str = "robots", more: str = "") -> str:
    return page(head=f'<title>x</title><meta name="{name}" content="{content}">{more}')


def header(*lines: str) -> dict[str, Any]:
    return {"headers": [["Content-Type", "text/html"], *(["X-Robots-Tag", line] for line in lines)]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("nothing", page(), {}, "inapplicable"),
    ("usual", meta("index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1"), {}, "passed"),
    ("two metas that agree", meta("max-image-preview:large", "robots", '<meta name="robots" content="index, follow">'), {}, "passed"),
    ("noarchive is read by Bing", meta("noarchive, nocache"), {}, "passed"),
    ("no AI training", meta("noai, noimageai"), {}, "passed"),
    ("different crawlers may differ", meta("noindex", "googlebot-news", '<meta name="robots" content="index">'), {}, "passed"),
    ("embedding", meta("noindex, indexifembedded"), {}, "passed"),
    ("one rule for all, the contrary for Google", meta("noindex", "googlebot", '<meta name="robots" content="index">'), {}, "warned"),
    ("the reverse", meta("index", "googlebot", '<meta name="robots" content="noindex">'), {}, "warned"),
    ("unknown", meta("no-index"), {}, "warned"),
    ("dead, which does no harm", meta("noodp, noydir"), {}, "info"),
    ("dead and unknown", meta("noodp, no-index"), {}, "warned"),
    ("dead and a contradiction", meta("noodp, index, noindex"), {}, "warned"),
    ("contradiction", meta("index, noindex"), {}, "warned"),
    ("contradiction between tag and header", meta("index"), header("noindex"), "warned"),
    ("different values", meta("max-snippet:10", "robots", '<meta name="robots" content="max-snippet:20">'), {}, "warned"),
    ("missing comma", meta("noindex nofollow"), {}, "warned"),
    ("bad value", meta("max-snippet:many"), {}, "warned"),
    ("bad date", meta("unavailable_after: soon"), {}, "warned"),
    ("in the body", page('<p>Text.</p><meta name="robots" content="max-snippet:-1">'), {}, "warned"),
    ("noindex in the body, which noindex reports", page('<p>Text.</p><meta name="robots" content="noindex">'), {}, "passed"),
    ("embedding without noindex", meta("indexifembedded"), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("robots-meta-valid", html, **given) == expected, case
