"""Outcomes of sri: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

LIB = "https://cdn.example.net/npm/lib@1.2.3/lib.min.js"

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no other site", page(head='<script src="/a-1.2.3.js"></script>'), {}, "inapplicable"),
    ("no version", page(head='<script src="https://www.googletagmanager.com/gtm.js"></script>'), {}, "inapplicable"),
    ("a measuring service", page(head='<script src="http://static.parsely.com/code/ptrack-v0.8.0-video.js"></script>'), {}, "inapplicable"),
    ("an advertising host", page(head='<script src="https://a.cdn.adnxs.com/v1.2.3/tag.js"></script>'), {}, "inapplicable"),
    ("a consent service", page(head='<script src="https://app.usercentrics.eu/browser-ui/3.1.0/loader.js"></script>'), {}, "inapplicable"),
    ("a name that only ends so", page(head='<script src="https://notadnxs.com/v1.2.3/lib.js"></script>'), {}, "warned"),
    ("put in by RequireJS", page(head=f'<script src="{LIB}" data-requiremodule="lib"></script>'), {}, "inapplicable"),
    ("from http", page(head=f'<script src="{LIB.replace("https", "http")}"></script>'), {}, "inapplicable"),
    (
        "from a host of the publisher",
        page('<img src="https://img.example.net/1.jpg">' * 3, head=f'<script src="{LIB}"></script>'),
        {},
        "inapplicable",
    ),
    ("on http", page(head=f'<script src="{LIB}"></script>'), {"url": "http://www.example.com/"}, "inapplicable"),
    ("with a digest", page(head=f'<script src="{LIB}" integrity="sha384-x" crossorigin></script>'), {}, "passed"),
    ("without", page(head=f'<script src="{LIB}"></script>'), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("sri", html, **given) == expected, case
