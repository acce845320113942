"""Words about requests of bots, for pages and PDFs."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time

from findable.capture.site_hits import BotTotal, LogCoverage, NewPage, NewPages, SiteHits
from findable.wording import Translator, later

BY_VERIFICATION: Mapping[str, str] = {
    "verified": later("Verified bots"),
    "unverified": later("Bots that cannot be verified"),
    "fake": later("Fakes: other programs that claim to be a bot"),
}
NOTES: Mapping[str, str] = {
    "unverified": later(
        "Their operator publishes no IP addresses, our list is more than 30 days away from the logs, or the logs contain addresses of a "
        "proxy or CDN without those of the clients."
    )
}
MET: Mapping[str, str] = {
    "redirects": later("Redirects"),
    "chains": later("Chains of redirects"),
    "missing": later("Not found (404, 410)"),
    "errors": later("Server errors (5xx)"),
    "refused": later("Refused (401, 403, 429)"),
    "not_indexable": later("Pages that cannot be indexed"),
    "noindex": later("Pages with noindex"),
    "disallowed": later("Disallowed by robots.txt"),
    "parameters": later("URLs with parameters"),
    "unlinked": later("Pages that the crawl did not find"),
    "variants": later("Other forms of crawled URLs"),
}
"""Titles of lists of `SiteHits`, in order."""
_CLASSES = (("ok", "not_modified"), ("redirect",), ("missing",), ("refused",), ("server_error",))
"""Classes of status of the columns of bots."""


def at(day: date) -> datetime:
    """Return the middle of a day of the logs."""
    return datetime.combine(day, time(12), UTC)


def sentence(hits: SiteHits, say: Translator) -> str:
    """Return how much of the site search bots requested."""
    if not hits.hits_count:
        return say("No verified search bot requested a page.")
    found = say.plural("Search bots sent %(count)s request", "Search bots sent %(count)s requests", hits.hits_count)
    if not hits.indexable_count:
        return f"{found}."
    share = round(100 * (hits.indexable_count - hits.never.urls_count) / hits.indexable_count)
    return say("%(found)s, for %(share)s %% of the indexable pages.", found=found, share=share)


def new_pages(found: NewPages, say: Translator) -> str:
    """Return how soon search bots requested new pages."""
    parts = [say.plural("%(count)s new page", "%(count)s new pages", found.pages_count)]
    parts.append(say("%(count)s requested by search bots", count=say.number(found.requested_count)))
    if found.median_days is not None:
        parts.append(say.plural("half within %(count)s day", "half within %(count)s days", max(1, found.median_days)))
    if found.most_days is not None:
        parts.append(say.plural("nine of ten within %(count)s day", "nine of ten within %(count)s days", max(1, found.most_days)))
    return ", ".join(parts) + "."


def wait(page: NewPage, last_day: date, say: Translator) -> str:
    """Return how long a new page waited for its first request."""
    if page.requested is None:
        return say.plural("none yet after %(count)s day", "none yet after %(count)s days", (last_day - page.found).days)
    days = (page.requested - page.found).days
    return say.plural("after %(count)s day", "after %(count)s days", days) if days > 0 else say("before the crawl found it, or on that day")


def coverage(found: LogCoverage, say: Translator) -> str:
    """Return which logs were counted, and what they cannot show."""
    first, last = (say.day(at(day), UTC) for day in (found.first_day, found.last_day))
    words = [say("Logs of %(sources)s, %(first)s to %(last)s (UTC)", sources=", ".join(found.sources), first=first, last=last)]
    if found.gaps_count:
        words.append(say.plural("%(count)s day without lines", "%(count)s days without lines", found.gaps_count))
    if found.unreadable:
        words.append(say.plural("%(count)s unreadable line", "%(count)s unreadable lines", found.unreadable))
    end = say("Pages that a CDN serves from its cache are missing in the logs of your server.")
    return f"{', '.join(words)}. {end}"


def heads(say: Translator) -> tuple[str, ...]:
    """Return the titles of the columns of bots, see `cells`."""
    numbers = (say("Requests"), say("URLs"), say("OK"), say("Redirects"), say("Not found"), say("Refused"), say("Server errors"))
    return (say("Bot"), *numbers)


def cells(bot: BotTotal, say: Translator) -> tuple[str, ...]:
    """Return the numbers of a bot: requests, URLs, and requests by class of status."""
    counts = (sum(bot.statuses.get(name, 0) for name in names) for names in _CLASSES)
    return (say.number(bot.hits_count), say.number(bot.urls_count), *(say.number(count) if count else "–" for count in counts))
