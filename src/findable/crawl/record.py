"""Records of crawled pages: values, hashes, packed verdicts, and failed and warned findings, without markup."""

from collections.abc import Iterable, Mapping
from itertools import islice

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document
from findable.artifacts.html.ids import Ids
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.hreflang import Alternate, Hreflang
from findable.artifacts.page.images import Images
from findable.artifacts.page.language import Language
from findable.artifacts.page.links import LinkFault, Links
from findable.artifacts.page.main_sketch import SKETCH_FROM_WORDS, sketch_of, stands_for_page
from findable.artifacts.page.page_kind import DeterminedKind
from findable.artifacts.page.refresh import Refreshes
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.technologies import Technologies
from findable.artifacts.page.text import Text
from findable.artifacts.registry import Artifacts
from findable.artifacts.tables.cms_clicks import system_of
from findable.capture.crawl import Reason
from findable.capture.response import HTML_TYPES, Response
from findable.capture.status_classes import OK
from findable.checks.content.content_length import has_other_content
from findable.checks.engine import Result
from findable.crawl.blocks import Block, blocks_of
from findable.crawl.extractors import Extracted
from findable.crawl.indexability import other_canonical
from findable.crawl.own_text import pack_text
from findable.crawl.packed_verdicts import pack_verdicts
from findable.crawl.page_resources import resource_blocks
from findable.crawl.places import links_to_places, place_keys
from findable.crawl.traps import text_without_numbers
from findable.crawl.url_keys import text_key
from findable.formats.sketches import MAX_TEXT_CHARS
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.urls import without_fragment
from findable.vocabulary import PageKind

TEXT_CHARS = 500
MAX_ALTERNATES = 100
MAX_TYPES = 20
MAX_ROUTES = 5
MAX_REFRESH_S = 10
"""Seconds up to which a refresh counts as a redirect (set by Findable); Google treats 0 seconds as permanent."""
TEXT_FROM_WORDS = 50
"""Number of words from which two identical texts are duplicates."""


class ListedRecord(Struct, frozen=True, omit_defaults=True):
    """Part of a record that lists and files of pages use."""

    url: str
    status: int
    """HTTP status, 0 without a response."""
    failure: str = ""
    """Value of `capture.response.Failure`."""
    location: str = ""
    """Target of a redirect, without fragment."""
    media_type: str = ""
    wire_bytes: int = 0
    size_bytes: int = 0
    first_byte_ms: float = 0.0
    reason: Reason = Reason.NONE
    title: str = ""
    description: str = ""
    h1: str = ""
    canonical: str = ""
    """Declared canonical URL if it is another page; otherwise empty."""
    kind: PageKind = PageKind.UNKNOWN
    lang: str = ""
    words: int = 0
    verdicts: bytes = b""
    """One byte per check, in the order of `all_check_ids`."""
    score: int | None = None

    @property
    def is_indexable(self) -> bool:
        """Whether search engines may list the page."""
        return self.reason is Reason.NONE

    @property
    def is_html(self) -> bool:
        """Whether the response is an HTML page that was parsed."""
        return bool(self.verdicts) or (self.status == OK and self.media_type in HTML_TYPES)


class UnsettledFinding(Struct, frozen=True, omit_defaults=True):
    """Finding of a check that the other pages of the crawl decide; the verdict of the page is unknown until then."""

    finding: ReportedFinding
    score: int | None = None
    """Score of the page with the finding."""


