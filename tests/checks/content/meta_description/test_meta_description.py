"""Outcomes of meta-description: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    ("a script writes it", page("<script>document.write('<meta name=description content=Tea>')</script>", head=""), "unknown"),
    (
        "behind an early end of the head",
        '<!doctype html><html lang="en"><head><p>Tea</p><title>x</title><meta name="description" content="Tea"></head><h1>Tea</h1>',
        "inapplicable",
    ),
    ("one", page(head='<meta name="description" content="Blue widgets.">'), "passed"),
    ("upper case", page(head='<META NAME="Description" CONTENT="Blue widgets.">'), "passed"),
    ("twice the same", page(head='<meta name="description" content="Blue"><meta name="description" content=" Blue ">'), "passed"),
    ("one beside an empty one", page(head='<meta name="description"><meta name="description" content="Blue">'), "passed"),
    ("none", page(), "warned"),
    ("only og:description", page(head='<meta property="og:description" content="Blue widgets.">'), "warned"),
    ("blank", page(head='<meta name="description" content=" ">'), "warned"),
    ("two that differ", page(head='<meta name="description" content="Blue"><meta name="description" content="Red">'), "warned"),
    ("in a template", page("<template><meta name=description content=x></template>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("meta-description", html) == expected, case
