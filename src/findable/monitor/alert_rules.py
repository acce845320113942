"""Rules of alerts: what is watched, how it is confirmed, and how it is told."""

from collections.abc import Mapping

from msgspec import Struct, field

from findable.monitor.alert_states import Policy, Signal
from findable.vocabulary import Code
from findable.wording import later

_AGAIN_ONCE = Policy((120,))
_AT_ONCE = Policy()
_EVENT = Policy(is_event=True)


class AlertRule(Code):
    """Rule of an alert, with the message that it opens with."""

    UNREACHABLE = "unreachable", later("Pages could not be loaded: %(count)s")
    NOT_INDEXABLE = "not-indexable", later("Pages that Google can no longer list: %(count)s")
    CANONICAL_LOST = "canonical-lost", later("Pages that lost their canonical URL: %(count)s")
    RATING_FELL = "rating-fell", later("Pages whose rating fell: %(count)s")
    SCORE_FELL = "score-fell", later("Pages whose score fell by %(points)s points or more: %(count)s")
    CONTENT_CHANGED = "content-changed", later("Pages with another title, description or main heading: %(count)s")
    CERTIFICATE = "certificate", later("The certificate of the site ends on %(date)s")
    ROBOTS_CHANGED = "robots-changed", later("robots.txt changed")
    ROBOTS_BLOCKS_START = "robots-blocks-start", later("robots.txt blocks the start page for Googlebot: %(line)s")
    SITEMAP_UNREACHABLE = "sitemap-unreachable", later("The sitemap cannot be read any more")
    SITEMAP_SHRANK = "sitemap-shrank", later("The sitemap lists %(after)s URLs, %(before)s before")
    CRAWL_BLOCKED = "crawl-blocked", later("robots.txt blocks the crawl of the site")
    CRAWL_PAGES_LOST = "crawl-pages-lost", later("%(count)s of %(of)s indexable pages are gone or not indexable any more")
    CRAWL_FINDING = "crawl-finding", later("New problems of the site: %(findings)s")
    CRAWL_PAGE_COUNT = "crawl-page-count", later("The crawl found %(after)s pages, %(before)s before")
    OWN_NETWORK = "own-network", later("Most watched sites cannot be reached: the network of this service seems to be down")

    @property
    def policy(self) -> Policy:
        """How it is confirmed and told."""
        return _POLICIES.get(self, _AGAIN_ONCE)


_POLICIES: Mapping[AlertRule, Policy] = {
    AlertRule.UNREACHABLE: Policy((60, 300, 900), again_s=3600),
    AlertRule.CERTIFICATE: _EVENT,
    AlertRule.CONTENT_CHANGED: _EVENT,
    AlertRule.ROBOTS_CHANGED: _EVENT,
    AlertRule.ROBOTS_BLOCKS_START: _AT_ONCE,
    AlertRule.SITEMAP_SHRANK: _EVENT,
    AlertRule.CRAWL_BLOCKED: _AT_ONCE,
    AlertRule.CRAWL_PAGES_LOST: _EVENT,
    AlertRule.CRAWL_FINDING: _EVENT,
    AlertRule.CRAWL_PAGE_COUNT: _EVENT,
    AlertRule.OWN_NETWORK: _AT_ONCE,
}
OFF_BY_DEFAULT = frozenset({AlertRule.SCORE_FELL, AlertRule.CONTENT_CHANGED})
CHOOSABLE = tuple(rule for rule in AlertRule if rule is not AlertRule.OWN_NETWORK)
"""Rules that a project turns on or off."""


class RuleSignal(Struct, frozen=True):
    """Verdict of a rule on one run of a subject."""

    rule: AlertRule
    signal: Signal
    cause: str = ""
    """Subjects with one rule and cause share an alert."""
    values: Mapping[str, str | int] = field(default_factory=dict)
    """Values of its message."""