class PageRecord(ListedRecord, frozen=True, omit_defaults=True):
    """Page as stored by a crawl."""

    noindex: bool = False
    nofollow: bool = False
    is_shell: bool = False
    """Whether scripts build the page, so that its texts and links are unknown."""
    is_rendered: bool = False
    """Whether a browser loaded the page, so that its texts and links are those after its scripts ran."""
    is_unread: bool = False
    """Whether the page is too large to be parsed, so that its texts and links are unknown."""
    declares_canonical: bool = False
    alternates: tuple[tuple[str, str], ...] = ()
    """Language versions: (hreflang, URL)."""
    faulty_alternates: tuple[tuple[str, str], ...] = ()
    """Language versions with a code unknown to search engines: (hreflang, URL)."""
    types: tuple[str, ...] = ()
    """Types of schema.org on the page, sorted."""
    cms: str = ""
    """Content management system whose clicks are known (`cms_clicks.system_of`); empty for none."""
    refresh: str = ""
    """Target of a refresh to another page after at most MAX_REFRESH_S, without fragment."""
    routes: tuple[str, ...] = ()
    """First links that differ from the page's URL only in the part after ``#``, like ``#/shop``."""
    place_links: tuple[tuple[str, str], ...] = ()
    """First different links to places on other pages of the site: (URL without fragment, fragment)."""
    places: bytes | None = None
    """Names of the places on the page, from `places.place_keys`; None if they are unknown."""
    text_key: int = 0
    """Hash of main heading and main text, with folded case and white space; 0 for short texts. Pages may share a passage that is
    detected as their main text; then the headings distinguish them.
    """
    plain_text_key: int = 0
    """Hash of the visible text without numbers."""
    frame_key: int = 0
    """Hash of the visible text without headings, titles and numbers, and of the images.

    Pages without unique content have the same hash. 0 for pages with 50 or more words, videos, forms or several images.
    """
    own_text: bytes | None = None
    """Passages of a short page, from `own_text.pack_text`; None if its words are not counted."""
    sketch: bytes = b""
    shapes: tuple[int, ...] = ()
    """Shapes of its blocks, sorted; pages of one template have them in common."""
    findings: tuple[ReportedFinding, ...] = ()
    """Failed and warned findings."""
    unsettled: UnsettledFinding | None = None
    """Finding of `canonical-self`, if it depends on the text of the declared page."""


class ReadPage(Struct, frozen=True):
    """Record of a page that was read, with its blocks, its text and its packed response."""

    record: PageRecord
    blocks: tuple[Block, ...] = ()
    text: str = ""
    """Main text with folded case and white space; empty for short texts."""
    packed_response: bytes = b""
    """Response, packed by `stored_responses`."""
    extractor_results: Mapping[int, Extracted] = {}
    """Results of extractors by key; empty for a page that was not parsed."""
    resources: tuple[Block, ...] = ()
    """Blocks of the stylesheets, scripts and images that it loads."""

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        """Blocks of links and of resources on the page."""
        return (*self.blocks, *self.resources)


def record_of(
    artifacts: Artifacts,
    response: Response,
    results: Iterable[Result],
    *,
    reason: Reason,
    score: int | None = None,
    unsettled: UnsettledFinding | None = None,
) -> ReadPage:
    """Return the record of an HTML page. ``reason`` is the result of `reason_of`."""
    results = tuple(results)
    canonical, directives = artifacts.get_or_none(Canonical), artifacts.get_or_none(RobotsDirectives)
    head, text, links = artifacts.get_or_none(Head), artifacts.get_or_none(Text), artifacts.get_or_none(Links)
    document, headings = artifacts.get_or_none(Document), artifacts.get_or_none(Headings)
    content, kind = artifacts.get_or_none(Content), artifacts.get_or_none(DeterminedKind)
    nofollow = directives is not None and directives.nofollow(*GOOGLE) is not None
    other = other_canonical(canonical)
    blocks = blocks_of(links, document, nofollow=nofollow) if links is not None and document is not None else ()
    around = artifacts.get_or_none(Surroundings)
    resources: tuple[Block, ...] = ()
    if document is not None and head is not None and around is not None and response.status == OK:
        resources = tuple(resource_blocks(document, head, artifacts.get_or_none(Images), around))
    words = text.main_count if text is not None else 0
    folded = text.main.casefold() if text is not None else ""
    h1 = _fold_text(headings.main_text if headings else "")
    technologies = artifacts.get_or_none(Technologies)
    hreflang = artifacts.get_or_none(Hreflang)
    record = PageRecord(
        url=response.final_url,
        status=response.status,
        media_type=response.headers.media_type,
        wire_bytes=response.wire_bytes,
        size_bytes=response.size_bytes,
        first_byte_ms=round(response.final.timing.wait_ms, 1),
        reason=reason,
        noindex=directives is not None and directives.noindex(*GOOGLE) is not None,
        nofollow=nofollow,
        is_shell=document is not None and is_script_shell(document),
        is_rendered=content is not None and content.is_rendered,
        is_unread=document is None and response.status == OK,
        title=_fold_text(head.title if head else ""),
        description=_fold_text(head.description if head else ""),
        h1=h1,
        canonical=other,
        declares_canonical=canonical is not None and bool(canonical.targets),
        lang=_language(artifacts, head),
        kind=kind.kind if kind else PageKind.UNKNOWN,
        words=words,
        alternates=_declared_versions(hreflang.usable if hreflang else ()),
        faulty_alternates=_declared_versions(entry for entry in (hreflang.entries if hreflang else ()) if entry.code_fault),
        types=_types(artifacts),
        cms=system_of(((one.name, one.sign) for one in technologies.items), response.final_url) if technologies else "",
        refresh=_refresh(artifacts),
        routes=_routes(links),
        place_links=links_to_places(links) if links is not None else (),
        places=_places(artifacts, document, links),
        text_key=text_key(f"{h1.casefold()}\n{folded}") if text and words >= TEXT_FROM_WORDS and stands_for_page(text) else 0,
        plain_text_key=text_key(text_without_numbers(text.visible)) if text is not None else 0,
        frame_key=_frame_key(artifacts, h1) if words < TEXT_FROM_WORDS else 0,
        own_text=_own_text(artifacts, blocks),
        sketch=sketch_of(text) if text is not None else b"",
        shapes=tuple(sorted({block.shape for block in blocks if block.shape})),
        verdicts=pack_verdicts(results),
        findings=tuple(ReportedFinding.from_result(result) for result in results if result.finding.verdict in AGAINST),
        score=score,
        unsettled=unsettled,
    )
    return ReadPage(record, blocks, folded[:MAX_TEXT_CHARS] if words >= SKETCH_FROM_WORDS else "", resources=resources)


