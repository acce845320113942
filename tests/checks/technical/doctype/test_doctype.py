"""Outcomes of doctype: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("today's", "<!DOCTYPE html><title>T</title>", {}, "passed"),
    ("behind a comment", "<!-- x --><!doctype html><title>T</title>", {}, "passed"),
    ("the old compatible one", '<!doctype html SYSTEM "about:legacy-compat"><title>T</title>', {}, "passed"),
    (
        "HTML 4.01 strict",
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><title>T</title>',
        {},
        "passed",
    ),
    ("XHTML 1.0 strict", '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><title>T</title>', {}, "passed"),
    ("XHTML needs none", "<title>T</title>", {"headers": [("Content-Type", "application/xhtml+xml")]}, "inapplicable"),
    ("XHTML 1.0 transitional", '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x"><title>T</title>', {}, "passed"),
    (
        "HTML 4.01 transitional without a system id",
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><title>T</title>',
        {},
        "warned",
    ),
    ("HTML 3.2", '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><title>T</title>', {}, "warned"),
    ("none", "<title>T</title>", {}, "warned"),
    ("behind an XML declaration", '<?xml version="1.0"?>\n<!DOCTYPE html><title>T</title>', {}, "passed"),
    ("text behind the name", "<!DOCTYPE html foo><title>T</title>", {}, "warned"),
    ("no quotation mark", "<!DOCTYPE html PUBLIC -//W3C//DTD HTML 4.01//EN><title>T</title>", {}, "warned"),
    ("a quotation that never ends", '<!DOCTYPE html SYSTEM "about:legacy-compat><title>T</title>', {}, "warned"),
    ("no blank", "<!doctypehtml><title>T</title>", {}, "passed"),
    ("too late", "<title>T</title><!doctype html>", {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("doctype", html, **given) == expected, case


def test_the_evidence_is_the_doctype_as_sent() -> None:
    (shown,) = finding("doctype", "\n<!-- x -->\n<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'  ><title>T</title>").evidence

    assert (shown.text, shown.line) == ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'  >", 3)
