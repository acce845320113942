"""Browser visits of a report or a crawl to one page: their orders, and a second visit if robots.txt blocked files."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from findable.artifacts.site.robots import RobotsState, state_of_robots
from findable.capture.browser_options import BrowserOptions
from findable.capture.rendering import Rendering, RenderingFailure, WithheldReason
from findable.capture.response import NOT_REQUESTED, ProbeResponse
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.prober import Prober
from findable.formats.robots_txt import RobotsTxt
from findable.urls import origin_of

Visit = Callable[[VisitOrder], Awaitable[Rendering]]
"""Visits a page with a browser; a failure is in the rendering."""


async def order_for(page_url: str, options: BrowserOptions, prober: Prober) -> VisitOrder:
    """Return the order for a visit with the identity of ``prober``, which requests robots.txt where it is needed.

    If robots.txt could not be read, no request is withheld because of it, and the order's options say so.
    """
    if not options.without_blocked:
        return VisitOrder(page_url, options=options, identity=prober.identity)
    rules = _robots_rules(await prober.robots_txt(origin_of(page_url)))
    return VisitOrder(page_url, options=replace(options, without_blocked=rules is not None), identity=prober.identity, robots=rules)


def _robots_rules(robots: ProbeResponse) -> RobotsTxt | None:
    state = state_of_robots(robots)
    if robots.failure in NOT_REQUESTED or state is RobotsState.UNREACHABLE:
        return None
    return RobotsTxt.parse(robots.body if state is RobotsState.READ else b"")


def visitor_order(order: VisitOrder) -> VisitOrder:
    """Return the order for a visit as people see the page: without robots.txt rules and consent clicks."""
    return replace(order, robots=None, options=replace(order.options, dismiss_consent=False, without_blocked=False))


async def visit_and_compare(visit: Visit, order: VisitOrder) -> Rendering:
    """Return the rendering of a page; if robots.txt blocked some of its files, visit it once more with them and add that document."""
    seen = await visit(order)
    if seen.failure is not RenderingFailure.NONE or all(request.withheld is not WithheldReason.ROBOTS for request in seen.requests):
        return seen
    options = replace(order.options, without_blocked=False)
    whole = await visit(replace(order, robots=None, options=options, axe=False, screenshots=False, layout=False))
    return replace(seen, html_with_blocked=whole.html)
