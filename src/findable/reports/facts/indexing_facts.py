"""Facts about indexing: whether search engines may list the page, and under which URL."""

from collections.abc import Iterable

from msgspec import Struct

from findable.artifacts.html.page_charset import Charset
from findable.artifacts.page.canonical import Canonical, Declaration
from findable.artifacts.page.hreflang import Alternate, Hreflang
from findable.artifacts.page.robots_directives import Directive, RobotsDirectives
from findable.artifacts.site.robots import Robots
from findable.artifacts.site.sitemap import SitemapFile, SitemapListing, Sitemaps
from findable.artifacts.tables.bots import AS_OF, BOTS, Bot
from findable.capture.response import Hop, ProbeResponse
from findable.formats.robots_txt import SitemapLine
from findable.values import cut_texts, shape_of

MAX_RULES = 50
MAX_VERSIONS = 200
MAX_DECLARATIONS = 10
MAX_FILES = 20
SHOWN_REDIRECTS = 20
MAX_LINES = 100
TEXT_CHARS = 300
URL_CHARS = 2048


class BotFacts(Struct, frozen=True):
    """Rules of robots.txt for a crawler. ``allowed`` is null if robots.txt is unreadable."""

    token: str
    operator: str
    purpose: str
    token_only: bool
    verified: bool
    allowed: bool | None = None
    line: int | None = None
    rule: str = ""


class RobotsRemarkFact(Struct, frozen=True):
    """Line of robots.txt that is invalid or ignored by crawlers."""

    kind: str
    line: int | None
    text: str


class RobotsFacts(Struct, frozen=True):
    """The robots.txt of the page's host. ``state`` is read, missing (everything is allowed) or unreachable."""

    state: str
    url: str
    status: int | None
    reason: str
    bots_as_of: str
    bots: tuple[BotFacts, ...]
    sitemaps: tuple[SitemapLine, ...]
    sitemaps_count: int
    rules_count: int
    remarks: tuple[RobotsRemarkFact, ...]
    remarks_count: int


class RobotsDirectiveFact(Struct, frozen=True):
    """A directive; ``agent`` is empty for all crawlers, ``source`` is meta or header."""

    name: str
    value: str
    agent: str
    source: str
    line: int | None


class GoogleDirectiveFacts(Struct, frozen=True):
    """Meaning of the directives for Google's crawlers."""

    noindex: bool
    nofollow: bool
    nosnippet: bool


class RobotsDirectiveFacts(Struct, frozen=True):
    """Robots meta tags and X-Robots-Tag headers."""

    rules: tuple[RobotsDirectiveFact, ...]
    rules_count: int
    google: GoogleDirectiveFacts


class CanonicalDeclarationFact(Struct, frozen=True):
    """A canonical link. ``ignored`` contains the reason why it does not count."""

    href: str
    url: str | None
    source: str
    line: int | None
    counts: bool
    ignored: str


class CanonicalFacts(Struct, frozen=True):
    """The canonical URL that the page declares."""

    target: str | None
    is_self: bool
    differences: tuple[str, ...]
    declarations: tuple[CanonicalDeclarationFact, ...]


class HreflangFacts(Struct, frozen=True):
    """A language version; ``source`` is link, header or sitemap."""

    code: str
    url: str | None
    source: str
    line: int | None
    usable: bool
    fault: str


class SitemapFileFacts(Struct, frozen=True):
    """A sitemap file that was requested."""

    url: str
    status: int | None
    state: str
    form: str
    urls_count: int | None
    read_to_end: bool
    robots_line: int | None


class SitemapEntryFact(Struct, frozen=True):
    """An entry that lists the page."""

    url: str
    lastmod: str
    sitemap_url: str


class SitemapFacts(Struct, frozen=True):
    """The sitemaps of the site, and their entries for the page."""

    files: tuple[SitemapFileFacts, ...]
    files_count: int
    urls_count: int
    left_count: int
    listed: tuple[SitemapEntryFact, ...]


class RedirectFact(Struct, frozen=True):
    """A redirect before the page."""

    url: str
    status: int
    location: str


class VariantFacts(Struct, frozen=True):
    """Response of one variant of the host."""

    url: str
    status: int | None
    final_url: str
    hops_count: int
    reason: str


class CharsetFacts(Struct, frozen=True):
    """Declared encodings, and the effective one."""

    bom: str | None
    header: str | None
    meta: str | None
    meta_offset_bytes: int | None
    used: str
    replacement_count: int


def robots(artifact: Robots, page_url: str) -> RobotsFacts:
    """Return the state of robots.txt, its decisions about the page by crawler, its sitemaps and its problems."""
    rules = artifact.rules
    return RobotsFacts(
        state=artifact.state.value,
        url=artifact.response.url[:URL_CHARS],
        status=artifact.response.status or None,
        reason=artifact.response.failure.value,
        bots_as_of=AS_OF,
        bots=tuple(_bot(artifact, bot, page_url) for bot in BOTS),
        sitemaps=tuple(cut_texts(item, URL_CHARS) for item in rules.sitemaps[:MAX_FILES]),
        sitemaps_count=len(rules.sitemaps),
        rules_count=rules.rules_count,
        remarks=tuple(RobotsRemarkFact(item.kind.value, item.line or None, item.text) for item in rules.problems[:MAX_LINES]),
        remarks_count=rules.problems_count,
    )


