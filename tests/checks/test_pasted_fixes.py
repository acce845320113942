"""Fixes are code that can be pasted: on the checks' own failing pages, the finding turns to passed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.html.parse_tree import fragment_elements
from findable.capture.capture import Capture
from findable.checks.engine import Check, Finding, all_checks, runnable_checks
from findable.checks.page_fix import Fix, FixPlace
from findable.reports.prose import instructions
from findable.vocabulary import FETCHED, Verdict
from tests.checks.fix_trial import findings_of, paste, pasted_text, try_fixes
from tests.checks.harness import PAGE, capture, finding, findings, fixture, page

HERE = Path(__file__).parent
AGAINST = (Verdict.FAILED, Verdict.WARNED)
WELL = (Verdict.PASSED, Verdict.INFO)
PASTED_AT_LEAST = 45
"""Checks whose fixes are pasted."""
MADE_UP = re.compile(r"\bexample\.(?:com|net|org)\b|widget", re.IGNORECASE)
HTML_PLACES = (FixPlace.ELEMENT, FixPlace.HEAD)
UNCOVERED = {("mixed-content", "sri"), ("og-basic", "max-image-preview")}
"""Findings that only a page without the fault can have: https resources and articles are judged by more checks."""
PAGES = sorted((HERE.parent / "mutations" / "pages").glob("*.html"))


def cases() -> list[tuple[Check, Path]]:
    """Failing fixtures of all checks that need no browser."""
    found = []
    for item in runnable_checks(FETCHED):
        folder = HERE / item.category.value / item.id.replace("-", "_")
        found += [(item, path) for path in sorted(folder.glob("bad*.html"))]
    return found


def judge(item: Check, html: str, given: dict[str, Any]) -> Finding:
    return finding(item.id, html, **given)


def test_pasted_fixes_settle_their_findings() -> None:
    settled: set[str] = set()
    tried: set[str] = set()
    for item, path in cases():
        html, given = fixture(path)
        page_as_sent = capture(html, **given)
        before = gather_finding(item, page_as_sent)
        if before.verdict not in AGAINST or not before.fixes:
            continue
        tried.add(item.id)
        pasted = paste(page_as_sent, before.fixes)
        assert pasted is not None, (item.id, path.name)
        after = gather_finding(item, pasted)
        if after.verdict in WELL:
            settled.add(item.id)
        written = {fix.code for fix in before.fixes if fix.place is FixPlace.ELEMENT and fix.code}
        faulted = {evidence.text for evidence in after.evidence} if after.verdict in AGAINST else set()
        assert not written & faulted, (item.id, path.name)

    assert tried == settled
    assert len(settled) >= PASTED_AT_LEAST, sorted(settled)


def gather_finding(item: Check, page_as_sent: Capture) -> Finding:
    return findings_of(page_as_sent)[item.id]


def test_pasted_fixes_remove_their_finding_and_add_none() -> None:
    wrong = []
    for item, path in cases():
        html, given = fixture(path)
        page_as_sent = capture(html, **given)
        trial = try_fixes(page_as_sent, findings_of(page_as_sent), item.id)
        if trial is not None and not (trial.is_fixed and {(item.id, name) for name in trial.added} <= UNCOVERED):
            wrong.append((item.id, path.name, trial))

    assert wrong == []


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PAGES])
def test_fixes_of_whole_pages_remove_their_finding_and_add_none(path: Path) -> None:
    page_as_sent = capture(path.read_text(encoding="utf-8"))
    before = findings_of(page_as_sent)
    wrong = [(name, trial) for name in before if (trial := try_fixes(page_as_sent, before, name)) is not None and not trial.is_right]

    assert wrong == []


def test_code_that_adds_a_finding_is_not_right() -> None:
    html = page("<main><h1>Bread</h1><p>Text</p></main>", head="<title>Bread of the market and the mill</title>")
    page_as_sent = capture(html)
    before = findings_of(page_as_sent)
    wrong = Fix('<link rel="canonical" href="https://www.example.com/other">', FixPlace.HEAD)
    trial = try_fixes(
        page_as_sent, {**before, "canonical-valid": replace(before["canonical-valid"], offered_fixes=[wrong])}, "canonical-valid"
    )

    assert trial is not None
    assert (trial.is_fixed, trial.is_right) == (True, False)
    assert "canonical-self" in trial.added


def test_one_finding_is_tried_without_the_code_of_the_others() -> None:
    head = '<title>Bread</title><meta property="article:published_time" content="2026-10-01"><link rel="canonical" href="/bread">'
    page_as_sent = capture(page("<main><h1>Bread</h1><p>Text</p></main>", head=head), url="https://www.example.com/bread")
    before = findings_of(page_as_sent)
    og, canonical = (try_fixes(page_as_sent, before, name) for name in ("og-basic", "canonical-valid"))

    assert og is not None
    assert og.added == ("max-image-preview",)  # an article has to allow large previews
    assert canonical is not None
    assert canonical.is_right


def test_a_finding_that_noindex_covered_is_not_added_by_its_removal() -> None:
    head = '<title>Bread</title><meta name="robots" content="noindex"><meta property="og:type" content="article">'
    page_as_sent = capture(page("<main><h1>Bread</h1><p>Text</p></main>", head=head))
    before = findings_of(page_as_sent)
    trial = try_fixes(page_as_sent, before, "noindex")

    assert before["max-image-preview"].verdict is Verdict.INAPPLICABLE
    assert trial is not None
    assert trial.is_right


def test_code_for_the_head_is_not_pasted_into_a_script() -> None:
    text = "<html><head><script>d.write('</head><body onload=go()>')</script><body><p>x"
    assert pasted_text(text, [Fix("<meta name=a>", FixPlace.HEAD)]) == text.replace("<body><p>", "<meta name=a>\n<body><p>")


def test_code_whose_place_is_not_in_the_page_is_not_pasted() -> None:
    assert paste(capture(page()), [Fix("<p>", FixPlace.ELEMENT, "<b>", 3, 1)]) is None
    assert paste(capture(page()), []) is None


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
    html = page("<h1>Prices</h1>", head='<title>Prices</title><meta property="og:url" content="https://www.example.com/prices">')
    shown = [fix.code for found in findings(html, url=f"{origin}/prices").values() for fix in found.fixes]

    assert [code for code in shown if origin in code] == []
    assert finding("canonical-valid", html, url="https://www.example.com/prices").fixes
