"""Rules of alerts: their conditions, confirmation and notifications."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field

from findable.monitor.alert_states import Policy, Signal
from findable.reports.google_listing import Listing
from findable.vocabulary import Code
from findable.wording import later

_CONFIRMED_ONCE = Policy((120,))
_AT_ONCE = Policy()
_EVENT = Policy(is_event=True)


class AlertRule(Code):
    """Rule of an alert, with the message sent when the alert opens."""

    UNREACHABLE = "unreachable", later("Pages could not be loaded: %(count)s")
    NOT_INDEXABLE = "not-indexable", later("Pages that Google can no longer list: %(count)s")
    CANONICAL_LOST = "canonical-lost", later("Pages that lost their canonical URL: %(count)s")
    RATING_FELL = "rating-fell", later("Pages whose rating fell: %(count)s")
    SCORE_FELL = "score-fell", later("Pages whose score fell by %(points)s points or more: %(count)s")
    CONTENT_CHANGED = "content-changed", later("Pages with another title, description or main heading: %(count)s")
    CERTIFICATE = "certificate", later("The certificate of the site ends on %(date)s (days left: at most %(days)s)")
    ROBOTS_CHANGED = "robots-changed", later("robots.txt changed")
    ROBOTS_BLOCKS_START = "robots-blocks-start", later("robots.txt blocks the start page for Googlebot: %(line)s")
    SITEMAP_UNREACHABLE = "sitemap-unreachable", later("The sitemap cannot be read any more")
    SITEMAP_SHRANK = "sitemap-shrank", later("The sitemap lists %(after)s URLs, %(before)s before")
    SITE_DEINDEXED = "site-deindexed", later("Google can no longer index any page of the site: %(reason)s")
    SITE_UNREACHABLE = "site-unreachable", later("The crawl could not reach the site: %(reason)s")
    EXPOSED = "exposed", later("Google can index this site, which is not meant for search")
    CRAWL_BLOCKED = "crawl-blocked", later("robots.txt blocks the crawl of the site")
    CRAWL_PAGES_LOST = "crawl-pages-lost", later("%(count)s of %(of)s indexable pages are missing or no longer indexable")
    CRAWL_FINDING = "crawl-finding", later("New problems of the site: %(findings)s")
    CRAWL_PAGE_COUNT = "crawl-page-count", later("The crawl found %(after)s pages, %(before)s before")
    OWN_NETWORK = "own-network", later("Most watched sites cannot be reached: the network of this service seems to be down")

    @property
    def policy(self) -> Policy:
        """Confirmation and notification of the rule."""
        return _POLICIES.get(self, _CONFIRMED_ONCE)

    def message_of(self, cause: str) -> str:
        """Return the message of an alert with the cause, so that alerts with different causes have different texts."""
        if self in _WITH_CHECK and cause:
            return _WITH_CHECK[self]
        return _LISTING_MESSAGES.get(cause, self.words) if self is AlertRule.NOT_INDEXABLE else self.words


_LISTING_MESSAGES: Mapping[str, str] = {
    Listing.STATUS: later("Pages that Google can no longer list because of their status: %(count)s"),
    Listing.BLOCKED: later("Pages that Google can no longer list because robots.txt blocks them: %(count)s"),
    Listing.TOLD_NOT: later("Pages that Google can no longer list because of noindex: %(count)s"),
    Listing.OTHER_URL: later("Pages that Google can no longer list because they declare another URL as canonical: %(count)s"),
    Listing.NO_CONTENT: later("Pages that Google can no longer list because they look like error pages: %(count)s"),
    Listing.COOKIE: later("Pages that Google can no longer list because they redirect in a loop without a cookie: %(count)s"),
}
_WITH_CHECK: Mapping[AlertRule, str] = {
    AlertRule.RATING_FELL: later("Pages whose rating fell: %(count)s. New problem: %(check)s"),
    AlertRule.SCORE_FELL: later("Pages whose score fell by %(points)s points or more: %(count)s. New problem: %(check)s"),
}

_POLICIES: Mapping[AlertRule, Policy] = {
    AlertRule.UNREACHABLE: Policy((60, 300, 900), next_run_after_s=3600),
    AlertRule.CERTIFICATE: _EVENT,
    AlertRule.CONTENT_CHANGED: _EVENT,
    AlertRule.ROBOTS_CHANGED: _EVENT,
    AlertRule.ROBOTS_BLOCKS_START: _AT_ONCE,
    AlertRule.SITEMAP_SHRANK: _EVENT,
    AlertRule.SITE_DEINDEXED: _AT_ONCE,
    AlertRule.SITE_UNREACHABLE: _AT_ONCE,
    AlertRule.EXPOSED: _AT_ONCE,
    AlertRule.CRAWL_BLOCKED: _AT_ONCE,
    AlertRule.CRAWL_PAGES_LOST: _EVENT,
    AlertRule.CRAWL_FINDING: _EVENT,
    AlertRule.CRAWL_PAGE_COUNT: _EVENT,
    AlertRule.OWN_NETWORK: _AT_ONCE,
}
OFF_BY_DEFAULT = frozenset({AlertRule.SCORE_FELL, AlertRule.CONTENT_CHANGED})
CHOOSABLE = tuple(rule for rule in AlertRule if rule is not AlertRule.OWN_NETWORK)
"""Rules that a project can turn on or off."""


FOR_SEARCH = frozenset(
    {
        AlertRule.NOT_INDEXABLE,
        AlertRule.CANONICAL_LOST,
        AlertRule.ROBOTS_BLOCKS_START,
        AlertRule.SITE_DEINDEXED,
        AlertRule.CRAWL_BLOCKED,
        AlertRule.CRAWL_PAGES_LOST,
    }
)
"""Rules that only apply to sites that are meant for search; `AlertRule.EXPOSED` applies to the others."""


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
