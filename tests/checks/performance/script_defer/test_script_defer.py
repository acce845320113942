"""Outcomes of script-defer: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no scripts", page(), {}, "inapplicable"),
    ("inline only", page("<script>let x</script><p>Text</p>"), {}, "inapplicable"),
    ("deferred", page(head="<script src=a.js defer></script>"), {}, "passed"),
    ("a module", page(head="<script src=a.js type=module></script>"), {}, "passed"),
    ("at the end", page("<main><p>Text</p></main><script src=a.js></script><noscript>x</noscript>"), {}, "passed"),
    ("before a pixel", page("<main><p>Text</p></main><script src=a.js></script><img src=p.gif>"), {}, "passed"),
    ("before hidden parts", page("<main><p>Text</p></main><script src=a.js></script><div hidden><p>A</p><p>B</p></div>"), {}, "passed"),
    ("in the head, which render-blocking reports", page(head="<script src=a.js></script>"), {}, "inapplicable"),
    (
        "a language that is none",
        page("<p>Text</p><script language='JavaScript ' src=a.js></script><main><p>T</p></main>"),
        {},
        "inapplicable",
    ),
    ("an old version", page("<p>Text</p><script language=JavaScript1.2 src=a.js></script><main><p>T</p><p>M</p></main>"), {}, "warned"),
    ("in the middle", page("<p>Text</p><script src=a.js></script><main><p>Text</p><p>More</p></main>"), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("script-defer", html, **given) == expected, case


def test_scripts_in_the_head_are_left_to_render_blocking() -> None:
    body = "<p>Text</p><script src=b.js></script><main><p>Text</p><p>More</p></main>"
    found = finding("script-defer", page(body, head="<script src=a.js></script>"))
    assert [item.text for item in found.evidence] == ["<script src=b.js></script>"]


def _fixes(body: str, script: str = "let a = 1;") -> list[str]:
    assets = {"https://www.example.com/shop/b.js": {"body": script, "headers": [["Content-Type", "text/javascript"]]}}
    return [fix.code for fix in finding("script-defer", page(body), assets=assets).fixes]


def test_defer_is_shown_only_where_nothing_after_it_can_break() -> None:
    text = "<main><p>Text</p><p>More</p></main>"
    script = "<p>Text</p><script src=b.js></script>"
    assert _fixes(script + text) == ["<script src=b.js defer></script>"]
    assert _fixes(f"{script}{text}<script>useB()</script>") == []
    assert _fixes(f"{script}{text}<script src=c.js></script>") == []
    assert _fixes(script + text, "document.write('<p>')") == []
    assert _fixes(script + text, "document.documentElement.classList.add('js')") == []
    assert _fixes(f"<p>Text</p><script src=b.js data-cookiefirst-key=1></script>{text}") == []
    assert _fixes(f"<p>Text</p><script src=unread.js></script>{text}") == []
    assert finding("script-defer", page(script + text)).fixes == ()


def test_scripts_that_a_loader_inserted_are_not_counted() -> None:
    body = "<p>Text</p><script src=b.js data-requiremodule=b></script><main><p>Text</p><p>More</p></main>"
    assert finding("script-defer", page(body)).verdict == "passed"
