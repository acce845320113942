"""Attributes that client-side frameworks set in the browser."""

import pytest

from tests.checks.harness import page, verdict


@pytest.mark.parametrize(
    ("check_id", "body"),
    [
        ("image-alt", '<img src="/a.png" alt="A"><img src="/b.png" :alt="name">'),
        ("image-alt", '<img src="/a.png" alt="A"><img src="/b.png" ng-attr-alt="{{ name }}">'),
        ("control-names", '<button>Buy</button><button v-bind:aria-label="name"></button>'),
        ("links-crawlable", '<a href="/a">A</a><a :href="url">B</a><a ng-href="/{{ url }}">C</a>'),
    ],
)
def test_an_attribute_that_a_framework_sets_is_not_missing(check_id: str, body: str) -> None:
    assert verdict(check_id, page(f"<main><h1>Blue widgets</h1>{body}</main>")) == "passed"


@pytest.mark.parametrize(
    ("check_id", "body"),
    [
        ("image-alt", '<img src="/a.png" alt="A"><img src="/b.png" data-alt="name">'),
        ("links-crawlable", '<a href="/a">A</a><a data-href="/b">B</a>'),
    ],
)
def test_other_attributes_are_missing(check_id: str, body: str) -> None:
    assert verdict(check_id, page(f"<main><h1>Blue widgets</h1>{body}</main>")) in ("warned", "failed")
