"""Whether Google can index a page, from its facts, in one sentence that requires no SEO knowledge."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from findable.artifacts.page.canonical import VARIANTS
from findable.artifacts.page.private_hosts import is_private_copy
from findable.vocabulary import Code, Fault, Verdict
from findable.wording import Translator, later

if TYPE_CHECKING:
    from findable.reports.report import Report

GOOGLE = "Googlebot"
_FIRST_ERROR = 300


class Listing(Code):
    """Result with the first reason that applies."""

    CAN = "can", later("Google can index this page.")
    STATUS = "status", later("Google cannot index this page: it returns %(status)s.")
    """The page does not return its content."""
    BLOCKED = "blocked", later("Google may not read this page: robots.txt blocks it.")
    """robots.txt prevents Google from fetching the page."""
    TOLD_NOT = "told_not", later("The page tells Google not to index it.")
    OTHER_URL = "other_url", later("The page declares another canonical URL, which Google indexes instead.")
    """The page declares another URL as canonical."""
    VARIANT = "variant", later("This page is a variant or a copy: Google indexes the URL that it declares as canonical.")
    """The page is a variant or a copy of its canonical URL, which Google may index."""
    NO_CONTENT = "no_content", later("Google is unlikely to index this page: it looks like an error page.")
    """The page looks like an error page."""
    COOKIE = "cookie", later("Google cannot index this page: without a cookie, it redirects in a loop.")
    """The page redirects in a loop without a cookie."""
    UNKNOWN = "unknown", later("It is not known whether Google can index this page.")
    """The page, robots.txt or the directives of the page could not be read."""


LISTING_CHECKS: Mapping[Listing, str] = {
    Listing.STATUS: "http-status",
    Listing.BLOCKED: "robots-txt-allows",
    Listing.TOLD_NOT: "noindex",
    Listing.OTHER_URL: "canonical-self",
    Listing.VARIANT: "canonical-self",
    Listing.NO_CONTENT: "soft-404",
    Listing.COOKIE: "redirect-chain",
    Listing.UNKNOWN: "robots-txt-allows",
}
"""Check with details about each result, to which texts about indexing link."""


_FIXABLE = (Listing.BLOCKED, Listing.TOLD_NOT, Listing.NO_CONTENT)
"""Reasons that apply to a page which returns its content and declares no other URL."""

REASON_WORDS: Mapping[Listing, str] = {
    Listing.STATUS: later("returns an error"),
    Listing.BLOCKED: later("blocked by robots.txt"),
    Listing.TOLD_NOT: later("tells Google not to index it"),
    Listing.OTHER_URL: later("declares another canonical URL"),
    Listing.VARIANT: later("is a variant of its canonical URL"),
    Listing.NO_CONTENT: later("looks like an error page"),
    Listing.COOKIE: later("redirects in a loop without a cookie"),
    Listing.UNKNOWN: later("not known"),
}
"""Reasons against listing for a line of a list, those that no visitor can overlook first."""


class GoogleListing(Struct, frozen=True):
    """Whether Google can index a page, with the sentence that says so."""

    answer: Listing
    words: str
    check: str
    """Check with details; empty for none."""

    @property
    def mark(self) -> str:
        """Name of the icon."""
        if self.answer is Listing.CAN:
            return "passed"
        return {Listing.UNKNOWN: "unknown", Listing.OTHER_URL: "warned", Listing.VARIANT: "info"}.get(self.answer, "failed")


def google_listing(report: "Report", say: Translator) -> GoogleListing | None:
    """Return whether Google can index the page of a report, as a sentence; None if the page could not be loaded."""
    if report.error is not None or not report.findings:
        return None
    answer = listing_of(report)
    return GoogleListing(answer, say(answer.words, status=status_of(report) or "–"), LISTING_CHECKS.get(answer, ""))


def listing_of_pages(counts: Mapping[Listing, int], say: Translator, status: int | None = None) -> str:
    """Return a sentence with the number of pages that Google can index; empty without pages.

    URLs that return an error are counted in a second sentence. ``status``: HTTP status of the page, if there is only one.
    """
    errors, listed, unknown = (counts.get(one, 0) for one in (Listing.STATUS, Listing.CAN, Listing.UNKNOWN))
    pages = sum(counts.values()) - errors
    if pages + errors == 1:
        answer = next(one for one, count in counts.items() if count)
        if answer is Listing.STATUS and status is None:
            return say("Google cannot index this page: it returns an error.")
        return say(answer.words, status=status)
    if not listed and not unknown:
        count = pages + errors
        return say.plural("Google cannot index the page.", "Google can index none of the %(count)s pages.", count) if count else ""
    return " ".join(filter(None, (_listing_of_loaded(pages, listed, unknown, say), errors_sentence(errors, say))))


def _listing_of_loaded(pages: int, listed: int, unknown: int, say: Translator) -> str:
    if unknown == pages:
        return say.plural(
            "It is not known whether Google can index this page.", "It is not known whether Google can index these pages.", pages
        )
    if listed == pages:
        return say.plural("Google can index the page.", "Google can index all %(count)s pages.", pages)
    known = say("Google can index %(indexable)s of %(pages)s pages.", indexable=say.number(listed), pages=say.number(pages))
    if not unknown:
        return known
    return f"{known} {say.plural('%(count)s is not known.', '%(count)s are not known.', unknown)}"


def errors_sentence(count: int, say: Translator) -> str:
    """Return a sentence with the number of URLs that return an error, to follow that about pages; empty for none."""
    return say.plural("%(count)s more URL returns an error.", "%(count)s more URLs return an error.", count) if count else ""


def unknown_listing(say: Translator) -> GoogleListing:
    """Return the sentence for a page that could not be loaded, so that indexing is unknown."""
    return GoogleListing(Listing.UNKNOWN, say(Listing.UNKNOWN.words), "")


def status_of(report: "Report") -> int | None:
    """Return the HTTP status of the page of a report; None if it is not known."""
    timings = report.facts.timings
    return timings.hops[-1].status if timings and timings.hops else None


def listing_of(report: "Report") -> Listing:
    """Return whether Google can index a page that could be loaded, with the first reason against it."""
    facts = report.facts
    if _has_failed(report, "http-status") or (status_of(report) or 0) >= _FIRST_ERROR:
        return Listing.STATUS
    allowed = next((bot.allowed for bot in facts.robots.bots if bot.token == GOOGLE), None) if facts.robots else None
    if allowed is False:
        return Listing.BLOCKED
    if facts.timings and len({hop.url for hop in facts.timings.hops}) < len(facts.timings.hops):
        return Listing.COOKIE  # only with cookies is a URL requested twice
    if facts.robots_directives and facts.robots_directives.google.noindex:
        return Listing.TOLD_NOT
    if facts.canonical and facts.canonical.target and facts.canonical.differences:
        return Listing.VARIANT if _is_variant(report, facts.canonical.differences) else Listing.OTHER_URL
    if _has_failed(report, "soft-404"):
        return Listing.NO_CONTENT
    return Listing.UNKNOWN if allowed is None or not facts.robots_directives else Listing.CAN


def _is_variant(report: "Report", differences: Iterable[str]) -> bool:
    """Return whether the canonical URL of a page has the same content, and Google may index it as far as is known."""
    own = report.finding(LISTING_CHECKS[Listing.VARIANT])
    is_copy = own is not None and own.verdict in (Verdict.PASSED, Verdict.INFO)
    is_form = VARIANTS.issuperset(differences) and (own is None or own.fault != Fault.CANONICAL_FIRST_PAGE)
    is_private = is_private_copy(report.url, report.facts.canonical_url)
    return (is_copy or is_form or is_private) and not _has_failed(report, "canonical-target")


def listing_fix(report: "Report") -> str:
    """Return the check whose fix alone makes the page listable; empty if several checks prevent it, or none."""
    reason, canonical = listing_of(report), report.facts.canonical
    if reason not in _FIXABLE or (canonical and canonical.target and canonical.differences):
        return ""
    failing = [check for check in (LISTING_CHECKS[one] for one in _FIXABLE) if _has_failed(report, check)]
    return failing[0] if failing == [LISTING_CHECKS[reason]] else ""


def _has_failed(report: "Report", check: str) -> bool:
    finding = report.finding(check)
    return finding is not None and finding.verdict is Verdict.FAILED
