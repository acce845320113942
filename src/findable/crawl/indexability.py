"""Whether a crawled page is indexable, and why not."""

from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.refresh import Refreshes
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.artifacts.registry import Artifacts
from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.urls import has_tracking


def reason_of(artifacts: Artifacts, status: int, *, is_disallowed: bool = False) -> Reason:
    """Return the reason why a page is not indexable. ``is_disallowed``: whether robots.txt disallows it for Googlebot."""
    if status != OK:
        return Reason.STATUS
    if is_disallowed:
        return Reason.ROBOTS
    refreshes = artifacts.get_or_none(Refreshes)
    if refreshes is not None and refreshes.redirect_url:
        return Reason.REDIRECT
    directives, canonical = artifacts.get_or_none(RobotsDirectives), artifacts.get_or_none(Canonical)
    if directives is not None and directives.noindex(*GOOGLE) is not None:
        return Reason.NOINDEX
    return Reason.CANONICAL if other_canonical(canonical) else Reason.NONE


def other_canonical(canonical: Canonical | None) -> str:
    """Return the declared canonical URL if it is another page, also if the URLs only differ by campaign parameters; otherwise empty."""
    if canonical is None or canonical.target is None:
        return ""
    is_campaign = has_tracking(canonical.page_url) and not has_tracking(canonical.target)
    return canonical.target if is_campaign or not canonical.is_self else ""
