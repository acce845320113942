"""A report is stored compactly and comes back as it was."""

import json
import re

import pytest
from msgspec import structs

from findable.checks.engine import Evidence, finding_key
from findable.errors import Cause, PageError, PageErrorCode
from findable.reports.acceptance import Acceptance
from findable.reports.analysis import analyse, with_acceptances
from findable.reports.report import Report, unloaded_report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Verdict
from findable.wording import wording
from tests.checks.harness import capture, page
from tests.mutations.world import NAMES, captured, site


@pytest.mark.parametrize("name", NAMES)
def test_a_report_comes_back_as_it_was(name: str) -> None:
    told = site(name)
    report = analyse(captured(told.html, told.keywords))

    assert Report.from_bytes(report.to_bytes()) == report
    assert Report.from_bytes(report.to_bytes()).to_bytes() == report.to_bytes()


def test_keys_and_empty_members_of_findings_are_not_stored() -> None:
    stored = json.loads(analyse(capture(page())).to_bytes())

    assert not any({"key", "accepted"} & finding.keys() for finding in stored["findings"])
    assert not any(None in finding.values() or "" in finding.values() for finding in stored["findings"])


def test_half_a_character_is_stored_as_a_question_mark() -> None:
    report = structs.replace(analyse(capture(page())), url="https://example.com/\ud800")

    assert Report.from_bytes(report.to_bytes()).url == "https://example.com/?"


def test_the_key_follows_from_the_evidence_but_not_from_its_lines() -> None:
    one, other = (
        ReportedFinding(id="noindex", verdict=Verdict.FAILED, message="x", evidence=(Evidence("text", text, line=line),))
        for text, line in (("a  b", 1), ("a b", 2))
    )
    changed = structs.replace(one, evidence=(Evidence("text", "c"),))

    assert one.key == other.key != changed.key


@pytest.mark.parametrize("language", ["en", "de"])
def test_texts_of_findings_have_no_line_breaks_and_begin_with_a_capital(language: str) -> None:
    say = wording(language)
    for finding in analyse(capture(page())).findings:
        for text in (finding.why_it_matters(say), finding.how_to_fix(say), finding.source(say)):
            prose = "\n\n".join(block for block in text.split("\n\n") if not block.startswith("    "))
            assert not re.search(r"[^\n]\n(?![\n-])", prose), finding.id
            assert not text[0].islower(), finding.id


def test_showing_that_an_element_has_content_changes_no_key() -> None:
    before, now = (finding_key("title-present", [("element", "", text, "html > head")]) for text in ("<head></head>", "<head> … </head>"))
    ellipsis = finding_key("title-present", [("element", "", "<head>…</head>", "html > head")])

    assert before == now != ellipsis


def test_acceptances_given_later_change_the_report_as_if_they_had_been_there() -> None:
    seen = capture(page(head="<title></title>"))
    accepted = [Acceptance("title-present", "Known.")]

    assert with_acceptances(analyse(seen), accepted, "2026-11-21") == analyse(seen, acceptances=accepted)
    assert with_acceptances(analyse(seen, acceptances=accepted), (), "2026-11-21") == analyse(seen)


def test_a_page_that_could_not_be_loaded_has_an_error_and_nothing_else() -> None:
    report = unloaded_report("https://example.com/", PageError(PageErrorCode.DNS_FAILED, Cause.NAME_NOT_FOUND), "2026-11-21T10:00:00Z")

    assert (report.was_loaded, report.score, report.findings) == (False, None, ())
    assert report.error
    assert (report.error.code, report.error.code.retryable) == ("dns_failed", True)
    assert Report.from_bytes(report.to_bytes()) == report
