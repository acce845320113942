"""Check one finding of a page again: fetch the page, and otherwise only the data that the check reads.

Links that worked in the report are not requested again, and parts of the site only if
the check, or one that it depends on, needs them.
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct, structs

from findable.analyze import read_page
from findable.artifacts.registry import ancestors_of, gather
from findable.artifacts.request_targets import Targets
from findable.artifacts.responses.agent_responses import AgentResponses
from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.canonical_response import CanonicalTarget
from findable.artifacts.responses.icons import Icons
from findable.artifacts.responses.link_responses import LinkState, PageLinkResponses
from findable.artifacts.responses.llms_txt import LlmsTxt
from findable.artifacts.responses.not_found_probe import NotFoundProbe
from findable.artifacts.responses.phone import Phone
from findable.artifacts.site.host import Host
from findable.artifacts.site.host_variants import HostVariants
from findable.artifacts.site.language_versions import LanguageSet, LanguageVersions
from findable.artifacts.site.robots import Robots
from findable.artifacts.site.sitemap import SitemapListing, Sitemaps
from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.capture import Capture
from findable.capture.page import PageCapture, PageProbes
from findable.capture.preview_origin import move_to_origin
from findable.capture.redaction import mask_secrets
from findable.capture.rendering import Rendering
from findable.capture.response import Headers, Hop, ProbeResponse, Timing
from findable.capture.site import SiteCapture
from findable.capture.status_classes import OK
from findable.checks.engine import Check, Evidence, find_check, page_checks
from findable.checks.runner import run
from findable.clock import monotonic_s, now, rfc3339
from findable.compute import Compute, compute_here
from findable.errors import NotRecheckable
from findable.fetch.browser.page_orders import Visit, order_for
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.other_agent_requests import request_as_phone
from findable.fetch.page_requests import probe_page
from findable.fetch.preview import NO_PREVIEW, PreviewOrigin
from findable.fetch.prober import Prober
from findable.fetch.site_requests import SITE_PARTS, SitePart, probe_site, probe_tls
from findable.reports.facts.link_facts import LinkFacts
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.url_patterns import any_matches
from findable.urls import origin_part, without_fragment
from findable.vocabulary import FETCHED, Category, Source, Subject, Verdict

_PARTS: dict[type, frozenset[SitePart]] = {
    Robots: frozenset(),
    PageLinkResponses: frozenset(),
    NotFoundProbe: frozenset({SitePart.NOT_FOUND}),
    Icons: frozenset({SitePart.FAVICON, SitePart.HOME}),
    LlmsTxt: frozenset({SitePart.LLMS_TXT}),
    Host: frozenset({SitePart.VARIANTS}),
    HostVariants: frozenset({SitePart.VARIANTS}),
    Sitemaps: frozenset({SitePart.SITEMAPS}),
    SitemapListing: frozenset({SitePart.SITEMAPS}),
}
"""Parts of the site by the artifacts that need them; robots.txt is always requested."""
_REQUESTED_FOR_PAGE = frozenset(
    {Assets, PageLinkResponses, CanonicalTarget, LanguageVersions, LanguageSet, Host, HostVariants, SitemapListing}
)


class OldFinding(Struct, frozen=True):
    """Finding to check again, with the page's links as known to its report."""

    url: str
    """Requested URL of the page."""
    check: str
    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    evidence_count: int = 0
    links: tuple[LinkFacts, ...] = ()
    judged_as: str | None = None
    after_scripts: bool = False
    """Whether the report checked the document after the page's scripts ran."""


class RecheckResult(Struct, frozen=True):
    """Result of checking a finding again."""

    before: Verdict
    finding: ReportedFinding
    requests_count: int
    duration_s: float

    @property
    def is_fixed(self) -> bool:
        """Whether the check has a known result and no longer fails or warns."""
        return self.finding.verdict not in (*AGAINST, Verdict.UNKNOWN)


def required_by(check: Check) -> frozenset[type]:
    """Return the types of all artifacts and roots that a check, and the checks it depends on, are computed from."""
    return frozenset().union(*(ancestors_of(reading.kind) for one in _with_parents(check) for reading in one.parameters))


@cache
def page_check_of(check: Check) -> Check | None:
    """Return the page check that shows whether a page still has a finding of a check; None if that takes a crawl or a full report."""
    if check.subject is Subject.PAGE:
        return check if check.sources <= FETCHED and AgentResponses not in required_by(check) else None
    twins = (one for one in page_checks().values() if check.id in one.site_twins or one.id == check.page_twin)
    return next((one for one in twins if one.sources <= FETCHED), None)


def _with_parents(check: Check) -> tuple[Check, ...]:
    found = {check.id: check}
    waiting = [check]
    while waiting:
        for name in waiting.pop().depends_on:
            parent = find_check(name)
            if parent is not None and name not in found:
                found[name] = parent
                waiting.append(parent)
    return tuple(found.values())


