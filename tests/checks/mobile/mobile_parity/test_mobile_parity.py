"""Outcomes of mobile-parity: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.artifacts.html.markup import SentDocument
from findable.artifacts.responses.phone import Phone
from tests.checks.harness import PAGE, artifacts, page, verdict

WORDS = " ".join(f"word{n} " for n in range(100))
NAMED = f'<title>Blue widgets – Example</title><link rel="canonical" href="{PAGE}">'
MOBILE = PAGE.replace("://www.", "://m.")
HIDDEN = '<meta name="robots" content="noindex">'


def phone(body: str, **more: Any) -> dict[str, Any]:
    """What a phone's user agent gets."""
    headers = [("Content-Type", "text/html"), *more.pop("headers", ())]
    return {"phone": {PAGE: {"body": body, "headers": headers, **more}}}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("the same", page(WORDS), phone(page(WORDS)), "passed"),
    ("a little less", page(WORDS), phone(page(WORDS.replace("word1 ", "").replace("word2 ", ""))), "passed"),
    ("both say noindex", page(WORDS, head=HIDDEN), phone(page(WORDS, head=HIDDEN)), "passed"),
    ("not asked", page(WORDS), {}, "inapplicable"),
    ("refused", page(WORDS), phone("", status=403), "unknown"),
    ("a challenge instead of the page", page(WORDS), phone("<title>Just a moment...</title>"), "unknown"),
    ("cut off", page(WORDS), phone(page("word0"), truncated=True), "unknown"),
    ("robots.txt", page(WORDS), {"phone": {PAGE: {"failure": "robots_txt"}}}, "unknown"),
    ("the budget", page(WORDS), {"phone": {PAGE: {"failure": "budget"}}}, "unknown"),
    ("both name the same address", page(WORDS, head=NAMED), phone(page(WORDS, head=NAMED)), "passed"),
    ("an address of its own that names the page", page(WORDS), phone(page(WORDS, head=NAMED), final_url=MOBILE), "passed"),
    ("an address of its own that names nobody", page(WORDS), phone(page(WORDS), final_url=MOBILE), "warned"),
    ("another canonical", page(WORDS, head=NAMED), phone(page(WORDS, head=NAMED.replace("/shop", "/other/shop"))), "warned"),
    ("no answer", page(WORDS), {"phone": {PAGE: {"failure": "timeout"}}}, "unknown"),
    ("another title", page(WORDS), phone(page(WORDS, head="<title>Other</title>")), "warned"),
    ("three quarters", page(WORDS), phone(page(" ".join(WORDS.split()[:75]))), "warned"),
    ("half", page(WORDS), phone(page(" ".join(WORDS.split()[:50]))), "failed"),
    ("noindex for phones", page(WORDS), phone(page(WORDS, head="<title>Blue widgets – Example</title>" + HIDDEN)), "failed"),
    ("noindex in the header for phones", page(WORDS), phone(page(WORDS), headers=[("X-Robots-Tag", "noindex")]), "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("mobile-parity", html, **given) == expected, case


@pytest.mark.parametrize(
    ("given", "is_shared"),
    [
        (phone(page(WORDS)), True),
        (phone(page(WORDS) + " "), False),
        (phone(page(WORDS), final_url=MOBILE), False),
        (phone(page(WORDS), headers=[("Content-Security-Policy", "default-src 'self'")]), False),
    ],
    ids=["the same bytes", "other bytes", "another URL", "another policy"],
)
def test_only_the_same_response_is_not_parsed_again(given: dict[str, Any], is_shared: bool) -> None:
    made = artifacts(page(WORDS), headers=[("Content-Type", "text/html")], **given)
    sent, other = made.get_or_none(SentDocument), made.get_or_none(Phone)

    assert sent is not None
    assert other is not None
    assert (other.document is sent.document) is is_shared
    assert other.shared_share == 1
