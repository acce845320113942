"""Refreshes of metas and headers."""

import pytest

from findable.artifacts.page.refresh import Refreshes
from tests.checks.harness import artifacts, page

PAGE = "https://www.example.com/shop/"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("0;url=/a", (0, "https://www.example.com/a")),
        ("0; URL='/a b'", (0, "https://www.example.com/a%20b")),
        ('5, url = "/a" ignored', (5, "https://www.example.com/a")),
        ("5;/a", (5, "https://www.example.com/a")),
        ("5", (5, None)),
        ("5;", (5, None)),
        (".5;url=a", (0, "https://www.example.com/shop/a")),
        ("007;url=a", (7, "https://www.example.com/shop/a")),
        ("url=/a", None),
        ("", None),
        ("5x;url=/a", None),
    ],
)
def test_refresh(content: str, expected: tuple[int, str | None] | None) -> None:
    quoted = content.replace('"', "&quot;")
    made = artifacts(page(head=f'<meta http-equiv="refresh" content="{quoted}">'), url=PAGE).get(Refreshes)

    assert isinstance(made, Refreshes)
    assert [(item.after_s, item.url) for item in made.all] == ([expected] if expected else [])


def test_refresh_is_resolved_against_the_base() -> None:
    made = artifacts(page(head='<base href="https://cdn.example.net/x/"><meta http-equiv="refresh" content="0;url=a">')).get(Refreshes)

    assert isinstance(made, Refreshes)
    assert made.all[0].url == "https://cdn.example.net/x/a"
