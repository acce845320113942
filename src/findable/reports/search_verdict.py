"""Verdict of a site or page in search: the one table of what its newest result means (docs/explanation/verdict.md).

`found_by_crawl` and `found_on_page` return what a result shows, `over_time` the verdict of the subject after it.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from msgspec import Struct, field, structs

from findable.artifacts.page.private_hosts import is_private_copy
from findable.capture.crawl import CrawlEnd, CrawlSummary, Narrower, Reason, StartPage
from findable.capture.response import NOT_REQUESTED, Failure
from findable.capture.status_classes import OK, is_error, is_server_error
from findable.checks.engine import Check
from findable.errors import Cause, PageError, PageErrorCode
from findable.reports.google_listing import Listing
from findable.vocabulary import Code, Rating, words_of
from findable.wording import ENGLISH, Message, Translator, later

BAD_AFTER = timedelta(hours=24)
"""Time after which a subject that cannot be reached is bad, if no other result confirmed it before (set by Findable)."""
CONFIRMED_AFTER = timedelta(minutes=1)
"""Time after the first result that shows that a subject cannot be reached, from which another one confirms it (set by Findable)."""
DEINDEXED_SCORE = 0
"""Score of a site of which no page can be indexed, and of one that cannot be reached."""
UNAUTHORIZED = 401
_DENIED = frozenset({UNAUTHORIZED, 403, 407, 429, 451})
"""Statuses that a server may return to unknown programs only."""


class VerdictCode(Code):
    """Verdict of a site or page, as in the API."""

    INDEXABLE = "indexable"
    DEINDEXED = "deindexed"
    UNREACHABLE = "unreachable"
    BLOCKED_FOR_US = "blocked_for_us"
    NEEDS_BROWSER = "needs_browser"
    NARROWER = "narrower"
    NOT_FOR_SEARCH = "not_for_search"
    EXPOSED = "exposed"
    UNKNOWN = "unknown"


class VerdictCause(Code):
    """Cause of a verdict."""

    NONE = ""
    NOINDEX = "noindex"
    ROBOTS = "robots"
    CANONICAL = "canonical"
    STATUS = "status"
    MIXED = "mixed"
    SOFT_404 = "soft_404"
    COOKIE = "cookie"
    """Without a cookie, the pages redirect in a loop."""
    ROBOTS_STATUS = "robots_status"
    ROBOTS_TIMEOUT = "robots_timeout"
    SERVER_ERROR = "server_error"
    NO_RESPONSE = "no_response"
    CHALLENGE = "challenge"
    DENIED = "denied"
    DISALLOWED = "disallowed"
    """robots.txt disallows this crawler, but not Googlebot."""
    REDIRECT = "redirect"
    """The start page redirects to a URL that was not loaded."""
    NOT_HTML = "not_html"


class SearchVerdict(Struct, frozen=True):
    """Verdict of a site or page in search."""

    code: VerdictCode
    cause: VerdictCause = VerdictCause.NONE
    is_site: bool = True
    values: Mapping[str, str | int] = field(default_factory=dict)
    """Values of the sentence: status, line and rule of robots.txt, site, indexable, pages, problem; of a narrower crawl ``reason``."""
    since: datetime | None = None
    """Time of the first result with this code; None for a single result."""
    is_confirmed: bool = False
    """Whether a later result confirmed that it cannot be reached."""

    @property
    def is_bad(self) -> bool:
        """Whether the subject is rated bad because of this verdict alone. A single page that Google should not index is not."""
        if self.code is VerdictCode.UNREACHABLE:
            return self.is_confirmed
        return self.code is VerdictCode.DEINDEXED or (self.code is VerdictCode.EXPOSED and self.is_site)

    @property
    def is_away(self) -> bool:
        """Whether the subject is rated bad because it cannot be reached: then no fix of an earlier result gains anything."""
        return self.code is VerdictCode.UNREACHABLE and self.is_bad

    @property
    def is_alarming(self) -> bool:
        """Whether it is shown in red before the rating."""
        return self.code in (VerdictCode.DEINDEXED, VerdictCode.EXPOSED, VerdictCode.UNREACHABLE)

    @property
    def is_unconfirmed(self) -> bool:
        """Whether it is shown in red, but does not decide the rating yet: another look has to confirm it."""
        return self.is_alarming and not self.is_bad

    @property
    def leaves_rating(self) -> bool:
        """Whether the rating of the subject is that of an earlier result: no other result has confirmed yet that it cannot be reached."""
        return self.code is VerdictCode.UNREACHABLE and not self.is_bad

    @property
    def needs_words(self) -> bool:
        """Whether it says more than the rating and the number of indexable pages do."""
        return self.code is not VerdictCode.INDEXABLE and (self.code, self.cause) not in _WITHOUT_WORDS

    @property
    def is_not_for_search(self) -> bool:
        """Whether the subject is not meant for search."""
        return self.code in (VerdictCode.NOT_FOR_SEARCH, VerdictCode.EXPOSED)

    def is_of_interest(self, check: Check) -> bool:
        """Return whether a finding of a check can be a fault: what keeps pages out of search is none if they are not meant for it."""
        return not (self.is_not_for_search and check.indexing_only)

    def rating(self, known: Rating | None) -> Rating | None:
        """Return the rating of the subject; ``known`` is the rating of its last result that counted."""
        if self.is_bad:
            return Rating.BAD
        return None if self._is_unrated else known

    def score(self, known: int | None) -> int | None:
        """Return the score of the subject; ``known`` is the score of its last result that counted.

        A page that Google cannot index has its own score, which is bad: only a site has none of its pages.
        """
        if self.is_bad and (self.is_site or self.code is VerdictCode.UNREACHABLE):
            return DEINDEXED_SCORE
        return None if self._is_unrated else known

    @property
    def _is_unrated(self) -> bool:
        return self.code is VerdictCode.BLOCKED_FOR_US or (self.code is VerdictCode.NOT_FOR_SEARCH and self.is_site)

    def sentence(self, say: Translator = ENGLISH) -> str:
        """Return the verdict with its cause."""
        return self._said(_SENTENCES, say)

    def next_step(self, say: Translator = ENGLISH) -> str:
        """Return what to do next; empty for nothing."""
        step = _REACH_STEPS.get(str(self.values.get("problem", ""))) if self.code is VerdictCode.UNREACHABLE else None
        return say(step) if step else self._said(_STEPS, say)

    def consequence(self, say: Translator = ENGLISH) -> str:
        """Return what Google does meanwhile, by its documentation; empty if that does not apply."""
        return self._said(_CONSEQUENCES, say)

    def sentences(self, say: Translator = ENGLISH) -> tuple[str, ...]:
        """Return the verdict, its consequence and the next step; nothing if the rating says it all."""
        if not self.needs_words:
            return ()
        return tuple(filter(None, (self.sentence(say), self.consequence(say), self.next_step(say))))

    def _said(self, templates: "_Templates", say: Translator) -> str:
        needs_login = self.cause is VerdictCause.DENIED and self.values.get("status") == UNAUTHORIZED
        found = templates.get((self.code, _LOGIN if needs_login else self.cause)) or templates.get((self.code, VerdictCause.NONE))
        if found is None:
            return ""
        template = found if isinstance(found, str) else found[not self.is_site]
        if "%" not in template:
            return say(template)
        values: dict[str, object] = {"status": "", "line": "", "site": "", "url": "", "indexable": 0, "pages": 0, **self.values}
        if problem := self.values.get("problem"):
            words = _problem(str(problem), self.values, say)
            values["problem"] = words[:1].upper() + words[1:]
        if rule := self.values.get("rule"):
            values["line"] = _robots_line(str(rule), int(self.values["line"]), say)
        if reason := self.values.get("reason"):
            values["reason"] = say.text(Narrower(str(reason)).words)
        values |= {name: say.number(number) for name in ("indexable", "pages") if isinstance(number := values[name], int)}
        return say(template, **values)


def blocking_line(start: StartPage, say: Translator = ENGLISH) -> str:
    """Return the line of robots.txt that disallows the start page for this crawler, else for Googlebot; empty for none."""
    if start.blocks_findable:
        return _robots_line(start.blocks_findable, start.blocks_findable_line, say)
    return _robots_line(start.blocks_google, start.blocks_google_line, say)


def _robots_line(rule: str, number: int, say: Translator) -> str:
    """Return a rule of robots.txt with the number of its line; results of earlier versions have the number in the rule."""
    return say("line %(number)s: %(rule)s", number=number, rule=rule) if number else rule


def _problem(code: str, values: Mapping[str, str | int], say: Translator) -> str:
    """Return the sentence of a failed request: by its specific cause if there is one, else by the failure or page error."""
    if (cause := _CAUSES.get(str(values.get("cause", "")))) is not None:
        texts = {
            "host": values.get("host", ""),
            "text": str(values.get("detail", "")).removesuffix("."),
            "status": values.get("status", ""),
        }
        return say.text(Message(cause.words, **texts)).removesuffix(".")
    error = next((one for one in PageErrorCode if one.value == code), None)
    return say.text(error.words).removesuffix(".") if error else say.text(Failure(code).words)


_CAUSES = {cause.value: cause for cause in Cause if not re.search(r"%\((?!host|text|status)", cause.words)}
"""Causes whose sentence needs only the values of a failed request."""


_Templates = Mapping[tuple[VerdictCode, str], str | tuple[str, str]]
"""Sentences by code and cause, or `_LOGIN`; a pair has that about a site and that about a page."""
_LOGIN = "login"
"""Status 401, with which a server requires a login of everybody."""
_V, _C = VerdictCode, VerdictCause
_SENTENCES: _Templates = {
    (_V.INDEXABLE, _C.NONE): (later("Google can index %(indexable)s of %(pages)s pages."), later("Google can index this page.")),
    (_V.INDEXABLE, _C.CANONICAL): (
        later("Google can index %(indexable)s of %(pages)s pages."),
        later("This page is a variant or a copy: Google indexes the URL that it declares as canonical."),
    ),
    (_V.DEINDEXED, _C.NOINDEX): (
        later("Google cannot index any page of this site: all pages are noindex."),
        later("Google cannot index this page: it is noindex."),
    ),
    (_V.DEINDEXED, _C.ROBOTS): (
        later("Google may not read this site: robots.txt disallows it (%(line)s)."),
        later("Google may not read this page: robots.txt disallows it."),
    ),
    (_V.DEINDEXED, _C.CANONICAL): (
        later("Google cannot index any page of this site: all pages declare pages of %(site)s as canonical."),
        later("Google does not index this page: it declares another page as canonical."),
    ),
    (_V.DEINDEXED, _C.STATUS): (
        later("Google cannot index this site: its start page returns %(status)s, and no other page was found."),
        later("Google cannot index this page: it returns %(status)s."),
    ),
    (_V.DEINDEXED, _C.SOFT_404): (
        later("Google is unlikely to index this site: its pages look like error pages."),
        later("Google is unlikely to index this page: it looks like an error page."),
    ),
    (_V.DEINDEXED, _C.COOKIE): (
        later("Google cannot index any page of this site: without a cookie, all pages redirect in a loop."),
        later("Google cannot index this page: without a cookie, it redirects in a loop."),
    ),
    (_V.DEINDEXED, _C.NONE): later(
        "Google cannot index any page of this site: they are noindex, disallowed by robots.txt or declare another site as canonical."
    ),
    (_V.UNREACHABLE, _C.ROBOTS_STATUS): later("robots.txt returns %(status)s: Google stops crawling the site."),
    (_V.UNREACHABLE, _C.ROBOTS_TIMEOUT): later("robots.txt cannot be read: Google stops crawling the site."),
    (_V.UNREACHABLE, _C.SERVER_ERROR): (
        later("The site cannot be reached: its start page returns %(status)s."),
        later("The page cannot be reached: it returns %(status)s."),
    ),
    (_V.UNREACHABLE, _C.NONE): (later("The site cannot be reached. %(problem)s."), later("The page cannot be reached. %(problem)s.")),
    (_V.BLOCKED_FOR_US, _C.CHALLENGE): (
        later("Not rated: the site returns a bot challenge or login page instead of its pages. Visitors and Google may see the site."),
        later("Not rated: a bot challenge or login page was returned instead of the page. Visitors and Google may see the page."),
    ),
    (_V.BLOCKED_FOR_US, _C.DISALLOWED): later("Not rated: robots.txt disallows this crawler (%(line)s), but not Googlebot."),
    (_V.BLOCKED_FOR_US, _C.DENIED): (
        later("Not rated: the start page returns %(status)s to this service. Visitors and Google may see the site."),
        later("Not rated: the page returns %(status)s to this service. Visitors and Google may see the page."),
    ),
    (_V.BLOCKED_FOR_US, _LOGIN): (
        later("Not rated: the start page requires a login (401), which Google does not have either."),
        later("Not rated: the page requires a login (401), which Google does not have either."),
    ),
    (_V.BLOCKED_FOR_US, _C.NONE): (
        later("Not rated: the server rejects the requests of this service. Visitors and Google may see the site."),
        later("Not rated: the server rejects the requests of this service. Visitors and Google may see the page."),
    ),
    (_V.NEEDS_BROWSER, _C.NONE): (
        later("Not rated: scripts build the pages, and they were read without a browser."),
        later("Not rated: scripts build the page, and it was read without a browser."),
    ),
    (_V.NARROWER, _C.NONE): later("This crawl does not count for the rating of the site: %(reason)s."),
    (_V.NOT_FOR_SEARCH, _C.NONE): (
        later("This site is not meant for search, and Google cannot index any page of it."),
        later("This page is not meant for search, and Google cannot index it."),
    ),
    (_V.EXPOSED, _C.NONE): (
        later("This site is not meant for search, but Google can index %(indexable)s of %(pages)s pages."),
        later("This page is not meant for search, but Google can index it."),
    ),
    (_V.UNKNOWN, _C.REDIRECT): later("No page was crawled: the start page redirects to %(url)s, which was not loaded."),
    (_V.UNKNOWN, _C.NOT_HTML): later("No page was crawled: the start URL does not return an HTML page with links."),
    (_V.UNKNOWN, _C.NONE): (
        later("It is not known whether Google can index this site."),
        later("It is not known whether Google can index this page."),
    ),
}
_ROBOTS_CONSEQUENCE = later(
    "Google stops crawling a site for 12 hours if its robots.txt cannot be read, and then uses its last copy for up to 30 days."
)
_CONSEQUENCES: _Templates = {
    (_V.UNREACHABLE, _C.ROBOTS_STATUS): _ROBOTS_CONSEQUENCE,
    (_V.UNREACHABLE, _C.ROBOTS_TIMEOUT): _ROBOTS_CONSEQUENCE,
    (_V.UNREACHABLE, _C.NONE): later(
        "Google crawls a site less if its server fails, and drops pages that keep failing from search results."
    ),
}
_DNS_STEP = later("Check the spelling of the host and its records at the DNS provider, then try again.")
_CONNECT_STEP = later("Check that the server runs, that its firewall allows this service, and the port of the URL, then try again.")
_TLS_STEP = later("Install a valid certificate for this host, or use http:// if the server has no https, then try again.")
_TIMEOUT_STEP = later(
    "Check why the server responds so slowly, and whether its firewall drops the requests of this service, then try again."
)
_LOOP_STEP = later("Find the rules that redirect in a circle, often between http and https or with and without www, and remove one.")
_REACH_STEPS: Mapping[str, str] = {
    Failure.DNS.value: _DNS_STEP,
    Failure.CONNECT.value: _CONNECT_STEP,
    Failure.TLS.value: _TLS_STEP,
    Failure.TIMEOUT.value: _TIMEOUT_STEP,
    Failure.TOO_MANY_REDIRECTS.value: _LOOP_STEP,
    PageErrorCode.DNS_FAILED.value: _DNS_STEP,
    PageErrorCode.CONNECT_FAILED.value: _CONNECT_STEP,
    PageErrorCode.TLS_FAILED.value: _TLS_STEP,
    PageErrorCode.TARGET_TIMEOUT.value: _TIMEOUT_STEP,
}
"""Next steps by the problem of a request without a response."""
_STEPS: _Templates = {
    (_V.DEINDEXED, _C.NOINDEX): later("Remove noindex from the robots meta element or the X-Robots-Tag header."),
    (_V.DEINDEXED, _C.ROBOTS): later("Remove the line from robots.txt."),
    (_V.DEINDEXED, _C.CANONICAL): (
        later("Declare each page's own URL as canonical, or mark this project as not meant for search."),
        later("Declare the page's own URL as canonical."),
    ),
    (_V.DEINDEXED, _C.STATUS): (
        later("Return the start page with status 200."),
        later("Return the page with status 200, or remove the links to it."),
    ),
    (_V.DEINDEXED, _C.SOFT_404): later("Return the content of the page, or status 404."),
    (_V.DEINDEXED, _C.COOKIE): later("Return the page to requests without cookies."),
    (_V.DEINDEXED, _C.NONE): later("Remove noindex and the lines of robots.txt, and declare each page's own URL as canonical."),
    (_V.UNREACHABLE, _C.ROBOTS_STATUS): later(
        "Check whether the site works at all. Return robots.txt with status 200, or 404 if there is none."
    ),
    (_V.UNREACHABLE, _C.ROBOTS_TIMEOUT): later("Return robots.txt within a few seconds, with status 200 or 404."),
    (_V.UNREACHABLE, _C.SERVER_ERROR): later("Look for the error in the log of the server."),
    (_V.UNREACHABLE, _C.NONE): later(
        "Check the URL with http and https, the server, its certificate and its name servers, then try again."
    ),
    (_V.BLOCKED_FOR_US, _C.DISALLOWED): later("Allow Findable in robots.txt, or crawl with the rules for Googlebot."),
    (_V.BLOCKED_FOR_US, _LOGIN): later(
        "Add a login for the requests of this service: in the settings of the project, or with --header in the terminal."
    ),
    (_V.BLOCKED_FOR_US, _C.NONE): later(
        "Allow this service at the firewall or CDN, or add a login or header for its requests: in the settings of the project, "
        "or with --header in the terminal."
    ),
    (_V.UNKNOWN, _C.REDIRECT): later("Crawl from the URL that the redirects should lead to, or correct them."),
    (_V.UNKNOWN, _C.NOT_HTML): later("Crawl from the URL of a page of the site, like its home page."),
    (_V.NEEDS_BROWSER, _C.NONE): (
        later("Crawl again and render the pages in a browser."),
        later("Run again and load the page in a browser."),
    ),
    (_V.EXPOSED, _C.NONE): later("Require a login, or send X-Robots-Tag: noindex with every page."),
}

_WITHOUT_WORDS = frozenset({(_V.UNKNOWN, _C.NONE), (_V.UNKNOWN, _C.CANONICAL)})
_CAUSE_WITHOUT_PAGES = {Reason.REDIRECT: _C.REDIRECT, Reason.NOT_HTML: _C.NOT_HTML}
_CAUSE_OF_REASON = {Reason.NOINDEX: _C.NOINDEX, Reason.ROBOTS: _C.ROBOTS, Reason.CANONICAL: _C.CANONICAL, Reason.COOKIE: _C.COOKIE}


def found_by_crawl(summary: CrawlSummary, reason: Narrower | None = None) -> SearchVerdict:
    """Return what a crawl shows about the site.

    Args:
        summary: the crawled site.
        reason: respect in which the crawl covers less than the last one that counted; None if it does not.
    """
    found = crawl_alone(summary)
    is_home = summary.start is not None and summary.start.is_home
    if found.code in (VerdictCode.UNREACHABLE, VerdictCode.BLOCKED_FOR_US) and (is_home or _is_of_host(found)):
        return found
    if found.code is VerdictCode.DEINDEXED and is_home and reason is not Narrower.PREVIEW:
        return found
    if reason is None and found.code in (VerdictCode.DEINDEXED, VerdictCode.UNREACHABLE, VerdictCode.BLOCKED_FOR_US):
        reason = Narrower.FOLDER
    return found if reason is None else SearchVerdict(VerdictCode.NARROWER, values={**found.values, "reason": reason.value})


def is_deindexed(summary: CrawlSummary) -> bool:
    """Return whether a crawl that follows links found no page that Google may index, although it could read the site."""
    return crawl_alone(summary).code is VerdictCode.DEINDEXED


def _is_of_host(found: SearchVerdict) -> bool:
    """Return whether a verdict is about the host, whatever URL was requested."""
    return found.cause in (VerdictCause.ROBOTS_STATUS, VerdictCause.ROBOTS_TIMEOUT, VerdictCause.NO_RESPONSE)


def crawl_alone(summary: CrawlSummary) -> SearchVerdict:
    """Return what a crawl shows about what it covered, without regard to other crawls."""
    numbers: Mapping[str, str | int] = {"indexable": summary.indexable_count, "pages": summary.pages_count}
    if (start := summary.start) is not None and (early := _found_at_start(start)) is not None:
        return structs.replace(early, values={**numbers, **early.values})
    if summary.ended_by is CrawlEnd.NEEDS_BROWSER:
        return SearchVerdict(VerdictCode.NEEDS_BROWSER, values=numbers)
    if summary.ended_by is CrawlEnd.UNREACHABLE:
        values = {**numbers, "problem": Failure.TIMEOUT.value}
        return SearchVerdict(VerdictCode.UNREACHABLE, VerdictCause.NO_RESPONSE, values=values)
    if summary.indexable_count:
        return SearchVerdict(VerdictCode.INDEXABLE, values=numbers)
    if summary.start is None:
        return SearchVerdict(VerdictCode.UNKNOWN, values=numbers)
    return _without_indexable(summary, summary.start, numbers)


def stops_crawling(robots_status: int, failure: str) -> bool:
    """Return whether Google stops crawling a site whose robots.txt has this status, or could not be read because of this failure."""
    return is_server_error(robots_status) or failure in (Failure.TIMEOUT, Failure.PROTOCOL)


def _found_at_start(start: StartPage) -> SearchVerdict | None:
    """Return what the start page and robots.txt show about the whole site; None if the other pages decide."""
    if start.blocks_google:
        line: dict[str, str | int] = {"line": start.blocks_google_line, "rule": start.blocks_google}
        return SearchVerdict(VerdictCode.DEINDEXED, VerdictCause.ROBOTS, values=line)
    if is_server_error(start.robots_status):
        return SearchVerdict(VerdictCode.UNREACHABLE, VerdictCause.ROBOTS_STATUS, values={"status": start.robots_status})
    if stops_crawling(start.robots_status, start.robots_failure):
        return SearchVerdict(VerdictCode.UNREACHABLE, VerdictCause.ROBOTS_TIMEOUT)
    return _found_in_response(start)


def _found_in_response(start: StartPage) -> SearchVerdict | None:
    """Return what the response of the start page shows about the whole site; None if the other pages decide."""
    if start.failure:
        if start.failure in NOT_REQUESTED:
            if start.target:
                return SearchVerdict(VerdictCode.UNKNOWN, VerdictCause.REDIRECT, values={"url": start.target})
            return SearchVerdict(VerdictCode.BLOCKED_FOR_US if start.failure == Failure.PAUSED else VerdictCode.UNKNOWN)
        texts = {"problem": start.failure, "cause": start.cause, "host": start.host, "detail": start.detail}
        return SearchVerdict(VerdictCode.UNREACHABLE, VerdictCause.NO_RESPONSE, values=texts)
    if start.reason is Reason.CHALLENGE:
        return SearchVerdict(VerdictCode.BLOCKED_FOR_US, VerdictCause.CHALLENGE, values={"status": start.status})
    if start.status in _DENIED:
        return SearchVerdict(VerdictCode.BLOCKED_FOR_US, VerdictCause.DENIED, values={"status": start.status})
    if is_server_error(start.status):
        return SearchVerdict(VerdictCode.UNREACHABLE, VerdictCause.SERVER_ERROR, values={"status": start.status})
    if start.blocks_findable and not start.status:
        line: dict[str, str | int] = {"line": start.blocks_findable_line, "rule": start.blocks_findable}
        return SearchVerdict(VerdictCode.BLOCKED_FOR_US, VerdictCause.DISALLOWED, values=line)
    return None


def _without_indexable(summary: CrawlSummary, start: StartPage, numbers: Mapping[str, str | int]) -> SearchVerdict:
    """Return the verdict of a site that could be read and has no indexable page."""
    if not summary.pages_count:
        if is_error(start.status):
            values = {**numbers, "status": start.status}
            return SearchVerdict(VerdictCode.DEINDEXED, VerdictCause.STATUS, values=values)
        if start.reason is Reason.BLANK:
            return SearchVerdict(VerdictCode.DEINDEXED, VerdictCause.SOFT_404, values=numbers)
        cause = _CAUSE_WITHOUT_PAGES.get(start.reason, VerdictCause.NONE)
        return SearchVerdict(VerdictCode.UNKNOWN, cause, values={**numbers, "url": start.target})
    reasons = {Reason(group.name) for group in summary.not_indexable} - {Reason.STATUS, Reason.REDIRECT, Reason.FAILURE, Reason.NOT_HTML}
    if Reason.CHALLENGE in reasons or not reasons:
        return SearchVerdict(VerdictCode.UNKNOWN, values=numbers)
    elsewhere = summary.canonical_to
    # Google may index other pages of this site instead, and the public site of which this one is a private copy.
    if Reason.CANONICAL in reasons and (not elsewhere or is_private_copy(summary.start_url, elsewhere)):
        return SearchVerdict(VerdictCode.UNKNOWN, values=numbers)
    cause = _CAUSE_OF_REASON[next(iter(reasons))] if len(reasons) == 1 else VerdictCause.MIXED
    return SearchVerdict(VerdictCode.DEINDEXED, cause, values={**numbers, "site": elsewhere})


_OF_LISTING: Mapping[Listing, tuple[VerdictCode, VerdictCause]] = {
    Listing.CAN: (_V.INDEXABLE, _C.NONE),
    Listing.STATUS: (_V.DEINDEXED, _C.STATUS),
    Listing.BLOCKED: (_V.DEINDEXED, _C.ROBOTS),
    Listing.TOLD_NOT: (_V.DEINDEXED, _C.NOINDEX),
    Listing.OTHER_URL: (_V.DEINDEXED, _C.CANONICAL),
    Listing.VARIANT: (_V.INDEXABLE, _C.CANONICAL),
    Listing.NO_CONTENT: (_V.DEINDEXED, _C.SOFT_404),
    Listing.COOKIE: (_V.DEINDEXED, _C.COOKIE),
    Listing.UNKNOWN: (_V.UNKNOWN, _C.NONE),
}
_OF_ERROR: Mapping[PageErrorCode, tuple[VerdictCode, VerdictCause]] = {
    PageErrorCode.LOGIN_REQUIRED: (_V.BLOCKED_FOR_US, _C.CHALLENGE),
    PageErrorCode.ACCESS_DENIED: (_V.BLOCKED_FOR_US, _C.NONE),
    PageErrorCode.BOT_CHALLENGE: (_V.BLOCKED_FOR_US, _C.CHALLENGE),
    PageErrorCode.TARGET_RATE_LIMITED: (_V.BLOCKED_FOR_US, _C.NONE),
    PageErrorCode.NEEDS_BROWSER: (_V.NEEDS_BROWSER, _C.NONE),
    PageErrorCode.DNS_FAILED: (_V.UNREACHABLE, _C.NO_RESPONSE),
    PageErrorCode.CONNECT_FAILED: (_V.UNREACHABLE, _C.NO_RESPONSE),
    PageErrorCode.TLS_FAILED: (_V.UNREACHABLE, _C.NO_RESPONSE),
    PageErrorCode.TARGET_TIMEOUT: (_V.UNREACHABLE, _C.NO_RESPONSE),
    PageErrorCode.TOO_MANY_REDIRECTS: (_V.UNREACHABLE, _C.NO_RESPONSE),
    PageErrorCode.SERVER_ERROR: (_V.UNREACHABLE, _C.SERVER_ERROR),
    PageErrorCode.ROBOTS_UNREADABLE: (_V.UNREACHABLE, _C.ROBOTS_STATUS),
}


def found_on_page(listing: Listing | None, status: int = 0, error: PageError | None = None) -> SearchVerdict:
    """Return what a report shows about its page.

    Args:
        listing: whether Google can index the page; None if it could not be loaded.
        status: HTTP status; 0 if it is not known.
        error: reason why the page could not be loaded.
    """
    if listing is None or error is not None:
        if error is None:
            return SearchVerdict(VerdictCode.UNKNOWN, is_site=False)
        code, cause = _OF_ERROR.get(error.code, (VerdictCode.UNKNOWN, VerdictCause.NONE))
        if error.code is PageErrorCode.ROBOTS_UNREADABLE and not is_server_error(error.status):
            cause = VerdictCause.ROBOTS_TIMEOUT
        texts: dict[str, str | int] = {"problem": error.code.value, "host": error.host, "detail": error.text}
        texts |= {"cause": error.cause.value if error.cause else "", "status": error.status}
        return SearchVerdict(code, cause, is_site=False, values=texts)
    code, cause = _OF_LISTING[listing]
    if listing is Listing.STATUS and is_server_error(status):
        code, cause = VerdictCode.UNREACHABLE, VerdictCause.SERVER_ERROR
    elif listing is Listing.STATUS and status in _DENIED:
        code, cause = VerdictCode.BLOCKED_FOR_US, VerdictCause.DENIED
    return SearchVerdict(code, cause, is_site=False, values={"status": status} if status not in (0, OK) else {})


def over_time(found: SearchVerdict, since: datetime, looked_at: datetime, present: datetime) -> SearchVerdict:
    """Return the verdict of a subject.

    Args:
        found: what its newest result shows.
        since: time of the first of its last results with this code.
        looked_at: time of its newest result.
        present: now.
    """
    return structs.replace(found, since=since, is_confirmed=looked_at >= since + CONFIRMED_AFTER or present >= since + BAD_AFTER)


def for_intent(found: SearchVerdict, *, is_for_search: bool) -> SearchVerdict:
    """Return the verdict of a subject; one that is not meant for search is fine while Google cannot index it, and the reverse.

    Whether Google can index a variant of a page is a question about its canonical URL.
    """
    if is_for_search:
        return found
    if found.code in (VerdictCode.DEINDEXED, VerdictCode.BLOCKED_FOR_US):
        return structs.replace(found, code=VerdictCode.NOT_FOR_SEARCH)
    if found.code is VerdictCode.INDEXABLE:
        return structs.replace(found, code=VerdictCode.UNKNOWN if found.cause is VerdictCause.CANONICAL else VerdictCode.EXPOSED)
    return found


def crawl_end_words(ended_by: CrawlEnd, start: StartPage | None, say: Translator = ENGLISH) -> str:
    """Return the reason why a crawl ended as a phrase; ``start`` is its start page, None if it is not known."""
    if ended_by is CrawlEnd.BLOCKED and start is not None and is_server_error(start.robots_status):
        return say("robots.txt returns %(status)s", status=start.robots_status)
    if ended_by is CrawlEnd.BLOCKED and start is not None and not blocking_line(start):
        return say("robots.txt could not be read")
    return say.text(words_of("ended_by", ended_by.value) or ended_by.value)


WHOLE_SITE = frozenset({"*", "/*"})
"""Patterns that mark a whole project as not meant for search."""


def is_for_search(patterns: Iterable[str]) -> bool:
    """Return whether a project is meant for search; ``patterns``: URLs of the project that are not."""
    return WHOLE_SITE.isdisjoint(patterns)
