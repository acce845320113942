"""Which scripts may write parts of the head."""

import pytest

from findable.artifacts.html.head_scripts import HeadPart, HeadScripts
from tests.checks.harness import artifacts, page

WRITERS = [
    ("var m = document.createElement('meta'); m.name = 'viewport'; document.head.appendChild(m)", {HeadPart.VIEWPORT}),
    ('document.write(\'<meta name="viewport" content="width=device-width">\')', {HeadPart.VIEWPORT}),
    ("document.head.innerHTML += '\\x3Cmeta name=viewport content=width=device-width>'", {HeadPart.VIEWPORT}),
    ("$('head').append('<meta name=\"description\" content=\"…\">')", {HeadPart.DESCRIPTION}),
    ('document.head.insertAdjacentHTML(\'beforeend\', `<link rel="canonical" href="${url}">`)', {HeadPart.CANONICAL}),
    ('var l = document.createElement("link"); l.rel = "canonical"', {HeadPart.CANONICAL}),
    ("document.title = name + ' – Shop'", {HeadPart.TITLE}),
    ("if (document.title == 'x') start()", set()),
    ("var viewport = window.innerWidth; box.innerHTML = viewport", set()),
    ("var link = document.createElement('link'); link.rel = 'stylesheet'", set()),
    ("document.write('<script src=\"/a.js\"><\\/script>')", set()),
]


@pytest.mark.parametrize(("script", "parts"), WRITERS)
def test_an_inline_script_writes_what_it_names(script: str, parts: set[HeadPart]) -> None:
    made = artifacts(page(head=f"<title>Blue widgets</title><script>{script}</script>")).get(HeadScripts)

    assert isinstance(made, HeadScripts)
    assert {part for part in HeadPart if made.writer_of(part)} == parts


def test_external_scripts_and_data_write_nothing() -> None:
    head = """<script src="/app.js"></script><script type="application/json">{"a": "<meta name=viewport>"}</script>"""
    made = artifacts(page(head=head)).get(HeadScripts)

    assert isinstance(made, HeadScripts)
    assert not any(map(made.writer_of, HeadPart))


def test_scripts_of_an_empty_shell_may_write_everything() -> None:
    made = artifacts(page(head='<script src="/app.js"></script>', body='<div id="root"></div>')).get(HeadScripts)

    assert isinstance(made, HeadScripts)
    assert all(map(made.writer_of, HeadPart))
