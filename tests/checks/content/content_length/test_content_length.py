"""Outcomes of content-length: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

TEXT = "Our widgets are cut by hand in a small workshop near the river. " * 8

OUTCOMES = [
    ("a text", page(f"<main><p>{TEXT}</p></main>"), "passed"),
    ("Japanese", page(f"<main><p>{'青いウィジェットを手作業で作っています。' * 10}</p></main>", lang="ja"), "passed"),
    ("a language without counts", page("<p>" + "Vi säljer blå cyklar i Stockholm. " * 20 + "</p>", lang="sv"), "inapplicable"),
    ("a frameset", "<!doctype html><title>x</title><frameset><frame src=/a></frameset>", "inapplicable"),
    ("a script shell", '<!doctype html><title>x</title><div id="root"></div><script src="/a.js"></script>', "unknown"),
    ("few words", page("<main><p>Coming soon.</p></main>"), "warned"),
    ("few words beside much navigation", page("<nav>" + "Home About " * 50 + "</nav><main><p>Coming soon.</p></main>"), "warned"),
    ("styles and scripts are no words", page(f"<style>{TEXT}</style><script>{TEXT}</script><p>Soon.</p>"), "warned"),
    ("none", page("<img src=/a.png alt=''>"), "failed"),
    ("none but in a noscript", page(f"<noscript>{TEXT}</noscript>"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("content-length", html) == expected, case
