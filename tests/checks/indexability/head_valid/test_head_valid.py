"""Outcomes of head-valid."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

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


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("head-valid", html, **given) == expected, case
