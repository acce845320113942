"""Outcomes of robots-txt-assets."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = page(
    '<p>Text.</p><img src="/img/a.png" alt="">',
    '<title>x</title><link rel="stylesheet" href="/app/a.css"><script src="/app/a.js" defer></script>',
)

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no files", page(), {}, "inapplicable"),
    ("allowed", PAGE, {}, "passed"),
    ("another folder", PAGE, {"robots_txt": "User-agent: *\nDisallow: /private/\n"}, "passed"),
    ("blocked for others", PAGE, {"robots_txt": "User-agent: AhrefsBot\nDisallow: /\n"}, "passed"),
    (
        "other hosts are not judged",
        page(head='<title>x</title><script src="https://cdn.example.net/a.js"></script>'),
        {"robots_txt": "User-agent: *\nDisallow: /\n"},
        "inapplicable",
    ),
    (
        "all is forbidden, the page too: the question of robots-txt-allows",
        PAGE,
        {"robots_txt": "User-agent: *\nDisallow: /\n"},
        "inapplicable",
    ),
    ("stylesheet", PAGE, {"robots_txt": "User-agent: *\nDisallow: /*.css\n"}, "failed"),
    ("script", PAGE, {"robots_txt": "User-agent: Googlebot\nDisallow: /app/*.js$\n"}, "failed"),
    ("imported", page(head='<title>x</title><style>@import "/app/a.css";</style>'), {}, "passed"),
    (
        "imported and blocked",
        page(head='<title>x</title><style>@import "/app/a.css" screen;</style>'),
        {"robots_txt": "User-agent: *\nDisallow: /app/\n"},
        "failed",
    ),
    ("picture only", PAGE, {"robots_txt": "User-agent: *\nDisallow: /img/\n"}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("robots-txt-assets", html, **given) == expected, case
