"""Rules of alerts: their messages, confirmation and urgency. Their conditions are in the `*_alert_conditions` modules."""

from collections.abc import Collection, Mapping, Sequence
from typing import Self

from msgspec import Struct, field

from findable.monitor.alert_states import Policy, Signal
from findable.reports.google_listing import Listing
from findable.vocabulary import Code
from findable.wording import later

_AT_ONCE = Policy()
_CRAWL = Policy(good_runs=1)
_EVENT = Policy(is_event=True)


class _Terms(Struct, frozen=True):
    """Properties of a rule."""

    policy: Policy = Policy((120,))
    """Confirmation and notification."""
    facts: tuple[str, ...] = ()
    """Facts of a page or site that the rule compares with those before."""
    is_of_site: bool = False
    """Whether its alerts are about the site, not about one of its pages."""
    is_for_search: bool = False
    """Whether it applies only to sites that are meant for search."""
    is_urgent: bool = False
    """Whether it is sent by email at once: the site is unreachable, deindexed or blocked, or its certificate expires or is rejected."""
    is_of_logs: bool = False
    """Whether it judges access logs, with or without a schedule."""
    is_per_cause: bool = False
    """Whether each cause opens and closes by itself."""
    with_check: str = ""
    """Message if the cause is a check; empty if it never is."""


_ANY = _Terms()
_OF_LOGS = _Terms(policy=_AT_ONCE, is_of_site=True, is_for_search=True, is_of_logs=True)
_OF_QUESTION = _Terms(policy=_CRAWL, is_of_site=True, is_per_cause=True)


class AlertRule(Code):
    """Rule of an alert, with the message sent when the alert opens."""

    terms: _Terms

    def __new__(cls, code: str, words: str = "", terms: _Terms = _ANY) -> Self:
        """Return the rule with its message and properties."""
        made = str.__new__(cls, code)
        made._value_, made.words, made.terms = code, words, terms
        return made

    UNREACHABLE = (
        "unreachable",
        later("Pages could not be loaded: %(count)s"),
        _Terms(policy=Policy((60, 300, 900), next_run_after_s=3600), is_urgent=True),
    )
    NOT_INDEXABLE = (
        "not-indexable",
        later("Pages that Google can no longer list: %(count)s"),
        _Terms(facts=("listing",), is_for_search=True, is_urgent=True),
    )
    CANONICAL_LOST = (
        "canonical-lost",
        later("Pages that lost their canonical URL: %(count)s"),
        _Terms(facts=("canonical",), is_for_search=True),
    )
    RATING_FELL = (
        "rating-fell",
        later("Pages whose rating fell: %(count)s"),
        _Terms(
            facts=("basis", "rating", "score", "score_apart", "failed", "unjudged"),
            with_check=later("Pages whose rating fell: %(count)s. New problem: %(check)s"),
        ),
    )
    CONTENT_CHANGED = (
        "content-changed",
        later("Pages with another title, description or main heading: %(count)s"),
        _Terms(policy=_EVENT, facts=("title", "description", "h1")),
    )
    CERTIFICATE = (
        "certificate",
        later("The certificate of the site ends on %(date)s (days left: at most %(days)s)"),
        _Terms(policy=_EVENT, facts=("certificate_ends", "certificate_days", "certificate_error"), is_of_site=True, is_urgent=True),
    )
    ROBOTS_CHANGED = ("robots-changed", later("robots.txt changed"), _Terms(policy=_EVENT, facts=("robots_txt",), is_of_site=True))
    ROBOTS_BLOCKS_START = (
        "robots-blocks-start",
        later("robots.txt blocks the start page for Googlebot: %(rule)s (line %(line)s)"),
        _Terms(policy=_AT_ONCE, is_of_site=True, is_for_search=True, is_urgent=True),
    )
    SITEMAP_UNREACHABLE = (
        "sitemap-unreachable",
        later("The sitemap cannot be read any more"),
        _Terms(facts=("sitemap_urls",), is_of_site=True),
    )
    SITEMAP_SHRANK = (
        "sitemap-shrank",
        later("The sitemap lists %(after)s URLs, %(before)s before"),
        _Terms(policy=_EVENT, facts=("sitemap_urls",), is_of_site=True),
    )
    SITE_DEINDEXED = (
        "site-deindexed",
        later("Google can no longer index any page of the site: %(reason)s"),
        _Terms(policy=_CRAWL, is_of_site=True, is_for_search=True, is_urgent=True),
    )
    SITE_UNREACHABLE = (
        "site-unreachable",
        later("The crawl could not reach the site: %(reason)s"),
        _Terms(policy=Policy((900,), good_runs=1), is_of_site=True, is_urgent=True),
    )
    EXPOSED = ("exposed", later("Google can index this site, which is not meant for search"), _Terms(policy=_AT_ONCE, is_of_site=True))
    CRAWL_BLOCKED = (
        "crawl-blocked",
        later("robots.txt blocks the crawl of the site"),
        _Terms(policy=_CRAWL, is_of_site=True, is_for_search=True, is_urgent=True),
    )
    CRAWL_PAGES_LOST = (
        "crawl-pages-lost",
        later("%(count)s of %(of)s indexable pages are missing or no longer indexable"),
        _Terms(policy=_EVENT, is_of_site=True, is_for_search=True),
    )
    CRAWL_FINDING = ("crawl-finding", later("New problems of the site: %(findings)s"), _Terms(policy=_EVENT, is_of_site=True))
    CRAWL_PAGE_COUNT = (
        "crawl-page-count",
        later("The crawl found %(after)s pages, %(before)s before"),
        _Terms(policy=_EVENT, is_of_site=True),
    )
    BOT_AWAY = ("bot-away", later("Bots that no longer request the site: %(bots)s. Last request: %(date)s"), _OF_LOGS)
    BOT_ERRORS = (
        "bot-errors",
        later("More requests of bots fail: %(bots)s. %(percent)s %% in the last 3 days of the logs, %(before)s %% before"),
        _OF_LOGS,
    )
    CRAWL_QUESTION = ("crawl-question", later("%(question)s: %(rows)s rows, at most %(most)s expected"), _OF_QUESTION)
    QUESTION_UNANSWERED = (
        "question-unanswered",
        later("%(question)s: the watched question could not be answered; ask it on the page Questions to read why"),
        _OF_QUESTION,
    )
    OWN_NETWORK = (
        "own-network",
        later("Most watched sites cannot be reached: the network of this service seems to be down"),
        _Terms(policy=_AT_ONCE),
    )

    def message_of(self, cause: str) -> str:
        """Return the message of an alert with the cause, so that alerts with different causes have different texts."""
        if self.terms.with_check and cause:
            return self.terms.with_check
        return _MESSAGES.get(cause, self.words)