def _frame_key(artifacts: Artifacts, h1: str) -> int:
    """Return the hash of a short page without its title and headings; 0 for a page with other content."""
    text, document, images = artifacts.get_or_none(Text), artifacts.get_or_none(Document), artifacts.get_or_none(Images)
    if text is None or document is None or not h1 or is_script_shell(document) or has_other_content(document, images):
        return 0
    frame = text_without_numbers(text.visible.casefold().replace(h1.casefold(), ""))
    shown = sorted({image.url or "" for image in images.items}) if images is not None else []
    return text_key("\n".join((frame, *shown)))


def _own_text(artifacts: Artifacts, blocks: Iterable[Block]) -> bytes | None:
    content, text = artifacts.get_or_none(Content), artifacts.get_or_none(Text)
    if content is None or text is None:
        return None
    return pack_text(content, text, artifacts.get_or_none(Language), artifacts.get_or_none(Images), blocks)


def _fold_text(text: str) -> str:
    return " ".join(text.split())[:TEXT_CHARS]


def _language(artifacts: Artifacts, head: Head | None) -> str:
    """Return the declared language, else the detected one."""
    if head is not None and (head.lang or "").strip():
        return (head.lang or "").strip().lower()
    language = artifacts.get_or_none(Language)
    return language.used if language is not None else ""


def _declared_versions(entries: Iterable[Alternate]) -> tuple[tuple[str, str], ...]:
    return tuple((entry.code, entry.url) for entry in islice(entries, MAX_ALTERNATES) if entry.url)


def _refresh(artifacts: Artifacts) -> str:
    refreshes = artifacts.get_or_none(Refreshes)
    leading = (item.url for item in (refreshes.all if refreshes else ()) if item.url and not item.reloads and item.after_s <= MAX_REFRESH_S)
    return without_fragment(next(leading, ""))


def _routes(links: Links | None) -> tuple[str, ...]:
    found = (link.url for link in (links.faulty if links is not None else ()) if link.fault is LinkFault.HASH_ROUTE)
    return tuple(islice(dict.fromkeys(url for url in found if url), MAX_ROUTES))


def _places(artifacts: Artifacts, document: Document | None, links: Links | None) -> bytes | None:
    ids, content = artifacts.get_or_none(Ids), artifacts.get_or_none(Content)
    if document is None or links is None or ids is None:
        return None
    return None if is_script_shell(document) and not (content and content.is_rendered) else place_keys(document, ids, links)


def _types(artifacts: Artifacts) -> tuple[str, ...]:
    data = artifacts.get_or_none(StructuredData)
    return tuple(sorted({name for item in data.schema_items for name in item.types})[:MAX_TYPES]) if data is not None else ()


"""Category that is checked on pages that are not indexable: noindex, canonicalised, or with a status other than 200."""
