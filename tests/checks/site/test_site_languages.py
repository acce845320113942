"""Language versions of a whole site: first what must not be flagged, then what must."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import Reason
from findable.capture.site_languages import ANY, CrawledLanguages, LanguageFault
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.harness import capture
from tests.checks.site.harness import SITE, finding

LANGUAGE_CHECKS = ("site-hreflang-return", "site-hreflang-target", "site-hreflang-conflict")
FAULT = LanguageFault("de", "fr", "/fr/*", 40, ((f"{SITE}/fr/a", f"{SITE}/de/a", "de"),))
SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>{0}/de/a</loc>'
    '<xhtml:link rel="alternate" hreflang="fr" href="{0}/fr/a"/></url></urlset>'
)


@pytest.mark.parametrize("check_id", LANGUAGE_CHECKS)
def test_versions_in_order_pass_and_sites_without_are_not_judged(check_id: str) -> None:
    assert finding(check_id, CrawledLanguages(80, unknown_count=3)).verdict is Verdict.PASSED
    assert finding(check_id, CrawledLanguages(0)).verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("fault", "message", "name"),
    [
        (FAULT, "40 pages do not link back to the version “de”", "“de” and “fr” in /fr/*"),
        (replace(FAULT, source=ANY), "40 pages do not link back to the other language versions", "“fr” in /fr/*"),
    ],
)
def test_versions_without_return_fail_once_for_a_language(fault: LanguageFault, message: str, name: str) -> None:
    found = finding("site-hreflang-return", CrawledLanguages(80, no_return=(fault,)))
    (cause,) = found.causes
    assert (found.verdict, render(cause.message, cause.params)) == (Verdict.FAILED, message)
    assert render(cause.cause.name, cause.cause.params) == name
    assert render(cause.evidence[0].note, cause.evidence[0].params) == f"does not link back to {SITE}/de/a"
    assert f'hreflang="de" href="{SITE}/de/a"> to {SITE}/fr/a' in render(cause.advice, cause.params)


def test_a_sitemap_with_versions_may_hold_the_return() -> None:
    site = capture(url=f"{SITE}/", sitemaps={f"{SITE}/sitemap.xml": {"body": SITEMAP.format(SITE)}}).site
    languages = CrawledLanguages(80, no_return=(FAULT,))
    assert finding("site-hreflang-return", languages, site).verdict is Verdict.UNKNOWN
    assert finding("site-hreflang-return", CrawledLanguages(80), site).verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("fr", "40 pages declare a version “fr” that is not indexable (it returns an error)"),
        (ANY, "40 pages declare versions that are not indexable (it returns an error)"),
    ],
)
def test_versions_that_are_not_indexable_fail(target: str, message: str) -> None:
    fault = replace(FAULT, source=ANY, target=target, reason=Reason.STATUS, status=404)
    found = finding("site-hreflang-target", CrawledLanguages(80, bad_targets=(fault,)))
    (cause,) = found.causes
    assert (found.verdict, render(cause.message, cause.params)) == (Verdict.FAILED, message)
    assert (cause.evidence[0].url, cause.evidence[0].status) == (f"{SITE}/de/a", 404)


def test_a_page_in_two_languages_warns() -> None:
    found = finding("site-hreflang-conflict", CrawledLanguages(80, conflicts=(FAULT, replace(FAULT, source=ANY))))
    assert [render(item.message, item.params) for item in found.causes] == [
        "40 pages are declared as “de” and as “fr”",
        "40 pages are declared as “fr” and as other languages",
    ]
    assert found.verdict is Verdict.WARNED