def _bot(robots: Robots, bot: Bot, page_url: str) -> BotFacts:
    known = (bot.token, bot.operator, bot.purpose.value, bot.token_only, bot.verified)
    if not robots.is_known:
        return BotFacts(*known)
    decision = robots.decide(bot.tokens, page_url)
    return BotFacts(*known, decision.allowed, decision.line, decision.rule)


def robots_directives(artifact: RobotsDirectives) -> RobotsDirectiveFacts:
    """Return the robots directives of the page, and their meaning for Google."""
    return RobotsDirectiveFacts(
        rules=tuple(_directive(item) for item in artifact.all[:MAX_RULES]),
        rules_count=len(artifact.all),
        google=GoogleDirectiveFacts(
            noindex=bool(artifact.first(("noindex", "none"), "googlebot")),
            nofollow=bool(artifact.first(("nofollow", "none"), "googlebot")),
            nosnippet=bool(artifact.first(("nosnippet",), "googlebot")),
        ),
    )


def _directive(item: Directive) -> RobotsDirectiveFact:
    source, line = ("meta", item.element.line) if item.element else ("header", None)
    return cut_texts(shape_of(RobotsDirectiveFact, item, source=source, line=line), TEXT_CHARS)


def canonical(artifact: Canonical) -> CanonicalFacts:
    """Return the effective canonical URL, and all canonical links of the page."""
    return CanonicalFacts(
        target=artifact.target[:URL_CHARS] if artifact.target else None,
        is_self=artifact.is_self,
        differences=tuple(sorted(item.value for item in artifact.differences)),
        declarations=tuple(_declaration(item) for item in artifact.declared[:MAX_DECLARATIONS]),
    )


def _declaration(item: Declaration) -> CanonicalDeclarationFact:
    source, line = ("link", item.element.line) if item.element else ("header", None)
    ignored = item.ignored.name.lower() if not item.counts else ""
    return cut_texts(shape_of(CanonicalDeclarationFact, item, source=source, line=line, ignored=ignored), URL_CHARS)


def hreflang(artifact: Hreflang | None) -> tuple[HreflangFacts, ...]:
    """Return the first MAX_VERSIONS language versions that the page or a sitemap declares."""
    return tuple(_version(item) for item in artifact.entries[:MAX_VERSIONS]) if artifact else ()


def _version(item: Alternate) -> HreflangFacts:
    fault = item.code_fault or item.url_fault
    line = item.element.line if item.element else None
    return cut_texts(shape_of(HreflangFacts, item, line=line, fault=fault.name.lower() if fault else ""), URL_CHARS)


def sitemap(artifact: Sitemaps, listing: SitemapListing | None) -> SitemapFacts:
    """Return the first MAX_FILES sitemap files, and their entries for the page."""
    return SitemapFacts(
        files=tuple(_file(item) for item in artifact.files[:MAX_FILES]),
        files_count=len(artifact.files),
        urls_count=artifact.urls_count,
        left_count=artifact.left_count,
        listed=tuple(
            SitemapEntryFact(entry.url[:URL_CHARS], entry.lastmod[:40], entry.sitemap_url[:URL_CHARS])
            for entry in (listing.entries[:MAX_FILES] if listing else ())
        ),
    )


def _file(item: SitemapFile) -> SitemapFileFacts:
    return SitemapFileFacts(
        url=item.url[:URL_CHARS],
        status=item.response.status or None,
        state=item.state.value,
        form=item.form.value,
        urls_count=item.summary.urls_count if item.summary else None,
        read_to_end=bool(item.summary and item.summary.read_to_end),
        robots_line=item.robots_line,
    )


def redirects(hops: Iterable[Hop]) -> tuple[RedirectFact, ...]:
    """Return the first SHOWN_REDIRECTS redirects before the page."""
    return tuple(RedirectFact(hop.url[:URL_CHARS], hop.status, hop.location[:URL_CHARS]) for hop in list(hops)[:SHOWN_REDIRECTS])


def variants(responses: Iterable[ProbeResponse]) -> tuple[VariantFacts, ...]:
    """Return the responses of the host's variants: http and https, with and without www."""
    return tuple(
        VariantFacts(
            url=response.url[:URL_CHARS],
            status=response.status or None,
            final_url=response.final_url[:URL_CHARS],
            hops_count=len(response.hops),
            reason=response.failure.value,
        )
        for response in list(responses)[:MAX_FILES]
    )


def declared_charset(artifact: Charset) -> CharsetFacts:
    """Return the declared and the used encoding."""
    return shape_of(CharsetFacts, artifact, header=artifact.header[:TEXT_CHARS] if artifact.header else None)
