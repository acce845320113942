"""Code of fixes, tried on the page before it is shown."""

import json
from pathlib import Path

import msgspec
import pytest

from findable.checks.page_fix import Fix, FixPlace
from findable.export.report_json import command_report
from findable.reports.analysis import analyse
from findable.reports.fix_trial import findings_of, pasted_text, try_fixes, with_tried_fixes
from findable.reports.reported_finding import AGAINST
from findable.vocabulary import Verdict
from tests.checks.harness import capture, page

COMPACT_BYTES = 20_000
TEXTS = frozenset({"why", "how_to_fix", "source", "question"})


def test_code_that_adds_a_finding_is_left_out_and_other_code_stays() -> None:
    head = '<title>Bread</title><meta property="article:published_time" content="2026-10-01"><link rel="canonical" href="/bread">'
    page_as_sent = capture(page("<main><h1>Bread</h1><p>Text</p></main>", head=head), url="https://www.example.com/bread")
    report = analyse(page_as_sent)
    fixes = {finding.id: finding.fixes for finding in report.findings}
    tried = {finding.id: finding.fixes for finding in with_tried_fixes(report, page_as_sent).findings}

    assert fixes["og-basic"]
    assert tried["og-basic"] == ()  # an article has to allow large previews
    assert tried["canonical-valid"] == fixes["canonical-valid"] != ()


def test_a_finding_that_noindex_covered_is_not_added_by_its_removal() -> None:
    head = '<title>Bread</title><meta name="robots" content="noindex"><meta property="og:type" content="article">'
    page_as_sent = capture(page("<main><h1>Bread</h1><p>Text</p></main>", head=head))
    before = findings_of(page_as_sent)
    trial = try_fixes(page_as_sent, before, "noindex")

    assert before["max-image-preview"].verdict is Verdict.INAPPLICABLE
    assert trial is not None
    assert trial.is_right


def test_a_finding_in_json_has_its_code_and_the_command_that_verifies_it() -> None:
    html = page("<main><h1>Bread</h1><p>Text</p></main>", head='<title>Bread</title><link rel="canonical" href="/bread">')
    report = msgspec.to_builtins(command_report(analyse(capture(html, url="https://www.example.com/bread"))))
    results = {finding["id"]: finding for finding in report["results"]}
    (code,) = results["canonical-valid"]["fix"]

    assert (code["place"], code["before"]) == ("element", '<link rel="canonical" href="/bread">')
    assert code["after"] == '<link rel="canonical" href="https://www.example.com/bread">'
    assert html.split("\n")[code["line"] - 1][code["column"] - 1 :].startswith(code["before"])
    assert results["canonical-valid"]["verify"] == f"findable recheck report.json {results['canonical-valid']['key']}"
    assert "verify" not in results["title-present"]
    assert all(
        ("verify" in finding) == (Verdict(finding["verdict"]) in AGAINST) for finding in report["results"] if finding["verdict"] != "info"
    )


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in sorted((Path(__file__).parent / "bad_pages").glob("*.html"))]
)
def test_the_findings_of_a_bad_page_without_texts_are_short(path: Path) -> None:
    report = msgspec.to_builtins(command_report(analyse(capture(path.read_bytes()))))
    short = [
        {name: value for name, value in finding.items() if name not in TEXTS}
        for finding in report["results"]
        if finding["verdict"] in ("failed", "warned")
    ]

    assert len(json.dumps(short, ensure_ascii=False)) <= COMPACT_BYTES


def test_code_for_the_head_is_not_pasted_into_a_script() -> None:
    text = "<html><head><script>d.write('</head><body onload=go()>')</script><body><p>x"
    assert pasted_text(text, [Fix("<meta name=a>", FixPlace.HEAD)]) == text.replace("<body><p>", "<meta name=a>\n<body><p>")