async def recheck(
    old: OldFinding,
    fetcher: Fetcher,
    *,
    identity: Identity = NOBODY,
    not_for_search: Sequence[str] = (),
    compute: Compute = compute_here,
    visit: Visit | None = None,
    browser: BrowserOptions = DEFAULTS,
) -> RecheckResult:
    """Check a finding again and return the result. Raises PageUnavailable, and NotRecheckable if that needs a full report.

    ``visit`` loads the page in a browser, with these options, if the report did and the check reads the document after scripts.
    """
    check = find_check(old.check)
    if check is None or not check.sources <= {Source.PAGE, Source.SITE}:
        raise NotRecheckable
    target_types = required_by(check)
    in_browser = old.after_scripts and Rendering in target_types
    if AgentResponses in target_types or (in_browser and visit is None):
        raise NotRecheckable
    started_s = monotonic_s()
    budget = Budget()
    at_first = budget.requests_left
    response = await fetcher.fetch_page(old.url, identity=identity)
    if check.category is Category.PERFORMANCE:
        response = await fetcher.add_wait_samples(response, identity=identity)
    captured_at = rfc3339(now())
    page = PageCapture(captured_at, response)
    begun_s = monotonic_s()
    rendering = None
    if in_browser and visit is not None:
        rendering = await visit(await order_for(response.final_url, browser, Prober(fetcher, budget, identity=identity)))
    budget.exclude_wait(monotonic_s() - begun_s)
    read = await compute(read_page, page, rendering)
    preview = PreviewOrigin(origin_part(response.final_url), old.judged_as) if old.judged_as else NO_PREVIEW
    parts = _site_parts(target_types)
    site = SiteCapture(origin_part(response.final_url), captured_at, ProbeResponse(""))
    if SiteCapture in target_types and parts is not None:
        site = await probe_site(fetcher, response.final_url, budget, identity=identity, preview=preview, parts=parts)
    probes = PageProbes()
    if not target_types.isdisjoint(_REQUESTED_FOR_PAGE):
        known = structs.replace(site, links=_known_responses(old))
        probes = await probe_page(fetcher, _filter_targets(read.targets, target_types), budget, known, identity=identity, preview=preview)
        site = known
    if Phone in target_types:
        probes = structs.replace(probes, phone=await request_as_phone(fetcher, response, budget, identity=identity))
    if Host in target_types:
        site = structs.replace(site, tls_versions=await probe_tls(fetcher, response.final_url, budget, identity=identity))
    capture = Capture(structs.replace(page, probes=probes, budget_ended=budget.ended_by), site, rendering)
    if old.judged_as:
        capture = move_to_origin(capture, old.judged_as)
    if identity.secrets:
        capture = await compute(mask_secrets, capture, identity.secrets)
    is_unwanted = any_matches(not_for_search, response.final_url)
    finding = await compute(run_one_check, capture, old.check, is_unwanted)
    return RecheckResult(old.verdict, finding, len(response.hops) + at_first - budget.requests_left, monotonic_s() - started_s)


def run_one_check(capture: Capture, check_id: str, not_for_search: bool) -> ReportedFinding:  # noqa: FBT001 - crosses a process boundary by position
    """Run one check after the checks it depends on, and return its finding. Raises NotRecheckable if the check does not exist."""
    check = find_check(check_id)
    if check is None:
        raise NotRecheckable
    results = run(gather(*capture.roots), _with_parents(check), not_for_search=not_for_search)
    return next(ReportedFinding.from_result(result) for result in results if result.check is check)


def _site_parts(target_types: frozenset[type]) -> frozenset[SitePart] | None:
    """Return the parts of the site that the target types need: all if none of them is in `_PARTS`, None if they need no site."""
    if SiteCapture not in target_types:
        return None
    made = target_types & frozenset(_PARTS)
    return frozenset().union(*(_PARTS[kind] for kind in made)) if made else SITE_PARTS


def _filter_targets(targets: Targets, target_types: frozenset[type]) -> Targets:
    """Return only the targets that the check reads."""
    links = PageLinkResponses in target_types
    languages = not target_types.isdisjoint({LanguageVersions, LanguageSet})
    return structs.replace(
        targets,
        assets=targets.assets if Assets in target_types else (),
        links_internal=targets.links_internal if links else (),
        links_external=targets.links_external if links else (),
        canonical=targets.canonical if CanonicalTarget in target_types else None,
        alternates=targets.alternates if languages else (),
    )


def _known_responses(old: OldFinding) -> tuple[ProbeResponse, ...]:
    """Return responses for links that worked in the report; none if its evidence is incomplete, as any link may be part of the finding."""
    if old.evidence_count > len(old.evidence):
        return ()
    named = {without_fragment(item.url) for item in old.evidence if item.url}
    working = dict.fromkeys(link.url for link in old.links if link.status == OK and link.state == LinkState.WORKS)
    return tuple(
        ProbeResponse(url, "HEAD", (Hop(url, OK, Headers(()), "1.1", Timing()),)) for url in working if without_fragment(url) not in named
    )
