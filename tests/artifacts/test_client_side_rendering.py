"""Pages that scripts build."""

import pytest

from findable.artifacts.content import needs_browser
from findable.reports.analysis import analyse
from tests.checks.harness import artifacts, capture, page
from tests.reports import report_json

SCRIPT = '<script src="/app.js"></script>'


@pytest.mark.parametrize(
    ("case", "body", "expected"),
    [
        ("react", f'<div id="root"></div>{SCRIPT}', True),
        ("next", f'<div id="__next"></div><noscript>You need to enable JavaScript to run this app.</noscript>{SCRIPT}', True),
        ("angular", f"<app-root></app-root>{SCRIPT}", True),
        ("a short page with an island", f'<main><h1>Hello</h1><p>{"word " * 60}</p></main><div id="app"></div>{SCRIPT}', False),
        ("rendered on the server", f'<div id="root"><h1>Hello</h1></div>{SCRIPT}', False),
        ("a short page without script", '<div id="root"></div>', False),
        ("a plain short page", f"<p>Hello</p>{SCRIPT}", False),
    ],
)
def test_shell(case: str, body: str, expected: bool) -> None:
    assert needs_browser(artifacts(page(body=body))) is expected, case


def test_a_shell_is_done_without_a_rating() -> None:
    made = report_json(analyse(capture(page(body=f'<div id="root"></div>{SCRIPT}'))))

    assert (made["status"], made["result"], made["score"]) == ("done", None, None)
    assert made["error"]["code"] == "needs_browser"