REJECTED = "rejected"
"""Cause of an alert about a certificate that browsers reject."""
_MESSAGES: Mapping[str, str] = {
    REJECTED: later("Browsers reject the certificate of the site: %(reason)s"),
    Listing.STATUS: later("Pages that Google can no longer list because of their status: %(count)s"),
    Listing.BLOCKED: later("Pages that Google can no longer list because robots.txt blocks them: %(count)s"),
    Listing.TOLD_NOT: later("Pages that Google can no longer list because of noindex: %(count)s"),
    Listing.OTHER_URL: later("Pages that Google can no longer list because they declare another URL as canonical: %(count)s"),
    Listing.NO_CONTENT: later("Pages that Google can no longer list because they look like error pages: %(count)s"),
    Listing.COOKIE: later("Pages that Google can no longer list because they redirect in a loop without a cookie: %(count)s"),
}


class RuleSignal(Struct, frozen=True):
    """Verdict of a rule on one run of a subject."""

    rule: AlertRule
    signal: Signal
    cause: str = ""
    """Cause; subjects with the same rule and cause share an alert."""
    values: Mapping[str, str | int] = field(default_factory=dict)
    """Values of the message."""
    explained_by: tuple[AlertRule, ...] = ()
    """Rules that notify about the same cause: if one of them does, this rule sends no message."""


class Causes(Struct, frozen=True):
    """Signals of a run of a subject, one per cause."""

    signals: Sequence[RuleSignal]
    silent_rules: frozenset[AlertRule]
    """Rules without a message, because another rule notifies about their cause."""


def causes_of(signals: Collection[RuleSignal], active_rules: Collection[AlertRule], unsettled_rules: Collection[AlertRule]) -> Causes:
    """Return the signals of active rules, except signals that another rule explains.

    A rule explains others while it is suspect or open, so that an inconclusive run of it does not open them.
    """
    own = [one for one in signals if one.rule in active_rules]
    good = {one.rule for one in own if one.signal is Signal.GOOD}
    explains = ({one.rule for one in own if one.signal is Signal.BAD} | set(unsettled_rules).intersection(active_rules)) - good
    explained = frozenset(one.rule for one in own if one.signal is Signal.BAD and explains.intersection(one.explained_by))
    return Causes([one for one in own if one.rule not in explained], explained)
