"""Settings of a crawl, for its owner."""

from collections.abc import Iterator

from findable.crawl.scope import CrawlSettings, Extent, Render, RenderReason, RobotsRules
from findable.service.values.crawl_values import CrawlView
from findable.urls import origin_part
from findable.web.pages.shared.durations import duration
from findable.web.pages.site.site_parts import FactLine
from findable.wording import Translator, later

EXTENTS = (
    (Extent.ORIGIN, later("This host only, with its scheme and port")),
    (Extent.HOST, later("http and https, with and without www")),
    (Extent.DOMAIN, later("All hosts of the domain")),
)
RENDERS = (
    (Render.NEVER, later("None")),
    (Render.NEEDED, later("Pages that scripts build")),
    (Render.SAMPLE, later("Three pages of each template, and all of a template that scripts change")),
    (Render.ALL, later("All pages")),
)
_RENDER_REASONS = {
    RenderReason.BROWSER: later("the default, because this service has a browser"),
    RenderReason.NO_BROWSER: later("this service had no browser that works"),
    RenderReason.PROJECT: later("the project is set to use no browser"),
}
_ROBOTS = {
    RobotsRules.FINDABLE: later("obeyed, with the rules for Findable"),
    RobotsRules.GOOGLEBOT: later("obeyed, with the rules for Googlebot"),
    RobotsRules.IGNORE: later("ignored"),
}


def _rendered_pages(settings: CrawlSettings, say: Translator) -> str:
    words = say.text(dict(RENDERS)[settings.render])
    if settings.render_reason is RenderReason.CHOSEN:
        return words
    return say("%(pages)s: %(reason)s", pages=words, reason=say.text(_RENDER_REASONS[settings.render_reason]))


def _visits(visits: int, failed: int, say: Translator) -> str:
    if not failed:
        return say.number(visits)
    return say(
        "%(pages)s; could not be loaded and checked without rendering: %(failed)s", pages=say.number(visits), failed=say.number(failed)
    )


def settings_of_crawl(view: CrawlView, say: Translator) -> Iterator[FactLine]:
    """Yield the settings of a crawl with their names; settings without a value are omitted."""
    settings = view.settings
    yield FactLine(say("Maximum pages"), say.number(settings.pages))
    if view.is_list:
        yield FactLine(say("Links"), say("not followed: the crawl has a list of URLs"))
    else:
        yield FactLine(say("Which URLs belong to the site"), say.text(dict(EXTENTS)[settings.extent]))
    yield FactLine(
        say("Links to other sites"),
        say("each requested once, not followed") if settings.external else say("not requested"),
    )
    if settings.uploaded:
        yield FactLine(say("Uploaded URLs"), say("requested even without links to them"))
    if settings.render is not Render.NEVER or settings.render_reason:
        yield FactLine(say("Pages to open in a browser"), _rendered_pages(settings, say))
    if visits := view.counts.get("rendered", 0):
        yield FactLine(say("Pages opened in a browser"), _visits(visits, view.counts.get("rendered_failed", 0), say))
    yield FactLine("robots.txt", say.text(_ROBOTS[settings.robots]))
    yield FactLine(
        say("Speed"),
        say(
            "at most %(rate)s requests per second, %(connections)s at the same time",
            rate=say.number(settings.rate, 1),
            connections=settings.connections,
        ),
    )
    if settings.seconds is not None:
        yield FactLine(say("Maximum time"), duration(settings.seconds, say))
    if settings.depth is not None:
        yield FactLine(say("Maximum clicks from the start page"), say.number(settings.depth))
    if settings.preview_origin:
        yield FactLine(say("Preview of"), origin_part(settings.start_url))
    for name, values in (
        (say("Further hosts"), settings.hosts),
        (say("Included URL patterns"), settings.include),
        (say("Excluded URL patterns"), settings.exclude),
        (say("Segments"), tuple(segment.name for segment in settings.segments)),
        (say("Extracted values"), tuple(extractor.name for extractor in settings.extractors)),
    ):
        if values:
            yield FactLine(name, ", ".join(values))
