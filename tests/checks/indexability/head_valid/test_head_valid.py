"""Outcomes of head-valid."""

from typing import Any

import pytest

from findable.vocabulary import Verdict
from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("sound", page(), {}, "passed"),
    ("no head tags", "<!doctype html><title>x</title><p>Text", {}, "passed"),
    ("no body tag", "<!doctype html><html><head><title>x</title></head><p>Text", {}, "passed"),
    ("noscript with a picture", page(head='<noscript><img src="x.gif"></noscript><title>x</title>'), {}, "passed"),
    ("template", page(head="<template><div></div></template><title>x</title>"), {}, "passed"),
    (
        "link between head and body",
        "<!doctype html><html><head><title>x</title></head><link rel=icon href=/i.png><body><p>Text",
        {},
        "passed",
    ),
    ("svg title in the body", page("<svg><title>x</title></svg>"), {}, "passed"),
    ("stray element, nothing lost", page(head="<title>x</title><div></div><meta name=a content=b>"), {}, "warned"),
    ("description lost", page(head='<title>x</title><div></div><meta name="description" content="x">'), {}, "failed"),
    ("preview tags lost", page(head='<title>x</title><div></div><meta property="og:title" content="x">'), {}, "failed"),
    ("viewport lost", page(head='<title>x</title><div></div><meta name="viewport" content="width=device-width">'), {}, "warned"),
    ("robots rules lost", page(head='<title>x</title><div></div><meta name="robots" content="noindex">'), {}, "failed"),
    ("title lost", page(head="<div></div><title>x</title>"), {}, "warned"),
    (
        "language version lost",
        page(head='<title>x</title><iframe></iframe><link rel="alternate" hreflang="de" href="https://www.example.com/de">'),
        {},
        "failed",
    ),
]


def test_text_before_the_head_is_named_as_what_ends_it() -> None:
    found = finding("head-valid", 'html\n<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A</title></head><body><p>x')

    assert found.message.startswith("Text ends the head")
    assert found.verdict is Verdict.WARNED
    comma = finding("head-valid", '<html><head><title>A</title>,<meta name="request-id" content="1"></head><p>x')
    assert comma.message == "Text ends the head; nothing is lost"
    assert finding("head-valid", "<html><div>x</div><head><title>A</title></head>").message.startswith("<{tag}> ends the head")


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("head-valid", html, **given) == expected, case
