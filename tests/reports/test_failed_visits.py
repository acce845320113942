"""Reports for which the browser was asked but could not load the page."""

import pytest
from msgspec.structs import replace

from findable.capture.rendering import RenderingFailure
from findable.reports.analysis import analyse
from findable.reports.browser_notice import browser_notice
from findable.reports.browser_words import lab_summary
from findable.reports.report import Report
from findable.vocabulary import Verdict
from findable.wording import ENGLISH, wording
from tests.checks.harness import capture, page, rendering
from tests.web.filmed_report import filmed

UNTRUSTED = "net::ERR_CERT_AUTHORITY_INVALID"


def failed(failure: RenderingFailure, detail: str = "") -> Report:
    return analyse(capture(page(), rendering=replace(rendering(""), failure=failure, detail=detail)))


@pytest.mark.parametrize(
    ("failure", "detail", "english", "german"),
    [
        (
            RenderingFailure.CERTIFICATE,
            UNTRUSTED,
            "The browser could not load the page: it does not trust the certificate (net::ERR_CERT_AUTHORITY_INVALID).",
            "Der Browser konnte die Seite nicht laden: Er vertraut ihrem Zertifikat nicht (net::ERR_CERT_AUTHORITY_INVALID).",
        ),
        (
            RenderingFailure.UNREACHABLE,
            "net::ERR_TUNNEL_CONNECTION_FAILED",
            "The browser could not load the page (net::ERR_TUNNEL_CONNECTION_FAILED).",
            "Der Browser konnte die Seite nicht laden (net::ERR_TUNNEL_CONNECTION_FAILED).",
        ),
        (
            RenderingFailure.UNREACHABLE,
            "/home/nobody is not readable",
            "The browser could not load the page. ",
            "Der Browser konnte die Seite nicht laden. ",
        ),
    ],
    ids=["certificate", "network error", "other text"],
)
def test_the_reason_of_a_failed_load_is_in_the_report(failure: RenderingFailure, detail: str, english: str, german: str) -> None:
    report = failed(failure, detail)
    assert report.facts.browser
    assert (report.facts.browser.failure, report.facts.browser.failure_detail) == (failure, detail if detail.startswith("net::") else "")
    assert browser_notice(report, ENGLISH).startswith(english)
    assert browser_notice(report, wording("de")).startswith(german)


def test_performance_is_named_delivery_if_the_browser_loaded_nothing() -> None:
    def title(report: Report) -> str:
        return next(one.title for one in report.categories if one.id == "performance")

    without = failed(RenderingFailure.CERTIFICATE, UNTRUSTED)
    assert title(without) == "Delivery (no browser)"
    assert {without.finding(name).verdict for name in ("lcp", "console-errors")} == {Verdict.UNKNOWN}  # type: ignore[union-attr]  # both exist
    assert title(analyse(capture(page(), rendering=rendering(page())))) == "Performance"


def test_lab_values_are_one_line_that_says_if_they_are_not_rated() -> None:
    facts = analyse(capture(page(), rendering=filmed())).facts.browser
    assert facts
    assert facts.lab
    calm = replace(facts, lab=replace(facts.lab, machine_was_busy=False))
    busy = replace(facts, lab=replace(facts.lab, machine_was_busy=True))
    values = lab_summary(calm, ENGLISH)
    assert values.startswith("LCP ")
    assert ", CLS " in values
    assert ", blocking time " in values
    assert lab_summary(busy, ENGLISH) == f"Not rated, because the machine of this service was busy: {values}"
    assert lab_summary(replace(facts, metrics=()), ENGLISH) == ""
