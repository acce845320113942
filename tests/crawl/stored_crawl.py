"""Crawls whose pages are made by hand: stored and settled as others, without a network."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from findable.capture.crawl import CrawlEnd, Reason
from findable.crawl.blocks import Block, BlockLink
from findable.crawl.found_by import FoundBy
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.record import PageRecord, ReadPage
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.crawl.url_keys import text_key
from findable.crawl.visits import Visit
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_settling import Settling
from findable.store.site_roots import ReadSite

SITE = "https://shop.example"
AT_ONCE = 50


class Link(Struct, frozen=True):
    """Link of a page."""

    path: str
    text: str = "Blue widgets"
    nofollow: bool = False


class StoredPage(Struct, frozen=True):
    """Page of a crawl that is made by hand; ``record`` has values that differ from those of an indexable page."""

    links: tuple[Link, ...] = ()
    menu: tuple[Link, ...] = ()
    record: Mapping[str, Any] = {}


def url(path: str) -> str:
    """The URL of a path; whole URLs stay."""
    return path if path.startswith("http") else f"{SITE}{path}"


def block(links: Iterable[Link], landmark: str = "main") -> Block:
    """A block of links."""
    made = tuple(BlockLink(url(link.path), link.text, link.nofollow) for link in links)
    key = text_key(" ".join(f"{link.url} {link.anchor_text} {link.nofollow}" for link in made))
    return Block(key, abs(text_key(landmark)) & 0xFFFF if landmark != "main" else 0, made, landmark, f"body > {landmark} > ul")


def read(path: str, page: StoredPage | None) -> ReadPage:
    """The page as it is stored; one that is not there returns 404."""
    if page is None:
        return ReadPage(PageRecord(url(path), 404, media_type="text/html", reason=Reason.STATUS))
    values = {"status": 200, "media_type": "text/html", "title": path, "lang": "en", "verdicts": bytes(len(all_check_ids())), **page.record}
    blocks = [block(links, landmark) for links, landmark in ((page.menu, "nav"), (page.links, "main")) if links]
    return ReadPage(PageRecord(url(path), **values), tuple(blocks))


def stored_crawl(
    path: Path, pages: Mapping[str, StoredPage], *, sitemap: Iterable[str] = (), ended_by: CrawlEnd = CrawlEnd.COMPLETE, **settings: Any
) -> dict[type, Any]:
    """Store and settle a crawl that begins at ``/``; return its roots by type."""
    file = CrawlFile(path / "crawl.sqlite")
    state = CrawlState(url("/"), CrawlSettings(url("/"), **settings), checks=all_check_ids())
    file.save_state(state)
    file.add([url("/")], FoundBy.START, 0)
    file.add([url(entry) for entry in sitemap], FoundBy.SITEMAP, 1)
    by_url = {url(where): page for where, page in pages.items()}
    while taken := file.take(AT_ONCE):
        file.put([Visit(waiting, read(waiting.url, by_url.get(waiting.url))) for waiting in taken])
    while taken := file.take_unconfirmed(AT_ONCE):
        file.put([Visit(waiting, read(waiting.url, by_url.get(waiting.url))) for waiting in taken])
    current = file.state()
    assert current is not None
    settled = CrawlState(url("/"), current.settings, Phase.REPORT, ended_by, checks=all_check_ids(), session_names=current.session_names)
    file.save_state(settled)
    with file.engine.begin() as connection:
        Settling(connection, file.number_of(url("/")) or 1).settle()
    with file.engine.connect() as connection:
        return {type(root): root for root in ReadSite(connection, settled).roots(settled)}
