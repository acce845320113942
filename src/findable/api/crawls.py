"""Crawls into a file: what `findable crawl` and `findable.api.crawl` run."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, structs

from findable.api.crawling_options import CrawlingOptions
from findable.api.targets import (
    browser_options_of,
    fetcher_for,
    http_fallback,
    identity_of,
    number_in_range,
    pool_for,
    typed_origin,
    typed_url,
    valid_patterns,
)
from findable.capture.crawl import CrawlEnd
from findable.crawl.extractors import Extractor, problem_of_all
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.progress import CrawlProgress
from findable.crawl.rolling import default_pages
from findable.crawl.settings import CONNECTIONS, DEFAULT_RATE, CrawlSettings, Extent, Render, RobotsRules
from findable.crawl.state import CrawlState
from findable.errors import SettingError
from findable.fetch.browser.browser_program import configured_browser
from findable.limits import MAX_CONNECTIONS, MAX_PAGES, MAX_RATE
from findable.service.crawls.crawl_rescoring import rescore_crawl
from findable.service.crawls.crawl_run import CrawlRun
from findable.settings import Settings
from findable.store.crawl_file import CrawlFile
from findable.urls import Url, move_to_origin, project_name
from findable.worker.analysis_pool import AnalysisPool

PRELOADED = ("findable.crawler",)
Choice = TypeVar("Choice", Extent, Render, RobotsRules)


class CrawlPlan(Struct, frozen=True):
    """Crawl to run: its settings, URLs and options."""

    wanted: CrawlSettings
    start: Url
    fallback: Url | None
    """http URL to try if the start URL, which was typed without a scheme, is unreachable over https."""
    targets: tuple[Url, ...]
    """Expected targets of redirects."""
    options: CrawlingOptions
    settings: Settings

    @property
    def path(self) -> Path:
        """File of the crawl."""
        return Path(self.options.store or f"{project_name(self.start.href).replace(':', '_')}.crawl.sqlite")

    @property
    def limits(self) -> frozenset[CrawlEnd]:
        """Ends of a crawl at a limit that was chosen, not the default one; such a crawl passes or fails by what it requested."""
        chosen = ((CrawlEnd.PAGES, self.options.pages or self.options.rolling), (CrawlEnd.TIME, self.options.seconds))
        return frozenset(end for end, limit in chosen if limit is not None)

    @property
    def lacks_browser(self) -> bool:
        """Whether no browser is installed here for a crawl that started with one: further pages are checked as sent."""
        has_default = self.options.render is None and self.wanted.render is not Render.NEVER
        return has_default and configured_browser(self.settings) is None

    def continuing(self, file: CrawlFile) -> "CrawlPlan":
        """Return the plan with what a crawl in the file keeps. Raises SettingError if it is a crawl of another URL."""
        known, wanted = file.state(), self.wanted
        if known is not None:
            if known.settings.imported is not None:
                raise SettingError("--store", f"{file.path} is imported from {known.settings.imported.program}; use another file")
            if known.typed_url not in (wanted.start_url, str(self.fallback)):
                raise SettingError("--store", f"{file.path} is a crawl of {known.typed_url}; use another file")
            extractors = wanted.extractors or known.settings.extractors
            wanted = structs.replace(wanted, extractors=extractors, segments=known.settings.segments)
        if self.options.render is None and known is not None:
            wanted = structs.replace(wanted, render=known.settings.render, render_reason=known.settings.render_reason)
        elif self.options.render is None:
            from findable.fetch.browser.browser_doctor import examine_browser

            program = configured_browser(self.settings)
            wanted = wanted.with_default_render(works=program is not None and examine_browser(program).is_usable)
        return structs.replace(self, wanted=wanted)


def plan_crawl(url: str | None, rows: Sequence[tuple[Url, ...]], options: CrawlingOptions, settings: Settings) -> CrawlPlan:
    """Return the plan of a crawl from a URL, or of a list of URLs. Raises SettingError for a wrong option.

    Args:
        url: URL where the crawl begins, or of the site of a list.
        rows: the only URLs to request, each alone or with the expected target of its redirect.
        options: options of the crawl.
        settings: settings of this machine.
    """
    listed = list({row[0].href: row[0] for row in rows}.values())
    if url is None and not listed:
        raise SettingError("URL", "no site to crawl: give a URL or --list FILE")
    start = typed_url(url) if url is not None else listed[0]
    public = typed_origin(options.as_) if options.as_ is not None else start.origin
    as_public = partial(move_to_origin, origin=start.origin, to=public)
    targets = {row[0].href: row[1] for row in rows if len(row) > 1}
    return CrawlPlan(
        _settings_of(options, as_public(start.href), listed, targets, as_public, start.origin if public != start.origin else ""),
        start,
        http_fallback(url, options) if url and public == start.origin else None,
        tuple(targets.values()),
        options,
        settings,
    )


def _settings_of(
    options: CrawlingOptions,
    start_url: str,
    listed: Sequence[Url],
    targets: Mapping[str, Url],
    as_public: Callable[[str], str],
    preview_origin: str,
) -> CrawlSettings:
    return CrawlSettings(
        start_url,
        extent=_choice("--scope", Extent, options.scope),
        hosts=tuple(dict.fromkeys((*options.host, *(target.host for target in targets.values())))),
        extractors=_extractors(options.extract),
        include=valid_patterns("--include", options.include),
        exclude=valid_patterns("--exclude", options.exclude),
        pages=number_in_range("--pages", default_pages(options.rolling) if options.pages is None else options.pages, 1, MAX_PAGES),
        rolling=None if listed or options.rolling is None else number_in_range("--rolling", options.rolling, 1, MAX_PAGES),
        depth=options.depth,
        seconds=options.seconds,
        robots=_choice("--robots", RobotsRules, options.robots),
        render=_choice("--render", Render, options.render or Render.NEVER),
        browser=browser_options_of(options),
        rate=number_in_range("--rate", DEFAULT_RATE if options.rate is None else options.rate, 0.01, MAX_RATE),
        connections=number_in_range(
            "--connections", CONNECTIONS if options.connections is None else options.connections, 1, MAX_CONNECTIONS
        ),
        confirm_after_s=options.confirm_after,
        external=options.external,
        urls=tuple(as_public(item.href) for item in listed),
        expected=tuple((as_public(item), as_public(target.href)) for item, target in targets.items()),
        preview_origin=preview_origin,
    )


def _choice(option: str, kind: type[Choice], value: str) -> Choice:
    """Return a member of an enumeration, which a caller may write as text. Raises SettingError."""
    try:
        return kind(value)
    except ValueError as error:
        raise SettingError(option, f"must be one of {', '.join(kind)}") from error


def _extractors(options: Sequence[str]) -> tuple[Extractor, ...]:
    extractors = tuple(Extractor(name.strip(), rule.strip()) for name, _, rule in (option.partition("=") for option in options))
    if wrong := problem_of_all(extractors):
        raise SettingError("--extract", wrong)
    return extractors


async def run_crawl(
    file: CrawlFile, plan: CrawlPlan, on_progress: Callable[[CrawlProgress], None], earlier: CrawlFile | None = None
) -> CrawlState:
    """Run or continue a crawl until it is settled under the current ruleset; return its last state.

    Args:
        file: file of the crawl.
        plan: plan, as this file continues it.
        on_progress: called after each batch that was stored.
        earlier: earlier crawl of the site; its pages that are no longer linked are requested as well.
    """
    pool = AnalysisPool(plan.settings.analysis_processes, preload=PRELOADED)
    all_check_ids()  # all processes use the checks
    await pool.fork_early()
    places = [plan.start, *plan.targets, *([plan.fallback] if plan.fallback else [])]
    try:
        async with fetcher_for(plan.options, plan.settings, places) as fetcher:
            async with AsyncExitStack() as browsers:
                render = None
                if plan.wanted.render is not Render.NEVER and not plan.lacks_browser:
                    render = (await browsers.enter_async_context(pool_for(plan.settings, fetcher, "--render"))).render
                run = CrawlRun(
                    file,
                    fetcher,
                    pool,
                    identity=identity_of(plan.options, plan.start),
                    fallback_url=plan.fallback.href if plan.fallback else "",
                    on_progress=on_progress,
                    earlier=earlier,
                    render=render,
                )
                state = await run.run(plan.wanted)
            return await rescore_crawl(file, state, plan.wanted, pool, on_progress)
    finally:
        await pool.close()
