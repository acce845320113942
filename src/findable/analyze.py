"""The pipeline from a URL to a capture and its analysis: fetch, gather, check, score.

Pure steps (parsing, checking, scoring) run through ``compute``, so that a service can run them in another process.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct, field, structs
from msgspec.structs import replace

from findable.artifacts.page.delivery import is_private
from findable.artifacts.registry import gather
from findable.artifacts.responses.preview_images import PictureSources, picture_sources
from findable.artifacts.wanted import Targets, find_targets
from findable.capture.page import Capture, PageProbes, SiteCapture
from findable.capture.preview_origin import judge_as
from findable.capture.redaction import text_without_secrets, without_secrets
from findable.capture.response import Answer, Failure, Response
from findable.capture.saved import dump, load
from findable.clock import now, rfc3339
from findable.errors import PageError, PageNotSeen
from findable.fetch.client import Fetcher
from findable.fetch.crawler_requests import CRAWLERS_SHARE, ask_as_crawlers, ask_as_phone
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.probes import Budget, probe_page, probe_site
from findable.fetch.site_cache import SiteCache
from findable.reports.acceptance import Acceptance
from findable.reports.model import Analysis, analyse
from findable.reports.url_patterns import any_matches
from findable.urls import parse

Made = TypeVar("Made")
ReportProgress = Callable[[str, int, int], None]
"""Called with (stage, completed steps, total steps)."""

STAGES = ("fetch", "site", "page", "checks")


class Compute(Protocol):
    """Runs a pure function of picklable values, in this or another process."""

    def __call__(self, function: Callable[..., Made], *arguments: Any) -> Awaitable[Made]:
        """Return what the function returns, or raise what it raises."""
        ...


async def compute_here(function: Callable[..., Made], *arguments: Any) -> Made:
    """Run the function in this thread: right for a command, wrong for a service."""
    return function(*arguments)


class Options(Struct, frozen=True):
    """How one page is analysed."""

    judged_as: str | None = None
    """Origin that a preview is judged as."""
    identity: Identity = NOBODY
    cache_key: str = ""
    """Key of the site cache: the account and its identity."""
    not_for_search: Sequence[str] = ()
    """Patterns of URLs that are not meant for search (`reports.patterns`); compared with the final URL of the page."""
    acceptances: Sequence[Acceptance] = field(default=())
    ask_as_crawlers: bool = False
    """Whether to also request the page as a browser and as AI search crawlers, seconds apart."""


def _silent(stage: str, done: int, of: int) -> None:
    del stage, done, of


async def capture_page(
    url: str,
    fetcher: Fetcher,
    *,
    options: Options | None = None,
    site_cache: SiteCache | None = None,
    compute: Compute = compute_here,
    progress: ReportProgress = _silent,
) -> Capture:
    """Fetch everything about one page. Raises PageNotSeen if the page itself could not be loaded.

    Extra requests never end a report: what they could not tell is said in their answers.
    """
    options = options or Options()
    progress(STAGES[0], 0, len(STAGES))
    response = await fetcher.fetch_page(url, identity=options.identity)
    captured_at = rfc3339(now())
    if options.judged_as is None and not _is_private(response):
        # Before any other request to the server: a busy one responds later. The timing of a private host is not judged.
        response = await fetcher.with_wait_samples(response, identity=options.identity)
    budget = Budget()
    held = budget.held_back(**CRAWLERS_SHARE) if options.ask_as_crawlers else None
    progress(STAGES[1], 1, len(STAGES))

    async def make_site() -> SiteCapture:
        return await probe_site(fetcher, response.final_url, budget, identity=options.identity)

    site_key = f"{options.cache_key} {_origin(response.final_url)}"

    async def site_of_page() -> SiteCapture:
        return await (site_cache.site_of(site_key, make_site) if site_cache else make_site())

    site, targets = await asyncio.gather(site_of_page(), compute(_targets, dump(_bare(response, captured_at))))
    progress(STAGES[2], 2, len(STAGES))

    async def agents_of_page() -> tuple[tuple[str, Answer], ...]:
        return await ask_as_crawlers(fetcher, response, held, identity=options.identity) if held else ()

    # Phone first: a page with many links uses up the budget.
    phone, agents, probes = await asyncio.gather(
        ask_as_phone(fetcher, response, budget, identity=options.identity),
        agents_of_page(),
        probe_page(fetcher, targets, budget, site, identity=options.identity),
    )
    probes = replace(probes, phone=phone, agents=agents)
    if site_cache:
        site_cache.add_links(site_key, probes.links)
    capture = Capture(captured_at, response, site, probes, budget_ended=budget.ended_by)
    return judge_as(capture, options.judged_as) if options.judged_as else capture


async def report_page(
    url: str,
    fetcher: Fetcher,
    *,
    options: Options | None = None,
    site_cache: SiteCache | None = None,
    compute: Compute = compute_here,
    progress: ReportProgress = _silent,
) -> tuple[bytes, Analysis]:
    """Return the saved page and its analysis. Raises PageNotSeen, also when the deadline has passed."""
    options = options or Options()
    secrets = options.identity.secrets
    try:
        capture = await capture_page(url, fetcher, options=options, site_cache=site_cache, compute=compute, progress=progress)
    except PageNotSeen as error:
        raise PageNotSeen(_without_secrets(error.error, secrets, url)) from None
    progress(STAGES[3], 3, len(STAGES))
    saved = dump(capture)
    if secrets:
        saved = await compute(saved_without_secrets, saved, secrets)
    not_for_search = any_matches(options.not_for_search, capture.response.final_url)
    analysed = await compute(analyse_saved, saved, not_for_search, tuple(options.acceptances))
    return saved, Analysis.load(analysed)


def _without_secrets(error: PageError, secrets: Sequence[str], url: str) -> PageError:
    """The error with stars in place of what was sent along."""
    shown = {name: text_without_secrets(getattr(error, name), secrets, url) for name in ("host", "url", "text")}
    return structs.replace(error, **shown)


def analyse_saved(saved: bytes, not_for_search: bool = False, acceptances: Sequence[Acceptance] = ()) -> bytes:  # noqa: FBT001, FBT002 - crosses a process boundary by position
    """Return the encoded analysis of a saved page (pure)."""
    return analyse(load(saved), not_for_search=not_for_search, acceptances=acceptances).dump()


def saved_without_secrets(saved: bytes, secrets: Sequence[str]) -> bytes:
    """Return a saved page with the secrets of its request masked (pure)."""
    return dump(without_secrets(load(saved), secrets))


def sources_of_pictures(saved: bytes) -> PictureSources:
    """Return the URLs of the icon and the preview image of a saved page (pure)."""
    return picture_sources(gather(load(saved)))


def _targets(saved: bytes) -> Targets:
    return find_targets(load(saved))


def _bare(response: Response, captured_at: str) -> Capture:
    """Return a capture of the page alone, enough to find further URLs to request."""
    origin = _origin(response.final_url)
    site = SiteCapture(origin, captured_at, Answer(f"{origin}/robots.txt", failure=Failure.NOT_ASKED))
    return Capture(captured_at, response, site, PageProbes())


def _is_private(response: Response) -> bool:
    url = parse(response.final_url)
    return url is None or is_private(url.host, response.final.address)


def _origin(url: str) -> str:
    parsed = parse(url)
    return parsed.origin if parsed else url
