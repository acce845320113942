"""Fixes are code that can be pasted: on the checks' own failing pages, the finding turns to passed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from findable.artifacts.html.parse_tree import fragment_elements
from findable.checks.engine import Check, Finding, all_checks, runnable_checks
from findable.checks.page_fix import Fix, FixPlace
from findable.reports.prose import instructions
from findable.vocabulary import FETCHED, Verdict
from tests.checks.harness import DEFAULT_HEADERS, PAGE, finding, findings, fixture, page

HERE = Path(__file__).parent
AGAINST = (Verdict.FAILED, Verdict.WARNED)
WELL = (Verdict.PASSED, Verdict.INFO)
PASTED_AT_LEAST = 46
"""Checks whose fixes are pasted."""
MADE_UP = re.compile(r"\bexample\.(?:com|net|org)\b|widget", re.IGNORECASE)
HTML_PLACES = (FixPlace.ELEMENT, FixPlace.HEAD)


def cases() -> list[tuple[Check, Path]]:
    """Failing fixtures of all checks that need no browser."""
    found = []
    for item in runnable_checks(FETCHED):
        folder = HERE / item.category.value / item.id.replace("-", "_")
        found += [(item, path) for path in sorted(folder.glob("bad*.html"))]
    return found


def paste(html: str, given: dict[str, Any], fixes: tuple[Fix, ...]) -> tuple[str, dict[str, Any]]:
    """The page with all fixes in their places."""
    given = dict(given)
    lines = html.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    placed = [
        (starts[fix.line - 1] + fix.column - 1, fix)
        for fix in fixes
        if fix.place in (FixPlace.ELEMENT, FixPlace.SCRIPT) and fix.line and fix.column
    ]
    for at, fix in sorted(placed, key=lambda pair: pair[0], reverse=True):
        assert html.startswith(fix.instead_of, at), f"{fix.instead_of!r} does not stand in line {fix.line}"
        html = html[:at] + fix.code + html[at + len(fix.instead_of) :]
    pasted: list[tuple[str, str]] = []
    for fix in fixes:
        if fix.place is FixPlace.HEAD:
            html = html.replace("</head>", f"{fix.code}\n</head>", 1) if "</head>" in html else html
        elif fix.place is FixPlace.HEADER:
            name, _, value = fix.code.partition(": ")
            others = [line for line in given.get("headers", DEFAULT_HEADERS) if line[0].lower() != name.lower() or line in pasted]
            pasted.append((name, value))
            given["headers"] = [*others, (name, value)] if value else others
        elif fix.place is FixPlace.ROBOTS_TXT:
            given["robots_txt"] = f"{given.get('robots_txt', '')}\n{fix.code}\n"
    return html, given


def judge(item: Check, html: str, given: dict[str, Any]) -> Finding:
    return finding(item.id, html, **given)


def test_pasted_fixes_settle_their_findings() -> None:
    settled: set[str] = set()
    tried: set[str] = set()
    for item, path in cases():
        html, given = fixture(path)
        before = judge(item, html, given)
        if before.verdict not in AGAINST or not before.fixes:
            continue
        tried.add(item.id)
        after = judge(item, *paste(html, given, before.fixes))
        if after.verdict in WELL:
            settled.add(item.id)
        written = {fix.code for fix in before.fixes if fix.place is FixPlace.ELEMENT and fix.code}
        faulted = {evidence.text for evidence in after.evidence} if after.verdict in AGAINST else set()
        assert not written & faulted, (item.id, path.name)

    assert tried == settled
    assert len(settled) >= PASTED_AT_LEAST, sorted(settled)


def test_fixes_name_nothing_that_the_page_does_not_have() -> None:
    for item, path in cases():
        html, given = fixture(path)
        finding = judge(item, html, given)
        if finding.verdict not in AGAINST:
            continue
        own = f"{html} {json.dumps(given)} {given.get('url', PAGE)}".lower()
        shown = instructions(finding.advice or item.documentation.how, [fix.code for fix in finding.fixes])
        code = "\n".join(line for line in shown.split("\n") if line.startswith("    "))
        assert [word for word in MADE_UP.findall(code) if word.lower() not in own] == [], (item.id, path.name)


@pytest.mark.parametrize("place", HTML_PLACES)
def test_markup_of_fixes_parses_to_what_it_says(place: FixPlace) -> None:
    for item, path in cases():
        for fix in judge(item, *fixture(path)).fixes:
            if fix.place is place and fix.code and not fix.code.startswith("<!"):
                tags = re.findall(r"<([a-z][a-z0-9]*)", fix.code.lower())
                assert tags, (item.id, fix.code)
                assert fix.code.count('"') % 2 == 0, (item.id, fix.code)
                if tags[0] not in ("html", "head", "body"):
                    assert fragment_elements(fix.code), (item.id, fix.code)


def test_every_check_tells_how_to_fix_in_words() -> None:
    assert [item.id for item in all_checks().values() if not instructions(item.documentation.how, [])] == []


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8201", "http://192.168.1.5", "http://wiki.internal", "http://localhost:3000"])
def test_fixes_publish_no_private_host(origin: str) -> None:
    html = page("<h1>Prices</h1>", head='<title>Prices</title><meta property="og:url" content="https://www.example.com/a">')
    shown = [fix.code for found in findings(html, url=f"{origin}/prices").values() for fix in found.fixes]

    assert [code for code in shown if origin in code] == []
    assert finding("canonical-valid", html).fixes
